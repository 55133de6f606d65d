"""The step of the ports: attacks, what comes of them for landings and raids, and fleets in a port that has fallen.

Rules: G.PT1, G.LD2, G.LD4, G.LD5.
"""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.scenario import Stance
from campaign.rules.battle.attack import attack_step, battle_in_port, guard_fires, haul_off, is_defended
from campaign.rules.chart.types import MILLI, FleetOrder, OnArrival, Position
from campaign.rules.contact.contact import company_of, pair
from campaign.rules.landing.raids import raid
from campaign.rules.landing.stowage import at_place, enemies, friends, owners
from campaign.rules.sailing.ports import lies_off
from campaign.rules.state.clock import is_night
from campaign.rules.state.holdings import Assault
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart


def port_step(chart: Chart) -> None:
    """Attacks on ports, and what follows from those that are over. Rules: G.PT1, G.LD2, G.LD4, G.LD5."""
    _settle(chart)
    _turn_out(chart)
    attack_step(chart)
    _settle(chart)


def _settle(chart: Chart) -> None:
    """Ask of every assault whose fleets are all back on the chart what came of it. Rules: G.LD2, G.LD5."""
    state = chart.state
    waiting = []
    for assault in state.holdings.assaults:
        known = [state.fleets[code] for code in assault.fleets]
        fleets = [fleet for fleet in known if not fleet.ended and chart.ships_of(fleet.code)]
        if any(not chart.on_chart(fleet) for fleet in fleets):
            waiting.append(assault)
        elif fleets:
            fleets.sort(key=lambda fleet: (fleet.code != assault.chief, fleet.code))
            _over(chart, assault, fleets)
    state.holdings.assaults = tuple(waiting)


def _over(chart: Chart, assault: Assault, fleets: list[FleetState]) -> None:
    """A raid is thrown for, or the guard is silent, if no hostile ship that can fight is left; else it has failed."""
    chief, port = fleets[0], assault.port
    if port not in chart.closed[chief.side]:
        return
    able = [fleet for fleet in fleets if chart.can_fight(fleet.code)]
    held = not able or is_defended(chart, chief, port)
    if assault.raid:
        if held:
            chart.tell("assault_failed", "G.LD5", chief.side, fleet=chief.code, place=port, raid=True)
        else:
            raid(chart, assault, fleets)
        return
    landers = [
        fleet for fleet in fleets if fleet.order.on_arrival is OnArrival.LAND and at_place(chart, fleet, port)
    ]
    if held:
        for fleet in landers:
            if lies_off(chart, fleet) == port:
                haul_off(chart, fleet, port)
        chart.tell("assault_failed", "G.LD2", chief.side, fleet=chief.code, place=port, raid=False)
    elif landers:
        chart.state.holdings.silenced[port] = chief.side
        chart.tell("guard_silenced", "G.LD2", chief.side, *owners(chart, port), fleet=chief.code, place=port)


def guards_recover(chart: Chart) -> None:
    """A guard speaks again once no fleet lies before it to land men, and no enemy is ashore. Rule: G.LD2."""
    holdings = chart.state.holdings
    for port, by in sorted(holdings.silenced.items()):
        watched = any(
            friends(chart, by, fleet.side)
            and fleet.order.on_arrival in (OnArrival.LAND, OnArrival.EMBARK)
            and at_place(chart, fleet, port)
            for fleet in chart.fleets()
        )
        ashore = any(place == port and friends(chart, by, side) for side, place in holdings.ashore)
        if not watched and not ashore:
            del holdings.silenced[port]


def _turn_out(chart: Chart) -> None:
    """Fleets in a port that has fallen to their enemy fight who lies before it, as by an attack; else they go under its guns.

    Rules: G.LD4, G.PT1.
    """
    for port in sorted(chart.state.holdings.owners):
        there = [
            fleet
            for fleet in chart.fleets()
            if fleet.position == Position(port) and port in chart.closed[fleet.side] and chart.on_chart(fleet)
        ]
        if not there:
            continue
        captors = [
            fleet
            for fleet in chart.fleets()
            if any(friends(chart, fleet.side, owner) for owner in owners(chart, port))
            and fleet.position.to
            and at_place(chart, fleet, port)
            and chart.on_chart(fleet)
            and chart.can_fight(fleet.code)
        ]
        if captors and not is_night(chart.facts, chart.hour) and _fight(chart, captors, there, port):
            continue
        for fleet in there:
            _put_to_sea(chart, chart.state.fleets[fleet.code], port)


def _fight(chart: Chart, captors: list[FleetState], there: list[FleetState], port: str) -> bool:
    """One battle against the fleets in the port, the first of them that are not under a truce with the captor's. Rule: G.PT1."""
    chief = max(captors, key=lambda fleet: (chart.value(fleet.code), fleet.code))
    foes = [
        fleet
        for fleet in there
        if enemies(chart, chief.side, fleet.side)
        and chart.can_fight(fleet.code)
        and pair(chief.code, fleet.code) not in chart.state.truces
    ]
    if not foes:
        return False
    # the captor's ships come from the end of the passage that they lie on
    near = chief.position.to if chief.position.at == port else chief.position.at
    leader = replace(chief, position=Position(near))
    attackers = [f for f in company_of(chart, chief) if f in captors or f.code == chief.code]
    battle_in_port(chart, leader, attackers, foes)
    return True


def _put_to_sea(chart: Chart, fleet: FleetState, port: str) -> None:
    """The port's guns fire once on a fleet that leaves it, which makes for the nearest port of its own. Rules: G.LD4, G.PT1."""
    guard_fires(chart, [fleet.code], port, clause="G.LD4")
    fleet = chart.state.fleets[fleet.code]
    if fleet.ended or not chart.ships_of(fleet.code):
        return
    home = chart.nearest_own_port(fleet.position, fleet.side)
    way = chart.geometry.route(port, home, chart.closed[fleet.side]) if home else ()
    first = way[0] if way else chart.geometry.neighbours[port][0]
    run = min(chart.facts.settings.blockade_miles * MILLI, chart.geometry.legs[port, first].length - 1)
    order = FleetOrder(fleet.code, way or (first,), Stance.AVOID, OnArrival.ANCHOR, fleet.order.instructions)
    chart.alter(
        fleet, position=Position(port, first, run), order=order, path=(), under_way=True, off_until=0,
        still_until=0,
    )  # fmt: skip
    chart.tell("turned_out", "G.LD4", fleet.side, fleet=fleet.code, place=port)
