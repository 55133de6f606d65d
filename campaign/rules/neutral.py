"""Neutral ports: a day's shelter, then the fleet is interned. Rule: G.NE1."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.fates import Fate
from campaign.rules.losses import end_if_empty
from campaign.rules.state import FleetState
from campaign.rules.types import PlaceKind
from campaign.rules.world import Chart


def neutral_port(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet lies in a port that belongs neither to its side nor to an ally or enemy of it. Rules: G.CH3, G.NE1."""
    place = chart.facts.theatre.places[fleet.position.at]
    if fleet.position.to or place.kind is not PlaceKind.PORT:
        return False
    for other in chart.facts.sides.values():
        tie = frozenset((fleet.side, other.code))
        concerned = other.code == fleet.side or tie in chart.facts.allied or tie in chart.facts.at_war
        if concerned and place.owner in other.nations:
            return False
    return True


def neutral_step(chart: Chart) -> None:
    """Count the hours of guests in neutral ports, and intern who outstays them. Rule: G.NE1."""
    state, stay = chart.state, chart.facts.settings.neutral_hours
    guests: dict[str, int] = {}
    for fleet in chart.fleets():
        if not chart.on_chart(fleet) or not neutral_port(chart, fleet):
            continue
        since = state.guests.get(fleet.code, chart.hour)
        if chart.hour - since < stay:
            guests[fleet.code] = since
        else:
            _intern(chart, fleet)
    state.guests = guests


def _intern(chart: Chart, fleet: FleetState) -> None:
    """Strike the ships of a fleet from the chart until they are released; nobody aboard is lost. Rules: G.NE1, G.BT3."""
    state, ships = chart.state, chart.ships_of(fleet.code)
    for ship in ships:
        state.ships[ship.code] = replace(ship, fleet="", squadron="", captain="", fate=Fate.INTERNED)
        state.marks.pop(ship.code, None)
        state.prizes.pop(ship.code, None)
    chart.ships_changed()
    chart.tell(
        "interned", "G.NE1", fleet.side, fleet=fleet.code, place=fleet.position.at,
        ships=[ship.code for ship in ships],
    )  # fmt: skip
    end_if_empty(chart, fleet.code)
