"""Orders taken part by part: what is wrong in one is refused by itself, and the rest of it holds. Rule: G.AA6."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

from battles.engine.core.errors import OrderFault
from campaign.rules.chart.types import FleetOrder, Instructions, Part

Faults = Callable[[FleetOrder], tuple[OrderFault, ...]]


def in_parts(
    last: FleetOrder, given: FleetOrder, faults: Faults
) -> tuple[FleetOrder, tuple[OrderFault, ...]]:
    """The order that holds of one that has faults, and the faults of the parts that were refused.

    last: the last good order, which stands in the place of each faulty part. faults: of a whole order. The route goes with what is
    done at its end; where they cannot be had together, each is tried alone. Rule: G.AA6.
    """
    good, refused = last, list[OrderFault]()
    for change in _changes(given):
        tried = change(good)
        if tried == good:
            continue
        wrong = faults(tried)
        if wrong:
            refused += [fault for fault in wrong if fault not in refused]
        else:
            good = tried
    return good, tuple(refused)


def _changes(given: FleetOrder) -> Iterator[Callable[[FleetOrder], FleetOrder]]:
    """The parts of an order, each as what it changes in another."""

    def the_way(order: FleetOrder) -> FleetOrder:
        return replace(order, route=given.route, on_arrival=given.on_arrival, target=given.target)

    def the_route(order: FleetOrder) -> FleetOrder:
        return replace(order, route=given.route) if order.on_arrival is not given.on_arrival else order

    yield the_way
    yield the_route
    yield lambda order: replace(order, stance=given.stance)
    for field in fields(Instructions):
        if field.name == "doctrine":
            for wish in fields(given.instructions.doctrine):
                yield _wish(given, wish.name)
        else:
            yield _instruction(given, field.name)
    for part in given.parts:
        yield _part(part)


def _instruction(given: FleetOrder, name: str) -> Callable[[FleetOrder], FleetOrder]:
    value: Any = getattr(given.instructions, name)
    return lambda order: replace(order, instructions=replace(order.instructions, **{name: value}))


def _wish(given: FleetOrder, name: str) -> Callable[[FleetOrder], FleetOrder]:
    value: Any = getattr(given.instructions.doctrine, name)

    def change(order: FleetOrder) -> FleetOrder:
        doctrine = replace(order.instructions.doctrine, **{name: value})
        return replace(order, instructions=replace(order.instructions, doctrine=doctrine))

    return change


def _part(part: Part) -> Callable[[FleetOrder], FleetOrder]:
    return lambda order: replace(order, parts=(*order.parts, part))
