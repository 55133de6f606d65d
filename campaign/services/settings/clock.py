"""The rhythm of a campaign's turns, and its own webhook: set by the umpire, written into his log. Rules: G.CL1, G.UM1.

Every function raises UmpireRefused, with a sentence and nothing changed, when the act cannot be done as things stand.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import time
from typing import Any

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
    *, campaign: Campaign, umpire: Any, hours: int, weekdays: Collection[int], at: time, zone: str, run_when_ready: bool,
    grace: int, silent: int, reason: str,
) -> list[str]:  # fmt: skip
    """Change when orders close, from the next turn on; grace, running early and silence hold at once. Everybody is told what changed.

    hours: after the opening, where there are no weekdays (0 Monday to 6 Sunday). Returns what changed, in words; nothing is written
    when nothing did.
    """
    if not 1 <= hours <= MOST_HOURS:
        raise UmpireRefused(f"A turn takes orders for 1 to {MOST_HOURS} hours.")
    if any(day not in range(7) for day in weekdays):
        raise UmpireRefused("There are seven days in a week.")
    if not 0 <= grace <= MOST_GRACE:
        raise UmpireRefused(f"There are 0 to {MOST_GRACE} hours of grace.")
    if not 0 <= silent <= MOST_SILENT:
        raise UmpireRefused(f"You are told after 0 to {MOST_SILENT} silent turns; 0 is never.")
    try:
        known_zone(zone)
    except ValidationError as fault:
        raise UmpireRefused(fault.message) from fault
    wanted = dict(
        zip(RHYTHM, (hours, sorted(set(weekdays)), at, zone, run_when_ready, grace, silent), strict=True)
    )
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update(of=("self",)).select_related("book").get(pk=campaign.pk)
        before = rhythm_words(campaign)
        for name, value in wanted.items():
            setattr(campaign, name, value)
        told = [new for old, new in zip(before, rhythm_words(campaign), strict=True) if old != new]
        if not told:
            # the hour of a day that is not kept, say: nobody need be told
            campaign.save(update_fields=RHYTHM)
            return []
        reason = reason_given(reason)
        campaign.save(update_fields=RHYTHM)
        act_log(
            campaign=campaign, actor=umpire.get_username(), action="changed the rhythm", reason=f"{' '.join(told)} {reason}"
        )  # fmt: skip
        word_to_all(
            campaign=campaign,
            event=f"{campaign.code}-rhythm-{timezone.now():%Y%m%dT%H%M%S%f}",
            title="The rhythm of the campaign is changed",
            text="\n".join(
                [*told, f"The umpire: {reason}", "The deadline of the present turn stays as it is."]
            ),
            page="clock",
        )
    return told


def rhythm_words(campaign: Campaign) -> list[str]:
    """A campaign's rhythm, a sentence for each part of it; always the same parts in the same order."""
    silent = campaign.silent_turns
    return [
        closing_words(campaign),
        "A turn is run before its deadline when every side is ready."
        if campaign.run_when_ready
        else "A turn is run at its deadline, even if every side is ready before.",
        f"After the deadline a turn waits up to {_count(campaign.grace_hours, 'hour')} for orders that lack."
        if campaign.grace_hours
        else "After the deadline no orders are waited for.",
        f"The umpire is told of an admiral who is silent for {_count(silent, 'turn')}."
        if silent
        else "The umpire is told of no silent admirals.",
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


def webhook_set(*, campaign: Campaign, umpire: Any, address: str) -> None:
    """Say where what everybody may know is posted; "" for nowhere. The log says that it was done, not where.

    Posts that have not gone yet go to the new address, or are withdrawn with the old one.
    """
    address = address.strip()
    if address:
        try:
            URLValidator(schemes=["http", "https"])(address)
            webhook.target_of(address)
        except ValidationError as fault:
            raise UmpireRefused("That is no web address.") from fault
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
        action = "set the campaign’s webhook" if address else "took the campaign’s webhook off"
        act_log(campaign=campaign, actor=umpire.get_username(), action=action)
