"""When orders close: a number of hours after opening, or the next of fixed weekdays at an hour of the campaign's own zone.

Pure arithmetic on moments with a zone; hours of the wall clock stay what they are when summer time begins or ends.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
LEAST_HOURS = 12  # a fixed deadline nearer than this to the opening is passed over: nobody could answer


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


def away_on(spans: Iterable[tuple[date, date]], day: date) -> bool:
    """Whether a day lies in one of the spans, first and last day included."""
    return any(first <= day <= last for first, last in spans)
