"""A side's plan for a turn: the orders of its fleets, and why each was given. Rules: G.AA1-G.AA6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from campaign.rules.admiral.decision import Decision
from campaign.rules.admiral.duties import Duties
from campaign.rules.admiral.orders import admiral_orders
from campaign.rules.admiral.tasks import Verb
from campaign.rules.chart.types import FleetOrder, Instructions
from campaign.rules.turn.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class AdmiralPlan:
    """orders: by fleet. decisions: in the order of codes, none for an admiral who knows no duties. gates: by number of the contact."""

    orders: Mapping[str, FleetOrder]
    decisions: tuple[Decision, ...] = ()


def admiral_plan(
    knowledge: Knowledge,
    instructions: Mapping[str, Instructions] | None = None,
    bound: Mapping[str, FleetOrder] | None = None,
    gates: Mapping[int, str] | None = None,
    last: Sequence[Decision] = (),
) -> AdmiralPlan:
    """Orders for every free fleet of a side that is not held and does not sail by itself, with a sentence for each.

    instructions, bound: as in `admiral_orders`. gates: where the side waits for contacts already, by number. last: the
    decisions of the turn before. Rules: G.AA1, G.AA6.
    """
    if not knowledge.war.duties or not knowledge.war.aims:
        return AdmiralPlan(admiral_orders(knowledge, instructions, bound))
    fleets = [knowledge.fleets[code] for code in sorted(knowledge.fleets)]
    free = [fleet for fleet in fleets if not fleet.held_by and not fleet.group]
    plan = Duties(knowledge, instructions or {}, free, bound or {}, gates or {}, last)
    orders = {fleet.code: order for fleet, order in plan.orders()}
    return AdmiralPlan(
        {code: orders[code] for code in sorted(orders)},
        tuple(plan.decisions[code] for code in sorted(plan.decisions)),
    )


def waits(last: Sequence[Decision]) -> dict[int, str]:
    """Where fleets waited for contacts in the turn before, by number of the contact. Rule: G.AA3."""
    return {row.contact: row.place for row in last if row.verb == Verb.WAIT and row.contact}
