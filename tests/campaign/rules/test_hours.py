"""The chart's clock at every edge: months that end, the sun's hours, nightfall before and after the setting. Rule: G.CL1."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import Settings, TurnFacts
from campaign.rules.state.clock import clock, is_day, is_night, moment, month, next_dawn, nightfall
from tests.campaign.rules import builders as b

pytestmark = pytest.mark.clause("G.CL1")


def made(sun: tuple[int, int] = (5, 19), *, nightfall: int = 21, date: str = "1666-06-01") -> TurnFacts:
    doc = b.square_doc()
    doc["daylight"]["6"] = list(sun)
    facts = b.facts([], sea=read_theatre(doc), start_date=date)
    return replace(facts, settings=Settings(nightfall=nightfall))


def at(o_clock: int) -> int:
    """The hour of the chart at which the clock shows this, in the first day."""
    return (o_clock - 6) % 24


@pytest.mark.parametrize(("hour", "shows"), [(0, 6), (17, 23), (18, 0), (23, 5), (24, 6), (25, 7)])
def test_hours_count_from_six(hour: int, shows: int) -> None:
    assert clock(hour) == shows


def test_the_first_hour_is_six_of_the_first_day() -> None:
    assert moment("1666-06-01", 0) == datetime(1666, 6, 1, 6)
    assert moment("1666-02-28", 18) == datetime(1666, 3, 1)
    assert [month(made(date="1666-12-31"), hour) for hour in (0, 17, 18)] == [12, 12, 1]


@pytest.mark.parametrize("sun", [(5, 19), (8, 16), (3, 22)])
def test_it_is_day_from_sunrise_to_sunset(sun: tuple[int, int]) -> None:
    facts = made(sun)
    assert [o for o in range(24) if is_day(facts, at(o))] == list(range(*sun))


@pytest.mark.parametrize(
    ("sunset", "setting", "falls"), [(19, 21, 20), (20, 21, 21), (21, 21, 21), (22, 21, 21), (22, 23, 23)]
)
def test_night_falls_the_hour_after_sunset_but_no_later_than_the_setting(
    sunset: int, setting: int, falls: int
) -> None:
    assert nightfall(made((5, sunset), nightfall=setting), 0) == falls


@pytest.mark.parametrize(
    ("sun", "dawn", "falls"), [((5, 19), 5, 20), ((6, 19), 6, 20), ((7, 19), 6, 20), ((4, 22), 4, 21)]
)
def test_no_battle_begins_from_nightfall_to_sunrise_or_six(
    sun: tuple[int, int], dawn: int, falls: int
) -> None:
    facts = made(sun)
    assert [o for o in range(24) if not is_night(facts, at(o))] == list(range(dawn, falls))


@pytest.mark.parametrize(("hour", "dawn"), [(0, 0), (1, 24), (23, 24), (24, 24), (25, 48)])
def test_the_next_dawn_is_at_or_after_the_hour(hour: int, dawn: int) -> None:
    assert next_dawn(hour) == dawn


def test_daylight_is_that_of_the_month() -> None:
    doc = b.square_doc()
    doc["daylight"] |= {"5": [1, 2], "6": [3, 4], "7": [7, 9]}
    june = b.facts([], sea=read_theatre(doc), start_date="1666-06-30")
    assert is_day(june, at(3)) is False  # that is the first of July
    assert [o for o in range(6, 24) if is_day(june, at(o))] == []
    assert [o for o in range(24) if is_day(june, 24 + at(o))] == [7, 8]
    assert (nightfall(june, 0), nightfall(june, 24)) == (5, 10)
