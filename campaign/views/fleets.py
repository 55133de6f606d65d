"""A fleet: its squadrons and ships, the shifting of flags, and ships moved between squadrons. Rule: G.MV4."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect

from campaign.models import Membership, Station, Turn
from campaign.selectors.chart.fleet import fleet_page, ship_of, squadron_of
from campaign.selectors.chart.reach import reach_of
from campaign.selectors.people.access import (
    campaign_for_admiral_or_404,
    campaign_for_member_or_404,
    current_turn,
    station_for_member_or_404,
)
from campaign.selectors.people.commanding import may_command
from campaign.selectors.turn.groups import groups_now
from campaign.services.turn.turns import turn_opens_at
from campaign.views.requests import HtmxHttpRequest, campaign_page, posts, reads
from fleets.services.ships import ship_assign, squadron_flagship_set


@reads
def fleet(request: HtmxHttpRequest, code: str, fleet: str) -> HttpResponse:
    """A fleet with its squadrons and ships, for its own side and the umpire."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    station = station_for_member_or_404(membership, fleet)
    turn = current_turn(campaign)
    context = {
        "turn": turn,
        "page": fleet_page(campaign, station, turn),
        "editable": _editable(membership, station, turn),
        "may_order": membership.side is not None and not station.fleet.ended,
        "alone": fleet in groups_now(campaign, turn),
    }
    return campaign_page(request, "campaign/fleet.html", campaign, membership, "campaign", context)


@reads
def reach(request: HtmxHttpRequest, code: str, fleet: str) -> JsonResponse:
    """How far a fleet can sail in the open turn, for its own side and the umpire: {"path", "words"}. Raises Http404. Rule: G.IN1."""
    campaign, membership = campaign_for_member_or_404(request.user, code)
    station = station_for_member_or_404(membership, fleet)
    turn = current_turn(campaign)
    if turn is None or turn.phase != Turn.Phase.OPEN or station.fleet.ended:
        return JsonResponse({"path": "", "words": ""})
    return JsonResponse(asdict(reach_of(campaign, station, turn)))


def _editable(membership: Membership, station: Station, turn: Turn | None) -> bool:
    """Whether the reader may change the fleet now: they command it and the turn is open for orders."""
    opened = turn is not None and turn.phase == Turn.Phase.OPEN
    return opened and not station.held_by and may_command(membership=membership, fleet=station.fleet)


@posts
def flagship(request: HtmxHttpRequest, code: str, fleet: str) -> HttpResponse:
    """Shift a squadron's flag to another of its ships."""
    return _edited(request, code, fleet, squadron_flagship_set, "Flag shifted.")


@posts
def ship_move(request: HtmxHttpRequest, code: str, fleet: str) -> HttpResponse:
    """Move a ship to another squadron of its fleet."""
    told = "{ship.name} now sails with {squadron.name}."
    return _edited(request, code, fleet, ship_assign, told)


def _edited(
    request: HtmxHttpRequest, code: str, fleet: str, act: Callable[..., Any], told: str
) -> HttpResponse:
    """Change a ship and a squadron of a fleet by a service. told: what was done. Raises Http404 where the reader may not."""
    campaign, membership = campaign_for_admiral_or_404(request.user, code)
    station = station_for_member_or_404(membership, fleet)
    turn = current_turn(campaign)
    if turn is None or not _editable(membership, station, turn):
        raise Http404("not theirs to change, or not now")
    squadron = squadron_of(station, request.POST.get("squadron", ""))
    ship = ship_of(campaign, station, request.POST.get("ship", ""))
    if squadron is None or ship is None:
        raise Http404("no such squadron or ship in this fleet")
    try:
        act(ship=ship, squadron=squadron, when=turn_opens_at(turn))
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    else:
        messages.success(request, told.format(ship=ship, squadron=squadron))
    return redirect("fleet", code, fleet)
