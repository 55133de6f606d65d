"""News, letters and released facts: what comes to a reader by dispatch."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from campaign.accounts import with_article
from campaign.models import Campaign, Membership
from campaign.selectors.people.access import Role, campaign_for_member_or_404, campaign_for_umpire_or_404
from campaign.selectors.people.knowing import ken_of
from campaign.selectors.people.people import name_of
from campaign.selectors.public.gazettes import gazette_rows
from campaign.selectors.public.page import known_to_all
from campaign.selectors.reports import news as dispatches
from campaign.services.mail.letters import LetterRefused, letter_write, letters_open
from campaign.services.settings.releases import FIELDS, ReleaseRefused, facts_release
from campaign.views.requests import HtmxHttpRequest, campaign_page, posts, reads


@reads
def news(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """What has come to the reader: news, letters, facts released to their side. Rules: G.IN2, G.IN3, G.IN5."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    letters = dispatches.letter_rows(campaign, membership)  # as they were: what is new is marked once
    letters_open(reader=membership)
    return _news_page(request, campaign, membership, letters=letters)


def _news_page(
    request: HtmxHttpRequest, campaign: Campaign, membership: Membership, status: int = 200, **more: Any
) -> HttpResponse:
    umpire = membership.role == Role.UMPIRE
    context = {
        "umpire": umpire,
        "gazettes": gazette_rows(campaign, membership),
        "happened": known_to_all(campaign) if membership.role == Role.OBSERVER else (),
        "by_ship": ken_of(membership) is not None,
        "news": dispatches.news_rows(campaign, membership),
        "releases": dispatches.releases_for(campaign, membership),
        "recipients": dispatches.recipients(membership) if membership.role != Role.OBSERVER else (),
        "carriers": dispatches.carriers(membership),
        "fleets": dispatches.fleets_to_release(campaign) if umpire else (),
        "sides": campaign.sides.all() if umpire else (),
        "fields": FIELDS.items() if umpire else (),
        **more,
    }
    return campaign_page(request, "campaign/news.html", campaign, membership, "news", context, status)


@posts
def letter(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Send a letter; a refused one comes back as it was written, with every reason. Rule: G.IN5."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    text, to = request.POST.get("text", ""), request.POST.get("to", "")
    carrier = request.POST.get("carrier", "")
    known = {str(row.pk): row for row in dispatches.recipients(membership)}
    try:
        sent = letter_write(
            sender=membership, recipient=known.get(to, membership), text=text, carrier=carrier
        )
    except LetterRefused as refusal:
        typed = {"text": text, "to": to, "carrier": carrier}
        letters = dispatches.letter_rows(campaign, membership)
        return _news_page(request, campaign, membership, 422, faults=refusal.faults, letters=letters, **typed)
    messages.success(request, f"Your letter to {name_of(sent.recipient.user)} is on its way.")
    return redirect("news", code)


@posts
def release(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The umpire tells a side facts about a fleet that is not its own. Rule: G.IN3."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    asked = request.POST.get("side", "")
    side = campaign.sides.filter(pk=int(asked)).first() if asked.isdecimal() else None
    fleets = {fleet.code: fleet for fleet in dispatches.fleets_to_release(campaign)}
    fleet = fleets.get(request.POST.get("fleet", ""))
    if (side is None and asked != "everyone") or fleet is None:
        messages.error(request, "Choose a side and a fleet of this campaign.")
        return redirect("news", code)
    try:
        rows = facts_release(
            campaign=campaign,
            umpire=membership.user.get_username(),
            side=side,
            fleet=fleet,
            fields=request.POST.getlist("field"),
            reason=request.POST.get("reason", ""),
        )
    except ReleaseRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(
            request,
            f"Released {len(rows)} fact{'s' if len(rows) > 1 else ''} to {with_article(side.name) if side else 'everyone'}.",
        )
    return redirect("news", code)
