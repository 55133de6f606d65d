"""What the calendar has still to bring: events for the rules, and the ships and officers that no one may see yet. Rules: G.CA1, G.CA2."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from campaign.models import CalendarRow, Campaign, Turn
from campaign.rules.chart import types as t
from campaign.rules.state.calendar import Calendar
from campaign.rules.state.clock import DAY
from campaign.selectors.turn.sheets import pure_sheet


class Coming(NamedTuple):
    """Codes of ships and "side/name" of officers that have rows, or will have them, and are not on the chart."""

    ships: frozenset[str]
    officers: frozenset[tuple[str, str]]


def calendar_of(campaign: Campaign) -> Calendar:
    """What has become of a campaign's events, as its last turn left them."""
    return Calendar.read(campaign.carried.get("calendar", {}))


def hour_of(campaign: Campaign, day: str) -> int:
    """The hour of 06:00 of an ISO date; less than 0 before the campaign began. Rule: G.CL1."""
    return DAY * (date.fromisoformat(day) - date.fromisoformat(campaign.start_date)).days


def coming_events(turn: Turn) -> tuple[t.CalendarEvent, ...]:
    """The events that may come to pass in a turn, in the order of their ids. Rule: G.CA1."""
    calendar = calendar_of(turn.campaign)
    begins, ends = turn.first_day * DAY, (turn.first_day + turn.days) * DAY
    events = []
    for row in (
        turn.campaign.calendar_rows.exclude(deed="")
        .filter(struck=False)
        .select_related("side__navy")
        .order_by("code")
    ):
        first, last = days_of(row)
        first_hour, last_hour = hour_of(turn.campaign, first), hour_of(turn.campaign, last)
        if not calendar.settled(row.code) and first_hour < ends and last_hour >= begins:
            events.append(_event(row, turn.campaign, first_hour, last_hour))
    return tuple(events)


def days_of(row: CalendarRow) -> tuple[str, str]:
    """First and last day of a row: as it was planned, or twice the day that the umpire has set."""
    return (row.moved, row.moved) if row.moved else (row.first, row.last)


def _event(row: CalendarRow, campaign: Campaign, first: int, last: int) -> t.CalendarEvent:
    do = dict(row.do)
    if row.deed == "convoy":
        do["sails"] = max(first, hour_of(campaign, do["day"]))
    return t.CalendarEvent(
        row.code, row.deed, row.side.code if row.side is not None else "", first, last, row.chance, tuple(row.known),
        row.announced, do, row.text, _brings(row.sheets),
    )  # fmt: skip


def _brings(sheets: Mapping[str, Any]) -> t.Brought:
    """Ships, squadrons and officers of a row's sheets, as a turn's facts have them. Rule: G.CA2."""
    return t.Brought(
        tuple(pure_sheet(ship) for ship in sheets.get("ships", ())),
        tuple(t.SquadronFacts(**squadron) for squadron in sheets.get("squadrons", ())),
        tuple(t.OfficerFacts(**officer) for officer in sheets.get("officers", ())),
    )


def yet_to_come(campaign: Campaign) -> Coming:
    """Ships and officers of events that have not come to pass. After a rollback they may have rows already. Rules: G.CA2, G.UM3."""
    done = calendar_of(campaign).done
    ships: set[str] = set()
    officers: set[tuple[str, str]] = set()
    for code, sheets in campaign.calendar_rows.exclude(sheets={}).values_list("code", "sheets"):
        if code not in done:
            ships |= {row["code"] for row in sheets["ships"]}
            officers |= {(row["side"], row["name"]) for row in sheets["officers"]}
    return Coming(frozenset(ships), frozenset(officers))


def codes_to_come(campaign: Campaign) -> frozenset[str]:
    """Codes that the calendar keeps for its fleets. For the umpire alone. Rule: G.CA2."""
    rows = campaign.calendar_rows.exclude(sheets={}).values_list("sheets__fleet__code", flat=True)
    return frozenset(rows)
