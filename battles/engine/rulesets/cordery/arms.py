"""What a ship can fire at, from where she lies: arcs, reach, sight and dice of each weapon. Rules: C.G1-C.G9, C.T1-C.T4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from battles.engine.core import squares
from battles.engine.core.squares import AHEAD, ASTERN, PORT, STARBOARD, Square
from battles.engine.rulesets.cordery.tables import Dice

# Turrets that bear on each quarter, the battery that does, and the tube of each line. Rules: C.G5, C.G6, C.N5.
BEARING: Mapping[str, tuple[str, ...]] = {
    AHEAD: ("turret_fore",),
    ASTERN: ("turret_aft",),
    PORT: ("turret_fore", "turret_aft"),
    STARBOARD: ("turret_fore", "turret_aft"),
}
BATTERY = {PORT: "battery_port", STARBOARD: "battery_stbd"}
WEAPON = {PORT: "port", STARBOARD: "stbd"}
TUBE = {AHEAD: "bow", ASTERN: "stern", PORT: "port", STARBOARD: "stbd"}


class Armed(Protocol):
    """A ship as far as her weapons go."""

    @property
    def main_dice(self) -> Dice: ...
    @property
    def secondary_dice(self) -> Dice: ...
    @property
    def guns_per_turret(self) -> int: ...
    @property
    def guns_per_battery(self) -> int: ...
    @property
    def tubes(self) -> tuple[str, ...]: ...
    @property
    def torpedoes(self) -> int: ...


def at_range(dice: Sequence[int], reach: int) -> int:
    """Dice of one gun at a range in areas; none beyond the last and at 0. Rules: C.G1, C.G2, C.G3, C.T2."""
    return dice[reach - 1] if 1 <= reach <= len(dice) else 0


class Bearing(NamedTuple):
    """How an area lies from a ship: range in areas, quarter, and the straight line it lies on, "" for none."""

    reach: int
    quarter: str
    line: str


@lru_cache(maxsize=16_384)
def bearing(dx: int, dy: int, heading: int) -> Bearing:
    """How an area at an offset lies from a ship on a heading. Rules: C.P4, C.P5, C.P6, C.G4, C.T3."""
    if not dx and not dy:
        return Bearing(0, AHEAD, "")
    there = (dx, dy)
    return Bearing(
        squares.distance(_HERE, there),
        squares.quarter(_HERE, heading, there),
        squares.straight(_HERE, heading, there),
    )


_HERE = (0, 0)


def weapons(
    ship: Armed, able: frozenset[str], at: Square, heading: int, target: Square, options: Mapping[str, Any]
) -> dict[str, int]:
    """Dice of each weapon that bears on an area, sight left out; weapons without any are not in it.

    able: her turrets and batteries that fire. Rules: C.G2, C.G3, C.G5, C.G6, C.G11, C.G13, C.N3, C.T1, C.T2.
    """
    lies = bearing(target[0] - at[0], target[1] - at[1], heading)
    found: dict[str, int] = {}
    each = at_range(ship.main_dice, lies.reach)
    if each:
        bears = sum(turret in able for turret in BEARING[lies.quarter])
        if bears:
            found["main"] = bears * ship.guns_per_turret * each
    battery = BATTERY.get(lies.quarter)
    if battery in able:
        each = at_range(ship.secondary_dice, lies.reach)
        if each:
            found[WEAPON[lies.quarter]] = ship.guns_per_battery * each
    if ship.torpedoes > 0:
        each = at_range(options["torpedo_dice"], lies.reach)
        if each and _tube(lies, options["tube_arc"]) in ship.tubes:
            found["torpedo"] = each
    return found


def _tube(lies: Bearing, arc: str) -> str:
    """The tube that bears, "" for none. Rule: C.T3."""
    if not lies.line and arc == "abeam_quarter":
        return WEAPON.get(lies.quarter, "")
    return TUBE.get(lies.line, "")


class Battery(NamedTuple):
    """What a ship fires with, as far as dice go: two ships that are alike in this throw the same dice."""

    main_dice: Dice
    secondary_dice: Dice
    guns_per_turret: int
    guns_per_battery: int
    tubes: tuple[str, ...]
    torpedoes: int
    able: frozenset[str]
    torpedo_dice: Dice
    tube_arc: str


class Volleys(dict[tuple[int, int, int], tuple[int, int, int, int]]):
    """Dice of main guns, port and starboard battery and torpedo, by offset of the target and heading; worked out when first asked for."""

    def __init__(self, battery: Battery) -> None:
        self._battery = battery
        self._options = {"torpedo_dice": battery.torpedo_dice, "tube_arc": battery.tube_arc}

    def __missing__(self, key: tuple[int, int, int]) -> tuple[int, int, int, int]:
        dx, dy, heading = key
        found = weapons(self._battery, self._battery.able, _HERE, heading, (dx, dy), self._options)
        row = found.get("main", 0), found.get("port", 0), found.get("stbd", 0), found.get("torpedo", 0)
        self[key] = row
        return row


@lru_cache(maxsize=256)
def _volleys(battery: Battery) -> Volleys:
    return Volleys(battery)


def volleys(ship: Armed, able: frozenset[str], options: Mapping[str, Any]) -> Volleys:
    """The dice of a ship by offset and heading, for whoever has to ask often. able: her turrets and batteries that fire."""
    return _volleys(
        Battery(
            ship.main_dice, ship.secondary_dice, ship.guns_per_turret, ship.guns_per_battery, ship.tubes,
            min(1, ship.torpedoes), able, tuple(options["torpedo_dice"]), options["tube_arc"],
        )
    )  # fmt: skip
