"""The chart's marks, its first view, and places in words."""

from dataclasses import replace
from typing import Any

import pytest

from campaign.chart_projection import Projection
from campaign.models import Sighting, Station
from campaign.rules import types as t
from campaign.selectors.chart import chart_page, raised, sighting_marks, slotted
from campaign.selectors.chart_paper import focus, place_marks, projection_of
from campaign.selectors.facts import pure_theatre
from campaign.selectors.places import place_in_words
from tests.support.people import World, world


@pytest.fixture
def told(db: Any) -> World:
    """A campaign full of tell-tales."""
    return world()


@pytest.mark.clause("G.CH2")
@pytest.mark.parametrize(
    ("position", "words"),
    [
        (t.Position("nore"), "at the Nore"),
        (t.Position("off_cromer"), "off Cromer"),
        (t.Position("galloper", "schooneveld", 12_400), "12 nm beyond the Galloper towards the Schooneveld"),
        (t.Position("galloper", "schooneveld", 0), "at the Galloper, bound for the Schooneveld"),
    ],
)
def test_a_position_in_words(told: World, position: t.Position, words: str) -> None:
    assert place_in_words(pure_theatre(told.campaign.theatre), position) == words


@pytest.mark.parametrize(
    ("hours", "age"), [(0, "fresh"), (6, "fresh"), (7, "day"), (25, "stale"), (80, "old")]
)
@pytest.mark.clause("G.SI2")
def test_sightings_fade_with_age(told: World, hours: int, age: str) -> None:
    Sighting.objects.filter(side=told.english.side).update(hour=100 - hours)
    (mark,) = sighting_marks(told.campaign, told.english, 100)
    assert (mark.age, mark.hours) == (age, hours)


@pytest.mark.clause("G.SI2")
def test_news_of_more_than_two_weeks_is_history(told: World) -> None:
    Sighting.objects.filter(side=told.english.side).update(hour=10)
    assert not sighting_marks(told.campaign, told.english, 10 + 14 * 24 + 1)
    assert sighting_marks(told.campaign, told.english, 10 + 14 * 24)


@pytest.mark.clause("G.SI3")
def test_a_contact_is_drawn_once_where_it_was_last_seen(told: World) -> None:
    first = Sighting.objects.get(side=told.english.side)
    Sighting.objects.create(
        turn=first.turn, side=first.side, number=first.number, hour=first.hour + 4, latitude=5200, longitude=300,
        band="20-39", observer=first.observer, fleet_code="x",
    )  # fmt: skip
    (mark,) = sighting_marks(told.campaign, told.english, 72)
    assert mark.band == "20-39"


def test_the_first_view_holds_every_spot_and_stays_on_the_paper() -> None:
    for spots in ([(0.0, 0.0)], [(1600.0, 1498.0)], [(100.0, 200.0), (900.0, 700.0)]):
        x, y, width, height = focus(spots, 1600, 1498)
        assert 0 <= x <= x + width <= 1600
        assert 0 <= y <= y + height <= 1498
        assert all(x <= sx <= x + width and y <= sy <= y + height for sx, sy in spots)


def test_names_that_are_shown_cover_neither_each_other_nor_a_fleet(told: World) -> None:
    theatre = pure_theatre(told.campaign.theatre)
    paper: Projection = projection_of(theatre.code)
    marks = place_marks(theatre, paper, ["England"], (600.0, 800.0, 500.0, 500.0), 0.7, [(800.0, 1000.0)])
    assert {mark.code for mark in marks} == set(theatre.places)
    boxes = []
    for mark in marks:
        if not mark.crowded:
            long = 6.6 * len(mark.name) * 0.7
            boxes.append((mark.x - long if mark.left else mark.x, mark.y, long))
    for n, (x, y, long) in enumerate(boxes):
        for other_x, other_y, other_long in boxes[n + 1 :]:
            assert abs(y - other_y) >= 0.7 * 12 or x >= other_x + other_long or other_x >= x + long
    assert next(mark for mark in marks if mark.code == "chatham").tier == 1


def test_fleets_at_one_spot_stand_below_each_other(told: World) -> None:
    page = chart_page(told.campaign, told.umpire, told.turn)
    twice = slotted((page.fleets[0], page.fleets[0], page.fleets[1]), page.scale)
    assert [mark.slot for mark in twice] == [0, 1, 0]


def test_reports_where_a_fleet_lies_are_lifted_above_its_ensign(told: World) -> None:
    page = chart_page(told.campaign, told.english, told.turn)
    (fleet,), (seen,) = page.fleets, page.sightings
    there = replace(seen, x=fleet.x, y=fleet.y)
    assert [mark.rise for mark in raised((seen, there, there), page.fleets, page.scale)] == [0, 48, 72]


@pytest.mark.clause("G.WX1")
def test_the_wind_is_that_of_the_zones_with_own_fleets(told: World) -> None:
    told.campaign.weather["channel"] = {"wind_from": 0, "strength": "light", "visibility": "fog"}
    winds = chart_page(told.campaign, told.english, told.turn).winds
    assert [(wind.zone, wind.wind_from) for wind in winds] == [("southern", 225)]
    Station.objects.filter(fleet=told.english_fleet).update(at="spithead")
    assert [wind.zone for wind in chart_page(told.campaign, told.english, told.turn).winds] == ["channel"]
