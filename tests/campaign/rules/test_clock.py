"""The chart's clock."""

from __future__ import annotations

from dataclasses import replace

import pytest

from campaign.rules.chart.types import Settings, TurnFacts
from campaign.rules.state.clock import clock, is_day, is_night, moment, month, next_dawn, nightfall
from tests.campaign.rules import builders as b


def days_of(sunrise: int, sunset: int, latest: int = 21) -> TurnFacts:
    made = b.facts([])
    sea = replace(made.theatre, daylight=((sunrise, sunset),) * 12)
    return replace(made, theatre=sea, settings=replace(made.settings, nightfall=latest))


@pytest.mark.clause("G.CL1")
def test_a_campaign_day_begins_at_six() -> None:
    assert [clock(hour) for hour in (0, 17, 18, 23, 24)] == [6, 23, 0, 5, 6]
    assert f"{moment('1666-05-31', 42):%Y-%m-%d %H:%M}" == "1666-06-02 00:00"
    assert [next_dawn(hour) for hour in (0, 1, 24, 25)] == [0, 24, 24, 48]


@pytest.mark.clause("G.CL1")
def test_the_month_is_that_of_the_hour() -> None:
    made = replace(b.facts([]), start_date="1666-05-31")
    assert (month(made, 17), month(made, 18)) == (5, 6)


@pytest.mark.clause("G.CL1")
def test_daylight_follows_the_theatres_table() -> None:
    made = days_of(5, 19)
    assert [is_day(made, hour) for hour in (0, 12, 13, 22, 23)] == [True, True, False, False, True]


@pytest.mark.clause("G.CL1")
@pytest.mark.parametrize(
    ("sunset", "latest", "hour"), [(20, 21, 21), (16, 21, 17), (22, 21, 21), (20, 18, 18)]
)
def test_nightfall_is_the_hour_after_sunset_and_no_later_than_the_setting(
    sunset: int, latest: int, hour: int
) -> None:
    assert nightfall(days_of(4, sunset, latest), 0) == hour


@pytest.mark.clause("G.CL1")
def test_by_default_night_falls_by_nine_and_a_turn_has_three_days() -> None:
    assert (Settings().nightfall, Settings().turn_days) == (21, 3)
    late = days_of(4, 23, Settings().nightfall)
    assert [is_night(late, hour) for hour in (14, 15)] == [False, True]  # 20:00 and 21:00


@pytest.mark.clause("G.CL1", "G.CO3")
def test_battles_begin_from_sunrise_or_from_six_in_the_dark_months() -> None:
    summer, winter = days_of(4, 20), days_of(8, 16)
    assert [is_night(summer, hour) for hour in (14, 15, 21, 22, 24)] == [False, True, True, False, False]
    assert [is_night(winter, hour) for hour in (0, 10, 11, 23, 24)] == [False, False, True, True, False]


@pytest.mark.clause("G.CL1")
@pytest.mark.parametrize(("number", "rise", "fall"), [(1, 9, 16), (6, 4, 20), (12, 5, 17)])
def test_sunrise_sunset_and_nightfall_are_those_of_the_month(number: int, rise: int, fall: int) -> None:
    table = tuple((rise, fall) if n == number else (7, 12) for n in range(1, 13))
    made = days_of(0, 0)
    made = replace(made, start_date=f"1666-{number:02}-15", theatre=replace(made.theatre, daylight=table))
    light = [hour for hour in range(24) if is_day(made, hour - 6)]
    assert light == list(range(rise, fall))
    assert nightfall(made, 0) == fall + 1
    dark = [hour for hour in range(24) if is_night(made, hour - 6)]
    assert dark == [*range(min(6, rise)), *range(fall + 1, 24)]
