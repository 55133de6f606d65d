"""What a hull carries from battle to battle. Rules: P.K05, P.K17, P.K31, P.E08-P.E10."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any

from battles.engine.core.record import check_schema

SCHEMA = 1
# Share of the hull lost by rung of the ladder: damage 0, 1, 2; crippled with damage 0, 1, 2; gone. Rule: P.K17.
FRACTIONS = (
    Fraction(0), Fraction(3, 20), Fraction(3, 10), Fraction(3, 5), Fraction(7, 10), Fraction(4, 5), Fraction(1),
)  # fmt: skip
RUNG = 3
GONE = 6


@dataclass(frozen=True, slots=True)
class Condition:
    """damage: 0-2. gone: nothing of it is left. character, officer, partner: of the commander whose flag it bore (P.K31)."""

    damage: int = 0
    crippled: bool = False
    gone: bool = False
    character: int = 0
    officer: str = ""
    partner: str = ""

    @property
    def rung(self) -> int:
        """How far down the ladder: 0 sound to 6 gone. Rule: P.E10."""
        return GONE if self.gone else self.damage + RUNG * self.crippled

    @property
    def lost(self) -> Fraction:
        """Share of the hull lost. Rule: P.K17."""
        return FRACTIONS[self.rung]

    def at(self, rung: int) -> Condition:
        """The same ship at another rung of the ladder, at most gone."""
        rung = min(rung, GONE)
        if rung == GONE:
            return replace(self, damage=0, crippled=False, gone=True)
        return replace(self, damage=rung % RUNG, crippled=rung >= RUNG, gone=False)

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Condition:
        """Read back what `to_dict` wrote. Raises SchemaError on another schema number, ValueError for figures that cannot be."""
        check_schema(doc, SCHEMA, "a Barker condition")
        made = cls(**{name: value for name, value in doc.items() if name != "schema"})
        if made.damage not in range(RUNG):
            raise ValueError(f"damage is {made.damage!r}; it may be 0 to {RUNG - 1}")
        if made.character not in range(7):
            raise ValueError(f"character is {made.character!r}; it may be 0 to 6")
        return made
