"""What a campaign is about: the objectives of its sides, and what they had on the first day. Rules: G.OB1, G.OB2.

Dates are ISO texts, marks whole numbers, values exact fractions in the rule set's own points. Codes name sides, fleets, places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any


class AimKind(StrEnum):
    """What an objective asks for. Rule: G.OB1."""

    BRING = "bring"
    LAND = "land"
    OWN = "own"
    CLOSE = "close"
    GATHER = "gather"
    SEA = "sea"
    DESTROY = "destroy"
    KEEP = "keep"
    RAID = "raid"
    DENY = "deny"


class Pay(StrEnum):
    """When an objective pays its marks. Rule: G.OB2."""

    ONCE = "once"
    DAILY = "daily"
    END = "end"
    SHARE = "share"


ALL, LINE = "all", "line"
# Words of an opening that are no names in Python.
_SPELT = {"from_": "from", "with_": "with"}
_ALWAYS = ("id", "side", "kind", "marks", "pay", "words")
_LISTS = ("to", "at", "ports", "places", "group")


@dataclass(frozen=True, slots=True)
class Row:
    """An objective of a side. Which of the fields in the middle count depends on its kind; see the table of G.OB1.

    side, with_: codes of sides. what: code of a convoy, or "line" with `number` ships. to, at, ports, port, places: codes of places.
    share, least_percent, left: parts in 100. group: ("all",), ("line",) or codes of fleets, as they were on the first day. days:
    mornings that it must hold; running: one after the other. from_, by: first and last day, "" for those of the campaign. every,
    most: mornings for a payment of `marks`, and marks in all, of a row paid daily (most 0: no limit).
    """

    id: str
    side: str
    kind: AimKind
    what: str = ""
    number: int = 0
    to: tuple[str, ...] = ()
    share: int = 0
    men: int = 0
    at: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()
    each: bool = False
    port: str = ""
    least_line: int = 0
    least_percent: int = 0
    with_: str = ""
    alone: bool = False
    least_marks: int = 0
    places: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    left: int = 0
    objective: str = ""
    days: int = 1
    running: bool = False
    from_: str = ""
    by: str = ""
    marks: int = 0
    pay: Pay = Pay.ONCE
    every: int = 1
    most: int = 0
    decisive: bool = False
    public: bool = True
    words: str = ""

    @property
    def where(self) -> tuple[str, ...]:
        """Every place that it names, each once."""
        return tuple(
            dict.fromkeys(
                [*self.to, *self.at, *self.ports, *self.places, *([self.port] if self.port else [])]
            )
        )

    @property
    def at_end(self) -> bool:
        """Whether it is asked once, on its last day or at the end of the campaign. Rule: G.OB1."""
        return self.pay in (Pay.END, Pay.SHARE)

    def doc(self) -> dict[str, Any]:
        """As a JSON document with the names of an opening; what has its default is left out."""
        found: dict[str, Any] = {}
        for name, value in asdict(self).items():
            if name in _ALWAYS or value != _DEFAULTS[name] or (name == "left" and self.group):
                found[_SPELT.get(name, name)] = list(value) if isinstance(value, tuple) else value
        group = found.get("group")
        if group in ([ALL], [LINE]):
            found["group"] = group[0]
        return found

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> Row:
        """Read back what `doc` wrote. Raises TypeError, KeyError or ValueError for what is no objective."""
        given = {_NAMES.get(name, name): value for name, value in doc.items()}
        for name in _LISTS:
            if name in given:
                value = given[name]
                given[name] = (value,) if isinstance(value, str) else tuple(value)
        return cls(**{**given, "kind": AimKind(given["kind"]), "pay": Pay(given.get("pay", Pay.ONCE))})


_NAMES = {spelt: name for name, spelt in _SPELT.items()}
_DEFAULTS: Mapping[str, Any] = {
    name: row.default for name, row in Row.__dataclass_fields__.items() if name not in ("id", "side", "kind")
}


@dataclass(frozen=True, slots=True)
class FirstDay:
    """A fighting ship on the first day: whose she was, in which fleet, whether of the line, her whole value. Rules: G.OB1, G.VP1."""

    side: str
    fleet: str
    line: bool
    value: Fraction


@dataclass(frozen=True, slots=True)
class Opening:
    """What the sides had when the campaign began, which never changes. mark: points of one mark. ships: fighting ships, by code.

    A campaign that never had an objective has none of it. Rules: G.OB1, G.OB2.
    """

    mark: int = 0
    ships: Mapping[str, FirstDay] = field(default_factory=dict)

    @property
    def values(self) -> dict[str, Fraction]:
        """Opening value of each side that had a fighting ship, in points."""
        sums: dict[str, Fraction] = {}
        for ship in self.ships.values():
            sums[ship.side] = sums.get(ship.side, Fraction(0)) + ship.value
        return sums

    def group(self, group: Iterable[str], sides: Iterable[str]) -> dict[str, FirstDay]:
        """Ships of a group of some sides as they were on the first day, by code: all, those of the line, or of fleets. Rule: G.OB1."""
        wanted, whose = frozenset(group), frozenset(sides)
        return {
            code: ship
            for code, ship in self.ships.items()
            if ship.side in whose
            and (ALL in wanted or (ship.line if LINE in wanted else ship.fleet in wanted))
        }

    def doc(self) -> dict[str, Any]:
        """As a JSON document, ships in the order of codes; {} for none."""
        if not self.ships and not self.mark:
            return {}
        rows = (
            [code, ship.side, ship.fleet, ship.line, str(ship.value)]
            for code, ship in sorted(self.ships.items())
        )
        return {"mark": self.mark, "ships": list(rows)}

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> Opening:
        """Read back what `doc` wrote."""
        ships = {
            code: FirstDay(side, fleet, line, Fraction(value))
            for code, side, fleet, line, value in doc.get("ships", ())
        }
        return cls(doc.get("mark", 0), ships)
