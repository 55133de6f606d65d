"""What fails for one campaign keeps no other waiting."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from campaign.models import Turn
from campaign.services import sweep as sweeping
from tests.support.people import world

pytestmark = [pytest.mark.django_db, pytest.mark.clause("G.UM2")]


def breaks(error: Exception) -> Any:
    def broken(*_: Any, **__: Any) -> None:
        raise error

    return broken


def due() -> Turn:
    turn = world().turn
    Turn.objects.filter(pk=turn.pk).update(
        phase=Turn.Phase.OPEN, deadline=timezone.now() - timedelta(hours=99)
    )
    return turn


@pytest.mark.parametrize(
    "step", ["results_lapse", "reminders_write", "umpire_digests_write", "run_those_ready"]
)
def test_turns_are_locked_although_a_step_before_fails(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    turn, locked = due(), []
    monkeypatch.setattr(sweeping, step, breaks(KeyError("nowhere")))
    monkeypatch.setattr(sweeping, "outages_meet", lambda: 0)
    monkeypatch.setattr(sweeping, "turn_lock_or_hold", lambda turn: locked.append(turn.pk) or True)
    assert turn.pk not in sweeping.sweep(locked=lambda pk: None).turns
    assert locked == [turn.pk]


def test_a_turn_that_cannot_be_closed_is_logged_and_the_others_still_run(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    due()
    monkeypatch.setattr(sweeping, "outages_meet", lambda: 0)
    monkeypatch.setattr(sweeping, "turn_lock_or_hold", breaks(KeyError("nowhere")))
    assert isinstance(sweeping.sweep(), sweeping.Found)
    assert "the sweep goes on without" in caplog.text


def test_a_database_that_is_out_of_reach_is_not_reported_as_one_campaigns_problem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sweeping, "results_lapse", breaks(OperationalError()))
    with pytest.raises(OperationalError):
        sweeping.sweep()
