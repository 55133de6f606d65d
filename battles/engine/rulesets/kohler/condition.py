"""What the campaign keeps of a ship's state between battles. Rules: K.G6, K.G8."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from battles.engine.core.record import check_schema
from battles.engine.rulesets.kohler.state import Ship

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Condition:
    """Hits in the hull, hits among the men, and whether her flag officer can command.

    Fires, helm, swept gun decks and locks do not outlive a battle (K.G27). Rules: K.G6, K.B21.
    """

    hits_struct: int = 0
    hits_board: int = 0
    flag_officer_ok: bool = True

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        return {
            "schema": SCHEMA,
            "hits_struct": self.hits_struct,
            "hits_board": self.hits_board,
            "flag_officer_ok": self.flag_officer_ok,
        }

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Condition:
        """Read back what `to_dict` wrote. Raises SchemaError on another schema number."""
        check_schema(doc, SCHEMA, "a Kohler condition")
        return cls(doc["hits_struct"], doc["hits_board"], doc["flag_officer_ok"])


SOUND = Condition()


def of(ship: Ship) -> Condition:
    """The condition of a ship as she is now."""
    return Condition(ship.hits_struct, ship.hits_board, ship.flag_officer_ok)
