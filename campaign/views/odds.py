"""Odds: what would come of a battle, from what the reader knows. The answer is theirs alone, and sharpens while they watch.

Works without scripts; htmx asks for the answer every second while battles are fought.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from battles.engine.core.scenario import Stance
from campaign.models import Campaign, Membership, Turn
from campaign.selectors.odds.asked import Asked, asked_of_contact, asked_of_fleets
from campaign.selectors.odds.meetings import contact_choices, contacts_known, fleets_by_side
from campaign.selectors.odds.reading import odds_of, odds_page
from campaign.selectors.people.access import (
    Role,
    campaign_for_member_or_404,
    current_turn,
    station_for_member_or_404,
)
from campaign.services.odds.asking import PRECISIONS, USUAL, OddsRefused, odds_ask, odds_stop
from campaign.views.requests import HtmxHttpRequest, campaign_page, number_in, reads, reads_and_posts

# What the enemy is supposed to mean to do.
STANCES = {Stance.SEEK: "attacks", Stance.HOLD: "stands", Stance.AVOID: "gets away if it can"}


@reads_and_posts
def odds(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The reader's question with its answer so far, and a form for another. Raises Http404 for observers and strangers."""
    campaign, membership = _reader(request, code)
    turn = current_turn(campaign)
    if request.method != "POST":
        return _shown(request, campaign, membership, turn)
    if request.POST.get("act") == "stop":
        odds_stop(membership=membership)
        return redirect("odds", code)
    try:
        asked = _asked(request, membership, turn)
        within = number_in(request.POST.get("within", ""), digits=2) or USUAL
        odds_ask(membership=membership, turn=asked[1], asked=asked[0], within=within)
    except OddsRefused as refusal:
        return _shown(request, campaign, membership, turn, fault=str(refusal))
    return redirect("odds", code)


@reads
def odds_status(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The answer alone, for the page that asks for it every second."""
    campaign, membership = _reader(request, code)
    run = odds_of(membership)
    context = {"odds": odds_page(run) if run is not None else None, "turn": current_turn(campaign)}
    return campaign_page(request, "campaign/_odds_answer.html", campaign, membership, "odds", context)


def _reader(request: HtmxHttpRequest, code: str) -> tuple[Campaign, Membership]:
    campaign, membership = campaign_for_member_or_404(request.user, code)
    if membership.role == Role.OBSERVER:
        raise Http404("an observer has no fleets")
    return campaign, membership


def _asked(request: HtmxHttpRequest, membership: Membership, turn: Turn | None) -> tuple[Asked, Turn]:
    """The question that a form asks. Raises OddsRefused; Http404 for a fleet that the reader may not see."""
    if turn is None:
        raise OddsRefused("No turn has opened yet, so no fleet is at sea.")
    fleet, other = request.POST.get("fleet", ""), request.POST.get("enemy", "")
    if not fleet:
        raise OddsRefused("Choose a fleet.")
    station = station_for_member_or_404(membership, fleet)
    if membership.role == Role.UMPIRE:
        asked = asked_of_fleets(turn, station.fleet.code, other)
        if asked is None:
            raise OddsRefused("Choose two fleets with ships whose sides are at war.")
        return asked, turn
    if station.held_by or station.fleet.ended:
        raise OddsRefused(f"{station.fleet.name} is in battle or has no ships. Choose another fleet.")
    number = number_in(request.POST.get("contact", ""))
    report = next((row for row in contacts_known(membership, turn) if row.number == number), None)
    if report is None:
        raise OddsRefused("Choose a contact that has been seen lately.")
    stance = request.POST.get("stance", "")
    meant = Stance(stance) if stance in set(Stance) else Stance.SEEK
    asked = asked_of_contact(membership, turn, station, report, meant)
    if asked is None:
        raise OddsRefused(
            "No register lists a ship that this contact could be, and your side has none of the kind. Choose another contact."
        )
    return asked, turn


def _shown(
    request: HtmxHttpRequest, campaign: Campaign, membership: Membership, turn: Turn | None, fault: str = ""
) -> HttpResponse:
    run = odds_of(membership)
    umpire = membership.role == Role.UMPIRE
    chosen: dict[str, Any] = {**(run.about if run is not None else {}), **request.POST.dict()}
    context = {
        "turn": turn, "odds": odds_page(run) if run is not None else None, "fault": fault, "umpire": umpire,
        "sides": fleets_by_side(membership), "stances": STANCES, "precisions": PRECISIONS, "usual": USUAL, "chosen": chosen,
        "contacts": contact_choices(membership, turn) if turn is not None and not umpire else [],
    }  # fmt: skip
    return campaign_page(
        request, "campaign/odds.html", campaign, membership, "odds", context, 422 if fault else 200
    )
