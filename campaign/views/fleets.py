"""A fleet: its squadrons and ships, the shifting of flags, and ships moved between squadrons. Rule: G.MV4."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from campaign.models import Campaign, Membership, Station, Turn
from campaign.selectors.chart.fleet import fleet_page, ship_of, squadron_of
from campaign.selectors.people.access import (
    campaign_for_admiral_or_404,
    campaign_for_member_or_404,
    current_turn,
    station_for_member_or_404,
)
from campaign.services.orders.orders import may_command
from campaign.services.turn.turns import turn_opens_at
from campaign.views.requests import HtmxHttpRequest
from fleets.services.ships import ship_assign, squadron_flagship_set


@login_required
@require_safe
def fleet(request: HtmxHttpRequest, code: str, fleet: str) -> HttpResponse:
    """A fleet with its squadrons and ships, for its own side and the umpire."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    station = station_for_member_or_404(membership, fleet)
    turn = current_turn(campaign)
    context = {
        "campaign": campaign,
        "membership": membership,
        "turn": turn,
        "here": "campaign",
        "page": fleet_page(campaign, station, turn),
        "editable": _editable(membership, station, turn),
        "may_order": membership.side is not None and not station.fleet.ended,
    }
    return render(request, "campaign/fleet.html", context)


def _editable(membership: Membership, station: Station, turn: Turn | None) -> bool:
    """Whether the reader may change the fleet now: they command it and the turn is open for orders."""
    opened = turn is not None and turn.phase == Turn.Phase.OPEN
    return opened and not station.held_by and may_command(membership=membership, fleet=station.fleet)


@login_required
@require_POST
def flagship(request: HtmxHttpRequest, code: str, fleet: str) -> HttpResponse:
    """Shift a squadron's flag to another of its ships."""
    campaign, station, when = _to_edit(request, code, fleet)
    squadron = squadron_of(station, request.POST.get("squadron", ""))
    ship = ship_of(campaign, station, request.POST.get("ship", ""))
    if squadron is None or ship is None:
        raise Http404("no such squadron or ship in this fleet")
    _try(
        request,
        lambda: squadron_flagship_set(squadron=squadron, ship=ship, when=when),
        "Flag shifted.",
    )
    return redirect("fleet", code, fleet)


@login_required
@require_POST
def ship_move(request: HtmxHttpRequest, code: str, fleet: str) -> HttpResponse:
    """Move a ship to another squadron of its fleet."""
    campaign, station, when = _to_edit(request, code, fleet)
    squadron = squadron_of(station, request.POST.get("squadron", ""))
    ship = ship_of(campaign, station, request.POST.get("ship", ""))
    if squadron is None or ship is None:
        raise Http404("no such squadron or ship in this fleet")
    said = f"{ship.name} now sails with {squadron.name}."
    _try(request, lambda: ship_assign(ship=ship, squadron=squadron, when=when), said)
    return redirect("fleet", code, fleet)


def _to_edit(request: HtmxHttpRequest, code: str, fleet: str) -> tuple[Campaign, Station, str]:
    """The fleet that a reader is about to change, and chart time. Raises Http404 where they may not."""
    campaign, membership = campaign_for_admiral_or_404(request.user, code)
    station = station_for_member_or_404(membership, fleet)
    turn = current_turn(campaign)
    if turn is None or not _editable(membership, station, turn):
        raise Http404("not theirs to change, or not now")
    turn.campaign = campaign
    return campaign, station, turn_opens_at(turn)


def _try(request: HtmxHttpRequest, act: Any, said: str) -> None:
    try:
        act()
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    else:
        messages.success(request, said)
