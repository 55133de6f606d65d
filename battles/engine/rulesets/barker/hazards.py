"""What a ship may run upon: the shore, another ship. Rules: P.A01-P.A10, P.M26."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from battles.engine.core import plane
from battles.engine.core.grid import Grid
from battles.engine.core.plane import Box
from battles.engine.rulesets.barker import effects, sight
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Unit
from battles.engine.rulesets.barker.tables import (
    BASE_LENGTH,
    LAP,
    Mode,
    Phase,
    Source,
    Type,
)

_CELL = 2 * BASE_LENGTH
# The farthest that a corner of a base lies from its middle, rounded up.
_HALF = 22_361


class Sea:
    """Where all bases lie while a side moves, and who cannot get out of the way.

    lame: cripples and submarines as they were before the present move began. Rule: P.A05.
    """

    __slots__ = ("_lit", "dark", "fog", "grid", "hurt", "lame")

    def __init__(self, battle: Battle) -> None:
        self.grid: Grid[Unit] = Grid(_CELL)
        self.lame: dict[str, Unit] = {}
        self.hurt: list[Unit] = []
        self.dark = battle.phase is Phase.NIGHT
        self.fog = any(bank.kind == "fog" for bank in battle.banks)
        self._lit = sight.lit(battle)
        for unit in battle.on_table():
            if not unit.ashore:
                self.grid.place(unit)
                if unit.crippled or unit.type is Type.SUB:
                    self.lame[unit.id] = unit

    def next_move(self) -> None:
        """Who was crippled in the move before is a cripple now. Rule: P.A05."""
        for unit in self.hurt:
            self.lame[unit.id] = unit
        self.hurt.clear()

    def around(self, way: Box) -> Iterable[Unit]:
        """Units that a corridor might meet with effect; by day and in clear weather the lame alone."""
        if not (self.dark or self.fog):
            return self.lame.values()
        return self.grid.near((way.x, way.y), (way.length + way.beam) // 2 + _HALF)

    def helpless(self, battle: Battle, rammer: Unit, met: Unit) -> bool:
        """Whether a ship can be run into: a cripple, a submarine, in fog or unlit at night. Rules: P.A04, P.A05, P.V04."""
        if met.id in self.lame or met.type is Type.SUB:
            return True
        if self.dark and not (met.crippled or met.light or met.id in self._lit):
            return True
        return self.fog and (sight.in_fog(battle, met) or sight.in_fog(battle, rammer))


def ground(battle: Battle, play: Play, unit: Unit) -> None:
    """A ship is fast on land or shoal and crippled; one that is crippled already stays so. Rules: P.A01, P.A02."""
    unit.aground = unit.no_more = True
    play.tell("aground", "P.A01", unit.id, x=unit.x, y=unit.y)
    if not unit.crippled:
        effects.cripple(battle, play, unit, Source.RAM, "", "P.A02")


def met(battle: Battle, sea: Sea, unit: Unit, way: Box, mates: Collection[str]) -> Unit | None:
    """The first ship in the way of a compulsory move with which it collides. mates: of one formation, who keep station.

    Rules: P.A05, P.A10, P.M26.
    """
    if battle.mode is not Mode.COMBAT:
        return None
    edge = Box(*plane.advance((way.x, way.y), way.heading, -way.length // 2), way.heading, 0, way.beam)
    best: tuple[int, str] | None = None
    for other in sea.around(way):
        if (
            other is unit
            or not other.on_table
            or Type.FISH in (unit.type, other.type)
            and Type.SUB in (unit.type, other.type)
        ):
            continue
        if plane.passes_clear(edge, way.heading, way.length, other) or not plane.overlap(way, other, LAP):
            continue
        if other.id in mates and other.id not in sea.lame:
            continue
        if sea.helpless(battle, unit, other):
            at = plane.first_touch(edge, way.heading, way.length, other) or 0
            if best is None or (at, other.id) < best:
                best = at, other.id
    return battle.units[best[1]] if best else None


def ram(battle: Battle, play: Play, rammer: Unit, rammed: Unit) -> None:
    """The rammed ship is sunk unless bigger; the rammer takes a damage step. No dice. Rules: P.A06, P.A07, P.A08."""
    play.tell("rammed", "P.A06", rammer.id, target=rammed.id)
    if rammed.rank <= rammer.rank:
        effects.sink(battle, play, rammed, effects.FATES[Source.RAM], rammer.id, "P.A06")
    effects.damage_step(battle, play, rammer, Source.RAM, rammed.id)
