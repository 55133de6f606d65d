"""Thomas's battle as it stands: sides, squadrons, ships, wind, clock. Mutable inside a move, never let out but by `to_dict`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from battles.engine.core.grid import Grid
from battles.engine.core.parties import SideState, SquadronState
from battles.engine.core.plane import STRAIGHT, Point, angle
from battles.engine.core.shore import Polygon
from battles.engine.rulesets.thomas.ships import Adrift, Battery, Grapple, Rig, Ship, Status
from battles.engine.rulesets.thomas.tables import DRIFT_RATE, DRIFT_UNIT, WindForce

__all__ = [
    "CELL",
    "Adrift",
    "Battery",
    "Battle",
    "Grapple",
    "Rig",
    "Ship",
    "SideState",
    "SquadronState",
    "Status",
]

CELL = 4_000


@dataclass(slots=True)
class Battle:
    """The whole state of a battle between moves.

    move: the last one played, 0 before the first. start: minute of the day at which the first begins. last_move: by the turn
    limit. wind_from: bearing the wind blows from, in a calm that from which it will come next (T.B1g); prevailing: bearing or
    None when none prevails (T.S11a). spell_calm, spell_quiet: T.B1h. first: side that moves and fires first this move (T.B3);
    moving: side whose movement step runs, "" outside.
    nelson: whether T.N1-T.N4 hold. ended: "" while it goes on; held_field: who was left in possession of the water, told then
    (T.C12). officers: squadron's flagship, her officer's fate and its clause, by squadron. ships: by id, in ascending order,
    which is that of every throw (T.B3c). The index that `near` reads is kept by `place`, `shift` and `remove` only.
    """

    title: str
    move: int
    start: int
    last_move: int
    wind_from: int
    prevailing: int | None
    strength: WindForce
    sides: dict[str, SideState]
    squadrons: dict[str, SquadronState]
    ships: dict[str, Ship]
    options: dict[str, Any]
    nelson: bool = False
    spell_calm: int = 0
    spell_quiet: int = 0
    first: str = ""
    moving: str = ""
    land: tuple[Polygon, ...] = ()
    grapples: list[Grapple] = field(default_factory=list)
    met: bool = False
    ended: str = ""
    held_field: str = ""
    officers: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    grid: Grid[Ship] = field(default_factory=lambda: Grid(CELL))

    @property
    def second(self) -> str:
        """The side that moves and fires second. Rule: T.B3a."""
        return self.enemy_of(self.first)

    @property
    def downwind(self) -> int:
        """The bearing the wind blows towards."""
        return (self.wind_from + STRAIGHT) % 36_000

    @property
    def minute(self) -> int:
        """Minute of the day at which the present move begins, past 1440 after midnight. Rules: T.C3, T.S14."""
        return self.start + max(0, self.move - 1) * int(self.options["minutes_per_move"])

    @property
    def drift(self) -> int:
        """How far a drifter goes in this wind. Rules: T.S17, T.B6b."""
        return DRIFT_RATE[self.strength] * int(self.options["drift_move"]) // DRIFT_UNIT

    def stepped(self, ship: Ship) -> bool:
        """Whether the movement step of a ship's side is past, or she has been passed over in it. Rules: T.B3a, T.B12k."""
        return self.moving == self.second and ship.flag == self.first

    def enemy_of(self, side: str) -> str:
        """The other side. Rule: T.S23."""
        return next(code for code in self.sides if code != side)

    def off_wind(self, heading: int) -> int:
        """Angle between a heading and the wind's eye, 0 to 18 000."""
        return angle(heading, self.wind_from)

    def on_starboard_tack(self, heading: int) -> bool:
        """Whether the wind comes over the starboard side. Rule: conventions, "tack"."""
        return (self.wind_from - heading) % 36_000 <= STRAIGHT

    def of(self, side: str) -> Iterator[Ship]:
        """Ships of a side now, on the table, in ascending order: her prizes too, not those others hold. Rules: T.B3c, T.O6g."""
        return (ship for ship in self.ships.values() if ship.status is Status.AFLOAT and ship.flag == side)

    def afloat(self) -> Iterator[Ship]:
        """All ships on the table, in ascending order."""
        return (ship for ship in self.ships.values() if ship.status is Status.AFLOAT)

    def near(self, ship: Ship, reach: int) -> list[Ship]:
        """Other ships on the table whose mainmast is at most so far from hers, in ascending order."""
        found = [one for one in self.grid.near((ship.x, ship.y), reach) if one is not ship]
        found.sort(key=_id)
        return found

    def place(self, ship: Ship, where: Point, heading: int) -> None:
        """Put a ship on the table."""
        ship.x, ship.y = where
        ship.heading, ship.status = heading, Status.AFLOAT
        self.grid.place(ship)

    def shift(self, ship: Ship, to: Point) -> None:
        """Move a ship on the table and keep the index."""
        self.grid.lift(ship)
        ship.x, ship.y = to
        self.grid.place(ship)

    def remove(self, ship: Ship, status: Status, cause: str = "") -> None:
        """Take a ship off the table for good; those made fast to her, or in tow, are free. Rules: T.B9c, T.N2d, T.O3g."""
        self.grid.lift(ship)
        ship.status = status
        ship.cause = cause or ship.cause
        for one in list(ship.grapples):
            self.unfasten(one)
        self.cast_off(ship)

    def fasten(self, a: Ship, b: Ship) -> Grapple:
        """Make one ship fast to another; `a` is the one who grappled. Tows of either are cast off. Rules: T.B12b, T.O3g."""
        one = Grapple(a.id, b.id, self.move)
        self.grapples.append(one)
        a.grapples.append(one)
        b.grapples.append(one)
        self.cast_off(a)
        self.cast_off(b)
        return one

    def unfasten(self, one: Grapple) -> None:
        """Cut two ships apart; nothing when they are apart already."""
        if one in self.grapples:
            self.grapples.remove(one)
            for code in (one.a, one.b):
                if one in self.ships[code].grapples:
                    self.ships[code].grapples.remove(one)

    def cast_off(self, ship: Ship) -> None:
        """End every tow a ship is part of, at both ends, and every one that is still being passed. Rule: T.O3g."""
        for code in (ship.towing, ship.towed_by, ship.tow_wait):
            other = self.ships.get(code)
            if other is not None:
                _untow(other)
        waits = ship.adrift is Adrift.TOW_WAIT
        _untow(ship)
        for other in self.ships.values() if waits else ():
            if other.tow_wait == ship.id:
                _untow(other)


def _untow(ship: Ship) -> None:
    ship.towing = ship.towed_by = ship.tow_wait = ""
    if ship.adrift is Adrift.TOW_WAIT:
        ship.adrift = Adrift.NONE


def _id(ship: Ship) -> str:
    return ship.id
