"""The script that builds the charts' coasts."""

import hashlib

import pytest

from campaign.chart_projection import Projection
from campaign.data.coast import build
from campaign.data.coast.paths import parse_path
from campaign.data.coast.polygons import inside

LAYOUT = {
    "box": [3.0, 51.0, 8.0, 54.0],
    "tolerance": 0.25,
    "islet": 1.2,
    "decimals": 1,
    "labels": [],
}
FLAT_LAND = [(4.5, 50.0), (9.0, 50.0), (9.0, 53.013), (4.5, 53.013)]  # covers the Zuiderzee
ROCK = [(3.5, 53.5), (3.502, 53.5), (3.502, 53.502)]
FAR_LAND = [(-60.0, 0.0), (-50.0, 0.0), (-50.0, 10.0)]


@pytest.fixture
def chart():
    return build.build_chart(theatre="narrow_seas_1666", layout=LAYOUT, land=[FLAT_LAND, ROCK, FAR_LAND])


def at(lat, lon):
    return Projection((3.0, 51.0, 8.0, 54.0), 1600).to_xy(lat, lon)


def test_land_is_drawn_where_it_is(chart):
    land = parse_path(chart["land"])
    assert inside(at(52.0, 7.0), land)
    assert not inside(at(53.5, 7.0), land)


def test_water_open_in_the_theatres_year_is_cut_out_of_the_land(chart):
    assert not inside(at(52.6, 5.45), parse_path(chart["land"]))
    assert inside(at(52.6, 5.45), parse_path(chart["historic_water"]))


def test_islets_too_small_to_see_and_lands_off_the_chart_are_left_out(chart):
    land = parse_path(chart["land"])
    assert not inside(at(53.5005, 3.5015), land)
    assert min(x for ring in land for x, _ in ring) > at(52, 4.4)[0]


def test_land_continues_past_the_edge_of_the_chart_so_that_its_cut_edge_is_hidden(chart):
    xs = [x for ring in parse_path(chart["land"]) for x, _ in ring]
    assert max(xs) == 1600 + build.PADDING


def test_water_closed_before_the_year_is_left_closed():
    assert len(build.historic_water(before=1666)) == len(build.historic_water(before=1588))
    assert len(build.historic_water(before=1950)) < len(build.historic_water(before=1904))


def test_a_different_file_is_refused_by_its_checksum(tmp_path, capsys):
    other = tmp_path / "land-10m.json"
    other.write_text("{}")
    assert build.main([str(other)]) == 2
    assert "SHA-256" in capsys.readouterr().err


def test_a_missing_file_gives_one_clear_line(tmp_path, capsys):
    assert build.main([str(tmp_path / "nowhere.json")]) == 2
    error = capsys.readouterr().err
    assert "nowhere.json" in error
    assert error.count("\n") == 1


def test_an_unknown_theatre_gives_one_clear_line(tmp_path, capsys):
    assert build.main([str(tmp_path / "land.json"), "--theatre", "baltic"]) == 2
    assert "baltic" in capsys.readouterr().err


def test_a_file_with_the_right_checksum_is_read(tmp_path):
    path = tmp_path / "land.json"
    path.write_text(
        '{"type": "Topology", "transform": {"scale": [1, 1], "translate": [0, 0]},'
        ' "arcs": [[[0, 0], [3, 0], [0, 3], [-3, -3]]],'
        ' "objects": {"land": {"type": "Polygon", "arcs": [[0]]}}}'
    )
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert build.read_checked_land(path, digest) == [[(0, 0), (3, 0), (3, 3)]]
