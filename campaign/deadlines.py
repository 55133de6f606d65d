"""When orders close: a number of hours after opening, or the next of fixed weekdays at an hour of the campaign's own zone.

Pure arithmetic on moments with a zone; hours of the wall clock stay what they are when summer time begins or ends.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
LEAST_HOURS = (
    12  # a fixed deadline nearer than this to the opening is skipped: no one could give orders in time
)


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How orders close. hours: after the opening, unless there are weekdays (0 Monday to 6 Sunday), at an hour of the zone's clock."""

    hours: int
    weekdays: tuple[int, ...]
    at: time
    zone: str

    def next_after(self, opened: datetime) -> datetime:
        """When orders for a turn that opens then close."""
        if self.weekdays:
            return next_fixed(opened, weekdays=self.weekdays, at=self.at, zone=self.zone)
        return after_hours(opened, self.hours)

    def coming(self, opened: datetime, count: int) -> list[datetime]:
        """The next deadlines, if every turn is run at its own and the next opens at once."""
        found: list[datetime] = []
        for _ in range(count):
            opened = self.next_after(opened)
            found.append(opened)
        return found


def after_hours(opened: datetime, hours: int) -> datetime:
    """A deadline so many hours after a turn opens. opened: with a zone."""
    return opened + timedelta(hours=hours)


def next_fixed(
    opened: datetime, *, weekdays: Collection[int], at: time, zone: str, least_hours: int = LEAST_HOURS
) -> datetime:
    """The first of the weekdays (0 Monday to 6 Sunday) at an hour of the zone's wall clock that leaves at least so many hours.

    opened: with a zone. The result is in the zone. An hour that summer time skips is an hour later; one that comes twice is the
    first. Raises ValueError without a weekday.
    """
    if not weekdays:
        raise ValueError("a fixed deadline needs a weekday")
    here = ZoneInfo(zone)
    earliest = opened + timedelta(hours=least_hours)
    day = opened.astimezone(here).date()
    while True:
        if day.weekday() in weekdays:
            moment = wall_clock(day, at, here)
            if moment >= earliest:
                return moment
        day += timedelta(days=1)


def wall_clock(day: date, at: time, zone: ZoneInfo) -> datetime:
    """A day's hour by the zone's clocks; an hour that they skip counts as the hour after it."""
    moment = datetime.combine(day, at, tzinfo=zone)
    # there and back again: only an hour that exists comes back as it was
    return moment.astimezone(ZoneInfo("UTC")).astimezone(zone)


def moment_of(day: date, at: time, zone: str) -> datetime:
    """A day and an hour by a zone's clocks. Raises ZoneInfoNotFoundError for a zone that does not exist."""
    return wall_clock(day, at, ZoneInfo(zone))


def away_on(spans: Iterable[tuple[date, date]], day: date) -> bool:
    """Whether a day lies in one of the spans, first and last day included."""
    return any(first <= day <= last for first, last in spans)
