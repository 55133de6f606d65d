"""The facts of a turn: the theatre with the land of its chart."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import campaign.data
from campaign.rules.chart.points import SCALE, Point
from campaign.rules.chart.theatre import geometry, read_theatre
from campaign.rules.chart.types import PlaceKind, Position
from campaign.rules.contact.sighting import land_between
from campaign.selectors.turn.facts import land_of, pure_theatre
from tests.support.factories import TheatreFactory

DATA = Path(campaign.data.__file__).parent / "theatres"
THEATRES = sorted(path.stem for path in DATA.glob("*.json"))
Spot = tuple[float, float]


def at(spot: Spot) -> Point:
    return Point(round(spot[0] * SCALE), round(spot[1] * SCALE))


@pytest.mark.clause("G.SI1")
@pytest.mark.parametrize(
    ("theatre", "a", "b", "hidden"),
    [
        ("narrow_seas_1666", (50.75, -1.55), (50.50, -1.40), True),  # the Solent and the sea behind the Wight
        ("narrow_seas_1666", (50.55, -1.60), (50.45, -1.30), False),  # both to seaward of it
        ("narrow_seas_1666", (52.50, 5.20), (52.50, 4.45), True),  # Holland between the Zuiderzee and the sea
        ("narrow_seas_1666", (52.70, 5.45), (52.50, 5.50), False),  # the Zuiderzee, where Lelystad stands now
        ("narrow_seas_1666", (53.10, 5.10), (52.95, 5.30), False),  # across the dam that closed it
        ("atlantic_1805", (36.05, -5.60), (36.15, -5.10), True),  # Tarifa from the eastern side of the Rock
        ("atlantic_1805", (36.00, -5.80), (35.95, -5.40), False),  # along the strait
        ("yellow_sea_1904", (38.78, 121.15), (38.78, 121.40), True),  # Liaotieshan and Port Arthur
    ],
)
def test_capes_and_islands_hide_ships_and_older_water_does_not(
    theatre: str, a: Spot, b: Spot, hidden: bool
) -> None:
    land = land_of(theatre)
    assert land is not None
    assert land.hides(at(a), at(b)) is land.hides(at(b), at(a)) is hidden


@pytest.mark.clause("G.SI1", "G.BL1")
@pytest.mark.parametrize("name", THEATRES)
def test_no_land_hides_a_port_or_a_ship_that_leaves_it_from_a_blockader(name: str) -> None:
    theatre = read_theatre(json.loads((DATA / f"{name}.json").read_text(encoding="utf-8")))
    theatre, ways = replace(theatre, land=land_of(name)), geometry(theatre)
    chart: Any = SimpleNamespace(facts=SimpleNamespace(theatre=theatre), geometry=ways)
    ports = [place.code for place in theatre.places.values() if place.kind is PlaceKind.PORT]
    asked = 0
    for port in ports:
        outs = ways.neighbours[port]
        spots = [Position(port), *(Position(port, end, miles * 1000) for end in outs for miles in (2, 4, 6))]
        for pair in combinations(spots, 2):
            a, b = ((SimpleNamespace(position=spot), ways.point(spot)) for spot in pair)
            assert not land_between(chart, a, b), pair
            asked += 1
    assert asked > 100


@pytest.mark.clause("G.SI1")
@pytest.mark.django_db
def test_a_theatre_has_the_land_of_its_chart_and_one_without_a_chart_has_none() -> None:
    document = json.loads((DATA / "caribbean.json").read_text(encoding="utf-8"))
    drawn = TheatreFactory(document=document)
    bare = TheatreFactory(code="blank", document={**document, "theatre": "blank"})
    assert pure_theatre(drawn).land is land_of("caribbean") is not None
    assert pure_theatre(bare).land is land_of("blank") is None
    assert pure_theatre(drawn).places == pure_theatre(bare).places
