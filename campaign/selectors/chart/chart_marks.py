"""Marks on the chart: what they hold, and how those that would cover each other become one mark with a count. Rules: G.SI2, G.SI3.

Of marks at one spot the weightiest is drawn and stands for the others, which are folded under it; the script of the chart folds
them again whenever the scale changes. No mark is moved farther than a ring's breadth or two from its spot, however many there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from campaign.accounts import compass, sail_in_words
from campaign.accounts.chart import perhaps_in_words
from campaign.chart_room import Box, Room
from campaign.selectors.chart.letter_parts import contacts_title, sightings_merged

NEAR = 22.0  # CSS pixels: marks of a kind that are nearer to each other than this are one
SLOT = 50  # CSS pixels between fleets of different sides at one spot, which only the umpire sees
ENSIGN: Box = (-6.0, -28.0, 28.0, 6.0)  # CSS pixels about a fleet's spot
SWORDS: Box = (-38.0, -12.0, -14.0, 12.0)
RING = 11.0
# Where a report's ring may stand, in CSS pixels from its spot, when an ensign or another ring is there.
LIFTS = ((0, 0), (0, -42), (-44, -26), (44, -42), (0, 34), (-44, 26), (44, 26), (-44, 0), (44, -8))


class Words(NamedTuple):
    """Where a mark's words begin, or with `end` where they end, in CSS pixels from its spot or its ring."""

    x: int
    y: int
    end: bool = False


@dataclass(frozen=True, slots=True)
class WindMark:
    """The wind of a weather zone in which the reader has a fleet. wind_from: degrees.

    spots: where it may be drawn, near places of the zone, in chart units. at: where it is drawn; None for nowhere.
    """

    zone: str
    wind_from: int
    strength: str
    visibility: str
    spots: tuple[tuple[float, float], ...] = ()
    at: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class FleetMark:
    """A fleet of the reader's. course: degrees of the leg it is on or about to sail. route: path data of what is still to sail.

    destination: in words after "bound for", "" for none. slot: how many other sides' marks at the same spot stand above it. held: code
    of the battle that holds it, "" for none (G.BT4). alone: it sails by itself, and takes no orders (G.KT2). folded: another mark
    stands for it. under: names and ships of the fleets that this one stands for. words: None where there is no room for them.
    """

    code: str
    name: str
    side: str
    colour: str
    x: float
    y: float
    ships: int
    men: int
    course: int | None
    place: str
    route: str
    destination: str
    stance: str
    given: bool
    zone: str
    slot: int = 0
    held: str = ""
    alone: bool = False
    folded: bool = False
    under: tuple[str, ...] = ()
    words: Words | None = None

    @property
    def line(self) -> str:
        """The fleet in a line of text."""
        return f"{self.name}: {self.ships} ship{'' if self.ships == 1 else 's'}, {self.place}"


@dataclass(frozen=True, slots=True)
class SightingMark:
    """A contact's last report, or several of one hour at one spot. age: fresh, day, stale, old or archive. side: whose report it is.

    perhaps: an earlier contact that it may be, 0 for none; older: the lines of its older reports (G.IG2).
    numbers: of its contacts, more than one where several are one mark; band: their sail together. lift: CSS pixels from the spot to
    where the ring stands. folded: another mark stands for it, or the list does. under: the lines of the reports that this one stands for.
    track: path data through its older reports to this one, "" for none. words: None where there is no room for them.
    """

    number: int
    x: float
    y: float
    course: int | None
    band: str
    kinds: tuple[str, ...]
    observer: str
    when: str
    hours: int
    age: str
    side: str
    turn: int
    where: str = ""
    perhaps: int = 0
    older: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    lift: tuple[int, int] = (0, 0)
    folded: bool = False
    under: tuple[str, ...] = ()
    track: str = ""
    words: Words | None = None
    steam: bool = False

    @property
    def count(self) -> int:
        """How many contacts it stands for by itself."""
        return max(1, len(self.numbers))

    @property
    def label(self) -> str:
        """What is written beside the ring: "10–19 sail", "3 contacts, 12–20 sail"."""
        sail = f"{self.band.replace('-', '–')} {'ships' if self.steam and self.band != '1' else 'ship' if self.steam else 'sail'}"
        return f"{self.count} contacts, {sail}" if self.count > 1 else sail

    @property
    def line(self) -> str:
        """The report in a line of text."""
        title = contacts_title(list(self.numbers or (self.number,)))
        title += perhaps_in_words(self.perhaps) if self.count == 1 else ""
        course = f", steering {compass(self.course)}" if self.course is not None else ""
        return f"{title}: {sail_in_words(self.band, self.kinds, steam=self.steam)}{course}; {self.when}"


