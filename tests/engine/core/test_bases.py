"""Rectangular bases: gaps, nearest points, corridors. Bases of 400 by 200."""

from __future__ import annotations

import pytest

from battles.engine.core import bases
from battles.engine.core.plane import Box


def base(x: int, y: int, heading: int = 0) -> Box:
    return Box(x, y, heading, 400, 200)


@pytest.mark.parametrize(
    ("other", "far"),
    [
        (base(0, 1_000), 600),
        (base(1_000, 0), 800),
        (base(1_000, 1_000), 1_000),
        (base(0, 1_000, 9_000), 700),
        (base(0, 400), 0),
        (base(0, 401), 1),
        (base(100, 100), 0),
        (base(0, 1_000, 4_500), 588),
    ],
)
def test_the_gap_lies_between_the_nearest_points(other: Box, far: int) -> None:
    assert bases.gap(base(0, 0), other) == far
    assert bases.gap(other, base(0, 0)) == far


def test_the_nearest_points_are_on_the_edges() -> None:
    assert bases.nearest_points(base(0, 0), base(600, 1_000)) == ((100, 200), (500, 800))
    assert bases.nearest_points(base(600, 1_000), base(0, 0)) == ((500, 800), (100, 200))
    (_, y), point = bases.nearest_points(base(0, 0), base(0, 1_000, 4_500))
    assert (y, point) == (200, (71, 788)) or (y, point) == (200, (-71, 788))


def test_a_corridor_begins_at_the_front_edge_and_is_as_wide_as_the_base() -> None:
    assert bases.front(base(0, 0)) == (0, 200)
    assert bases.front(base(0, 0, 9_000), 50) == (250, 0)
    assert bases.corridor(base(0, 0), 400) == Box(0, 400, 0, 400, 200)
    assert bases.corridor(base(0, 0, 27_000), 100) == Box(-250, 0, 27_000, 100, 200)
    assert bases.front_edge(base(10, 20, 18_000)) == Box(10, -180, 18_000, 0, 200)


def test_corners_run_from_the_starboard_bow_by_the_stern() -> None:
    assert bases.corners(base(0, 0)) == ((100, 200), (100, -200), (-100, -200), (-100, 200))
    assert bases.corners(base(5, 5, 9_000)) == ((205, -95), (-195, -95), (-195, 105), (205, 105))


@pytest.mark.parametrize(
    ("a", "b", "c", "d", "far"),
    [
        ((0, -100), (0, 100), (1_600, -100), (1_600, 100), 1_600),
        ((0, 0), (0, 100), (30, 140), (500, 140), 50),
        ((0, 0), (10, 10), (0, 10), (10, 0), 0),
        ((0, 0), (10, 0), (20, 0), (30, 0), 10),
        ((0, 0), (10, 0), (5, 0), (30, 0), 0),
        ((0, 0), (0, 0), (3, 4), (3, 4), 5),
        ((0, 0), (100, 0), (50, 7), (50, 90), 7),
    ],
)
def test_the_gap_of_two_stretches(
    a: tuple[int, int], b: tuple[int, int], c: tuple[int, int], d: tuple[int, int], far: int
) -> None:
    assert bases.segment_gap(a, b, c, d) == far
    assert bases.segment_gap(d, c, b, a) == far
