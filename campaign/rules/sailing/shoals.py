"""Shoal coasts: who finds the marked channel, who waits outside, and who is safe there. Rules: G.CH4, G.CH5."""

from __future__ import annotations

from battles.engine.core.scenario import Strength
from campaign.rules.chart.types import OnArrival, PlaceKind, Position, Visibility
from campaign.rules.state.clock import is_day
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart


def is_shoal(chart: Chart, place: str) -> bool:
    """Whether a place is a shoal coast. Rule: G.CH1."""
    return chart.facts.theatre.places[place].kind is PlaceKind.SHOAL_COAST


def deep_ships(chart: Chart, fleet: FleetState) -> list[ShipState]:
    """Ships of a fleet that are too deep for shoals, in the order of codes. Rule: G.CH4."""
    ships = sorted(chart.ships_of(fleet.code), key=lambda ship: ship.code)
    return [ship for ship in ships if chart.at_sea.deep(chart.facts.ships[ship.code].card)]


def channel_is_safe(chart: Chart, fleet: FleetState, place: str) -> bool:
    """Whether a fleet finds the channel now: its pilots know it, or it is seen by day in fair weather. Rule: G.CH4."""
    places = chart.facts.theatre.places
    owner = places[place].channel_owner
    if owner and places[owner].owner in chart.facts.sides[fleet.side].nations:
        return True
    weather = chart.state.weather[chart.geometry.zone(Position(place))]
    fair = weather.strength is not Strength.GALE and weather.visibility is not Visibility.FOG
    return fair and is_day(chart.facts, chart.hour)


def waits_outside(chart: Chart, fleet: FleetState, place: str) -> bool:
    """Whether a fleet heaves to before a shoal coast until it finds the channel, as it is told to. Rules: G.CH4, G.MV5."""
    return (
        is_shoal(chart, place)
        and fleet.order.instructions.shoals == "wait"
        and not channel_is_safe(chart, fleet, place)
        and bool(deep_ships(chart, fleet))
    )


def sheltered(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet lies among shoals where no deep ship can follow it through the channel. Rule: G.CH5."""
    return (
        fleet.order.on_arrival is OnArrival.SHELTER
        and not fleet.order.route
        and not fleet.position.to
        and is_shoal(chart, fleet.position.at)
        and not deep_ships(chart, fleet)
    )


def goes_in(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet follows an enemy into its shelter: one without deep ships, or one that is told to dare it. Rules: G.CH5, G.MV5."""
    return fleet.order.instructions.shoals == "dare" or not deep_ships(chart, fleet)
