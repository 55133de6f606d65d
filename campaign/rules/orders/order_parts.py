"""Ships that an order detaches or gives to another fleet: what is wrong with it. Rule: G.MV4."""

from __future__ import annotations

from battles.engine.core.errors import OrderFault
from campaign.rules.chart.points import miles_between
from campaign.rules.chart.theatre import geometry
from campaign.rules.chart.types import MILLI, FleetFacts, FleetOrder, Part, TurnFacts
from campaign.rules.sailing.destinations import port_faults_of_part, route_faults

LONGEST_NAME = 80


def part_faults(facts: TurnFacts, fleet: FleetFacts, order: FleetOrder) -> list[OrderFault]:
    """Everything wrong with what is to leave a fleet: ships, where they go, that the fleet keeps one to fight. Rule: G.MV4."""
    faults: list[OrderFault] = []
    leaving: set[str] = set()
    for part in order.parts:
        faults += _ship_faults(facts, fleet, part, leaving)
        leaving |= set(part.ships)
        faults += one_part_faults(facts, fleet, part)
    if order.parts and not fighting_ships(facts, fleet) - leaving:
        text = (
            f"{fleet.name} would have no ship left that can fight. Give the whole fleet its orders instead."
        )
        faults.append(OrderFault("order/whole-fleet", "G.MV4", text))
    return faults


def fighting_ships(facts: TurnFacts, fleet: FleetFacts) -> set[str]:
    """Codes of a fleet's ships that can fight: prizes cannot. Rule: G.MV4."""
    return {ship.code for ship in facts.ships.values() if ship.fleet == fleet.code and not ship.prize}


def one_part_faults(facts: TurnFacts, fleet: FleetFacts, part: Part) -> list[OrderFault]:
    """What is wrong with where ships that leave a fleet are to go, whichever they are. Rule: G.MV4."""
    return _receiver_faults(facts, fleet, part) if part.to else _fleet_faults(facts, fleet, part)


def _ship_faults(facts: TurnFacts, fleet: FleetFacts, part: Part, leaving: set[str]) -> list[OrderFault]:
    faults = []
    if not part.ships:
        faults.append(OrderFault("order/no-ships", "G.MV4", "Tick the ships that are to leave the fleet."))
    for code in dict.fromkeys(part.ships):
        name, listed = _name(facts, fleet, code), _listed(part)
        ship = facts.ships.get(code)
        if ship is None or ship.fleet != fleet.code:
            text = f"{name} does not sail with {fleet.name}. Remove it from {listed}."
            faults.append(OrderFault("order/not-in-fleet", "G.MV4", text))
        if part.ships.count(code) > 1:
            text = f"{name} is in {listed} more than once. List it once."
            faults.append(OrderFault("order/not-in-fleet", "G.MV4", text))
        if code in leaving:
            text = f"{name} cannot leave {fleet.name} twice. Remove it from one of the lists."
            faults.append(OrderFault("order/ship-twice", "G.MV4", text))
    return faults


def _name(facts: TurnFacts, fleet: FleetFacts, code: str) -> str:
    """A ship's name, where the fleet's side has her; of any other, only what the order itself calls her. Rule: G.IN1."""
    ship = facts.ships.get(code)
    return ship.name if ship is not None and ship.side == fleet.side else f"Ship {code}"


def _listed(part: Part) -> str:
    return f"the detachment “{part.name}”" if part.name else "the transfer"


def _receiver_faults(facts: TurnFacts, fleet: FleetFacts, part: Part) -> list[OrderFault]:
    """Ships go over to a fleet of their side that is in company. Rule: G.MV4."""
    other = facts.fleets.get(part.to)
    if other is None or other.side != fleet.side or other.code == fleet.code:
        text = "You can give ships only to another of your own fleets."
        return [OrderFault("order/no-such-fleet", "G.MV4", text)]
    if not in_company(facts, fleet, other):
        text = f"{other.name} is not in company. The fleets must be within {facts.settings.company_miles} miles of each other."
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
        text = f"A detachment needs a name of up to {LONGEST_NAME} letters."
        faults.append(OrderFault("order/no-name", "G.MV4", text))
    wrong = route_faults(facts, fleet, part.route, part.on_arrival, standing=False)
    return faults + (wrong or port_faults_of_part(facts, fleet, part))
