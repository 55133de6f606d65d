"""Where an order may lead, and what a fleet may do at the end of its route. Rules: G.CH1, G.CH5, G.MV2, G.BL1, G.LD1, G.PT1."""

from __future__ import annotations

from collections.abc import Sequence

from battles.engine import registry
from battles.engine.core.errors import OrderFault
from campaign.rules.chart.theatre import geometry
from campaign.rules.chart.types import (
    FleetFacts,
    FleetOrder,
    OnArrival,
    Part,
    PlaceKind,
    Position,
    ShipSheet,
    Theatre,
    TurnFacts,
)
from campaign.rules.sailing.beaches import (
    AGAINST_PORTS,
    BEFORE_PORTS,
    OF_TROOPS,
    is_beach,
    is_haven,
    may_land,
)
from campaign.rules.state.clock import moment
from campaign.rules.state.holdings import Holdings
from campaign.rules.state.world import enemy_ports


def sailed_from(position: Position, route: tuple[str, ...]) -> tuple[str, ...]:
    """The route without the place where the fleet lies already, which a player may name first."""
    if not position.to and route and route[0] == position.at:
        return route[1:]
    return route


def route_faults(
    facts: TurnFacts, fleet: FleetFacts, route: tuple[str, ...], on_arrival: OnArrival, *, standing: bool
) -> list[OrderFault]:
    """What is wrong with a route from where a fleet is: unknown places, places that do not join, enemies' ports.

    An enemy's port may be the last place of a blockade, an attack, a landing or a raid, of mines laid or swept and torpedo attacks, or
    where own men are to be taken off. standing: as in `order_faults`. Rules: G.CH1, G.LD2, G.MN1, G.MV2, G.NT1, G.PT1.
    """
    places = facts.theatre.places
    unknown = [code for code in dict.fromkeys(route) if code not in places]
    if unknown:
        return [
            OrderFault("order/no-such-place", "G.MV2", f"There is no place {code!r} on the chart.")
            for code in unknown
        ]
    faults: list[OrderFault] = []
    legs, position = geometry(facts.theatre).legs, fleet.position
    route = sailed_from(position, route)
    if not standing and not joins_route(facts.theatre, position, route):
        faults.append(_unjoined(places[position.at].name, places[route[0]].name))
    for here, there in zip(route, route[1:], strict=False):
        if (here, there) not in legs:
            faults.append(_unjoined(places[here].name, places[there].name))
    closed = enemy_ports(facts, fleet.side)
    against = on_arrival in AGAINST_PORTS | BEFORE_PORTS or (
        on_arrival is OnArrival.EMBARK and route and (fleet.side, route[-1]) in holdings_of(facts).ashore
    )
    entered = route[:-1] if against else route
    for code in dict.fromkeys(entered):
        if code in closed:
            text = f"{places[code].name} is an enemy port. A fleet can enter it only by attacking it."
            faults.append(OrderFault("order/enemy-port", "G.PT1", text))
    return faults


def joins_route(theatre: Theatre, position: Position, route: tuple[str, ...]) -> bool:
    """Whether a fleet can set out for the first place of a route from where it is, without any other between. Rule: G.CH1."""
    route = sailed_from(position, route)
    if not route or route[0] in (position.at, position.to):
        return True
    return not position.to and (position.at, route[0]) in geometry(theatre).legs


def _unjoined(here: str, there: str) -> OrderFault:
    return OrderFault("order/places-do-not-join", "G.CH1", f"No passage leads from {here} to {there}.")


def arrival_faults(
    facts: TurnFacts, fleet: FleetFacts, order: FleetOrder, *, standing: bool
) -> list[OrderFault]:
    """What is wrong with what a fleet is to do at the end of its route. Rules: G.MV2, G.CH5, G.BL1, G.PT1."""
    if order.on_arrival in OF_TROOPS | {OnArrival.RAID}:
        return [] if standing else troop_faults(facts, fleet, order)
    if order.on_arrival in AGAINST_PORTS:
        return _port_faults(facts, fleet, order)
    own = [ship for ship in facts.ships.values() if ship.fleet == fleet.code]
    if order.on_arrival in BEFORE_PORTS:
        return [] if standing else torpedo_age_faults(facts, fleet, order, own)
    if order.on_arrival is OnArrival.TRADE:
        return [] if standing else trade_faults(facts, fleet, order, own)
    if order.on_arrival is OnArrival.ESCORT:
        return charge_faults(facts, fleet, order.target)
    if order.on_arrival is OnArrival.SHELTER and not standing:
        return shelter_faults(facts, order.route[-1] if order.route else fleet.position.at, own)
    return []


