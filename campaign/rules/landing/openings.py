"""What an opening says of soldiers, read with all its faults by path before a campaign begins. Rules: G.LD1, G.LD2, G.LD5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from battles.engine.core.errors import Fault
from campaign.rules.chart.types import OnArrival, PlaceKind, Theatre
from campaign.rules.sailing.beaches import OF_TROOPS

_BEACHES = (PlaceKind.PORT, PlaceKind.ANCHORAGE, PlaceKind.SHOAL_COAST)
_HAVENS = (PlaceKind.PORT, PlaceKind.ANCHORAGE)


def landing_faults(opening: Mapping[str, Any], theatre: Theatre) -> Iterator[Fault]:
    """Everything wrong with an opening's orders about soldiers: where they end, and that the side has soldiers to land.

    opening: the document of a theatre's opening, {} for none. An army is an event of its calendar (G.CA4).
    """
    armies = {
        row["do"].get("side")
        for row in opening.get("calendar", ())
        if isinstance(row, Mapping) and row.get("kind") == "army" and isinstance(row.get("do"), Mapping)
    }
    for side, plan in opening.get("sides", {}).items():
        for number, fleet in enumerate(plan.get("fleets", ())):
            orders = fleet.get("orders", {})
            here = f"sides.{side}.fleets[{number}].orders"
            arrival = orders.get("on_arrival", "")
            end = (orders.get("route") or [fleet.get("place", "")])[-1]
            if arrival not in {*OF_TROOPS, OnArrival.RAID} or end not in theatre.places:
                continue
            if fault := _place_fault(theatre, OnArrival(arrival), end):
                yield Fault(f"{here}.route", fault)
            if arrival in OF_TROOPS and side not in armies:
                text = f"{fleet['name']} is to {arrival}, but the calendar brings no army of {side}. Add one, or change the order."
                yield Fault(f"{here}.on_arrival", text)


def _place_fault(theatre: Theatre, arrival: OnArrival, end: str) -> str:
    place = theatre.places[end]
    if arrival is OnArrival.RAID:
        return "" if place.kind is PlaceKind.PORT else f"{place.name} is not a port, so no one can raid it."
    if arrival is OnArrival.LAND:
        good = place.kind in _BEACHES and not place.no_beach
        return "" if good else f"{place.name} has no beach, so no one can land there."
    if place.kind in _HAVENS:
        return ""
    return f"{place.name} is neither a port nor an anchorage, so no one can {arrival.value} there."
