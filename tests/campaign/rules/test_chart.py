"""Great-circle distances, bearings and points. Rule: G.CH1."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from campaign.rules.chart.chart import great_circle_nm, initial_bearing, point_along

pytestmark = pytest.mark.clause("G.CH1")

DOVER = (51.127, 1.315)
CALAIS = (50.966, 1.862)
BARBADOS = (13.1, -59.6)
CADIZ = (36.55, -6.3)

latitudes = st.floats(min_value=-80, max_value=80)
longitudes = st.floats(min_value=-180, max_value=180)
positions = st.tuples(latitudes, longitudes)


@pytest.mark.parametrize(
    ("start", "end", "low", "high"),
    [
        (DOVER, CALAIS, 21, 23),
        ((51.5, -0.1), (40.7, -74.0), 3000, 3015),  # London to New York
        (CADIZ, BARBADOS, 3130, 3180),
        ((38.78, 121.25), (37.55, 126.55), 260, 265),  # Port Arthur to Chemulpo
    ],
)
def test_known_distances_are_reproduced(start, end, low, high):
    assert low <= great_circle_nm(*start, *end) <= high


def test_a_minute_of_latitude_is_a_sea_mile():
    assert great_circle_nm(50, 3, 50 + 1 / 60, 3) == pytest.approx(1)


def test_a_degree_of_longitude_shrinks_with_the_cosine_of_the_latitude():
    assert great_circle_nm(0, 10, 0, 11) == pytest.approx(60)
    assert great_circle_nm(60, 10, 60, 11) == pytest.approx(30, abs=0.01)


def test_the_shortest_way_crosses_the_180th_meridian():
    assert great_circle_nm(0, 179.5, 0, -179.5) == pytest.approx(60)
    assert initial_bearing(0, 179.5, 0, -179.5) == pytest.approx(90)


def test_the_distance_from_a_place_to_itself_is_nothing():
    assert great_circle_nm(*DOVER, *DOVER) == 0


@pytest.mark.parametrize(("lat", "lon", "bearing"), [(1, 0, 0), (0, 1, 90), (-1, 0, 180), (0, -1, 270)])
def test_bearings_run_clockwise_from_north(lat, lon, bearing):
    assert initial_bearing(0, 0, lat, lon) == pytest.approx(bearing)


def test_calais_lies_east_south_east_of_dover():
    assert initial_bearing(*DOVER, *CALAIS) == pytest.approx(115, abs=1)
    assert initial_bearing(*CALAIS, *DOVER) == pytest.approx(295.3, abs=1)


def test_the_shortest_way_to_the_west_indies_starts_more_northerly_than_it_ends():
    out = initial_bearing(*CADIZ, *BARBADOS)
    back = initial_bearing(*BARBADOS, *CADIZ)
    assert 250 < out < 270
    assert 50 < back < 65
    assert abs(out - 180 - back) > 10


def test_a_bearing_is_never_360():
    assert initial_bearing(0.0, 0.0, 10.0, -1e-17) == 0.0


def test_half_way_to_calais_is_mid_strait():
    lat, lon = point_along(*DOVER, *CALAIS, 0.5)
    assert (lat, lon) == pytest.approx((51.047, 1.589), abs=0.002)


def test_a_point_along_the_180th_meridian_keeps_its_longitude_in_range():
    _, lon = point_along(0, 179, 0, -179, 0.75)
    assert lon == pytest.approx(-179.5)


def test_a_passage_of_no_length_has_one_point():
    assert point_along(*DOVER, *DOVER, 0.3) == DOVER
    assert point_along(10, 190, 10, 190, 0.3) == (10, -170)


@pytest.mark.parametrize("fraction", [-0.01, 1.01, math.nan])
def test_a_fraction_beyond_the_passage_is_refused(fraction):
    with pytest.raises(ValueError, match="between 0 and 1"):
        point_along(*DOVER, *CALAIS, fraction)


@pytest.mark.parametrize("lat", [-90.1, 90.1, math.nan])
def test_a_latitude_beyond_the_pole_is_refused(lat):
    with pytest.raises(ValueError, match="beyond a pole"):
        great_circle_nm(lat, 0, 0, 0)
    with pytest.raises(ValueError, match="beyond a pole"):
        initial_bearing(0, 0, lat, 0)


def test_there_is_no_bearing_from_a_place_to_itself():
    with pytest.raises(ValueError, match="same"):
        initial_bearing(*DOVER, *DOVER)


def test_opposite_places_have_no_single_way_between_them():
    with pytest.raises(ValueError, match="opposite"):
        initial_bearing(10, 20, -10, -160)
    with pytest.raises(ValueError, match="opposite"):
        point_along(10, 20, -10, -160, 0.5)


@given(positions, positions)
def test_the_way_back_has_the_same_length(start, end):
    assert great_circle_nm(*start, *end) == pytest.approx(great_circle_nm(*end, *start), abs=1e-6)


@given(positions, positions, positions)
def test_a_detour_is_never_shorter(start, via, end):
    direct = great_circle_nm(*start, *end)
    assert direct <= great_circle_nm(*start, *via) + great_circle_nm(*via, *end) + 1e-4


@given(positions, positions)
def test_no_distance_exceeds_half_the_globe(start, end):
    assert 0 <= great_circle_nm(*start, *end) <= 10800


@given(positions, positions)
def test_a_bearing_is_from_0_to_below_360(start, end):
    assume(0.01 < great_circle_nm(*start, *end) < 10700)
    assert 0 <= initial_bearing(*start, *end) < 360


@given(positions, positions, st.floats(min_value=0, max_value=1))
def test_a_point_along_is_that_share_of_the_way_from_the_start(start, end, fraction):
    whole = great_circle_nm(*start, *end)
    assume(0.01 < whole < 10000)
    point = point_along(*start, *end, fraction)
    assert great_circle_nm(*start, *point) == pytest.approx(fraction * whole, abs=1e-3)
    assert great_circle_nm(*point, *end) == pytest.approx((1 - fraction) * whole, abs=1e-3)


@given(positions, positions, st.floats(min_value=0.05, max_value=0.95))
def test_a_point_along_lies_on_the_bearing_of_the_passage(start, end, fraction):
    assume(1 < great_circle_nm(*start, *end) < 10000)
    point = point_along(*start, *end, fraction)
    turn = initial_bearing(*start, *point) - initial_bearing(*start, *end)
    assert abs((turn + 180) % 360 - 180) < 0.01