def _port_faults(facts: TurnFacts, fleet: FleetFacts, order: FleetOrder | Part) -> list[OrderFault]:
    """A blockade, an attack and a raid are of an enemy's port. Rules: G.BL1, G.LD5, G.PT1."""
    port = order.target or (order.route[-1] if order.route else "")
    if port in enemy_ports(facts, fleet.side):
        return []
    deed, clause = _DEEDS[order.on_arrival]
    text = f"To {deed} a port, end the route at a port of a side that you are at war with."
    return [OrderFault("order/no-enemy-port", clause, text)]


_DEEDS = {
    OnArrival.BLOCKADE: ("blockade", "G.BL1"),
    OnArrival.ATTACK: ("attack", "G.PT1"),
    OnArrival.RAID: ("raid", "G.LD5"),
}


def troop_faults(facts: TurnFacts, fleet: FleetFacts, order: FleetOrder | Part) -> list[OrderFault]:
    """What is wrong with a landing, a raid, or men to be taken aboard or put ashore. Rules: G.LD1, G.LD2, G.LD5."""
    if facts.settings.landings != "on":
        text = "This campaign is played without troops and landings. Choose another order on arrival."
        return [OrderFault("order/no-landings", "G.LD1", text)]
    if order.on_arrival is OnArrival.RAID:
        return _port_faults(facts, fleet, order)
    place = order.route[-1] if order.route else geometry(facts.theatre).nearest(fleet.position)
    name = facts.theatre.places[place].name
    if order.on_arrival is OnArrival.LAND:
        if may_land(facts, fleet.side, place):
            return []
        if is_beach(facts, place):
            text = f"{name} does not belong to your enemies. To put men ashore there, disembark them."
        else:
            text = f"Men cannot land at {name}. End the route at an enemy port, anchorage or shoal coast."
        return [OrderFault("order/no-beach", "G.LD2", text)]
    ashore = order.on_arrival is OnArrival.EMBARK and (fleet.side, place) in holdings_of(facts).ashore
    if ashore or is_haven(facts, fleet.side, place):
        return []
    deed = "embark" if order.on_arrival is OnArrival.EMBARK else "disembark"
    text = (
        f"Men cannot {deed} at {name}. End the route at a port or an anchorage of your side or your allies."
    )
    return [OrderFault("order/no-haven", "G.LD1", text)]


def holdings_of(facts: TurnFacts) -> Holdings:
    """Whose men are ashore where as a turn opens. Rule: G.LD2."""
    return Holdings.read(facts.carried.get("holdings", {}))


def charge_faults(facts: TurnFacts, fleet: FleetFacts, target: str) -> list[OrderFault]:
    """An escort keeps company with another fleet of its side, which is no escort itself. Rule: G.MV2."""
    charge = facts.fleets.get(target)
    if charge is None or charge.side != fleet.side or charge.code == fleet.code:
        text = "Choose another fleet of your side to escort."
        return [OrderFault("order/no-charge", "G.MV2", text)]
    if charge.order.on_arrival is OnArrival.ESCORT:
        text = f"{charge.name} is itself an escort. Escort the fleet that it escorts."
        return [OrderFault("order/no-charge", "G.MV2", text)]
    return []


def shelter_faults(facts: TurnFacts, at: str, ships: Sequence[ShipSheet]) -> list[OrderFault]:
    """Only shallow ships lie among shoals, and only at a shoal coast. Rule: G.CH5."""
    place = facts.theatre.places[at]
    if place.kind is not PlaceKind.SHOAL_COAST:
        text = f"{place.name} is not a shoal coast. To shelter among shoals, end the route at a shoal coast."
        return [OrderFault("order/no-shelter", "G.CH5", text)]
    deep = registry.rule_set(facts.rule_set).at_sea.deep
    names = sorted(ship.name for ship in ships if deep(ship.card))
    if names:
        text = f"{names[0]} is too deep to lie among shoals ({len(names) - 1} more in this fleet are too)."
        return [OrderFault("order/too-deep", "G.CH5", text)]
    return []


