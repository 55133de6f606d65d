"""Land and shoal in squares of 500 yards. Places in hundredths of a yard."""

from __future__ import annotations

from itertools import islice

import pytest

from battles.engine.rulesets.barker import land
from tests.engine.barker.builders import battle, unit

Y = 100


@pytest.mark.clause("P.K42")
def test_a_square_begins_at_500_times_its_numbers() -> None:
    assert land.cell_of((0, 0)) == (0, 0)
    assert land.cell_of((499_99, -1)) == (0, -1)
    assert land.cell_of((500_00, -500_00)) == (1, -1)


@pytest.mark.parametrize(
    ("a", "b", "cells"),
    [
        ((100, 100), (1_400, 100), [(0, 0), (1, 0), (2, 0)]),
        ((100, 100), (100, -600), [(0, 0), (0, -1), (0, -2)]),
        ((250, 250), (750, 750), [(0, 0), (1, 1)]),
        ((100, 200), (900, 600), [(0, 0), (1, 0), (1, 1)]),
        ((900, 600), (100, 200), [(1, 1), (1, 0), (0, 0)]),
        ((-100, 100), (-700, 300), [(-1, 0), (-2, 0)]),
        ((10, 10), (20, 20), [(0, 0)]),
    ],
)
def test_a_line_passes_through_squares_but_not_through_their_corners(
    a: tuple[int, int], b: tuple[int, int], cells: list[tuple[int, int]]
) -> None:
    points = (a[0] * Y, a[1] * Y), (b[0] * Y, b[1] * Y)
    # No line of these passes through fifty.
    assert list(islice(land.crossed(*points), 50)) == cells


@pytest.mark.clause("P.S28", "P.V10", "P.F18", "P.F22")
def test_land_stops_a_line_and_a_shoal_stops_all_but_torpedo_craft() -> None:
    made = battle(unit("A1"), unit("B1", (3_000, 0)), land=frozenset({(2, 0)}), shoal=frozenset({(4, 0)}))
    over, clear = ((0, 100 * Y), (3_000 * Y, 100 * Y)), ((0, 600 * Y), (3_000 * Y, 600 * Y))
    assert land.blocks(made, *over) and not land.blocks(made, *clear)
    assert land.shoals_block(made, *over) and not land.shoals_block(made, *clear)
    assert not land.blocks(made, (1_500 * Y, 100 * Y), (3_000 * Y, 100 * Y))


@pytest.mark.clause("P.F21")
def test_the_land_an_installation_stands_on_is_no_hindrance_but_other_land_is() -> None:
    guns = unit("A1", (250, 250), kind="BATTERY")
    made = battle(guns, unit("B1", (3_000, 0)), land=frozenset({(0, 0), (1, 0), (4, 0)}))
    near, far = ((250 * Y, 250 * Y), (1_900 * Y, 250 * Y)), ((250 * Y, 250 * Y), (2_900 * Y, 250 * Y))
    assert land.blocks(made, *near)
    assert not land.blocks(made, *near, frozenset({"A1"}))
    assert land.blocks(made, *far, frozenset({"A1"}))


@pytest.mark.clause("P.A01", "P.EX22")
def test_a_front_edge_meets_the_shore_where_it_first_touches() -> None:
    made = battle(unit("A1"), shoal=frozenset({(-1, 1), (0, 1)}))
    ship = made.units["A1"]
    assert land.first_touch(made, ship, 400 * Y) == 300 * Y
    assert land.first_touch(made, ship, 299 * Y) is None
    ship.h = 9_000
    assert land.first_touch(made, ship, 400 * Y) is None


def test_who_lies_on_land_is_aground() -> None:
    made = battle(unit("A1", (0, 700)), land=frozenset({(0, 1)}))
    assert land.aground(made, made.units["A1"])
    made.units["A1"].y = 295 * Y
    assert not land.aground(made, made.units["A1"])
