"""The grace period: a turn past its deadline still accepts missing orders, and runs as soon as all are in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from campaign.models import Campaign, Heartbeat, Membership, Notice, Ready, Turn
from campaign.selectors.turn.facts import OrderColumns
from campaign.services.mail.reminders import lacking, reminder_in_grace
from campaign.services.orders.orders import OrderRefused, order_submit
from campaign.services.sweep import sweep
from campaign.services.turn.readiness import ready_set
from campaign.services.turn.turns import turn_lock

pytestmark = pytest.mark.clause("G.CL1")
DEADLINE = datetime(2026, 11, 23, 20, 0, tzinfo=UTC)


def at(**after: float) -> Any:
    """The clock so long after the deadline, and no outage before."""
    now = DEADLINE + timedelta(**after)
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": now})
    return time_machine.travel(now, tick=False)


@pytest.fixture
def late(turn: Turn) -> Turn:
    """The first turn, due at a known hour, with six hours of grace; nobody has given orders of his own."""
    Campaign.objects.update(grace_hours=6, run_when_ready=False)
    Turn.objects.update(deadline=DEADLINE, opened=DEADLINE - timedelta(days=3))
    turn.orders.update(source="standing")
    turn.refresh_from_db()
    turn.campaign.refresh_from_db()
    return turn


def phase(turn: Turn) -> str:
    turn.refresh_from_db()
    return turn.phase


def give(turn: Turn, member: Membership) -> None:
    fleet = member.commands.get().fleet
    order_submit(turn=turn, membership=member, fleet=fleet, order=OrderColumns())


def reminded() -> list[str]:
    rows = Notice.objects.filter(kind="reminder", event__contains="-grace-").order_by("recipient__username")
    return [row.recipient.username for row in rows if row.recipient is not None]


def test_a_turn_waits_for_orders_until_its_grace_period_is_over(
    late: Turn, english: Membership, dutch: Membership
) -> None:
    with at(minutes=-1):
        assert sweep().turns == [] and not reminded()
    with at(hours=1):
        assert sweep().turns == [] == sweep().turns
        assert phase(late) == "open" and len(reminded()) == 2
        give(late, english)
    with at(hours=5, minutes=59):
        sweep()
        assert phase(late) == "open" and len(reminded()) == 2
    with at(hours=6):
        sweep()
        sweep()
        assert phase(late) == "locked"
        with pytest.raises(OrderRefused):
            give(late, dutch)


def test_in_the_grace_period_a_turn_runs_as_soon_as_all_orders_are_in(
    late: Turn, english: Membership, dutch: Membership
) -> None:
    give(late, english)
    with at(hours=1):
        sweep()
        assert reminded() == [dutch.user.username]
        give(late, dutch)
        sweep()
        assert phase(late) == "locked"


def test_the_turn_does_not_wait_for_ready_or_automatic_sides(
    late: Turn, english: Membership, dutch: Membership
) -> None:
    ready_set(turn=late, membership=english, ready=True)
    assert Ready.objects.count() == 1
    dutch.side.automatic = True
    dutch.side.save()
    with at(minutes=1):
        sweep()
        assert phase(late) == "locked" and not reminded()


def test_without_a_grace_period_a_turn_closes_at_its_deadline(late: Turn) -> None:
    Campaign.objects.update(grace_hours=0)
    with at(minutes=1):
        sweep()
        assert phase(late) == "locked" and not reminded()


def test_the_last_reminder_says_how_long_orders_are_accepted(late: Turn) -> None:
    with at(minutes=1):
        sweep()
    (first, _) = Notice.objects.filter(kind="reminder")
    assert "Tue 24 Nov 2026, 02:00 UTC" in first.subject
    for part in (first.text, first.html):
        assert "were due" in part and "still give them until Tue 24 Nov 2026, 02:00 UTC" in part


def test_only_one_of_two_checks_at_the_same_time_sends_reminders(late: Turn) -> None:
    with at(minutes=1):
        now = DEADLINE + timedelta(minutes=1)
        those = lacking(late, now)
        assert [reminder_in_grace(turn=late, now=now, those=those) for _ in "ab"] == [2, 0]


@pytest.mark.parametrize("hindrance", ["held", "paused"])
def test_a_stopped_turn_reminds_no_one(late: Turn, hindrance: str) -> None:
    Turn.objects.update(hold=hindrance == "held")
    Campaign.objects.update(status="paused" if hindrance == "paused" else "active")
    with at(hours=7):
        sweep()
        assert phase(late) == "open" and not reminded()


def test_a_second_process_finds_a_turn_in_its_grace_period_locked(late: Turn) -> None:
    with at(hours=7):
        assert turn_lock(turn=late)
        assert sweep().turns == [late.pk]


@pytest.mark.clause("G.UM2")
def test_the_grace_period_still_holds_after_an_outage_that_runs_turns(late: Turn) -> None:
    Campaign.objects.update(grace_hours=48, settings={"after_outage": "run"})
    with time_machine.travel(DEADLINE + timedelta(hours=20), tick=False):
        Heartbeat.objects.create(at=DEADLINE - timedelta(hours=10))
        sweep()
    assert phase(late) == "open" and len(reminded()) == 2
    assert not Notice.objects.filter(kind="word").exists()
