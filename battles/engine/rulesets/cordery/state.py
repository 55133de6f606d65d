"""Cordery's battle as it stands: ships on squares, their systems, locks and fires. Mutable inside a turn, let out through `to_dict` only.

Positions are areas, headings 0..7 clockwise from north (C.P2, C.P3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from battles.engine.core import squares
from battles.engine.core.parties import SideState, SquadronState
from battles.engine.core.squares import Square
from battles.engine.rulesets.cordery.tables import CRIPPLED, Dice


class Status(StrEnum):
    """Where a ship stands in the battle. LEFT: gone over an edge. EXPECTED: not yet on the board. Rule: C.K1."""

    IN_PLAY = "in_play"
    LEFT = "left_board"
    BROKE_OFF = "broke_off"
    SUNK_GUNFIRE = "sunk_gunfire"
    SUNK_TORPEDO = "sunk_torpedo"
    SUNK_RAMMING = "sunk_ramming"
    EXPLODED = "exploded"
    EXPECTED = "expected"

    @property
    def lost(self) -> bool:
        """Sunk or exploded."""
        return self in _LOST


_LOST = frozenset({Status.SUNK_GUNFIRE, Status.SUNK_TORPEDO, Status.SUNK_RAMMING, Status.EXPLODED})


@dataclass(slots=True, eq=False)
class Ship:
    """One ship: her card, her condition and her place.

    turret_fore ... battery_stbd: whether she stands with it; fitted: those of them on her card. fp_before: points with which she came
    into this battle; came_critical: whether at or below her critical point. anchored: movement phases she still lies at anchor.
    no_fire, lock_bridge, lock_rudder: phases left. last_action: F, L, R or "" for none; last_spent: areas and turns of her last movement,
    -1 before the first. prize: she sails under her captor's colours and does not fight.
    """

    id: str
    name: str
    side: str
    squadron: str
    fp_max: int
    critical: int
    fp: int
    fitted: tuple[str, ...]
    main_dice: Dice
    secondary_dice: Dice
    guns_per_turret: int
    guns_per_battery: int
    tubes: tuple[str, ...]
    torpedoes: int
    ram: bool
    pace: int
    deep: bool
    complement: int
    turret_fore: bool = False
    turret_aft: bool = False
    battery_port: bool = False
    battery_stbd: bool = False
    engines_hit: bool = False
    turret_half: bool = False
    prize: bool = False
    captain: str = ""
    fp_before: int = 0
    came_critical: bool = False
    x: int = 0
    y: int = 0
    h: int = 0
    status: Status = Status.EXPECTED
    anchored: int = 0
    burning: bool = False
    no_fire: int = 0
    lock_bridge: int = 0
    lock_rudder: int = 0
    last_action: str = "F"
    last_spent: int = -1
    breaking_off: bool = False
    aground: bool = False
    given: int = 0
    taken: int = 0
    cause: str = ""

    @property
    def flag(self) -> str:
        """The side she belongs to: nobody is taken in this set."""
        return self.side

    @property
    def pos(self) -> Square:
        """Her area."""
        return self.x, self.y

    @property
    def afloat(self) -> bool:
        """On the board."""
        return self.status is Status.IN_PLAY

    @property
    def expected(self) -> bool:
        """Whether she has yet to come."""
        return self.status is Status.EXPECTED

    @property
    def allowance(self) -> int:
        """Areas and turns a movement phase: none at anchor or aground, one with damaged engines. Rules: C.M1, C.M10, C.K31, C.N12."""
        if self.anchored or self.aground:
            return 0
        return min(CRIPPLED, self.pace) if self.engines_hit else self.pace

    @property
    def standing(self) -> frozenset[str]:
        """Turrets and batteries that stand. Rules: C.N2, C.N4."""
        return frozenset(name for name in self.fitted if getattr(self, name))

    @property
    def locked(self) -> bool:
        """Whether her course is held. Rules: C.H2, C.T6, C.M6."""
        return self.lock_bridge > 0 or self.lock_rudder > 0

    @property
    def steps(self) -> int:
        """Begun quarters of her flotation points that are lost: what shows."""
        return -(-4 * (self.fp_max - self.fp) // self.fp_max)


@dataclass(slots=True)
class Battle:
    """The whole state of a battle between turns.

    first: side that moves first this turn, "" before it is known. safe: edge by side. board: x least, y least, x most, y most, None for
    no limit. quiet: turns running without a shot or a ramming. towards, strength: the chart's wind. at: ships on the board by area; keep
    it by `put` and `lift`. luck: of flag officers, by squadron.
    """

    title: str
    turn: int
    last_turn: int
    own_limit: bool
    towards: int
    strength: str
    sides: dict[str, SideState]
    squadrons: dict[str, SquadronState]
    ships: dict[str, Ship]
    options: dict[str, Any]
    safe: dict[str, str]
    board: tuple[int | None, int | None, int | None, int | None]
    land: frozenset[Square] = frozenset()
    shoal: frozenset[Square] = frozenset()
    surprised: tuple[str, ...] = ()
    first: str = ""
    quiet: int = 0
    ended: str = ""
    winner: str = ""
    scores: dict[str, int] = field(default_factory=dict)
    luck: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    at: dict[Square, Ship] = field(default_factory=dict)

    def put(self, ship: Ship, where: Square) -> None:
        """Put a ship on the board, or somewhere else on it."""
        self.lift(ship)
        ship.x, ship.y = where
        self.at[where] = ship

    def lift(self, ship: Ship) -> None:
        """Take a ship off the board's index; nothing when she is not in it."""
        if self.at.get(ship.pos) is ship:
            del self.at[ship.pos]

    def remove(self, ship: Ship, status: Status) -> None:
        """Take a ship off the board for good."""
        self.lift(ship)
        ship.status = status

    def on_board(self, where: Square) -> bool:
        """Whether an area is on the board. Rules: C.P2, C.M9."""
        x, y = where
        west, south, east, north = self.board
        return (
            (west is None or x >= west)
            and (south is None or y >= south)
            and (east is None or x <= east)
            and (north is None or y <= north)
        )

    def closed(self, ship: Ship) -> frozenset[Square]:
        """Areas that a ship cannot enter: land, and shoals for a deep one. Rules: C.M10, C.K36."""
        return self.land | self.shoal if ship.deep and self.shoal else self.land

    def in_play(self, side: str = "") -> Iterator[Ship]:
        """Ships on the board in list order, side A first; of one side alone when it is named."""
        for ship in self.ships.values():
            if ship.status is Status.IN_PLAY and (not side or ship.side == side):
                yield ship

    def enemies(self, side: str) -> Iterator[Ship]:
        """Ships on the board of the other side, in list order."""
        for ship in self.ships.values():
            if ship.status is Status.IN_PLAY and ship.side != side:
                yield ship

    def sees(self, a: Square, b: Square) -> bool:
        """Whether nothing stands on the line between two areas. Rules: C.G9, C.G10, C.M10."""
        ships = self.at if self.options["block_line"] else ()
        return not any(cell in ships or cell in self.land for cell in squares.line(a, b))

    def other(self, side: str) -> str:
        """The enemy's side."""
        return next(code for code in self.sides if code != side)

    def critical(self, ship: Ship) -> bool:
        """Whether a ship is at her critical point or below. Rule: C.D2."""
        return ship.fp <= ship.critical
