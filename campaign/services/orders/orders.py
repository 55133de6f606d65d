"""Orders as players send them: validated by the rules, refused with a code, a clause and a sentence, never half saved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from battles.engine.core.errors import OrderFault
from campaign.models import Membership, Order, Ready, Turn
from campaign.rules.chart.types import FleetOrder
from campaign.rules.orders.orders import order_faults
from campaign.selectors.people.absences import stood_in_for
from campaign.selectors.people.knowing import fleets_in_sight
from campaign.selectors.turn.facts import OrderColumns, pure_order, turn_facts

if TYPE_CHECKING:
    from fleets.models import Fleet


class OrderRefused(ValueError):
    """Orders that cannot be given, with every reason; nothing was saved."""

    def __init__(self, *faults: OrderFault) -> None:
        self.faults = faults
        super().__init__(" ".join(fault.text for fault in faults))


def order_submit(
    *,
    turn: Turn,
    membership: Membership,
    fleet: Fleet,
    order: OrderColumns,
    state_no: int | None = None,
    source: str = "web",
) -> Order:
    """Give a fleet its orders for an open turn.

    state_no: number of the order that the sender saw (0: none yet); an older one is refused as stale, so that two people with one
    fleet do not overwrite each other unseen. source: web or mail. Giving orders takes back the side's ready mark. Raises OrderRefused.
    Rules: G.MV2, G.MV3.
    """
    if turn.phase != Turn.Phase.OPEN:
        raise OrderRefused(
            OrderFault(
                "order/turn-closed",
                "G.CL1",
                f"Turn {turn.number} no longer takes orders.",
            )
        )
    if not may_command(membership=membership, fleet=fleet):
        raise OrderRefused(OrderFault("order/not-your-fleet", "G.IN4", "You do not command that fleet."))
    faults = faults_now(turn=turn, order=pure_order(fleet.code, order))
    if faults:
        raise OrderRefused(*faults)
    changes = {**order.documents(), "source": source}
    return _order_save(turn=turn, membership=membership, fleet=fleet, state_no=state_no, changes=changes)


def faults_now(*, turn: Turn, order: FleetOrder) -> tuple[OrderFault, ...]:
    """Everything wrong with an order as the turn stands; the web form, the preview and a reply by email all ask this. Rule: G.MV3."""
    facts, _ = turn_facts(turn)
    return order_faults(facts, order)


def _order_save(
    *, turn: Turn, membership: Membership, fleet: Fleet, state_no: int | None, changes: dict[str, Any]
) -> Order:
    who = {"author": membership.user.get_username(), "user": membership.user, "refused": ""}
    with transaction.atomic():
        # the conditional update takes the write lock and refuses a turn that has been locked since
        if not Turn.objects.filter(pk=turn.pk, phase=Turn.Phase.OPEN).update(phase=Turn.Phase.OPEN):
            raise OrderRefused(
                OrderFault("order/turn-closed", "G.CL1", f"Turn {turn.number} no longer takes orders.")
            )
        order, new = Order.objects.get_or_create(turn=turn, fleet=fleet, defaults={**changes, **who})
        if not new:
            if state_no is not None and state_no != order.state_no:
                raise OrderRefused(
                    OrderFault(
                        "order/stale",
                        "G.MV2",
                        f"{order.author or 'Someone'} has changed this fleet's orders since you opened them. Yours were not saved.",
                    )
                )
            Order.objects.filter(pk=order.pk).update(
                **changes, **who, state_no=F("state_no") + 1, given=timezone.now()
            )
            order.refresh_from_db()
        Ready.objects.filter(turn=turn, side=membership.side).delete()
    return order


def may_command(*, membership: Membership, fleet: Fleet) -> bool:
    """Whether a member may give this fleet orders; see `fleets_commanded`. Rule: G.IN4."""
    return fleet.pk in fleets_commanded(membership=membership, fleets=[fleet])


def fleets_commanded(*, membership: Membership, fleets: Iterable[Fleet]) -> set[int]:
    """Keys of those of some fleets that a member may give orders: as their own admiral, or as the commander-in-chief of their side.

    Where it is played by ship the commander-in-chief orders the fleets that they see, and writes letters to the others. Who stands in
    for an admiral who is away may give what orders that one may. A few queries, whatever the fleets. Rule: G.IN4.
    """
    if membership.role != Membership.Role.ADMIRAL or membership.side is None:
        return set()
    own = {fleet.pk for fleet in fleets if fleet.navy_id == membership.side.navy_id and not fleet.ended}
    if not own:
        return own
    keys = fleets_in_sight(membership)
    if keys is not None:
        return own & keys
    found = _commands(membership, own)
    if found != own:
        found = found.union(*(_commands(absent, own) for absent in stood_in_for(membership)))
    return found


def _commands(membership: Membership, fleets: set[int]) -> set[int]:
    """Those of some fleets of their side that are a member's own, all of them for the commander-in-chief."""
    if membership.chief:
        return fleets
    return set(membership.commands.filter(fleet__in=fleets).values_list("fleet", flat=True))


def acts_as_chief(membership: Membership) -> bool:
    """Whether a member gives their side's shore orders: the commander-in-chief, or their stand-in. Rule: G.IN4."""
    return membership.chief or any(absent.chief for absent in stood_in_for(membership))
