"""Objectives of a campaign: from its opening, changed by the umpire, played, settled at the end, and rolled back."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse

from campaign.models import Campaign, Notice, Objective, Station, Turn, UmpireAction
from campaign.rules.aims.rows import ObjectiveFaults
from campaign.rules.state.aims import Aims
from campaign.rules.state.duties import Duties
from campaign.selectors.desk.alarms import alarms_of
from campaign.selectors.reports.chronicle import whole_chronicle
from campaign.selectors.reports.objectives import objectives
from campaign.selectors.reports.score import point_sums, standings
from campaign.selectors.turn.facts import aims_of, objectives_of, opening_of, turn_facts
from campaign.services.setup import setup
from campaign.services.setup.convoys import convoy_make
from campaign.services.setup.demo import demo_start
from campaign.services.setup.objectives import known_to, objective_delete, objective_save, opening_fix
from campaign.services.setup.setup import SetupRefused, shipped_theatres, theatre_load
from campaign.services.turn.ending import campaign_close, grade_of
from campaign.services.turn.rollback import rollback
from campaign.services.turn.summaries import summaries_write
from campaign.services.turn.verify import Verdict, campaign_verify
from campaign.services.umpire_log import UmpireRefused
from fleets.models import Register, Ship
from tests.campaign.services.conftest import unattended
from tests.support.answers import answer_of
from tests.support.factories import UserFactory
from tests.support.put_back import put_back
from tests.support.registers import shipped_registers
from tests.support.turns import turn_closes


@pytest.fixture
def quiet(campaign: Campaign) -> Campaign:
    """A small war in which no one looks for a battle: the English lie in the Thames, the Dutch in Texel."""
    for navy, place in (("ENG", "thames"), ("NLD", "texel")):
        Station.objects.filter(fleet__navy__book=campaign.book, fleet__navy__code=navy).update(at=place)
    campaign.turns.get().orders.update(stance="avoid")
    return campaign


def umpire(campaign: Campaign) -> User:
    return campaign.memberships.get(role="umpire").user


def aim(kind: str, **fields: Any) -> dict[str, Any]:
    return {"id": "aim", "side": "ENG", "kind": kind, "marks": 10, "pay": "once", "words": "Do it.", **fields}


def lies_in_thames(**fields: Any) -> dict[str, Any]:
    """What England has from the first morning on."""
    return aim("gather", least_line=4, at=["thames"], **fields)


def give(campaign: Campaign, *rows: dict[str, Any], **settings: Any) -> None:
    """Objectives, and settings, before the first turn is locked."""
    for row in rows:
        objective_save(campaign=campaign, umpire=umpire(campaign), row=row)
    Campaign.objects.filter(pk=campaign.pk).update(settings={**campaign.settings, **settings})
    campaign.refresh_from_db()


def play(campaign: Campaign) -> Turn:
    turn = turn_closes(campaign.turns.get(phase=Turn.Phase.OPEN))
    campaign.refresh_from_db()
    return turn


# --- from the opening --------------------------------------------------------------------------------------------


@pytest.fixture
def registers(db: Any) -> None:
    shipped_registers()


def demo(theatre: str, register: str, rule_set: str) -> Campaign:
    path = next(path for path in shipped_theatres() if path.stem == theatre)
    return demo_start(
        theatre=theatre_load(document=json.loads(path.read_text())),
        register=Register.objects.get(code=register),
        umpire=UserFactory(),
        seed="1",
        rule_set=rule_set,
    )


@pytest.mark.one_database
@pytest.mark.clause("G.OB1", "G.OB2", "G.OB5")
def test_a_historical_campaign_has_the_objectives_and_marks_of_its_opening(
    registers: None,
) -> None:
    war = demo("narrow_seas_1666", "1666_four_days_battle", "kohler")
    assert opening_of(war).values == {"ENG": Fraction(1_707), "NLD": Fraction("1858.5")}
    assert war.opening["mark"] == 18
    # no one can join France where it takes no part
    joins = ["nl_join"] * war.sides.filter(name="France").exists()
    assert [row.id for row in objectives_of(war)] == [
        "en_rule", "nl_rule", "en_vlie", "en_coal", "nl_thames", "nl_medway", *joins, "en_keep", "nl_keep",
    ]  # fmt: skip
    assert war.settings["end_date"] == "1666-08-31"
    assert not {
        ship for ship in opening_of(war).ships if ship in Ship.objects.filter(squadron__fleet__code="COAL")
    }
    facts, _ = turn_facts(war.turns.get())
    assert facts.objectives == objectives_of(war) and facts.opening == opening_of(war)
    armada = demo("channel_1588", "1588_armada", "thomas")
    assert opening_of(armada).values == {"ENG": 3_279, "ESP": 8_921} and armada.opening["mark"] == 61
    assert [row.id for row in objectives_of(armada) if not row.public] == ["sp_home"]
    assert [row.id for row in objectives_of(armada) if row.decisive] == ["sp_land"]


@pytest.mark.clause("G.OB1")
def test_an_opening_whose_objectives_are_wrong_starts_no_campaign(registers: None, monkeypatch: Any) -> None:
    real = setup.opening_of

    def wrong(theatre: str) -> dict[str, Any]:
        opening = real(theatre)
        rows = [{**opening["objectives"][0], "left": 101}, {**opening["objectives"][2], "ports": ["swin"]}]
        return {**opening, "objectives": rows}

    monkeypatch.setattr(setup, "opening_of", wrong)
    with pytest.raises(SetupRefused) as refused, transaction.atomic():
        demo("narrow_seas_1666", "1666_four_days_battle", "kohler")
    assert [fault.path for fault in refused.value.faults] == ["objectives[0].left", "objectives[1].ports"]
    assert not Campaign.objects.exists() and not Objective.objects.exists()


@pytest.mark.clause("G.OB1", "G.OB2", "G.OB5")
def test_a_campaign_of_other_ships_has_a_mark_but_no_objectives_and_no_last_day(campaign: Campaign) -> None:
    assert campaign.opening["mark"] >= 1 and len(campaign.opening["ships"]) == 7
    assert all(ship.line for ship in opening_of(campaign).ships.values())
    assert not campaign.objectives.exists() and "end_date" not in campaign.settings


@pytest.mark.clause("G.OB2", "G.UM3")
def test_a_campaign_that_began_before_there_were_objectives_gets_its_mark_with_its_first(
    campaign: Campaign,
) -> None:
    fixed = dict(campaign.opening)
    campaign.opening = {}
    campaign.save()
    dutch = list(Ship.objects.filter(navy__code="NLD").values_list("pk", flat=True))
    Ship.objects.filter(pk=dutch[0]).update(fate="sunk")
    convoy_make(
        campaign=campaign, side=campaign.sides.get(name="England"), code="COAL", name="Colliers", ships=["Ann"], start="harwich",
        destination="rolling_ground", value=50, sails_day=0,
    )  # fmt: skip
    give(campaign, lies_in_thames())
    assert len(campaign.opening["ships"]) == 6, "no ship that is lost, and none of a convoy"
    now = dict(campaign.opening)
    Ship.objects.filter(pk=dutch[1]).update(fate="sunk")
    assert opening_fix(campaign=campaign).doc() == now != fixed


# --- the umpire --------------------------------------------------------------------------------------------------


@pytest.mark.clause("G.OB1", "G.UM1")
def test_the_umpire_edits_freely_until_the_first_turn_is_locked_and_with_a_reason_later(
    quiet: Campaign,
) -> None:
    by = umpire(quiet)
    saved = {"campaign": quiet, "umpire": by}
    assert answer_of(objective_save, row=lies_in_thames(), **saved) == ""
    assert answer_of(objective_save, row=lies_in_thames(id="two"), **saved) == ""
    assert answer_of(objective_save, row=lies_in_thames(marks=20), code="aim", **saved) == ""
    assert [(row.id, row.marks) for row in objectives_of(quiet)] == [("aim", 20), ("two", 10)]
    assert list(quiet.objectives.order_by("pk").values_list("place", flat=True)) == [0, 1]
    for code in ("aim", "two"):
        assert answer_of(objective_delete, code=code, **saved) == ""
    assert not objectives_of(quiet)
    objective_save(campaign=quiet, umpire=by, row=lies_in_thames(public=False))
    play(unattended(quiet))
    acts = (
        lambda **reason: objective_save(
            campaign=quiet, umpire=by, row=lies_in_thames(marks=5), code="aim", **reason
        ),
        lambda **reason: objective_save(campaign=quiet, umpire=by, row=lies_in_thames(id="two"), **reason),
        lambda **reason: objective_delete(campaign=quiet, umpire=by, code="aim", **reason),
    )
    for act in acts:
        with pytest.raises(UmpireRefused, match="Enter a reason"):
            act()
        act(reason="a slip of the pen")
    told = list(
        UmpireAction.objects.filter(reason="a slip of the pen")
        .order_by("pk")
        .values_list("action", flat=True)
    )
    assert told == ["changed an objective", "made an objective", "deleted an objective"]
    assert not UmpireAction.objects.filter(reason__contains="aim").exists()
    assert [row.id for row in objectives_of(quiet)] == ["two"]
    # one that is made anew under an old id has achieved nothing
    quiet.refresh_from_db()
    assert aims_of(quiet) == Aims()


@pytest.mark.clause("G.OB1")
def test_an_objective_with_errors_is_refused_where_they_are_and_nothing_is_saved(quiet: Campaign) -> None:
    by = umpire(quiet)
    with pytest.raises(ObjectiveFaults) as refused:
        objective_save(campaign=quiet, umpire=by, row=aim("raid", ports=["swin"], marks=-1))
    assert {fault.path for fault in refused.value.faults} == {"ports", "marks"}
    assert not quiet.objectives.exists()
    objective_save(campaign=quiet, umpire=by, row=lies_in_thames())
    deny = aim("deny", id="no", side="NLD", objective="aim", pay="end")
    objective_save(campaign=quiet, umpire=by, row=deny)
    with pytest.raises(ObjectiveFaults, match="used twice"):
        objective_save(campaign=quiet, umpire=by, row=lies_in_thames())
    with pytest.raises(ObjectiveFaults, match="Another objective no longer fits"):
        objective_save(campaign=quiet, umpire=by, row=lies_in_thames(pay="end"), code="aim")
    with pytest.raises(UmpireRefused, match="The objective no denies aim"):
        objective_delete(campaign=quiet, umpire=by, code="aim")
    with pytest.raises(UmpireRefused, match="There is no objective gone"):
        objective_save(campaign=quiet, umpire=by, row=lies_in_thames(), code="gone")
    with pytest.raises(UmpireRefused, match="There is no objective gone"):
        objective_delete(campaign=quiet, umpire=by, code="gone")
    quiet.turns.update(phase=Turn.Phase.RUNNING)
    with pytest.raises(UmpireRefused, match="A turn is running"):
        objective_save(campaign=quiet, umpire=by, row=lies_in_thames(), code="aim")
    quiet.status = Campaign.Status.CLOSED
    with pytest.raises(UmpireRefused, match="The campaign is over. Its objectives can no longer be changed"):
        objective_save(campaign=quiet, umpire=by, row=lies_in_thames(), code="aim")


@pytest.mark.clause("G.OB1", "G.CV1")
def test_objectives_name_convoys_that_are_made_to_come_or_delivered(quiet: Campaign) -> None:
    def convoys(*coming: dict[str, str]) -> Any:
        return known_to(quiet, expected=coming).convoys

    wine = {"code": "WINE", "side": "Dutch Republic", "destination": "texel"}
    assert convoys(wine, {**wine, "code": "SALT", "side": "France"}) == {"WINE": ("NLD", "texel")}
    convoy_make(
        campaign=quiet, side=quiet.sides.get(name="England"), code="COAL", name="Colliers", ships=["Ann", "Hope"], start="harwich",
        destination="rolling_ground", value=50, sails_day=0,
    )  # fmt: skip
    give(quiet, aim("bring", what="COAL", share=50, to=["rolling_ground", "gunfleet"]))
    duties = Duties.read(quiet.carried["duties"])
    for ship in duties.convoys["COAL"].ships:  # delivered one by one
        assert convoys() == {"COAL": ("ENG", "rolling_ground")}
        del duties.cargoes[ship]
        quiet.carried = {**quiet.carried, "duties": duties.doc()}
    quiet.objectives.all().delete()
    assert convoys() == {}


# --- in play -----------------------------------------------------------------------------------------------------


@pytest.mark.one_database
@pytest.mark.clause("G.OB1", "G.OB2", "G.VP1", "G.UM3")
def test_what_objectives_pay_is_in_the_score_and_survives_verification_and_a_rerun(quiet: Campaign) -> None:
    give(unattended(quiet), lies_in_thames(pay="daily", marks=2), objective_percent=50)
    mark = quiet.opening["mark"]
    assert (play(quiet).number, play(quiet).number) == (1, 2)
    assert aims_of(quiet).tallies["aim"].paid == 4
    assert point_sums(quiet) == {"ENG": Fraction(4 * mark, 2), "NLD": 0}
    table = standings(quiet, quiet.memberships.get(role="umpire"))
    england = next(side for side in table.sides if side.code == "ENG")
    assert [row.words for row in england.rows] == ["Objective: Do it."] * 2
    assert {found.verdict for found in campaign_verify(campaign=quiet)} == {Verdict.AGREES}
    # the umpire changes the row; a rerun of the turn has it as it was
    objective_save(
        campaign=quiet,
        umpire=umpire(quiet),
        row=lies_in_thames(pay="daily", marks=9),
        code="aim",
        reason="dearer",
    )
    hashes = {turn.number: turn.state_hash for turn in quiet.turns.all()}
    rollback(campaign=quiet, number=2, umpire=umpire(quiet), reason="again", same_dice=True)
    quiet.refresh_from_db()
    assert aims_of(quiet).tallies["aim"].paid == 2
    again = turn_closes(quiet.turns.get(number=2))
    assert again.state_hash == hashes[2]
    # with new dice it has it as it is now
    quiet.refresh_from_db()
    rollback(campaign=quiet, number=2, umpire=umpire(quiet), reason="and again")
    quiet.refresh_from_db()
    play(quiet)
    assert aims_of(quiet).tallies["aim"].paid == 11


@pytest.mark.clause("G.OB3", "G.EN1", "G.OB4")
def test_a_decisive_objective_ends_the_campaign_and_the_end_is_graded_for_everyone(quiet: Campaign) -> None:
    give(
        quiet,
        lies_in_thames(decisive=True),
        aim("keep", id="secret", side="NLD", group="all", left=50, pay="end", public=False, words="Keep the fleet."),
        aim("deny", id="no", side="NLD", objective="aim", pay="end", words="Stop them."),
    )  # fmt: skip
    last = play(quiet)
    assert quiet.status == Campaign.Status.CLOSED and last.days_run == 1
    reason = UmpireAction.objects.get(action="ended the campaign").reason
    assert reason == (
        "England has achieved a decisive objective: Do it. England has won a decisive victory, without a lead in marks."
    )
    assert all(reason in notice.text for notice in Notice.objects.filter(kind="campaign_over"))
    mark = quiet.opening["mark"]
    assert point_sums(quiet) == {"ENG": 10 * mark, "NLD": 10 * mark}
    assert aims_of(quiet).tallies["no"].asked and aims_of(quiet).tallies["no"].paid == 0
    english = quiet.memberships.get(side__name="England")
    assert "Keep the fleet." in {row.words for side in objectives(quiet, english).sides for row in side.rows}
    told = [
        row.text
        for chapter in whole_chronicle(quiet).chapters
        for day in chapter.days
        for row in day.paragraphs
    ]
    assert "England achieves the objective “Do it”. That earns 10 marks." in " ".join(told)
    assert "The Dutch Republic achieves the objective “Keep the fleet”. That earns 10 marks." in " ".join(
        told
    )
    assert whole_chronicle(quiet).ended == reason
    client = Client()
    client.force_login(english.user)
    for page, args in (("report", [quiet.code, 1]), ("standings", [quiet.code]), ("chronicle", [quiet.code])):
        assert reason in client.get(reverse(page, args=args)).content.decode()
    reports = Notice.objects.filter(kind="turn_report", recipient=english.user)
    assert "“Do it”." in reports.latest("pk").text


@pytest.mark.one_database
@pytest.mark.clause("G.OB3")
@pytest.mark.parametrize("setting", ["tells", "asks"])
def test_play_continues_when_a_decisive_objective_is_only_announced_or_left_to_the_umpire(
    quiet: Campaign, setting: str
) -> None:
    give(unattended(quiet), lies_in_thames(decisive=True), decisive=setting)
    play(quiet)
    assert quiet.status == Campaign.Status.ACTIVE
    alarms = [alarm.text for alarm in alarms_of(quiet) if alarm.page == "standings"]
    assert [text.split(":")[0] for text in alarms] == (
        ["England has achieved a decisive objective"] if setting == "asks" else []
    )
    campaign_close(campaign=quiet, umpire="umpire", reason="so be it")
    quiet.refresh_from_db()
    assert not [alarm for alarm in alarms_of(quiet) if alarm.page == "standings"]
    reason = UmpireAction.objects.get(action="ended the campaign").reason
    assert (
        reason
        == "so be it. England has won a decisive victory, with a lead of 10 whole marks of 1 point each."
    )


@pytest.mark.one_database
@pytest.mark.clause("G.OB2", "G.OB4", "G.EN1")
def test_the_umpires_end_settles_what_is_paid_at_the_end(quiet: Campaign) -> None:
    give(quiet, aim("keep", group="all", left=50, pay="end", public=False, words="Keep the fleet."))
    play(quiet)
    dutch = quiet.memberships.get(side__name="Dutch Republic")
    assert not any(side.rows for side in objectives(quiet, dutch).sides)
    assert point_sums(quiet)["ENG"] == 0
    campaign_close(campaign=quiet, umpire="umpire", reason="peace")
    quiet.refresh_from_db()
    assert point_sums(quiet)["ENG"] == 10 * quiet.opening["mark"]
    assert [row.paid for side in objectives(quiet, dutch).sides for row in side.rows] == [10]
    last = quiet.turns.get(phase=Turn.Phase.CLOSED)
    settled = [
        event
        for report in last.reports.exclude(side=None)
        for event in report.events
        if event[1] == "objective_achieved"
    ]
    assert len(settled) == 2 and all(event[3] == [] for event in settled)
    ended = grade_of(quiet)
    assert ended is not None and (ended.winners, ended.lead) == (("ENG",), 10)


@pytest.mark.one_database
@pytest.mark.clause("G.OB3")
def test_a_campaign_without_objectives_and_one_that_was_never_played_are_not_graded(quiet: Campaign) -> None:
    assert grade_of(quiet) is None
    with put_back():
        give(quiet, lies_in_thames(pay="end"))
        assert grade_of(quiet) is None
        browser = Client(raise_request_exception=False)
        browser.force_login(umpire(quiet))
        asked = {"reason": "peace before the war", "sure": "1"}
        assert browser.post(reverse("campaign_close", args=[quiet.code]), asked).status_code == 302
        quiet.refresh_from_db()
        assert quiet.status == Campaign.Status.CLOSED and aims_of(quiet) == Aims()
    quiet.refresh_from_db()
    give(unattended(quiet), objectives="off")
    play(quiet)
    assert grade_of(quiet) is None
    assert aims_of(quiet) == Aims()


@pytest.mark.one_database
@pytest.mark.clause("G.OB4", "G.IN1")
def test_the_page_tells_each_side_what_it_knows_and_the_umpire_what_was_so(quiet: Campaign) -> None:
    give(
        quiet,
        lies_in_thames(days=3),
        aim("keep", id="whole", group="all", left=70, pay="end"),
        aim("destroy", id="half", side="NLD", group="line", left=50),
    )  # fmt: skip
    play(quiet)

    def rows(side: str) -> dict[str, Any]:
        member = quiet.memberships.get(side__name=side) if side else quiet.memberships.get(role="umpire")
        return {row.code: row for part in objectives(quiet, member).sides for row in part.rows}

    once, never = (f"held on {times} of the 3 mornings needed" for times in (1, 0))
    assert rows("England")["aim"].known.words == once
    assert rows("Dutch Republic")["aim"].known.words == never  # no Dutch ship has seen them
    assert rows("")["aim"].others == (("", once), ("Dutch Republic", never))
    assert rows("England")["whole"].known.words == rows("Dutch Republic")["half"].known.words == "100% left"
    # a loss at sea that no Dutch ship saw is in England's table of points alone
    lost = Ship.objects.filter(navy__code="ENG", book=quiet.book).first()
    event = [5, "lost", "G.GF1", [], {"ship": lost.code, "side": "ENG", "fate": "foundered"}]  # type: ignore[union-attr]
    for report in quiet.turns.get(number=1).reports.all():
        if report.side is None or report.side.name == "England":
            report.events = [*report.events, event]
            report.save()
    summaries_write(reports=quiet.turns.get(number=1).reports.select_related("turn"))
    assert rows("England")["whole"].known.words != "100% left"
    assert rows("Dutch Republic")["half"].known.words == "100% left"
    stands = {stand.who: stand.words for stand in rows("")["half"].others}
    assert stands[""] != "100% left" and stands["Dutch Republic"] == "100% left"
    assert "England" not in stands


@pytest.mark.one_database
@pytest.mark.clause("G.OB3", "G.EN1", "G.VP1")
def test_allied_sides_have_one_score_and_win_together(quiet: Campaign) -> None:
    give(unattended(quiet), lies_in_thames(), end_points=10 * quiet.opening["mark"])
    Campaign.objects.filter(pk=quiet.pk).update(alliances=[["ENG", "NLD"]], hostility=[])
    quiet.refresh_from_db()
    play(quiet)
    reason = UmpireAction.objects.get(action="ended the campaign").reason
    points = 10 * quiet.opening["mark"]
    assert reason.startswith(f"England and the Dutch Republic have won with {points} points or more.")
    table = standings(quiet, quiet.memberships.get(role="umpire"))
    assert table.together == (("England and the Dutch Republic", points),)
