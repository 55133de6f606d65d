"""Orders: what is refused and why, and that a bad one never blocks the turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battles.engine.core.scenario import Stance
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, TurnDone
from campaign.rules.orders.orders import order_faults
from tests.campaign.rules import builders as b

MADE = b.facts(
    [b.fleet("e", "ENG", "a"), b.fleet("p", "ENG", "a", "b", to="b", run=5_000), b.fleet("d", "NLD", "c")]
)


def codes(order: FleetOrder, side: str = "ENG") -> list[str]:
    return [fault.code for fault in order_faults(MADE, order, side)]


@pytest.mark.clause("G.MV2")
@pytest.mark.parametrize(
    "route", [(), ("b",), ("b", "n"), ("home",), ("a", "b"), ("b", "a", "b")], ids="-".join
)
def test_a_route_of_joined_places_is_accepted(route: tuple[str, ...]) -> None:
    assert codes(FleetOrder("e", route)) == []


@pytest.mark.clause("G.CH2")
@pytest.mark.parametrize("route", [("b", "c"), ("a", "home")], ids="-".join)
def test_a_fleet_on_a_passage_sails_on_or_back(route: tuple[str, ...]) -> None:
    assert codes(FleetOrder("p", route)) == []


@pytest.mark.clause("G.MV3")
@pytest.mark.parametrize(
    ("order", "code"),
    [
        (FleetOrder("x"), "order/no-such-fleet"),
        (FleetOrder("d", ("b",)), "order/not-your-fleet"),
        (FleetOrder("e", ("atlantis",)), "order/no-such-place"),
        (FleetOrder("e", ("c",)), "order/places-do-not-join"),
        (FleetOrder("e", ("b", "home")), "order/places-do-not-join"),
        (FleetOrder("p", ("c",)), "order/places-do-not-join"),
        (FleetOrder("e", ("b", "c", "theirs")), "order/enemy-port"),
        (FleetOrder("e", instructions=Instructions(at_nightfall="dance")), "order/bad-instruction"),
        (FleetOrder("e", instructions=Instructions(greatest_odds="many")), "order/bad-instruction"),
        (FleetOrder("e", instructions=Instructions(chase_hours=-1)), "order/bad-instruction"),
        (FleetOrder("e", instructions=Instructions(cripples_to="atlantis")), "order/no-such-place"),
    ],
)
def test_a_wrong_order_is_refused_with_the_clause_and_the_reason(order: FleetOrder, code: str) -> None:
    faults = order_faults(MADE, order, "ENG")
    assert [fault.code for fault in faults] == [code]
    assert faults[0].clause.startswith("G.")
    assert faults[0].text.endswith(".")


@pytest.mark.clause("G.MV3")
def test_every_error_in_an_order_is_reported() -> None:
    order = FleetOrder("e", ("c", "home"), instructions=Instructions(after_battle="?", greatest_odds="-1"))
    assert codes(order) == ["order/places-do-not-join"] * 2 + ["order/bad-instruction"] * 2


def test_a_fleet_in_a_battle_on_the_tabletop_is_held() -> None:
    held = replace(MADE, fleets={"e": b.fleet("e", "ENG", "a", held_by="b07")})
    assert [fault.code for fault in order_faults(held, FleetOrder("e"), "ENG")] == ["order/fleet-held"]


def test_a_refusal_about_another_sides_fleet_reveals_nothing_about_it() -> None:
    (fault,) = order_faults(MADE, FleetOrder("d", ("nowhere",)), "ENG")
    assert "Fleet d" not in fault.text and "held" not in fault.text


@pytest.mark.clause("G.MV3")
def test_a_bad_order_never_blocks_the_turn_and_the_fleet_carries_on() -> None:
    made = b.facts([b.fleet("e", "ENG", "home", "a"), b.fleet("d", "NLD", "c")], weather=b.weather(wind=0))
    orders = {
        "e": FleetOrder("e", ("nowhere",)),
        "d": FleetOrder("d", ("home",)),
        "ghost": FleetOrder("ghost", ("a",)),
    }
    state, stops = b.play(made, orders)
    assert isinstance(stops[-1], TurnDone)
    refused = {e.data["fleet"]: e for e in state.events if e.kind == "order_refused"}
    assert {code: e.knows for code, e in refused.items()} == {"e": ("ENG",), "d": ("NLD",), "ghost": ()}
    assert refused["e"].data["faults"][0][0] == "order/no-such-place"
    plain, _ = b.play(made)
    assert state.fleets["e"].position == plain.fleets["e"].position


@pytest.mark.clause("G.MV3")
def test_orders_filed_under_another_fleet_are_refused() -> None:
    made = b.facts([b.fleet("e", "ENG", "a"), b.fleet("p", "ENG", "a")])
    state, _ = b.play(made, {"e": FleetOrder("p", ("b",), Stance.SEEK)})
    assert [e.kind for e in state.events if e.kind == "order_refused"] == ["order_refused"]
    assert {fleet.order.stance for fleet in state.fleets.values()} == {Stance.HOLD}


@pytest.mark.clause("G.MV3")
def test_a_standing_order_that_can_no_longer_be_sailed_loses_its_route_and_blocks_nothing() -> None:
    made = b.facts([b.fleet("e", "ENG", "a", "b", "moon"), b.fleet("f", "ENG", "b", "c", "theirs")])
    state, stops = b.play(made, {code: made.fleets[code].order for code in made.fleets})
    assert isinstance(stops[-1], TurnDone)
    assert [e.data["fleet"] for e in state.events if e.kind == "order_refused"] == ["e", "f"]
    assert {fleet.position.at for fleet in state.fleets.values()} == {"a", "b"}


@pytest.mark.clause("G.MV2")
def test_a_standing_order_is_not_refused_where_a_chase_has_carried_the_fleet() -> None:
    made = b.facts([b.fleet("e", "ENG", "b", "a", to="n", run=3_000)], weather=b.weather(wind=0))
    state, _ = b.play(made, {"e": made.fleets["e"].order})
    assert not [e for e in state.events if e.kind == "order_refused"]
    assert state.fleets["e"].position.at == "a" or state.fleets["e"].position.to == "a"


@pytest.mark.clause("G.MV2")
def test_a_patrol_continues_past_the_turns_end() -> None:
    order = FleetOrder("e", ("a", "b"), on_arrival=OnArrival.PATROL)
    made = b.facts([b.fleet("e", "ENG", "home")])
    for _ in range(6):
        state, _ = b.play(made, {"e": order})
        made = b.next_facts(made, state)
        order = made.fleets["e"].order
        assert order.route
        assert set(state.fleets["e"].path) == {"home", "a", "b"}
