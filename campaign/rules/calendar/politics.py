"""Politics by the calendar: sides go to war, ally themselves, or make peace. Rule: G.CA5."""

from __future__ import annotations

from campaign.rules.chart.types import CalendarEvent
from campaign.rules.state.world import Chart

PEACE = "peace"


def hostility_changes(chart: Chart, event: CalendarEvent) -> str:
    """How two sides stand from this hour. Contacts and chases between sides that are no longer at war are dropped. Rule: G.CA5."""
    a, b, tie = event.do["hostility"]
    chart.state.calendar.ties[min(a, b), max(a, b)] = tie
    chart.facts_changed()
    if tie != "war":
        _drop_contacts(chart, frozenset((a, b)))
    chart.tell("hostility", "G.CA5", *event.known, sides=sorted((a, b)), tie=tie, text=event.text)
    return ""


def _drop_contacts(chart: Chart, pair: frozenset[str]) -> None:
    """Fleets of two sides that are at peace neither chase nor watch each other. Rule: G.CA5."""
    state = chart.state
    fleets = state.fleets
    for rows in (state.contacts, state.touches):
        for one, other in list(rows):
            if frozenset((fleets[one].side, fleets[other].side)) == pair:
                del rows[one, other]


def peace_is_made(chart: Chart, event: CalendarEvent) -> str:
    """The campaign ends in this hour. Rules: G.CA5, G.EN1."""
    chart.state.calendar.peace = event.id
    chart.tell("peace", "G.CA5", *event.known, text=event.text)
    return ""
