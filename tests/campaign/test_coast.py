"""The committed coasts agree with their theatres."""

import json
import math
from pathlib import Path

import pytest
from shapely import LinearRing, MultiLineString, MultiPoint, Point

import campaign.data
from campaign.chart_projection import Projection
from campaign.data.coast.paths import parse_path
from campaign.data.coast.polygons import area, inside

DATA = Path(campaign.data.__file__).parent
THEATRES = sorted(path.stem for path in (DATA / "theatres").glob("*.json"))
DUTCH = ["narrow_seas_1666", "channel_1588"]

SIZE_LIMIT = 150_000  # bytes
PORT_TOLERANCE_NM = 2.0  # a port's position may be its town, a little inland


def load(*parts):
    return json.loads(DATA.joinpath(*parts).read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=THEATRES)
def theatre(request):
    return load("theatres", f"{request.param}.json")


@pytest.fixture(scope="module")
def coast(theatre):
    return load("coast", f"{theatre['theatre']}.json")


@pytest.fixture(scope="module")
def projection(coast):
    return Projection(tuple(coast["box"]), coast["width"])


@pytest.fixture(scope="module")
def land(coast):
    return parse_path(coast["land"])


def test_all_five_theatres_are_here():
    assert THEATRES == ["atlantic_1805", "caribbean", "channel_1588", "narrow_seas_1666", "yellow_sea_1904"]


def test_the_coast_names_its_theatre_source_and_licence(theatre, coast):
    assert coast["theatre"] == theatre["theatre"]
    assert coast["projection"] == "mercator"
    assert "Natural Earth" in coast["source"]
    assert "public domain" in coast["licence"]


def test_the_coast_was_built_from_the_committed_layout(theatre, coast):
    layout = load("coast", "charts.json")["charts"][theatre["theatre"]]
    assert coast["box"] == layout["box"]
    assert coast["labels"] == layout["labels"]


def test_the_paper_is_1600_wide_and_true_to_its_box(coast, projection):
    assert coast["width"] == 1600
    assert coast["height"] == round(projection.height)


def test_every_place_lies_on_the_paper_with_room_around_it(theatre, coast, projection):
    for node in theatre["nodes"]:
        x, y = projection.to_xy(node["latitude"], node["longitude"])
        assert 20 < x < coast["width"] - 20, node["id"]
        assert 20 < y < coast["height"] - 20, node["id"]


def test_the_file_is_small_enough_for_a_page(theatre):
    size = (DATA / "coast" / f"{theatre['theatre']}.json").stat().st_size
    assert 20_000 < size < SIZE_LIMIT


def test_the_land_fills_a_sensible_part_of_the_paper(coast, land):
    paper = coast["width"] * coast["height"]
    assert len(land) > 50
    assert 0.1 < sum(area(ring) for ring in land) / paper < 0.7


def test_no_cut_edge_of_the_land_shows_on_the_paper(coast, land):
    cut_x = {x for ring in land for x in MultiPoint(ring).bounds[::2]}
    on_the_edge = [value for value in cut_x if abs(value) < 1e-6 or abs(value - coast["width"]) < 1e-6]
    assert not on_the_edge
    assert min(cut_x) < -10 or max(cut_x) > coast["width"] + 10


@pytest.fixture
def shores(land):
    """Every shore as a line, in chart units."""
    return MultiLineString([LinearRing(ring) for ring in land])


def test_only_ports_are_on_land_and_they_are_near_the_water(theatre, projection, land, shores):
    inland = {}
    for node in theatre["nodes"]:
        point = projection.to_xy(node["latitude"], node["longitude"])
        if inside(point, land):
            miles_per_unit = 60 * math.cos(math.radians(node["latitude"])) / projection.units_per_degree
            inland[node["id"]] = (node["kind"], shores.distance(Point(point)) * miles_per_unit)
    assert [name for name, (kind, _) in inland.items() if kind != "port"] == []
    assert [name for name, (_, miles) in inland.items() if miles > PORT_TOLERANCE_NM] == []


def test_no_port_lies_far_from_the_shore(theatre, projection, shores):
    for node in theatre["nodes"]:
        if node["kind"] == "port":
            point = projection.to_xy(node["latitude"], node["longitude"])
            assert shores.distance(Point(point)) / projection.units_per_degree * 60 < 8, node["id"]


def test_labels_lie_on_the_paper_and_match_what_they_name(coast, projection):
    assert len(coast["labels"]) >= 8
    kinds = {"ocean", "sea", "water", "bay", "continent", "land", "province", "isle"}
    for label in coast["labels"]:
        assert projection.holds(label["lat"], label["lon"]), label["text"]
        assert label["kind"] in kinds, label["text"]
        assert -90 <= label["angle"] <= 90, label["text"]
    assert len({label["text"] for label in coast["labels"]}) == len(coast["labels"])


def test_names_of_seas_are_on_water_and_names_of_lands_on_land(coast, projection, land):
    for label in coast["labels"]:
        dry = inside(projection.to_xy(label["lat"], label["lon"]), land)
        assert dry is (label["kind"] in {"continent", "land", "province", "isle"}), label["text"]


@pytest.mark.parametrize(
    ("name", "lat", "lon"),
    [
        ("Zuiderzee off Enkhuizen", 52.70, 5.45),
        ("where Lelystad stands now", 52.50, 5.50),
        ("between Wieringen and Medemblik", 52.85, 5.05),
        ("the Afsluitdijk", 53.03, 5.22),
        ("the IJ off Amsterdam", 52.38, 4.90),
        ("the Haringvliet", 51.77, 4.25),
        ("the Lauwerszee", 53.36, 6.22),
        ("the Veerse Gat", 51.56, 3.68),
        ("the Thames at Erith", 51.486, 0.19),
        ("the Medway at Chatham", 51.386, 0.53),
    ],
)
@pytest.mark.parametrize("theatre_name", DUTCH)
def test_water_that_the_modern_coast_closes_is_open(theatre_name, name, lat, lon):
    coast = load("coast", f"{theatre_name}.json")
    point = Projection(tuple(coast["box"]), coast["width"]).to_xy(lat, lon)
    assert not inside(point, parse_path(coast["land"]))
    assert inside(point, parse_path(coast["historic_water"])), name


@pytest.mark.parametrize(
    ("name", "lat", "lon"),
    [
        ("Wieringen", 52.905, 4.97),
        ("Urk", 52.661, 5.60),
        ("Marken", 52.455, 5.11),
        ("Amsterdam", 52.35, 4.85),
        ("Enkhuizen", 52.69, 5.26),
        ("Harderwijk", 52.33, 5.63),
    ],
)
def test_old_islands_and_towns_of_the_zuiderzee_are_dry(name, lat, lon):
    coast = load("coast", "narrow_seas_1666.json")
    point = Projection(tuple(coast["box"]), coast["width"]).to_xy(lat, lon)
    assert inside(point, parse_path(coast["land"])), name


def test_historic_water_is_only_drawn_where_there_was_any():
    drawn = {name for name in THEATRES if load("coast", f"{name}.json")["historic_water"]}
    assert drawn == {"narrow_seas_1666", "channel_1588", "atlantic_1805"}


def test_every_historic_water_is_described():
    waters = load("coast", "historic_water.json")["polygons"]
    assert len({water["id"] for water in waters}) == len(waters)
    for water in waters:
        assert len(water["comment"]) > 20
        assert water["closed"] is None or 1800 < water["closed"] < 2000
        assert all(len(ring) >= 3 for ring in water["rings"])
