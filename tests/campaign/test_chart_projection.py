"""The chart's Mercator projection."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.chart_projection import Projection

BOX = (-10.0, 48.0, 12.0, 61.0)


def test_the_corners_of_the_box_are_the_corners_of_the_paper():
    chart = Projection(BOX, 1600)
    assert chart.to_xy(61, -10) == pytest.approx((0, 0))
    assert chart.to_xy(48, 12) == pytest.approx((1600, chart.height))


def test_x_grows_eastward_and_y_southward():
    chart = Projection(BOX, 1600)
    x, y = chart.to_xy(52, 1)
    assert chart.to_xy(52, 2)[0] > x
    assert chart.to_xy(51, 1)[1] > y


def test_a_small_distance_is_drawn_to_the_same_scale_in_both_directions():
    chart = Projection(BOX, 1600)
    x, y = chart.to_xy(55, 2)
    north = y - chart.to_xy(55.001, 2)[1]
    east = chart.to_xy(55, 2.001)[0] - x
    assert east / north == pytest.approx(math.cos(math.radians(55)), rel=1e-4)


def test_a_box_on_the_equator_is_nearly_as_high_as_it_is_wide():
    assert Projection((0, -1, 2, 1), 1000).height == pytest.approx(1000, rel=1e-4)


def test_the_paper_holds_its_edges_and_nothing_beyond_them():
    chart = Projection(BOX, 1600)
    assert chart.holds(48, -10)
    assert chart.holds(61, 12)
    assert not chart.holds(47.99, 0)
    assert not chart.holds(50, 12.01)


@given(st.floats(min_value=-80, max_value=80), st.floats(min_value=-180, max_value=180))
def test_a_position_can_be_read_back_from_the_chart(lat, lon):
    chart = Projection(BOX, 1600)
    assert chart.to_latlon(*chart.to_xy(lat, lon)) == pytest.approx((lat, lon), abs=1e-9)


@pytest.mark.parametrize(
    "box",
    [
        (12.0, 48.0, -10.0, 61.0),
        (-10.0, 61.0, 12.0, 48.0),
        (-10.0, 48.0, -10.0, 61.0),
        (-10.0, 48.0, 12.0, 89.0),
        (-190.0, 48.0, 12.0, 61.0),
    ],
)
def test_an_invalid_box_is_refused(box):
    with pytest.raises(ValueError, match="a chart runs from"):
        Projection(box, 1600)


def test_a_chart_without_width_is_refused():
    with pytest.raises(ValueError, match="positive width"):
        Projection(BOX, 0)


def test_a_position_at_the_pole_is_refused():
    with pytest.raises(ValueError, match="too near a pole"):
        Projection(BOX, 1600).to_xy(89, 0)
