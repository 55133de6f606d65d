"""Orders of fleets: what is wrong with one, and how a good one is taken up. Rules: G.MV2, G.MV3, G.MV4, G.MV5.

The orders form, the automatic admiral and whatever else sends orders ask `order_faults`, which tells every fault at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from battles.engine import registry
from battles.engine.core.errors import OrderFault
from battles.engine.core.scenario import Doctrine
from campaign.rules.chart.types import FleetOrder, OnArrival, Position, TurnFacts
from campaign.rules.groups.kinds import group_in_facts
from campaign.rules.orders.in_parts import in_parts
from campaign.rules.orders.order_parts import part_faults
from campaign.rules.sailing.destinations import arrival_faults, route_faults, sailed_from
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart, enemy_ports

_CHOICES = {
    "at_nightfall": ("stay", "part"),
    "after_battle": ("auto", "renew", "part"),
    "at_sound_of_guns": ("join", "stay"),
    "disabled": ("wait", "leave"),
    "shoals": ("wait", "dare"),
    "prizes": ("man", "burn", "release"),
    "prize_escort": ("none", "frigate"),
    "slowest": ("keep", "leave"),
    "hopeless": ("fly", "stand"),
}
_DOCTRINE = {
    "gauge": ("any", "windward", "leeward"),
    "fight_at": ("best", "close", "long"),
    "chase": ("line", "general"),
    "board": ("never", "crippled", "pays"),
}
_WISHES = {
    "gauge": "weather gauge",
    "fight_at": "choice of range",
    "chase": "general chase",
    "board": "boarding",
    "fire_ships": "fire ships",
    "break_off": "breaking off",
}
_SILENT = Doctrine()
_PLACES = ("cripples_to", "rendezvous", "shelter")


def unknown_wish(name: str) -> str:
    """Why the captains of a rule set cannot be asked for something. name: of a field of the doctrine. Rule: G.MV5."""
    return f"These rules know no {_WISHES[name]}."


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
        return (OrderFault("order/not-your-fleet", "G.MV3", f"{order.fleet} is not one of your fleets."),)
    if fleet.held_by and fleet.held_by not in facts.accepted and not standing:
        faults.append(
            OrderFault("order/fleet-held", "G.BT4", f"{fleet.name} is held by battle {fleet.held_by}.")
        )
    if not standing and group_in_facts(facts, fleet.code):
        text = f"Choose “Take command” on the Groups page before you give orders to {fleet.name}."
        faults.append(OrderFault("order/group", "G.KT2", text))
    faults += route_faults(facts, fleet, order.route, order.on_arrival, standing=standing)
    faults += _instruction_faults(facts, fleet.side, order)
    if not faults:
        faults += arrival_faults(facts, fleet, order, standing=standing)
    if not standing:
        faults += part_faults(facts, fleet, order)
    return tuple(faults)


def _instruction_faults(facts: TurnFacts, side: str, order: FleetOrder) -> list[OrderFault]:
    instructions, doctrine = order.instructions, order.instructions.doctrine
    faults = [
        OrderFault(
            "order/bad-instruction", "G.MV5", f"{name} must be one of {', '.join(right)}, not {given!r}."
        )
        for name, right in _CHOICES.items()
        if (given := getattr(instructions, name)) not in right
    ]
    faults += [
        OrderFault(
            "order/bad-instruction", "G.MV5", f"{name} must be one of {', '.join(right)}, not {given!r}."
        )
        for name, right in _DOCTRINE.items()
        if (given := getattr(doctrine, name)) not in right
    ]
    known = registry.rule_set(facts.rule_set).wishes
    faults += [
        OrderFault("order/unknown-wish", "G.MV5", unknown_wish(name))
        for name in _WISHES
        if name not in known and getattr(doctrine, name) != getattr(_SILENT, name)
    ]
    if not 0 <= doctrine.break_off <= 100:
        text = f"A fleet can break off at 0% to 100% of its hull lost, not at {doctrine.break_off}."
        faults.append(OrderFault("order/bad-instruction", "G.MV5", text))
    try:
        right_odds = Decimal(instructions.greatest_odds) >= 0
    except InvalidOperation:
        right_odds = False
    if not right_odds:
        text = f"Enter the greatest odds as a number such as 1.5, not {instructions.greatest_odds!r}."
        faults.append(OrderFault("order/bad-instruction", "G.MV5", text))
    if instructions.chase_hours < 0:
        faults.append(OrderFault("order/bad-instruction", "G.MV5", "A chase must last 0 hours or more."))
    closed = enemy_ports(facts, side)
    for place in dict.fromkeys(getattr(instructions, name) for name in _PLACES):
        if place and place not in facts.theatre.places:
            text = f"There is no place {place!r} on the chart."
            faults.append(OrderFault("order/no-such-place", "G.MV5", text))
        elif place in closed:
            text = f"{facts.theatre.places[place].name} is an enemy port. Your ships cannot go there."
            faults.append(OrderFault("order/enemy-port", "G.MV5", text))
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
        elif standing.on_arrival is OnArrival.BLOCKADE:
            chart.alter(fleets[code], order=with_port(standing))
    for code in sorted(orders):
        order, known = orders[code], facts.fleets.get(code)
        if known is not None and order == known.order:
            continue
        faults = order_faults(facts, order)
        if code != order.fleet and not faults:
            text = f"These are orders for {order.fleet}."
            faults = (OrderFault("order/not-your-fleet", "G.MV3", text),)
        if faults and known is not None and code == order.fleet and facts.settings.orders_in_parts == "on":
            order, faults = what_holds(facts, known.order, order)
            if order != known.order:
                _take_up(chart, fleets[code], order)
        elif not faults:
            _take_up(chart, fleets[code], order)
        if faults:
            _refuse(chart, code, faults)


def what_holds(
    facts: TurnFacts, last: FleetOrder, order: FleetOrder
) -> tuple[FleetOrder, tuple[OrderFault, ...]]:
    """What holds of an order with faults, and those faults; nothing does where the fleet takes no orders at all. Rule: G.AA6."""
    last = replace(last, fleet=order.fleet, parts=())
    fleet = facts.fleets[order.fleet]

    def faults(tried: FleetOrder) -> tuple[OrderFault, ...]:
        stays = tried.route == last.route
        wrong = order_faults(facts, tried, standing=stays)
        return (*wrong, *(part_faults(facts, fleet, tried) if stays else ()))

    none = order_faults(facts, FleetOrder(order.fleet, stance=last.stance))
    if none:
        return last, none
    return in_parts(last, order, faults)


def _refuse(chart: Chart, code: str, faults: tuple[OrderFault, ...]) -> None:
    fleet = chart.state.fleets.get(code)
    knows = (fleet.side,) if fleet is not None else ()
    chart.tell("order_refused", "G.MV3", *knows, fleet=code, faults=[list(fault) for fault in faults])


def _take_up(chart: Chart, fleet: FleetState, order: FleetOrder) -> None:
    route = sailed_from(fleet.position, order.route)
    path = path_of(fleet.position, route, fleet.path)
    order = with_port(replace(order, route=route))
    if order.on_arrival is OnArrival.JOIN:
        chart.alter(fleet, order=order, path=path)
    else:  # a fleet with other orders is independent, and no longer looks for another to join
        chart.alter(fleet, order=order, path=path, rejoins="", home="", homes=())


def with_port(order: FleetOrder) -> FleetOrder:
    """A blockade's order with the port that it is for, which a gale may drive it from. Rule: G.BL1."""
    if order.on_arrival is OnArrival.BLOCKADE and not order.target and order.route:
        return replace(order, target=order.route[-1])
    return order


def path_of(position: Position, route: tuple[str, ...], before: tuple[str, ...]) -> tuple[str, ...]:
    """The whole route with the place it began at: the one sailed so far when this is the rest of it, else a new one. Rule: G.MV2."""
    if route and before[-len(route) :] == route:
        return before
    return route if position.to else (position.at, *route)
