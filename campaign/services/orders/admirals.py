"""The automatic admiral at work: for sides that no player commands, it sends the same orders through the same validators."""

from __future__ import annotations

from campaign.models import Order, Turn
from campaign.rules.admiral import admiral_orders
from campaign.rules.turn.knowledge import knowledge_of
from campaign.rules.turn.quartermaster import admiral_ashore
from campaign.selectors.turn.facts import order_columns, told_instructions, turn_facts
from campaign.services.orders.openings import SOURCE as OPENING
from campaign.services.orders.side_orders import side_order_by_admiral

AUTHOR = "automatic admiral"


def automatic_orders_write(*, turn: Turn) -> int:
    """Write the orders of every automatic side's fleets, from what that side alone knows. Returns how many were written.

    A fleet that still sails under the orders of the opening keeps them, unless the admiral has reason to change them.
    """
    sides = [side for side in turn.campaign.sides.select_related("navy") if side.automatic]
    if not sides:
        return 0
    facts, given = turn_facts(turn)
    opening = set(turn.orders.filter(source=OPENING).values_list("fleet__code", flat=True))
    bound = {code: order for code, order in given.items() if code in opening}
    written = 0
    for side in sides:
        side_order_by_admiral(turn=turn, side=side, order=admiral_ashore(facts, side.code), author=AUTHOR)
        fleets = {fleet.code: fleet for fleet in side.navy.fleets.filter(ended=False)}
        told = told_instructions(turn, side)
        orders = admiral_orders(knowledge_of(facts, None, side.code), told, bound)
        for order in orders.values():
            if bound.get(order.fleet) == order:
                continue
            given_as = {**order_columns(order), "source": "admiral", "author": AUTHOR}
            Order.objects.update_or_create(turn=turn, fleet=fleets[order.fleet], defaults=given_as)
            written += 1
    return written
