"""An order of which a part cannot be carried out is refused part by part, and the rest of it holds. Rules: G.AA6, G.MV3."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.scenario import Doctrine, Stance
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, Part, TurnFacts
from campaign.rules.orders.orders import what_holds
from campaign.rules.state.state import TurnState
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

pytestmark = pytest.mark.clause("G.AA6", "G.MV3")

LAST = FleetOrder("e", ("a",), Stance.HOLD, OnArrival.ANCHOR, Instructions(greatest_odds="2", chase_hours=7))


def made(switch: str = "on", **fleet: Any) -> TurnFacts:
    """A fleet of three ships in its port, under an order of its own."""
    ships = [b.ship(f"e{n}", "ENG", "e", order=n) for n in range(3)]
    ships.append(b.ship("d1", "NLD", "d"))
    settings = b.settings(end_turn_on="none", orders_in_parts=switch)
    rows = [b.fleet("e", "ENG", "home", order=LAST, **fleet), b.fleet("d", "NLD", "theirs")]
    return b.facts(rows, ships, settings=settings, weather=b.weather())


def begun(order: FleetOrder, facts: TurnFacts) -> TurnState:
    return turn.begin(facts, {"e": order}, b.dice(facts))


def faults(state: TurnState) -> list[str]:
    return [
        fault[0] for event in state.events if event.kind == "order_refused" for fault in event.data["faults"]
    ]


GOOD = replace(
    LAST, route=("a", "b"), stance=Stance.SEEK, instructions=Instructions(greatest_odds="3", chase_hours=5)
)


@pytest.mark.parametrize(
    ("change", "stands", "fault"),
    [
        ({"route": ("nowhere",)}, {"route": LAST.route}, "order/no-such-place"),
        ({"route": ("b",)}, {"route": LAST.route}, "order/places-do-not-join"),
        (
            {"instructions": replace(GOOD.instructions, chase_hours=-1)},
            {"instructions": replace(GOOD.instructions, chase_hours=7)},
            "order/bad-instruction",
        ),
        (
            {"instructions": replace(GOOD.instructions, greatest_odds="many")},
            {"instructions": replace(GOOD.instructions, greatest_odds="2")},
            "order/bad-instruction",
        ),
        (
            {"instructions": replace(GOOD.instructions, doctrine=Doctrine(break_off=101))},
            {},
            "order/bad-instruction",
        ),
        (
            {"on_arrival": OnArrival.ESCORT, "target": "ghost"},
            {"on_arrival": LAST.on_arrival, "target": ""},
            "",
        ),
    ],
    ids=["no such place", "places that do not join", "a chase", "odds", "breaking off", "nobody to escort"],
)
def test_the_faulty_part_is_refused_with_its_reason_and_the_rest_holds(
    change: dict[str, Any], stands: dict[str, Any], fault: str
) -> None:
    state = begun(replace(GOOD, **change), made())
    assert state.fleets["e"].order == replace(GOOD, **stands)
    told = faults(state)
    assert told and (not fault or set(told) == {fault})


def test_without_the_option_the_same_order_is_refused_as_a_whole() -> None:
    state = begun(replace(GOOD, instructions=replace(GOOD.instructions, chase_hours=-1)), made("off"))
    assert state.fleets["e"].order == LAST and faults(state) == ["order/bad-instruction"]


def test_of_two_detachments_the_one_that_can_leave_leaves() -> None:
    good, ghost = Part(("e1",), name="Scout", route=("a",)), Part(("d1",), name="Ghost", route=("a",))
    holds, refused = what_holds(made(), LAST, replace(GOOD, parts=(ghost, good)))
    assert holds.parts == (good,) and refused
    assert (holds.route, holds.stance) == (GOOD.route, GOOD.stance)


def test_every_error_is_reported_once() -> None:
    wrong = replace(
        GOOD,
        route=("nowhere",),
        instructions=Instructions(chase_hours=-1, greatest_odds="many", after_battle="?"),
    )
    told = faults(begun(wrong, made()))
    assert sorted(told) == ["order/bad-instruction"] * 3 + ["order/no-such-place"]


def test_a_fleet_that_takes_no_orders_keeps_its_own() -> None:
    """It is held by a battle: no part of an order can be carried out."""
    facts = made(held_by="b07")
    holds, (refused,) = what_holds(facts, LAST, GOOD)
    assert holds == LAST and refused.code == "order/fleet-held"


def test_a_refusal_is_told_to_the_side_alone() -> None:
    state = begun(replace(GOOD, route=("nowhere",)), made())
    (event,) = [event for event in state.events if event.kind == "order_refused"]
    assert (event.knows, event.data["fleet"]) == (("ENG",), "e")


def test_an_order_without_fault_is_taken_as_it_is() -> None:
    state = begun(GOOD, made())
    assert state.fleets["e"].order == GOOD and not faults(state)
