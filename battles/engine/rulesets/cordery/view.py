"""What one side sees of a battle: the only thing its captain, or its player's page, is given. Rule: C.P12.

All of it is open but who is expected, flag officers and battle instructions of the enemy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from battles.engine.core.parties import SquadronState
from battles.engine.core.squares import Square
from battles.engine.rulesets.cordery import safety
from battles.engine.rulesets.cordery.steering import Pose

if TYPE_CHECKING:
    from battles.engine.core.scenario import Doctrine
    from battles.engine.rulesets.cordery.state import Battle

SCHEMA = 1


class Seen(Protocol):
    """A ship on the board as every captain sees her: to read, not to write."""

    @property
    def id(self) -> str: ...
    @property
    def side(self) -> str: ...
    @property
    def squadron(self) -> str: ...
    @property
    def pos(self) -> Square: ...
    @property
    def h(self) -> int: ...
    @property
    def fp(self) -> int: ...
    @property
    def fp_max(self) -> int: ...
    @property
    def critical(self) -> int: ...
    @property
    def main_dice(self) -> tuple[int, ...]: ...
    @property
    def secondary_dice(self) -> tuple[int, ...]: ...
    @property
    def guns_per_turret(self) -> int: ...
    @property
    def guns_per_battery(self) -> int: ...
    @property
    def fitted(self) -> tuple[str, ...]: ...
    @property
    def tubes(self) -> tuple[str, ...]: ...
    @property
    def torpedoes(self) -> int: ...
    @property
    def ram(self) -> bool: ...
    @property
    def pace(self) -> int: ...
    @property
    def allowance(self) -> int: ...
    @property
    def last_action(self) -> str: ...
    @property
    def last_spent(self) -> int: ...
    @property
    def lock_bridge(self) -> int: ...
    @property
    def lock_rudder(self) -> int: ...
    @property
    def locked(self) -> bool: ...
    @property
    def no_fire(self) -> int: ...
    @property
    def burning(self) -> bool: ...
    @property
    def anchored(self) -> int: ...
    @property
    def aground(self) -> bool: ...
    @property
    def prize(self) -> bool: ...
    @property
    def breaking_off(self) -> bool: ...


class View:
    """A battle as one side sees it; reads through to the present."""

    def __init__(self, battle: Battle, side: str) -> None:
        self._battle = battle
        self.side = side

    @property
    def turn(self) -> int:
        """The battle turn that is played."""
        return self._battle.turn

    @property
    def moves_first(self) -> bool:
        """Whether the side moves before the enemy this turn."""
        return self._battle.first == self.side

    @property
    def quiet(self) -> int:
        """Turns running in which no shot was fired and no ship rammed."""
        return self._battle.quiet

    @property
    def options(self) -> Mapping[str, Any]:
        """Switches of the set."""
        return self._battle.options

    @property
    def doctrine(self) -> Doctrine:
        """The side's own battle instructions."""
        return self._battle.sides[self.side].doctrine

    def own(self) -> list[Seen]:
        """His ships on the board, in list order."""
        return list(self._battle.in_play(self.side))

    def foes(self) -> list[Seen]:
        """The enemy's ships on the board, in list order."""
        return list(self._battle.enemies(self.side))

    def squadrons(self) -> list[SquadronState]:
        """His squadrons, in list order."""
        return [row for row in self._battle.squadrons.values() if row.side == self.side]

    def squadron_of(self, ship: Seen) -> tuple[str, ...]:
        """Ids of the ships of a ship's squadron, van first: who leads is to be seen."""
        return self._battle.squadrons[ship.squadron].ships

    def doctrine_of(self, squadron: str) -> Doctrine:
        """The battle instructions of one of his squadrons. Raises KeyError for an enemy's."""
        row = self._battle.squadrons[squadron]
        if row.side != self.side:
            raise KeyError(squadron)
        return row.doctrine

    def able(self, ship: Seen) -> frozenset[str]:
        """Turrets and batteries with which a ship fires, from what stands now."""
        return frozenset() if ship.prize or ship.no_fire else self._battle.ships[ship.id].standing

    def stands_with(self, ship: Seen) -> frozenset[str]:
        """Turrets and batteries that stand, whether or not she may fire now."""
        return frozenset() if ship.prize else self._battle.ships[ship.id].standing

    def sees(self, a: Square, b: Square) -> bool:
        """Whether nothing stands on the line between two areas. Rule: C.G9."""
        return self._battle.sees(a, b)

    def on_board(self, at: Square) -> bool:
        """Whether an area is on the board."""
        return self._battle.on_board(at)

    def closed(self, ship: Seen) -> frozenset[Square]:
        """Areas that a ship cannot enter. Rule: C.M10."""
        return self._battle.closed(self._battle.ships[ship.id])

    def to_safety(self, ship: Seen, taken: Iterable[Square]) -> list[str]:
        """The moves of a ship of his that steers for safety, best first. taken: areas that are occupied. Rule: C.D3."""
        return safety.moves(self._battle, self._battle.ships[ship.id], taken)

    def losses(self) -> tuple[int, int, int, int, int]:
        """What the admiral weighs: points lost, points cost to the enemy, points he began with (of ships lost whole), ships out, ships.

        Points lost count ships that are lost whole. Rule: C.Q8.
        """
        ships = [ship for ship in self._battle.ships.values() if ship.side == self.side and not ship.expected]
        foes = [ship for ship in self._battle.ships.values() if ship.side != self.side]
        lost = sum(ship.fp_before if ship.status.lost else ship.fp_before - ship.fp for ship in ships)
        cost = sum(ship.fp_before - ship.fp for ship in foes)
        out = sum(ship.breaking_off or not ship.afloat for ship in ships)
        return lost, cost, sum(ship.fp_before for ship in ships), out, len(ships)

    def pose(self, ship: Seen) -> Pose:
        """Where a ship lies and heads."""
        return Pose(ship.pos, ship.h)


def seen_by(battle: Battle, side: str) -> dict[str, Any]:
    """What one side may know, as a JSON document. Rule: C.P12."""
    ships = []
    for ship in battle.ships.values():
        if ship.expected and ship.side != side:
            continue
        row: dict[str, Any] = {
            "id": ship.id, "name": ship.name, "side": ship.side, "squadron": ship.squadron,
            "at": None if ship.expected else [ship.x, ship.y], "heading": ship.h, "status": ship.status.value,
            "fp": ship.fp, "fp_max": ship.fp_max, "standing": sorted(ship.standing), "torpedoes": ship.torpedoes,
            "allowance": ship.allowance, "burning": ship.burning, "silent": ship.no_fire,
            "locked": max(ship.lock_bridge, ship.lock_rudder), "breaking_off": ship.breaking_off, "aground": ship.aground,
        }  # fmt: skip
        if ship.side == side:
            row["captain"] = ship.captain
        ships.append(row)
    squadrons = [
        {
            "id": row.id,
            "name": row.name,
            "flagship": row.flagship,
            "officer": row.officer,
            "arrives": row.arrives,
        }
        for row in battle.squadrons.values()
        if row.side == side
    ]
    return {
        "schema": SCHEMA, "turn": battle.turn, "ended": battle.ended, "safe_edge": battle.safe[side], "ships": ships,
        "squadrons": squadrons,
    }  # fmt: skip
