"""What an umpire does to turns and to the campaign: hold, close, run, extend, pause. Each act is logged with its reason. Rule: G.UM1.

Every function raises UmpireRefused, with a sentence and nothing changed, when the act cannot be done as things stand.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from campaign.deadlines import LEAST_HOURS, moment_of
from campaign.models import Campaign, Turn, TurnDocument
from campaign.notices.public import post_of_pause
from campaign.publishing import RUN_TURN, publish
from campaign.services.battle.battles import results_shift
from campaign.services.mail.notices import notices_of_pause, notices_of_resume
from campaign.services.mail.reminders import deadline_moved
from campaign.services.turn.missing import turn_lock_by_umpire
from campaign.services.umpire_log import Actor, UmpireRefused, act_log, reason_given

MOST_HOURS = 90 * 24
Phase = Turn.Phase


def turn_hold(*, turn: Turn, umpire: Actor, reason: str) -> None:
    """Keep a turn from being run when its deadline passes; while it is open it still takes orders."""
    reason = reason_given(reason)
    with transaction.atomic():
        row = Turn.objects.filter(pk=turn.pk, hold=False)
        if not (
            row.filter(phase=Phase.OPEN).update(hold=True)
            or row.filter(phase=Phase.LOCKED, claim=None)
            .exclude(documents__kind=TurnDocument.Kind.STATE)
            .update(hold=True, phase=Phase.HELD)
        ):
            raise UmpireRefused(f"Turn {turn.number} cannot be held. It is already held or running.")
        _log(turn, umpire, "held the turn", reason)


def turn_close(*, turn: Turn, umpire: Actor, reason: str = "") -> None:
    """Close an open turn for orders without running it; it is held, and can be previewed exactly as it will run."""
    with transaction.atomic():
        if not turn_lock_by_umpire(turn=turn, umpire=umpire):
            raise UmpireRefused(f"Turn {turn.number} is not open for orders.")
        Turn.objects.filter(pk=turn.pk, phase=Phase.LOCKED).update(phase=Phase.HELD, hold=True)
        _log(turn, umpire, "closed the turn for orders", reason)


def turn_release(*, turn: Turn, umpire: Actor, reason: str = "") -> None:
    """Release a held turn: an open one is locked at its deadline again, a closed one is run now."""
    with transaction.atomic():
        row = Turn.objects.filter(pk=turn.pk, hold=True)
        if row.filter(phase=Phase.HELD).update(phase=Phase.LOCKED, hold=False):
            publish(RUN_TURN, turn.pk)
        elif not row.filter(phase=Phase.OPEN).update(hold=False):
            raise UmpireRefused(f"Turn {turn.number} is not held.")
        _log(turn, umpire, "released the turn", reason)


def turn_run_early(*, turn: Turn, umpire: Actor, reason: str = "") -> None:
    """Close an open turn, or take up one that is held, and have it run by a worker."""
    _refuse_paused(turn.campaign)
    with transaction.atomic():
        held = Turn.objects.filter(pk=turn.pk, phase=Phase.HELD).update(phase=Phase.LOCKED, hold=False)
        if not held and not turn_lock_by_umpire(turn=turn, umpire=umpire):
            raise UmpireRefused(f"Turn {turn.number} is not open, so it cannot be run.")
        _log(turn, umpire, "ran the turn", reason)
        publish(RUN_TURN, turn.pk)


def turn_extend(*, turn: Turn, umpire: Actor, hours: int, reason: str, for_good: bool = False) -> None:
    """Give an open turn more hours; for good: every turn to come has as many more."""
    reason = reason_given(reason)
    if not 1 <= hours <= MOST_HOURS:
        raise UmpireRefused(f"A turn can be extended by 1 to {MOST_HOURS} hours.")
    campaign = turn.campaign
    if for_good and campaign.deadline_days:
        raise UmpireRefused(
            "Orders close on fixed weekdays here. To extend later turns too, change the schedule on the Deadlines page."
        )
    if turn.deadline is not None and turn.deadline + timedelta(hours=hours) <= timezone.now():
        raise UmpireRefused("The new deadline would be in the past. Add more hours.")
    with transaction.atomic():
        row = Turn.objects.filter(pk=turn.pk, phase=Phase.OPEN, deadline__isnull=False)
        if not row.update(deadline=F("deadline") + timedelta(hours=hours)):
            raise UmpireRefused(f"Turn {turn.number} is not open for orders, or has no deadline.")
        if for_good:
            Campaign.objects.filter(pk=campaign.pk).update(deadline_hours=F("deadline_hours") + hours)
        more = f"{hours} hours more" + (", and for later turns too" if for_good else "")
        _log(turn, umpire, "extended the turn", f"{more}: {reason}")
        deadline_moved(turn=turn, why=f"The umpire's reason: {reason}")


def turn_deadline_set(*, turn: Turn, umpire: Actor, day: date, at: time, reason: str) -> datetime:
    """Move the deadline of an open turn to a day and hour in the campaign's time zone, later or earlier. Returns it.

    It is not moved nearer than LEAST_HOURS, unless it is later than it was: people who count on the old one need time to answer.
    """
    reason = reason_given(reason)
    now = timezone.now()
    deadline = moment_of(day, at, turn.campaign.time_zone)
    if deadline <= now:
        raise UmpireRefused("That time is in the past. Choose a later one.")
    if deadline > now + timedelta(hours=MOST_HOURS):
        raise UmpireRefused(f"A deadline can be up to {MOST_HOURS // 24} days ahead.")
    soon = deadline < now + timedelta(hours=LEAST_HOURS)
    with transaction.atomic():
        row = Turn.objects.filter(pk=turn.pk, phase=Phase.OPEN)
        old = row.values_list("deadline", flat=True).first()
        if soon and (old is None or deadline < old):
            raise UmpireRefused(
                f"A deadline can be brought forward only to {LEAST_HOURS} hours from now or later."
            )
        if old == deadline:
            raise UmpireRefused("That is already the deadline.")
        if not row.update(deadline=deadline):
            raise UmpireRefused(f"Turn {turn.number} is no longer open for orders.")
        _log(
            turn,
            umpire,
            "moved the deadline",
            f"to {deadline:%a} {deadline.day} {deadline:%b %Y, %H:%M %Z}: {reason}",
        )
        deadline_moved(turn=turn, why=f"The umpire's reason: {reason}")
    return deadline


def campaign_pause(*, campaign: Campaign, umpire: Actor, reason: str) -> None:
    """Pause a campaign: no deadline passes, no turn runs and no result lapses until it is resumed."""
    reason = reason_given(reason)
    with transaction.atomic():
        row = Campaign.objects.filter(pk=campaign.pk, status=Campaign.Status.ACTIVE)
        if not row.update(status=Campaign.Status.PAUSED, paused=timezone.now()):
            raise UmpireRefused(
                f"{campaign.name} is {campaign.get_status_display().lower()}. Only an active campaign can be paused."
            )
        act_log(campaign=campaign, actor=umpire.get_username(), action="paused the campaign", reason=reason)
        notices_of_pause(campaign=campaign, reason=reason)
        post_of_pause(campaign=campaign, resumed=False)


def campaign_resume(*, campaign: Campaign, umpire: Actor, reason: str = "") -> None:
    """Resume a paused campaign; its deadlines are later by as long as it was paused."""
    with transaction.atomic():
        campaign.refresh_from_db(fields=["paused", "status"])
        row = Campaign.objects.filter(pk=campaign.pk, status=Campaign.Status.PAUSED)
        if not row.update(status=Campaign.Status.ACTIVE, paused=None):
            raise UmpireRefused(f"{campaign.name} is not paused.")
        if campaign.paused is not None:
            gap = timezone.now() - campaign.paused
            open_ = campaign.turns.filter(phase=Phase.OPEN, deadline__isnull=False)
            open_.update(deadline=F("deadline") + gap)
            results_shift(campaign=campaign, gap=gap)
        act_log(campaign=campaign, actor=umpire.get_username(), action="resumed the campaign", reason=reason)
        told = notices_of_resume(campaign=campaign, reason=reason)
        post_of_pause(campaign=campaign, resumed=True)
        for turn in campaign.turns.filter(phase=Phase.OPEN, deadline__isnull=False).select_related(
            "campaign__book"
        ):
            deadline_moved(turn=turn, why="The campaign has resumed after a pause.", but=told)
        for turn in campaign.turns.filter(
            phase__in=(Phase.LOCKED, Phase.RUNNING, Phase.FIGHTING, Phase.REPORTING)
        ):
            publish(RUN_TURN, turn.pk)


def _refuse_paused(campaign: Campaign) -> None:
    status = Campaign.objects.values_list("status", flat=True).get(pk=campaign.pk)
    if status == Campaign.Status.PAUSED:
        raise UmpireRefused(f"{campaign.name} is paused. Resume it first.")


def _log(turn: Turn, umpire: Actor, action: str, reason: str) -> None:
    act_log(campaign=turn.campaign, actor=umpire.get_username(), action=action, reason=reason, turn=turn)
