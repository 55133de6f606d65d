"""The grid of squares: ranges, quarters, lines of sight and bearings, in integers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.core import squares
from battles.engine.core.squares import AHEAD, ASTERN, PORT, STARBOARD

OFFSETS = st.tuples(st.integers(-30, 30), st.integers(-30, 30))
SOMEWHERE = OFFSETS.filter(lambda offset: offset != (0, 0))
HEADINGS = st.integers(0, 7)


def test_steps_go_clockwise_from_north_and_a_diagonal_costs_one() -> None:
    assert [squares.step((0, 0), heading) for heading in range(8)] == [
        (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1),
    ]  # fmt: skip
    assert squares.step((4, 5), 3, 2) == (6, 3)
    assert squares.step((4, 5), 1, -2) == (2, 3)
    assert squares.distance((0, 0), (3, -5)) == 5
    assert squares.distance((2, 2), (-2, 1)) == 4
    assert (squares.turned(7, 1), squares.turned(0, -1)) == (0, 7)


@given(OFFSETS, HEADINGS, st.integers(0, 12))
def test_as_many_steps_as_the_range_lead_from_one_area_to_the_other_on_a_heading(
    start: squares.Square, heading: int, count: int
) -> None:
    assert squares.distance(start, squares.step(start, heading, count)) == count


@given(SOMEWHERE, HEADINGS)
def test_a_quarter_is_that_of_the_angle(offset: squares.Square, heading: int) -> None:
    angle = (math.degrees(math.atan2(offset[0], offset[1])) - 45 * heading) % 360
    found = squares.quarter((0, 0), heading, offset)
    if min(abs(angle - edge) for edge in (45, 135, 225, 315)) < 1e-9:
        assert found in (PORT, STARBOARD)
    elif angle < 45 or angle > 315:
        assert found == AHEAD
    elif 135 < angle < 225:
        assert found == ASTERN
    else:
        assert found == (STARBOARD if angle < 180 else PORT)


@given(SOMEWHERE, HEADINGS)
def test_a_turn_of_the_ship_and_of_the_sea_together_changes_no_quarter(
    offset: squares.Square, heading: int
) -> None:
    x, y = offset
    assert squares.quarter((0, 0), heading, (x, y)) == squares.quarter((0, 0), (heading + 2) % 8, (y, -x))
    assert squares.straight((0, 0), heading, (x, y)) == squares.straight((0, 0), (heading + 2) % 8, (y, -x))


def test_an_area_has_no_bearing_from_itself() -> None:
    with pytest.raises(ValueError, match="from itself"):
        squares.quarter((1, 1), 0, (1, 1))
    with pytest.raises(ValueError, match="from itself"):
        squares.heading_to((1, 1), (1, 1))
    assert squares.straight((1, 1), 0, (1, 1)) == ""


@pytest.mark.parametrize(
    ("heading", "other", "found"),
    [
        (0, (0, 3), AHEAD),
        (0, (0, -1), ASTERN),
        (0, (2, 0), STARBOARD),
        (0, (-2, 0), PORT),
        (0, (1, 3), ""),
        (1, (2, 2), AHEAD),
        (1, (-2, -2), ASTERN),
        (1, (2, -2), STARBOARD),
        (1, (-1, 1), PORT),
        (1, (0, 3), ""),
    ],
)
def test_the_straight_lines_are_ahead_astern_and_square_on_the_beam(
    heading: int, other: squares.Square, found: str
) -> None:
    assert squares.straight((0, 0), heading, other) == found


def crosses(target: squares.Square, box: squares.Square) -> bool:
    """Whether a line from (0, 0) has a stretch inside an area, by the place of the area's corners on either side of it."""
    tx, ty = target
    sides = [tx * (2 * box[1] + j) - ty * (2 * box[0] + i) for i in (-1, 1) for j in (-1, 1)]
    return min(sides) < 0 < max(sides)


@given(SOMEWHERE)
def test_a_line_passes_through_the_areas_that_have_corners_on_both_sides_of_it(
    target: squares.Square,
) -> None:
    whole = target[0] ** 2 + target[1] ** 2
    wanted = {
        (x, y)
        for x in range(min(0, target[0]), max(0, target[0]) + 1)
        for y in range(min(0, target[1]), max(0, target[1]) + 1)
        if crosses(target, (x, y)) and 0 < x * target[0] + y * target[1] < whole
    }
    assert set(squares.between(*target)) == wanted


@given(OFFSETS, SOMEWHERE)
def test_a_line_is_the_same_from_both_ends(a: squares.Square, by: squares.Square) -> None:
    b = (a[0] + by[0], a[1] + by[1])
    assert set(squares.line(a, b)) == set(squares.line(b, a))


@pytest.mark.parametrize(
    ("bearing", "heading"), [(0, 0), (2_249, 0), (2_250, 1), (6_749, 1), (18_000, 4), (33_749, 7), (33_750, 0), (35_999, 0), (-4_500, 7)]
)  # fmt: skip
def test_a_bearing_halfway_between_two_headings_is_the_clockwise_one(bearing: int, heading: int) -> None:
    assert squares.nearest_heading(bearing) == heading


@given(SOMEWHERE)
def test_the_heading_to_an_area_is_that_nearest_to_its_bearing(offset: squares.Square) -> None:
    angle = math.degrees(math.atan2(offset[0], offset[1])) % 360
    assert squares.heading_to((0, 0), offset) == squares.nearest_heading(round(angle * 100))


def test_a_ring_goes_once_round_clockwise_from_north() -> None:
    found = list(squares.ring((5, 5), 2))
    assert found[:4] == [(5, 7), (6, 7), (7, 7), (7, 6)]
    assert len(found) == len(set(found)) == 16
    assert {squares.distance((5, 5), one) for one in found} == {2}
    assert list(squares.ring((5, 5), 0)) == [(5, 5)]
