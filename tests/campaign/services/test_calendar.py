"""A campaign's calendar: what is wrong with one, ships that come and have rows, umpires who change it, rollback and proof."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import CalendarRow, Campaign, Command, Notice, Order, Report, Station, Turn, UmpireAction
from campaign.rules.state.state import TurnState
from campaign.selectors.reports.chronicle import chronicle
from campaign.selectors.turn.coming import coming_events, yet_to_come
from campaign.selectors.turn.facts import turn_facts
from campaign.services.desk.audit import campaign_audit
from campaign.services.desk.calendar import calendar_move, calendar_strike
from campaign.services.setup.calendar import calendar_make
from campaign.services.setup.convoys import ConvoyRefused
from campaign.services.setup.refusals import SetupRefused
from campaign.services.turn.preview import turn_preview
from campaign.services.turn.rollback import rollback
from campaign.services.turn.turns import turn_lock
from campaign.services.turn.verify import Verdict, campaign_verify
from campaign.services.umpire_log import UmpireRefused
from fleets.models import Fleet, Officer, Register, RegisterEntry, ServiceRecord, Ship
from tests.campaign.services.conftest import unattended
from tests.campaign.services.test_convoys import make as convoy_make
from tests.campaign.services.test_turns import rows_agree
from tests.support.answers import answer_of, flawless
from tests.support.put_back import put_back
from tests.support.turns import turn_closes

ARRIVES: dict[str, Any] = {
    "id": "oak", "date": "1666-05-31", "kind": "arrive", "text": "The Royal Oak joins.",
    "do": {
        "side": "England", "fleet": "OAK", "name": "The Royal Oak", "place": "harwich", "ships": ["Royal Oak", "Ruby"],
        "orders": {"route": ["rolling_ground"], "stance": "avoid"},
    },
}  # fmt: skip
LIKE = {"class": "ship_of_line", "guns": 56, "tons": 900, "men": 350}
MADE: dict[str, Any] = {
    "id": "made", "date": "1666-05-30", "kind": "arrive", "text": "Ships come.",
    "do": {"side": "Dutch Republic", "fleet": "NEW", "name": "New ships", "place": "texel", "made": [{"like": LIKE, "count": 3}]},
}  # fmt: skip


def row(
    base: dict[str, Any] = ARRIVES, *, do: dict[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    """A row of an opening's calendar; a field that is None is left out."""
    made = {**base, **changes, "do": {**base["do"], **(do or {})}}
    made["do"] = {name: value for name, value in made["do"].items() if value is not None}
    return {name: value for name, value in made.items() if value is not None}


def plan(campaign: Campaign, *rows: Any, last_day: str = "1666-06-30") -> None:
    """Give a campaign this calendar. Its register has two English ships that are in no fleet."""
    register = Register.objects.get(code="small")
    flag = RegisterEntry.objects.get(register=register, name="Antelope").nation
    for name, who in (("Royal Oak", "Adm Oak;Capt Oak"), ("Ruby", "Capt Ruby")):
        RegisterEntry.objects.get_or_create(
            register=register, name=name, side="English",
            defaults={
                "nation": flag, "squadron": "Late squadron", "ship_type": "ship_of_line", "guns": 60, "tons_burthen": 700,
                "commander": who, "role": "flagship" if ";" in who else "private",
            },
        )  # fmt: skip
    campaign.calendar_rows.all().delete()
    calendar_make(
        campaign=campaign,
        opening={"calendar": list(rows), "last_day": last_day},
        registers={"England": (register, "English"), "Dutch Republic": (register, "Dutch")},
    )


def quiet(campaign: Campaign) -> None:
    """The two fleets lie far from one another, and see nothing."""
    Station.objects.filter(fleet__navy__book=campaign.book, fleet__navy__code="ENG").update(at="torbay")
    Station.objects.filter(fleet__navy__book=campaign.book, fleet__navy__code="NLD").update(at="delfzijl")


def turn_of(campaign: Campaign) -> Turn:
    campaign.refresh_from_db()
    return campaign.turns.select_related("campaign__book", "campaign__theatre").order_by("-number").first()


