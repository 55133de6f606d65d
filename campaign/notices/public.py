"""The campaign's own webhook: posts to a club's channel of what everyone may know, strangers included. Rule: G.IN1.

A post is a row of the outbox without a recipient, one per event and campaign. It is made of numbers, calendar dates and words
from the public log. It never draws on a side's reports, fleets or battles.
"""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from campaign.models import Campaign, Notice, Turn
from campaign.notices.write import message_id
from campaign.templatetags.gage import at_time_text, turn_dates

CHANNEL = "campaign"
KIND = "public"


def post_write(*, campaign: Campaign, event: str, title: str, text: str) -> Notice | None:
    """Put a post into the outbox, once per event. Returns None for a campaign without a webhook.

    Call it in the transaction that makes the event true.
    """
    if not campaign.webhook:
        return None
    address = f"{settings.SITE_URL}{reverse('campaign', args=[campaign.code])}"
    row, _ = Notice.objects.get_or_create(
        event=event,
        campaign=campaign,
        channel=CHANNEL,
        recipient=None,
        defaults={
            "kind": KIND,
            "address": campaign.webhook,
            "subject": f"{campaign.name}: {title}"[:200],
            "text": f"{text}\n{address}\n",
            "message_id": message_id(event, 0),
        },
    )
    return row


def closes(campaign: Campaign, turn: Turn) -> str:
    """When orders for a turn close, in the campaign's time zone, as a sentence."""
    if turn.deadline is None:
        return "No deadline: the umpire closes orders."
    with timezone.override(ZoneInfo(campaign.time_zone)):
        return f"Orders close on {at_time_text(turn.deadline)}."


def post_of_turn(*, turn: Turn, following: Turn | None) -> None:
    """A turn has been run, and another is open unless the campaign is over."""
    campaign = turn.campaign
    lines = [f"Turn {turn.number} has been run: {turn_dates(turn, campaign)}."]
    if following is not None:
        lines.append(f"Turn {following.number} is open. {closes(campaign, following)}")
    title = f"turn {turn.number} has been run"
    post_write(
        campaign=campaign, event=f"{campaign.code}-T{turn.name}-run", title=title, text="\n".join(lines)
    )


def post_of_deadline(*, turn: Turn) -> None:
    """The deadline of a turn has moved."""
    campaign = turn.campaign
    post_write(
        campaign=campaign,
        event=f"{campaign.code}-T{turn.name}-deadline-{turn.deadline:%Y%m%dT%H%M}",
        title=f"the deadline for turn {turn.number} has moved",
        text=closes(campaign, turn),
    )


def post_of_pause(*, campaign: Campaign, resumed: bool) -> None:
    """A campaign has been paused or resumed."""
    what = "resumed" if resumed else "paused"
    post_write(
        campaign=campaign,
        event=f"{campaign.code}-{what}-{timezone.now():%Y%m%dT%H%M%S}",
        title="the campaign has resumed" if resumed else "the campaign is paused",
        text="All deadlines have been postponed by the length of the pause."
        if resumed
        else "No deadlines apply until it resumes.",
    )


def post_of_end(*, campaign: Campaign) -> None:
    """A campaign is over."""
    text = "The campaign is over. Its reports and final score remain open to everyone who took part."
    post_write(campaign=campaign, event=f"{campaign.code}-over", title="the campaign is over", text=text)
