"""The calendar as its page shows it: every row for the umpire, for others what they have been told. Rules: G.CA1, G.IN1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from campaign.accounts.words import at
from campaign.calendar import chart_time, spoken
from campaign.models import CalendarRow, Campaign, Membership
from campaign.rules.state.calendar import Calendar
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.people.access import Role
from campaign.selectors.turn.coming import calendar_of, days_of, hour_of
from campaign.selectors.turn.facts import pure_theatre

KINDS = {
    "arrive": "Reinforcement", "reinforcement": "Reinforcement", "convoy": "Convoy", "army": "Army", "politics": "Politics",
    "hostility": "Politics", "peace": "Politics", "fleet_division": "Division of a fleet",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CalendarLine:
    """A row as a reader sees it. when: date or window in words. side: its name, "" for none. state: in words, "" for what is to come.

    told: names of the sides told on the day, note: how sure the fact is, and day: what the umpire's form begins with, are for the
    umpire; so is brings, what comes. open: the umpire can still move or strike it.
    """

    code: str
    when: str
    kind: str
    side: str
    text: str
    state: str
    note: str = ""
    told: str = ""
    chance: str = ""
    brings: str = ""
    day: str = ""
    acts: bool = False
    open: bool = False


def calendar_lines(campaign: Campaign, membership: Membership) -> list[CalendarLine]:
    """What a reader may know of the calendar, by date. Rules: G.CA1, G.IN1."""
    rows = campaign.calendar_rows.select_related("side__navy").order_by("first", "code")
    calendar, names = calendar_of(campaign), dict(campaign.sides.values_list("navy__code", "name"))
    if membership.role == Role.UMPIRE:
        return [_umpires(campaign, row, calendar, names) for row in rows]
    sides = list(names) if membership.side is None else [membership.side.code]
    return [
        CalendarLine(row.code, _when(campaign, row, calendar), _kind(row), _side(row), row.told, _state(row, calendar, ""))
        for row in rows
        if _may_read(campaign, row, calendar, membership, sides)
    ]  # fmt: skip


def _may_read(
    campaign: Campaign, row: CalendarRow, calendar: Calendar, membership: Membership, sides: list[str]
) -> bool:
    """Whether a player may read a row: it was announced to their side, or has come to pass and they were told. Rule: G.CA1.

    An observer reads what every side was told. A row that is text only counts as come to pass when its day is over.
    """
    if row.announced and (row.side is None or row.side_id == membership.side_id):
        return True
    if not set(sides) <= set(row.known):
        return False
    return row.code in calendar.done if _acts(campaign, row) else _over(campaign, row)


def _acts(campaign: Campaign, row: CalendarRow) -> bool:
    return bool(row.deed) and settings_from(campaign.settings).calendar == "acts"


def _over(campaign: Campaign, row: CalendarRow) -> bool:
    """Whether the day of a row lies before what the campaign has played."""
    return hour_of(campaign, row.last) < 24 * campaign.calendar_day


def _umpires(campaign: Campaign, row: CalendarRow, calendar: Calendar, names: dict[str, str]) -> CalendarLine:
    acts = _acts(campaign, row)
    first, _ = days_of(row)
    return CalendarLine(
        code=row.code,
        when=_when(campaign, row, calendar),
        kind=_kind(row),
        side=_side(row),
        text=row.told,
        state=_state(row, calendar, "It may still come." if acts else ""),
        note=row.note,
        told=", ".join(names[code] for code in row.known if code in names) or "no one",
        chance=f"a D6 throw of {row.chance} or more" if row.chance > 1 else "",
        brings=_brings(campaign, row),
        day=first,
        acts=acts,
        open=acts and not calendar.settled(row.code),
    )


def _kind(row: CalendarRow) -> str:
    return KINDS.get(row.kind or row.deed, "Event")


def _side(row: CalendarRow) -> str:
    return row.side.name if row.side is not None else ""


def _when(campaign: Campaign, row: CalendarRow, calendar: Calendar) -> str:
    """Its date in words, or its window; once it is settled, the day on which it was."""
    hour = calendar.done.get(row.code, calendar.void.get(row.code))
    if hour is not None:
        return spoken(chart_time(campaign.start_date, hour)[:10])
    first, last = days_of(row)
    return spoken(first) if first == last else f"{spoken(first)} to {spoken(last)}"


def _state(row: CalendarRow, calendar: Calendar, waiting: str) -> str:
    """What has become of a row, in a sentence; `waiting` for one that has not been settled."""
    if row.code in calendar.done:
        return "It took place."
    if row.code in calendar.void:
        return "It did not take place."
    if row.struck:
        return "It will not happen."
    return waiting


def _brings(campaign: Campaign, row: CalendarRow) -> str:
    """What an acting row brings, and where, in words. For the umpire."""
    do: dict[str, Any] = row.do
    place = do.get("place") or do.get("start") or do.get("port")
    where = at(pure_theatre(campaign.theatre).places[place].name) if place else ""
    ships = len(row.sheets.get("ships", ()))
    words = [
        f"{do['men']:,} men" if "men" in do else "",
        f"{ships} ships" if ships > 1 else "one ship" if ships else "",
    ]
    what = " and ".join(filter(None, words))
    fleet = row.sheets.get("fleet", {}).get("name") or do.get("fleet", "")
    return ", ".join(filter(None, (what, fleet, where)))