def play(campaign: Campaign, turns: int = 1) -> Turn:
    """So many turns; the last of them."""
    for _ in range(turns):
        played = turn_closes(turn_of(campaign))
    campaign.refresh_from_db()
    return played


def umpire(campaign: Campaign) -> Any:
    return campaign.memberships.get(role="umpire").user


@pytest.mark.clause("G.CA2", "G.SV1")
def test_ships_that_are_to_come_are_nowhere_until_they_come_and_then_have_the_sheets_they_were_given(
    campaign: Campaign,
) -> None:
    plan(campaign, ARRIVES)
    quiet(campaign)
    assert not Ship.objects.filter(name__in=("Royal Oak", "Ruby")).exists()
    assert "OAK" not in turn_facts(turn_of(campaign))[0].fleets
    play(campaign)
    assert not Ship.objects.filter(name="Ruby").exists()
    (event,) = coming_events(turn_of(campaign))
    before = {ship.code: ship for ship in event.brings.ships}
    squadrons = {body.code: body for body in event.brings.squadrons}
    played = play(campaign)
    rows_agree(played)
    facts, orders = turn_facts(turn_of(campaign))
    assert {code: facts.ships[code] for code in before} == before
    assert {code: facts.squadrons[code] for code in squadrons} == squadrons
    for who in event.brings.officers:
        assert facts.officers[f"{who.side}/{who.name}"] == who
    assert set(before) == {"OAK001", "OAK002"}
    fleet = Fleet.objects.get(code="OAK")
    assert (fleet.name, fleet.commander) == ("The Royal Oak", "Adm Oak")
    assert Command.objects.get(fleet=fleet).membership.side.name == "England"
    assert Ship.objects.get(name="Ruby").entry == RegisterEntry.objects.get(name="Ruby")
    record = ServiceRecord.objects.get(ship__name="Ruby", kind="mustered")
    assert (record.when, record.turn) == ("1666-05-31T06:00", played.reference)
    assert orders["OAK"].stance.value == "avoid"
    assert list(campaign_audit(campaign=campaign)) == []


CONVOY: dict[str, Any] = {
    "id": "coal", "date": "1666-05-30", "kind": "convoy", "text": "Colliers gather.",
    "do": {"side": "England", "code": "COAL", "name": "Colliers", "ships": 2, "start": "harwich", "destination": "rolling_ground",
           "day": "1666-05-31", "value": 50},
}  # fmt: skip
ARMY: dict[str, Any] = {
    "id": "army", "date": "1666-05-30", "kind": "army", "text": "An army.",
    "do": {"side": "England", "port": "harwich", "men": 1_000, "boats": {"fleet": "BTS", "name": "Boats", "count": 2, "like": {
        "class": "transport", "guns": 0, "tons": 100, "men": 20}}},
}  # fmt: skip
PEACE: dict[str, Any] = {
    "id": "breda", "date": "1666-05-31", "kind": "politics", "text": "Peace of Breda.", "do": {"peace": True},
}  # fmt: skip


@pytest.mark.clause("G.CA2", "G.CA4", "G.CA5")
@pytest.mark.parametrize(
    ("made", "ships"),
    [
        (ARRIVES, ["Royal Oak", "Ruby"]),
        (MADE, ["New ships, no. 1", "New ships, no. 2", "New ships, no. 3"]),
        (row(MADE, do={"made": [{"like": LIKE, "count": 2, "names": ["Haan", "Leeuw"]}]}), ["Haan", "Leeuw"]),
        (CONVOY, ["Colliers, no. 1", "Colliers, no. 2"]),
        (row(CONVOY, do={"ships": ["Ann", "Hope"]}), ["Ann", "Hope"]),
        (ARMY, ["Boats, no. 1", "Boats, no. 2"]),
        (row(ARMY, do={"boats": None, "port": None, "fleet": "ENG1"}), []),
        (PEACE, []),
    ],
)  # fmt: skip
def test_a_reinforcement_has_the_sheets_of_the_ships_that_it_brings(
    campaign: Campaign, made: dict[str, Any], ships: list[str]
) -> None:
    assert answer_of(plan, campaign, made) == ""
    sheets = CalendarRow.objects.get(code=made["id"]).sheets
    assert [sheet["name"] for sheet in sheets.get("ships", ())] == ships


