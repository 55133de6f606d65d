"""How a fleet's route will go if the weather holds: the same sailing as in a turn, the fleet alone on the chart, no dice.

The weather is what the fleet's own side has where its fleets are, elsewhere the month's usual. Rules: G.MV1, G.MV2, G.WX1, G.IN1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Strength
from campaign.rules.chart.theatre import geometry
from campaign.rules.chart.types import FleetOrder, OnArrival, TurnFacts, Visibility
from campaign.rules.sailing.beaches import AGAINST_PORTS, BEFORE_PORTS
from campaign.rules.sailing.destinations import sailed_from
from campaign.rules.sailing.movement import sail
from campaign.rules.state.clock import DAY, month
from campaign.rules.state.state import ZoneWeather
from campaign.rules.state.world import Chart
from campaign.rules.turn.turn import standing

LONGEST_DAYS = 28


@dataclass(frozen=True, slots=True)
class Stage:
    """A place that a fleet comes to. hour: of the chart, by whose end she is there; in_turn: before the turn is over."""

    place: str
    hour: int
    in_turn: bool


@dataclass(frozen=True, slots=True)
class Passage:
    """A route as it will go. arrives: False when the end is not reached in four weeks."""

    stages: tuple[Stage, ...]
    arrives: bool


def passage(facts: TurnFacts, order: FleetOrder) -> Passage:
    """Sail an order without faults from the turn's opening to the end of its route. Raises KeyError for an unknown fleet."""
    fleet = facts.fleets[order.fleet]
    route = sailed_from(fleet.position, order.route)
    if not route:
        return Passage((), True)
    # what comes after the end of the route is left out: only who goes against a port stops short of it
    end = order.on_arrival if order.on_arrival in AGAINST_PORTS | BEFORE_PORTS else OnArrival.ANCHOR
    order = replace(order, route=route, on_arrival=end, parts=())
    own = {code: ship for code, ship in facts.ships.items() if ship.fleet == fleet.code}
    alone = replace(facts, fleets={fleet.code: replace(fleet, order=order)}, ships=own, carried={})
    state = standing(alone)
    state.weather = weather_known(facts, fleet.side)
    chart = Chart(alone, state, ScriptedDice(()))
    stages: list[Stage] = []
    for _ in range(LONGEST_DAYS * DAY):
        sail(chart, state.fleets[fleet.code])
        for event in state.events:
            if event.kind in ("passed", "arrived", "lies_off"):
                stages.append(Stage(event.data["place"], state.hour + 1, state.hour < state.end_hour))
            if event.kind in ("arrived", "lies_off"):
                return Passage(tuple(stages), True)
        state.events.clear()
        state.hour += 1
    return Passage(tuple(stages), False)


def weather_known(facts: TurnFacts, side: str) -> dict[str, ZoneWeather]:
    """The weather of every zone as a side may reckon with it: what blows on its own fleets, else the month's usual. Rule: G.IN1."""
    way, at = geometry(facts.theatre), month(facts, facts.first_hour) - 1
    zones = {way.zone(fleet.position) for fleet in facts.fleets.values() if fleet.side == side}
    known: dict[str, ZoneWeather] = {}
    for zone, months in facts.theatre.zones.items():
        usual = ZoneWeather(months[at].prevailing or 0, Strength(months[at].usual), Visibility.CLEAR)
        here = facts.weather.get(zone) if zone in zones else None
        known[zone] = ZoneWeather.read(here) if here else usual
    return known
