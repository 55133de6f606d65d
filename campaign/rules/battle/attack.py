"""Attacks on ports: the guard's fire, then a battle against the ships at anchor there. Rules: G.PT1, G.LD2, G.LD5."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from battles.engine.core.dice import Die
from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Strength
from campaign.rules.ashore.yards import leave_in_yard, short_handed
from campaign.rules.battle.scenario import battle_call, gauge_told
from campaign.rules.chart.types import MILLI, OnArrival, Position
from campaign.rules.contact.contact import company_of, too_worn
from campaign.rules.losses.losses import lose
from campaign.rules.prizes.prizes import defenceless, seize
from campaign.rules.sailing.beaches import ASSAULTS
from campaign.rules.sailing.movement import off_wind
from campaign.rules.sailing.ports import GUNSHOT_OFF, lies_off
from campaign.rules.state.clock import is_night
from campaign.rules.state.holdings import Assault
from campaign.rules.state.state import Contact, FleetState, ShipState
from campaign.rules.state.world import Chart

# Ships that a port's guns fire at while a company goes in, for each point of its guard. Rule: G.PT1.
UNDER_FIRE = 8


def attack_step(chart: Chart) -> None:
    """Fleets that have come within gunshot of the port that they are to attack go in by day, when the wind lets them, and not in a gale.

    A company goes in together, and once in an hour, whatever orders its fleets have for the port. Rules: G.PT1, G.LD2, G.LD5.
    """
    if is_night(chart.facts, chart.hour):
        return
    gone_in: set[str] = set()
    for code in [fleet.code for fleet in chart.fleets()]:
        fleet = chart.state.fleets[code]
        if code not in gone_in and _ready(chart, fleet):
            gone_in |= _attack(chart, fleet, lies_off(chart, fleet))


def _ready(chart: Chart, fleet: FleetState) -> bool:
    engaged = any(fleet.code in key for key in chart.state.contacts)
    return (
        fleet.order.on_arrival in ASSAULTS
        and chart.on_chart(fleet)
        and fleet.still_until <= chart.hour
        and not engaged
        and bool(lies_off(chart, fleet))
        and chart.can_fight(fleet.code)
        and _wind_serves(chart, fleet)
        and (fleet.order.on_arrival is not OnArrival.LAND or _to_be_silenced(chart, fleet))
    )


def _wind_serves(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet can stand in to the port that it lies off: no gale blows, and its ships can lay the course, or steam. Rule: G.PT1."""
    weather, leg = chart.weather(fleet), chart.geometry.legs[fleet.position.at, lies_off(chart, fleet)]
    angle = off_wind(leg.bearing, weather.wind_from)
    able = (
        hull.full or (weather.strength is not Strength.STILL and angle >= hull.no_go)
        for hull in chart.hulls(fleet.code)
    )
    return weather.strength is not Strength.GALE and all(able)