def trade_faults(
    facts: TurnFacts, fleet: FleetFacts, order: FleetOrder | Part, ships: Sequence[ShipSheet]
) -> list[OrderFault]:
    """What is wrong with an order to raid trade. Rules: G.NC1, G.NC2."""
    at_sea = registry.rule_set(facts.rule_set).at_sea
    if at_sea.trade is None:
        text = "The rules of this campaign do not know this order. Choose another order on arrival."
        return [OrderFault("order/unknown-to-rules", "G.NC1", text)]
    faults = []
    place = facts.theatre.places[
        order.route[-1] if order.route else geometry(facts.theatre).nearest(fleet.position)
    ]
    if place.kind not in (PlaceKind.SEA_AREA, PlaceKind.STRAIT):
        text = f"No merchantmen pass {place.name}. To raid trade, end the route in the open sea or a strait."
        faults.append(OrderFault("order/no-lane", "G.NC1", text))
    if not any(at_sea.stops_trade(ship.card) for ship in ships):
        text = f"{fleet.name} has no ship that stops merchantmen. Send a cruiser or an armed merchantman."
        faults.append(OrderFault("order/no-raider", "G.NC1", text))
    return faults


def torpedo_age_faults(
    facts: TurnFacts, fleet: FleetFacts, order: FleetOrder | Part, ships: Sequence[ShipSheet]
) -> list[OrderFault]:
    """What is wrong with an order to lay mines, to sweep them, or to attack with torpedoes by night. Rules: G.MN1, G.MN3, G.NT1."""
    at_sea = registry.rule_set(facts.rule_set).at_sea
    clause = {OnArrival.MINE: "G.MN1", OnArrival.SWEEP: "G.MN3"}.get(order.on_arrival, "G.NT1")
    if not (at_sea.strikes_by_night if order.on_arrival is OnArrival.TORPEDO else at_sea.lays_mines):
        text = "The rules of this campaign do not know this order. Choose another order on arrival."
        return [OrderFault("order/unknown-to-rules", clause, text)]
    if order.on_arrival is OnArrival.TORPEDO:
        others = sorted(ship.name for ship in ships if not at_sea.torpedo_craft(ship.card))
        if not others and ships:
            return []
        who = others[0] if others else fleet.name
        text = f"Only torpedo craft and scouts attack by night. {who} is not one of them."
        return [OrderFault("order/no-torpedo-craft", clause, text)]
    place = facts.theatre.places[order.route[-1] if order.route else fleet.position.at]
    faults = []
    if place.kind is PlaceKind.SEA_AREA:
        text = f"{place.name} is open sea, where no mines lie. End the route at a port, an anchorage, a strait or a shoal coast."
        faults.append(OrderFault("order/no-mines-there", clause, text))
    year = moment(facts.start_date, facts.first_hour).year
    if order.on_arrival is OnArrival.MINE and not any(at_sea.mines(ship.card) for ship in ships):
        text = f"{fleet.name} has no ship that lays mines. Send a minelayer or another merchant steamer."
        faults.append(OrderFault("order/no-minelayer", clause, text))
    if order.on_arrival is OnArrival.SWEEP and not any(at_sea.sweeps(ship.card, year) for ship in ships):
        text = f"{fleet.name} has no ship that sweeps mines. Send destroyers, from 1904 on."
        faults.append(OrderFault("order/no-sweeper", clause, text))
    return faults


def port_faults_of_part(facts: TurnFacts, fleet: FleetFacts, part: Part) -> list[OrderFault]:
    """What is wrong with what ships that leave a fleet are to do at the end of their route. Rules: G.MV2, G.MV4."""
    if part.on_arrival in OF_TROOPS | {OnArrival.RAID}:
        return troop_faults(facts, fleet, part)
    if part.on_arrival in AGAINST_PORTS:
        return _port_faults(facts, fleet, part)
    if part.on_arrival in BEFORE_PORTS:
        ships = [facts.ships[code] for code in part.ships if code in facts.ships]
        return torpedo_age_faults(facts, fleet, part, ships)
    if part.on_arrival is OnArrival.TRADE:
        return trade_faults(
            facts, fleet, part, [facts.ships[code] for code in part.ships if code in facts.ships]
        )
    if part.on_arrival is OnArrival.ESCORT:
        if part.target == fleet.code:
            return []  # a detachment may keep company with the fleet that it leaves
        return charge_faults(facts, fleet, part.target)
    if part.on_arrival is OnArrival.SHELTER:
        ships = [facts.ships[code] for code in part.ships if code in facts.ships]
        return shelter_faults(facts, part.route[-1] if part.route else fleet.position.at, ships)
    return []
