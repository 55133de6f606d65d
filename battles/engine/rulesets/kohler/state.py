"""Kohler's battle as it stands: ships, squadrons, locks, wind. Mutable inside a turn, never let out except through `to_dict`.

Units: positions are axial hexes, facings 0..5 (K.0.2), fire points are kept doubled (K.0.6), hull in points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any

from battles.engine.core import parties
from battles.engine.core.hexes import STEPS, Hex
from battles.engine.rulesets.kohler.tables import LEVELS


class WindForce(IntEnum):
    """Wind strengths of the set, weakest first. Rule: K.A2.1."""

    STILL = 0
    LIGHT = 1
    NORMAL = 2
    STRONG = 3
    GALE = 4


class Status(StrEnum):
    """Where a ship stands in the battle. EXPECTED: a reinforcement not yet on the board."""

    AFLOAT = "afloat"
    SINKING = "sinking"
    EXPLODED = "exploded"
    BURNT = "burnt"
    GONE = "gone"
    WRECKED = "wrecked"
    EXPECTED = "expected"


class Helm(StrEnum):
    """What a hit on the helm forces on the next activation. Rules: K.C8, K.M21."""

    SOUND = ""
    PORT = "port"
    STARBOARD = "starboard"
    NO_TURN = "no_turn"


class LockKind(StrEnum):
    """What holds two ships together."""

    GRAPPLE = "grapple"
    TANGLE = "tangle"
    FIRE_SHIP = "fireship"


@dataclass(slots=True, eq=False)
class Lock:
    """Two ships held together. `a` is the ship that grappled, moved in, or the fire ship; `b` the other.

    formed: turn in which it came about. lost: rounds lost so far by each ship id (K.B7, K.B26). parted_try: turn of the last
    attempt to part (K.M26, K.X12). drifted: turn in which the lot last drifted together (K.M28).
    """

    kind: LockKind
    a: str
    b: str
    formed: int
    lost: dict[str, int] = field(default_factory=dict)
    parted_try: int = 0
    drifted: int = 0

    def other(self, ship: str) -> str:
        """The ship at the other end."""
        return self.b if ship == self.a else self.a


@dataclass(slots=True, eq=False)
class Ship:
    """One ship: her card (constant), her condition (what the campaign stores) and her place in the battle.

    side: the side she came with; prize_of: the side that holds her now, "" if her own. guns: as counted by K.A1.15 where the
    register is silent. fire_track: doubled fire points after 0..n-1 steps. steps_lost, fast, handy: `steps_lost` is kept up to
    date by whoever changes the hits; `fast` and `handy` are the card's, `is_fast`/`is_handy` what is left of them (K.D6, K.D7).
    board_before: `hits_board` as she came into the battle.
    placement: kept by the attacker, by id of the defender: the side of the defender she lies on, "port" or "starboard", or ""
    while they have met but the die is still to be thrown (K.B12).
    """

    id: str
    name: str
    side: str
    squadron: str
    nation: str
    built_by: str
    guns: int
    band: int
    hull_max: int
    n_steps: int
    thresholds: tuple[int, ...]
    fire_track: tuple[int, ...]
    fast: bool = False
    handy: bool = False
    unhandy: bool = False
    merchant: bool = False
    small: bool = False
    is_fireship: bool = False
    deep: bool = True
    complement: int = 0
    captain: str = ""
    napoleonic: bool = False
    carronades: bool = False
    # condition
    hits_struct: int = 0
    hits_board: int = 0
    steps_lost: int = 0
    fires: list[int] = field(default_factory=list)
    flag_officer_ok: bool = True
    # the battle
    pos: Hex = (0, 0)
    facing: int = 0
    status: Status = Status.AFLOAT
    prize_of: str = ""
    captor_ship: str = ""
    is_flagship: bool = False
    in_irons_last_turn: bool = False
    caught_in_irons: bool = False
    helm: Helm = Helm.SOUND
    gun_timers: list[int] = field(default_factory=list)
    unchecked_steps: list[int] = field(default_factory=list)
    locks: list[Lock] = field(default_factory=list)
    placement: dict[str, str] = field(default_factory=dict)
    stacked: bool = False
    aground: bool = False
    fired: bool = False
    came_from: Hex | None = None
    hits_given: int = 0
    hits_taken: int = 0
    board_before: int = 0
    cause: str = ""
    # this turn
    in_command: bool = True
    group_init: int = 0
    moved_hexes: int = 0
    turns_made: int = 0
    acted: bool = False
    grapple_tried: bool = False

    @property
    def hull_left(self) -> int:
        """Hull points left, never below 0. Rule: K.D1."""
        return max(0, self.hull_max - self.hits_struct - self.hits_board)

    @property
    def flag(self) -> str:
        """The side she belongs to now: her captor's if a prize. Rule: K.0.7."""
        return self.prize_of or self.side

    @property
    def afloat(self) -> bool:
        """Afloat and on the board (prizes and fired fire ships too)."""
        return self.status is Status.AFLOAT

    @property
    def move_level(self) -> int:
        """Damage level for movement: 0, 1, 2 hexes off, 3 = disabled. Rule: K.D6; a prize by K.B24."""
        steps = self.steps_lost
        level = LEVELS[self.n_steps][steps]
        return max(2, level) if self.prize_of else level

    @property
    def expected(self) -> bool:
        """Whether she has yet to come."""
        return self.status is Status.EXPECTED

    @property
    def disabled(self) -> bool:
        """Cannot make sail. Rule: K.D6."""
        return self.move_level >= 3

    @property
    def keeps_qualities(self) -> bool:
        """Whether F and H are still hers. Rules: K.D6, K.D7, K.B24, K.X3."""
        return self.steps_lost < _QUALITIES_LOST[self.n_steps] and not self.prize_of and not self.fired

    @property
    def is_fast(self) -> bool:
        """Fast, and not yet damaged out of it. Rule: K.M18."""
        return self.fast and self.keeps_qualities

    @property
    def is_handy(self) -> bool:
        """Handy, and not yet damaged out of it. Rule: K.M16."""
        return self.handy and self.keeps_qualities


