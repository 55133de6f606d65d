"""What the umpire does from his desk: each act is done and written into his log in one transaction. Rule: G.UM1."""

from __future__ import annotations

from typing import Any

from celery import current_app
from django.db import transaction

from campaign.models import Turn, UmpireAction
from campaign.services.turns import turn_lock, turn_retry

RUN_TASK = "campaign.tasks.run_turn"


def turn_start(*, turn: Turn, umpire: Any) -> bool:
    """Close an open turn for orders and send it to a worker. Returns False when it was not open any more: nothing is done."""
    with transaction.atomic():
        if not turn_lock(turn=turn, by=umpire.get_username()):
            return False
        _act(turn, umpire, "ran the turn")
        _send(turn)
    return True


def turn_start_again(*, turn: Turn, umpire: Any, reason: str = "") -> bool:
    """Let a failed turn be tried again. Returns False when it has not failed. Rule: G.UM2."""
    with transaction.atomic():
        if not turn_retry(turn=turn):
            return False
        _act(turn, umpire, "tried the turn again", reason)
        _send(turn)
    return True


def _act(turn: Turn, umpire: Any, action: str, reason: str = "") -> None:
    UmpireAction.objects.create(
        campaign=turn.campaign,
        turn=f"{turn.campaign.code}/{turn.number}",
        actor=umpire.get_username(),
        action=action,
        reason=reason,
    )


def _send(turn: Turn) -> None:
    # by name: tasks stand above services, and the sweep finds the turn should the broker lose it
    task: Any = current_app.tasks[RUN_TASK]
    task.delay_on_commit(turn.pk)
