"""The outcome document: what a battle did to every ship, whichever way it was fought. Rules: G.BT2, G.BT3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from battles.engine.core.errors import SchemaError
from battles.engine.core.fates import Fate, Flag

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class OfficerFate:
    """A named officer's luck: `fate` is unhurt, wounded, killed or captured."""

    name: str
    ship: str
    fate: str
    clause: str


@dataclass(frozen=True, slots=True)
class ShipOutcome:
    """One ship at the battle's end.

    condition: her condition in the rule set's own terms, with its schema number. captor: side that holds her, "" unless
    captured; captor_ship: the ship that took her. prize_crew, prisoners: men. hits_given, hits_taken: for her record.
    position: the set's own coordinates at the end, or None. tried: her captives have risen once and failed (G.PR2). men: heads
    of her own people left, where the set itself counts those who came aboard or were sent away; None where they are reckoned
    from her condition (G.CR1).
    """

    ship: str
    side: str
    fate: Fate
    condition: Mapping[str, Any]
    flags: frozenset[Flag] = frozenset()
    captor: str = ""
    captor_ship: str = ""
    prize_crew: int = 0
    prisoners: int = 0
    hits_given: int = 0
    hits_taken: int = 0
    position: tuple[int, int] | None = None
    cause: str = ""
    tried: bool = False
    men: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """As a row of the outcome document; what only some sets tell stands there only where it is told."""
        row: dict[str, Any] = {
            "ship": self.ship, "side": self.side, "fate": self.fate.value, "flags": sorted(f.value for f in self.flags),
            "captor": self.captor, "captor_ship": self.captor_ship, "prize_crew": self.prize_crew,
            "prisoners": self.prisoners, "hits_given": self.hits_given, "hits_taken": self.hits_taken,
            "position": list(self.position) if self.position is not None else None, "cause": self.cause,
            "condition": dict(self.condition),
        }  # fmt: skip
        if self.tried:
            row["tried"] = True
        if self.men is not None:
            row["men"] = self.men
        return row


@dataclass(frozen=True, slots=True)
class MinesLeft:
    """A minefield at the end of a battle.

    side: whose it is. sections: still in the water. known: other sides that know of it. carrier: the ship that was to lay it in the
    battle, "" for a field that was there before; unlaid: sections that she has aboard still. Rule: G.MN4.
    """

    side: str
    sections: int
    known: tuple[str, ...] = ()
    carrier: str = ""
    unlaid: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """A battle's result.

    turns: battle turns played. minutes: time spent on the chart's clock. ended: why it ended (gale, beaten, parted, nightfall,
    limit). held_field: the side that holds the field or "". wind: {"towards": degrees, "strength": chart strength} at the end.
    mines: what is left of minefields, those that were there first in the order in which the battle was told of them.
    Rules: G.BT2, G.BT3, G.CO6.
    """

    rule_set: str
    turns: int
    minutes: int
    ended: str
    ships: tuple[ShipOutcome, ...]
    officers: tuple[OfficerFate, ...] = ()
    held_field: str = ""
    wind: Mapping[str, Any] = field(default_factory=dict)
    mines: tuple[MinesLeft, ...] = ()

    def ship(self, code: str) -> ShipOutcome:
        """The entry of one ship. Raises KeyError when she was not there."""
        for entry in self.ships:
            if entry.ship == code:
                return entry
        raise KeyError(code)

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number; mines stand in it where there were any."""
        mines = {"mines": [{**asdict(row), "known": list(row.known)} for row in self.mines]}
        return {
            **(mines if self.mines else {}),
            "schema": SCHEMA,
            "rule_set": self.rule_set,
            "turns": self.turns,
            "minutes": self.minutes,
            "ended": self.ended,
            "held_field": self.held_field,
            "wind": dict(self.wind),
            "ships": [s.to_dict() for s in self.ships],
            "officers": [
                {"name": o.name, "ship": o.ship, "fate": o.fate, "clause": o.clause} for o in self.officers
            ],
        }  # fmt: skip

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any]) -> Outcome:
        """Read back what `to_dict` wrote. Raises SchemaError on another schema number."""
        if doc.get("schema") != SCHEMA:
            raise SchemaError(f"an outcome of schema {doc.get('schema')!r}; this version reads {SCHEMA}")
        return cls(
            rule_set=doc["rule_set"],
            turns=doc["turns"],
            minutes=doc["minutes"],
            ended=doc["ended"],
            held_field=doc["held_field"],
            wind=doc["wind"],
            ships=tuple(_ship_outcome(row) for row in doc["ships"]),
            officers=tuple(OfficerFate(**row) for row in doc["officers"]),
            mines=tuple(MinesLeft(**{**row, "known": tuple(row["known"])}) for row in doc.get("mines", ())),
        )


def _ship_outcome(row: Mapping[str, Any]) -> ShipOutcome:
    position = row["position"]
    return ShipOutcome(
        **{
            **row,
            "fate": Fate(row["fate"]),
            "flags": frozenset(Flag(f) for f in row["flags"]),
            "position": (position[0], position[1]) if position is not None else None,
        }
    )
