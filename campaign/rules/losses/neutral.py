"""Neutral ports: a day's shelter; who is damaged is interned at once, who outstays it later. Rule: G.NE1."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.fates import Fate
from campaign.rules.chart.types import PlaceKind
from campaign.rules.losses.losses import end_if_empty
from campaign.rules.sailing.beaches import OF_TROOPS, may_land
from campaign.rules.state.duties import Interned
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart


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
        if not chart.on_chart(fleet) or not neutral_port(chart, fleet) or _holds(chart, fleet):
            continue
        since = state.guests.get(fleet.code, chart.hour)
        ships = chart.ships_of(fleet.code)
        if chart.hour - since >= stay:
            _intern(chart, fleet, ships)
            continue
        guests[fleet.code] = since
        kept = tuple(ship for ship in ships if _kept_at_once(chart, ship))
        if kept:
            _intern(chart, fleet, kept)
    state.guests = guests


def _holds(chart: Chart, fleet: FleetState) -> bool:
    """Whether no one can intern a fleet: it lands soldiers at a neutral port that no one guards, or its side's are there. Rule: G.LD2."""
    port = fleet.position.at
    if (fleet.side, port) in chart.state.holdings.ashore:
        return True
    return fleet.order.on_arrival in OF_TROOPS and may_land(chart.facts, fleet.side, port)


def _kept_at_once(chart: Chart, ship: ShipState) -> bool:
    """Whether a neutral keeps a ship as soon as she comes in: one that is damaged, under sail or steam. Rule: G.NE1."""
    return chart.at_sea.hull_fraction(chart.facts.ships[ship.code].card, ship.condition) > 0


def _intern(chart: Chart, fleet: FleetState, ships: tuple[ShipState, ...]) -> None:
    """Strike ships from the chart until they are released; no one aboard is lost. Rules: G.NE1, G.BT3."""
    state = chart.state
    for ship in ships:
        state.ships[ship.code] = replace(ship, fleet="", squadron="", captain="", fate=Fate.INTERNED)
        state.duties.interned[ship.code] = Interned(fleet.position.at, chart.hour, ship.side)
        state.marks.pop(ship.code, None)
        state.prizes.pop(ship.code, None)
    chart.ships_changed()
    chart.tell(
        "interned", "G.NE1", fleet.side, fleet=fleet.code, place=fleet.position.at,
        ships=[ship.code for ship in ships],
    )  # fmt: skip
    end_if_empty(chart, fleet.code)
