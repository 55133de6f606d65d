"""Turns whose rules are not installed: they are held, and their umpires hear of it. Nothing runs under other rules. Rules: G.FA1, G.UM2."""

from __future__ import annotations

from django.db import transaction

from battles.engine.pinned.archives import RulesMissing
from campaign.models import Turn
from campaign.services.mail.notices import notices_of_failure
from campaign.services.turn.turns import turn_lock
from campaign.services.umpire_log import SITE, Actor, UmpireRefused, act_log


def turn_lock_or_hold(*, turn: Turn, by: str = "") -> bool:
    """Close a turn for orders, as `turn_lock` does; hold it, with an email to the umpires, when its rules are not installed."""
    try:
        return turn_lock(turn=turn, by=by)
    except RulesMissing as missing:
        turn_hold_for_rules(turn=turn, error=str(missing))
        return False


def turn_hold_for_rules(*, turn: Turn, error: str) -> None:
    """Hold an open turn. Once: a turn that is held is left as it is. error: what is missing, in sentences."""
    with transaction.atomic():
        row = Turn.objects.filter(pk=turn.pk, phase=Turn.Phase.OPEN, hold=False)
        if row.update(hold=True, error=error):
            act_log(campaign=turn.campaign, actor=SITE, turn=turn, action="held the turn", reason=error)
            notices_of_failure(turn=turn, error=error)


def turn_lock_by_umpire(*, turn: Turn, umpire: Actor) -> bool:
    """Close a turn for orders, as `turn_lock` does. Raises UmpireRefused when its rules are not installed."""
    try:
        return turn_lock(turn=turn, by=umpire.get_username())
    except RulesMissing as missing:
        raise UmpireRefused(str(missing)) from missing
