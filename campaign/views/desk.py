"""The umpire's desk and what it can do: run, hold, extend, pause, preview, roll back, try again. Rules: G.UM1, G.UM2, G.UM3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from campaign.models import Campaign, Turn
from campaign.selectors.desk.alarms import alarms_of
from campaign.selectors.desk.clock import away_rows
from campaign.selectors.desk.pages import turn_progress
from campaign.selectors.desk.umpires_desk import desk_of
from campaign.selectors.people.access import campaign_for_umpire_or_404, current_turn
from campaign.selectors.people.silence import silent_now
from campaign.services.desk import umpire as acts
from campaign.services.desk.desk import turn_start, turn_start_again
from campaign.services.turn.preview import TRIES, Preview, turn_preview
from campaign.services.turn.rollback import rollback
from campaign.services.umpire_log import UmpireRefused
from campaign.views.requests import HtmxHttpRequest, campaign_page, number_in, posts, reads_and_posts

SAID = {
    "run": "Orders are closed. The turn is queued to run.",
    "hold": "The turn is held.",
    "close": "Orders are closed. The turn is held.",
    "release": "The turn is released. If its orders are closed, it is queued to run.",
    "extend": "The turn has more time.",
    "pause": "The campaign is paused.",
    "resume": "The campaign has resumed.",
    "retry": "The turn is queued to run again.",
    "rollback": "The campaign is back at the start of that turn. Everyone has been notified.",
}


@reads_and_posts
def desk(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The desk. A refusal changes nothing and is shown on the page; a preview is shown and not stored. Raises Http404."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    found: Preview | None = None
    fault = ""
    if request.method == "POST":
        turn = _turn(campaign)
        act = request.POST.get("act", "")
        try:
            if act == "preview" and turn is not None:
                found = turn_preview(turn=turn, umpire=request.user)
            else:
                _do(request, campaign, turn, act)
                messages.success(request, SAID[act])
                return redirect("desk", code)
        except UmpireRefused as refusal:
            fault = str(refusal)
            campaign.refresh_from_db()
    turn = _turn(campaign)
    context = {
        "turn": turn, "desk": desk_of(campaign, turn), "progress": turn_progress(turn, membership), "preview": found,
        "tries": TRIES, "fault": fault,
        "alarms": alarms_of(campaign), "away": away_rows(campaign, membership), "silent": silent_now(campaign),
        "waits": request.POST.get("reason", ""), "latest": campaign.umpire_actions.order_by("-at", "-pk")[:5],
    }  # fmt: skip
    status = 422 if fault else 200
    return campaign_page(request, "campaign/desk.html", campaign, membership, "desk", context, status)


def _turn(campaign: Campaign) -> Turn | None:
    """The present turn with its documents: a preview needs them."""
    return campaign.turns.order_by("-number").first()


def _do(request: HtmxHttpRequest, campaign: Campaign, turn: Turn | None, act: str) -> None:
    """Do one act. Raises UmpireRefused."""
    said: dict[str, Any] = {"umpire": request.user, "reason": request.POST.get("reason", "")[:2000]}
    whole: dict[str, Callable[[], Any]] = {
        "pause": lambda: acts.campaign_pause(campaign=campaign, **said),
        "resume": lambda: acts.campaign_resume(campaign=campaign, **said),
        "rollback": lambda: rollback(
            campaign=campaign, number=number_in(request.POST.get("turn", ""), digits=5),
            same_dice=request.POST.get("same_dice") == "1", **said
        ),
    }  # fmt: skip
    if act in whole:
        whole[act]()
        return
    if turn is None:
        raise UmpireRefused("No turn has opened yet.")
    one: dict[str, Callable[[], Any]] = {
        "run": lambda: acts.turn_run_early(turn=turn, **said),
        "hold": lambda: acts.turn_hold(turn=turn, **said),
        "close": lambda: acts.turn_close(turn=turn, **said),
        "release": lambda: acts.turn_release(turn=turn, **said),
        "extend": lambda: acts.turn_extend(
            turn=turn, hours=number_in(request.POST.get("hours", ""), digits=5), for_good=request.POST.get("for_good") == "1", **said
        ),
        "retry": lambda: _retry(turn, said),
    }  # fmt: skip
    if act not in one:
        raise UmpireRefused("Unknown action. Reload the page and try again.")
    one[act]()


def _retry(turn: Turn, said: dict[str, Any]) -> None:
    if not turn_start_again(turn=turn, **said):
        raise UmpireRefused("The turn has not failed. There is nothing to try again.")


@posts
def turn_run(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The umpire closes the turn for orders and queues it to run."""
    campaign, _ = campaign_for_umpire_or_404(request.user, code)
    turn = current_turn(campaign)
    try:
        if turn is not None and turn_start(turn=turn, umpire=request.user):
            messages.success(request, f"Orders for turn {turn.number} are closed. The turn is queued to run.")
        else:
            messages.warning(request, "There is no open turn to run.")
    except UmpireRefused as refusal:
        messages.warning(request, str(refusal))
    return redirect("campaign", code)


@posts
def turn_retry(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The umpire has a failed turn tried again from its last stored stop."""
    campaign, _ = campaign_for_umpire_or_404(request.user, code)
    turn = current_turn(campaign)
    if turn is not None and turn_start_again(
        turn=turn, umpire=request.user, reason=request.POST.get("reason", "")
    ):
        messages.success(request, f"Turn {turn.number} is queued to run again.")
    else:
        messages.warning(request, "The turn has not failed. There is nothing to try again.")
    return redirect("campaign", code)
