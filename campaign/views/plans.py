"""The umpire's page of the automatic admirals' plans. Rule: G.AA6."""

from __future__ import annotations

from django.http import Http404, HttpResponse

from campaign.selectors.desk.plans import plan_turns, side_plans
from campaign.selectors.people.access import campaign_for_umpire_or_404, turn_for_member_or_404
from campaign.views.requests import HtmxHttpRequest, campaign_page, reads


@reads
def plans(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """What each side without a player means to do in a turn, the newest by default. Raises Http404 for everyone but the umpire."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    numbers = plan_turns(campaign)
    wanted = request.GET.get("turn", "")
    if wanted and (not wanted.isdecimal() or int(wanted) not in numbers):
        raise Http404("no plan for that turn")
    number = int(wanted) if wanted else next(iter(numbers), None)
    turn = turn_for_member_or_404(campaign, number) if number is not None else None
    context = {
        "turn": turn,
        "numbers": numbers,
        "plans": side_plans(campaign, turn) if turn is not None else [],
    }
    return campaign_page(request, "campaign/plans.html", campaign, membership, "desk", context)