@pytest.mark.clause("G.CA1")
def test_an_objective_of_an_opening_applies_to_the_theatres_with_the_same_code(campaign: Campaign) -> None:
    def theatres(*rows: dict[str, Any]) -> None:
        campaign.theatre.document = {**campaign.theatre.document, "calendar": list(rows)}

    theatres(row(text="Of the theatre."), MADE)
    plan(campaign, row(text="Of the opening."))
    texts = dict(campaign.calendar_rows.values_list("code", "text"))
    assert texts == {"oak": "Of the opening.", "made": "Ships come."}
    theatres(row(MADE, id=None))
    with pytest.raises(SetupRefused) as refused:
        plan(campaign, row(id=None))
    assert {fault.path.partition("[")[0] for fault in refused.value.faults} == {
        "calendar",
        "theatre.calendar",
    }


@pytest.mark.clause("G.CA2", "G.MV2")
def test_a_fleet_that_has_arrived_sails_under_its_first_order_until_it_is_carried_out(
    campaign: Campaign,
) -> None:
    route = ["rolling_ground", "gunfleet", "kentish_knock", "galloper", "hinder", "schooneveld"]
    campaign.theatre.refresh_from_db()
    plan(
        campaign,
        row(
            date="1666-05-30", do={"orders": {"route": route[:1], "stance": "avoid", "on_arrival": "patrol"}}
        ),
    )
    quiet(campaign)
    play(campaign)
    order = Order.objects.get(turn=turn_of(campaign), fleet__code="OAK")
    assert (order.source, order.on_arrival) == ("opening", "patrol")


@pytest.mark.clause("G.CA2", "G.IN4")
def test_the_first_fleet_of_a_side_is_its_commander_in_chiefs(campaign: Campaign) -> None:
    plan(campaign, MADE)
    quiet(campaign)
    dutch = campaign.memberships.get(side__name="Dutch Republic")
    Command.objects.filter(membership=dutch).delete()
    play(campaign)
    assert Command.objects.get(fleet__code="NEW").membership == dutch


@pytest.mark.one_database
@pytest.mark.clause("G.CA1", "G.IN1")
def test_the_side_reads_it_in_its_report_and_no_one_else_does(campaign: Campaign) -> None:
    plan(campaign, MADE)
    quiet(campaign)
    played = play(campaign)
    reports = {
        report.side and report.side.code: repr(report.events) for report in Report.objects.filter(turn=played)
    }
    assert "new ships" in reports["NLD"].lower() and "new ships" in reports[None].lower()
    assert "new ships" not in reports["ENG"].lower() and "NEW" not in reports["ENG"]
    mails = dict(
        Notice.objects.filter(kind="turn_report", event__contains=f"T{played.name}").values_list(
            "recipient__email", "text"
        )
    )
    assert "The new ships arrive in Texel" in mails["dutch@club.example"]
    assert "new ships" not in mails["english@club.example"].lower()
    members = {row.side.code: row for row in campaign.memberships.filter(role="admiral")}
    chapters = {code: repr(list(chronicle(campaign, row).chapters)) for code, row in members.items()}
    assert "The new ships arrive in Texel" in chapters["NLD"]
    assert "new ships" not in chapters["ENG"].lower()


@pytest.mark.clause("G.CA2", "G.UM3")
def test_a_rollback_sends_ships_back_and_they_come_again(campaign: Campaign) -> None:
    unattended(campaign)
    campaign.settings = {"secrets_after": 10}
    campaign.save(update_fields=["settings"])
    plan(campaign, row(date="1666-05-30"), row(MADE, chance=2, date="1666-05-31"))
    quiet(campaign)
    play(campaign, 2)
    for same_dice in (False, True):
        with put_back():
            _rolled_back_and_played_again(campaign, same_dice=same_dice)
        campaign.refresh_from_db()


