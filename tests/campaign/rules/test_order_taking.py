"""How a turn takes up its orders: what changes nothing, what is refused, what a standing order keeps; marks of ships."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.ashore.side_faults import take_side_orders
from campaign.rules.chart.side_orders import SideOrder
from campaign.rules.chart.types import FleetOrder, OnArrival, Position
from campaign.rules.orders.orders import take_orders
from campaign.rules.state.state import AGROUND, RETAKEN, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b


def taken(
    standing: FleetOrder, *orders: tuple[str, FleetOrder], at: Position | None = None, **fleet: Any
) -> Chart:
    """The chart after the orders of a turn were taken up by e, which lay at a under a standing order."""
    rows = [b.fleet("e", "ENG", "a"), b.fleet("f", "ENG", "b"), b.fleet("d", "NLD", "theirs")]
    rows[0] = replace(rows[0], order=standing, **({"position": at} if at else {}))
    made = b.facts(rows, weather=b.weather())
    state = turn.standing(made)
    chart = Chart(made, state, ScriptedDice(()))
    chart.alter(state.fleets["e"], **fleet)
    take_orders(chart, dict(orders))
    return chart


def refused(chart: Chart) -> list[tuple[str, tuple[str, ...], list[str]]]:
    return [
        (event.data["fleet"], event.knows, [fault[0] for fault in event.data["faults"]])
        for event in chart.state.events
        if event.kind == "order_refused"
    ]


@pytest.mark.clause("G.MV2", "G.MV4")
def test_an_unchanged_order_changes_nothing_and_a_new_one_begins_a_new_path() -> None:
    standing = FleetOrder("e", ("b", "c"), Stance.SEEK)
    kept = taken(standing, ("e", standing), rejoins="x", path=("n", "b", "a", "b", "c"))
    assert (kept.state.fleets["e"].rejoins, kept.state.fleets["e"].path) == ("x", ("n", "b", "a", "b", "c"))
    other = taken(standing, ("e", replace(standing, route=("b", "n"))), rejoins="x")
    assert (other.state.fleets["e"].rejoins, other.state.fleets["e"].path) == ("", ("a", "b", "n"))
    assert refused(kept) == refused(other) == []


@pytest.mark.clause("G.MV3", "G.IN1")
def test_orders_for_another_fleet_or_for_none_are_refused_and_reported_to_those_concerned() -> None:
    standing = FleetOrder("e", ("b",))
    chart = taken(
        standing, ("e", FleetOrder("f", ("a",))), ("x", FleetOrder("x")), ("f", FleetOrder("f", ("moon",)))
    )
    assert refused(chart) == [
        ("e", ("ENG",), ["order/not-your-fleet"]),
        ("f", ("ENG",), ["order/no-such-place"]),
        ("x", (), ["order/no-such-fleet"]),
    ]
    assert {code: chart.state.fleets[code].order.route for code in "ef"} == {"e": ("b",), "f": ()}


@pytest.mark.clause("G.MV2", "G.BL1")
def test_a_standing_order_that_can_no_longer_be_sailed_loses_its_route_and_a_blockade_knows_its_port() -> (
    None
):
    lost = taken(FleetOrder("e", ("b", "moon"), Stance.SEEK), path=("a", "b"))
    fleet = lost.state.fleets["e"]
    assert (fleet.order, fleet.path) == (FleetOrder("e", stance=Stance.SEEK), ())
    assert refused(lost) == [("e", ("ENG",), ["order/no-such-place"])]
    way = ("b", "c", "theirs")
    for arrival, target in ((OnArrival.BLOCKADE, "theirs"), (OnArrival.ATTACK, "")):
        stood = taken(FleetOrder("e", way, on_arrival=arrival))
        assert (stood.state.fleets["e"].order.target, stood.state.fleets["e"].order.route) == (target, way)
        given = taken(FleetOrder("e"), ("e", FleetOrder("e", way, on_arrival=arrival)))
        assert (given.state.fleets["e"].order.target, refused(given)) == (target, [])


@pytest.mark.clause("G.MV3")
def test_a_sides_standing_order_is_not_refused_again_when_one_of_its_lines_has_gone_bad() -> None:
    chart = taken(FleetOrder("e"))
    bad = SideOrder("ENG", recruits=("x9",), bounty={"home": 3})
    chart.facts = replace(chart.facts, side_orders={"ENG": bad})
    chart.state.economy.orders["ENG"] = bad
    take_side_orders(chart)
    assert chart.state.events == []
    assert chart.state.economy.orders == {"ENG": SideOrder("ENG", bounty={"home": 3})}


@pytest.mark.clause("G.CL2", "G.CH4", "G.PR3")
def test_a_ship_has_each_mark_once_until_it_is_removed() -> None:
    state = TurnState("trial", 1, 0, 24)
    for mark in (RETAKEN, AGROUND, RETAKEN):
        state.mark("s", mark)
    assert state.marks == {"s": (AGROUND, RETAKEN)}
    assert state.marked("s", AGROUND) and state.marked("s", RETAKEN) and not state.marked("t", AGROUND)
    state.unmark("s", AGROUND)
    assert state.marks == {"s": (RETAKEN,)}
    state.unmark("s", RETAKEN)
    state.unmark("t", RETAKEN)
    assert state.marks == {}
