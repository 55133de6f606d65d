"""What the staff thinks: which lost contact a new one may be, and what is told once."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.rules.chart.types import SightingReport
from campaign.rules.contact.staff import perhaps, told_once

NOON = 6


def report(number: int, hour: int, north: float, east: float, **over: Any) -> SightingReport:
    """A report so many miles from a point on the equator; positions are kept to hundredths of a degree."""
    fields: dict[str, Any] = {
        "side": "ENG", "number": number, "hour": hour, "latitude": round(north * 100 / 60),
        "longitude": round(east * 100 / 60), "course": None, "band": "20-39", "kinds": (), "observer": "e", "fleet": "",
    }  # fmt: skip
    return SightingReport(**{**fields, **over})


LOST = report(12, NOON, 0, 0, course=90)


@pytest.mark.clause("G.IG2")
@pytest.mark.parametrize(
    ("off", "band", "number"),
    [(20, "10-19", 12), (21.6, "40+", 12), (22.2, "20-39", 0), (20, "5-9", 0), (-21.6, "20-39", 12), (-22.8, "20-39", 0)],
)  # fmt: skip
def test_a_contact_lost_at_noon_steering_east_would_be_sixteen_miles_on_at_four(
    off: float, band: str, number: int
) -> None:
    new = report(13, NOON + 4, 0, 16.2 + off, band=band)
    assert perhaps(new, [LOST], ()) == number


@pytest.mark.clause("G.IG2")
def test_one_whose_course_is_unknown_is_thought_to_be_where_it_was() -> None:
    lost = report(12, NOON, 0, 0)
    assert perhaps(report(13, NOON + 4, 21.6, 0), [lost], ()) == 12
    assert perhaps(report(13, NOON + 4, 22.2, 0), [lost], ()) == 0
    assert perhaps(report(13, NOON + 4, 0, 38), [lost], ()) == 0


@pytest.mark.clause("G.IG2")
@pytest.mark.parametrize(("hours", "number"), [(0, 12), (24, 12), (25, 0)])
def test_after_a_day_a_lost_contact_is_thought_of_no_longer(hours: int, number: int) -> None:
    lost = report(12, NOON, 0, 0)
    assert perhaps(report(13, NOON + hours, 0, 0), [lost], ()) == number


@pytest.mark.clause("G.IG2")
def test_of_several_the_nearest_is_named_and_never_one_that_is_in_sight() -> None:
    rows = [report(7, NOON, 0, 9), report(8, NOON, 0, 3), report(9, NOON, 0, 1), report(8, NOON + 1, 0, 6)]
    new = report(13, NOON + 4, 0, 0)
    assert perhaps(new, rows, ()) == 9
    assert perhaps(new, rows, (9,)) == 8
    assert perhaps(new, rows, (9, 8)) == 7
    assert perhaps(new, [], ()) == 0


def event(hour: int, kind: str, number: int, **data: Any) -> list[Any]:
    return [hour, kind, "G.SI1", ["ENG"], {"fleet": "e", "number": number, **data}]


@pytest.mark.clause("G.IG2")
def test_a_contact_gained_and_lost_within_four_hours_is_reported_once_with_the_times() -> None:
    rows = [
        event(10, "sighted", 12),
        event(14, "touch_lost", 12),
        event(18, "sighted", 13, perhaps=12),
        event(20, "touch_lost", 13, into=5),
    ]
    (line,) = told_once(reversed(rows))
    assert line[:3] == [10, "sighted", "G.SI1"]
    assert line[4]["times"] == [[14, "touch_lost", 12, 0], [18, "sighted", 13, 0], [20, "touch_lost", 13, 5]]
    assert "times" not in rows[0][4]


@pytest.mark.clause("G.IG2")
def test_a_contact_lost_after_more_than_four_hours_is_reported_separately() -> None:
    rows = [
        event(10, "sighted", 12),
        event(11, "sighted", 13),
        event(15, "touch_lost", 12),
        event(16, "sighted", 14, perhaps=13),
        [16, "battle", "G.CO2", [], {}],
    ]
    assert told_once(rows) == rows
    mixed = [event(1, "sighted", 1), [2, "touch_lost", "G.SI1", ["NLD"], {"fleet": "d", "number": 1}]]
    assert told_once(mixed) == mixed
    unnumbered = [
        [1, "touch_lost", "G.SI1", [], {"number": 0}],
        [2, "touch_lost", "G.SI1", [], {"number": 0}],
    ]
    assert told_once(unnumbered) == unnumbered
