"""The sweep: finds every piece of work that waits in the database and sends its id to a worker, whatever the broker has lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Q
from django.utils import timezone

from battles.leases import free
from battles.models import Battle
from campaign.models import Campaign, Turn
from campaign.notices.write import unsent
from campaign.selectors.turn.ongoing import waits_for
from campaign.services.battle.battles import results_lapse, waiting_told
from campaign.services.desk.outages import outages_meet
from campaign.services.desk.umpire_digest import umpire_digests_write
from campaign.services.mail.link_requests import link_requests_due
from campaign.services.mail.reminders import digests_write, lacking, reminder_in_grace, reminders_write
from campaign.services.odds.chunks import odds_due
from campaign.services.turn.missing import turn_lock_or_hold
from campaign.services.turn.readiness import run_those_ready

logger = logging.getLogger(__name__)

Phase = Turn.Phase


@dataclass(slots=True)
class Found:
    """Ids of what has to be worked on."""

    turns: list[int] = field(default_factory=list)
    battles: list[int] = field(default_factory=list)
    notices: list[int] = field(default_factory=list)
    link_requests: list[int] = field(default_factory=list)
    odds: list[int] = field(default_factory=list)


def sweep(*, locked: Callable[[int], Any] | None = None) -> Found:
    """Remind admirals who have given no orders, lock turns whose deadline is past, settle results that no one disputes, list waiting work.

    locked: is told each turn as soon as it is locked, while others still wait for that; such a turn is not listed again. A
    gap since the last sweep is looked into first (G.UM2). Twice in a row is harmless. What fails for one campaign is logged and
    keeps no other waiting; its turn stays open, past its deadline, which the umpire's desk says. Rules: G.BT4, G.BT5, G.UM1.
    """
    touch_heartbeat()
    _tried(outages_meet)
    _tried(results_lapse)
    _tried(waiting_told)
    now = timezone.now()
    _tried(reminders_write, now)
    _tried(digests_write, now)
    _tried(umpire_digests_write, now)
    _tried(run_those_ready, now)
    active = Q(campaign__status=Campaign.Status.ACTIVE)
    due_turns = Turn.objects.filter(active, phase=Phase.OPEN, hold=False, deadline__lte=now)
    told: set[int] = set()
    for turn in due_turns.select_related("campaign__book"):
        if _tried(_locked, turn, now) and locked is not None:
            told.add(turn.pk)
            locked(turn.pk)
    workable = (Phase.LOCKED, Phase.RUNNING, Phase.FIGHTING, Phase.REPORTING)
    fighting = Battle.objects.filter(
        route=Battle.Route.ENGINE, status__in=(Battle.Status.READY, Battle.Status.FIGHTING)
    )
    running = Turn.objects.filter(active & free(now), phase__in=workable)
    running = running.exclude(contacts__battle__in=fighting).select_related("campaign")
    light = running.distinct()
    due = Q(retry_after=None) | Q(retry_after__lte=now)
    return Found(
        turns=[turn.pk for turn in light if turn.pk not in told and not waits_for(turn)],
        battles=list(fighting.filter(free(now)).values_list("pk", flat=True)),
        notices=list(unsent().filter(due & free(now)).order_by("pk").values_list("pk", flat=True)[:500]),
        link_requests=link_requests_due(now),
        odds=odds_due(),
    )


def _locked(turn: Turn, now: datetime) -> bool:
    """Lock a turn past its deadline, unless it waits in its grace period. Returns whether it was locked now."""
    return not _in_grace(turn, now) and bool(turn_lock_or_hold(turn=turn))


def _tried(step: Callable[..., Any], *args: Any) -> Any:
    """What a step returns; None when it fails, which is logged. A database that is away fails them all, and is raised."""
    try:
        return step(*args)
    except DatabaseError:
        raise
    except (
        Exception
    ):  # of one campaign's data or of the program: the other campaigns have their deadlines too
        logger.exception("the sweep goes on without %s%r", step.__name__, args)
        return None


def _in_grace(turn: Turn, now: datetime) -> bool:
    """Whether a turn past its deadline still waits: its campaign gives grace, and someone who is not absent owes orders. They are reminded.

    Rule: G.CL1.
    """
    until = turn.grace_until
    if until is None or now >= until:
        return False
    those = lacking(turn, now)
    reminder_in_grace(turn=turn, now=now, those=those)
    return bool(those)


def touch_heartbeat() -> None:
    """Leave a sign of life for the health page."""
    beat = settings.RUN_DIR / "sweep"
    beat.parent.mkdir(parents=True, exist_ok=True)
    beat.touch()
