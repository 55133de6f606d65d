"""Reading theatres, and the geometry of their passages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from campaign.rules.chart.points import Point, bearing_between, miles_between, offset
from campaign.rules.chart.theatre import TheatreFaults, geometry, read_theatre
from campaign.rules.chart.types import PlaceKind, Position
from tests.campaign.rules.builders import THEATRES, square_doc, theatre

ALL = sorted(path.stem for path in THEATRES.glob("*.json"))


def faults_of(doc: object) -> dict[str, str]:
    with pytest.raises(TheatreFaults) as caught:
        read_theatre(doc)
    return {fault.path: fault.text for fault in caught.value.faults}


@pytest.mark.clause("G.CH1")
@pytest.mark.parametrize("name", ALL)
def test_every_theatre_of_the_campaign_can_be_read(name: str) -> None:
    sea = theatre(name)
    doc = json.loads((THEATRES / f"{name}.json").read_text())
    assert len(sea.places) == len(doc["nodes"])
    assert len(sea.passages) == len(doc["edges"])
    assert set(sea.zones) == {zone["id"] for zone in doc["weather_zones"]}
    assert len(sea.daylight) == 12


@pytest.mark.clause("G.CH3")
def test_a_port_has_an_owner_yard_berths_recruits_and_guard() -> None:
    thames = theatre("narrow_seas_1666").places["thames"]
    assert thames.kind is PlaceKind.PORT
    assert (thames.owner, thames.dockyard, thames.berths, thames.recruits, thames.guard) == (
        "England", 3, 10, 400, 3,
    )  # fmt: skip


@pytest.mark.clause("G.CH3")
@pytest.mark.parametrize(
    ("yard", "berths", "recruits", "guard"), [(0, 0, 20, 0), (1, 2, 60, 1), (2, 4, 120, 2), (3, 8, 240, 4)]
)
def test_a_port_without_details_has_those_usual_for_its_class(
    yard: int, berths: int, recruits: int, guard: int
) -> None:
    doc = square_doc()
    home = next(node for node in doc["nodes"] if node["id"] == "home")
    del home["berths"]
    home["dockyard_capacity"] = yard
    place = read_theatre(doc).places["home"]
    assert (place.berths, place.recruits, place.guard) == (berths, recruits, guard)


@pytest.mark.clause("G.CH1")
def test_all_errors_in_a_theatre_are_reported_with_their_paths() -> None:
    doc: dict[str, Any] = square_doc()
    doc["title"] = ""
    doc["nodes"][0]["latitude"] = 91
    doc["nodes"][1]["kind"] = "reef"
    doc["nodes"][2]["zone"] = "moon"
    doc["edges"] += [["a", "nowhere"], ["a", "a"], ["b", "a"]]
    doc["weather_zones"][0]["months"]["3"]["usual"] = "gale"
    doc["weather_zones"][0]["months"]["4"] = {
        "prevailing": "NNE", "usual": "light", "haze_pct": 80, "fog_pct": 30,
    }  # fmt: skip
    doc["daylight"]["12"] = [20, 4]
    assert set(faults_of(doc)) == {
        "title", "nodes[0].latitude", "nodes[1].kind", "nodes[2].zone", "edges[5][1]", "edges[6]", "edges[7]",
        "weather_zones[0].months.3.usual", "weather_zones[0].months.4.prevailing",
        "weather_zones[0].months.4", "daylight.12",
    }  # fmt: skip


@pytest.mark.parametrize("doc", [None, [], {}, {"nodes": 3}, {"nodes": [3], "edges": [4], "daylight": []}])
def test_a_document_that_is_not_a_theatre_has_errors_and_no_traceback(doc: object) -> None:
    assert faults_of(doc)


def test_a_place_that_cannot_be_reached_is_an_error() -> None:
    doc = square_doc()
    doc["edges"].remove(["b", "n"])
    assert faults_of(doc) == {"nodes[3]": "n cannot be reached from a"}


@pytest.mark.clause("G.CH1")
def test_a_passage_has_its_great_circle_length_and_the_bearing_of_the_end_being_left() -> None:
    shape = geometry(read_theatre(square_doc()))
    assert shape.legs["a", "b"] == (60_000, 90)
    assert shape.legs["b", "a"] == (60_000, 270)
    assert shape.legs["b", "n"] == (60_000, 0)
    north = geometry(theatre("narrow_seas_1666"))
    there, back = north.legs["fair_isle", "off_bergen"], north.legs["off_bergen", "fair_isle"]
    assert there.length == back.length
    assert back.bearing != (there.bearing + 180) % 360  # meridians meet in the north


@pytest.mark.clause("G.CH2")
def test_a_fleet_on_a_passage_has_a_latitude_and_longitude() -> None:
    shape = geometry(read_theatre(square_doc()))
    assert shape.point(Position("a")) == Point(0, 100_000)
    assert shape.point(Position("a", "b", 30_000)) == Point(0, 150_000)
    assert shape.point(Position("b", "n", 15_000)) == Point(25_000, 200_000)


@pytest.mark.clause("G.WX1")
def test_a_passage_has_the_weather_of_its_nearer_end() -> None:
    doc = square_doc()
    doc["weather_zones"].append({**doc["weather_zones"][0], "id": "other"})
    next(node for node in doc["nodes"] if node["id"] == "b")["zone"] = "other"
    shape = geometry(read_theatre(doc))
    assert shape.zone(Position("a", "b", 30_000)) == "sea"
    assert shape.zone(Position("a", "b", 30_001)) == "other"
    assert shape.zone(Position("b", "a", 29_000)) == "other"


def test_the_shortest_way_goes_round_barred_places() -> None:
    sea = theatre("narrow_seas_1666")
    assert geometry(sea).route("nore", "nore") == ()
    straight = geometry(sea).route("off_winterton", "off_lowestoft")
    assert straight == ("off_lowestoft",)
    shape = geometry(sea)
    way = shape.route("north_foreland", "hinder", frozenset({"hinder"}))
    assert way == ("hinder",)  # the end itself may be barred to others, it is still where the fleet is bound
    around = shape.route("dover_strait", "broad_fourteens", frozenset({"hinder"}))
    assert "hinder" not in around
    assert shape.distance("dover_strait", "broad_fourteens", frozenset({"hinder"})) > shape.distance(
        "dover_strait", "broad_fourteens"
    )


def test_miles_and_bearings_on_the_flat_chart_agree_with_the_globe_nearby() -> None:
    dover, calais = Point(5_110_000, 135_000), Point(5_095_000, 185_000)
    assert 20_800 < miles_between(dover, calais) < 21_100
    assert bearing_between(dover, calais) in range(113, 118)
    assert offset(Point(0, 17_990_000), Point(0, -17_990_000))[0] == 12_000


@pytest.mark.clause("G.CH2")
def test_the_way_from_the_middle_of_a_passage_leads_on_or_back() -> None:
    shape = geometry(read_theatre(square_doc()))
    assert shape.way(Position("a"), "n") == ("b", "n")
    assert shape.way(Position("a", "b", 50_000), "home") == ("a", "home")
    assert shape.way(Position("a", "b", 10_000), "c") == ("b", "c")
    assert shape.way(Position("b", "n", 10_000), "c") == ("b", "c")


@pytest.mark.clause("G.CH2", "G.CH3")
def test_the_way_does_not_lead_through_a_barred_port_unless_there_is_no_other() -> None:
    shape = geometry(read_theatre(square_doc()))
    barred = frozenset({"theirs", "b"})
    assert shape.way(Position("c", "theirs", 55_000), "c", barred) == ("c",)
    assert shape.route("a", "c", barred) == ("b", "c")


@pytest.mark.clause("G.CH2")
def test_a_fleet_that_has_sailed_the_whole_passage_is_at_its_end() -> None:
    shape = geometry(read_theatre(square_doc()))
    for run in (60_000, 60_001, 90_000):
        assert shape.point(Position("a", "b", run)) == Point(0, 200_000)
    assert shape.point(Position("a", "b", 1)) == Point(0, 100_002)


def ring(**rows: tuple[float, float]) -> dict[str, Any]:
    """The square sea in which more places lie between a and c."""
    doc = square_doc()
    for code, (latitude, longitude) in rows.items():
        node = {"id": code, "name": code, "latitude": latitude, "longitude": longitude}
        doc["nodes"].append({**node, "zone": "sea", "kind": "sea_area"})
        doc["edges"] += [["a", code], [code, "c"]]
    return doc


def test_a_fleet_bound_for_a_barred_place_goes_round_every_other_barred_one() -> None:
    shape = geometry(read_theatre(ring(s=(-1.0, 2.0))))
    assert shape.route("a", "c") == ("b", "c")
    assert shape.route("a", "c", frozenset({"b", "c"})) == ("s", "c")
    assert shape.route("a", "c", frozenset({"b"})) == ("s", "c")
    assert shape.route("a", "c", frozenset({"b", "s"})) == ("b", "c")
    assert (
        shape.distance("a", "a"),
        shape.distance("a", "b"),
        shape.distance("b", "b", frozenset({"b"})),
    ) == (0, 60_000, 0)
    assert shape.distance("a", "c", frozenset({"b"})) == 2 * shape.legs["a", "s"].length


def test_the_way_through_the_first_code_is_taken_of_two_equally_long_ways() -> None:
    doc = ring(s=(-1.0, 2.0), r=(1.0, 2.0))
    doc["edges"] = [edge for edge in doc["edges"] if edge not in (["a", "b"], ["b", "c"])]
    doc["edges"].append(["b", "c"])
    shape = geometry(read_theatre(doc))
    assert shape.legs["a", "r"].length == shape.legs["a", "s"].length
    assert (shape.route("a", "c"), shape.route("c", "a")) == (("r", "c"), ("r", "a"))


@pytest.mark.clause("G.CH1")
def test_a_degree_of_longitude_is_as_long_as_its_mean_latitude_makes_it() -> None:
    assert offset(Point(0, 0), Point(0, 100_000)) == (60_000, 0)
    assert offset(Point(6_000_000, 0), Point(6_000_000, 100_000)) == (30_000, 0)
    assert offset(Point(5_900_000, 100_000), Point(6_100_000, 0)) == (-30_000, 120_000)
    assert miles_between(Point(0, 0), Point(5_000, 0)) == 3_000
    assert miles_between(Point(-2_500, 5_000), Point(2_500, -1_667)) == 5_000


def test_the_flat_chart_goes_the_short_way_over_the_date_line() -> None:
    def east(start: int, end: int) -> int:
        return offset(Point(0, start), Point(0, end))[0]

    assert east(-9_000_000, 9_000_000) == 10_800_000
    assert east(9_000_000, -9_000_000) == -10_800_000
    assert (east(-9_000_000, 9_050_000), east(9_000_000, -9_050_000)) == (-10_770_000, 10_770_000)
    assert (east(-9_000_000, 8_950_000), east(9_000_000, -8_950_000)) == (10_770_000, -10_770_000)
    assert east(-17_990_000, 17_990_000) == -12_000


@pytest.mark.parametrize(
    ("north", "east", "degrees"),
    [(5, 0, 0), (5, 5, 45), (0, 5, 90), (-5, 0, 180), (0, -5, 270), (5, -5, 315), (0, 0, 0), (1_000, -1, 0)],
)
def test_a_bearing_is_in_whole_degrees_from_north_by_east(north: int, east: int, degrees: int) -> None:
    assert bearing_between(Point(0, 0), Point(1_000 * north, 1_000 * east)) == degrees