def _rolled_back_and_played_again(campaign: Campaign, *, same_dice: bool) -> None:
    first = campaign.turns.get(number=1)
    hashes = [turn.state_hash for turn in campaign.turns.filter(phase="closed").order_by("number")]
    ships = Ship.objects.count()
    rollback(campaign=campaign, number=1, umpire=umpire(campaign), reason="a test", same_dice=same_dice)
    campaign.refresh_from_db()
    waiting = yet_to_come(campaign)
    assert {"OAK001", "OAK002", "NEW001"} <= waiting.ships and ("ENG", "Adm Oak") in waiting.officers
    assert list(campaign_audit(campaign=campaign)) == []
    if not same_dice:
        facts, _ = turn_facts(turn_of(campaign))
        assert "OAK001" not in facts.ships and "ENG/Adm Oak" not in facts.officers
    again = play(campaign, 2)
    assert Ship.objects.count() == ships
    assert Officer.objects.filter(name="Adm Oak").count() == 1
    rows_agree(again)
    assert ServiceRecord.objects.filter(ship__code="OAK001", kind="mustered", void="").count() == 1
    assert list(campaign_audit(campaign=campaign)) == []
    if same_dice:
        rerun = campaign.turns.filter(phase="closed").order_by("number")
        assert [turn.state_hash for turn in rerun] == hashes
    assert first.void == ""


@pytest.mark.one_database
@pytest.mark.clause("G.CA1", "G.FA1")
def test_a_turn_with_arrivals_is_proved_and_previewed_like_any_other(campaign: Campaign) -> None:
    plan(
        campaign, row(MADE, window=["1666-05-30", "1666-05-30"], date=None, chance=2), row(date="1666-05-30")
    )
    quiet(unattended(campaign))
    turn = turn_of(campaign)
    assert turn_preview(turn=turn, umpire=umpire(campaign)).refused == ()
    turn_lock(turn=turn)
    turn.refresh_from_db()
    seen = turn_preview(turn=turn, umpire=umpire(campaign))
    assert any(text == "The Royal Oak arrives at Harwich." for _, text in seen.lines)
    played = play(campaign)
    assert played.state_hash in seen.ends
    found = list(campaign_verify(campaign=campaign))
    assert found and {finding.verdict for finding in found} == {Verdict.AGREES}


@pytest.mark.clause("G.CA4", "G.CV1")
def test_a_convoy_of_the_calendar_gathers_sails_on_its_day_and_its_code_is_kept_for_it(
    campaign: Campaign,
) -> None:
    plan(campaign, row(CONVOY, do={"ships": 3}))
    quiet(campaign)
    campaign.memberships.get(side__name="Dutch Republic").delete()
    with pytest.raises(ConvoyRefused, match="keeps the code COAL"):
        convoy_make(campaign)
    play(campaign)
    assert Station.objects.get(fleet__code="COAL").at == "harwich"
    assert campaign.carried["duties"]["cargoes"]["COAL001"] == {
        "value": 17,
        "destination": "rolling_ground",
        "side": "ENG",
    }
    assert campaign.carried["duties"]["convoys"]["COAL"]["value"] == 50
    played = play(campaign)
    assert any(e.kind == "convoy_delivered" for e in TurnState.from_dict(played.state).events)
    assert [ship.name for ship in Ship.objects.filter(code="COAL002")] == ["Colliers, no. 2"]


@pytest.mark.clause("G.CA4")
def test_an_army_and_its_boats_are_in_what_the_campaign_carries(campaign: Campaign) -> None:
    boats = {
        "fleet": "BTS",
        "name": "Boats",
        "count": 4,
        "like": {"class": "transport", "guns": 0, "tons": 100, "men": 20},
    }
    do = {"side": "England", "port": "harwich", "men": 1_000, "embark": 300, "boats": boats}
    plan(campaign, {"id": "army", "date": "1666-05-30", "kind": "army", "text": "An army.", "do": do})
    quiet(unattended(campaign))
    play(campaign)
    assert campaign.carried["troops"]["armies"] == [["ENG", "harwich", 1_000, 300]]
    assert set(campaign.carried["troops"]["boats"].values()) == {250}
    assert set(turn_facts(turn_of(campaign))[0].ships) >= {"BTS001", "BTS004"}


