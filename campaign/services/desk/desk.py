"""What the umpire does from the desk: each act is done and written into the umpire's log in one transaction. Rule: G.UM1."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from campaign.models import Turn
from campaign.publishing import RUN_TURN, publish
from campaign.services.turn.missing import turn_lock_by_umpire
from campaign.services.turn.turns import turn_retry
from campaign.services.umpire_log import act_log


def turn_start(*, turn: Turn, umpire: User, reason: str = "") -> bool:
    """Close an open turn for orders and send it to a worker. Returns False, with nothing done, when it is no longer open."""
    with transaction.atomic():
        if not turn_lock_by_umpire(turn=turn, umpire=umpire):
            return False
        _act(turn, umpire, "ran the turn", reason)
        publish(RUN_TURN, turn.pk)
    return True


def turn_start_again(*, turn: Turn, umpire: User, reason: str = "") -> bool:
    """Let a failed turn be tried again. Returns False when it has not failed. Rule: G.UM2."""
    with transaction.atomic():
        if not turn_retry(turn=turn):
            return False
        _act(turn, umpire, "tried the turn again", reason)
        publish(RUN_TURN, turn.pk)
    return True


def _act(turn: Turn, umpire: User, action: str, reason: str = "") -> None:
    act_log(campaign=turn.campaign, turn=turn, actor=umpire.get_username(), action=action, reason=reason)
