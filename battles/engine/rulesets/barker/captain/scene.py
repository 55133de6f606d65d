"""A spell as an admiral weighs it: where the enemy will lie, and what places on the table are worth. Rules: AA03, AA05, AA07, AA12.

Yards and whole numbers; unit vectors in 1,024ths.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from battles.engine.core import plane
from battles.engine.core.plane import Box, Hull, Point
from battles.engine.rulesets.barker import arcs
from battles.engine.rulesets.barker.captain import odds, posture
from battles.engine.rulesets.barker.factors import REDUCED
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import BOATS, CRUISERS, TORPEDO_CRAFT, YARD, Mode, Phase, Type
from battles.engine.rulesets.barker.view import View

# A unit vector is kept in 1,024ths.
SHIFT = 10
# Squares of the limits of the bands.
_CLOSE2, _NORMAL2, _LONG2 = ((limit // YARD) ** 2 for limit in (arcs.CLOSE, arcs.NORMAL, arcs.LONG))
# Moves in one spell that an enemy is taken to make, in quarters. Rule: AA05.
_PACE = {Type.BB: 6, Type.C3: 6, Type.SC: 12, Type.TBD: 12, Type.TB: 10, Type.SUB: 4}
_OTHERS_PACE = 8
_LAME_PACE = 1
_MOVE = 400
# In a spell and two more a ship comes no farther than this from where it lies, in yards.
_WEIGHED = 5_000
# Who is farther off is met in no spell.
_UNLIT = 4_000 * YARD


class Place(NamedTuple):
    """A ship's middle and the unit vector of its heading."""

    x: int
    y: int
    ux: int
    uy: int


class Head(NamedTuple):
    """A front-edge centre in hundredths of a yard, and the heading."""

    x: int
    y: int
    h: int


class Values(NamedTuple):
    """Worth of a shot by band, on the broadside and from an end."""

    full: tuple[int, int, int, int]
    end: tuple[int, int, int, int]


class Pair(NamedTuple):
    """What one of his and an enemy are worth to each other. far2: square of the range beyond which neither shot is worth anything."""

    mine: Values
    his: Values
    far2: int


# An enemy by index, where he will lie, what shots are worth, and whether either is a torpedo craft.
Row = tuple[int, Place, Pair, bool]


@lru_cache(maxsize=36_000)
def vector(heading: int) -> tuple[int, int]:
    """The unit vector of a heading, in 1,024ths."""
    sin, cos = plane.unit(heading)
    return plane.nearest(sin << SHIFT, plane.UNIT), plane.nearest(cos << SHIFT, plane.UNIT)


