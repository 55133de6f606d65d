"""The umpire's acts: run a turn, try a failed one again. Rule: G.UM1."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaign.selectors.access import campaign_for_umpire_or_404, current_turn
from campaign.services.desk import turn_start, turn_start_again
from campaign.views.requests import HtmxHttpRequest


@login_required
@require_POST
def turn_run(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The umpire closes the turn for orders and has it run."""
    campaign, _ = campaign_for_umpire_or_404(request.user, code)
    turn = current_turn(campaign)
    if turn is not None and turn_start(turn=turn, umpire=request.user):
        messages.success(request, f"Turn {turn.number} is closed for orders and is being run.")
    else:
        messages.warning(request, "There is no open turn to run.")
    return redirect("campaign", code)


@login_required
@require_POST
def turn_retry(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The umpire has a failed turn tried again from its last stored stop."""
    campaign, _ = campaign_for_umpire_or_404(request.user, code)
    turn = current_turn(campaign)
    if turn is not None and turn_start_again(
        turn=turn, umpire=request.user, reason=request.POST.get("reason", "")
    ):
        messages.success(request, f"Turn {turn.number} is tried again.")
    else:
        messages.warning(request, "The turn has not failed; there is nothing to try again.")
    return redirect("campaign", code)
