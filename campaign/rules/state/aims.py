"""How far the sides have come with their objectives: what goes on from turn to turn. Rules: G.OB1, G.OB2, G.OB4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

NEVER = -1


@dataclass(frozen=True, slots=True)
class Tally:
    """An objective's mornings. held: those that count towards its days; mornings: all on which it held. now: it held at the last one.

    achieved: hour of the chart, -1 while it is not. paid: marks. asked: a row that is asked once has been asked. ships: of the line
    that have come to where it brings them.
    """

    held: int = 0
    mornings: int = 0
    now: bool = False
    achieved: int = NEVER
    paid: int = 0
    asked: bool = False
    ships: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Watch:
    """A port that a side closes. hours: looks one after the other at which it lay off since the last 06:00.

    broken: an enemy went in or out since then; noticed: and the side saw that.
    """

    hours: int = 0
    broken: bool = False
    noticed: bool = False


@dataclass(slots=True)
class Aims:
    """tallies: what was so, by row. known: what a side knows of it, by (row, side). watches: of rows that close a port, by row."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    known: dict[tuple[str, str], Tally] = field(default_factory=dict)
    watches: dict[str, Watch] = field(default_factory=dict)

    def copy(self) -> Aims:
        """Aims that can be changed without touching these."""
        return Aims(dict(self.tallies), dict(self.known), dict(self.watches))

    def without(self, row: str) -> Aims:
        """Aims in which nothing is known of a row."""
        return Aims(
            {code: tally for code, tally in self.tallies.items() if code != row},
            {key: tally for key, tally in self.known.items() if key[0] != row},
            {code: watch for code, watch in self.watches.items() if code != row},
        )

    def doc(self) -> dict[str, Any]:
        """As a JSON document, rows in the order of ids; {} for none."""
        rows = {
            "tallies": {row: _doc(self.tallies[row]) for row in sorted(self.tallies)},
            "known": [[*key, _doc(self.known[key])] for key in sorted(self.known)],
            "watches": {row: asdict(self.watches[row]) for row in sorted(self.watches)},
        }
        return {name: value for name, value in rows.items() if value}

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> Aims:
        """Read back what `doc` wrote; an empty document says that nothing has been achieved."""
        return cls(
            {row: _tally(tally) for row, tally in doc.get("tallies", {}).items()},
            {(row, side): _tally(tally) for row, side, tally in doc.get("known", ())},
            {row: Watch(**watch) for row, watch in doc.get("watches", {}).items()},
        )


def _doc(tally: Tally) -> dict[str, Any]:
    return {**asdict(tally), "ships": list(tally.ships)}


def _tally(doc: Mapping[str, Any]) -> Tally:
    return Tally(**{**doc, "ships": tuple(doc["ships"])})
