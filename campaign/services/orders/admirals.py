"""The automatic admiral at work: for sides that no player commands, it sends the same orders through the same validators."""

from __future__ import annotations

from campaign.models import AdmiralPlan, Order, Side, Turn
from campaign.pinned.use import rules_of
from campaign.rules.admiral.decision import Decision
from campaign.rules.admiral.plan import admiral_plan, waits
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
    use = rules_of(turn)
    opening = set(turn.orders.filter(source=OPENING).values_list("fleet__code", flat=True))
    opening |= _fresh_from_calendar(turn, set(given))
    bound = {code: order for code, order in given.items() if code in opening}
    written = 0
    for side in sides:
        side_order_by_admiral(
            turn=turn, side=side, order=use(admiral_ashore)(facts, side.code), author=AUTHOR
        )
        fleets = {fleet.code: fleet for fleet in side.navy.fleets.filter(ended=False)}
        told = told_instructions(turn, side)
        knows = use(knowledge_of)(facts, None, side.code)
        last = _last_plan(turn, side)
        more = {"last": last} if use.takes(admiral_plan, "last") else {}
        plan = use(admiral_plan)(knows, told, bound, waits(last), **more)
        AdmiralPlan.objects.update_or_create(
            turn=turn, side=side, defaults={"decisions": [row.doc() for row in plan.decisions]}
        )
        for order in plan.orders.values():
            if bound.get(order.fleet) == order:
                continue
            given_as = {**order_columns(order), "source": "admiral", "author": AUTHOR}
            Order.objects.update_or_create(turn=turn, fleet=fleets[order.fleet], defaults=given_as)
            written += 1
    return written


def _fresh_from_calendar(turn: Turn, fleets: set[str]) -> set[str]:
    """Fleets of the calendar that still sail under the orders they came with. Rule: G.CA2."""
    came = {row.do.get("fleet", "") for row in turn.campaign.calendar_rows.all()} & fleets
    changed = AdmiralPlan.objects.filter(turn__campaign=turn.campaign_id).values_list("decisions", flat=True)
    own = (
        {row["fleet"] for rows in changed for row in rows if row["verb"] != "under orders"} if came else set()
    )
    return came - own


def _last_plan(turn: Turn, side: Side) -> list[Decision]:
    """What a side's fleets were to do in the turn before. Rules: G.AA2, G.AA3."""
    last = AdmiralPlan.objects.filter(
        turn__campaign=turn.campaign_id, turn__number=turn.number - 1, turn__void="", side=side
    ).first()
    return [Decision(**row) for row in last.decisions] if last is not None else []