# Steps at which F and H are lost (T4).
_QUALITIES_LOST = {2: 1, 3: 2, 4: 2}


@dataclass(slots=True)
class SquadronState(parties.SquadronState):
    """A squadron. init: this turn's value."""

    flag_lost: bool = False
    init: int = 0


@dataclass(slots=True)
class SideState(parties.SideState):
    """A side, in list order. wins_ties: whether it wins draws of initiative (K.I6)."""

    wins_ties: bool = False


@dataclass(slots=True)
class Group:
    """Ships that are activated together in phase 3. Rules: K.I5, K.I11."""

    squadron: str
    init: int
    in_command: bool
    ships: tuple[str, ...]


@dataclass(slots=True)
class Battle:
    """The whole state of a battle between turns.

    wind: index 0..5 it blows towards (K.0.3); wind_prev: the direction to swap with, None before the first double (K.W1).
    north: chart bearing, in degrees, of board index 0 (K.G25). quiet: how many turns running all of one side have been out of
    reach (K.G9), by side. met: whether two enemies have been within 12 hexes. ended: "" while it goes on.
    The index `at` holds afloat ships and wrecks by hex, in the order they came; keep it by `move` and `remove` only.
    """

    title: str
    turn: int
    last_turn: int
    wind: int
    wind_prev: int | None
    strength: WindForce
    sides: dict[str, SideState]
    squadrons: dict[str, SquadronState]
    ships: dict[str, Ship]
    options: dict[str, Any] = field(default_factory=dict)
    north: int = 0
    visibility: int | None = None
    land: frozenset[Hex] = frozenset()
    shoal: frozenset[Hex] = frozenset()
    edges: tuple[int, int, int, int] | None = None
    groups: list[Group] = field(default_factory=list)
    locks: list[Lock] = field(default_factory=list)
    met: bool = False
    quiet: dict[str, int] = field(default_factory=dict)
    ended: str = ""
    officers: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    at: dict[Hex, list[Ship]] = field(default_factory=dict)

    @property
    def upwind(self) -> int:
        """Index of the direction the wind comes from. Rule: K.0.3."""
        return (self.wind + 3) % 6

    def rel(self, facing: int) -> int:
        """Attitude to the wind: 0 in irons, 1 and 5 close hauled, 2 and 4 reach, 3 run. Rule: K.M2."""
        return (facing - self.wind - 3) % 6

    def place(self, ship: Ship) -> None:
        """Put a ship into the index at her position."""
        self.at.setdefault(ship.pos, []).append(ship)

    def move(self, ship: Ship, to: Hex) -> None:
        """Move a ship to another hex and keep the index."""
        self._lift(ship)
        ship.pos = to
        self.at.setdefault(to, []).append(ship)

    def remove(self, ship: Ship, status: Status) -> None:
        """Take a ship off the board for good."""
        self._lift(ship)
        ship.status = status
        for lock in list(ship.locks):
            self.unlock(lock)

    def _lift(self, ship: Ship) -> None:
        here = self.at.get(ship.pos, [])
        if ship in here:
            here.remove(ship)
            if not here:
                del self.at[ship.pos]

    def hold(self, kind: LockKind, a: Ship, b: Ship) -> Lock:
        """Lock two ships together and keep both ends."""
        lock = Lock(kind, a.id, b.id, self.turn)
        self.locks.append(lock)
        a.locks.append(lock)
        b.locks.append(lock)
        return lock

    def unlock(self, lock: Lock) -> None:
        """Release a lock at both ends; nothing when it is gone already."""
        if lock in self.locks:
            self.locks.remove(lock)
            for code in (lock.a, lock.b):
                if lock in self.ships[code].locks:
                    self.ships[code].locks.remove(lock)

    def friends(self, a: Ship, b: Ship) -> bool:
        """Whether two ships are of one side now, fired fire ships being no one's friend. Rule: K.0.7."""
        return a.flag == b.flag and not a.fired and not b.fired

    def ahead(self, ship: Ship) -> Hex:
        """The hex she faces."""
        (q, r), (dq, dr) = ship.pos, STEPS[ship.facing]
        return q + dq, r + dr
