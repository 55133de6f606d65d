"""The chart's marks, its first view, and places in words."""

from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from campaign.chart_room import Room
from campaign.models import Sighting, Station
from campaign.rules.chart import types as t
from campaign.selectors.chart import chart_marks
from campaign.selectors.chart.chart import chart_page, sighting_marks
from campaign.selectors.chart.chart_marks import (
    ENSIGN,
    band_of,
    folded_fleets,
    folded_sightings,
    grouped,
    news_rows,
)
from campaign.selectors.chart.letter_parts import sightings_told
from campaign.selectors.reports.reports import side_report
from campaign.selectors.sea.chart_paper import focus, place_marks, projection_of
from campaign.selectors.sea.places import goal_in_words, place_in_words
from campaign.selectors.turn.facts import pure_theatre
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
        (
            t.Position("galloper", "schooneveld", 12_400),
            "12 nm from the Galloper towards the Schooneveld",
        ),
        (t.Position("galloper", "schooneveld", 0), "at the Galloper, bound for the Schooneveld"),
        (t.Position("off_bergen", "bergen", 2_000), "standing in towards Bergen"),
    ],
)
def test_a_position_is_given_in_words(told: World, position: t.Position, words: str) -> None:
    assert place_in_words(pure_theatre(told.campaign.theatre), position) == words


@pytest.mark.parametrize(
    ("position", "route", "goal"),
    [
        (t.Position("nore"), [], ""),
        (t.Position("nore"), ["swin", "galloper"], "the Galloper"),
        (t.Position("galloper"), ["hinder"], "the waters west of the Hinder Banks"),
        (t.Position("hinder"), ["hinder"], ""),
        (t.Position("hinder", "galloper", 4_000), ["hinder"], "the waters west of the Hinder Banks"),
        (t.Position("nore"), ["swin", "nore"], "the Nore"),
    ],
)
def test_a_fleet_is_bound_for_the_end_of_its_route_unless_it_lies_there(
    told: World, position: t.Position, route: list[str], goal: str
) -> None:
    assert goal_in_words(pure_theatre(told.campaign.theatre), position, route) == goal


@pytest.mark.parametrize(
    ("hours", "age"),
    [(0, "fresh"), (6, "fresh"), (7, "day"), (25, "stale"), (48, "stale"), (49, "old"), (240, "old")],
)
@pytest.mark.clause("G.SI2", "G.IG2")
def test_sightings_fade_with_age(told: World, hours: int, age: str) -> None:
    Sighting.objects.filter(side=told.english.side).update(hour=300 - hours)
    (mark,) = sighting_marks(told.campaign, told.english, 300)
    assert (mark.age, mark.hours) == (age, hours)


@pytest.mark.clause("G.SI2", "G.IG2")
def test_contacts_of_more_than_ten_days_ago_are_in_the_archive_alone(told: World) -> None:
    Sighting.objects.filter(side=told.english.side).update(hour=10)
    assert not sighting_marks(told.campaign, told.english, 10 + 10 * 24 + 1)
    assert sighting_marks(told.campaign, told.english, 10 + 10 * 24)
    (mark,) = sighting_marks(told.campaign, told.english, 10 + 10 * 24 + 1, archive=True)
    assert mark.age == "archive"


@pytest.mark.clause("G.IG2")
def test_the_umpire_says_after_how_many_hours_a_contact_is_older(told: World) -> None:
    told.campaign.settings = {"fold_hours": 12}
    Sighting.objects.filter(side=told.english.side).update(hour=60)
    assert [m.age for m in sighting_marks(told.campaign, told.english, 72)] == ["day"]
    assert [m.age for m in sighting_marks(told.campaign, told.english, 73)] == ["old"]
    assert news_rows(sighting_marks(told.campaign, told.english, 73))["older"]


