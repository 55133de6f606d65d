"""Orders given and withdrawn at their limits: who was first, what becomes of drafts, and all faults at once."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.models import Membership, Order, OrderDraft, Ready, Station, Turn
from campaign.selectors.turn.facts import OrderColumns
from campaign.services.orders.orders import (
    Given,
    OrderRefused,
    OrdersRefused,
    order_submit,
    order_withdraw,
    orders_submit,
)
from tests.support.answers import flawless
from tests.support.factories import FleetFactory, MembershipFactory
from tests.support.people import World, world
from tests.support.put_back import put_back

pytestmark = [pytest.mark.one_database, pytest.mark.clause("G.MV2", "G.MV3")]
STAY = OrderColumns()


@pytest.fixture
def told(db: Any) -> World:
    return world()


@pytest.fixture
def second(told: World) -> Any:
    """Another English fleet, which has no orders."""
    fleet = FleetFactory(navy=told.english_fleet.navy, code="zj2")
    Station.objects.create(fleet=fleet, at="nore")
    return fleet


def refused(told: World, *orders: Given) -> dict[str, list[str]]:
    """Codes of what is wrong with orders of the English admiral, fleet by fleet."""
    try:
        orders_submit(turn=told.turn, membership=told.english, orders=orders)
    except OrdersRefused as no:
        return {fleet: [fault.code for fault in faults] for fleet, faults in no.by_fleet.items()}
    except Exception as error:
        return {"error": [repr(error)]}
    return {}


def test_either_all_orders_are_given_or_none_and_each_wrong_one_says_why(told: World, second: Any) -> None:
    own, theirs = told.english_fleet, told.dutch_fleet
    wrong = STAY._replace(route=["atlantis"])
    before = list(Order.objects.order_by("pk").values_list("pk", "state_no"))
    assert refused(told, Given(own, STAY), Given(second, wrong), Given(theirs, STAY)) == {
        second.code: ["order/no-such-place"], theirs.code: ["order/not-your-fleet"],
    }  # fmt: skip
    assert refused(told, Given(second, STAY), Given(own, STAY, state_no=7)) == {own.code: ["order/stale"]}
    assert list(Order.objects.order_by("pk").values_list("pk", "state_no")) == before
    assert refused(told, Given(second, STAY, state_no=0), Given(own, STAY, state_no=1)) == {}
    assert [told.turn.orders.get(fleet=fleet).state_no for fleet in (second, own)] == [1, 2]


@pytest.mark.clause("G.CL1")
def test_a_closed_turn_is_reported_once_under_the_first_fleet(told: World, second: Any) -> None:
    orders = [Given(second, STAY), Given(told.english_fleet, STAY)]
    closed = {second.code: ["order/turn-closed"]}
    Turn.objects.filter(pk=told.turn.pk).update(phase="locked")
    assert refused(told, *orders) == closed, "locked since the page was opened"
    told.turn.refresh_from_db()
    assert refused(told, *orders) == closed
    assert not Order.objects.filter(fleet=second).exists()


@pytest.mark.parametrize(
    ("there", "keeps", "seen", "left"),
    [
        (True, False, 1, None), (True, True, 1, 2), (True, True, 0, 0), (True, True, 2, 2), (False, True, 0, 1),
        (False, True, 1, 1), (False, False, 0, None),
    ],
)  # fmt: skip
def test_a_draft_goes_with_the_orders_given_or_continues_from_them(
    told: World, there: bool, keeps: bool, seen: int, left: int | None
) -> None:
    fleet, mate = told.english_fleet, MembershipFactory(side=told.english.side)
    if not there:
        told.turn.orders.filter(fleet=fleet).delete()
    for member in (told.english, mate):
        OrderDraft.objects.create(turn=told.turn, membership=member, fleet=fleet, document={}, state_no=seen)
    order_submit(turn=told.turn, membership=told.english, fleet=fleet, order=STAY, keeps_draft=keeps)
    mine = OrderDraft.objects.filter(membership=told.english).values_list("state_no", flat=True)
    assert list(mine) == ([] if left is None else [left])
    assert OrderDraft.objects.get(membership=mate).state_no == seen, "another's stays as it is"


def test_a_fleet_is_again_under_the_orders_it_had_when_new_ones_are_withdrawn(
    told: World, second: Any
) -> None:
    def withdraw(
        fleet: Any = told.english_fleet, *, member: Membership = told.english, seen: int | None = None
    ) -> Any:
        try:
            return flawless(order_withdraw, turn=told.turn, membership=member, fleet=fleet, state_no=seen)
        except OrderRefused as no:
            return no.faults[0].code
        except Exception as error:
            return repr(error)

    own = told.turn.orders.filter(fleet=told.english_fleet)
    own.update(source="standing", stance="hold", route=["swin"], author="x", before=None, user=None)
    assert withdraw() == "order/none-given" and withdraw(member=told.dutch) == "order/not-your-fleet"
    order_submit(turn=told.turn, membership=told.english, fleet=told.english_fleet, order=STAY)
    Ready.objects.get_or_create(turn=told.turn, side=told.english.side, defaults={"by": "x"})
    for seen, found in ((1, "order/stale"), (3, "order/stale"), (2, Order), (None, Order)):
        with put_back():
            was = withdraw(seen=seen)
            assert was == found or isinstance(was, Order) and found is Order, seen
            row = own.get()
            back = (row.source, row.stance, row.route, row.author, row.state_no) == (
                "standing",
                "hold",
                ["swin"],
                "x",
                3,
            )
            assert back is (found is Order)
            assert Ready.objects.filter(side=told.english.side).exists() is not back
    own.update(before=None)
    assert withdraw() == "order/none-before"
    order_submit(turn=told.turn, membership=told.english, fleet=second, order=STAY)
    assert withdraw(second) is None and not Order.objects.filter(fleet=second).exists()
    Turn.objects.filter(pk=told.turn.pk).update(phase="locked")
    assert withdraw() == "order/turn-closed"
