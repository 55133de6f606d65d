"""Deadlines to the minute: reminders, digests, the gap that counts as an outage, and whom the turn still waits for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from icalendar import Calendar

from battles.models import Battle
from campaign.models import (
    Campaign,
    Command,
    Heartbeat,
    Invitation,
    Membership,
    Notice,
    Order,
    Ready,
    Station,
    Turn,
    UmpireAction,
)
from campaign.notices import kinds
from campaign.notices.wishes import preferences_save
from campaign.notices.write import notice_write
from campaign.services.desk.outages import outages_meet
from campaign.services.mail.reminders import deadline_moved, digests_write, entry_of, lacking, reminders_write
from campaign.services.sweep import sweep
from campaign.services.turn.readiness import invitation_over, ready_set, run_if_all_ready, run_those_ready
from tests.support.factories import (
    FleetFactory,
    MembershipFactory,
    NoticeFactory,
    ReadyFactory,
    SideFactory,
    UserFactory,
)
from tests.support.people import World, world
from tests.support.put_back import put_back

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.CL1", "G.UM2")]
DUE = datetime(2026, 7, 3, 19, 0, tzinfo=UTC)
MINUTE, HOUR, TICK = timedelta(minutes=1), timedelta(hours=1), timedelta(microseconds=1)


@pytest.fixture
def told(db: Any) -> World:
    """A campaign whose turn 2 has three days and closes on a summer evening; nobody has given orders of his own."""
    made = world()
    Turn.objects.filter(pk=made.turn.pk).update(deadline=DUE, opened=DUE - timedelta(days=3))
    made.turn.refresh_from_db()
    Order.objects.update(source="standing")
    Ready.objects.all().delete()
    return made


# --- reminders ------------------------------------------------------------------------------------------------


def test_reminders_come_in_the_last_24_hours_of_a_longer_turn(told: World) -> None:
    for before, count in (
        (24 * HOUR + TICK, 0),
        (24 * HOUR, 2),
        (23 * HOUR, 2),
        (TICK, 2),
        (0 * HOUR, 0),
        (-HOUR, 0),
    ):
        with put_back():
            assert reminders_write(DUE - before) == count, before
    for opened, count in ((24 * HOUR, 0), (24 * HOUR + TICK, 2), (23 * HOUR, 0)):
        with put_back():
            Turn.objects.filter(pk=told.turn.pk).update(opened=DUE - opened)
            assert reminders_write(DUE - HOUR) == count, opened
    assert reminders_write(DUE - HOUR) == 2 and reminders_write(DUE - HOUR) == 0
    other = told.english_fleet.navy
    mate = MembershipFactory(side=told.english.side, campaign=told.campaign)
    fleet = FleetFactory(navy=other, code="zj9")
    Station.objects.create(fleet=fleet, at="nore")
    Command.objects.create(membership=mate, fleet=fleet)
    assert reminders_write(DUE - HOUR) == 1, "he alone has not been told"


def test_orders_are_missing_for_fleets_whose_present_commander_has_given_none(
    told: World,
) -> None:
    def found() -> list[tuple[str, list[str]]]:
        rows = lacking(told.turn, DUE)
        return sorted((row.member.user.username, [fleet.code for fleet in row.fleets]) for row in rows)

    one, two = told.english_fleet, told.dutch_fleet
    both = [("dutch", [two.code]), ("english", [one.code])]
    assert found() == both
    for source, given in (
        ("standing", False),
        ("opening", False),
        ("web", True),
        ("mail", True),
        ("admiral", True),
    ):
        Order.objects.filter(fleet=one).update(source=source)
        assert found() == (both[:1] if given else both), source
    Order.objects.update(source="standing")
    for row, change, after in (
        (Station, {"held_by": "T1-b01"}, {"held_by": ""}), (type(one), {"ended": True}, {"ended": False}),
        (type(told.english.side), {"automatic": True}, {"automatic": False}),
    ):  # fmt: skip
        key = {Station: one.station.pk, type(one): one.pk, type(told.english.side): told.english.side_id}[row]
        row.objects.filter(pk=key).update(**change)
        assert found() == both[:1], change
        row.objects.filter(pk=key).update(**after)
    Ready.objects.create(turn=told.turn, side=told.english.side, by="x")
    assert found() == both[:1]


def test_a_stand_in_is_reminded_of_the_absent_admirals_fleets_beside_their_own(told: World) -> None:
    mate = MembershipFactory(
        side=told.english.side, campaign=told.campaign, user=UserFactory(username="monck")
    )
    day = DUE.date()
    row = told.english.absences.create(first=day, last=day, by="x")
    assert [one.member.user.username for one in lacking(told.turn, DUE)] == ["dutch"]
    row.stand_in = mate
    row.save()
    (theirs,) = (one for one in lacking(told.turn, DUE) if one.member.pk == mate.pk)
    assert (theirs.fleets, theirs.others) == ([], [("english", [told.english_fleet])])
    (own,) = (one for one in lacking(told.turn, DUE + timedelta(days=2)) if one.member.pk == told.english.pk)
    assert (own.fleets, own.others) == ([told.english_fleet], [])


def test_a_calendar_entry_counts_the_minutes_since_the_turn_opened(told: World) -> None:
    for age, number in ((0 * MINUTE, 0), (59 * TICK, 0), (MINUTE, 1), (HOUR, 60), (-HOUR, 0)):
        with time_machine.travel(told.turn.opened + age, tick=False):
            (event,) = Calendar.from_ical(entry_of(told.turn)).walk("VEVENT")
        assert int(event["sequence"]) == number, age
    told.turn.deadline = None
    assert entry_of(told.turn) == ""


def test_a_moved_deadline_is_emailed_to_admirals_who_have_not_read_of_it(told: World) -> None:
    assert deadline_moved(turn=told.turn, why="Easter", but=[told.dutch.user_id]) == 1
    assert [row.recipient for row in Notice.objects.filter(kind="deadline")] == [told.english.user]
    Turn.objects.update(deadline=None)
    assert deadline_moved(turn=told.turn, why="Easter") == 0


def test_a_digest_is_written_from_seven_in_the_morning_about_what_came_before(told: World) -> None:
    user = told.english.user
    preferences_save(
        user=user, time_zone="Europe/Amsterdam", plain_text=False, kinds={"deadline": "digest"}, webhook=""
    )
    context = {"turn": told.turn, "why": "", "side": told.english.side}
    notice = notice_write(campaign=told.campaign, kind=kinds.DEADLINE, event="e", user=user, context=context)
    assert notice is not None
    seven = datetime(2026, 7, 2, 5, 0, tzinfo=UTC)  # in Amsterdam
    day = timedelta(days=1)
    for written, now, count in (
        (seven - TICK, seven - TICK, 0), (seven - TICK, seven, 1), (seven, seven, 0), (seven, seven + HOUR, 0),
        (seven, seven + day - TICK, 0), (seven, seven + day, 1), (seven - day, seven - HOUR, 0), (seven - day - TICK, seven - HOUR, 1),
    ):  # fmt: skip
        with put_back():
            Notice.objects.filter(pk=notice.pk).update(written=written)
            assert digests_write(now) == count, (written, now)
            sent = Notice.objects.get(pk=notice.pk)
            assert (sent.status, sent.sent) == (("sent", now) if count else ("digest", None))
            assert Notice.objects.filter(kind="digest").count() == count


# --- outages --------------------------------------------------------------------------------------------------


def outage(told: World, *, gap: timedelta, overdue: timedelta, **settings: Any) -> tuple[int, Turn]:
    """What is met after a gap since the last sign of life, with a turn overdue so long; rows as they are then."""
    now = DUE + overdue
    told.campaign.settings = settings
    told.campaign.save()
    Heartbeat.objects.all().delete()
    Heartbeat.objects.create(pk=1, at=now - gap)
    with time_machine.travel(now, tick=False):
        count = outages_meet()
        assert outages_meet() == 0, "a gap is met once"
    assert Heartbeat.objects.get().at == now
    return count, Turn.objects.get(pk=told.turn.pk)


@pytest.mark.parametrize(
    ("gap", "overdue", "settings", "met"),
    [
        (7 * HOUR, 7 * HOUR, {"outage_hours": 6}, True),
        (6 * HOUR, 7 * HOUR, {"outage_hours": 6}, False),
        (6 * HOUR + TICK, 7 * HOUR, {"outage_hours": 6}, True),
        (7 * HOUR, 6 * HOUR, {"outage_hours": 6}, False),
        (7 * HOUR, 6 * HOUR + TICK, {"outage_hours": 6}, True),
        (HOUR - TICK, 9 * HOUR, {"outage_hours": 0}, False),
        (HOUR, 9 * HOUR, {"outage_hours": 0}, True),
        (HOUR, 0 * HOUR, {"outage_hours": 0}, False),
        (HOUR, -TICK, {"outage_hours": 0}, False),
    ],
)
def test_an_outage_is_a_gap_and_an_overdue_turn_both_longer_than_the_campaign_allows(
    told: World, gap: timedelta, overdue: timedelta, settings: Any, met: bool
) -> None:
    count, turn = outage(told, gap=gap, overdue=overdue, **settings)
    assert (count, turn.deadline) == (int(met), DUE + gap if met else DUE)


def test_the_campaigns_setting_decides_what_happens_to_a_turn_after_an_outage(told: World) -> None:
    gap = 7 * HOUR + 29 * MINUTE
    for wish, deadline, hold, action in (
        ("shift", DUE + gap, False, "postponed the deadline"), ("hold", DUE, True, "held the turn"),
        ("run", DUE, False, "ran the turn"),
    ):  # fmt: skip
        with put_back():
            count, turn = outage(told, gap=gap, overdue=7 * HOUR, outage_hours=6, after_outage=wish)
            assert (count, turn.deadline, turn.hold) == (1, deadline, hold), wish
            log = UmpireAction.objects.latest("pk")
            assert (log.action, log.reason) == (action, "the site was down for 7 hours")
            word = Notice.objects.get(kind="word", recipient=told.umpire.user)
            assert word.subject.endswith("the site was down for 7 hours")
            moved = Notice.objects.filter(kind="deadline").count()
            assert moved == (2 if wish == "shift" else 0)
    for hours, count in ((6, 0), (7, 0), (8, 0)):
        with put_back():
            Campaign.objects.update(grace_hours=hours + 1)
            told.campaign.refresh_from_db()
            found, _ = outage(told, gap=gap, overdue=7 * HOUR, outage_hours=6, after_outage="run")
            assert found == (1 if hours == 6 else count), hours


def test_the_umpires_read_how_long_an_outage_was_and_what_became_of_the_turn(told: World) -> None:
    moved = "All deadlines have been postponed by the length of the outage."
    for gap, wish, span, became in (
        (HOUR, "shift", "1 hour", moved), (1.5 * HOUR - TICK, "shift", "1 hour", moved), (2 * HOUR, "shift", "2 hours", moved),
        (6.5 * HOUR, "hold", "6 hours", "The turn is held until you release it."),
        (7.5 * HOUR, "run", "8 hours", "The turn is running now, as the campaign settings say."),
        (8 * HOUR, "no such setting", "8 hours", moved),
    ):  # fmt: skip
        with put_back():
            assert outage(told, gap=gap, overdue=9 * HOUR, outage_hours=0, after_outage=wish)[0] == 1
            assert UmpireAction.objects.latest("pk").reason == f"the site was down for {span}", gap
            (word,) = Notice.objects.filter(kind="word")
            assert word.recipient == told.umpire.user
            assert f"Turn 2 fell due while the site was down. {became}" in " ".join(word.text.split())
            said = set(Notice.objects.filter(kind="deadline").values_list("recipient__username", flat=True))
            assert said == ({"english", "dutch"} if became == moved else set())


def test_the_grace_period_counts_after_an_outage_only_for_a_turn_that_would_be_run(told: World) -> None:
    Campaign.objects.update(grace_hours=48)
    told.campaign.refresh_from_db()
    for wish, met in (("shift", 1), ("hold", 1), ("run", 0)):
        with put_back():
            assert (
                outage(told, gap=9 * HOUR, overdue=9 * HOUR, outage_hours=6, after_outage=wish)[0] == met
            ), wish


def test_the_very_first_check_finds_no_gap(told: World) -> None:
    with time_machine.travel(DUE + 99 * HOUR, tick=False):
        assert outages_meet() == 0
    assert [row.at for row in Heartbeat.objects.all()] == [DUE + 99 * HOUR]


@pytest.mark.parametrize("change", [{"hold": True}, {"phase": "locked"}, {"deadline": None}])
def test_a_turn_that_no_one_waits_for_has_no_outage(told: World, change: Any) -> None:
    Turn.objects.filter(pk=told.turn.pk).update(**change)
    assert outage(told, gap=9 * HOUR, overdue=9 * HOUR, outage_hours=0)[0] == 0


# --- ready, and swept -----------------------------------------------------------------------------------------


def test_a_turn_runs_when_every_side_with_players_is_ready(told: World) -> None:
    mate = MembershipFactory(campaign=told.campaign, side=None, role=Membership.Role.OBSERVER)
    from campaign.services.orders.orders import OrderRefused

    with pytest.raises(OrderRefused, match="Only an admiral"):
        ready_set(turn=told.turn, membership=mate, ready=True)
    with pytest.raises(OrderRefused, match="no longer takes orders"):
        ready_set(turn=told.closed, membership=told.english, ready=True)
    for row, change, runs in (
        (Campaign, {}, True), (Campaign, {"run_when_ready": False}, False), (Campaign, {"status": "paused"}, False),
        (Turn, {"hold": True}, False),
    ):  # fmt: skip
        with put_back():
            row.objects.filter(pk={Campaign: told.campaign.pk, Turn: told.turn.pk}[row]).update(**change)
            turn = Turn.objects.select_related("campaign__book").get(pk=told.turn.pk)
            ready_set(turn=turn, membership=told.english, ready=True)
            assert Turn.objects.get(pk=turn.pk).phase == "open", "one side alone"
            ready_set(turn=turn, membership=told.english, ready=False)
            ready_set(turn=turn, membership=told.dutch, ready=True)
            assert Turn.objects.get(pk=turn.pk).phase == "open"
            ready_set(turn=turn, membership=told.english, ready=True)
            assert Turn.objects.get(pk=turn.pk).phase == ("locked" if runs else "open"), change
            assert run_if_all_ready(turn=turn) is False, "it is locked already, or waits"


def test_a_turn_that_waited_for_an_invitation_runs_when_it_is_over(told: World) -> None:
    def over() -> tuple[bool, str]:
        with put_back():
            run = invitation_over(campaign=told.campaign)
            phase = Turn.objects.get(pk=told.turn.pk).phase
        return run, phase

    ReadyFactory(turn=told.turn, side=told.dutch.side)
    assert over() == (False, "open"), "the English are not ready"
    ReadyFactory(turn=told.turn, side=told.english.side)
    assert run_those_ready(timezone.now()) == 0, "no one is away, so that nothing has changed"
    assert over() == (True, "locked")
    with put_back():
        Invitation.objects.create(
            campaign=told.campaign, side=SideFactory(campaign=told.campaign, nation="France"), token_hash="x", made_by="umpire",
            expires=timezone.now() + HOUR,
        )  # fmt: skip
        assert over() == (False, "open"), "another admiral is still invited"
    told.turn.ready_marks.all().delete()
    assert over() == (False, "open"), "no turn waits"


def test_a_sweep_finds_500_due_notices_and_no_battle_fought_by_hand(told: World) -> None:
    Heartbeat.objects.create(at=DUE - HOUR)
    user = told.english.user
    Notice.objects.bulk_create(
        NoticeFactory.build(campaign=told.campaign, recipient=user, event=f"n{n}", address="a@club.example") for n in range(501)
    )  # fmt: skip
    Battle.objects.update(status="ready", route="table")
    with time_machine.travel(DUE - HOUR, tick=False):
        found = sweep()
    assert len(found.notices) == 500 and found.notices == sorted(found.notices)
    assert (found.turns, found.battles) == ([], [])
    Battle.objects.filter(code__endswith="b01").update(route="engine")
    with time_machine.travel(DUE - TICK, tick=False):
        assert len(sweep().battles) == 1 and Turn.objects.get(pk=told.turn.pk).phase == "open"
    heard: list[int] = []
    Campaign.objects.update(grace_hours=1)
    with time_machine.travel(DUE, tick=False):
        assert sweep(locked=heard.append).turns == heard == [], "it waits in its grace period"
    Campaign.objects.update(grace_hours=0)
    with time_machine.travel(DUE, tick=False):
        found = sweep(locked=heard.append)
    assert heard == [told.turn.pk] and found.turns == [], "it was handed on at once"
    with time_machine.travel(DUE, tick=False):
        assert sweep(locked=heard.append).turns == [told.turn.pk]
