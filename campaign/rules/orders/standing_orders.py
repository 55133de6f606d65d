"""What is left of a standing order when the chart has changed under it: what can no longer be given falls out. Rules: G.MV2, G.MV4."""

from __future__ import annotations

from dataclasses import dataclass, replace

from campaign.rules.chart.theatre import geometry
from campaign.rules.chart.types import FleetFacts, FleetOrder, OnArrival, Part, TurnFacts
from campaign.rules.orders.order_parts import fighting_ships, one_part_faults
from campaign.rules.sailing.destinations import charge_faults, joins_route
from campaign.rules.state.world import enemy_ports


@dataclass(frozen=True, slots=True)
class Fallen:
    """What fell out of a detachment or a transfer.

    part: as it was ordered. ships: codes of those that no longer sail with the fleet. why: why the rest stays too, "" when it still
    leaves or nothing is left of it.
    """

    part: Part
    ships: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class OrderLeft:
    """An order as it can still be given. led_back: its route begins with the way back to it. charge: the fleet it can no longer escort."""

    order: FleetOrder
    fallen: tuple[Fallen, ...] = ()
    led_back: bool = False
    charge: str = ""


def order_left(facts: TurnFacts, order: FleetOrder) -> OrderLeft:
    """An order without what the rules would refuse now only because ships were lost or fleets have moved. Rules: G.MV2, G.MV4."""
    fleet = facts.fleets.get(order.fleet)
    if fleet is None:
        return OrderLeft(order)
    parts, fallen = parts_left(facts, fleet, order.parts)
    route = _route_left(facts, fleet, order.route)
    left = OrderLeft(replace(order, parts=parts, route=route), fallen, led_back=route != order.route)
    if order.on_arrival is OnArrival.ESCORT and charge_faults(facts, fleet, order.target):
        plain = replace(left.order, on_arrival=OnArrival.ANCHOR, target="")
        return replace(left, order=plain, charge=order.target)
    return left


def parts_left(
    facts: TurnFacts, fleet: FleetFacts, parts: tuple[Part, ...]
) -> tuple[tuple[Part, ...], tuple[Fallen, ...]]:
    """Detachments and transfers that can still be made, without ships that are gone, and what fell out of them. Rule: G.MV4."""
    own = {ship.code for ship in facts.ships.values() if ship.fleet == fleet.code}
    staying = fighting_ships(facts, fleet)
    kept: list[Part] = []
    fallen: list[Fallen] = []
    for part in parts:
        gone = tuple(code for code in part.ships if code not in own)
        now = replace(
            part,
            ships=tuple(code for code in part.ships if code in own),
            route=part.route if part.to else _route_left(facts, fleet, part.route),
        )
        why = ""
        if now.ships:
            faults = one_part_faults(facts, fleet, now)
            if not staying - set(now.ships):
                why = f"{fleet.name} would have no ship left that can fight."
            elif faults:
                why = faults[0].text
        if gone or why:
            fallen.append(Fallen(part, gone, why))
        if now.ships and not why:
            kept.append(now)
            staying = staying - set(now.ships)
    return tuple(kept), tuple(fallen)


def _route_left(facts: TurnFacts, fleet: FleetFacts, route: tuple[str, ...]) -> tuple[str, ...]:
    """A route with the shortest way back to it, as the fleet will sail it, where a chase or a gale has carried the fleet off it."""
    if not route or joins_route(facts.theatre, fleet.position, route):
        return route
    way = geometry(facts.theatre).way(fleet.position, route[0], enemy_ports(facts, fleet.side))
    return (*way, *route[1:]) if way else route
