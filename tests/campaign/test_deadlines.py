"""Deadlines in local time: fixed weekdays, and the two nights on which clocks change."""

from datetime import UTC, date, datetime, time

import pytest

from campaign.deadlines import Rhythm, after_hours, away_on, moment_of, next_fixed


def at(text: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("opened", "deadline"),
    [
        ("2026-11-16T12:00", "2026-11-19T20:00"),  # Monday: the next Thursday or Sunday
        ("2026-11-19T10:00", "2026-11-22T20:00"),  # too near to Thursday evening
        ("2026-11-19T07:00", "2026-11-19T20:00"),
        ("2026-11-21T12:00", "2026-11-22T20:00"),
    ],
)
def test_the_next_weekday_that_leaves_time_to_answer_is_chosen(opened: str, deadline: str) -> None:
    found = next_fixed(at(opened), weekdays={3, 6}, at=time(20), zone="Europe/London")
    assert found.astimezone(UTC) == at(deadline)


def test_an_hour_stays_the_same_when_summer_time_begins_and_ends() -> None:
    spring = next_fixed(at("2026-03-25T12:00"), weekdays={6}, at=time(20), zone="Europe/Amsterdam")
    autumn = next_fixed(at("2026-10-22T12:00"), weekdays={6}, at=time(20), zone="Europe/Amsterdam")
    assert (spring.hour, spring.astimezone(UTC).hour) == (20, 18)
    assert (autumn.hour, autumn.astimezone(UTC).hour) == (20, 19)


def test_a_skipped_hour_becomes_an_hour_later_and_a_repeated_one_is_the_first() -> None:
    skipped = next_fixed(at("2026-03-25T12:00"), weekdays={6}, at=time(2, 30), zone="Europe/Amsterdam")
    assert (skipped.hour, skipped.minute) == (3, 30)
    twice = next_fixed(at("2026-10-22T12:00"), weekdays={6}, at=time(2, 30), zone="Europe/Amsterdam")
    assert twice.astimezone(UTC) == at("2026-10-25T00:30")


def test_without_a_weekday_there_is_no_fixed_deadline() -> None:
    with pytest.raises(ValueError, match="weekday"):
        next_fixed(at("2026-03-25T12:00"), weekdays=(), at=time(20), zone="UTC")


def test_hours_are_added_and_days_of_absence_are_found() -> None:
    assert after_hours(at("2026-03-28T12:00"), 48) == at("2026-03-30T12:00")
    spans = [(date(2026, 7, 1), date(2026, 7, 14))]
    assert [away_on(spans, date(2026, 7, day)) for day in (1, 14, 15)] == [True, True, False]


def test_the_next_deadlines_follow_each_other() -> None:
    weekly = Rhythm(72, (3, 6), time(20), "Europe/Amsterdam")
    found = [moment.astimezone(UTC) for moment in weekly.coming(at("2026-10-22T18:00"), 3)]
    assert found == [at("2026-10-25T19:00"), at("2026-10-29T19:00"), at("2026-11-01T19:00")]
    hours = Rhythm(48, (), time(20), "UTC")
    assert hours.coming(at("2026-10-22T18:00"), 2) == [at("2026-10-24T18:00"), at("2026-10-26T18:00")]
    assert hours.coming(at("2026-10-22T18:00"), 0) == []


def test_a_day_and_hour_is_given_in_a_time_zone() -> None:
    assert moment_of(date(2026, 3, 29), time(2, 30), "Europe/Amsterdam").astimezone(UTC) == at(
        "2026-03-29T01:30"
    )
