"""The chart's clock: hours from 06:00 of the first day, daylight and nightfall by the theatre's table. Rule: G.CL1."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache

from campaign.rules.chart.types import TurnFacts

DAWN = 6
DAY = 24
WATCH = 4


def clock(hour: int) -> int:
    """Hour of the day, 0 to 23, at an hour of the chart. Rule: G.CL1."""
    return (hour + DAWN) % DAY


@lru_cache(maxsize=4096)
def moment(start_date: str, hour: int) -> datetime:
    """Date and time of an hour of the chart. start_date: ISO date. Rule: G.CL1."""
    return datetime.fromisoformat(start_date) + timedelta(hours=DAWN + hour)


def month(facts: TurnFacts, hour: int) -> int:
    """Month, 1 to 12, at an hour of the chart."""
    return moment(facts.start_date, hour).month


def is_day(facts: TurnFacts, hour: int) -> bool:
    """Whether the sun is up during the hour that begins then. Rule: G.CL1."""
    sunrise, sunset = facts.theatre.daylight[month(facts, hour) - 1]
    return sunrise <= clock(hour) < sunset


def nightfall(facts: TurnFacts, hour: int) -> int:
    """Hour of the day at which battles end and escapes begin: the hour after sunset, no later than the setting. Rule: G.CL1."""
    return min(facts.settings.nightfall, facts.theatre.daylight[month(facts, hour) - 1][1] + 1)


def is_night(facts: TurnFacts, hour: int) -> bool:
    """Whether no battle may begin: from nightfall to sunrise, in the dark months to 06:00. Rules: G.CL1, G.CO3."""
    dawn = min(facts.theatre.daylight[month(facts, hour) - 1][0], DAWN)
    return not dawn <= clock(hour) < nightfall(facts, hour)


def next_dawn(hour: int) -> int:
    """The first 06:00 at or after an hour of the chart."""
    return -(-hour // DAY) * DAY
