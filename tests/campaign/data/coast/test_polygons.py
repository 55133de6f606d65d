"""Clipping, cutting and thinning out of rings."""

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from shapely import Polygon

from campaign.data.coast.polygons import area, clip_ring, cut, inside, simplify


def square(west, south, side):
    return [(west, south), (west + side, south), (west + side, south + side), (west, south + side)]


def test_a_ring_within_the_rectangle_is_left_alone():
    assert clip_ring(square(1, 1, 2), (0, 0, 10, 10)) == square(1, 1, 2)


def test_a_ring_outside_the_rectangle_vanishes():
    assert clip_ring(square(20, 20, 2), (0, 0, 10, 10)) == []


def test_a_ring_across_a_corner_is_cut_to_the_part_inside():
    clipped = clip_ring(square(8, 8, 4), (0, 0, 10, 10))
    assert area(clipped) == pytest.approx(4)
    assert Polygon(clipped).bounds == (8, 8, 10, 10)


def test_a_ring_around_the_rectangle_becomes_the_rectangle():
    assert area(clip_ring(square(-5, -5, 20), (0, 0, 10, 10))) == pytest.approx(100)


def test_a_hole_is_not_inside():
    region = [square(0, 0, 10), square(4, 4, 2)]
    assert inside((1, 1), region)
    assert not inside((5, 5), region)
    assert not inside((11, 5), region)


def test_a_bay_cut_into_land_opens_it_and_keeps_the_rest():
    land, lost = cut([square(0, 0, 10)], [square(8, 3, 4)])
    assert sum(area(ring) for ring in land) == pytest.approx(100 - 2 * 4)
    assert sum(area(ring) for ring in lost) == pytest.approx(2 * 4)
    assert not inside((9, 5), land)
    assert inside((9, 5), lost)
    assert inside((7, 5), land)


def test_an_island_in_water_that_is_cut_out_stays_dry():
    land, lost = cut([square(0, 0, 10)], [square(7, 2, 5), square(8, 4, 1)])
    assert inside((8.5, 4.5), land)
    assert not inside((8.5, 4.5), lost)
    assert not inside((7.5, 3), land)


def test_a_lake_wholly_within_the_land_becomes_a_hole():
    land, lost = cut([square(0, 0, 10)], [square(4, 4, 2)])
    assert not inside((5, 5), land)
    assert inside((1, 1), land)
    assert lost == [square(4, 4, 2)] or area(lost[0]) == pytest.approx(4)


def test_water_that_drowns_an_island_leaves_none_of_it():
    land, lost = cut([square(0, 0, 1), square(20, 20, 1)], [square(-1, -1, 5)])
    assert len(land) == 1
    assert Polygon(land[0]).bounds == (20, 20, 21, 21)
    assert area(lost[0]) == pytest.approx(1)


def test_a_channel_through_the_land_divides_it_in_two():
    land, _ = cut([square(0, 0, 10)], [[(4, -1), (5, -1), (5, 11), (4, 11)]])
    assert sorted(round(area(ring)) for ring in land) == [40, 50]


def test_land_that_touches_itself_at_a_point_can_be_cut():
    waist = [(0, 0), (4, 0), (2, 2), (4, 4), (0, 4), (2, 2)]
    land, lost = cut([waist], [square(-1, -1, 2.5)])
    assert sum(map(area, land)) + sum(map(area, lost)) == pytest.approx(area(waist))
    assert inside((2, 3), land)


def test_an_edge_that_runs_along_the_shore_is_reported_without_guessing():
    with pytest.raises(ValueError, match="edges meet"):
        cut([square(0, 0, 10)], [square(8, 3, 2)])


small = st.floats(min_value=0.013, max_value=9.017)


@given(small, small, st.floats(min_value=0.51, max_value=6.03))
def test_what_is_cut_out_and_what_is_left_make_up_the_land(west, south, side):
    # an irregular land, so that the square's corners do not fall on its edges
    land = [[(0.1, 0.2), (9.7, 1.3), (10.9, 8.8), (4.4, 6.1), (-0.7, 9.9)]]
    try:
        left, lost = cut(land, [square(west, south, side)])
    except ValueError:
        reject()  # an edge along the shore: reported, as another test shows
    for point in [(1.03, 1.51), (5.02, 3.33), (9.05, 5.51), (2.02, 7.03)]:
        dry, drowned = inside(point, left), inside(point, lost)
        assert dry + drowned == inside(point, land)
        assert drowned == (inside(point, land) and inside(point, [square(west, south, side)]))


def test_points_of_little_weight_are_left_out():
    ring = [(0, 0), (5, 0.01), (10, 0), (10, 10), (0, 10)]
    assert simplify(ring, 0.5) == [(0, 0), (10, 0), (10, 10), (0, 10)]


def test_a_point_of_weight_stays():
    ring = [(0, 0), (5, 2), (10, 0), (10, 10), (0, 10)]
    assert simplify(ring, 0.5) == ring


def test_a_triangle_is_never_thinned_out():
    assert len(simplify([(0, 0), (0.1, 0), (0.1, 0.1), (0, 0.1)], 100)) == 3
