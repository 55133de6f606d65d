"""The flat chart and the ways over it: which way round, which way is shorter, where land begins to count."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.chart.chart import initial_bearing, point_along
from campaign.rules.chart.points import Point, bearing_between, cosine_ppm, miles_between, offset
from campaign.rules.chart.theatre import geometry, read_theatre
from campaign.rules.chart.types import Position
from tests.campaign.rules.builders import month, square_doc

pytestmark = pytest.mark.clause("G.CH1", "G.CH2")


def sea_of(places: dict[str, tuple[float, float]], *passages: str, **kinds: str) -> dict[str, Any]:
    """A theatre of a few places at latitude and longitude, joined by passages "ab"; kinds by place."""
    nodes = [
        {"id": code, "name": code, "latitude": lat, "longitude": lon, "zone": "sea", "owner": "England",
         "kind": kinds.get(code, "sea_area")}
        for code, (lat, lon) in places.items()
    ]  # fmt: skip
    return {
        "theatre": "made", "title": "Made", "nodes": nodes, "edges": [list(pair) for pair in passages],
        "weather_zones": [{"id": "sea", "name": "Sea", "months": {str(n): month() for n in range(1, 13)}}],
        "daylight": {str(n): [5, 19] for n in range(1, 13)},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("end", "degrees"),
    [((1, 0), 0), ((1, 1), 45), ((0, 1), 90), ((-1, 1), 135), ((-1, 0), 180), ((-1, -1), 225), ((0, -1), 270),
     ((1, -1), 315), ((0, 0), 0)],
)  # fmt: skip
def test_bearings_go_round_the_compass(end: tuple[int, int], degrees: int) -> None:
    lat, lon = end
    assert bearing_between(Point(0, 0), Point(1000 * lat, 1000 * lon)) == degrees


def test_a_degree_of_longitude_shrinks_with_the_cosine_of_the_mean_latitude() -> None:
    assert offset(Point(0, 0), Point(0, 100_000)) == (60_000, 0)
    assert offset(Point(6_000_000, 0), Point(6_000_000, 100_000)) == (30_000, 0)
    assert offset(Point(5_950_000, 100_000), Point(6_050_000, 0)) == (-30_000, 60_000)
    assert (cosine_ppm(0), cosine_ppm(6_000), cosine_ppm(9_000)) == (1_000_000, 500_000, 0)
    assert miles_between(Point(0, 0), Point(5_000, 5_000)) == 4242
    assert miles_between(Point(0, 5_000), Point(5_000, 10_000)) == 4242


def test_the_short_way_crosses_the_date_line_in_both_directions() -> None:
    east, west = Point(0, 17_990_000), Point(0, -17_990_000)
    assert (offset(east, west), offset(west, east)) == ((12_000, 0), (-12_000, 0))
    assert offset(Point(0, -9_000_000), Point(0, 9_000_000)) == (180 * 60_000, 0)
    assert offset(Point(0, 9_000_000), Point(0, -9_000_000)) == (-180 * 60_000, 0)


def test_a_distance_is_in_thousandths_of_a_mile_and_a_bearing_is_below_360() -> None:
    shape = geometry(read_theatre(sea_of({"a": (0, 0), "b": (10, -0.02)}, "ab")))
    assert shape.legs["a", "b"] == (600_001, 0)  # 359.9 degrees is north
    assert shape.legs["b", "a"] == (600_001, 180)


def test_a_fleet_at_either_end_of_its_passage_is_at_the_place_there() -> None:
    shape = geometry(read_theatre(square_doc()))
    assert shape.point(Position("a", "b", 0)) == shape.places["a"] == Point(0, 100_000)
    assert shape.point(Position("a", "b", 1)) == Point(0, 100_002)
    assert shape.point(Position("a", "b", 60_000)) == shape.places["b"] == Point(0, 200_000)
    assert shape.point(Position("a", "b", 60_001)) == Point(0, 200_000)
    assert shape.point(Position("a", "", 30_000)) == Point(0, 100_000)
    assert shape.nearest(Position("a", "", 60_000)) == "a"


def test_the_shorter_of_two_ways_is_taken_and_its_miles_are_counted() -> None:
    # a to d: over b 60 + 60, over c 60 * sqrt(2) twice
    sea = sea_of({"a": (0, 0), "b": (0, 1), "c": (1, 1), "d": (0, 2)}, "ab", "bd", "ac", "cd")
    shape = geometry(read_theatre(sea))
    assert shape.route("a", "d") == ("b", "d")
    assert shape.distance("a", "d") == 120_000
    assert shape.route("a", "d", frozenset("b")) == ("c", "d")
    assert shape.distance("a", "d", frozenset("b")) == 2 * shape.legs["a", "c"].length
    assert shape.route("a", "d", frozenset("bc")) == ("b", "d")  # no way round: through all the same
    assert shape.route("b", "d", frozenset("b")) == ("d",)
    assert shape.distance("d", "d") == 0


def test_from_the_middle_of_a_passage_the_rest_of_it_counts() -> None:
    shape = geometry(read_theatre(square_doc()))
    round_trip = geometry(
        read_theatre(sea_of({"a": (0, 0), "b": (0, 1), "c": (0, 2), "d": (1, 1)}, "ab", "bc", "ad", "dc"))
    )
    # over b to c from 40 miles on towards d: 40 back + 120, or 20 on + 85 from d
    assert round_trip.way(Position("a", "d", 40_000), "c") == ("d", "c")
    assert round_trip.way(Position("a", "d", 10_000), "c") == ("a", "b", "c")
    # on: 84.8 - run + 84.8; back: run + 120: as far at 24.85
    assert round_trip.way(Position("a", "d", 24_700), "c") == ("a", "b", "c")
    assert round_trip.way(Position("a", "d", 25_000), "c") == ("d", "c")
    assert shape.way(Position("b", "n", 10_000), "n") == ("n",)
    assert shape.way(Position("b", "n", 50_000), "b") == ("b",)


def test_from_the_middle_of_a_passage_a_barred_end_is_avoided_unless_it_is_the_destination() -> None:
    sea = sea_of({"a": (0, 0), "b": (0, 1), "c": (0, 2), "d": (1, 1)}, "ab", "bc", "ad", "dc")
    shape = geometry(read_theatre(sea))
    near_d = Position("a", "d", 80_000)
    assert shape.way(near_d, "c") == ("d", "c")
    assert shape.way(near_d, "c", frozenset("d")) == ("a", "b", "c")
    assert shape.way(near_d, "d", frozenset("d")) == ("d",)


@pytest.mark.parametrize("fraction", [-0.001, 1.001])
def test_a_fraction_of_a_passage_beyond_its_ends_is_refused(fraction: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        point_along(0, 0, 0, 1, fraction)


@pytest.mark.parametrize(("fraction", "where"), [(0.0, (0, 0)), (1.0, (0, 1)), (0.25, (0, 0.25))])
def test_any_fraction_from_nothing_to_the_whole_lies_on_the_passage(
    fraction: float, where: tuple[float, float]
) -> None:
    assert point_along(0, 0, 0, 1, fraction) == pytest.approx(where)


def test_the_poles_are_places_and_nothing_lies_beyond_them() -> None:
    assert initial_bearing(0, 0, 90, 0) == pytest.approx(0, abs=1e-9)
    assert initial_bearing(0, 0, -90, 0) == pytest.approx(180)
    for latitude in (90.001, -90.001):
        with pytest.raises(ValueError, match="beyond a pole"):
            initial_bearing(latitude, 0, 0, 0)
        with pytest.raises(ValueError, match="beyond a pole"):
            initial_bearing(0, 0, latitude, 0)


@pytest.mark.parametrize(
    ("given", "kept"), [(180, 180), (-180, -180), (190, -170), (-190, 170), (540, -180), (179.5, 179.5)]
)
def test_a_point_that_does_not_move_has_its_longitude_within_the_globe(given: float, kept: float) -> None:
    assert point_along(10, given, 10, given, 0.5) == (10, kept)
