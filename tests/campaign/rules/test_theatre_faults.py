"""What a theatre document may hold: every field up to both its limits, and the error for anything beyond."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.chart.theatre import TheatreFaults, read_theatre
from campaign.rules.chart.types import PlaceKind, ZoneMonth
from tests.campaign.rules.builders import month, square_doc

pytestmark = pytest.mark.clause("G.CH1", "G.CH3", "G.WX1")
MISSING = object()


def faults_of(doc: object) -> dict[str, str]:
    try:
        read_theatre(doc)
    except TheatreFaults as caught:
        assert str(caught) == "; ".join(map(str, caught.faults))
        return {fault.path: fault.text for fault in caught.faults}
    except Exception as error:
        return {"error": repr(error)}
    return {}


def with_node(number: int, **fields: Any) -> dict[str, Any]:
    """The square sea with other fields of one of its places; MISSING takes a field away."""
    doc = square_doc()
    doc["nodes"][number] |= fields
    doc["nodes"][number] = {
        name: value for name, value in doc["nodes"][number].items() if value is not MISSING
    }
    return doc


HOME, A, N = 4, 0, 3


@pytest.mark.parametrize(("field", "low", "high"), [("latitude", -90, 90), ("longitude", -180, 180)])
def test_latitude_and_longitude_are_accepted_up_to_their_limits(field: str, low: int, high: int) -> None:
    for value in (low, high, float(high), 0.5):
        # n is the end of a passage: at a pole or on the other side of the globe it is a place still
        assert f"nodes[{N}].{field}" not in faults_of(with_node(N, **{field: value}))
    for odd in (low - 0.01, high + 0.01, low - 1, high + 1, True, "1", None, MISSING):
        said = "None" if odd is MISSING else repr(odd)
        assert faults_of(with_node(N, **{field: odd})) == {
            f"nodes[{N}].{field}": f"{said} should be a number from {low} to {high}"
        }


@pytest.mark.parametrize(
    ("field", "most"),
    [
        ("dockyard_capacity", 3),
        ("berths", 1000),
        ("recruits_per_week", 10**6),
        ("guard", 4),
        ("garrison", 10**6),
    ],
)
def test_a_ports_whole_numbers_run_from_nothing_to_their_limits(field: str, most: int) -> None:
    for value in (0, most):
        assert faults_of(with_node(HOME, **{field: value})) == {}
    for odd in (-1, most + 1, 1.0, True, "1", None):
        assert faults_of(with_node(HOME, **{field: odd})) == {
            f"nodes[{HOME}].{field}": f"{odd!r} should be a whole number from 0 to {most}"
        }


def test_a_port_that_mentions_no_yard_has_none_and_other_places_have_nothing_at_all() -> None:
    silent = dict.fromkeys(("dockyard_capacity", "berths", "recruits_per_week", "guard"), MISSING)
    places = read_theatre(with_node(HOME, **silent)).places
    home, a = places["home"], places["a"]
    assert (home.dockyard, home.berths, home.recruits, home.guard) == (0, 0, 20, 0)
    assert (a.dockyard, a.berths, a.recruits, a.guard, a.owner, a.channel_owner) == (0, 0, 0, 0, "", "")
    yard = read_theatre(with_node(A, dockyard_capacity=3)).places["a"]
    assert (yard.dockyard, yard.berths, yard.recruits, yard.guard) == (3, 0, 0, 0)


@pytest.mark.parametrize("field", ["id", "name", "zone"])
def test_every_place_has_a_code_and_a_name_and_a_zone(field: str) -> None:
    for value in ("", 7, None, MISSING):
        said = "None" if value is MISSING else repr(value)
        assert (
            faults_of(with_node(A, **{field: value}))[f"nodes[{A}].{field}"] == f"{said} should be some text"
        )


def test_a_port_needs_an_owner_and_other_places_do_not() -> None:
    assert faults_of(with_node(HOME, owner="")) == {f"nodes[{HOME}].owner": "'' should be some text"}
    assert faults_of(with_node(HOME, owner=MISSING)) == {f"nodes[{HOME}].owner": "None should be some text"}
    assert faults_of(with_node(A, owner="")) == {}
    assert read_theatre(with_node(A, owner="England")).places["a"].owner == "England"


def test_an_unknown_kind_or_zone_is_reported_with_the_known_ones() -> None:
    kinds = "port, anchorage, sea_area, strait, shoal_coast"
    assert faults_of(with_node(A, kind="reef")) == {f"nodes[{A}].kind": f"'reef' is not one of {kinds}"}
    assert [kind.value for kind in PlaceKind] == kinds.split(", ")
    for kind in PlaceKind:
        fields = {"kind": kind.value, "owner": "England"}
        assert read_theatre(with_node(A, **fields)).places["a"].kind is kind
    assert faults_of(with_node(A, zone="moon")) == {
        f"nodes[{A}].zone": "'moon' is not a weather zone; use one of sea"
    }


def test_a_place_is_listed_once_and_a_channels_port_must_exist() -> None:
    twice = square_doc()
    twice["nodes"].append(dict(twice["nodes"][A]))
    assert faults_of(twice) == {"nodes[6].id": "'a' is used twice; every place needs its own id"}
    assert faults_of(with_node(A, channel_owner_port="moon")) == {
        f"nodes[{A}].channel_owner_port": "'moon' is not a place in this theatre"
    }
    assert read_theatre(with_node(A, channel_owner_port="home")).places["a"].channel_owner == "home"


@pytest.mark.parametrize("name", ["nodes", "edges", "weather_zones"])
def test_each_list_has_at_least_one_entry(name: str) -> None:
    empty: tuple[object, ...] = ([], {}, None)
    for value in empty:
        assert faults_of({**square_doc(), name: value})[name] == "should be a list with at least one entry"


@pytest.mark.parametrize("name", ["theatre", "title"])
def test_a_theatre_has_a_code_and_a_title(name: str) -> None:
    assert faults_of({**square_doc(), name: None}) == {name: "None should be some text"}


def test_a_theatre_and_a_place_are_each_written_in_the_right_form() -> None:
    assert faults_of([]) == {"": "a theatre must be an object"}
    doc = square_doc()
    doc["nodes"].append(["x"])
    assert faults_of(doc) == {"nodes[6]": "a place must be an object"}


def in_july(**fields: Any) -> dict[str, Any]:
    doc = square_doc()
    doc["weather_zones"][0]["months"]["7"] |= fields
    return doc


JULY = "weather_zones[0].months.7"


@pytest.mark.parametrize(
    ("point", "degrees"),
    [("N", 0), ("NE", 45), ("E", 90), ("SE", 135), ("S", 180), ("SW", 225), ("W", 270), ("NW", 315),
     ("none", None)],
)  # fmt: skip
def test_the_prevailing_wind_is_one_of_eight_points_or_is_left_out(point: str, degrees: int | None) -> None:
    assert read_theatre(in_july(prevailing=point)).zones["sea"][6] == ZoneMonth(degrees, "moderate", 0, 0)


def test_an_unknown_compass_point_or_wind_strength_is_refused() -> None:
    points = "N, NE, E, SE, S, SW, W, NW, none"
    assert faults_of(in_july(prevailing="NNE")) == {f"{JULY}.prevailing": f"'NNE' is not one of {points}"}
    usuals = "still, light, moderate, strong"
    for usual in usuals.split(", "):
        assert read_theatre(in_july(usual=usual)).zones["sea"][6].usual == usual
    for odd in ("gale", None):
        assert faults_of(in_july(usual=odd)) == {f"{JULY}.usual": f"{odd!r} is not one of {usuals}"}


def test_haze_and_fog_together_make_up_to_a_hundred() -> None:
    assert read_theatre(in_july(haze_pct=70, fog_pct=30)).zones["sea"][6] == ZoneMonth(
        270, "moderate", 70, 30
    )
    assert read_theatre(in_july(haze_pct=100)).zones["sea"][6].haze_pct == 100
    assert faults_of(in_july(haze_pct=70, fog_pct=31)) == {
        JULY: "haze 70 and fog 31 together are more than 100"
    }
    for field in ("haze_pct", "fog_pct"):
        for value in (101, -1):
            assert faults_of(in_july(**{field: value})) == {
                f"{JULY}.{field}": f"{value} should be a whole number from 0 to 100"
            }
    silent = in_july()
    del silent["weather_zones"][0]["months"]["7"]["haze_pct"]
    del silent["weather_zones"][0]["months"]["7"]["fog_pct"]
    assert read_theatre(silent).zones["sea"][6] == ZoneMonth(270, "moderate", 0, 0)


def test_a_zone_has_all_twelve_months() -> None:
    doc = square_doc()
    months = doc["weather_zones"][0]["months"]
    del months["1"]
    months["12"] = "wet"
    assert faults_of(doc) == {
        f"weather_zones[0].months.{number}": "is missing; months 1 to 12 are needed" for number in (1, 12)
    }
    months["1"], months["12"], months["13"] = month(), month(), month(haze=99)
    assert len(read_theatre(doc).zones["sea"]) == 12
    for row in ("calm", {"id": "sea"}, {"id": "sea", "months": []}):
        odd = square_doc()
        odd["weather_zones"].append(row)
        assert faults_of(odd) == {"weather_zones[1]": "a zone must be an object with months"}


@pytest.mark.parametrize("row", ["ab", ["a"], ["a", "b", "c"], ["a", 3], [3, "a"], {"a": "b"}])
def test_a_passage_names_the_two_places_that_it_joins(row: object) -> None:
    doc = square_doc()
    doc["edges"].append(row)
    assert faults_of(doc) == {"edges[5]": "a passage must be a pair of place ids"}


def test_a_passage_joins_two_places_of_the_theatre_once() -> None:
    doc = square_doc()
    doc["edges"] += [["moon", "a"], ["c", "c"], ["a", "home"]]
    assert faults_of(doc) == {
        "edges[5][0]": "'moon' is not a place in this theatre",
        "edges[6]": "leads from 'c' to itself",
        "edges[7]": "a and home are joined twice",
    }


@pytest.mark.parametrize("row", [[0, 23], [0, 1], [22, 23]])
def test_the_sun_rises_before_it_sets_within_a_day(row: list[int]) -> None:
    doc = square_doc()
    doc["daylight"]["6"] = row
    assert read_theatre(doc).daylight[5] == tuple(row)


@pytest.mark.parametrize(
    "row", [[5, 5], [6, 5], [-1, 19], [5, 24], [5], [5, 19, 20], [5.0, 19], [True, 19], "5", None]
)
def test_impossible_daylight_is_reported(row: object) -> None:
    doc = square_doc()
    doc["daylight"]["6"] = row
    assert faults_of(doc) == {"daylight.6": f"{row!r} should be [sunrise, sunset] in whole hours"}
    assert faults_of({**doc, "daylight": [row]}) == {"daylight": "should be an object with months 1 to 12"}


def test_daylight_has_all_twelve_months() -> None:
    doc = square_doc()
    del doc["daylight"]["1"], doc["daylight"]["12"]
    assert set(faults_of(doc)) == {"daylight.1", "daylight.12"}


@pytest.mark.clause("G.LD2")
def test_a_place_says_whether_it_has_a_beach() -> None:
    for value in (True, False, MISSING):
        assert read_theatre(with_node(N, no_beach=value)).places["n"].no_beach is (value is True)
    for odd in (1, "yes", None):
        assert faults_of(with_node(N, no_beach=odd)) == {
            f"nodes[{N}].no_beach": f"{odd!r} should be true or false"
        }


@pytest.mark.clause("G.LD3")
def test_a_garrison_is_as_given_or_left_to_the_guard() -> None:
    assert read_theatre(with_node(HOME, garrison=0)).places["home"].garrison == 0
    assert read_theatre(with_node(HOME)).places["home"].garrison is None
