"""Chart time in words, reckoned in the calendar of the theatre file (Old Style where that has it). Rule: G.CL1."""

from __future__ import annotations

from datetime import datetime, timedelta

from fleets.record_words import at_spoken, spoken

__all__ = ["at_spoken", "chart_time", "moment", "spoken"]

DAY_BEGINS = 6


def moment(start_date: str, hour: int) -> datetime:
    """The chart's date and hour: `hour` counts from 06:00 of the campaign's first day. Rule: G.CL1."""
    return datetime.fromisoformat(start_date) + timedelta(hours=DAY_BEGINS + hour)


def chart_time(start_date: str, hour: int) -> str:
    """As text that sorts: YYYY-MM-DDTHH:MM."""
    return moment(start_date, hour).strftime("%Y-%m-%dT%H:%M")