@pytest.mark.clause("G.CA5")
def test_a_peace_of_two_sides_holds_from_the_next_turn_and_a_rollback_ends_it(campaign: Campaign) -> None:
    politics = {"hostility": ["England", "Dutch Republic", "peace"]}
    plan(
        campaign,
        {"id": "breda", "date": "1666-05-30", "kind": "politics", "text": "A truce.", "do": politics},
    )
    quiet(campaign)
    played = play(campaign)
    assert (campaign.hostility, campaign.alliances) == ([], [])
    assert turn_facts(turn_of(campaign))[0].at_war == frozenset()
    assert all("A truce." in repr(report.events) for report in Report.objects.filter(turn=played))
    rollback(campaign=campaign, number=1, umpire=umpire(campaign), reason="a test")
    campaign.refresh_from_db()
    assert campaign.hostility == [["ENG", "NLD"]]


@pytest.mark.one_database
@pytest.mark.clause("G.CA5", "G.EN1")
def test_a_peace_ends_the_campaign(campaign: Campaign) -> None:
    plan(campaign, PEACE)
    quiet(unattended(campaign))
    play(campaign)
    assert campaign.status == Campaign.Status.ACTIVE
    played = play(campaign)
    assert (campaign.status, played.days_run) == (Campaign.Status.CLOSED, 0)
    assert not campaign.turns.filter(phase="open").exists()
    ended = UmpireAction.objects.get(campaign=campaign, action="ended the campaign")
    assert ended.reason.startswith("Peace has been made. Peace of Breda.")


@pytest.mark.clause("G.CA1", "G.UM1")
def test_the_umpire_brings_an_event_forward_or_strikes_it_and_the_log_does_not_say_which(
    campaign: Campaign,
) -> None:
    plan(campaign, row(date="1666-06-20"), row(MADE, date=None, window=["1666-05-30", "1666-06-10"]))
    quiet(unattended(campaign))
    turn, who = turn_of(campaign), umpire(campaign)
    calendar_move(
        campaign=campaign, turn=turn, umpire=who, code="oak", day="1666-05-30", reason="they press us"
    )
    calendar_strike(campaign=campaign, turn=turn, umpire=who, code="made", reason="too many ships")
    with pytest.raises(UmpireRefused, match="already been cancelled"):
        calendar_strike(campaign=campaign, turn=turn, umpire=who, code="made", reason="again")
    logged = UmpireAction.objects.filter(campaign=campaign, action__contains="event of the calendar")
    assert {(action.action, action.reason) for action in logged} == {
        ("moved an event of the calendar", "they press us"),
        ("cancelled an event of the calendar", "too many ships"),
    }
    play(campaign)
    assert Fleet.objects.filter(code="OAK").exists() and not Fleet.objects.filter(code="NEW").exists()
    with pytest.raises(UmpireRefused, match="already been settled"):
        calendar_strike(campaign=campaign, turn=turn_of(campaign), umpire=who, code="oak", reason="late")
    calendar_move(
        campaign=campaign, turn=turn_of(campaign), umpire=who, code="made", day="1666-05-31", reason="back"
    )
    played = play(campaign)
    assert Fleet.objects.filter(code="NEW").exists()
    assert not any(e.kind == "calendar_dated" for e in TurnState.from_dict(played.state).events)


@pytest.mark.clause("G.UM1")
@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"reason": " "}, "Enter a reason"),
        ({"day": "soon"}, "is not a date"),
        ({"day": "1666-05-29"}, "has passed"),
        ({"day": "1666-08-01"}, "The campaign ends on 31 July 1666"),
        ({"code": "nothing"}, "Event not found"),
        ({"turn": None}, "No turn is open"),
    ],
    ids=str,
)
def test_some_changes_of_the_calendar_are_refused_even_to_the_umpire(
    campaign: Campaign, changes: dict[str, Any], why: str
) -> None:
    campaign.settings = {"end_date": "1666-07-31"}
    campaign.save(update_fields=["settings"])
    plan(campaign, ARRIVES)
    asked = {"turn": turn_of(campaign), "code": "oak", "day": "1666-06-02", "reason": "a test", **changes}
    with pytest.raises(UmpireRefused, match=why):
        calendar_move(campaign=campaign, umpire=umpire(campaign), **asked)
    assert CalendarRow.objects.get(code="oak").moved == ""
    assert not UmpireAction.objects.filter(action__contains="calendar").exists()


