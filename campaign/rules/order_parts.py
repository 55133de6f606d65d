"""Ships that an order detaches or gives to another fleet: what is wrong with it. Rule: G.MV4."""

from __future__ import annotations

from battles.engine.core.errors import OrderFault
from campaign.rules.destinations import port_faults_of_part, route_faults
from campaign.rules.theatre import geometry, miles_between
from campaign.rules.types import MILLI, FleetFacts, FleetOrder, Part, TurnFacts

LONGEST_NAME = 80


def part_faults(facts: TurnFacts, fleet: FleetFacts, order: FleetOrder) -> list[OrderFault]:
    """Everything wrong with what is to leave a fleet: ships, whither, and that the fleet keeps one that fights. Rule: G.MV4."""
    faults: list[OrderFault] = []
    own = {ship.code: ship for ship in facts.ships.values() if ship.fleet == fleet.code}
    leaving: set[str] = set()
    for part in order.parts:
        faults += _ship_faults(part, {*own}, leaving)
        leaving |= set(part.ships)
        faults += _receiver_faults(facts, fleet, part) if part.to else _fleet_faults(facts, fleet, part)
    fighting = {code for code, ship in own.items() if not ship.prize}
    if order.parts and not fighting - leaving:
        text = f"{fleet.name} keeps no ship that can fight: give the whole fleet its orders instead."
        faults.append(OrderFault("order/whole-fleet", "G.MV4", text))
    return faults


def _ship_faults(part: Part, own: set[str], leaving: set[str]) -> list[OrderFault]:
    faults = []
    if not part.ships:
        faults.append(OrderFault("order/no-ships", "G.MV4", "Tick the ships that are to leave the fleet."))
    if not set(part.ships) <= own or len(set(part.ships)) != len(part.ships):
        text = "A ship that is to leave the fleet does not sail with it."
        faults.append(OrderFault("order/not-in-fleet", "G.MV4", text))
    if leaving & set(part.ships):
        text = "A ship cannot leave the fleet twice: take her off one of the lists."
        faults.append(OrderFault("order/ship-twice", "G.MV4", text))
    return faults


def _receiver_faults(facts: TurnFacts, fleet: FleetFacts, part: Part) -> list[OrderFault]:
    """Ships go over to a fleet of their side that is in company. Rule: G.MV4."""
    other = facts.fleets.get(part.to)
    if other is None or other.side != fleet.side or other.code == fleet.code:
        text = "Ships can be given only to another fleet of our own."
        return [OrderFault("order/no-such-fleet", "G.MV4", text)]
    if not in_company(facts, fleet, other):
        text = f"{other.name} is not in company: the two have to lie within {facts.settings.company_miles} miles."
        return [OrderFault("order/not-in-company", "G.MV4", text)]
    if other.held_by:
        return [OrderFault("order/fleet-held", "G.BT4", f"{other.name} is held by battle {other.held_by}.")]
    return []


def in_company(facts: TurnFacts, fleet: FleetFacts, other: FleetFacts) -> bool:
    """Whether two fleets lie near enough, as a turn opens, for ships to go from one to the other. Rule: G.MV4."""
    way = geometry(facts.theatre)
    apart = miles_between(way.point(fleet.position), way.point(other.position))
    return apart <= facts.settings.company_miles * MILLI


def _fleet_faults(facts: TurnFacts, fleet: FleetFacts, part: Part) -> list[OrderFault]:
    faults = []
    if not part.name.strip() or len(part.name) > LONGEST_NAME:
        text = f"A detachment needs a name of at most {LONGEST_NAME} letters."
        faults.append(OrderFault("order/no-name", "G.MV4", text))
    wrong = route_faults(facts, fleet, part.route, part.on_arrival, standing=False)
    return faults + (wrong or port_faults_of_part(facts, fleet, part))
