"""The schedule of a campaign's turns, and its own webhook: set by the umpire, written into the umpire's log. Rules: G.CL1, G.UM1.

Every function raises UmpireRefused, with a sentence and nothing changed, when the act cannot be done as things stand.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import time
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.utils import timezone

from campaign.deadlines import DAYS
from campaign.models import Campaign, Notice
from campaign.models.campaigns import MOST_GRACE
from campaign.notices import webhook
from campaign.notices.public import CHANNEL
from campaign.services.mail.notices import word_to_all
from campaign.services.umpire_log import UmpireRefused, act_log, reason_given
from campaign.zones import known_zone

MOST_HOURS = 90 * 24
MOST_SILENT = 20
RHYTHM = (
    "deadline_hours", "deadline_days", "deadline_at", "time_zone", "run_when_ready", "grace_hours", "silent_turns",
)  # fmt: skip


def rhythm_change(
    *, campaign: Campaign, umpire: User, hours: int, weekdays: Collection[int], at: time, zone: str, run_when_ready: bool,
    grace: int, silent: int, reason: str,
) -> list[str]:  # fmt: skip
    """Change when orders close, from the next turn on; grace, running early and silence hold at once. Everyone is notified.

    hours: after the opening, where there are no weekdays (0 Monday to 6 Sunday). Returns what changed, in words; nothing is written
    when nothing did.
    """
    wanted = schedule_columns(
        hours=hours,
        weekdays=weekdays,
        at=at,
        zone=zone,
        run_when_ready=run_when_ready,
        grace=grace,
        silent=silent,
    )
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update(of=("self",)).select_related("book").get(pk=campaign.pk)
        before = rhythm_words(campaign)
        for name, value in wanted.items():
            setattr(campaign, name, value)
        told = [new for old, new in zip(before, rhythm_words(campaign), strict=True) if old != new]
        if not told:
            # the hour of a weekday that is not used, say: no one need know
            campaign.save(update_fields=RHYTHM)
            return []
        reason = reason_given(reason)
        campaign.save(update_fields=RHYTHM)
        act_log(
            campaign=campaign, actor=umpire.get_username(), action="changed the schedule", reason=f"{' '.join(told)} {reason}"
        )  # fmt: skip
        word_to_all(
            campaign=campaign,
            event=f"{campaign.code}-rhythm-{timezone.now():%Y%m%dT%H%M%S%f}",
            title="the schedule has changed",
            text="\n".join(
                [*told, f"The umpire's reason: {reason}", "The deadline of the current turn has not changed."]
            ),
            page="clock",
        )
    return told


def schedule_columns(
    *,
    hours: int,
    weekdays: Collection[int],
    at: time,
    zone: str,
    run_when_ready: bool,
    grace: int,
    silent: int,
) -> dict[str, Any]:
    """A schedule as the columns of a campaign. Raises UmpireRefused for one that cannot be."""
    if not 1 <= hours <= MOST_HOURS:
        raise UmpireRefused(f"A turn can be open for 1 to {MOST_HOURS} hours.")
    if any(day not in range(7) for day in weekdays):
        raise UmpireRefused("Choose weekdays from 0 (Monday) to 6 (Sunday).")
    if not 0 <= grace <= MOST_GRACE:
        raise UmpireRefused(f"The grace period can be 0 to {MOST_GRACE} hours.")
    if not 0 <= silent <= MOST_SILENT:
        raise UmpireRefused(f"Enter 0 to {MOST_SILENT} turns without orders. 0 means never.")
    try:
        known_zone(zone)
    except ValidationError as fault:
        raise UmpireRefused(fault.message) from fault
    values = (hours, sorted(set(weekdays)), at, zone, run_when_ready, grace, silent)
    return dict(zip(RHYTHM, values, strict=True))


def rhythm_words(campaign: Campaign) -> list[str]:
    """A campaign's schedule, a sentence for each part of it; always the same parts in the same order."""
    silent = campaign.silent_turns
    return [
        closing_words(campaign),
        "A turn runs before its deadline when every side is ready."
        if campaign.run_when_ready
        else "A turn runs at its deadline, even if every side is ready earlier.",
        f"After the deadline, a turn waits up to {_count(campaign.grace_hours, 'hour')} for late orders."
        if campaign.grace_hours
        else "There is no grace period after the deadline.",
        f"We notify the umpire when an admiral gives no orders for {_count(silent, 'turn')}."
        if silent
        else "We do not notify the umpire about silent players.",
    ]


def closing_words(campaign: Campaign) -> str:
    """When orders close, in a sentence."""
    if not campaign.deadline_days:
        return f"Orders close {_count(campaign.deadline_hours, 'hour')} after a turn opens."
    days = [DAYS[day] for day in campaign.deadline_days]
    names = days[0] if len(days) == 1 else f"{', '.join(days[:-1])} or {days[-1]}"
    return f"Orders close on the next {names} at {campaign.deadline_at:%H:%M}, {campaign.time_zone} time."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def webhook_set(*, campaign: Campaign, umpire: User, address: str) -> None:
    """Set where public news is posted; "" for nowhere. The log says that it was done, not where.

    Posts that have not gone yet go to the new address, or are withdrawn with the old one.
    """
    address = address.strip()
    if address:
        try:
            URLValidator(schemes=["http", "https"])(address)
            webhook.target_of(address)
        except ValidationError as fault:
            raise UmpireRefused("That is not a valid web address. It should start with https://.") from fault
        except webhook.WebhookRefused as refusal:
            raise UmpireRefused(str(refusal)) from refusal
    with transaction.atomic():
        if not Campaign.objects.filter(pk=campaign.pk).exclude(webhook=address).update(webhook=address):
            return
        campaign.webhook = address
        waiting = campaign.notices.filter(channel=CHANNEL, recipient=None, void="").exclude(
            status=Notice.Status.SENT
        )
        if address:
            waiting.update(address=address)
        else:
            waiting.update(void="webhook taken off")
        action = "set the campaign's webhook" if address else "removed the campaign's webhook"
        act_log(campaign=campaign, actor=umpire.get_username(), action=action)
