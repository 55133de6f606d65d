"""The battle as it stands, and how it is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from battles.engine.core.parties import SideState, SquadronState
from battles.engine.core.record import check_schema, owners_from, owners_to

SCHEMA = 1


@dataclass(slots=True)
class Boat:
    """A boat. whole, left: points. q, r: her hex; heading: hexside that she faces."""

    id: str
    name: str
    side: str
    whole: int
    left: int
    complement: int
    q: int
    r: int
    heading: int
    arrives: int = 0
    sunk: bool = False
    prize_of: str = ""
    captor: str = ""
    given: int = 0
    taken: int = 0

    @property
    def flag(self) -> str:
        """The side she belongs to now."""
        return self.prize_of or self.side

    @property
    def expected(self) -> bool:
        """Whether she has yet to come."""
        return self.arrives > 0

    @property
    def afloat(self) -> bool:
        """Whether she floats, in the battle."""
        return not self.sunk and not self.expected

    @property
    def fights(self) -> bool:
        """Whether she moves and fires."""
        return self.afloat and not self.prize_of

    @property
    def steps(self) -> int:
        """Begun quarters of her points that are lost."""
        return -(-4 * (self.whole - self.left) // self.whole)


@dataclass(slots=True)
class Battle:
    """The whole battle between turns. towards, strength: the chart's wind."""

    turn: int
    last_turn: int
    towards: int
    strength: str
    sides: dict[str, SideState]
    squadrons: dict[str, SquadronState]
    ships: dict[str, Boat]
    ended: str = ""

    def enemies(self, boat: Boat) -> Iterator[tuple[int, Boat]]:
        """Enemies that fight, each with her distance in hexes."""
        for other in self.ships.values():
            if other.fights and other.side != boat.side:
                yield abs(other.q - boat.q), other

    def nearest(self, boat: Boat) -> tuple[int, Boat] | None:
        """The nearest enemy that fights; of equals the one that lies most nearly opposite."""
        return min(
            self.enemies(boat), key=lambda row: (row[0], abs(row[1].r - boat.r), row[1].id), default=None
        )


def to_dict(battle: Battle) -> dict[str, Any]:
    """As a JSON document."""
    return {
        "schema": SCHEMA, "turn": battle.turn, "last_turn": battle.last_turn, "towards": battle.towards,
        "strength": battle.strength, "ended": battle.ended, "sides": owners_to(battle.sides),
        "squadrons": owners_to(battle.squadrons), "ships": [asdict(boat) for boat in battle.ships.values()],
    }  # fmt: skip


def from_dict(doc: Mapping[str, Any]) -> Battle:
    """Read back what `to_dict` wrote. Raises SchemaError."""
    check_schema(doc, SCHEMA, "a battle in two rows")
    plain = {name: doc[name] for name in ("turn", "last_turn", "towards", "strength", "ended")}
    return Battle(
        **plain,
        sides=owners_from(SideState, doc["sides"]),
        squadrons=owners_from(SquadronState, doc["squadrons"]),
        ships={row["id"]: Boat(**row) for row in doc["ships"]},
    )
