"""Orders of a side ashore as players and the automatic admiral send them: one validator, all faults at once, never half saved.

Rules: G.MV3, G.IN4, G.RP2, G.RP3, G.PR4, G.PR5.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import F

from battles.engine.core.errors import OrderFault
from battles.engine.pinned.archives import RulesMissing
from campaign.models import Membership, Ready, Side, SideOrder, Turn
from campaign.pinned.use import rules_of
from campaign.rules.ashore.side_faults import chart_of, side_faults
from campaign.rules.chart import side_orders as pure
from campaign.rules.turn.turn import TurnState, standing
from campaign.selectors.people.commanding import acts_as_chief
from campaign.selectors.turn.facts import turn_facts
from campaign.services.orders.orders import OrderRefused


def side_order_submit(
    *, turn: Turn, membership: Membership, order: pure.SideOrder, state_no: int | None = None
) -> SideOrder:
    """Give a side's shore orders for an open turn.

    state_no: number of the orders that the sender saw (0: none yet); older ones are refused as stale. Giving orders removes
    the side's ready mark. Raises OrderRefused with every reason. Rules: G.MV3, G.IN4.
    """
    side = membership.side
    if side is None or membership.role != Membership.Role.ADMIRAL or not acts_as_chief(membership):
        text = "Only the commander-in-chief can give shore orders."
        raise OrderRefused(OrderFault("side/not-chief", "G.IN4", text))
    if turn.phase != Turn.Phase.OPEN:
        raise OrderRefused(_closed(turn))
    order = replace(order, side=side.code)
    facts, _ = turn_facts(turn)
    try:
        use = rules_of(turn)
        faults = use(side_faults)(use(chart_of)(facts, use(standing)(facts)), order)
    except RulesMissing as missing:
        faults = (OrderFault("side/no-rules", "G.FA1", str(missing)),)
    if faults:
        raise OrderRefused(*faults)
    who = {"source": "web", "author": membership.user.get_username(), "user": membership.user, "refused": ""}
    return _save(turn=turn, side=side, document=pure.side_order_doc(order), state_no=state_no, who=who)


def _closed(turn: Turn) -> OrderFault:
    return OrderFault("side/turn-closed", "G.CL1", f"Turn {turn.number} no longer takes orders.")


def _save(
    *, turn: Turn, side: Side, document: dict[str, Any], state_no: int | None, who: dict[str, Any]
) -> SideOrder:
    with transaction.atomic():
        # the conditional update takes the write lock and refuses a turn that has been locked since
        if not Turn.objects.filter(pk=turn.pk, phase=Turn.Phase.OPEN).update(phase=Turn.Phase.OPEN):
            raise OrderRefused(_closed(turn))
        row, new = SideOrder.objects.get_or_create(
            turn=turn, side=side, defaults={"document": document, **who}
        )
        if not new:
            if state_no is not None and state_no != row.state_no:
                text = f"{row.author or 'Someone'} has changed the shore orders since you opened them. Yours were not saved."
                raise OrderRefused(OrderFault("side/stale", "G.MV3", text))
            SideOrder.objects.filter(pk=row.pk).update(document=document, **who, state_no=F("state_no") + 1)
            row.refresh_from_db()
        elif state_no:
            raise OrderRefused(
                OrderFault(
                    "side/stale", "G.MV3", "These orders no longer exist. Reload the page and try again."
                )
            )
        Ready.objects.filter(turn=turn, side=side).delete()
    return row


def side_order_by_admiral(*, turn: Turn, side: Side, order: pure.SideOrder, author: str) -> SideOrder:
    """The automatic admiral's shore orders, through the same rules when the turn is run."""
    row, _ = SideOrder.objects.update_or_create(
        turn=turn,
        side=side,
        defaults={
            "document": pure.side_order_doc(replace(order, side=side.code)),
            "source": "admiral",
            "author": author,
        },
    )
    return row


def orders_ashore_copy(*, old: Turn, new: Turn) -> None:
    """Give a turn the shore orders that a voided one had, as they were given. Rule: G.UM3."""
    rows = list(old.side_orders.all())
    for row in rows:
        row.pk, row.turn, row.refused = None, new, ""
    SideOrder.objects.bulk_create(rows)


def orders_ashore_carry(*, new: Turn, state: TurnState) -> None:
    """Give a new turn what is left of each side's shore orders. Rule: G.MV2."""
    sides = {side.code: side for side in new.campaign.sides.select_related("navy")}
    SideOrder.objects.bulk_create(
        [
            SideOrder(turn=new, side=sides[code], document=pure.side_order_doc(order), source="standing")
            for code, order in sorted(state.economy.orders.items())
            if code in sides
        ],
        ignore_conflicts=True,
    )