def _to_be_silenced(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet has to go in before it can land men at a port: its guard speaks still, or hostile ships lie there. Rule: G.LD2."""
    port = lies_off(chart, fleet)
    by = chart.state.holdings.silenced.get(port, "")
    silent = by == fleet.side or frozenset((by, fleet.side)) in chart.facts.allied
    guarded = chart.facts.theatre.places[port].guard > 0 and not silent
    return guarded or is_defended(chart, fleet, port)


def _attack(chart: Chart, fleet: FleetState, port: str) -> set[str]:
    """The guard fires first where the set has no batteries of its own; who is left fights what lies in the port.

    Returns the codes of the fleets that went in. Those that are to land men stay, unless they are beaten off; the others lie off.
    Rules: G.PT1, G.LD2, G.LD5.
    """
    state = chart.state
    codes = [f.code for f in company_of(chart, fleet)]
    tell_port(chart, fleet, port)
    if not chart.at_sea.port_batteries or not hostile_in_port(chart, fleet, port):
        guard_fires(chart, codes, port)
    attackers = [state.fleets[c] for c in codes if chart.ships_of(c)]
    if _beaten_off(chart, attackers, hostile_in_port(chart, fleet, port)):
        chart.tell("beaten_off", "G.PT1", fleet.side, fleet=fleet.code, place=port)
        state.holdings.tried[fleet.side, port] = chart.hour
        for one in attackers:
            if lies_off(chart, one) == port:
                haul_off(chart, one, port)
        return set(codes)
    orders = {f.code: f.order.on_arrival for f in attackers if lies_off(chart, f) == port}
    for kind in (OnArrival.LAND, OnArrival.RAID):
        chief = next((code for code in sorted(orders) if orders[code] is kind), "")
        if chief:
            row = Assault(port, chart.hour, chief, tuple(f.code for f in attackers), kind is OnArrival.RAID)
            state.holdings.assaults = (*state.holdings.assaults, row)
    careful = bool({OnArrival.LAND, OnArrival.RAID} & set(orders.values()))
    for code, kind in orders.items():
        if kind in (OnArrival.ATTACK, OnArrival.RAID):
            haul_off(chart, state.fleets[code], port)
    defenders = fighting_in_port(chart, fleet, port) if careful else hostile_in_port(chart, fleet, port)
    if not any(chart.can_fight(f.code) for f in attackers) or not defenders:
        return set(codes)
    if defenceless(chart, defenders):
        taker = max(attackers, key=lambda f: (chart.value(f.code), f.code))
        seize(chart, taker, defenders)
    else:
        battle_in_port(chart, fleet, attackers, defenders)
    return set(codes)


def _beaten_off(chart: Chart, attackers: list[FleetState], defenders: list[FleetState]) -> bool:
    """Whether the captains of an attack would not fight the ships in the port any more, when the guns have fired. Rules: G.CO1, G.PT1."""
    own = sum((chart.value(fleet.code) for fleet in attackers), Fraction(0))
    if not own:
        return False
    cards, there = chart.facts.ships, (ship for fleet in defenders for ship in chart.ships_of(fleet.code))
    ready = [ship for ship in there if not ship.prize and not laid_up(chart, ship)]
    enemy = sum((chart.at_sea.value(cards[ship.code].card, ship.condition) for ship in ready), Fraction(0))
    chief = max(attackers, key=lambda fleet: (chart.value(fleet.code), fleet.code))
    return too_worn(chart, chief, enemy / own)


def laid_up(chart: Chart, ship: ShipState) -> bool:
    """Whether a ship in port is in no state to fight: in a yard, or without the men to sail her. Rules: G.LD4, G.LD5."""
    return chart.moored(ship) or short_handed(chart, ship)


def is_defended(chart: Chart, fleet: FleetState, port: str) -> bool:
    """Whether a hostile ship lies in a port that can still fight. Rules: G.LD2, G.LD5."""
    return any(
        not ship.prize and hull.factor and not chart.moored(ship)
        for other in hostile_in_port(chart, fleet, port)
        for ship, hull in zip(chart.ships_of(other.code), chart.hulls(other.code), strict=True)
    )


def fighting_in_port(chart: Chart, fleet: FleetState, port: str) -> list[FleetState]:
    """Hostile fleets in a port that lie there under a flag; ships in a yard or without men are put apart first. Rules: G.LD2, G.LD5.

    Of a fleet that has ships of both kinds, those that cannot fight become a fleet of their own.
    """
    found = []
    for other in hostile_in_port(chart, fleet, port):
        ships = chart.ships_of(other.code)
        idle = [ship for ship in ships if laid_up(chart, ship)]
        if idle and len(idle) < len(ships):
            leave_in_yard(chart, other, idle)
        if len(idle) < len(ships):
            found.append(chart.state.fleets[other.code])
    return found


def hostile_in_port(chart: Chart, fleet: FleetState, port: str) -> list[FleetState]:
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


def guard_fires(chart: Chart, codes: list[str], port: str, *, clause: str = "G.PT1") -> None:
    """Guard times a D6 of hits, in the smallest unit of the set, on the ships that come under the guns; prizes keep out of range.

    clause: by which the guns fire; it keeps apart the dice of one hour. Rules: G.PT1, G.LD4, G.LD5.
    """
    guard = chart.facts.theatre.places[port].guard
    if not guard:
        return
    foremost = _foremost(chart, codes, UNDER_FIRE * guard)
    for code in codes:
        hits = []
        ships = [ship for ship in chart.ships_of(code) if ship.code in foremost]
        if not ships:
            continue
        for ship in ships:
            card = chart.facts.ships[ship.code].card
            (face,) = chart.dice.throw(
                Die.D6, 1, clause=clause, subjects=(chart.hour, port, ship.code), reason="the port's guns"
            )
            hits.append([ship.code, guard * face])
            struck = replace(ship, condition=dict(chart.at_sea.hit(card, ship.condition, guard * face)))
            chart.state.ships[ship.code] = struck
            chart.ships_changed()
        fleet = chart.state.fleets[code]
        chart.tell("guard_fired", clause, fleet.side, fleet=code, place=port, guard=guard, hits=hits)
        for ship in ships:
            now = chart.state.ships[ship.code]
            if not chart.at_sea.afloat(chart.facts.ships[ship.code].card, now.condition):
                lose(chart, now, Fate.SUNK, clause=clause, cause="by the guns of the port")


def _foremost(chart: Chart, codes: list[str], number: int) -> frozenset[str]:
    """The ships of a company that come under the guns: so many, the most valuable when whole, because they lead in. Rule: G.PT1."""
    cards = chart.facts.ships
    ships = [ship for code in codes for ship in chart.ships_of(code) if not ship.prize]
    ships.sort(key=lambda ship: (-chart.at_sea.whole_value(cards[ship.code].card), ship.code))
    return frozenset(ship.code for ship in ships[:number])


def tell_port(chart: Chart, fleet: FleetState, port: str) -> None:
    """The attacker knows its fleet; the port's owner knows that it was attacked, and by whom. Rules: G.PT1, G.IN1."""
    owner = chart.facts.theatre.places[port].owner
    sides = [side.code for side in chart.facts.sides.values() if owner in side.nations]
    chart.tell("port_attacked", "G.PT1", fleet.side, fleet=fleet.code, place=port)
    chart.tell("port_assailed", "G.PT1", *sides, place=port, attacker=fleet.side)


def haul_off(chart: Chart, fleet: FleetState, port: str) -> FleetState:
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


def battle_in_port(
    chart: Chart,
    fleet: FleetState,
    attackers: list[FleetState],
    defenders: list[FleetState],
    *,
    clause: str = "G.PT1",
    unawares: bool = False,
) -> None:
    """Call for the battle: the ships in port are at anchor, and no one outside hears of it in time. Rules: G.PT1, G.BT6, G.CO4.

    unawares: the ships in port are surprised, whatever they have in sight.
    """
    state = chart.state
    chief = max(defenders, key=lambda other: (chart.value(other.code), other.code))
    leg = chart.geometry.legs[fleet.position.at, chief.position.at]
    contact = Contact(fleet.code, chief.code, GUNSHOT_OFF, leg.bearing, since=chart.hour)
    state.battles += 1
    code = f"b{state.battles:02d}"
    call = battle_call(chart, code, contact, attackers, defenders)
    guard = chart.rules.port_in(chart.facts.theatre.places[chief.position.at].guard)
    options = {**call.scenario["options"], **guard}
    caught = [chief.side] if unawares else call.scenario["surprised"]
    scenario = {
        **call.scenario, "turn_limit": chart.rules.turn_limit, "options": options, "surprised": caught,
    }  # fmt: skip
    state.calls.append(replace(call, scenario=chart.at_sea.at_anchor(scenario, chief.side)))
    chart.tell(
        "battle", clause, *(f.side for f in (*attackers, *defenders)), battle=code, place=call.place,
        fleets={side: list(codes) for side, codes in sorted(call.fleets.items())},
        gauge=gauge_told(chart, call), surprised=list(caught), coming=[],
    )  # fmt: skip
    fought = {f.code for f in (*attackers, *defenders)}
    for one in sorted(fought):
        chart.alter(state.fleets[one], off_until=chart.hour + 1, still_until=0)
    for key in sorted(state.contacts):
        if fought & set(key):
            del state.contacts[key]