@pytest.mark.clause("G.UM1")
def test_an_event_may_be_moved_from_the_present_day_to_the_campaigns_last(campaign: Campaign) -> None:
    plan(campaign, ARRIVES)
    Campaign.objects.update(calendar_day=3)
    campaign.refresh_from_db()
    turn, who = turn_of(campaign), umpire(campaign)

    def moved(day: str, last: str = "1666-07-31", turn: Turn = turn) -> str:
        campaign.settings = {"end_date": last} if last else {}
        try:
            asked = {"turn": turn, "code": "oak", "day": day, "reason": " a test "}
            return flawless(calendar_move, campaign=campaign, umpire=who, **asked).moved
        except Exception as why:
            return str(why)

    past, late = (
        "That day has passed. Choose 2 June 1666 or later.",
        "The campaign ends on 31 July 1666. Choose an earlier day.",
    )
    for day, said in (("1666-06-01", past), ("1666-06-02", ""), ("1666-07-31", ""), ("1666-08-01", late)):
        assert moved(day) == (said or day)
    assert moved("1999-01-01", last="") == "1999-01-01", "it has no last day"
    turn.phase = "running"
    closed = "No turn is open for orders. Wait for the next turn to open."
    assert moved("1666-06-02", turn=turn) == closed
    logged = UmpireAction.objects.filter(action="moved an event of the calendar")
    assert set(logged.values_list("reason", "turn")) == {("a test", "small/1")} and logged.count() == 3


@pytest.mark.one_database
@pytest.mark.clause("G.CA1", "G.CA2")
def test_a_calendar_that_is_not_to_act_brings_nothing(campaign: Campaign) -> None:
    campaign.settings = {"calendar": "text"}
    campaign.save(update_fields=["settings"])
    plan(campaign, row(date="1666-05-30"))
    quiet(unattended(campaign))
    play(campaign)
    assert not Fleet.objects.filter(code="OAK").exists()


@pytest.mark.clause("G.CA2")
def test_a_ship_of_which_the_rule_set_makes_no_card_is_a_fault_and_nothing_is_saved(
    campaign: Campaign,
) -> None:
    figures = {"Ruby": {"overrides": {"kohler": {"hull": "stout"}}}}
    with pytest.raises(SetupRefused) as refused:
        plan(campaign, row(do={"entries": figures}), MADE)
    assert [fault.path for fault in refused.value.faults] == ["calendar.oak.do"]
    assert "Ruby" in refused.value.faults[0].text
    assert not CalendarRow.objects.exists()


@pytest.mark.one_database
@pytest.mark.clause("G.CA2")
def test_a_service_record_says_who_was_aboard_on_the_day(campaign: Campaign) -> None:
    aboard = {
        "Royal Oak": {"role": "private", "commander": "Capt Other"},
        "Ruby": {"role": "flagship", "commander": "Adm New"},
    }
    plan(campaign, row(do={"entries": aboard}))
    sheets = CalendarRow.objects.get(code="oak").sheets
    assert sheets["fleet"]["commander"] == "Adm New"
    assert {ship["name"]: ship["captain"] for ship in sheets["ships"]} == {
        "Royal Oak": "Capt Other",
        "Ruby": "",
    }
    assert RegisterEntry.objects.get(name="Ruby").commander == "Capt Ruby"


@pytest.mark.one_database
def test_every_error_of_a_calendar_keeps_a_campaign_from_starting(campaign: Campaign) -> None:
    with pytest.raises(SetupRefused) as refused:
        plan(campaign, row(chance=7, do={"place": "atlantis"}), row(MADE, do={"side": "Atlantis"}))
    paths = [fault.path for fault in refused.value.faults]
    assert paths == ["calendar[0].chance", "calendar[0].do.place", "calendar[1].do.side"]
    assert not CalendarRow.objects.exists()
