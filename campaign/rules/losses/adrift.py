"""Movement that follows no route: what wind and sea do with a fleet, and the shore that waits for it. Rule: G.CH2."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.fates import Fate
from campaign.rules.chart.points import miles_between
from campaign.rules.chart.types import MILLI, PlaceKind, Position
from campaign.rules.losses.losses import disabled, lose
from campaign.rules.sailing.movement import off_wind
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart


def carried_to(chart: Chart, fleet: FleetState, bearing: int, miles: int) -> Position:
    """Where so many thousandths of a mile on a bearing bring a fleet: along the passage nearest to it, or nowhere. Rule: G.CH2.

    Ships are driven past no place: the movement ends at the passage's end, and outside the shore of a port that is closed to them.
    """
    geometry, settings, position = chart.geometry, chart.facts.settings, fleet.position
    if position.to:
        length = geometry.legs[position.at, position.to].length
        ways = [position, Position(position.to, position.at, length - position.run)]
    else:
        ways = [Position(position.at, end) for end in geometry.neighbours[position.at]]
    near = [(off_wind(geometry.legs[way.at, way.to].bearing, bearing), way.to, way) for way in ways]
    off, _, way = min(near, key=lambda row: row[:2], default=(360, "", position))
    if off > settings.carried_degrees:
        return position
    length, run = geometry.legs[way.at, way.to].length, way.run + miles
    if way.to in chart.closed[fleet.side]:
        run = min(run, max(way.run, length - settings.shore_miles * MILLI))
    if run >= length:
        return Position(way.to)
    return replace(way, run=run) if run else Position(way.at)


def carry(chart: Chart, fleet: FleetState, bearing: int, miles: int) -> None:
    """Carry a fleet off, and let its disabled ships throw for the shore that they come to. Rule: G.CH2."""
    position = carried_to(chart, fleet, bearing, miles)
    if position == fleet.position:
        return
    fleet = chart.alter(fleet, position=position, under_way=False)
    if not on_a_shore(chart, fleet):
        return
    for ship in disabled(chart, fleet):
        face = chart.dice.d6(clause="G.CH2", subjects=(chart.hour, ship.code, "shore"), reason="lee shore")
        if face <= chart.facts.settings.wrecked_at:
            lose(chart, ship, Fate.WRECKED, clause="G.CH2", cause="driven ashore")


def on_a_shore(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet is at a shoal coast, or near a port that is not its own. Rule: G.CH2."""
    places, position = chart.facts.theatre.places, fleet.position
    if not position.to and places[position.at].kind is PlaceKind.SHOAL_COAST:
        return True
    own, here = chart.facts.sides[fleet.side].nations, chart.point(position)
    strange = [p.code for p in places.values() if p.kind is PlaceKind.PORT and p.owner not in own]
    near = chart.facts.settings.shore_miles * MILLI
    return any(miles_between(here, chart.geometry.places[code]) <= near for code in strange)
