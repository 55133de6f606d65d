"""The score and the chronicle of a campaign, each for one reader at a time."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from campaign.selectors.people.access import Role, campaign_for_member_or_404, campaign_for_umpire_or_404
from campaign.selectors.reports.chronicle import chronicle as chronicle_for
from campaign.selectors.reports.score import standings as standings_for
from campaign.services.turn.ending import EndRefused, campaign_close
from campaign.views.requests import HtmxHttpRequest


@login_required
@require_safe
def standings(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Points by side, each with its reason, as far as the reader may know. Rule: G.VP1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    context = {
        "campaign": campaign,
        "membership": membership,
        "here": "standings",
        "standings": standings_for(campaign, membership),
        "umpire": membership.role == Role.UMPIRE,
    }
    return render(request, "campaign/standings.html", context)


@login_required
@require_safe
def chronicle(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The campaign from its beginning as the reader's side knows it; when it is over, whole for everyone. Rule: G.EN1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    context = {
        "campaign": campaign,
        "membership": membership,
        "here": "chronicle",
        "chronicle": chronicle_for(campaign, membership),
    }
    return render(request, "campaign/chronicle.html", context)


@login_required
@require_POST
def close(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The umpire ends the campaign, with a reason. Rule: G.EN1."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    try:
        campaign_close(
            campaign=campaign, umpire=membership.user.get_username(), reason=request.POST.get("reason", "")
        )
    except EndRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, "The campaign is over. Everyone has been notified.")
    return redirect("standings", code)
