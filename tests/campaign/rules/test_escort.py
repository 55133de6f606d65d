"""Escorts keep company with their charge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.rules.chart.types import FleetOrder, OnArrival, Position, ShipKind, TurnFacts
from campaign.rules.orders.orders import order_faults
from tests.campaign.rules import builders as b


def made(at: str = "a", kind: ShipKind = ShipKind.LINE) -> TurnFacts:
    """Merchants bound from a to b, and a fleet that is to keep company with them."""
    escort = FleetOrder("w", on_arrival=OnArrival.ESCORT, target="m")
    fleets = [b.fleet("m", "ENG", "a", "b", "n"), b.fleet("w", "ENG", at, order=escort)]
    ships = [b.ship("m1", "ENG", "m", kind=ShipKind.MERCHANT), b.ship("w1", "ENG", "w", kind=kind)]
    return b.facts(fleets, ships, weather=b.weather(wind=0))


@pytest.mark.clause("G.MV2", "G.MV4")
def test_an_escort_sails_at_the_pace_of_its_charge_hour_by_hour() -> None:
    state, _ = b.play(made(), reload=True)
    assert state.fleets["w"].position == state.fleets["m"].position != Position("a")
    assert state.fleets["w"].order.route == ()


@pytest.mark.clause("G.MV2")
def test_an_escort_that_is_elsewhere_joins_its_charge() -> None:
    state, _ = b.play(made(at="home", kind=ShipKind.FRIGATE))
    assert state.fleets["w"].position.at in ("a", "b")
    later = b.next_facts(made(at="home", kind=ShipKind.FRIGATE), state)
    state, _ = b.play(later)
    assert state.fleets["w"].position == state.fleets["m"].position


def test_an_escort_whose_charge_is_gone_heaves_to() -> None:
    facts = made(at="b")
    alone = replace(facts, fleets={"w": facts.fleets["w"]}, ships={"w1": facts.ships["w1"]})
    state, _ = b.play(alone)
    assert state.fleets["w"].position == Position("b")


@pytest.mark.clause("G.MV2", "G.MV3")
@pytest.mark.parametrize("target", ["", "w", "d", "x", "v"])
def test_an_escort_needs_another_fleet_of_its_side_that_is_not_an_escort(target: str) -> None:
    facts = made()
    second = b.fleet("v", "ENG", "a", order=replace(facts.fleets["w"].order, fleet="v"))
    fleets = {**facts.fleets, "v": second, "d": b.fleet("d", "NLD", "c")}
    order = FleetOrder("w", on_arrival=OnArrival.ESCORT, target=target)
    (fault,) = order_faults(replace(facts, fleets=fleets), order, "ENG")
    assert fault.code == "order/no-charge"
    assert "Fleet d" not in fault.text


def bound_to_join(at: str, run: int, *, hunter: str = "ENG") -> TurnFacts:
    """A fleet w that is to join and has come to its journey's end at a, and m so far from there on the way to b."""
    order = FleetOrder("w", on_arrival=OnArrival.JOIN)
    fleets = [b.fleet("m", hunter, at, to="b", run=run), b.fleet("w", "ENG", "a", order=order)]
    return b.facts(fleets, weather=b.weather(wind=0), at_war=frozenset())


@pytest.mark.clause("G.MV2", "G.MV4")
@pytest.mark.parametrize(("run", "comes"), [(14_000, True), (16_000, False)])
def test_a_fleet_that_is_to_join_another_steers_for_it_when_it_is_near(run: int, comes: bool) -> None:
    made = bound_to_join("a", run)
    state, _ = b.play(made, reload=True)
    assert (state.fleets["w"].position == state.fleets["m"].position) is comes
    assert (state.fleets["w"].position == Position("a")) is not comes


@pytest.mark.clause("G.MV4")
def test_it_does_not_run_after_fleets_of_other_sides() -> None:
    state, _ = b.play(bound_to_join("a", 14_000, hunter="NLD"))
    assert state.fleets["w"].position == Position("a")
