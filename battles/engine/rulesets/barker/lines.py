"""Lines of fire: land, shoals and ships in the way. Rules: P.F18-P.F23."""

from __future__ import annotations

from battles.engine.core import bases, plane
from battles.engine.core.plane import Point
from battles.engine.rulesets.barker import arcs, land, sight
from battles.engine.rulesets.barker.arcs import Band, faces
from battles.engine.rulesets.barker.state import Battle, Unit
from battles.engine.rulesets.barker.tables import DAYLIGHT, TORPEDO_CRAFT

# The farthest that a corner of a base lies from its middle, rounded up: 223.6 yd.
_CORNER = 22_361


class Lines:
    """The lines of fire of one shooting step, in which nobody moves. What is found is kept."""

    def __init__(self, battle: Battle) -> None:
        self._battle = battle
        self._foes = {side: [(foe.x, foe.y, foe) for foe in battle.enemies(side)] for side in battle.sides}
        self._afloat = [(unit.x, unit.y, unit) for unit in battle.on_table() if not unit.ashore]
        self._clear = battle.phase in DAYLIGHT and not (battle.haze or battle.banks or battle.land)
        self._models: dict[str, tuple[Point, Point]] = {}
        self._near: dict[str, list[tuple[int, int, Unit]]] = {}
        self._between: dict[tuple[str, str], tuple[Unit, ...]] = {}

    def foes(self, unit: Unit, far: int) -> list[Unit]:
        """Whom a unit may fire at so far off: neither friends nor neutrals, disguised, submerged or sunk ones. Rule: P.F23."""
        ux, uy = unit.x, unit.y
        return [
            foe
            for x, y, foe in self._foes[unit.side]
            if -far <= x - ux <= far and -far <= y - uy <= far and foe.on_table
        ]

    def seen(self, firer: Unit, target: Unit) -> bool:
        """Whether the firer itself sees the target; by clear day everything within the reach of guns. Rules: P.F17, P.V03, P.V11."""
        return self._clear or sight.visible(self._battle, firer, target)

    def gap(self, firer: Unit, target: Unit) -> int:
        """Model to model, hundredths of a yard. Rule: P.F05."""
        return bases.segment_gap(*self._model(firer), *self._model(target))

    def _model(self, unit: Unit) -> tuple[Point, Point]:
        found = self._models.get(unit.id)
        if found is None:
            found = self._models[unit.id] = arcs.model(unit)
        return found

    def open(self, firer: Unit, target: Unit, band: Band) -> bool:
        """Whether neither land, shoal nor ship blocks a line from middle to middle; torpedo craft are shot over beyond NORMAL.

        Rules: P.F18, P.F19, P.F20, P.F21, P.F22.
        """
        over, battle = band >= Band.LONG, self._battle
        if battle.options["ships_block_fire"]:
            for unit in self.between(firer, target):
                if unit.on_table and not (over and unit.type in TORPEDO_CRAFT):
                    return False
        if not battle.land and not battle.shoal:
            return True
        if battle.land and land.blocks(battle, firer.at, target.at, beside(firer, target)):
            return False
        return not (firer.torpedo_craft and land.shoals_block(battle, firer.at, target.at))

    def between(self, a: Unit, b: Unit) -> tuple[Unit, ...]:
        """Other units whose bases the line between two middles crosses. Rule: P.F19."""
        key = (a.id, b.id) if a.id < b.id else (b.id, a.id)
        found = self._between.get(key)
        if found is None:
            found = self._between[key] = self._crossed(a, b)
        return found

    def _crossed(self, a: Unit, b: Unit) -> tuple[Unit, ...]:
        dx, dy = b.x - a.x, b.y - a.y
        length = plane.distance(a.at, b.at)
        room = (_CORNER + 1) * length
        found = []
        for x, y, unit in self._about(a):
            x, y = x - a.x, y - a.y
            # The circle about a base decides nearly always.
            if -room < dx * y - dy * x < room and -room < dx * x + dy * y < length * length + room:
                if unit is not a and unit is not b and plane.segment_cuts(a.at, b.at, unit):
                    found.append(unit)
        return tuple(found)

    def _about(self, unit: Unit) -> list[tuple[int, int, Unit]]:
        """Ships within the reach of guns of a unit."""
        rows = self._near.get(unit.id)
        if rows is None:
            far, ux, uy = arcs.FAR + 2 * _CORNER, unit.x, unit.y
            rows = [row for row in self._afloat if -far < row[0] - ux < far and -far < row[1] - uy < far]
            self._near[unit.id] = rows
        return rows


def beside(a: Unit, b: Unit) -> frozenset[str]:
    """Of two units the installations that face the other one: their own land is no hindrance there. Rule: P.F21."""
    return frozenset(one.id for one, other in ((a, b), (b, a)) if one.ashore and faces(one, other.at))