@pytest.mark.clause("G.IG1", "G.IG2")
def test_a_contact_is_one_line_with_its_older_reports_under_it_and_what_the_staff_thinks(told: World) -> None:
    first = Sighting.objects.get(side=told.english.side)
    observers = [first.observer, "unknown"]
    Sighting.objects.create(
        turn=first.turn, side=first.side, number=first.number, hour=first.hour + 4, latitude=5200, longitude=300,
        band="20-39", observer=first.observer, observers=observers, perhaps=12, fleet_code="x",
    )  # fmt: skip
    Sighting.objects.exclude(side=told.english.side).delete()
    (mark,) = sighting_marks(told.campaign, told.english, 72)
    assert (mark.perhaps, len(mark.older)) == (12, 1)
    assert mark.line.startswith(f"Contact {first.number}, perhaps the same as contact 12: 20–39 sail")
    page = told.client("english").get(reverse("sightings", args=["telltale"])).content.decode()
    assert f"Contact {first.number}, perhaps the same as contact 12" in page and "1 older sighting" in page
    report = told.client("english").get(reverse("report", args=["telltale", 1])).content.decode()
    assert f"Contact {first.number}, perhaps the same as contact 12" in report and mark.older[0] in report


@pytest.mark.clause("G.IG1")
def test_what_a_contact_has_taken_in_is_listed_under_it(told: World) -> None:
    first = Sighting.objects.get(side=told.english.side)
    for number, hour, joined in ((7, 1, []), (8, 2, [7]), (9, 3, [8])):
        Sighting.objects.create(
            turn=first.turn, side=first.side, number=number, hour=first.hour + hour, latitude=5200, longitude=300,
            band="1", observer=first.observer, joined=joined, fleet_code="x",
        )  # fmt: skip
    marks = sighting_marks(told.campaign, told.english, 72)
    assert [(mark.number, len(mark.older)) for mark in marks] == [(first.number, 0), (9, 2)]


@pytest.mark.clause("G.SI3")
def test_a_contact_is_drawn_once_where_it_was_last_seen(told: World) -> None:
    first = Sighting.objects.get(side=told.english.side)
    Sighting.objects.create(
        turn=first.turn, side=first.side, number=first.number, hour=first.hour + 4, latitude=5200, longitude=300,
        band="20-39", observer=first.observer, fleet_code="x",
    )  # fmt: skip
    (mark,) = sighting_marks(told.campaign, told.english, 72)
    assert mark.band == "20-39"


def test_the_first_view_holds_every_position_and_stays_on_the_chart() -> None:
    for spots in ([(0.0, 0.0)], [(1600.0, 1498.0)], [(100.0, 200.0), (900.0, 700.0)]):
        x, y, width, height = focus(spots, 1600, 1498)
        assert 0 <= x <= x + width <= 1600
        assert 0 <= y <= y + height <= 1498
        assert all(x <= sx <= x + width and y <= sy <= y + height for sx, sy in spots)


def test_places_are_those_of_the_theatre_with_the_readers_ports_first(told: World) -> None:
    theatre = pure_theatre(told.campaign.theatre)
    marks = place_marks(theatre, projection_of(theatre.code), ["England"])
    assert {mark.code for mark in marks} == set(theatre.places)
    assert [mark.tier for mark in marks] == sorted(mark.tier for mark in marks)
    assert next(mark for mark in marks if mark.code == "chatham").tier == 1


def test_the_strongest_of_a_sides_fleets_in_one_position_is_drawn_and_names_the_others(told: World) -> None:
    page = chart_page(told.campaign, told.umpire, told.turn)
    one, enemy = page.fleets
    small = replace(one, code="small", name="Cruisers", ships=1)
    great = replace(one, code="great", name="The great fleet", ships=40)
    drawn = folded_fleets((small, one, great, replace(enemy, x=one.x, y=one.y)), page.scale)
    assert [(mark.folded, mark.slot) for mark in drawn] == [(True, 0), (True, 0), (False, 0), (False, 1)]
    assert drawn[2].under == (one.line, small.line)


@pytest.mark.clause("G.SI2")
def test_contacts_of_one_hour_in_one_position_are_one_mark_with_their_number_and_sail(told: World) -> None:
    (seen,) = chart_page(told.campaign, told.english, told.turn).sightings
    at = [replace(seen, number=n, band=band, numbers=()) for n, band in enumerate(("1", "2-4", "10-19"), 4)]
    elsewhere = replace(seen, number=9, x=seen.x + 300, numbers=())
    earlier = replace(seen, number=8, hours=seen.hours + 1, numbers=())
    marks = grouped((*at, elsewhere, earlier))
    assert sorted(mark.numbers for mark in marks) == [(4, 5, 6), (8,), (9,)]
    (three,) = [mark for mark in marks if mark.count == 3]
    assert three.label == "3 contacts, 13–24 sail"
    assert three.line.startswith("Contacts 4, 5 and 6: 13–24 sail")


