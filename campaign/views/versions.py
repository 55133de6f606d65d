"""The versions of the rules: what a newer one changes, and the umpire takes it or stays with the present one. Rules: G.FA1, G.UM1."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from campaign.selectors.desk.versions import versions_of
from campaign.selectors.people.access import campaign_for_umpire_or_404
from campaign.services.settings.versions import rules_keep, rules_take
from campaign.services.umpire_log import UmpireRefused
from campaign.views.requests import HtmxHttpRequest, campaign_page, reads_and_posts


@reads_and_posts
def rules_version(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """What changes with the newest version. A post takes it, or stays with the present one. Raises Http404."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    fault, reason = "", request.POST.get("reason", "")[:2000]
    if request.method == "POST":
        wanted = request.POST.get("version", "")
        try:
            if request.POST.get("act") == "take":
                rules_take(campaign=campaign, umpire=request.user, reason=reason, wanted=wanted)
                messages.success(
                    request, "The new version comes when the next turn opens. Everyone has been notified."
                )
            else:
                rules_keep(campaign=campaign, umpire=request.user, wanted=wanted)
                messages.success(request, "The campaign stays with its present rules.")
            return redirect("rules_version", code)
        except UmpireRefused as refusal:
            fault = str(refusal)
            campaign.refresh_from_db()
    context = {"versions": versions_of(campaign), "fault": fault, "reason": reason}
    status = 422 if fault else 200
    return campaign_page(
        request, "campaign/rules_version.html", campaign, membership, "desk", context, status
    )
