"""Orders of fleets: what is wrong with one, and how a good one is taken up. Rules: G.MV2, G.MV3, G.MV5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from battles.engine import registry
from battles.engine.core.errors import OrderFault
from campaign.rules.state import FleetState
from campaign.rules.theatre import geometry
from campaign.rules.types import FleetFacts, FleetOrder, OnArrival, PlaceKind, Position, TurnFacts
from campaign.rules.world import Chart, enemy_ports

_CHOICES = {
    "at_nightfall": ("stay", "part"),
    "after_battle": ("renew", "part"),
    "at_sound_of_guns": ("join", "stay"),
    "disabled": ("wait", "leave"),
    "shoals": ("wait", "dare"),
}


def order_faults(
    facts: TurnFacts, order: FleetOrder, side: str = "", *, standing: bool = False
) -> tuple[OrderFault, ...]:
    """Everything wrong with an order as a turn opens; empty when it can be sailed.

    side: the side that gives it, "" when that has been looked at already. standing: it is the order that the fleet sails under,
    whose route need not begin where a chase has carried her, and which stands while she is held. Rules: G.MV2, G.MV3.
    """
    fleet = facts.fleets.get(order.fleet)
    if fleet is None:
        return (OrderFault("order/no-such-fleet", "G.MV2", f"There is no fleet {order.fleet!r}."),)
    faults: list[OrderFault] = []
    if side and side != fleet.side:
        # Nothing more is said, so that a refusal tells nothing about another side's fleet.
        return (OrderFault("order/not-your-fleet", "G.MV3", f"{order.fleet} is not a fleet of yours."),)
    if fleet.held_by and fleet.held_by not in facts.accepted and not standing:
        faults.append(
            OrderFault("order/fleet-held", "G.BT4", f"{fleet.name} is held by battle {fleet.held_by}.")
        )
    faults += _route_faults(facts, fleet, order, standing)
    faults += _instruction_faults(facts, order)
    if order.on_arrival is OnArrival.SHELTER and not standing and not faults:
        faults += _shelter_faults(facts, fleet, order)
    return tuple(faults)


def _shelter_faults(facts: TurnFacts, fleet: FleetFacts, order: FleetOrder) -> list[OrderFault]:
    """What is wrong with an order to lie among shoals. Rule: G.CH5."""
    place = facts.theatre.places[order.route[-1] if order.route else fleet.position.at]
    if place.kind is not PlaceKind.SHOAL_COAST:
        text = f"{place.name} is no shoal coast: there is no shelter among shoals."
        return [OrderFault("order/no-shelter", "G.CH5", text)]
    deep = registry.rule_set(facts.rule_set).at_sea.deep
    names = sorted(ship.name for ship in facts.ships.values() if ship.fleet == fleet.code and deep(ship.card))
    if names:
        text = f"{names[0]} is too deep to lie among shoals, and so are {len(names) - 1} more of the fleet."
        return [OrderFault("order/too-deep", "G.CH5", text)]
    return []


def _route_faults(facts: TurnFacts, fleet: FleetFacts, order: FleetOrder, standing: bool) -> list[OrderFault]:
    faults: list[OrderFault] = []
    unknown = [code for code in order.route if code not in facts.theatre.places]
    for code in dict.fromkeys(unknown):
        faults.append(OrderFault("order/no-such-place", "G.MV2", f"There is no place {code!r} on the chart."))
    if unknown:
        return faults
    legs = geometry(facts.theatre).legs
    route = sailed_from(fleet.position, order.route)
    first = {fleet.position.at, fleet.position.to} if fleet.position.to else {fleet.position.at}
    names = facts.theatre.places
    if route and not standing and route[0] not in first and not _joins(fleet.position, route[0], legs):
        at = names[fleet.position.at].name
        faults.append(_unjoined(at, names[route[0]].name))
    for here, there in zip(route, route[1:], strict=False):
        if (here, there) not in legs:
            faults.append(_unjoined(names[here].name, names[there].name))
    closed = enemy_ports(facts, fleet.side)
    for code in dict.fromkeys(route):
        if code in closed:
            text = f"{names[code].name} is an enemy's port: a fleet enters it only by attacking it."
            faults.append(OrderFault("order/enemy-port", "G.PT1", text))
    return faults


def _joins(position: Position, place: str, legs: Mapping[tuple[str, str], object]) -> bool:
    return not position.to and (position.at, place) in legs


def _unjoined(here: str, there: str) -> OrderFault:
    return OrderFault("order/places-do-not-join", "G.CH1", f"No passage leads from {here} to {there}.")


def sailed_from(position: Position, route: tuple[str, ...]) -> tuple[str, ...]:
    """The route without the place where the fleet lies already, which a player may name first."""
    if not position.to and route and route[0] == position.at:
        return route[1:]
    return route


def _instruction_faults(facts: TurnFacts, order: FleetOrder) -> list[OrderFault]:
    instructions = order.instructions
    faults = [
        OrderFault("order/bad-instruction", "G.MV5", f"{name} is one of {', '.join(right)}, not {given!r}.")
        for name, right in _CHOICES.items()
        if (given := getattr(instructions, name)) not in right
    ]
    try:
        right_odds = Decimal(instructions.greatest_odds) >= 0
    except InvalidOperation:
        right_odds = False
    if not right_odds:
        text = f"The greatest odds are a number like 1.5, not {instructions.greatest_odds!r}."
        faults.append(OrderFault("order/bad-instruction", "G.MV5", text))
    if instructions.chase_hours < 0:
        faults.append(OrderFault("order/bad-instruction", "G.MV5", "A chase lasts no less than 0 hours."))
    for place in (instructions.cripples_to, instructions.rendezvous):
        if place and place not in facts.theatre.places:
            text = f"There is no place {place!r} on the chart."
            faults.append(OrderFault("order/no-such-place", "G.MV5", text))
    return faults


def take_orders(chart: Chart, orders: Mapping[str, FleetOrder]) -> None:
    """Take up the orders of a turn; a bad one is refused and its fleet carries on under the last good one. Rules: G.MV2, G.MV3.

    An order that is the fleet's standing order already changes nothing. A standing order that can no longer be sailed, because the
    umpire has changed the chart or the war, loses its route.
    """
    facts, fleets = chart.facts, chart.state.fleets
    for code in sorted(fleets):
        standing = facts.fleets[code].order
        faults = order_faults(facts, replace(standing, fleet=code), standing=True)
        if faults:
            _refuse(chart, code, faults)
            chart.alter(fleets[code], order=FleetOrder(code, stance=standing.stance), path=())
    for code in sorted(orders):
        order, known = orders[code], facts.fleets.get(code)
        if known is not None and order == known.order:
            continue
        faults = order_faults(facts, order)
        if code != order.fleet and not faults:
            text = f"These are orders for {order.fleet}."
            faults = (OrderFault("order/not-your-fleet", "G.MV3", text),)
        if faults:
            _refuse(chart, code, faults)
        else:
            _take_up(chart, fleets[code], order)


def _refuse(chart: Chart, code: str, faults: tuple[OrderFault, ...]) -> None:
    fleet = chart.state.fleets.get(code)
    knows = (fleet.side,) if fleet is not None else ()
    chart.tell("order_refused", "G.MV3", *knows, fleet=code, faults=[list(fault) for fault in faults])


def _take_up(chart: Chart, fleet: FleetState, order: FleetOrder) -> None:
    route = sailed_from(fleet.position, order.route)
    path = path_of(fleet.position, route, fleet.path)
    order = replace(order, route=route)
    if order.on_arrival is OnArrival.JOIN:
        chart.alter(fleet, order=order, path=path)
    else:  # whoever is told to do something else is a fleet of its own, and looks for nobody any more
        chart.alter(fleet, order=order, path=path, rejoins="", home="")


def path_of(position: Position, route: tuple[str, ...], before: tuple[str, ...]) -> tuple[str, ...]:
    """The whole route with the place it began at: the one sailed so far when this is the rest of it, else a new one. Rule: G.MV2."""
    if route and before[-len(route) :] == route:
        return before
    return route if position.to else (position.at, *route)
