"""Standing orders: impossible parts drop out, and the rest can be given unchanged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.rules.chart.types import FleetOrder, OnArrival, Part, Position, TurnFacts
from campaign.rules.orders.orders import order_faults
from campaign.rules.orders.standing_orders import order_left
from tests.campaign.rules import builders as b

HURT = Part(("e1", "e2"), name="Hurt ships", route=("b",))


def made(*, without: tuple[str, ...] = (), fleet: dict[str, object] | None = None) -> TurnFacts:
    """A fleet of five ships at a, but for some that are gone; another of its side far away, and an enemy."""
    ships = [b.ship(f"e{n}", "ENG", "e", order=n) for n in range(5) if f"e{n}" not in without]
    ships += [b.ship("f1", "ENG", "f"), b.ship("d1", "NLD", "d")]
    own = replace(b.fleet("e", "ENG", "a"), **(fleet or {}))
    return b.facts([own, b.fleet("f", "ENG", "c"), b.fleet("d", "NLD", "theirs")], ships)


@pytest.mark.clause("G.MV4")
def test_lost_ships_drop_out_of_a_detachment_and_the_others_still_leave() -> None:
    left = order_left(made(without=("e2",)), FleetOrder("e", parts=(HURT,)))
    assert left.order.parts == (replace(HURT, ships=("e1",)),)
    ((fallen),) = left.fallen
    assert (fallen.part, fallen.ships, fallen.why) == (HURT, ("e2",), "")


@pytest.mark.clause("G.MV4")
def test_a_detachment_with_nothing_left_drops_out_entirely() -> None:
    left = order_left(made(without=("e1", "e2")), FleetOrder("e", parts=(HURT,)))
    assert left.order.parts == ()
    assert [fallen.ships for fallen in left.fallen] == [("e1", "e2")]


@pytest.mark.clause("G.MV4")
def test_a_detachment_that_would_take_the_last_ships_able_to_fight_drops_out_and_says_so() -> None:
    left = order_left(made(without=("e0", "e3", "e4")), FleetOrder("e", parts=(HURT,)))
    assert left.order.parts == ()
    assert left.fallen[0].why == "Fleet e would have no ship left that can fight."


@pytest.mark.clause("G.MV4")
def test_a_transfer_to_a_fleet_that_has_sailed_away_drops_out_with_the_reason() -> None:
    left = order_left(made(), FleetOrder("e", parts=(Part(("e0",), to="f"), HURT)))
    assert left.order.parts == (HURT,)
    assert "f is not in company" in left.fallen[0].why


@pytest.mark.clause("G.MV2")
def test_a_route_that_a_chase_took_the_fleet_off_begins_with_the_way_back() -> None:
    facts = made(fleet={"position": Position("a", "b", 1000)})
    order = FleetOrder("e", ("n",))
    assert [fault.code for fault in order_faults(facts, order)] == ["order/places-do-not-join"]
    left = order_left(facts, order)
    assert left.led_back and left.order.route[-1] == "n" and len(left.order.route) > 1


@pytest.mark.clause("G.MV2")
def test_an_escort_whose_charge_is_gone_anchors_at_the_end_of_its_route() -> None:
    left = order_left(made(), FleetOrder("e", ("b",), on_arrival=OnArrival.ESCORT, target="gone"))
    assert (left.order.on_arrival, left.order.target, left.charge) == (OnArrival.ANCHOR, "", "gone")


@pytest.mark.clause("G.MV3")
@pytest.mark.parametrize("without", [("e1",), ("e1", "e2"), ("e0", "e3", "e4"), ()], ids=str)
def test_the_remainder_of_an_order_is_never_refused(without: tuple[str, ...]) -> None:
    facts = made(without=without, fleet={"position": Position("a", "b", 1000)})
    parts = (
        HURT,
        Part(("e3",), to="f"),
        Part(("e4",), name="Guard", on_arrival=OnArrival.ESCORT, target="gone"),
    )
    order = FleetOrder("e", ("n",), parts=parts)
    assert order_faults(facts, order)
    assert order_faults(facts, order_left(facts, order).order) == ()


@pytest.mark.clause("G.MV2")
def test_an_order_that_can_still_be_given_is_left_as_it_is() -> None:
    order = FleetOrder("e", ("b",), parts=(HURT,))
    left = order_left(made(), order)
    assert (left.order, left.fallen, left.led_back, left.charge) == (order, (), False, "")


@pytest.mark.clause("G.MV3", "G.MV4")
def test_a_refusal_names_the_ship_and_offers_the_remedy_and_never_names_an_enemys() -> None:
    facts = made()
    named = {"f1": replace(facts.ships["f1"], name="Ruby"), "d1": replace(facts.ships["d1"], name="Gouda")}
    facts = replace(facts, ships={**facts.ships, **named})
    faults = order_faults(facts, FleetOrder("e", parts=(Part(("f1", "d1"), name="Hurt ships"),)))
    assert [fault.text for fault in faults] == [
        "Ruby does not sail with Fleet e. Remove it from the detachment “Hurt ships”.",
        "Ship d1 does not sail with Fleet e. Remove it from the detachment “Hurt ships”.",
    ]
