"""Reading a calendar, of a theatre or an opening, with all its faults and their paths. Rules: G.CA1, G.CA2, G.CA4, G.CA5."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

from campaign.rules.calendar.deeds import DeedReader
from campaign.rules.calendar.known import CalendarFaults, Known, PlannedRow

__all__ = ["CalendarFaults", "Known", "PlannedRow", "read_calendar", "taking_part"]

ALL = "all"
POLITICS = "politics"
LONGEST_ID = 30
_ID = re.compile(r"[a-z0-9_]+")
_OF_ALL = ("id", "kind", "do", "text", "note", "date", "window", "chance", "known", "announced")
_FLEETS = {"arrive": ("fleet", "place"), "convoy": ("code", "start")}


def taking_part(
    rows: Sequence[Any], sides: Collection[str], others: Collection[str]
) -> list[tuple[int, Any]]:
    """Rows with their places in the list, without those that are about a side that takes no part. others: names of these."""
    return [(n, row) for n, row in enumerate(rows) if not _about(row) & (set(others) - set(sides))]


def _about(row: Any) -> set[str]:
    """The names of the sides that a row is about."""
    do = row.get("do") if isinstance(row, dict) else None
    if not isinstance(do, dict):
        return set()
    hostility = do.get("hostility")
    tied = hostility[:2] if isinstance(hostility, list) else []
    return {name for name in (do.get("side"), *tied) if isinstance(name, str)}


def read_calendar(parts: Mapping[str, Sequence[tuple[int, Any]]], known: Known) -> tuple[PlannedRow, ...]:
    """The rows of a calendar. parts: rows with their places in the list, by its path, such as "calendar".

    Raises CalendarFaults with every fault. A row without `do` is text. Rule: G.CA1.
    """
    reader = _Reader(known)
    rows = [reader.row(row, f"{path}[{n}]", n) for path, listed in parts.items() for n, row in listed]
    found = [row for row in rows if row is not None]
    reader.meetings(found)
    if reader.deeds.faults:
        raise CalendarFaults(reader.deeds.faults)
    return tuple(found)


class _Reader:
    """Reads rows one after the other; what is wrong is noted in `deeds`."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.deeds = DeedReader(known)
        self.fault = self.deeds.fault
        self.ids: set[str] = set()
        self.paths: dict[str, str] = {}

    def row(self, doc: Any, path: str, number: int) -> PlannedRow | None:
        """One row; None when it has a fault."""
        if not isinstance(doc, dict):
            self.fault(path, "Write each row of the calendar as a table of fields.")
            return None
        before = len(self.deeds.faults)
        deed = self._deed(doc, path)
        first, last = self._days(doc, path, acts=bool(deed))
        code = self._id(doc, path, number, acts=bool(deed))
        for name in doc:
            if name not in _OF_ALL:
                self.fault(
                    f"{path}.{name}", f"{name!r} is not a field here. Choose from {', '.join(_OF_ALL)}."
                )
        if not isinstance(doc.get("text"), str) or not doc["text"].strip():
            self.fault(f"{path}.text", "Say in a sentence what happens.")
        chance = doc.get("chance", 1)
        if type(chance) is not int or not 1 <= chance <= 6:
            self.fault(f"{path}.chance", f"{chance!r} is not a face of a die. Use 1 to 6.")
        if not isinstance(doc.get("announced", False), bool):
            self.fault(f"{path}.announced", f"{doc['announced']!r} is neither true nor false.")
        do = self.deeds.read(deed, doc["do"], first, f"{path}.do") if deed else {}
        side = do.get("side", "")
        told = self._known(doc, side, path, politics=doc.get("kind") == POLITICS or (bool(deed) and not side))
        if len(self.deeds.faults) > before:
            return None
        self.paths[code] = path
        return PlannedRow(
            code, str(doc.get("kind", "")), deed, side, first, last, chance, told, doc.get("announced", False), do,
            doc["text"].strip(), str(doc.get("note", "")),
        )  # fmt: skip

    def _deed(self, doc: Mapping[str, Any], path: str) -> str:
        """What a row does; "" for text. Politics say which they are by the name of their field."""
        do = doc.get("do")
        if do is None:
            return ""
        if not isinstance(do, dict):
            self.fault(f"{path}.do", "Write “do” as a table of fields.")
            return ""
        for deed in ("hostility", "peace"):
            if deed in do:
                return deed
        kind = doc.get("kind")
        if kind in ("arrive", "convoy", "army"):
            return str(kind)
        self.fault(
            f"{path}.kind",
            f"{kind!r} cannot act. Use arrive, convoy or army, or name “hostility” or “peace”.",
        )
        return ""

    def _days(self, doc: Mapping[str, Any], path: str, *, acts: bool) -> tuple[str, str]:
        """First and last day of a row, both the same for a date; "" where they cannot be read. Those of a text may lie outside."""
        if ("date" in doc) == ("window" in doc):
            self.fault(path, "Give a date or a window of two dates, not both.")
            return "", ""
        days = [doc["date"]] * 2 if "date" in doc else doc["window"]
        at = f"{path}.date" if "date" in doc else f"{path}.window"
        try:
            first, last = (date.fromisoformat(day).isoformat() for day in days)
        except (TypeError, ValueError):
            self.fault(
                at, f"{doc.get('date', doc.get('window'))!r} cannot be read. Write dates as YYYY-MM-DD."
            )
            return "", ""
        if first > last:
            self.fault(at, f"The window ends on {last}, before it begins on {first}.")
        start, end = self.known.start, self.known.last_day
        if acts and (first < start or (end and last > end)):
            self.fault(
                at,
                f"Choose a date from {start}, the campaign's first day, to {end or 'its last'}.",
            )
        return first, last

    def _id(self, doc: Mapping[str, Any], path: str, number: int, *, acts: bool) -> str:
        """A row's id; a text without one is numbered."""
        code = doc.get("id")
        if code is None and not acts:
            code = f"{path.partition('[')[0].replace('.', '_')}_{number + 1}"
        if not isinstance(code, str) or not _ID.fullmatch(code) or len(code) > LONGEST_ID:
            self.fault(
                f"{path}.id",
                f"{code!r} is not an id. Use up to {LONGEST_ID} lower-case letters, digits and underscores.",
            )
            return ""
        if code in self.ids:
            self.fault(f"{path}.id", f"The id {code} is used twice. Give each row its own.")
        self.ids.add(code)
        return code

    def _known(self, doc: Mapping[str, Any], side: str, path: str, *, politics: bool) -> tuple[str, ...]:
        """Who is told on the day: by default the side concerned, of politics everyone. Rule: G.CA1."""
        everyone = tuple(sorted(self.known.sides.values()))
        given = doc.get("known", ALL if politics else None)
        if given is None:
            return (side,) if side else ()
        if given == ALL:
            return everyone
        if not isinstance(given, list) or any(name not in self.known.sides for name in given):
            self.fault(
                f"{path}.known",
                f"{given!r} is not “all” or a list of sides. Choose from {', '.join(self.known.sides)}.",
            )
            return ()
        return tuple(sorted(self.known.sides[name] for name in given))

    def meetings(self, rows: Sequence[PlannedRow]) -> None:
        """No two hostile fleets are put into one place on one day: neither by two rows, nor by a row of the first day and an opening."""
        put: list[tuple[str, str, str, str, str]] = [
            (code, side, place, self.known.start, self.known.start)
            for code, (side, place) in self.known.fleets.items()
        ]
        for row in rows:
            if row.deed not in _FLEETS and not row.do.get("boats"):
                continue
            code, place = _FLEETS.get(row.deed, ("", "port"))
            fleet = row.do[code] if code else row.do["boats"]["fleet"]
            if "port" not in row.do and place == "port":
                continue
            here = (str(fleet), row.side, str(row.do[place]), row.first, row.last)
            for other in put:
                if (
                    frozenset((here[1], other[1])) in self.known.at_war
                    and here[2] == other[2]
                    and _overlap(here, other)
                ):
                    self.fault(
                        f"{self.paths[row.id]}.do.{place}",
                        f"{fleet} would be at {here[2]} together with {other[0]}, a fleet of the enemy.",
                    )
            put.append(here)


def _overlap(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return one[3] <= other[4] and other[3] <= one[4]
