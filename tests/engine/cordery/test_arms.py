"""What bears: quarters, dice by range, tubes, lines of sight."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core import squares
from battles.engine.rulesets.cordery import arms
from battles.engine.rulesets.cordery.options import with_defaults
from tests.engine.cordery.builders import NAMES, battle, ship
from tests.support.cases import cases


@pytest.mark.parametrize("case", cases("cordery/arcs"))
def test_an_area_lies_in_the_quarter_and_at_the_range(case: dict[str, Any]) -> None:
    dx, dy = (a - 5 for a in case["other"])
    lies = arms.bearing(dx, dy, NAMES.index(case["heading"]))
    assert (lies.quarter, lies.reach) == (case["quarter"], case["reach"])


@pytest.mark.parametrize("case", cases("cordery/dice"))
def test_a_standard_ship_throws_so_many_dice(case: dict[str, Any]) -> None:
    one = ship(at=(0, 0), torpedoes=case.get("torpedoes", 4))
    for name in case.get("lost", ()):
        setattr(one, name, False)
    options = with_defaults(case.get("options", {}))
    found = arms.weapons(one, one.standing, one.pos, one.h, tuple(case["other"]), options)
    assert found == case["dice"]


@pytest.mark.clause("C.N3", "C.G11")
def test_guns_to_a_turret_and_to_a_battery_multiply_the_dice() -> None:
    one = ship(at=(0, 0), guns_per_turret=2, guns_per_battery=3)
    found = arms.weapons(one, one.standing, one.pos, one.h, (4, 0), with_defaults({}))
    assert found == {"main": 8, "stbd": 3}


@pytest.mark.parametrize("case", cases("cordery/sight"))
def test_a_line_of_sight_is_blocked_by_areas_it_passes_through(case: dict[str, Any]) -> None:
    target = tuple(case["target"])
    others = [ship(f"A{n}", tuple(at)) for n, at in enumerate(case["between"], 2)]
    made = battle(ship("A1", (0, 0)), ship("B1", target), *others)
    assert made.sees((0, 0), target) is case["seen"]
    assert made.sees(target, (0, 0)) is case["seen"]


@pytest.mark.clause("C.G9", "C.M10")
def test_land_blocks_sight_even_where_ships_do_not() -> None:
    made = battle(ship("A1", (0, 0)), ship("A2", (2, 0)), ship("B1", (4, 0)), options={"block_line": False})
    assert made.sees((0, 0), (4, 0))
    made.land = frozenset({(3, 0)})
    assert not made.sees((0, 0), (4, 0))


@pytest.mark.clause("C.P3", "C.P4")
def test_eight_headings_go_round_and_diagonals_are_free() -> None:
    assert squares.NAMES == NAMES
    assert squares.distance((0, 0), squares.step((0, 0), 1, 3)) == 3
