"""Outages: turns overdue while nothing ran are shifted, held or run, as the campaign's settings say. Rule: G.UM2."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from campaign.models import Campaign, Heartbeat, Turn
from campaign.rules.turn.snapshots import settings_from
from campaign.services.battle.battles import results_shift
from campaign.services.mail.notices import word_to_umpires
from campaign.services.mail.reminders import deadline_moved
from campaign.services.umpire_log import SITE, act_log

SHIFT = "shift"
HOLD = "hold"
RUN = "run"
_LOGGED = {SHIFT: "postponed the deadline", HOLD: "held the turn", RUN: "ran the turn"}
_TOLD = {
    SHIFT: "All deadlines have been postponed by the length of the outage.",
    HOLD: "The turn is held until you release it.",
    RUN: "The turn is running now, as the campaign settings say.",
}


def outages_meet() -> int:
    """Check the time since the last sweep; where a turn fell due in a long gap, do what its campaign's settings say. Returns how many.

    Call it at the beginning of every sweep, before turns are locked. Rule: G.UM2.
    """
    now = timezone.now()
    last = Heartbeat.objects.order_by("pk").first()
    if last is None:
        Heartbeat.objects.get_or_create(pk=1, defaults={"at": now})  # two first sweeps at once leave one row
        return 0
    # only one of two sweeps at once sees the gap
    if not Heartbeat.objects.filter(pk=last.pk, at=last.at).update(at=now):
        return 0
    if now - last.at < timedelta(hours=1):
        return 0
    overdue = Turn.objects.filter(
        campaign__status=Campaign.Status.ACTIVE, phase=Turn.Phase.OPEN, hold=False, deadline__lte=now
    )
    return sum(
        _met(turn, last.at, now) for turn in overdue.select_related("campaign__book", "campaign__theatre")
    )


def _met(turn: Turn, last: datetime, now: datetime) -> bool:
    """Deal with one overdue turn; False when it is not overdue by more than the grace. last: the last sign of life."""
    campaign = turn.campaign
    settings = settings_from(campaign.settings)
    grace = timedelta(hours=settings.outage_hours)
    if turn.deadline is None or now - last <= grace or now - turn.deadline <= grace:
        return False
    gap = now - last
    wish = settings.after_outage if settings.after_outage in _LOGGED else SHIFT
    if wish == RUN and turn.grace_until is not None and turn.grace_until > now:
        return False  # its own grace period continues, and the sweep runs it after that
    hours = round(gap.total_seconds() / 3600)
    span = "1 hour" if hours == 1 else f"{hours} hours"
    with transaction.atomic():
        open_ = Turn.objects.filter(pk=turn.pk, phase=Turn.Phase.OPEN)
        if wish == SHIFT:
            open_.update(deadline=F("deadline") + gap)
            results_shift(campaign=campaign, gap=gap)
            deadline_moved(turn=turn, why=f"The site was down for {span}.")
        elif wish == HOLD:
            open_.update(hold=True)
        act_log(
            campaign=campaign,
            actor=SITE,
            turn=turn,
            action=_LOGGED[wish],
            reason=f"the site was down for {span}",
        )
        word_to_umpires(
            campaign=campaign, event=f"{campaign.code}-T{turn.name}-outage-{last:%Y%m%d%H%M}",
            title=f"the site was down for {span}",
            text=f"Turn {turn.number} fell due while the site was down. {_TOLD[wish]}",
        )  # fmt: skip
    return True
