"""Orders as players send them: validated by the rules, refused with a code, a clause and a sentence, never half saved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from battles.engine.core.errors import OrderFault
from battles.engine.core.telling import the_fleet
from battles.engine.pinned.archives import RulesMissing
from campaign.models import Membership, Order, OrderDraft, Ready, Turn
from campaign.pinned.use import rules_of
from campaign.rules.chart.types import FleetOrder, TurnFacts
from campaign.rules.orders.orders import order_faults
from campaign.selectors.people.commanding import fleets_commanded, may_command
from campaign.selectors.turn.facts import OrderColumns, pure_order, turn_facts

if TYPE_CHECKING:
    from fleets.models import Fleet


class OrderRefused(ValueError):
    """Orders that cannot be given, with every reason; nothing was saved."""

    def __init__(self, *faults: OrderFault) -> None:
        self.faults = faults
        super().__init__(" ".join(fault.text for fault in faults))


class OrdersRefused(OrderRefused):
    """Orders to several fleets, of which some cannot be given. by_fleet: the faults of each by its code; nothing was saved."""

    def __init__(self, by_fleet: Mapping[str, tuple[OrderFault, ...]]) -> None:
        self.by_fleet = dict(by_fleet)
        super().__init__(*(fault for faults in by_fleet.values() for fault in faults))


class Given(NamedTuple):
    """An order to be given. state_no: number of the one that the sender saw (0: none yet), None when they saw none."""

    fleet: Fleet
    order: OrderColumns
    state_no: int | None = None


def order_submit(
    *,
    turn: Turn,
    membership: Membership,
    fleet: Fleet,
    order: OrderColumns,
    state_no: int | None = None,
    source: str = "web",
    keeps_draft: bool = False,
) -> Order:
    """Give a fleet its orders for an open turn.

    state_no: number of the order that the sender saw (0: none yet); an older one is refused as stale, so that two people with one
    fleet do not overwrite each other unseen. source: web or mail. keeps_draft: only the ships that leave are new; what the member has
    typed of the rest stays. Giving orders takes back the side's ready mark. Raises OrderRefused. Rules: G.MV2, G.MV3.
    """
    given = Given(fleet, order, state_no)
    (row,) = orders_submit(
        turn=turn, membership=membership, orders=[given], source=source, keeps_draft=keeps_draft
    )
    return row


def orders_submit(
    *,
    turn: Turn,
    membership: Membership,
    orders: Sequence[Given],
    source: str = "web",
    keeps_draft: bool = False,
) -> list[Order]:
    """Give several fleets their orders for an open turn: all, or none when one is refused. Raises OrdersRefused with every fault.

    source, keeps_draft: as in `order_submit`. Rules: G.MV2, G.MV3, G.IN4.
    """
    if turn.phase != Turn.Phase.OPEN:
        raise _closed(turn, orders)
    mine = fleets_commanded(membership=membership, fleets=[given.fleet for given in orders])
    facts, _ = turn_facts(turn)
    faults: dict[str, tuple[OrderFault, ...]] = {}
    for given in orders:
        if given.fleet.pk not in mine:
            faults[given.fleet.code] = (
                OrderFault("order/not-your-fleet", "G.IN4", "You do not command that fleet."),
            )
            continue
        found = judged(turn, facts, pure_order(given.fleet.code, given.order))
        if found:
            faults[given.fleet.code] = found
    if faults:
        raise OrdersRefused(faults)
    with transaction.atomic():
        _take_lock(turn, orders)
        rows = [_save(turn, membership, given, source, faults) for given in orders]
        if faults:
            raise OrdersRefused(faults)
        _drafts_follow(turn, membership, rows, keeps=keeps_draft)
        Ready.objects.filter(turn=turn, side=membership.side).delete()
    return rows


def judged(turn: Turn, facts: TurnFacts, order: FleetOrder) -> tuple[OrderFault, ...]:
    """Everything wrong with an order by the rules of its turn; when these are not installed, that. Rule: G.MV3."""
    try:
        return rules_of(turn)(order_faults)(facts, order)
    except RulesMissing as missing:
        return (OrderFault("order/no-rules", "G.FA1", str(missing)),)


def _closed(turn: Turn, orders: Sequence[Given]) -> OrdersRefused:
    fault = OrderFault("order/turn-closed", "G.CL1", f"Turn {turn.number} no longer takes orders.")
    return OrdersRefused({orders[0].fleet.code: (fault,)})


def _take_lock(turn: Turn, orders: Sequence[Given]) -> None:
    """The conditional update takes the write lock and refuses a turn that has been locked since."""
    if not Turn.objects.filter(pk=turn.pk, phase=Turn.Phase.OPEN).update(phase=Turn.Phase.OPEN):
        raise _closed(turn, orders)


def _save(
    turn: Turn,
    membership: Membership,
    given: Given,
    source: str,
    faults: dict[str, tuple[OrderFault, ...]],
) -> Order:
    """Store one order. A stale one is noted in `faults`, and whoever calls gives everything up."""
    changes = {
        **given.order.documents(), "source": source, "refused": "",
        "author": membership.user.get_username(), "user": membership.user,
    }  # fmt: skip
    order, new = Order.objects.get_or_create(turn=turn, fleet=given.fleet, defaults={**changes, "before": {}})
    if new:
        return order
    if given.state_no is not None and given.state_no != order.state_no:
        faults[given.fleet.code] = (_stale(order),)
        return order
    if order.source not in Order.GIVEN:
        changes["before"] = {
            **OrderColumns.of(order).documents(), "source": order.source, "author": order.author,
        }  # fmt: skip
    Order.objects.filter(pk=order.pk).update(**changes, state_no=F("state_no") + 1, given=timezone.now())
    order.refresh_from_db()
    return order


def _stale(order: Order) -> OrderFault:
    text = f"{order.author or 'Someone'} has changed this fleet's orders since you opened them. Yours were not saved."
    return OrderFault("order/stale", "G.MV2", text)


def _drafts_follow(turn: Turn, membership: Membership, rows: Iterable[Order], *, keeps: bool) -> None:
    """Delete a member's drafts of orders that they have given; keeps: they go on from the orders as they are now."""
    for row in rows:
        drafts = OrderDraft.objects.filter(turn=turn, membership=membership, fleet=row.fleet_id)
        if keeps:
            drafts.filter(state_no=max(0, row.state_no - 1)).update(state_no=row.state_no)
        else:
            drafts.delete()


