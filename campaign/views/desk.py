"""The umpire's desk and what it can do: run, hold, extend, pause, preview, roll back, try again. Rules: G.UM1, G.UM2, G.UM3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control

from campaign.models import Campaign, Membership, Turn
from campaign.selectors.desk.alarms import alarms_of
from campaign.selectors.desk.clock import away_rows
from campaign.selectors.desk.first_steps import first_steps
from campaign.selectors.desk.following import following
from campaign.selectors.desk.umpires_desk import desk_of
from campaign.selectors.people.access import campaign_for_umpire_or_404, current_turn
from campaign.selectors.people.silence import silent_now
from campaign.services.desk import umpire as acts
from campaign.services.desk.desk import turn_start, turn_start_again
from campaign.services.turn.preview import TRIES, Preview, turn_preview
from campaign.services.turn.rollback import rollback
from campaign.services.umpire_log import UmpireRefused
from campaign.views.confirming import Question, answered, asked
from campaign.views.desk_questions import close_question, rollback_question, run_question
from campaign.views.requests import HtmxHttpRequest, campaign_page, number_in, posts, reads, reads_and_posts

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
    """The desk. A refusal changes nothing and is shown on the page; a preview is shown and not stored. Raises Http404.

    What cannot be undone is asked about first.
    """
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
                question = _question(campaign, turn, act, request.POST.get("turn", ""))
                stamp = _stamp(turn)
                if question is not None and not answered(request, stamp):
                    return asked(request, campaign, membership, "desk", question, stamp)
                _do(request, campaign, turn, act)
                messages.success(request, SAID[act])
                return redirect("desk", code)
        except UmpireRefused as refusal:
            fault = str(refusal)
            campaign.refresh_from_db()
    turn = _turn(campaign)
    context = {
        "turn": turn, "desk": desk_of(campaign, turn), **_followed(campaign, turn, membership), "preview": found,
        "tries": TRIES, "fault": fault, "steps": [] if membership.steps_hidden else first_steps(campaign),
        "alarms": alarms_of(campaign), "away": away_rows(campaign, membership), "silent": silent_now(campaign),
        "waits": request.POST.get("reason", ""), "latest": campaign.umpire_actions.order_by("-at", "-pk")[:5],
    }  # fmt: skip
    status = 422 if fault else 200
    return campaign_page(request, "campaign/desk.html", campaign, membership, "desk", context, status)


@reads
def desk_status(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """How far the turn is and whether its emails have gone, polled while there is something to follow; unchanged it costs a 304.

    `?was=` names what was followed: when the turn is over, the whole desk is out of date.
    """
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    context = {"campaign": campaign, **_followed(campaign, current_turn(campaign), membership)}
    followed = context["following"]
    if (
        request.headers.get("If-None-Match", "").removeprefix("W/") == followed.tag
    ):  # weak where it was compressed
        response = HttpResponse(status=304)
    else:
        response = render(request, "campaign/_desk_progress.html", context)
    if request.htmx and request.GET.get("was") == "turn" and followed.what != "turn":
        response["HX-Refresh"] = "true"
    response["ETag"] = followed.tag
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _followed(campaign: Campaign, turn: Turn | None, membership: Membership) -> dict[str, Any]:
    found = following(campaign, turn, membership)
    return {"turn": turn, "following": found, "progress": found.progress}


@posts
def steps_hide(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Put the first steps away, or show them again."""
    _, membership = campaign_for_umpire_or_404(request.user, code)
    membership.steps_hidden = request.POST.get("show") != "1"
    membership.save(update_fields=["steps_hidden"])
    return redirect("desk", code)


def _stamp(turn: Turn | None) -> str:
    """What a question is about: an answer that comes after the turn has moved on is asked again."""
    return f"{turn.name}-{turn.phase}" if turn is not None else ""


def _question(campaign: Campaign, turn: Turn | None, act: str, asked_turn: str) -> Question | None:
    """What is asked before an act that cannot be undone, None for any other. Raises UmpireRefused for what cannot be done anyway."""
    if act == "rollback":
        return rollback_question(campaign, number_in(asked_turn, digits=5))
    if turn is None or act not in ("run", "close") or act not in desk_of(campaign, turn).may:
        return None
    return run_question(campaign, turn) if act == "run" else close_question(campaign, turn)


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
    """The umpire closes the turn for orders and queues it to run, once they have said that they are sure."""
    campaign, membership = campaign_for_umpire_or_404(request.user, code)
    turn = current_turn(campaign)
    if turn is not None and turn.phase == Turn.Phase.OPEN and not answered(request, _stamp(turn)):
        question = run_question(campaign, turn, back="campaign")
        return asked(request, campaign, membership, "campaign", question, _stamp(turn))
    reason = request.POST.get("reason", "")[:2000]
    try:
        if turn is not None and turn_start(turn=turn, umpire=request.user, reason=reason):
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
