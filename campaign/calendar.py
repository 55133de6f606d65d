"""Chart time in words, reckoned in the calendar of the theatre file (Old Style where that has it). Rule: G.CL1."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache

from fleets.record_words import at_spoken, spoken

__all__ = ["at_spoken", "chart_time", "hour_spoken", "moment", "spoken"]

DAY_BEGINS = 6


def moment(start_date: str, hour: int) -> datetime:
    """The chart's date and hour: `hour` counts from 06:00 of the campaign's first day. Rule: G.CL1."""
    return datetime.fromisoformat(start_date) + timedelta(hours=DAY_BEGINS + hour)


def chart_time(start_date: str, hour: int) -> str:
    """As text that sorts: YYYY-MM-DDTHH:MM."""
    return moment(start_date, hour).strftime("%Y-%m-%dT%H:%M")


@lru_cache(maxsize=4096)
def hour_spoken(start_date: str, hour: int) -> str:
    """The chart's date and hour as people write them: reports of one hour are many."""
    return spoken(chart_time(start_date, hour))
