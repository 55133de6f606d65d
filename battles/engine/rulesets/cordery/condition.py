"""What the campaign keeps of a ship between battles. Rules: C.K26, C.K35."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from battles.engine.core.record import check_schema
from battles.engine.rulesets.cordery.card import Card
from battles.engine.rulesets.cordery.tables import SYSTEMS

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Condition:
    """Flotation points left, turrets and batteries that stand, engines hit or flooded, and a turret half mended (C.K15)."""

    fp: int
    turret_fore: bool
    turret_aft: bool
    battery_port: bool
    battery_stbd: bool
    engines_hit: bool = False
    turret_half: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Condition:
        """Read back what `to_dict` wrote. Raises SchemaError on another schema number, KeyError or TypeError for other documents."""
        check_schema(doc, SCHEMA, "a Cordery condition")
        flags = {name: doc[name] for name in (*SYSTEMS, "engines_hit", "turret_half")}
        if not isinstance(doc["fp"], int) or not all(isinstance(flag, bool) for flag in flags.values()):
            raise TypeError("points are whole numbers, all else is true or false")
        return cls(fp=doc["fp"], **flags)

    @classmethod
    def sound(cls, card: Card) -> Condition:
        """That of an undamaged ship. Rule: C.K26."""
        return cls(card.fp, card.turret_fore, card.turret_aft, card.battery_port, card.battery_stbd)


def lost_systems(card: Card, condition: Condition) -> list[str]:
    """Turrets and batteries that are on the card and stand no longer, fore before aft, port before starboard. Rule: C.K15."""
    return [name for name in SYSTEMS if getattr(card, name) and not getattr(condition, name)]