def order_withdraw(
    *, turn: Turn, membership: Membership, fleet: Fleet, state_no: int | None = None
) -> Order | None:
    """Take back an order that was given in an open turn: the fleet is again under the order that it had before, None for none.

    state_no: as in `order_submit`. Raises OrderRefused. Rule: G.MV2.
    """
    given = Given(fleet, OrderColumns(), state_no)
    if not may_command(membership=membership, fleet=fleet):
        raise OrderRefused(OrderFault("order/not-your-fleet", "G.IN4", "You do not command that fleet."))
    with transaction.atomic():
        _take_lock(turn, [given])
        order = Order.objects.filter(turn=turn, fleet=fleet, source__in=Order.GIVEN).first()
        if order is None:
            text = f"{fleet.name} has no orders to withdraw in this turn."
            raise OrderRefused(OrderFault("order/none-given", "G.MV2", text))
        if state_no is not None and state_no != order.state_no:
            raise OrderRefused(_stale(order))
        if order.before is None:
            text = f"The orders of {the_fleet(fleet.name)} are from before the site was updated. Change them instead."
            raise OrderRefused(OrderFault("order/none-before", "G.MV2", text))
        Ready.objects.filter(turn=turn, side=membership.side).delete()
        if not order.before:
            order.delete()
            return None
        restored = {**order.before, "before": None, "user": None, "refused": ""}
        Order.objects.filter(pk=order.pk).update(**restored, state_no=F("state_no") + 1, given=timezone.now())
        order.refresh_from_db()
    return order


def faults_now(*, turn: Turn, order: FleetOrder) -> tuple[OrderFault, ...]:
    """Everything wrong with an order as the turn stands; the preview and a reply by email ask this. Rule: G.MV3."""
    facts, _ = turn_facts(turn)
    return judged(turn, facts, order)