@pytest.mark.parametrize(
    ("bands", "together"),
    [
        (["1"], "1"),
        (["1", "1"], "2"),
        (["2-4", "10-19"], "12-23"),
        (["40+", "2-4"], "42+"),
        (["5-9", "1"], "6-10"),
    ],
)
def test_bands_of_sail_are_added(bands: list[str], together: str) -> None:
    assert band_of(bands) == together


def with_ensign(fleet: Any, scale: float) -> Room:
    """A chart in which only the ensign of a fleet stands."""
    x, y = fleet.x / scale, fleet.y / scale
    room = Room((0, 0, 1600 / scale, 1600 / scale))
    room.take((x + ENSIGN[0], y + ENSIGN[1], x + ENSIGN[2], y + ENSIGN[3]))
    return room


def marks_at(seen: Any, number: int, apart: float) -> tuple[Any, ...]:
    """Reports of one hour each, the oldest first, in a row."""
    return tuple(
        replace(seen, number=n, numbers=(n,), hours=number - n, x=seen.x + n * apart) for n in range(number)
    )


@pytest.mark.clause("G.SI3")
def test_the_newest_of_many_reports_in_one_position_is_drawn_near_it_and_mentions_the_others(
    told: World,
) -> None:
    page = chart_page(told.campaign, told.english, told.turn)
    (fleet,), (seen,) = page.fleets, page.sightings
    there = replace(seen, x=fleet.x, y=fleet.y)
    marks = folded_sightings(marks_at(there, 60, 0.0), with_ensign(fleet, page.scale), page.scale)
    (drawn,) = [mark for mark in marks if not mark.folded]
    assert drawn.number == 59 and len(drawn.under) == 59
    assert drawn.lift != (0, 0), "the ensign would cover it"


@pytest.mark.clause("G.SI3")
def test_no_report_is_moved_more_than_a_ring_or_two_from_its_position_however_many_there_are(
    told: World,
) -> None:
    page = chart_page(told.campaign, told.english, told.turn)
    (seen,) = page.sightings
    marks = folded_sightings(
        marks_at(seen, 80, 9 * page.scale), with_ensign(page.fleets[0], page.scale), page.scale
    )
    drawn = [mark for mark in marks if not mark.folded]
    assert len(drawn) > 10
    assert all(abs(mark.lift[0]) <= 44 and abs(mark.lift[1]) <= 44 for mark in marks)


def test_a_thousand_marks_are_merged_without_comparing_every_pair(
    told: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (seen,) = chart_page(told.campaign, told.english, told.turn).sightings
    compared = []
    close = chart_marks._close
    monkeypatch.setattr(chart_marks, "_close", lambda *args: compared.append(1) or close(*args))
    chart_marks.hosts(marks_at(seen, 1000, 7.0), 22.0)
    assert 0 < len(compared) < 10_000


@pytest.mark.clause("G.SI2")
def test_identical_reports_are_shown_once_on_the_chart_as_in_a_turn_report(told: World) -> None:
    first = Sighting.objects.get(side=told.english.side)
    for number in (7, 8):
        first.pk, first.number = None, number
        first.save()
    (row,) = chart_page(told.campaign, told.english, told.turn).news
    assert row["title"] == "Contacts 1, 7 and 8"
    report = side_report(told.closed, told.english.side)
    ((told_row,), left) = sightings_told(report["sightings"])
    assert (told_row["title"], left) == (row["title"], 0)
    page = told.client("english").get(reverse("report", args=["telltale", 1])).content.decode()
    assert "<b>Contacts 1, 7 and 8</b>" in page


@pytest.mark.clause("G.WX1")
def test_the_wind_is_shown_for_the_zones_with_own_fleets(told: World) -> None:
    told.campaign.weather["channel"] = {"wind_from": 0, "strength": "light", "visibility": "fog"}
    winds = chart_page(told.campaign, told.english, told.turn).winds
    assert [(wind.zone, wind.wind_from) for wind in winds] == [("Southern", 225)]
    Station.objects.filter(fleet=told.english_fleet).update(at="spithead")
    assert [wind.zone for wind in chart_page(told.campaign, told.english, told.turn).winds] == ["Channel"]
