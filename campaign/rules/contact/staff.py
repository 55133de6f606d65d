"""What the staff thinks of a side's reports: which lost contact a new one may be, and which contacts are news. Rule: G.IG2.

Made of the reports alone; which fleet was seen is never read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import isqrt
from typing import Any

from campaign.rules.chart.points import SCALE, Point, cosine_ppm, offset
from campaign.rules.chart.types import MILLI, SightingReport
from campaign.rules.contact.sighting import BANDS

# A contact that was lost so many hours ago is thought of no longer; one that is thought of sails on at so many knots.
THOUGHT_OF, KNOTS = 24, 4
# How far from there a contact may lie and still be the same: so many miles, and so many for each hour.
ASTRAY, ASTRAY_AN_HOUR = 6, 4
# After so many hours without touch a contact is in the archive.
ARCHIVED = 10 * 24
# What is gained and lost again within so many hours is told once.
TOGETHER = 4
GAINED, LOST = "sighted", "touch_lost"
_BANDS = (*(name for _, name in BANDS), "40+")


def latest(reports: Iterable[SightingReport], side: str) -> list[SightingReport]:
    """The last report of each contact of a side, by number. reports: oldest first, of every side.

    A contact that has been seen to join another, or that the staff thinks it has seen again, is not counted a second time.
    Rules: G.SI3, G.IG1, G.IG2.
    """
    last: dict[int, SightingReport] = {}
    gone: set[int] = set()
    for report in reports:
        if report.side == side:
            gone |= {report.perhaps, *report.joined}
            last[report.number] = report
    return [last[number] for number in sorted(last) if number not in gone]


def perhaps(report: SightingReport, earlier: Iterable[SightingReport], held: Collection[int]) -> int:
    """The number of the lost contact that a new one may be, the nearest of several; 0 for none. Rule: G.IG2.

    earlier: the side's reports, oldest first; held: numbers of contacts that are not lost.
    """
    last = {row.number: row for row in earlier if row.number not in held and row.number != report.number}
    likely = [(far, row.number) for row in last.values() if (far := _astray(report, row)) is not None]
    return min(likely)[1] if likely else 0


def _astray(report: SightingReport, lost: SightingReport) -> int | None:
    """How far a new report lies from where a lost contact would be, thousandths of a mile; None when it cannot be that one. Rule: G.IG2."""
    hours = report.hour - lost.hour
    alike = abs(_BANDS.index(report.band) - _BANDS.index(lost.band)) <= 1
    if not alike or not 0 <= hours <= THOUGHT_OF:
        return None
    east, north = offset(_point(lost), _point(report))
    if lost.course is not None:
        run = KNOTS * MILLI * hours
        east -= run * cosine_ppm(100 * (lost.course - 90)) // 1_000_000
        north -= run * cosine_ppm(100 * lost.course) // 1_000_000
    far = isqrt(east * east + north * north)
    return far if far <= (ASTRAY + ASTRAY_AN_HOUR * hours) * MILLI else None


def _point(report: SightingReport) -> Point:
    return Point(report.latitude * SCALE // 100, report.longitude * SCALE // 100)


def told_once(events: Iterable[list[Any]]) -> list[list[Any]]:
    """Events as documents in the order of their hours, what is gained and lost within four hours of each other as one. Rule: G.IG2.

    Of such the first is left, whose data then tell of the others too: `times`, rows of [hour, kind, number, into]. A new contact
    goes on with the one that the staff thinks it is.
    """
    told: list[list[Any]] = []
    lines: dict[tuple[tuple[str, ...], int], list[Any]] = {}
    last: dict[int, int] = {}
    for event in sorted(events, key=lambda row: row[0]):
        hour, kind, clause, knows, data = event
        if kind not in (GAINED, LOST) or not data.get("number"):
            told.append(event)
            continue
        known, number = tuple(knows), int(data["number"])
        line = lines.get((known, int(data.get("perhaps", 0)) if kind == GAINED else number))
        if line is None or hour - last[id(line)] > TOGETHER:
            line = [hour, kind, clause, knows, dict(data)]
            told.append(line)
        else:
            row = [hour, kind, number, data.get("into", 0)]
            line[4] = {**line[4], "times": [*line[4].get("times", ()), row]}
        lines[known, number] = line
        last[id(line)] = hour
    return told
