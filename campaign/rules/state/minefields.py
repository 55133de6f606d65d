"""Minefields as a turn stores them. Rules: G.MN1-G.MN4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Minefield:
    """A minefield. side: who laid it. place: where. sections: left of it. known: other sides that know of it. Rules: G.MN1, G.MN2."""

    code: str
    side: str
    place: str
    sections: int
    known: tuple[str, ...] = ()

    def known_to(self, side: str) -> bool:
        """Whether a side laid it or has found it."""
        return side == self.side or side in self.known


@dataclass(slots=True)
class Mines:
    """All mines of a campaign.

    fields: by code. aboard: sections in a ship, where they are not those that it began with. laid: how many fields there have been.
    fought: fields that a battle was told of, by its code. Rules: G.MN1, G.MN4.
    """

    fields: dict[str, Minefield] = field(default_factory=dict)
    aboard: dict[str, int] = field(default_factory=dict)
    laid: int = 0
    fought: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether anything has to be remembered."""
        return bool(self.laid or self.aboard)

    def copy(self) -> Mines:
        """Mines that can be changed without touching these."""
        return Mines(dict(self.fields), dict(self.aboard), self.laid, dict(self.fought))

    def at(self, place: str) -> list[Minefield]:
        """The fields at a place, in the order in which they were laid."""
        return [row for _, row in sorted(self.fields.items()) if row.place == place]

    def lay(self, side: str, place: str, sections: int, known: tuple[str, ...] = ()) -> Minefield:
        """Put a new field into the water."""
        self.laid += 1
        row = Minefield(f"m{self.laid:03d}", side, place, sections, known)
        self.fields[row.code] = row
        return row

    def leave(self, code: str, sections: int) -> None:
        """Leave so many sections of a field; one without any is gone."""
        if sections > 0:
            self.fields[code] = replace(self.fields[code], sections=sections)
        else:
            self.fields.pop(code, None)

    def find(self, code: str, side: str) -> None:
        """Let a side know of a field."""
        row = self.fields[code]
        if not row.known_to(side):
            self.fields[code] = replace(row, known=tuple(sorted({*row.known, side})))

    def doc(self) -> dict[str, Any]:
        """As a JSON document, rows in the order of codes."""
        return {
            "fields": [{**asdict(row), "known": list(row.known)} for _, row in sorted(self.fields.items())],
            "aboard": dict(sorted(self.aboard.items())),
            "laid": self.laid,
            "fought": {code: list(self.fought[code]) for code in sorted(self.fought)},
        }

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> Mines:
        """Read back what `doc` wrote; an empty document has no mines."""
        rows = [Minefield(**{**row, "known": tuple(row["known"])}) for row in doc.get("fields", ())]
        return cls(
            {row.code: row for row in rows},
            dict(doc.get("aboard", {})),
            doc.get("laid", 0),
            {code: tuple(fields) for code, fields in doc.get("fought", {}).items()},
        )
