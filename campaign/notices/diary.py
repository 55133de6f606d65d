"""A deadline as a calendar entry, attached to emails: one entry per campaign and turn, replaced when the deadline moves."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from icalendar import Alarm, Calendar, Event

from campaign.models import Turn

ALARM_BEFORE = timedelta(hours=3)
LASTS = timedelta(minutes=15)


def entry_uid(turn: Turn) -> str:
    """The same for every entry of a turn's deadline, so that calendars replace the old one."""
    host = settings.SITE_URL.partition("://")[2].partition("/")[0].partition(":")[0]
    return f"{turn.campaign.code}-turn-{turn.number}@{host}"


def deadline_entry(turn: Turn, *, moved: int, at: datetime, address: str) -> str:
    """The deadline as the text of an .ics file. moved: grows with every new entry; at: when this is written; address: of the orders.

    Raises ValueError for a turn without a deadline.
    """
    if turn.deadline is None:
        raise ValueError(f"{turn} has no deadline")
    event = Event()
    event.add("uid", entry_uid(turn))
    event.add("sequence", moved)
    event.add("dtstamp", at)
    event.add("dtstart", turn.deadline)
    event.add("dtend", turn.deadline + LASTS)
    event.add("summary", f"{turn.campaign.name}: orders for turn {turn.number} close")
    event.add("url", address)
    event.add("transp", "TRANSPARENT")
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", f"Orders for turn {turn.number} close soon")
    alarm.add("trigger", -ALARM_BEFORE)
    event.add_component(alarm)
    calendar = Calendar()
    calendar.add("prodid", "-//Weather Gage//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(event)
    return calendar.to_ical().decode()
