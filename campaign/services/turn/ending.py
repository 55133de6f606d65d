"""How a campaign ends: on its date, at a score, or when the umpire closes it. Rule: G.EN1."""

from __future__ import annotations

from datetime import date

from django.db import transaction

from campaign.calendar import moment
from campaign.models import Campaign, Turn, UmpireAction
from campaign.notices.public import post_of_end
from campaign.rules.turn.score import decided
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.reports.score import point_sums
from campaign.selectors.turn.coming import calendar_of
from campaign.services.mail.notices import notices_of_end


class EndRefused(ValueError):
    """A campaign that cannot be closed as it stands; the text says why."""


def reason_to_end(campaign: Campaign) -> str:
    """Why a campaign is over as its last turn closes, in a sentence; "" while it goes on. Rules: G.CA5, G.EN1."""
    settings = settings_from(campaign.settings)
    peace = calendar_of(campaign).peace
    if peace:
        return f"Peace has been made. {campaign.calendar_rows.get(code=peace).text}"
    today = moment(campaign.start_date, 24 * campaign.calendar_day).date()
    if settings.end_date and today >= date.fromisoformat(settings.end_date):
        return f"It has reached its last day, {today.day} {today:%B} {today.year}."
    winner = decided(point_sums(campaign), settings) if settings.end_points else ""
    if winner:
        name = campaign.sides.get(navy__code=winner).name
        return f"{name} has won with {settings.end_points} points or more."
    return ""


def campaign_end(*, campaign: Campaign, reason: str) -> None:
    """Close a campaign whose end has come by its own rules. Called in the transaction that closes its last turn. Rule: G.EN1."""
    _close(campaign, actor="the rules", reason=reason)


def campaign_close(*, campaign: Campaign, umpire: str, reason: str) -> None:
    """The umpire closes a campaign. Its open turn is dropped unplayed; everything written stays readable.

    Raises EndRefused when it is over already, has no reason given, or while a turn is being played. Rules: G.EN1, G.UM1.
    """
    if not reason.strip():
        raise EndRefused("Enter a reason. Everyone can read it in the umpire's log.")
    with transaction.atomic():
        waiting = (Turn.Phase.OPEN, Turn.Phase.HELD, Turn.Phase.FAILED)
        if campaign.turns.exclude(phase__in=(*waiting, Turn.Phase.CLOSED)).exists():
            raise EndRefused("A turn is running. End the campaign when the turn has finished.")
        if (
            not Campaign.objects.filter(pk=campaign.pk)
            .exclude(status=Campaign.Status.CLOSED)
            .update(status=Campaign.Status.CLOSED)
        ):
            raise EndRefused("The campaign is already over.")
        campaign.refresh_from_db()
        _close(campaign, actor=umpire, reason=reason.strip())


def _close(campaign: Campaign, *, actor: str, reason: str) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(status=Campaign.Status.CLOSED)
    campaign.refresh_from_db()
    UmpireAction.objects.create(campaign=campaign, actor=actor, action="ended the campaign", reason=reason)
    notices_of_end(campaign=campaign, reason=reason)
    post_of_end(campaign=campaign)
