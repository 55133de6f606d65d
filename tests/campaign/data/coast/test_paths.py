"""Writing rings as path data and reading them back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.data.coast.paths import parse_path, svg_path


def square(west, south, side):
    return [(west, south), (west + side, south), (west + side, south + side), (west, south + side)]


def test_path_data_is_short_and_comes_back():
    rings = [[(0.04, 0), (10.26, -0.5), (9.9, 10)], square(20, 20, 1)]
    data = svg_path(rings, decimals=1)
    assert data == "M0 0l10.3-.5-.4 10.5zM20 20l1 0 0 1-1 0z"
    assert parse_path(data) == [[(0, 0), (10.3, -0.5), (9.9, 10)], square(20, 20, 1)]


def test_rings_that_fall_together_on_the_grid_are_not_written():
    assert svg_path([[(1, 1), (1.01, 1), (1, 1.02)]], decimals=1) == ""


def test_whole_units_are_written_without_decimals():
    assert svg_path([square(1.2, 2.3, 5)], decimals=0) == "M1 2l5 0 0 5-5 0z"


@pytest.mark.parametrize("data", ["l1 1z", "M0 0l1 1 2z", "M0 0l1 1z", "M0 0l1 1 2 2 3 3"])
def test_path_data_of_another_kind_is_refused(data):
    with pytest.raises(ValueError, match="ring"):
        parse_path(data)


grid = st.integers(min_value=-20000, max_value=20000).map(lambda n: n / 10)


@given(st.lists(st.lists(st.tuples(grid, grid), min_size=3, max_size=9, unique=True), max_size=4))
def test_any_rings_come_back_from_path_data(rings):
    assert parse_path(svg_path(rings, decimals=1)) == [
        [pytest.approx(point) for point in ring] for ring in rings
    ]
