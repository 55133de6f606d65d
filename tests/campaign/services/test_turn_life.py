"""A turn's life in single steps: how it is opened, locked, worked on, abandoned and retried."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, time, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine

from battles.models import Battle
from campaign.models import Campaign, Contact, Notice, Turn
from campaign.services.turn import turns
from campaign.services.turn.turns import (
    TurnRefused,
    battles_of,
    days_left,
    deadline_of,
    turn_lock,
    turn_open,
    turn_opens_at,
    turn_retry,
    turn_run,
)
from fleets.models import Fleet
from tests.campaign.services.conftest import start
from tests.support.factories import BattleFactory, OrderFactory
from tests.support.put_back import put_back
from tests.support.turns import turn_change

Phase = Turn.Phase
NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)


def fresh(turn: Turn) -> Turn:
    return Turn.every.select_related("campaign__book", "campaign__theatre").get(pk=turn.pk)


def closed(turn: Turn, **changes: Any) -> Turn:
    """The turn as if it had been played for three days."""
    Turn.objects.filter(pk=turn.pk).update(**{"phase": Phase.CLOSED, "days_run": turn.days, **changes})
    Campaign.objects.filter(pk=turn.campaign_id).update(calendar_day=turn.first_day + turn.days)
    return fresh(turn)


# --- opened ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("G.CL3")
@pytest.mark.parametrize(
    ("phase", "days", "run", "left"),
    [("closed", 3, 1, 2), ("closed", 3, 2, 1), ("closed", 3, 3, 0), ("closed", 3, 4, 0), ("running", 3, 1, 0), ("open", 3, 0, 0)],
)  # fmt: skip
def test_a_turn_that_ended_early_leaves_its_remaining_days(
    phase: str, days: int, run: int, left: int
) -> None:
    assert days_left(Turn(phase=phase, days=days, days_run=run)) == left
    assert days_left(None) == 0


@pytest.mark.clause("G.CL1")
def test_a_deadline_is_a_number_of_hours_after_the_opening_or_on_a_fixed_weekday() -> None:
    rhythm: Any = SimpleNamespace(
        deadline_hours=30, deadline_days=[], deadline_at=time(20, 0), time_zone="UTC"
    )
    assert deadline_of(rhythm, NOW) == NOW + timedelta(hours=30)
    rhythm.deadline_days = [4]
    assert deadline_of(rhythm, NOW) == datetime(2026, 7, 3, 20, tzinfo=UTC)


@pytest.mark.parametrize(("day", "said"), [(0, "05-30"), (1, "05-31"), (3, "06-02")])
def test_a_turn_opens_at_six_in_the_morning_of_its_first_day(day: int, said: str) -> None:
    turn: Any = SimpleNamespace(first_day=day, campaign=SimpleNamespace(start_date="1666-05-30"))
    assert turn_opens_at(turn) == f"1666-{said}T06:00"


@pytest.mark.clause("G.FA1", "G.CL3", "G.UM3")
def test_the_turn_after_a_closed_one_has_its_own_number_and_days_and_secrets(turn: Turn) -> None:
    campaign = turn.campaign
    Campaign.objects.update(turn_days=4)
    for days_run, left in ((1, 1), (2, 4), (3, 4)):
        with put_back(), time_machine.travel(NOW, tick=False):
            Turn.objects.filter(pk=turn.pk).update(days=2)
            last = closed(fresh(turn), days_run=days_run)
            following = turn_open(campaign=last.campaign, follows=last)
            assert (following.number, following.run, following.days, following.phase) == (2, 1, left, "open")
            assert (following.first_day, following.repeats) == (last.campaign.calendar_day, None)
            assert following.deadline == NOW + timedelta(hours=campaign.deadline_hours)
            for kind, secret in (("chart", following.chart_secret), ("battles", following.battle_secret)):
                seed = f"{campaign.demo_seed}/{following.name}/{kind}"
                assert secret == hashlib.sha256(seed.encode()).hexdigest()
            assert following.chart_hash == hashlib.sha256(bytes.fromhex(following.chart_secret)).hexdigest()
            assert turn_open(campaign=last.campaign, follows=last) == following
    assert turn.number == 1 and turn.run == 1


@pytest.mark.clause("G.UM3")
def test_a_turn_opened_again_is_its_next_run_with_its_orders_and_optionally_its_dice(
    turn: Turn,
) -> None:
    Campaign.objects.update(coming={"settings": {"turn_days": 9}}, turn_days=2)
    turn.orders.update(stance="avoid", source="web")
    Turn.objects.filter(pk=turn.pk).update(void="rollback 1", days=5, locked=NOW)
    old = fresh(turn)
    for same_dice in (False, True):
        with put_back():
            new = turn_open(campaign=old.campaign, again=old, same_dice=same_dice)
            assert (new.number, new.run, new.days) == (1, 2, 5)
            assert set(new.orders.values_list("stance", flat=True)) == {"avoid"}
            assert new.repeats == (old if same_dice else None)
            assert (new.chart_secret == old.chart_secret) is same_dice
            assert (new.battle_secret == old.battle_secret) is same_dice
            assert Campaign.objects.get(pk=turn.campaign_id).coming, "it waits for a new turn"
    fresh_start = turn_open(campaign=old.campaign)
    assert (fresh_start.run, fresh_start.orders.count(), fresh_start.days) == (2, 0, 9)
    assert Campaign.objects.get(pk=turn.campaign_id).coming == {}


@pytest.mark.clause("G.UM3")
def test_a_rerun_continues_turn_by_turn_while_the_days_agree(turn: Turn) -> None:
    campaign = turn.campaign
    first = closed(turn, locked=NOW)
    second = Turn.objects.create(campaign=first.campaign, number=2, first_day=1, days=1, chart_hash="x")
    fleet = Fleet.objects.filter(navy__book=campaign.book).first()
    OrderFactory(turn=second, fleet=fleet, stance="avoid")
    for locked in (NOW, None):
        for day in (1, 2):
            with put_back():
                Turn.objects.filter(pk=second.pk).update(locked=locked, first_day=day, void="rollback 1")
                Turn.objects.filter(pk=first.pk).update(void="rollback 1")
                again = Turn.objects.create(
                    campaign=campaign, number=1, run=2, first_day=0, days=1, days_run=1, chart_hash="x",
                    phase=Phase.CLOSED, repeats=first,
                )  # fmt: skip
                following = turn_open(campaign=Campaign.objects.get(pk=campaign.pk), follows=fresh(again))
                agrees = day == 1
                assert (following.number, following.run) == (2, 2)
                assert (following.repeats == second) is (agrees and locked is not None)
                assert (following.chart_secret == second.chart_secret) is (agrees and locked is not None)
                stances = set(following.orders.values_list("stance", flat=True))
                assert ("avoid" in stances) is agrees


def test_no_turn_is_opened_out_of_order(turn: Turn) -> None:
    with pytest.raises(TurnRefused, match="Turn 2 cannot be opened: turn 1 is not closed."):
        turn_open(campaign=turn.campaign, follows=turn)
    last = closed(turn)
    with pytest.raises(TurnRefused, match="Turn 3 cannot be opened: the last turn is turn 1."):
        turn_open(campaign=last.campaign, follows=Turn(number=2))
    Turn.objects.all().update(void="rollback 1")
    with pytest.raises(TurnRefused, match="Turn 2 cannot be opened: the last turn is turn 0."):
        turn_open(campaign=last.campaign, follows=last)


# --- locked, and run ------------------------------------------------------------------------------------------


@pytest.mark.clause("G.CL2")
def test_a_turn_is_locked_once_with_the_facts_of_that_moment(db: Any) -> None:
    campaign = start(automatic=True)
    turn = campaign.turns.select_related("campaign__book", "campaign__theatre").get()
    Turn.objects.update(attempts=2)
    with put_back():
        assert turn_lock(turn=turn) is True and turn_lock(turn=turn) is False
        assert (turn.phase, turn.attempts, turn.locked is not None) == (Phase.LOCKED, 0, True)
        assert turn.snapshot is not None and turn.rules_hash
        assert set(turn.orders.values_list("source", flat=True)) == {"admiral"}
    turn = fresh(turn)
    Turn.objects.filter(pk=turn.pk).update(repeats=turn.pk)
    assert turn_lock(turn=fresh(turn)) is True
    assert set(turn.orders.values_list("source", flat=True)) == {"web"}, "a rerun keeps its orders"


def test_a_turn_that_no_one_has_is_void_and_an_open_or_paused_one_is_left_alone(turn: Turn) -> None:
    assert turn_run(turn_id=turn.pk + 1000) == "void"
    assert turn_run(turn_id=turn.pk) == Phase.OPEN
    turn_lock(turn=turn)
    Campaign.objects.update(status="paused")
    assert turn_run(turn_id=turn.pk) == Phase.LOCKED
    assert fresh(turn).attempts == 0 and fresh(turn).state is None


@pytest.mark.clause("G.UM2")
def test_a_turn_is_abandoned_at_its_third_failure_and_not_before(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_lock(turn=turn)

    def broken(*args: Any) -> Any:
        raise RuntimeError("a fault of the program")

    monkeypatch.setattr(turns.rules, "begin", broken)
    for number in (1, 2):
        assert turn_run(turn_id=turn.pk) == Phase.RUNNING
        row = fresh(turn)
        assert (row.attempts, row.claim, row.campaign.status) == (number, None, "active")
        assert (
            row.error.startswith("Turn 1 stopped") and not Notice.objects.filter(kind="work_failed").exists()
        )
    assert turn_run(turn_id=turn.pk) == Phase.FAILED
    assert fresh(turn).campaign.status == "failed"
    assert Notice.objects.filter(kind="work_failed").count() == 1


@pytest.mark.clause("G.UM2")
def test_only_a_failed_turn_of_a_running_campaign_is_retried_with_its_failed_battles(
    turn: Turn,
) -> None:
    codes = {}
    for n, status in enumerate(("failed", "ready", "fought", "void")):
        battle = BattleFactory(
            book=turn.campaign.book, code=f"small-T1-b0{9 - n}", status=status, attempts=4, error="x"
        )
        Contact.objects.create(turn=turn, code=f"b0{9 - n}", hour=4, place="x", battle=battle)
        codes[status] = battle.code
    assert [battle.status for battle in battles_of(turn.pk)] == ["fought", "ready", "failed"]
    assert turn_retry(turn=turn) is False, "it has not failed"
    failed = {"phase": Phase.FAILED, "attempts": 3, "error": "why"}
    for state, status, phase in (
        (None, "failed", "locked"),
        ({"schema": 1}, "failed", "fighting"),
        (None, "closed", ""),
    ):
        with put_back():
            turn_change(turn, **failed, state=state)
            Campaign.objects.update(status=status)
            assert turn_retry(turn=fresh(turn)) is bool(phase)
            row = fresh(turn)
            if not phase:
                assert (row.phase, row.error, row.campaign.status) == (Phase.FAILED, "why", "closed")
                continue
            assert (row.phase, row.attempts, row.error, row.campaign.status) == (phase, 0, "", "active")
            found = {
                b.status: (b.code, b.attempts, b.error) for b in Battle.objects.exclude(code=codes["ready"])
            }
            assert found["ready"] == (codes["failed"], 0, "")
            assert found["fought"] == (codes["fought"], 4, "x") and found["void"] == (codes["void"], 4, "x")
