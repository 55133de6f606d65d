"""Reading objectives, of an opening or from an umpire, with all their faults. Rules: G.OB1, G.OB2."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from battles.engine.core.errors import Fault
from campaign.rules.chart.objectives import ALL, LINE, AimKind, Opening, Pay, Row
from campaign.rules.chart.types import Place, PlaceKind

__all__ = ["AimKind", "Known", "ObjectiveFaults", "Opening", "Pay", "Row", "read_rows", "taking_part"]

MOST_MARKS, MOST_MEN, MOST_DAYS, MOST_SHIPS = 1_000, 1_000_000, 400, 200
LONGEST_ID, LONGEST_WORDS = 20, 300
_BEACHES = (PlaceKind.PORT, PlaceKind.ANCHORAGE, PlaceKind.SHOAL_COAST)
_ANY = tuple(PlaceKind)
# What each kind needs, and what it may have beside that.
_NEEDS: Mapping[AimKind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    AimKind.BRING: (("what", "to"), ("number", "share")),
    AimKind.LAND: (("men", "at"), ()),
    AimKind.OWN: (("ports",), ("each",)),
    AimKind.CLOSE: (("port",), ()),
    AimKind.GATHER: (("at",), ("least_line", "least_percent", "with", "alone")),
    AimKind.SEA: (("least_marks", "places"), ()),
    AimKind.DESTROY: (("group", "left"), ()),
    AimKind.KEEP: (("group", "left"), ()),
    AimKind.RAID: (("ports",), ()),
    AimKind.DENY: (("objective",), ()),
}
_OF_ALL = (
    "id", "side", "kind", "days", "running", "from", "by", "marks", "pay", "every", "most", "decisive",
    "public", "words",
)  # fmt: skip
# Least and most of each number; of "left", a keep of nothing would always hold.
_NUMBERS = {
    "number": (1, MOST_SHIPS), "share": (1, 100), "men": (1, MOST_MEN), "least_line": (1, MOST_SHIPS),
    "least_percent": (1, 100), "least_marks": (1, MOST_MARKS), "left": (0, 100), "days": (1, MOST_DAYS),
    "marks": (0, MOST_MARKS), "every": (1, MOST_DAYS), "most": (1, MOST_MARKS),
}  # fmt: skip
_PLACES = {
    AimKind.BRING: ("to", _ANY), AimKind.LAND: ("at", _BEACHES), AimKind.OWN: ("ports", (PlaceKind.PORT,)),
    AimKind.GATHER: ("at", _ANY), AimKind.SEA: ("places", _ANY), AimKind.RAID: ("ports", (PlaceKind.PORT,)),
}  # fmt: skip
_SPOKEN = {
    PlaceKind.PORT: "a port", PlaceKind.ANCHORAGE: "an anchorage", PlaceKind.SHOAL_COAST: "a shoal coast",
}  # fmt: skip


class ObjectiveFaults(ValueError):
    """Objectives that cannot be used, with all their faults."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, self.faults)))


@dataclass(frozen=True, slots=True)
class Known:
    """What objectives may name. sides: codes by name. allied, at_war: pairs of codes. fleets: their sides' codes, by code, as they
    were on the first day. convoys: (side, destination), by code. start, last_day: ISO dates, "" for a campaign without a last day.
    """

    places: Mapping[str, Place]
    sides: Mapping[str, str]
    at_war: Collection[frozenset[str]] = ()
    allied: Collection[frozenset[str]] = ()
    fleets: Mapping[str, str] = field(default_factory=dict)
    convoys: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    start: str = ""
    last_day: str = ""


def taking_part(rows: Sequence[Mapping[str, Any]], sides: Collection[str]) -> list[Mapping[str, Any]]:
    """Rows of an opening whose sides all take part, by name: their own, an ally that they ask for, the one whose objective they deny."""
    kept = [row for row in rows if row.get("side") in sides and row.get("with", row.get("side")) in sides]
    ids = {row.get("id") for row in kept}
    left_out = {row.get("id") for row in rows} - ids
    return [row for row in kept if row.get("objective") not in left_out]


