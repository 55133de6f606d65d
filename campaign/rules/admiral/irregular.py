"""What the automatic admiral does with minelayers, flotillas and raiders that have no other task. Rule: G.AA8."""

from __future__ import annotations

from typing import NamedTuple

from battles.engine.core.scenario import Stance
from campaign.rules.admiral.expectation import Expectation
from campaign.rules.admiral.judgement import Judgement
from campaign.rules.chart.types import MILLI, OnArrival, PlaceKind
from campaign.rules.turn.knowledge import OwnFleet

# Hours of sailing to the port that is to be mined or attacked: out and back within two nights.
NEAR_HOURS = 24
# The guard of a port that is attacked by night once the war has begun: behind stronger guns ships at anchor are safe from boats.
WEAK_GUARD = 2
# Miles from an enemy's port within which raiders look for trade.
LANES_MILES = 120
LANES = frozenset({PlaceKind.SEA_AREA, PlaceKind.STRAIT})


class Errand(NamedTuple):
    """What such a fleet is to do: the order on arrival, its place, the verb of the plan, and the reason."""

    deed: OnArrival
    place: str
    verb: str
    why: str
    stance: Stance = Stance.AVOID


def errand(view: Judgement, expect: Expectation, fleet: OwnFleet) -> Errand | None:
    """Lay mines before the nearest enemy port, attack by night the one where an enemy is expected, or raid the nearest quiet lane.

    None for a fleet that can do nothing of the kind, or finds nothing to do. Rule: G.AA8.
    """
    known = view.known
    ports = sorted(
        (expect.hours(fleet, port), port)
        for port in known.enemy_ports
        if known.theatre.places[port].dockyard or known.theatre.places[port].guard
    )
    near = [port for hours, port in ports if hours <= NEAR_HOURS]
    if OnArrival.MINE in fleet.craft:
        bare = [port for port in near if port not in known.war.mined]
        if bare:
            return Errand(
                OnArrival.MINE, bare[0], "mine", f"It lays mines by night before {_name(view, bare[0])}."
            )
        return None
    if OnArrival.TORPEDO in fleet.craft:
        places = known.theatre.places
        there = [
            port
            for port in near
            if expect.at(port) and (not known.war.met or places[port].guard <= WEAK_GUARD)
        ]
        if there:
            why = f"An enemy is expected at {_name(view, there[0])}, a good target for a night attack."
            return Errand(OnArrival.TORPEDO, there[0], "torpedo", why)
    if OnArrival.TRADE in fleet.craft and ports:
        lanes = sorted(
            (expect.hours(fleet, code), code)
            for code, place in known.theatre.places.items()
            if place.kind in LANES and not expect.at(code) and _on_a_lane(view, code, [p for _, p in ports])
        )
        if lanes:
            place = lanes[0][1]
            why = f"No other task needs it, and the enemy's trade passes {_name(view, place)}."
            return Errand(OnArrival.TRADE, place, "trade raid", why)
    return None


def _on_a_lane(view: Judgement, code: str, ports: list[str]) -> bool:
    return any(view.geometry.distance(code, port) <= LANES_MILES * MILLI for port in ports)


def _name(view: Judgement, place: str) -> str:
    return view.known.theatre.places[place].name.split(" (")[0]
