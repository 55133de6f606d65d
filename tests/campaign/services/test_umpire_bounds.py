"""What an umpire may do, at its limits: hours, days, phases; and what a campaign's schedule may be."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
import time_machine

from battles.models import BattleOutcome
from campaign.models import Campaign, Notice, Release, Sighting, Turn, UmpireAction
from campaign.services.desk import umpire
from campaign.services.settings import clock
from campaign.services.settings.releases import facts_release
from campaign.services.turn.ending import EndRefused, campaign_close, reason_to_end
from campaign.services.umpire_log import UmpireRefused, act_log
from fleets.models import Ship
from tests.support.answers import answer_of
from tests.support.factories import (
    BattleFactory,
    BattleOutcomeFactory,
    FleetFactory,
    NavyFactory,
    SideFactory,
)
from tests.support.people import ENGLISH, World, world
from tests.support.put_back import put_back
from tests.support.turns import turn_change

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.UM1")]
NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
Phase = Turn.Phase


@pytest.fixture
def told(db: Any) -> Any:
    """A campaign whose turn 2 is open and closes in two days."""
    with time_machine.travel(NOW, tick=False):
        made = world()
        made.turn = phase(made, deadline=NOW + 2 * DAY)
        yield made


def phase(told: World, **changes: Any) -> Turn:
    turn_change(told.turn, **changes)
    return Turn.objects.select_related("campaign__book", "campaign__theatre").get(pk=told.turn.pk)


def refused(act: Any, **more: Any) -> str:
    """Why an act is refused, "" when it is done; an error of the program is no refusal, and is told with its class."""
    try:
        act(**more)
    except (UmpireRefused, EndRefused) as why:
        return str(why)
    except Exception as error:
        return repr(error)
    return ""


# --- turns ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hours", "good"), [(0, False), (1, True), (2160, True), (2161, False)], ids=lambda value: str(value)
)
def test_a_turn_is_given_1_to_2160_more_hours(told: World, hours: int, good: bool) -> None:
    said = refused(umpire.turn_extend, turn=told.turn, umpire=told.umpire.user, hours=hours, reason="x")
    assert said == ("" if good else "A turn can be extended by 1 to 2160 hours.")
    assert Turn.objects.get(pk=told.turn.pk).deadline == NOW + 2 * DAY + hours * HOUR * good


def test_a_turn_is_extended_to_a_future_moment_and_permanently_where_no_weekdays_are_fixed(
    told: World,
) -> None:
    def extend(hours: int = 3, **more: Any) -> str:
        turn = Turn.objects.select_related("campaign__book").get(pk=told.turn.pk)
        return refused(
            umpire.turn_extend, turn=turn, umpire=told.umpire.user, hours=hours, reason="x", **more
        )

    past = "The new deadline would be in the past. Add more hours."
    for late, said in ((4 * HOUR, past), (3 * HOUR, past), (3 * HOUR - MINUTE, ""), (2 * HOUR, "")):
        phase(told, deadline=NOW - late)
        assert extend() == said, late
    before = Campaign.objects.get(pk=told.campaign.pk).deadline_hours
    assert extend(for_good=True) == ""
    assert Campaign.objects.get(pk=told.campaign.pk).deadline_hours == before + 3
    assert UmpireAction.objects.latest("pk").reason == "3 hours more, and for later turns too: x"
    assert extend() == "" and Campaign.objects.get(pk=told.campaign.pk).deadline_hours == before + 3
    assert UmpireAction.objects.latest("pk").reason == "3 hours more: x"
    Campaign.objects.update(deadline_days=[2])
    assert extend(for_good=True).startswith("Orders close on fixed weekdays here")
    assert extend() == ""
    none = "Turn 2 is not open for orders, or has no deadline."
    for changes in ({"deadline": None}, {"phase": "running", "deadline": NOW + DAY}):
        phase(told, **changes)
        assert extend() == none


def test_a_deadline_is_moved_within_90_days_and_earlier_only_with_12_hours_left(
    told: World,
) -> None:
    def put(moment: datetime, deadline: datetime | None = NOW + 2 * DAY, **more: Any) -> str:
        turn = phase(told, deadline=deadline, **more)
        return refused(
            umpire.turn_deadline_set, turn=turn, umpire=told.umpire.user, day=moment.date(), at=moment.time(), reason="x"
        )  # fmt: skip

    past, far = "That time is in the past. Choose a later one.", "A deadline can be up to 90 days ahead."
    near, same = (
        "A deadline can be brought forward only to 12 hours from now or later.",
        "That is already the deadline.",
    )
    for moment, deadline, said in (
        (NOW - MINUTE, NOW + DAY, past), (NOW, NOW + DAY, past), (NOW + 90 * DAY, NOW + DAY, ""),
        (NOW + 90 * DAY + MINUTE, NOW + DAY, far), (NOW + 12 * HOUR, NOW + DAY, ""), (NOW + 12 * HOUR - MINUTE, NOW + DAY, near),
        (NOW + 12 * HOUR - MINUTE, None, near), (NOW + 5 * HOUR, NOW + 4 * HOUR, ""), (NOW + 5 * HOUR, NOW + 5 * HOUR, same),
        (NOW + DAY, NOW + DAY, same), (NOW + DAY, None, ""),
    ):  # fmt: skip
        assert put(moment, deadline) == said, (moment, deadline)
        assert Turn.objects.get(pk=told.turn.pk).deadline == (deadline if said else moment)
    assert put(NOW + 3 * DAY, NOW + DAY, phase="running") == "Turn 2 is no longer open for orders."


def test_a_turn_is_held_released_and_run_only_in_the_right_phases(told: World) -> None:
    who = told.umpire.user
    held, late = (
        {"phase": "held", "hold": True},
        "Turn 2 cannot be held. It is already held or running.",
    )
    acts: list[tuple[Any, dict[str, Any], str, str, bool]] = [
        (umpire.turn_hold, {"phase": "open"}, "", "open", True),
        (umpire.turn_hold, {"phase": "locked"}, "", "held", True),
        (umpire.turn_hold, {"phase": "locked", "state": {}}, late, "locked", False),
        (umpire.turn_hold, {"phase": "open", "hold": True}, late, "open", True),
        (umpire.turn_hold, {"phase": "running"}, late, "running", False),
        (umpire.turn_close, {"phase": "open"}, "", "held", True),
        (umpire.turn_close, {"phase": "locked"}, "Turn 2 is not open for orders.", "locked", False),
        (umpire.turn_release, held, "", "locked", False),
        (umpire.turn_release, {"phase": "open", "hold": True}, "", "open", False),
        (umpire.turn_release, {"phase": "open"}, "Turn 2 is not held.", "open", False),
        (umpire.turn_release, {"phase": "running", "hold": True}, "Turn 2 is not held.", "running", True),
        (umpire.turn_run_early, {"phase": "open"}, "", "locked", False),
        (umpire.turn_run_early, held, "", "locked", False),
        (
            umpire.turn_run_early,
            {"phase": "running"},
            "Turn 2 is not open, so it cannot be run.",
            "running",
            False,
        ),
    ]
    for act, changes, said, now, hold in acts:
        with put_back():
            turn = phase(told, **changes)
            before = UmpireAction.objects.count()
            assert refused(act, turn=turn, umpire=who, reason="x") == said, (act, changes)
            turn = Turn.objects.get(pk=turn.pk)
            assert (turn.phase, turn.hold) == (now, hold), (act, changes)
            assert UmpireAction.objects.count() == before + (not said)
    Campaign.objects.update(status="paused")
    assert (
        refused(umpire.turn_run_early, turn=told.turn, umpire=who)
        == "Tell-tale war is paused. Resume it first."
    )


def test_a_pause_moves_deadlines_and_answer_times_by_its_length(told: World) -> None:
    battle = BattleFactory(book=told.campaign.book, code="P")
    BattleOutcomeFactory(battle=battle, status="proposed", proposed=NOW - HOUR)
    who = told.umpire.user
    assert (
        refused(umpire.campaign_resume, campaign=told.campaign, umpire=who) == "Tell-tale war is not paused."
    )
    umpire.campaign_pause(campaign=told.campaign, umpire=who, reason="Easter")
    told.campaign.refresh_from_db()
    again = refused(umpire.campaign_pause, campaign=told.campaign, umpire=who, reason="x")
    assert again == "Tell-tale war is paused. Only an active campaign can be paused."
    with time_machine.travel(NOW + 5 * DAY, tick=False):
        umpire.campaign_resume(campaign=told.campaign, umpire=who)
    assert Turn.objects.get(pk=told.turn.pk).deadline == NOW + 7 * DAY
    assert BattleOutcome.objects.get(battle=battle).proposed == NOW + 5 * DAY - HOUR
    row = Campaign.objects.get(pk=told.campaign.pk)
    assert (row.status, row.paused) == ("active", None)
    entries = {
        n.recipient.username: bool(n.calendar)
        for n in Notice.objects.filter(kind="paused", event__contains="resumed")
    }
    assert entries == {"english": True, "dutch": True, "umpire": False, "observer": False}
    assert not any(
        Notice.objects.filter(kind="paused", event__contains="-paused-").values_list("calendar", flat=True)
    )
    Campaign.objects.update(status="paused")
    umpire.campaign_resume(campaign=told.campaign, umpire=who)
    assert Turn.objects.get(pk=told.turn.pk).deadline == NOW + 7 * DAY, "nobody knows since when"


def test_an_action_appears_in_the_log_with_40_letters_of_its_name(told: World) -> None:
    row = act_log(campaign=told.campaign, actor="u", action="x" * 50, reason=" why ", turn=told.turn)
    assert (row.action, row.reason, row.turn) == ("x" * 40, "why", "telltale/2")
    assert act_log(campaign=told.campaign, actor="u", action="x").turn == ""


# --- rhythm ---------------------------------------------------------------------------------------------------

RHYTHM = {
    "hours": 72,
    "weekdays": [],
    "at": time(20),
    "zone": "UTC",
    "run_when_ready": True,
    "grace": 0,
    "silent": 3,
}


BOUNDS: list[tuple[dict[str, Any], str]] = [
    ({"hours": 0}, "A turn can be open for 1 to 2160 hours."),
    ({"hours": 1}, ""),
    ({"hours": 2160}, ""),
    ({"hours": 2161}, "A turn can be open for 1 to 2160 hours."),
    ({"weekdays": [0, 6]}, ""),
    ({"weekdays": [7]}, "Choose weekdays from 0 (Monday) to 6 (Sunday)."),
    ({"weekdays": [-1]}, "Choose weekdays from 0 (Monday) to 6 (Sunday)."),
    ({"grace": -1}, "The grace period can be 0 to 48 hours."),
    ({"grace": 49}, "The grace period can be 0 to 48 hours."),
    ({"grace": 48}, ""),
    ({"silent": -1}, "Enter 0 to 20 turns without orders. 0 means never."),
    ({"silent": 21}, "Enter 0 to 20 turns without orders. 0 means never."),
    ({"silent": 20}, ""),
    ({"silent": 0}, ""),
]


@pytest.mark.clause("G.CL1")
def test_a_schedule_has_limits(campaign: Campaign) -> None:
    who = campaign.memberships.get(role="umpire").user
    for change, said in BOUNDS:
        wanted = {**RHYTHM, **change}
        with put_back():
            found = refused(clock.rhythm_change, campaign=campaign, umpire=who, reason="x", **wanted)
            assert found == said, change


def test_a_schedule_is_described_in_words() -> None:
    def words(**changes: Any) -> list[str]:
        return clock.rhythm_words(
            Campaign(**{"deadline_hours": 72, "grace_hours": 0, "silent_turns": 0, **changes})
        )

    assert words(run_when_ready=True) == [
        "Orders close 72 hours after a turn opens.", "A turn runs before its deadline when every side is ready.",
        "There is no grace period after the deadline.", "We do not notify the umpire about silent players.",
    ]  # fmt: skip
    others = words(deadline_hours=1, run_when_ready=False, grace_hours=1, silent_turns=1)
    assert others[0] == "Orders close 1 hour after a turn opens." and "even if every side" in others[1]
    assert "up to 1 hour for" in others[2] and "no orders for 1 turn." in others[3]
    more = words(grace_hours=2, silent_turns=2)
    assert "up to 2 hours for" in more[2] and "no orders for 2 turns." in more[3]
    at = {"deadline_at": time(20, 30), "time_zone": "UTC"}
    for days, names in (
        ([6], "Sunday"),
        ([0, 2], "Monday or Wednesday"),
        ([0, 2, 4], "Monday, Wednesday or Friday"),
    ):
        assert words(deadline_days=days, **at)[0] == f"Orders close on the next {names} at 20:30, UTC time."


def test_an_unchanged_schedule_needs_no_reason_and_notifies_no_one(campaign: Campaign) -> None:
    who = campaign.memberships.get(role="umpire").user
    change = {"campaign": campaign, "umpire": who}
    assert clock.rhythm_change(**change, **RHYTHM, reason="so") != []
    Notice.objects.all().delete()
    assert refused(clock.rhythm_change, **change, **{**RHYTHM, "at": time(7)}, reason="") == ""
    assert clock.rhythm_change(**change, **{**RHYTHM, "at": time(7)}, reason="so") == []
    assert Campaign.objects.get(pk=campaign.pk).deadline_at == time(7) and not Notice.objects.exists()
    with pytest.raises(UmpireRefused, match="Enter a reason"):
        clock.rhythm_change(**change, **{**RHYTHM, "hours": 71}, reason=" ")


# --- the end, and facts that are let out ----------------------------------------------------------------------


@pytest.mark.clause("G.EN1")
def test_a_campaign_ends_on_its_given_day_or_later_and_not_before(told: World) -> None:
    told.campaign.settings = {"end_date": "1666-06-04"}
    for day, said in (
        (4, ""),
        (5, "The campaign has reached its last day, 4 June 1666."),
        (6, "The campaign has reached its last day, 5 June 1666."),
    ):
        told.campaign.calendar_day = day
        assert reason_to_end(told.campaign) == said
    told.campaign.settings = {}
    assert reason_to_end(told.campaign) == ""
    assert date(1666, 6, 4) - date(1666, 5, 30) == 5 * DAY


@pytest.mark.clause("G.EN1")
def test_an_umpire_closes_a_campaign_once_with_a_reason_and_while_no_turn_runs(told: World) -> None:
    def close(reason: str = "peace") -> str:
        return refused(campaign_close, campaign=told.campaign, umpire="u", reason=reason)

    assert close(" ").startswith("Enter a reason")
    for state in ("locked", "running", "fighting", "reporting"):
        phase(told, phase=state)
        assert close().startswith("A turn is running"), state
    for state in ("open", "held", "failed"):
        with put_back():
            phase(told, phase=state)
            assert close() == "" and Campaign.objects.get(pk=told.campaign.pk).status == "closed", state
            assert close() == "The campaign is already over."


@pytest.mark.clause("G.IN3")
def test_facts_about_an_enemy_fleet_are_released_as_they_are_now(told: World) -> None:
    def release(
        fleet: Any = told.dutch_fleet, side: Any = told.english.side, fields: Any = ("seen", "kind", "state")
    ) -> str:
        how = {"campaign": told.campaign, "umpire": "u", "reason": " why "}
        return answer_of(facts_release, side=side, fleet=fleet, fields=fields, **how)

    here = "Choose a side and a fleet of this campaign."
    assert release(side=SideFactory()) == release(fleet=FleetFactory(navy=NavyFactory())) == here
    assert release(fleet=told.english_fleet).endswith("Nothing about it is secret from that side.")
    assert release(fields=[]).startswith("Choose what") and release(fields=["seen", "soul"]).startswith(
        "Choose what"
    )
    Ship.objects.filter(squadron__fleet=told.dutch_fleet).update(ship_type="merchant")
    last = Sighting.objects.filter(side=told.english.side).latest("pk")
    Sighting.objects.create(
        turn=last.turn, side=last.side, number=5, hour=61, latitude=1, longitude=1, band="1", observer="x", fleet_code=last.fleet_code
    )  # fmt: skip
    assert release() == ""
    rows = {row.field: row for row in Release.objects.all()}
    assert set(rows) == {"seen", "kind", "state"} and rows["kind"].value == "6 merchant"
    assert {row.hour for row in rows.values()} == {72}
    assert {row.subject for row in rows.values()} == {"Contact 5, seen at 19:00 on 1 June 1666"}
    Sighting.objects.all().delete()
    Ship.objects.filter(squadron__fleet=told.dutch_fleet).update(fate="sunk")
    type(told.dutch_fleet).objects.filter(pk=told.dutch_fleet.pk).update(commander="")
    told.dutch_fleet.refresh_from_db()
    Release.objects.all().delete()
    assert release(fields=["kind", "name"]) == release(side=None, fields=["nation"]) == ""
    acts = UmpireAction.objects.filter(actor="u").order_by("pk").values_list("action", "reason")
    assert list(acts) == [
        *[("released facts to a side", "why")] * 2,
        ("released facts to everyone", "why"),
    ]
    rows = {row.field: row for row in Release.objects.all()}
    assert set(rows) == {"kind", "name", "nation"}
    assert rows["nation"].subject == "A fleet of the Dutch Republic"
    assert rows["kind"].value == "no ships" and rows["name"].value == told.dutch_fleet.name
    assert rows["kind"].subject == "A fleet that you have not sighted" and ENGLISH not in rows["name"].value
