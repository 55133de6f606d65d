"""The calendar: what is to come for the umpire, who may change it, and what the sides have been told. Rules: G.CA1, G.UM1."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from campaign.models import Turn
from campaign.selectors.chart.calendar import calendar_lines
from campaign.selectors.people.access import (
    campaign_for_member_or_404,
    campaign_for_umpire_or_404,
    current_turn,
)
from campaign.services.desk.calendar import calendar_move, calendar_strike
from campaign.services.umpire_log import UmpireRefused
from campaign.views.requests import HtmxHttpRequest, campaign_page, posts, reads


@reads
def calendar(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The calendar as the reader may know it. Raises Http404 for those without a role here."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    turn = current_turn(campaign)
    context = {
        "rows": calendar_lines(campaign, membership),
        "open": turn is not None and turn.phase == Turn.Phase.OPEN,
    }
    return campaign_page(request, "campaign/calendar.html", campaign, membership, "calendar", context)


@posts
def calendar_change(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The umpire moves or strikes an event. Rule: G.UM1."""
    campaign, _ = campaign_for_umpire_or_404(request.user, code)
    turn, row = current_turn(campaign), request.POST.get("row", "")[:40]
    reason = request.POST.get("reason", "")[:300]
    try:
        if request.POST.get("act") == "strike":
            calendar_strike(campaign=campaign, turn=turn, umpire=request.user, code=row, reason=reason)
            messages.success(request, "The event is cancelled.")
        else:
            day = request.POST.get("day", "")[:10]
            calendar_move(campaign=campaign, turn=turn, umpire=request.user, code=row, day=day, reason=reason)
            messages.success(request, "The event has a new day.")
    except UmpireRefused as refusal:
        messages.error(request, str(refusal))
    return redirect("calendar", code)
