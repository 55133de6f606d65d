"""The chart page of a campaign: chart, fleets, sightings, how the turn stands, the ready mark and the umpire's desk."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.utils.crypto import salted_hmac

from campaign.models import Campaign, Membership, Turn
from campaign.selectors.awaits import awaits
from campaign.selectors.chart.chart import chart_page
from campaign.selectors.chart.drawn import LAYERS
from campaign.selectors.desk.clock import grace_of
from campaign.selectors.desk.pages import Progress, turn_progress, umpire_desk
from campaign.selectors.people.access import (
    Role,
    campaign_for_admiral_or_404,
    campaign_for_member_or_404,
    current_turn,
)
from campaign.selectors.reports.reports import last_report
from campaign.services.orders.orders import OrderRefused
from campaign.services.turn.readiness import ready_set
from campaign.views.requests import HtmxHttpRequest, campaign_page, posts, reads


@reads
def campaign(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The chart as the reader's side knows it, with everything that waits for them. `?view=whole` shows all the paper."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    turn = current_turn(campaign)
    whole = request.GET.get("view") == "whole"
    context = {
        **_standing(campaign, membership, turn),
        "chart": chart_page(campaign, membership, turn, whole=whole),
        "whole": whole,
        "layers": LAYERS,
        "latest": last_report(campaign, membership),
        "awaited": awaits(membership, turn),
    }
    return campaign_page(request, "campaign/campaign.html", campaign, membership, "campaign", context)


@reads
def campaign_status(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """How the turn stands, polled while it runs; unchanged it costs a 304."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    turn = current_turn(campaign)
    progress = turn_progress(turn, membership)
    tag = etag_of(progress, membership)
    if request.headers.get("If-None-Match", "").removeprefix("W/") == tag:  # weak where it was compressed
        response = HttpResponse(status=304)
    else:
        context = _standing(campaign, membership, turn)
        response = render(request, "campaign/campaign_status.html", context)
    if request.htmx and not progress.running:
        response["HX-Refresh"] = "true"  # the turn is over: the chart itself is out of date
    response["ETag"] = tag
    patch_cache_control(response, private=True, no_cache=True)
    return response


def etag_of(progress: Progress, membership: Membership) -> str:
    """A tag that changes with everything the status shows, and tells its reader nothing."""
    turn = progress.turn
    shown = [membership.pk, progress.words, progress.ready, progress.battles, progress.fought]
    if turn is not None:
        shown += [turn.number, turn.phase, turn.deadline]
    return f'"{salted_hmac("campaign.status", repr(shown)).hexdigest()[:20]}"'


def _standing(campaign: Campaign, membership: Membership, turn: Turn | None) -> dict[str, Any]:
    umpire = membership.role == Role.UMPIRE
    return {
        "campaign": campaign,
        "membership": membership,
        "turn": turn,
        "progress": turn_progress(turn, membership),
        "umpire": umpire,
        "grace_until": grace_of(turn),
        "desk": umpire_desk(campaign, turn) if umpire and turn is not None else (),
    }


@posts
def ready(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Mark the side's orders as ready, or remove the mark."""
    campaign, membership = campaign_for_admiral_or_404(request.user, code)
    turn = current_turn(campaign)
    if turn is not None:
        marked = request.POST.get("ready") == "1"
        try:
            ready_set(turn=turn, membership=membership, ready=marked)
        except OrderRefused as refusal:
            messages.error(request, str(refusal))
        else:
            said = "Your side is marked ready." if marked else "Your side is no longer marked ready."
            messages.success(request, said)
    return redirect("fleet_table" if request.POST.get("back") == "fleet_table" else "campaign", code)