def read_rows(rows: object, known: Known, path: str = "objectives") -> tuple[Row, ...]:
    """Objectives of a document, sides by name or code. Raises ObjectiveFaults with every fault and its path. Rules: G.OB1, G.OB2."""
    if not isinstance(rows, list):
        raise ObjectiveFaults([Fault(path, "Write objectives as a list of rows.")])
    reader = _Reader(known)
    read = [reader.row(row, f"{path}[{n}]") for n, row in enumerate(rows)]
    found = [row for row in read if row is not None]
    seen: set[str] = set()
    for n, row in enumerate(rows):
        code = row.get("id") if isinstance(row, dict) else None
        if code in seen:
            reader.fault(f"{path}[{n}].id", f"The id {code} is used twice. Give each objective its own.")
        seen.add(str(code))
    reader.denials(
        found, {str(row.get("id")): n for n, row in enumerate(rows) if isinstance(row, dict)}, path
    )
    if reader.faults:
        raise ObjectiveFaults(reader.faults)
    return tuple(found)


class _Reader:
    """Collects faults while rows are read."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.codes = {**known.sides, **{code: code for code in known.sides.values()}}
        self.faults: list[Fault] = []

    def fault(self, path: str, text: str) -> None:
        self.faults.append(Fault(path, text))

    def row(self, doc: object, path: str) -> Row | None:
        """One row; None when something is wrong in it."""
        if not isinstance(doc, dict):
            self.fault(path, "Write each objective as a table of fields.")
            return None
        before = len(self.faults)
        kind, side = self._kind(doc, path), self._side(doc, "side", path)
        self._names(doc, path)
        pay = doc.get("pay", Pay.ONCE.value)
        if pay not in [row.value for row in Pay]:
            self.fault(f"{path}.pay", f"{pay!r} is not a way to pay. Use once, daily, end or share.")
        for name, (least, most) in _NUMBERS.items():
            value = doc.get(name, least)
            if type(value) is not int or not least <= value <= most:
                self.fault(f"{path}.{name}", f"{value!r} is not a whole number from {least:,} to {most:,}.")
        for name in ("running", "decisive", "public", "each", "alone"):
            if not isinstance(doc.get(name, False), bool):
                self.fault(f"{path}.{name}", f"{doc[name]!r} is neither true nor false.")
        self._dates(doc, path)
        if kind is not None:
            self._fields(doc, kind, path)
        if len(self.faults) > before or kind is None:
            return None
        self._of_kind(doc, kind, side, path)
        self._payment(doc, kind, path)
        if len(self.faults) > before:
            return None
        ally = {"with": self.codes[doc["with"]]} if doc.get("with") else {}
        return Row.read({**doc, "side": side, **ally})

    def denials(self, rows: Sequence[Row], where: Mapping[str, int], path: str) -> None:
        """A denial names an objective of an enemy, which is none itself."""
        by_id = {row.id: row for row in rows}
        for row in rows:
            if row.kind is not AimKind.DENY:
                continue
            other, here = by_id.get(row.objective), f"{path}[{where[row.id]}].objective"
            if other is None:
                if row.objective not in where:
                    self.fault(
                        here, f"There is no objective {row.objective}. Use the id of another objective."
                    )
            elif frozenset((row.side, other.side)) not in self.known.at_war:
                self.fault(here, f"{row.objective} is not an objective of an enemy, so it cannot be denied.")
            elif other.kind is AimKind.DENY or other.at_end:
                self.fault(
                    here,
                    f"{row.objective} is itself decided only at the end. Deny one that is achieved sooner.",
                )

    def _kind(self, doc: Mapping[str, Any], path: str) -> AimKind | None:
        value = doc.get("kind")
        if value in [kind.value for kind in AimKind]:
            return AimKind(value)
        self.fault(
            f"{path}.kind",
            f"{value!r} is not a kind of objective. Use {', '.join(k.value for k in AimKind)}.",
        )
        return None

    def _side(self, doc: Mapping[str, Any], name: str, path: str) -> str:
        value = doc.get(name)
        if isinstance(value, str) and value in self.codes:
            return self.codes[value]
        self.fault(
            f"{path}.{name}", f"{value!r} is not a side of this campaign. Use {', '.join(self.known.sides)}."
        )
        return ""

    def _names(self, doc: Mapping[str, Any], path: str) -> None:
        code, words = doc.get("id"), doc.get("words")
        fits = isinstance(code, str) and 0 < len(code) <= LONGEST_ID
        if not fits or not str(code).replace("_", "a").replace("-", "a").isalnum():
            self.fault(
                f"{path}.id", f"{code!r} is not a valid id. Use up to {LONGEST_ID} letters, digits, - and _."
            )
        if not isinstance(words, str) or not words.strip() or len(words) > LONGEST_WORDS:
            self.fault(f"{path}.words", f"Describe the objective in up to {LONGEST_WORDS} characters.")

    def _dates(self, doc: Mapping[str, Any], path: str) -> None:
        first, last = self._date(doc, "from", path), self._date(doc, "by", path)
        start, end = self.known.start, self.known.last_day
        first, last = first or start, last or end
        if start and last and last < start:
            self.fault(f"{path}.by", f"{last} is before the campaign begins, on {start}. Choose a later day.")
        elif end and first and first > end:
            self.fault(f"{path}.from", f"{first} is after the last day, {end}. Choose an earlier day.")
        elif first and last and first > last:
            self.fault(f"{path}.by", f"{last} is before {first}, its first day. Choose a later day.")
        elif first and last and type(days := doc.get("days", 1)) is int:
            mornings = (date.fromisoformat(last) - date.fromisoformat(first)).days + 1
            if days > mornings:
                self.fault(
                    f"{path}.days",
                    f"From {first} to {last} there are {mornings} mornings, fewer than {days}.",
                )

    def _date(self, doc: Mapping[str, Any], name: str, path: str) -> str:
        value = doc.get(name, "")
        if not value:
            return ""
        try:
            return date.fromisoformat(value).isoformat()
        except (TypeError, ValueError):
            self.fault(f"{path}.{name}", f"{value!r} is not a date. Write it as YYYY-MM-DD.")
            return ""

    def _fields(self, doc: Mapping[str, Any], kind: AimKind, path: str) -> None:
        """Fields that are missing, that do not belong to the kind, and places that are not on the chart."""
        needed, optional = _NEEDS[kind]
        for name in needed:
            if doc.get(name) in (None, "", []):
                self.fault(f"{path}.{name}", f"An objective of the kind {kind.value} needs {name!r}.")
        for name in doc:
            if name not in (*_OF_ALL, *needed, *optional):
                self.fault(f"{path}.{name}", f"{name!r} is not a field of the kind {kind.value}. Remove it.")
        if kind in _PLACES:
            name, kinds = _PLACES[kind]
            self._places(doc.get(name), kinds, f"{path}.{name}")
        if kind is AimKind.CLOSE:
            self._places([doc.get("port")], (PlaceKind.PORT,), f"{path}.port")

    def _places(self, codes: object, kinds: Collection[PlaceKind], path: str) -> None:
        if not codes or codes == [None]:
            return
        if not isinstance(codes, list):
            self.fault(path, "Write places as a list of codes.")
            return
        for code in codes:
            place = self.known.places.get(code) if isinstance(code, str) else None
            if place is None:
                self.fault(path, f"There is no place {code!r} on the chart.")
            elif place.kind not in kinds:
                right = " or ".join(_SPOKEN[kind] for kind in kinds if kind in _SPOKEN)
                self.fault(path, f"{place.name} is not {right}.")

    def _of_kind(self, doc: Mapping[str, Any], kind: AimKind, side: str, path: str) -> None:
        """What can never hold, because what a row names is not there or not whose it should be."""
        if kind is AimKind.BRING:
            self._bring(doc, side, path)
        elif kind is AimKind.GATHER:
            if ("least_line" in doc) == ("least_percent" in doc):
                self.fault(path, "Give either 'least_line' or 'least_percent'.")
            if doc.get("with"):
                ally = self._side(doc, "with", path)
                if ally and frozenset((side, ally)) not in self.known.allied:
                    self.fault(f"{path}.with", f"{doc['with']} is not an ally of {doc['side']}.")
        elif kind in (AimKind.DESTROY, AimKind.KEEP):
            self._group(doc["group"], kind, side, path)
            if kind is AimKind.KEEP and doc["left"] == 0:
                self.fault(f"{path}.left", "Keeping 0% always holds. Use 1 to 100.")

    def _bring(self, doc: Mapping[str, Any], side: str, path: str) -> None:
        what = doc["what"]
        if what == LINE:
            if "number" not in doc or "share" in doc:
                self.fault(f"{path}.number", "For ships of the line, give 'number' and no 'share'.")
            return
        convoy = self.known.convoys.get(what) if isinstance(what, str) else None
        if convoy is None:
            self.fault(f"{path}.what", f"There is no convoy {what!r}. Use its code, or 'line'.")
            return
        if "share" not in doc or "number" in doc:
            self.fault(f"{path}.share", "For a convoy, give 'share' and no 'number'.")
        whose, destination = convoy
        if whose != side:
            self.fault(f"{path}.what", f"The convoy {what} does not belong to {doc['side']}.")
        if destination not in doc["to"]:
            self.fault(
                f"{path}.to", f"The convoy {what} is bound for {destination}, which is not in the list."
            )

    def _group(self, group: object, kind: AimKind, side: str, path: str) -> None:
        if group in (ALL, LINE):
            return
        if not isinstance(group, list):
            self.fault(f"{path}.group", "Write the group as 'all', 'line' or a list of codes of fleets.")
            return
        for code in group:
            owner = self.known.fleets.get(code) if isinstance(code, str) else None
            if owner is None:
                self.fault(f"{path}.group", f"There was no fleet {code!r} on the first day.")
            elif kind is AimKind.KEEP and owner != side:
                self.fault(
                    f"{path}.group", f"The fleet {code} does not belong to {_side_name(self.known, side)}."
                )
            elif kind is AimKind.DESTROY and frozenset((side, owner)) not in self.known.at_war:
                self.fault(f"{path}.group", f"The fleet {code} does not belong to an enemy.")

    def _payment(self, doc: Mapping[str, Any], kind: AimKind, path: str) -> None:
        pay = Pay(doc.get("pay", Pay.ONCE))
        if kind in (AimKind.OWN, AimKind.DENY) and pay is not Pay.END:
            self.fault(f"{path}.pay", f"An objective of the kind {kind.value} is paid at the end. Use end.")
        if pay is Pay.SHARE and not (kind is AimKind.BRING and doc.get("what") != LINE):
            self.fault(f"{path}.pay", "Only a convoy can be paid by its share.")
        if pay in (Pay.END, Pay.SHARE):
            if doc.get("days", 1) != 1 or doc.get("running"):
                self.fault(
                    f"{path}.days",
                    "An objective paid at the end is checked once. Leave out days and running.",
                )
            if doc.get("decisive"):
                self.fault(
                    f"{path}.decisive",
                    "An objective that is checked only at the end cannot end the campaign.",
                )
        if pay is not Pay.DAILY and ("every" in doc or "most" in doc):
            self.fault(f"{path}.pay", "Only an objective that is paid daily can have 'every' and 'most'.")
        if doc.get("most", MOST_MARKS) < doc.get("marks", 0) and pay is Pay.DAILY:
            self.fault(f"{path}.most", "The maximum is less than one payment. Raise it.")


def _side_name(known: Known, code: str) -> str:
    """The name of a side by its code."""
    return next((name for name, side in known.sides.items() if side == code), code)
