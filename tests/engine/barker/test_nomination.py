"""Which shots of the legal ones a unit fires, and whom searchlights light."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from battles.engine.rulesets.barker import fire, lights, slots
from battles.engine.rulesets.barker.play import Orders
from battles.engine.rulesets.barker.state import Status
from battles.engine.rulesets.barker.tables import Phase
from tests.engine.barker.builders import battle, play, told, unit
from tests.engine.barker.gunners import Gunner, shoot, shots
from tests.support.answers import unerring

# --- nomination ---


@unerring
def nominated(
    orders: Orders | None, *, wished: Sequence[str] = (), forced: str = ""
) -> list[tuple[str, str]]:
    made = battle(
        unit("A1"),
        unit("B1", (1_500, 0)),
        unit("B2", (1_500, 600)),
        unit("B3", (-1_500, 0)),
        unit("B4", (0, 1_500)),
    )
    table = play(made, orders={"A1": orders} if orders else {}, captains={"A": Gunner(wished)})
    if forced:
        table.forced["A1"] = forced
    me = made.units["A1"]
    chosen = fire.nominate(made, table, me, slots.legal(made, me))
    assert table.forced == {}
    return [(one.slot, one.target) for one in chosen]


@pytest.mark.clause("P.F09")
@pytest.mark.clause("P.K48")
def test_orders_fill_slots_and_the_captain_the_rest() -> None:
    assert nominated(None) == [("main", "B1"), ("other", "B3"), ("ahead", "B4")]
    assert nominated(Orders(targets={"main": "B3"})) == [("main", "B3"), ("other", "B1"), ("ahead", "B4")]
    assert nominated(Orders(targets={"main": "B3", "ahead": ""})) == [("main", "B3"), ("other", "B1")]
    assert nominated(Orders(targets={"main": "B9"})) == [("main", "B1"), ("other", "B3"), ("ahead", "B4")]
    assert nominated(Orders(targets={"main": "", "other": "", "ahead": ""})) == []
    assert nominated(Orders(targets={"main": "B1", "other": "B2"})) == [
        ("main", "B1"),
        ("other", "B3"),
        ("ahead", "B4"),
    ]


@pytest.mark.clause("P.F09")
def test_a_target_is_fired_at_once_only() -> None:
    assert nominated(None, wished=["B1"]) == [("main", "B1")]


@pytest.mark.clause("P.R03")
def test_a_disclosed_raider_fires_on_the_ship_that_disclosed_it() -> None:
    assert nominated(None, forced="B3") == [("main", "B3"), ("other", "B1"), ("ahead", "B4")]
    assert nominated(Orders(targets={"main": "B1"}), forced="B4") == [
        ("ahead", "B4"),
        ("main", "B1"),
        ("other", "B3"),
    ]
    assert nominated(None, wished=["B1"], forced="B9") == [("main", "B1")]


@pytest.mark.clause("P.R05")
def test_an_armed_merchant_cruiser_shows_itself_by_firing() -> None:
    made = battle(unit("A1", kind="AMC"), unit("B1", (1_000, 0), kind="C2"))
    table = shoot(made, 1, 6, a=Gunner())
    assert made.units["A1"].acting
    assert told(table, "disclosed") == [("A1", {"type": "AMC"})]
    made.spell += 1
    assert told(shoot(made, 1, 6, a=Gunner()), "disclosed") == []


# --- searchlights ---


@pytest.mark.clause("P.V14")
def test_lights_open_the_step_by_night_and_hold_until_the_next() -> None:
    made = battle(unit("A1"), unit("B1", (2_000, 0)), phase=Phase.NIGHT)
    table = shoot(made, 1, 6, 1, 6, a=Gunner(light={"A1": "B1"}), b=Gunner())
    assert made.units["A1"].light == "B1"
    assert told(table, "lit") == [("A1", {"target": "B1"})]
    assert [row[:2] for row in shots(table)] == [("A1", "B1"), ("B1", "A1")]
    made.spell += 1
    # Still lit from the last step: nothing is told. B1 is the first to fire now.
    table = shoot(made, a=Gunner(light={"A1": "B1"}, silent=True))
    assert told(table, "lit") == []
    table = shoot(made)
    assert told(table, "lit") == [("A1", {"target": ""})]
    assert made.units["A1"].light == ""


@pytest.mark.clause("P.V14")
@pytest.mark.parametrize("phase", [Phase.DAY, Phase.DUSK, Phase.DAWN])
def test_lights_are_shown_only_at_night(phase: Phase) -> None:
    made = battle(unit("A1", light="B1"), unit("B1", (3_000, 0)), phase=phase)
    table = play(made, captains={"A": Gunner(light={"A1": "B1"}, silent=True), "B": Gunner(silent=True)})
    lights.declare(made, table)
    assert made.units["A1"].light == ""
    assert told(table, "lit") == [("A1", {"target": ""})]


@pytest.mark.clause("P.V14")
@pytest.mark.clause("P.G02")
def test_a_ship_that_has_signalled_cannot_use_its_searchlight() -> None:
    made = battle(unit("A1", light="signal"), unit("B1", (2_000, 0)), phase=Phase.NIGHT)
    table = play(made, captains={"A": Gunner(light={"A1": "B1"})})
    lights.declare(made, table)
    assert made.units["A1"].light == "signal"
    assert told(table, "lit") == []


@pytest.mark.clause("P.V14")
@pytest.mark.parametrize(
    ("order", "wanted"),
    [
        (None, "B1"),
        (Orders(light="B2"), "B2"),
        (Orders(light=""), ""),
        (Orders(light="B9"), ""),
        (Orders(), "B1"),
    ],
)
def test_orders_for_lights_go_before_the_captain(order: Orders | None, wanted: str) -> None:
    made = battle(unit("A1"), unit("B1", (2_000, 0)), unit("B2", (-2_000, 0)), phase=Phase.NIGHT)
    table = play(made, orders={"A1": order} if order else {}, captains={"A": Gunner(light={"A1": "B1"})})
    lights.declare(made, table)
    assert made.units["A1"].light == wanted


@pytest.mark.clause("P.V13")
@pytest.mark.parametrize(
    ("over", "wanted"),
    [
        ({}, True),
        ({"searchlight": False}, False),
        ({"disguised": True}, False),
        ({"status": Status.SUNK}, False),
    ],
)
def test_only_some_ships_have_a_searchlight(over: dict[str, Any], wanted: bool) -> None:
    assert lights.has_light(unit("A1", **over)) is wanted
