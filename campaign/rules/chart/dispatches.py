"""How long news and letters travel, and who in a side knows of an event when. Rules: G.IN2, G.IN4, G.IN5.

Hours of the chart; distances along passages in thousandths of a mile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from campaign.rules.chart.theatre import geometry
from campaign.rules.chart.types import MILLI, PlaceKind, Settings, Theatre

HOURS_A_DAY = 24


def headquarters(theatre: Theatre, nations: Iterable[str]) -> str:
    """Where a side's headquarters are: its port with the greatest dockyard, then most berths; "" when it has no port. Rule: G.IN2."""
    own = set(nations)
    ports = [p for p in theatre.places.values() if p.kind is PlaceKind.PORT and p.owner in own]
    best = min(ports, key=lambda p: (-p.dockyard, -p.berths, p.code), default=None)
    return best.code if best is not None else ""


def travel_hours(theatre: Theatre, start: str, end: str, settings: Settings) -> int:
    """Hours that a dispatch takes between two places at the dispatch speed, whole hours up. Rule: G.IN2."""
    if not settings.dispatch_miles:
        return 0
    miles = geometry(theatre).distance(start, end)
    return -(-miles * HOURS_A_DAY // (settings.dispatch_miles * MILLI))


def codes_in(data: Any) -> Iterator[str]:
    """Every code that an event speaks of, at any depth."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from codes_in(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from codes_in(value)


@dataclass(frozen=True, slots=True)
class Post:
    """The dispatches of one side.

    base: its headquarters, "" for none. landfalls: (hour, fleet) at which own fleets came into own ports, in order.
    """

    theatre: Theatre
    settings: Settings
    base: str
    landfalls: tuple[tuple[int, str], ...] = ()

    def at_base(self, hour: int, near: str, fleets: frozenset[str]) -> int:
        """The hour at which headquarters know of an event. near: place nearest to it; fleets: own ones that were there.

        The first of them that comes into an own port brings the news, unless a dispatch is there before. Rule: G.IN2.
        """
        if not near or not self.base:
            return hour
        sent = hour + travel_hours(self.theatre, near, self.base, self.settings)
        brought = next((at for at, fleet in self.landfalls if at >= hour and fleet in fleets), sent)
        return min(sent, brought)

    def at_place(self, known: int, place: str) -> int:
        """The hour at which someone at a place learns what headquarters knew at an hour. Rules: G.IN2, G.IN4."""
        if not place or not self.base:
            return known
        return known + travel_hours(self.theatre, self.base, place, self.settings)


def landfalls(
    events: Iterable[tuple[int, str, Mapping[str, Any]]], theatre: Theatre, nations: Iterable[str]
) -> tuple[tuple[int, str], ...]:
    """When own fleets came into own ports, from the events of their side. Rule: G.IN2."""
    own = set(nations)
    places = theatre.places
    return tuple(
        (hour, str(data["fleet"]))
        for hour, kind, data in events
        if kind == "arrived"
        and (place := places.get(str(data.get("place")))) is not None
        and place.kind is PlaceKind.PORT
        and place.owner in own
    )


def carrier_fate(*, afloat: bool, own: bool, in_port: bool, in_company: bool) -> str:
    """What has become of a letter that a ship carries: "taken" with her, "lost" with her, "delivered", or "" while she sails.

    own: she sails for the writer's side. in_port: in a port of their side. in_company: with the reader's fleet. Rule: G.IN5.
    """
    if not own:
        return "taken"
    if not afloat:
        return "lost"
    return "delivered" if in_port or in_company else ""
