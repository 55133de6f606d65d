"""Land on the plane: when a hull touches it, and what it hides."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from battles.engine.core import plane, shore
from battles.engine.core.plane import Box, Point

HEADLAND = ((0, 0), (4_000, 0), (4_000, 1_000), (1_000, 1_000), (1_000, 4_000), (0, 4_000))
headings = st.integers(0, plane.FULL - 1)
places = st.tuples(st.integers(-6_000, 8_000), st.integers(-6_000, 8_000))


def test_a_bay_is_not_land() -> None:
    assert shore.inside((500, 3_000), HEADLAND)
    assert not shore.inside((2_500, 2_500), HEADLAND)
    assert not shore.inside((-1, 500), HEADLAND)


def test_a_hull_is_ashore_when_any_part_of_her_touches() -> None:
    assert not shore.ashore(Box(2_500, 1_200, 9_000, 1_000, 250), HEADLAND)
    assert shore.ashore(Box(2_500, 1_200, 0, 1_000, 250), HEADLAND)
    assert shore.ashore(Box(500, 500, 0, 100, 25), HEADLAND)


def test_a_hull_runs_ashore_where_she_first_touches() -> None:
    ship = Box(2_500, 3_000, 9_000, 1_000, 250)
    assert shore.first_ashore(ship, 18_000, 1_800, HEADLAND) is None
    assert shore.first_ashore(ship, 18_000, 1_900, HEADLAND) == 1_875
    assert shore.first_ashore(ship, 27_000, 5_000, HEADLAND) == 1_000
    assert shore.first_ashore(ship, 0, 50_000, HEADLAND) is None


def test_a_thin_spit_is_not_skipped() -> None:
    spit = ((0, 0), (10_000, 0), (10_000, 1))
    assert shore.first_ashore(Box(5_000, 2_000, 18_000, 1_000, 250), 18_000, 9_000, spit) is not None
    assert shore.crosses_land((5_000, 2_000), (5_000, -2_000), spit)


@given(places, headings, headings, st.integers(0, 6_000))
def test_just_short_of_the_shore_she_is_afloat_and_just_beyond_she_is_not(
    start: Point, heading: int, towards: int, length: int
) -> None:
    ship = Box(*start, heading, 1_000, 250)
    at = shore.first_ashore(ship, towards, length, HEADLAND)
    if shore.ashore(ship, HEADLAND):
        assert at == 0
        return
    if at is None:
        end = plane.advance(start, towards, max(0, length - 2))
        inner = Box(*end, heading, 990, 240)
        assert not shore.ashore(inner, HEADLAND)
        return
    before = plane.advance(start, towards, max(0, at - 2))
    assert not shore.ashore(Box(*before, heading, 990, 240), HEADLAND)
    after = plane.advance(start, towards, at + 2)
    assert shore.ashore(Box(*after, heading, 1_010, 260), HEADLAND)


@given(places, places)
def test_land_hides_equally_from_both_ends(a: Point, b: Point) -> None:
    assert shore.crosses_land(a, b, HEADLAND) == shore.crosses_land(b, a, HEADLAND)


def test_a_line_along_the_beach_and_one_that_misses_it_are_distinguished() -> None:
    assert shore.crosses_land((-500, 0), (5_000, 0), HEADLAND)
    assert shore.crosses_land((-1_000, 500), (500, 500), HEADLAND)
    assert not shore.crosses_land((1_100, 3_900), (3_900, 1_100), HEADLAND)
    assert not shore.crosses_land((-100, -100), (5_000, -1), HEADLAND)
