"""Geometry of the plane: whole numbers that agree with the textbook, and limits that belong to the inside."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.core import plane
from battles.engine.core.grid import Grid
from battles.engine.core.plane import FULL, Box, Point

places = st.tuples(st.integers(-60_000, 60_000), st.integers(-60_000, 60_000))
headings = st.integers(0, FULL - 1)
lengths = st.integers(1, 2_000)
hulls = st.builds(
    Box, st.integers(-4_000, 4_000), st.integers(-4_000, 4_000), headings, lengths, st.integers(1, 600)
)


def rim(hull: Box, inward: float = 0.0) -> list[tuple[float, float]]:
    """Points along the edge of a hull, in floats."""
    sin, cos = math.sin(math.radians(hull.heading / 100)), math.cos(math.radians(hull.heading / 100))
    found = []
    for n in range(21):
        share = n / 10 - 1
        for a, b in ((share, 1.0), (share, -1.0), (1.0, share), (-1.0, share)):
            along, abeam = a * (hull.length / 2 - inward), b * (hull.beam / 2 - inward)
            found.append((hull.x + along * sin + abeam * cos, hull.y + along * cos - abeam * sin))
    return found


def holds(hull: Box, point: tuple[float, float], more: float = 0.0) -> bool:
    """Whether a point lies in a hull, in floats."""
    sin, cos = math.sin(math.radians(hull.heading / 100)), math.cos(math.radians(hull.heading / 100))
    dx, dy = point[0] - hull.x, point[1] - hull.y
    return (
        abs(dx * sin + dy * cos) <= hull.length / 2 + more
        and abs(dx * cos - dy * sin) <= hull.beam / 2 + more
    )


@given(headings)
def test_unit_vectors_match_the_textbook(heading: int) -> None:
    x, y = plane.unit(heading)
    assert x == pytest.approx(math.sin(math.radians(heading / 100)) * plane.UNIT, abs=1)
    assert y == pytest.approx(math.cos(math.radians(heading / 100)) * plane.UNIT, abs=1)


@pytest.mark.parametrize(
    ("heading", "vector"),
    [
        (0, (0, plane.UNIT)),
        (9_000, (plane.UNIT, 0)),
        (18_000, (0, -plane.UNIT)),
        (27_000, (-plane.UNIT, 0)),
        (3_000, (500_000_000, 866_025_404)),
        (33_000, (-500_000_000, 866_025_404)),
    ],
)
def test_cardinal_headings_are_exact(heading: int, vector: Point) -> None:
    assert plane.unit(heading) == vector


@pytest.mark.parametrize(
    ("number", "divisor", "result"), [(5, 2, 3), (-5, 2, -3), (4, 3, 1), (-4, 3, -1), (0, 7, 0), (7, 2, 4)]
)
def test_halves_are_rounded_away_from_zero(number: int, divisor: int, result: int) -> None:
    assert plane.nearest(number, divisor) == result


@given(headings, headings)
def test_swing_takes_the_shorter_way_between_two_headings(a: int, b: int) -> None:
    by = plane.swing(a, b)
    assert -plane.STRAIGHT < by <= plane.STRAIGHT
    assert plane.turned(a, by) == b
    assert plane.angle(a, b) == abs(by)


@given(places, places)
def test_distance_is_the_rounded_square_root(a: Point, b: Point) -> None:
    assert plane.distance(a, b) == pytest.approx(math.dist(a, b), abs=0.5001)


@given(places, places)
def test_bearing_leads_from_one_point_to_the_other(a: Point, b: Point) -> None:
    if a == b:
        with pytest.raises(ValueError, match="no bearing"):
            plane.bearing(a, b)
        return
    right = math.degrees(math.atan2(b[0] - a[0], b[1] - a[1])) * 100 % FULL
    found = plane.bearing(a, b)
    assert 0 <= found < FULL
    assert abs((found - right + FULL / 2) % FULL - FULL / 2) <= 0.51


@given(places, headings, st.integers(0, 20_000))
def test_advancing_keeps_bearing_and_distance(start: Point, heading: int, length: int) -> None:
    end = plane.advance(start, heading, length)
    assert abs(plane.distance(start, end) - length) <= 1
    if length > 6_000:
        assert plane.angle(plane.bearing(start, end), heading) <= 1


def test_a_leg_turns_runs_and_turns_again() -> None:
    assert plane.leg((10_000, 10_000), 0, 4_500, 5_000, -3_000) == ((13_536, 13_536), 4_500, 1_500)


def test_a_distance_on_the_limit_is_within_it() -> None:
    assert plane.within((0, 0), (3_000, 4_000), 5_000)
    assert not plane.within((0, 0), (3_000, 4_001), 5_000)


@given(hulls, hulls)
def test_hulls_overlap_when_a_point_of_one_lies_in_the_other(a: Box, b: Box) -> None:
    inner = [*rim(a, 0.01), (a.x, a.y)]
    if any(holds(b, point) for point in inner) or any(holds(a, point) for point in rim(b, 0.01)):
        assert plane.overlap(a, b)
    assert plane.overlap(a, b) == plane.overlap(b, a)


@given(hulls, hulls, st.integers(0, 500))
def test_the_gap_of_two_hulls_is_that_of_their_nearest_points(a: Box, b: Box, reach: int) -> None:
    if plane.overlap(a, b):
        assert plane.gap_within(a, b, 0)
        return
    nearest = min(
        math.dist(point, plane.nearest_point(b, (round(point[0]), round(point[1])))) for point in rim(a)
    )
    other = min(
        math.dist(point, plane.nearest_point(a, (round(point[0]), round(point[1])))) for point in rim(b)
    )
    gap = min(nearest, other)
    assert plane.gap_within(a, b, math.ceil(gap) + 3)
    if gap > 3:
        assert not plane.gap_within(a, b, math.floor(gap - 3))


def test_hulls_corner_to_corner_are_further_apart_than_their_axes_say() -> None:
    a = Box(0, 0, 0, 1_000, 200)
    b = Box(300, 1_100, 0, 1_000, 200)
    assert plane.overlap(a, b, 100)
    assert not plane.gap_within(a, b, 141)
    assert plane.gap_within(a, b, 142)


@given(hulls, headings, st.integers(0, 5_000), hulls)
def test_a_moving_hull_stops_just_before_the_first_she_meets(
    a: Box, towards: int, length: int, b: Box
) -> None:
    at = plane.first_touch(a, towards, length, b)
    if plane.overlap(a, b):
        assert at == 0
        return
    sin, cos = math.sin(math.radians(towards / 100)), math.cos(math.radians(towards / 100))
    if at is None:
        for n in range(21):
            run = length * n / 20
            there = a._replace(x=math.floor(a.x + run * sin), y=math.floor(a.y + run * cos))
            assert not plane.overlap(there, b, -2)
        return
    end = plane.advance((a.x, a.y), towards, at)
    there = a._replace(x=end[0], y=end[1])
    assert plane.touching(there, b)
    assert not plane.overlap(there, b, -2)


def test_a_drifter_stops_side_against_side() -> None:
    upper, lower = Box(0, 3_000, 9_000, 1_000, 250), Box(0, 1_800, 9_000, 1_000, 250)
    assert plane.first_touch(upper, 18_000, 1_000, lower) == 950


def test_a_ship_in_contact_presses_on_or_slides_off_depending_on_her_bearing() -> None:
    a, b = Box(0, 0, 0, 1_000, 200), Box(200, 0, 0, 1_000, 200)
    assert plane.touching(a, b)
    assert plane.deepens(a, 9_000, b)
    assert plane.deepens(a, 100, b)
    assert not plane.deepens(a, 0, b)
    assert not plane.deepens(a, 27_000, b)


@pytest.mark.parametrize(
    ("target", "starboard", "bears"),
    [
        ((5_000, 1_500), True, True),
        ((5_000, 1_900), True, False),
        ((5_000, -1_800), True, True),
        ((-3_000, 200), False, True),
        ((-3_000, 200), True, False),
        ((300, 2_000), True, False),
    ],
)
def test_a_fan_is_a_wedge_slid_along_the_side(target: Point, starboard: bool, bears: bool) -> None:
    assert plane.in_fan(Box(0, 0, 0, 1_000, 250), target, 1_500, starboard=starboard) is bears


@given(hulls, places, st.integers(0, 8_999))
def test_a_point_is_in_the_fan_of_only_one_side(hull: Box, point: Point, half_angle: int) -> None:
    both = [plane.in_fan(hull, point, half_angle, starboard=side) for side in (True, False)]
    assert not all(both)


@pytest.mark.parametrize(
    ("other", "ahead"),
    [
        (Box(300, 6_000, 9_000, 1_000, 250), True),
        (Box(600, 6_000, 9_000, 1_000, 250), False),
        (Box(300, 6_000, 0, 1_000, 250), False),
        (Box(100, 6_000, 0, 1_000, 250), True),
    ],
)
def test_the_keel_line_ahead_cuts_a_hull_or_misses_it(other: Box, ahead: bool) -> None:
    firer = Box(0, 0, 0, 1_000, 250)
    assert plane.keel_reaches(firer, other) is ahead
    assert plane.keel_cuts(firer, other) is ahead
    assert not plane.keel_reaches(firer, other, astern=True)
    behind = other._replace(y=-other.y)
    assert plane.keel_reaches(firer, behind, astern=True) is ahead
    assert not plane.keel_reaches(firer, behind)


@given(hulls, hulls)
def test_the_keel_line_reaches_ahead_or_astern_when_it_cuts(a: Box, b: Box) -> None:
    assert plane.keel_cuts(a, b) == (plane.keel_reaches(a, b) or plane.keel_reaches(a, b, astern=True))


@given(places, places, hulls)
def test_a_line_meets_a_hull_when_one_of_its_points_lies_in_her(a: Point, b: Point, hull: Box) -> None:
    points = [(a[0] + (b[0] - a[0]) * n / 100, a[1] + (b[1] - a[1]) * n / 100) for n in range(101)]
    met = plane.segment_cuts(a, b, hull)
    if any(holds(hull, point, -0.01) for point in points):
        assert met
    assert met == plane.segment_cuts(b, a, hull)
    if met:
        step = math.dist(a, b) / 100
        assert any(holds(hull, point, step + 1) for point in points)


@given(hulls, places)
def test_the_nearest_point_of_a_hull_is_in_her_and_no_further_than_any_other(hull: Box, point: Point) -> None:
    found = plane.nearest_point(hull, point)
    assert holds(hull, found, 1)
    assert math.dist(found, point) <= min(math.dist(one, point) for one in rim(hull)) + 1


@given(hulls)
def test_corners_lie_on_the_edge(hull: Box) -> None:
    for corner in plane.corners(hull):
        assert holds(hull, corner, 1)
        assert not holds(hull, corner, -1)


@given(st.lists(hulls, max_size=30), places, st.integers(0, 9_000))
def test_the_grid_finds_all_neighbours_and_no_one_else(ships: list[Box], point: Point, reach: int) -> None:
    grid: Grid[Box] = Grid(4_000)
    for one in ships:
        grid.place(one)
    there = (point[0] // 10, point[1] // 10)
    assert sorted(grid.near(there, reach)) == sorted(
        one for one in ships if plane.within((one.x, one.y), there, reach)
    )


def test_a_ship_removed_from_the_grid_is_not_a_neighbour() -> None:
    grid: Grid[Box] = Grid(4_000)
    one, twin = Box(10, 10, 0, 1_000, 250), Box(10, 10, 0, 1_000, 250)
    grid.place(one)
    grid.place(twin)
    grid.lift(one)
    assert grid.near((0, 0), 100) == [twin]
    grid.lift(twin)
    grid.lift(twin)
    assert grid.near((0, 0), 100) == []


@given(hulls, headings, st.integers(0, 5_000), hulls, st.integers(0, 300))
def test_a_hull_that_passes_clear_touches_no_one_and_comes_no_nearer(
    hull: Box, towards: int, length: int, other: Box, reach: int
) -> None:
    if not plane.passes_clear(hull, towards, length, other, reach):
        return
    assert not plane.gap_within(hull, other, reach)
    assert not plane.touching(hull, other)
    assert plane.first_touch(hull, towards, length, other) is None


def test_a_ship_ahead_does_not_pass_clear_but_one_abeam_or_astern_does() -> None:
    hull = Box(0, 0, 0, 1_000, 250)
    assert not plane.passes_clear(hull, 0, 5_000, Box(0, 4_000, 9_000, 1_000, 250))
    assert plane.passes_clear(hull, 0, 2_000, Box(0, 4_000, 9_000, 1_000, 250))
    assert plane.passes_clear(hull, 0, 5_000, Box(2_000, 2_000, 0, 1_000, 250))
    assert plane.passes_clear(hull, 0, 5_000, Box(0, -2_000, 0, 1_000, 250))
    assert not plane.passes_clear(hull, 0, 0, Box(0, -2_000, 0, 1_000, 250), 800)


@given(hulls, places, st.integers(100, 4_500))
def test_a_point_is_in_only_one_fan(hull: Box, point: Point, half: int) -> None:
    side = plane.fan(hull, point, half)
    assert (
        plane.in_fan(hull, point, half, starboard=True),
        plane.in_fan(hull, point, half, starboard=False),
    ) == (
        side > 0,
        side < 0,
    )
