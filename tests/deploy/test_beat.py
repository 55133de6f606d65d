"""The timer: one of many asks for sweeps, another takes over, and no clock that jumps stops it."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import OperationalError
from django.db.models import F

from campaign.models import BeatLease
from deploy import one_beat, steady_beat
from deploy.celery_app import SWEEP, app
from deploy.one_beat import OneBeat

pytestmark = pytest.mark.django_db
ROUND = 30.0


class Clock:
    """The processor's clock, as the test sets it."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Clock:
    settings.SWEEP_SECONDS = int(ROUND)
    clock = Clock()
    monkeypatch.setattr(steady_beat, "time", clock)
    monkeypatch.setattr(one_beat, "close_old_connections", lambda: None)  # the test's transaction is in it
    return clock


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Machine and task of all that was sent."""
    found: list[tuple[str, str]] = []
    monkeypatch.setattr(OneBeat, "producer", None)
    monkeypatch.setattr(
        OneBeat, "apply_entry", lambda self, entry, producer: found.append((self.machine, entry.task))
    )
    return found


def beats(*machines: str) -> list[OneBeat]:
    """Timers, each on a machine of its own."""
    found = []
    for name in machines:
        timer = OneBeat(app)
        timer.machine = name
        found.append(timer)
    return found


def runs_out() -> None:
    """The database's clock passes the end of the lease."""
    BeatLease.objects.update(until=F("until") - timedelta(seconds=2 * ROUND + 1))


def test_one_of_two_asks_for_sweeps_and_the_other_takes_over_when_it_is_gone(
    clock: Clock, sent: list[tuple[str, str]]
) -> None:
    one, two = beats("one", "two")
    for _ in range(3):
        assert one.tick() == two.tick() == pytest.approx(ROUND)
        clock.now += ROUND
    assert sent == 3 * [("one", SWEEP)]
    two.tick()
    assert len(sent) == 3, "the lease still runs"
    runs_out()
    clock.now += ROUND
    two.tick()
    assert sent[3:] == [("two", SWEEP)]
    one.tick()
    assert len(sent) == 4, "the one that was away stands by now"
    assert BeatLease.objects.get().machine == "two"


def test_nothing_is_sent_before_a_round_is_over(clock: Clock, sent: list[tuple[str, str]]) -> None:
    (one,) = beats("one")
    one.tick()
    clock.now += ROUND / 3
    assert one.tick() == pytest.approx(ROUND * 2 / 3)
    assert len(sent) == 1


def test_one_that_ends_in_order_hands_over_at_once(clock: Clock, sent: list[tuple[str, str]]) -> None:
    one, two = beats("one", "two")
    one.tick()
    two.close()
    assert BeatLease.objects.get().machine == "one", "only the holder gives it up"
    one.close()
    two.tick()
    assert [machine for machine, _ in sent] == ["one", "two"]


@pytest.mark.parametrize("hours", [-26, 26])
def test_a_clock_that_jumps_stops_no_sweeps(clock: Clock, sent: list[tuple[str, str]], hours: int) -> None:
    one, two = beats("one", "two")
    one.tick()
    # seen from a clock that was set, the lease ends in the other direction
    BeatLease.objects.update(until=F("until") - timedelta(hours=hours))
    real = time.time
    with mock.patch.object(time, "time", lambda: real() + 3600 * hours):
        clock.now += ROUND
        two.tick()
        one.tick()
    assert [machine for machine, _ in sent] == ["one", "two"]


def test_while_the_database_is_away_nothing_is_sent_and_nothing_breaks(
    clock: Clock, sent: list[tuple[str, str]], caplog: pytest.LogCaptureFixture
) -> None:
    (one,) = beats("one")
    with mock.patch.object(one_beat, "beat_hold", side_effect=OperationalError("password=hunter2")):
        one.tick()
        clock.now += ROUND
        one.tick()
    assert sent == []
    clock.now += ROUND
    one.tick()
    assert sent == [("one", SWEEP)] and "hunter2" not in caplog.text
