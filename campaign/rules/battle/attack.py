"""Attacks on ports: the guard's fire, then a battle against the ships at anchor there. Rule: G.PT1."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.dice import Die
from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Strength
from campaign.rules.battle.scenario import battle_call, gauge_told
from campaign.rules.chart.types import MILLI, OnArrival, Position
from campaign.rules.contact.contact import company_of
from campaign.rules.losses.losses import lose
from campaign.rules.prizes.prizes import defenceless, seize
from campaign.rules.sailing.ports import GUNSHOT_OFF, lies_off
from campaign.rules.state.clock import is_night
from campaign.rules.state.state import Contact, FleetState
from campaign.rules.state.world import Chart


def attack_step(chart: Chart) -> None:
    """Fleets that have come within gunshot of the port that they are to attack go in by day, and not in a gale. Rule: G.PT1."""
    if is_night(chart.facts, chart.hour):
        return
    for code in [fleet.code for fleet in chart.fleets()]:
        fleet = chart.state.fleets[code]
        if _ready(chart, fleet):
            _attack(chart, fleet, lies_off(chart, fleet))


def _ready(chart: Chart, fleet: FleetState) -> bool:
    engaged = any(fleet.code in key for key in chart.state.contacts)
    return (
        fleet.order.on_arrival is OnArrival.ATTACK
        and chart.on_chart(fleet)
        and fleet.still_until <= chart.hour
        and not engaged
        and bool(lies_off(chart, fleet))
        and chart.can_fight(fleet.code)
        and chart.weather(fleet).strength is not Strength.GALE
    )


def _attack(chart: Chart, fleet: FleetState, port: str) -> None:
    """The guard fires first where the set has no batteries of its own; who is left fights what lies in the port. Rule: G.PT1."""
    state = chart.state
    codes = [f.code for f in company_of(chart, fleet)]
    _tell_port(chart, fleet, port)
    if not chart.at_sea.port_batteries:
        _guard_fires(chart, codes, port)
    attackers = [state.fleets[c] for c in codes if chart.ships_of(c)]
    if chart.ships_of(fleet.code):
        _haul_off(chart, state.fleets[fleet.code], port)
    defenders = _in_port(chart, fleet, port)
    if not any(chart.can_fight(f.code) for f in attackers) or not defenders:
        return
    if defenceless(chart, defenders):
        taker = max(attackers, key=lambda f: (chart.value(f.code), f.code))
        seize(chart, taker, defenders)
        return
    _battle(chart, fleet, attackers, defenders)


def _in_port(chart: Chart, fleet: FleetState, port: str) -> list[FleetState]:
    """Hostile fleets at anchor in a port, those first whose side has most ships there; allies fight with them. Rule: G.CO7."""
    there = [
        other
        for other in chart.fleets()
        if other.position == Position(port) and chart.on_chart(other) and chart.ships_of(other.code)
    ]
    foes = [other for other in there if chart.at_war(fleet, other)]
    if not foes:
        return []
    chief = max(foes, key=lambda other: (chart.value(other.code), other.code))
    return [other for other in foes if chart.friends(chief, other)]


def _guard_fires(chart: Chart, codes: list[str], port: str) -> None:
    """Guard times a D6 of hits on every ship that comes in, in the smallest unit of her set; prizes keep out of range. Rule: G.PT1."""
    guard = chart.facts.theatre.places[port].guard
    if not guard:
        return
    for code in codes:
        hits = []
        ships = [ship for ship in chart.ships_of(code) if not ship.prize]
        for ship in ships:
            card = chart.facts.ships[ship.code].card
            (face,) = chart.dice.throw(
                Die.D6, 1, clause="G.PT1", subjects=(chart.hour, port, ship.code), reason="the port's guns"
            )
            hits.append([ship.code, guard * face])
            struck = replace(ship, condition=dict(chart.at_sea.hit(card, ship.condition, guard * face)))
            chart.state.ships[ship.code] = struck
            chart.ships_changed()
        fleet = chart.state.fleets[code]
        chart.tell("guard_fired", "G.PT1", fleet.side, fleet=code, place=port, guard=guard, hits=hits)
        for ship in ships:
            now = chart.state.ships[ship.code]
            if chart.at_sea.hull_fraction(chart.facts.ships[ship.code].card, now.condition) >= 1:
                lose(chart, now, Fate.SUNK, clause="G.PT1", cause="by the guns of the port")


def _tell_port(chart: Chart, fleet: FleetState, port: str) -> None:
    """The attacker knows its fleet; the port's owner knows that it was attacked, and by whom. Rules: G.PT1, G.IN1."""
    owner = chart.facts.theatre.places[port].owner
    sides = [side.code for side in chart.facts.sides.values() if owner in side.nations]
    chart.tell("port_attacked", "G.PT1", fleet.side, fleet=fleet.code, place=port)
    chart.tell("port_assailed", "G.PT1", *sides, place=port, attacker=fleet.side)


def _haul_off(chart: Chart, fleet: FleetState, port: str) -> FleetState:
    """An attack is made once; after it the fleet lies off the port as a blockader. Rules: G.PT1, G.BL1."""
    position = fleet.position
    leg = chart.geometry.legs[position.at, port]
    run = max(0, leg.length - chart.facts.settings.blockade_miles * MILLI)
    return chart.alter(
        fleet,
        position=Position(position.at, port, run) if run else Position(position.at),
        order=replace(fleet.order, on_arrival=OnArrival.BLOCKADE, target=port),
        under_way=False,
    )


def _battle(
    chart: Chart, fleet: FleetState, attackers: list[FleetState], defenders: list[FleetState]
) -> None:
    """Call for the battle: the ships in port are at anchor, and no one outside hears of it in time. Rules: G.PT1, G.BT6, G.CO4."""
    state = chart.state
    chief = max(defenders, key=lambda other: (chart.value(other.code), other.code))
    leg = chart.geometry.legs[fleet.position.at, chief.position.at]
    contact = Contact(fleet.code, chief.code, GUNSHOT_OFF, leg.bearing, since=chart.hour)
    state.battles += 1
    code = f"b{state.battles:02d}"
    call = battle_call(chart, code, contact, attackers, defenders)
    scenario = {**call.scenario, "turn_limit": chart.rules.turn_limit}
    state.calls.append(replace(call, scenario=chart.at_sea.at_anchor(scenario, chief.side)))
    chart.tell(
        "battle", "G.PT1", *(f.side for f in (*attackers, *defenders)), battle=code, place=call.place,
        fleets={side: list(codes) for side, codes in sorted(call.fleets.items())},
        gauge=gauge_told(chart, call), surprised=list(call.scenario["surprised"]), coming=[],
    )  # fmt: skip
    fought = {f.code for f in (*attackers, *defenders)}
    for one in sorted(fought):
        chart.alter(state.fleets[one], off_until=chart.hour + 1, still_until=0)
    for key in sorted(state.contacts):
        if fought & set(key):
            del state.contacts[key]