def of(unit: Unit) -> Place:
    """Where a unit lies."""
    return Place(unit.x // YARD, unit.y // YARD, *vector(unit.h))


class Scene:
    """Own and enemy ships with guns as they lie, and what each could do to each.

    own: his units afloat; guns: his ships with guns that are whole; foes: enemies in sight; lame: cripples of both;
    rests: where his own cripples will lie when they have moved, by id; mines: middles of the sections known.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.own = [unit for unit in view.own() if not unit.ashore]
        self.guns = [
            unit for unit in self.own if unit.warship and not unit.torpedo_craft and not unit.crippled
        ]
        self.foes = list(view.foes())
        self.combat = view.mode is Mode.COMBAT
        self.mines = view.mines()
        self.lame = [unit for unit in (*self.own, *self.foes) if unit.crippled and not unit.ashore]
        self.rests: dict[str, Box] = {}
        self._expected: dict[str, Box] = {}
        self.reach = arcs.reach(view.year) // YARD
        self.reach2 = self.reach**2
        self._kinds = [odds.kind(foe, view.type_of(foe)) for foe in self.foes]
        self._boat = [foe.torpedo_craft for foe in self.foes]
        self._at: dict[int, list[Place]] = {0: [of(foe) for foe in self.foes]}
        self._way_out = -1
        self._heads: dict[str, Head] = {}
        self._values: dict[odds.Kind, list[Pair]] = {}
        self._rows: dict[tuple[str, int], list[Row]] = {}
        self._fresh: list[int] | None = None

    def refuge(self, unit: Unit) -> Point:
        """For which point a unit steers that leaves. Rule: AA14."""
        if self._way_out < 0:
            self._way_out = posture.way_out(self.view, self.view.flagship() or unit)
        return posture.beyond(self.view, unit, self._way_out)

    def unlit(self, members: Sequence[Unit]) -> list[Hull]:
        """Ships that a body of boats could run into among ships at anchor in the dark, now and when they have moved. Rule: P.A05."""
        if self.view.roads() is None or self.view.phase is not Phase.NIGHT or members[0].type not in BOATS:
            return []
        others = [unit for unit in (*self.own, *self.foes) if unit not in members and not unit.ashore]
        near = [one for one in others if plane.within(one.at, members[0].at, _UNLIT)]
        return [*near, *(self._expected[one.id] for one in near if one.id in self._expected)]

    def expect(self, unit: Unit, to: Head) -> None:
        """Remember where a ship of his will lie when she has moved as planned."""
        x, y = plane.advance((to.x, to.y), to.h, -unit.length // 2)
        self._expected[unit.id] = Box(x, y, to.h, unit.length, unit.beam)

    def head(self, unit: Unit) -> Head:
        """Where a ship of his has her front edge."""
        found = self._heads.get(unit.id)
        if found is None:
            found = self._heads[unit.id] = Head(*plane.advance(unit.at, unit.h, unit.length // 2), unit.h)
        return found

    def foes_after(self, spells: int) -> list[Place]:
        """Where the enemies will lie after so many spells of theirs on course."""
        if spells not in self._at:
            rows = []
            for foe, (x, y, ux, uy) in zip(self.foes, self._at[0], strict=True):
                quarters = (
                    0 if foe.stopped or foe.aground or foe.ashore else _PACE.get(foe.type, _OTHERS_PACE)
                )
                if quarters and foe.crippled:
                    quarters = _LAME_PACE
                way = quarters * _MOVE * spells // 4
                rows.append(Place(x + (way * ux >> SHIFT), y + (way * uy >> SHIFT), ux, uy))
            self._at[spells] = rows
        return self._at[spells]

    def values(self, unit: Unit) -> list[Pair]:
        """For each enemy, what a shot of this unit at it is worth, and what a shot of its at this unit."""
        mine = odds.kind(unit)
        rows = self._values.get(mine)
        if rows is None:
            rows = self._values[mine] = [_pair(mine, foe, self.reach2) for foe in self._kinds]
        return rows

    def exchange(self, ships: Sequence[Unit], places: Sequence[Place], spells: int) -> tuple[int, int]:
        """What ships on these places deal in one shooting step, and what the enemies in reach could do to them, each with one shot.

        Every ship counts its best broadside target and its best end target. Rules: AA03, AA08.
        """
        taken = [0] * len(self.foes)
        dealt = 0
        for unit, (x, y, ux, uy) in zip(ships, places, strict=True):
            best = best_end = 0
            for n, (fx, fy, fux, fuy), (mine, his, far2), small in self._about(unit, spells):
                dx, dy = fx - x, fy - y
                square = dx * dx + dy * dy
                if square > far2:
                    continue
                if square > _LONG2:
                    band = 3
                elif square > _NORMAL2:
                    band = 2
                else:
                    band = 0 if square <= _CLOSE2 and small else 1
                if abs(dx * ux + dy * uy) > 2 * abs(dx * uy - dy * ux):
                    if mine.end[band] > best_end:
                        best_end = mine.end[band]
                elif mine.full[band] > best:
                    best = mine.full[band]
                if abs(dx * fux + dy * fuy) > 2 * abs(dx * fuy - dy * fux):
                    if his.end[band] > taken[n]:
                        taken[n] = his.end[band]
                elif his.full[band] > taken[n]:
                    taken[n] = his.full[band]
            dealt += best + best_end
        return dealt, sum(taken)

    def _about(self, unit: Unit, spells: int) -> list[Row]:
        """The enemies that could come within range of a unit wherever it is weighed."""
        rows = self._rows.get((unit.id, spells))
        if rows is None:
            x, y, small = unit.x // YARD, unit.y // YARD, unit.torpedo_craft
            rows = []
            for n, (foe, pair) in enumerate(zip(self.foes_after(spells), self.values(unit), strict=True)):
                far = isqrt(pair.far2) + _WEIGHED
                if pair.far2 and abs(foe.x - x) <= far and abs(foe.y - y) <= far:
                    rows.append((n, foe, pair, small or self._boat[n]))
            self._rows[unit.id, spells] = rows
        return rows

    def nearest(self, x: int, y: int, spells: int, among: Sequence[int]) -> int:
        """Distance in yards to the nearest of some enemies, by index; a very great one when there are none."""
        foes = self.foes_after(spells)
        least = 10**12
        for n in among:
            fx, fy, _, _ = foes[n]
            square = (fx - x) * (fx - x) + (fy - y) * (fy - y)
            if square < least:
                least = square
        return isqrt(least)

    def near(self, at: Place, room: int) -> bool:
        """Whether any enemy lies within the reach of guns and so many yards more of a place; never when cruising."""
        if not self.combat:
            return False
        far = self.reach + room
        return any(abs(x - at.x) < far and abs(y - at.y) < far for x, y, _, _ in self.foes_after(0))

    def heavy(self) -> list[int]:
        """Indexes of the enemies by whom a battle line steers: ships with guns, those that are not crippled if there are any."""
        return self._ranked(lambda foe: foe.type is Type.BB or foe.type in CRUISERS or foe.type is Type.SC)

    def _ranked(self, counts: Callable[[Unit], bool]) -> list[int]:
        guns = [n for n, foe in enumerate(self.foes) if counts(foe)]
        whole = [n for n in guns if not self.foes[n].crippled]
        others = [n for n, foe in enumerate(self.foes) if not foe.torpedo_craft and not foe.ashore]
        return whole or guns or others or list(range(len(self.foes)))

    def boats(self) -> list[int]:
        """Indexes of enemy torpedo craft that have not fired. Rule: AA12."""
        if self._fresh is None:
            self._fresh = [
                n
                for n, foe in enumerate(self.foes)
                if foe.type in BOATS and not foe.fired and not foe.crippled
            ]
        return self._fresh


@lru_cache(maxsize=16_384)
def _pair(mine: odds.Kind, foe: odds.Kind, reach2: int) -> Pair:
    ours, theirs = _values(mine, foe), _values(foe, mine)
    far2 = 0
    for band, limit2 in enumerate((_CLOSE2, _NORMAL2, _LONG2, reach2)):
        if ours.full[band] > 0 or theirs.full[band] > 0 or ours.end[band] > 0 or theirs.end[band] > 0:
            far2 = limit2
    return Pair(ours, theirs, far2)


@lru_cache(maxsize=16_384)
def _values(firer: odds.Kind, target: odds.Kind) -> Values:
    full = tuple(odds.worth(firer, target, band, 0) for band in range(4))
    if firer.type in TORPEDO_CRAFT:
        return Values(full, full)  # type: ignore[arg-type]
    end = tuple(odds.worth(firer, target, max(band, 1), REDUCED) for band in range(4))
    return Values(full, end)  # type: ignore[arg-type]
