from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.core.hexes import NAMES, STEPS, distance, nearest_direction, step, turned, within

cells = st.tuples(st.integers(-50, 50), st.integers(-50, 50))


@pytest.mark.clause("K.0.1")
@pytest.mark.parametrize(
    ("a", "b", "steps"),
    [
        ((0, 0), (0, 0), 0),
        ((0, 0), (2, -1), 2),
        ((0, 0), (4, -4), 4),
        ((-1, 1), (1, 1), 2),
        ((0, 0), (3, 2), 5),
    ],
)
def test_distance_is_the_largest_of_the_three_differences_between_hexes(
    a: tuple[int, int], b: tuple[int, int], steps: int
) -> None:
    assert distance(a, b) == steps
    assert distance(b, a) == steps


@pytest.mark.clause("K.0.1")
@given(cells, cells, cells)
def test_no_detour_is_shorter(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> None:
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@pytest.mark.clause("K.0.2")
def test_directions_run_clockwise_from_north() -> None:
    assert dict(zip(NAMES, STEPS, strict=True)) == {
        "N": (0, -1),
        "NE": (1, -1),
        "SE": (1, 0),
        "S": (0, 1),
        "SW": (-1, 1),
        "NW": (-1, 0),
    }


@pytest.mark.clause("K.0.2")
@given(cells, st.integers(0, 5), st.integers(0, 9))
def test_steps_one_way_and_back_end_where_they_began(
    cell: tuple[int, int], direction: int, count: int
) -> None:
    there = step(cell, direction, count)
    assert distance(cell, there) == count
    assert step(there, direction + 3, count) == cell


@pytest.mark.clause("K.0.2")
@given(cells)
def test_six_steps_with_a_turn_to_starboard_after_each_close_a_ring(cell: tuple[int, int]) -> None:
    at, facing, ring = cell, 0, []
    for _ in range(6):
        at = step(at, facing)
        ring.append(at)
        facing = turned(facing, 1)
    assert (at, facing) == (cell, 0)
    assert len(set(ring)) == 6


@pytest.mark.clause("K.0.2")
def test_turning_past_north_works_both_ways() -> None:
    assert turned(5, 1) == 0
    assert turned(0, -1) == 5
    assert turned(1, -2) == 5


@pytest.mark.clause("K.0.1")
@given(cells, st.integers(0, 5))
def test_every_hex_of_a_disc_is_found_once(cell: tuple[int, int], radius: int) -> None:
    found = list(within(cell, radius))
    assert len(found) == len(set(found)) == 1 + 3 * radius * (radius + 1)
    assert all(distance(cell, other) <= radius for other in found)


@pytest.mark.clause("K.0.2")
@given(cells, st.integers(0, 5), st.integers(1, 9))
def test_the_bearing_along_a_row_is_that_of_the_row(
    cell: tuple[int, int], direction: int, count: int
) -> None:
    assert nearest_direction(cell, step(cell, direction, count)) == direction


@pytest.mark.clause("K.0.2")
@pytest.mark.parametrize("direction", range(6))
def test_a_hex_midway_between_two_directions_bears_by_the_clockwise_one(direction: int) -> None:
    between = step(step((0, 0), direction), direction + 1)
    assert nearest_direction((0, 0), between) == turned(direction, 1)


@pytest.mark.clause("K.0.2")
def test_there_is_no_bearing_from_a_hex_to_itself() -> None:
    with pytest.raises(ValueError, match="no bearing"):
        nearest_direction((2, 2), (2, 2))