@dataclass(frozen=True, slots=True)
class BattleMark:
    """A battle of the last turn that the reader may know of. folded, under: as of a fleet."""

    code: str
    title: str
    x: float
    y: float
    folded: bool = False
    under: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The battle in a line of text."""
        return self.title


def grouped(reports: Iterable[SightingMark]) -> tuple[SightingMark, ...]:
    """One mark for the contacts of one side, hour and spot; the oldest first, and of an hour the weakest."""
    groups: dict[tuple[Any, ...], list[SightingMark]] = {}
    for report in reports:
        groups.setdefault((report.side, report.hours, report.x, report.y), []).append(report)
    return tuple(sorted(map(_as_one, groups.values()), key=lambda mark: (-mark.hours, least_sail(mark.band))))


def _as_one(group: Sequence[SightingMark]) -> SightingMark:
    first = group[0]
    if len(group) == 1:
        return replace(first, numbers=(first.number,))
    courses, observers = {mark.course for mark in group}, {mark.observer for mark in group}
    return replace(
        first,
        numbers=tuple(mark.number for mark in group),
        band=band_of([mark.band for mark in group]),
        kinds=tuple(dict.fromkeys(kind for mark in group for kind in mark.kinds)),
        course=first.course if len(courses) == 1 else None,
        observer=first.observer if len(observers) == 1 else "",
    )


def band_of(bands: Iterable[str]) -> str:
    """Bands of sail together: "2-4" and "10-19" are "12-23"; one that is open upwards leaves the sum open. Rule: G.SI2."""
    least = most = 0
    open_end = False
    for band in bands:
        ends = [int(number) for number in re.findall(r"\d+", band)] or [1]
        least, most = least + ends[0], most + ends[-1]
        open_end = open_end or band.endswith("+")
    return f"{least}+" if open_end else f"{least}-{most}" if most > least else str(least)


def least_sail(band: str) -> int:
    """The least number of sail in a band. Rule: G.SI2."""
    return int((re.findall(r"\d+", band) or ["1"])[0])


def hosts(marks: Sequence[Any], near: float) -> list[int]:
    """For each of some marks, the weightiest first, the place in the list of the one that is drawn for it: often itself.

    near: chart units. Marks are looked up in squares of that size, each of which has room for one drawn mark of a side.
    """
    squares: dict[tuple[Any, int, int], int] = {}
    found = []
    for n, mark in enumerate(marks):
        side, column, row = getattr(mark, "side", ""), int(mark.x // near), int(mark.y // near)
        around = [(side, column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        others = [squares[key] for key in around if key in squares]
        host = min((other for other in others if _close(marks[other], mark, near)), default=n)
        if host == n:
            squares[side, column, row] = n
        found.append(host)
    return found


def _close(mark: Any, other: Any, near: float) -> bool:
    return abs(other.x - mark.x) < near and abs(other.y - mark.y) < near


def altered(mark: Any, **changes: Any) -> Any:
    """A mark with other values; the mark itself where it has them already, as most have."""
    same = all(getattr(mark, name) == value for name, value in changes.items())
    return mark if same else replace(mark, **changes)


def _folded(marks: Sequence[Any], near: float) -> list[Any]:
    """Marks, the weightiest first, those folded that another stands for, and on that one what is under it."""
    drawn_for = hosts(marks, near)
    under: dict[int, list[str]] = {}
    for n, host in enumerate(drawn_for):
        if host != n:
            under.setdefault(host, []).append(marks[n].line)
    return [
        altered(mark, folded=drawn_for[n] != n, under=tuple(under.get(n, ()))) for n, mark in enumerate(marks)
    ]


def folded_fleets(fleets: Sequence[FleetMark], scale: float) -> tuple[FleetMark, ...]:
    """Fleets in their order; of a side's at one spot the strongest is drawn. Other sides' at the spot stand below it."""
    near = NEAR * scale
    marks = _folded(sorted(fleets, key=lambda mark: -mark.ships), near)
    placed: dict[str, FleetMark] = {}
    drawn: list[FleetMark] = []
    for mark in marks:
        slot = (
            0 if mark.folded else sum(_close(mark, other, near) for other in drawn if other.side != mark.side)
        )
        placed[mark.code] = altered(mark, slot=slot)
        if not mark.folded:
            drawn.append(mark)
    return tuple(placed[mark.code] for mark in fleets)


def folded_battles(battles: Sequence[BattleMark], scale: float) -> tuple[BattleMark, ...]:
    """Battles, the last first drawn of those at one spot."""
    return tuple(reversed(_folded(tuple(reversed(battles)), NEAR * scale)))


def folded_sightings(sightings: Sequence[SightingMark], room: Room, scale: float) -> tuple[SightingMark, ...]:
    """Reports, the oldest first; of those at one spot the newest is drawn, where it covers nothing that stands in the room already.

    One for which there is no room at all is left to the list.
    """
    placed = []
    for mark in _folded(tuple(reversed(sightings)), NEAR * scale):
        if mark.folded:
            placed.append(altered(mark, lift=(0, 0)))
            continue
        x, y = mark.x / scale, mark.y / scale
        number = room.settle((x + dx - RING, y + dy - RING, x + dx + RING, y + dy + RING) for dx, dy in LIFTS)
        placed.append(altered(mark, folded=number is None, lift=LIFTS[number or 0]))
    return tuple(reversed(placed))


def news_rows(reports: Iterable[SightingMark]) -> dict[str, tuple[dict[str, Any], ...]]:
    """Contacts as rows of text, the newest first, those of a letter's likeness merged. Rule: G.IG2.

    By what they are to the reader: "now", "older" (of more hours without touch than the setting says) and "archive".
    """
    rows = [
        {
            "number": mark.number,
            "perhaps": mark.perhaps,
            "side": mark.side,
            "date": mark.when,
            "time": "",
            "sail": sail_in_words(mark.band, mark.kinds, steam=mark.steam),
            "where": mark.where,
            "course": mark.course,
            "observer": mark.observer,
            "hours": mark.hours,
            "age": mark.age,
            "under": mark.older,
            "kinds": mark.kinds,
        }
        for mark in reports
    ]
    found: dict[str, list[dict[str, Any]]] = {"now": [], "older": [], "archive": []}
    for row in sightings_merged(reversed(rows)):
        found[{"old": "older", "archive": "archive"}.get(row["age"], "now")].append(row)
    return {name: tuple(part) for name, part in found.items()}
