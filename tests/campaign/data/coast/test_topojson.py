"""Reading of TopoJSON land."""

import json

import pytest

from campaign.data.coast.topojson import read_land

SQUARE_AND_NEIGHBOUR = {
    "type": "Topology",
    "transform": {"scale": [0.5, 0.25], "translate": [-10, 40]},
    "arcs": [
        [[2, 0], [0, 4]],  # the shared side, northward
        [[2, 4], [-2, 0], [0, -4], [2, 0]],
        [[2, 0], [2, 0], [0, 4], [-2, 0]],
    ],
    "objects": {
        "land": {
            "type": "GeometryCollection",
            "geometries": [
                {"type": "MultiPolygon", "arcs": [[[0, 1]]]},
                {"type": "Polygon", "arcs": [[2, -1]]},
            ],
        },
        "lines": {"type": "LineString", "arcs": [0]},
    },
}


@pytest.fixture
def world(tmp_path):
    path = tmp_path / "land.json"
    path.write_text(json.dumps(SQUARE_AND_NEIGHBOUR))
    return path


def test_arcs_are_scaled_and_joined_without_repeating_a_point(world):
    west, east = read_land(world)
    assert west == [(-9, 40), (-9, 41), (-10, 41), (-10, 40)]
    assert len(east) == 4


def test_a_negative_arc_is_walked_backwards(world):
    _, east = read_land(world)
    assert east == [(-9, 40), (-8, 40), (-8, 41), (-9, 41)]


def test_lines_are_not_land(world):
    with pytest.raises(ValueError, match="LineString"):
        read_land(world, name="lines")


def test_a_missing_object_is_an_error(world):
    with pytest.raises(KeyError):
        read_land(world, name="lakes")


def test_a_file_that_is_not_a_topology_is_refused(tmp_path):
    path = tmp_path / "land.json"
    path.write_text('{"type": "FeatureCollection"}')
    with pytest.raises(ValueError, match="not a quantized TopoJSON"):
        read_land(path)
