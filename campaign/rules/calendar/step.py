"""The calendar at 06:00: which events come to pass today. Rules: G.CA1, G.CL2."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from campaign.rules.calendar.arrivals import army_stands, convoy_gathers, fleet_arrives
from campaign.rules.calendar.politics import PEACE, hostility_changes, peace_is_made
from campaign.rules.chart.types import CalendarEvent
from campaign.rules.state.clock import DAY, moment
from campaign.rules.state.world import Chart

__all__ = ["DEEDS", "PEACE", "calendar_step"]

DIE = 6
# What an event can do, in the order in which the events of one day come to pass: first who is at war, last the end. Each returns why it
# cannot be done, "" when it was.
DEEDS: Mapping[str, Callable[[Chart, CalendarEvent], str]] = {
    "hostility": hostility_changes,
    "arrive": fleet_arrives,
    "convoy": convoy_gathers,
    "army": army_stands,
    PEACE: peace_is_made,
}


def calendar_step(chart: Chart) -> None:
    """At 06:00 the events whose day it is come to pass, each once, unless their die says otherwise. Rule: G.CA1."""
    if chart.hour % DAY or chart.facts.settings.calendar != "acts":
        return
    order = list(DEEDS)
    for event in sorted(chart.facts.calendar, key=lambda event: (order.index(event.deed), event.id)):
        if not chart.state.calendar.settled(event.id) and _day(chart, event) == chart.hour:
            _comes_to_pass(chart, event)


def _day(chart: Chart, event: CalendarEvent) -> int | None:
    """The hour of an event's day; None while no die has given it one.

    A window of N days is cut into six: a D6 on its first day puts the event floor((D6 - 1) × N / 6) days after that. Rule: G.CA1.
    """
    if event.first == event.last:
        return event.first
    days = chart.state.calendar.days
    if chart.hour == event.first and event.id not in days:
        length = (event.last - event.first) // DAY + 1
        face = chart.dice.d6(clause="G.CA1", subjects=(chart.hour, event.id, "day"), reason="day of an event")
        days[event.id] = event.first + DAY * ((face - 1) * length // DIE)
        date = moment(chart.facts.start_date, days[event.id]).date().isoformat()
        chart.tell("calendar_dated", "G.CA1", text=event.text, date=date, face=face)
    return days.get(event.id)


def _comes_to_pass(chart: Chart, event: CalendarEvent) -> None:
    """Throw the one die for whether an event happens, and let it happen. Rule: G.CA1."""
    calendar, face = chart.state.calendar, None
    why = ""
    if event.chance > 1:
        face = chart.dice.d6(
            clause="G.CA1", subjects=(chart.hour, event.id, "chance"), reason="whether an event happens"
        )
        why = "chance" if face < event.chance else ""
    if not why:
        calendar.done[event.id] = chart.hour
        why = DEEDS[event.deed](chart, event)
    if why:
        calendar.done.pop(event.id, None)
        calendar.void[event.id] = chart.hour
        # who was promised something learns that it will not come
        knows = (event.side,) if event.announced and event.side else ()
        told = {"face": face} if face is not None else {}
        chart.tell("calendar_fails", "G.CA1", *knows, text=event.text, why=why, **told)
