"""Land and shoal as squares of 500 yards: what stops sight and fire, and what a front edge runs upon.

Rules: P.S28, P.K42, P.V10, P.F18, P.F21, P.F22, P.A01.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from battles.engine.core import plane
from battles.engine.core.bases import front_edge
from battles.engine.core.plane import Box, Hull, Point
from battles.engine.rulesets.barker.state import Battle, Cell
from battles.engine.rulesets.barker.tables import OVERLAP, YARD

# Side of a square; square (i, j) begins at (500 i, 500 j). Rule: P.K42.
SIDE = 500 * YARD


def cell_of(point: Point) -> Cell:
    """The square in which a point lies."""
    return point[0] // SIDE, point[1] // SIDE


def blocks(battle: Battle, a: Point, b: Point, beside: frozenset[str] = frozenset()) -> bool:
    """Whether land lies on the line between two points. beside: installations whose own land is no hindrance.

    Rules: P.S28, P.V10, P.F18, P.F21.
    """
    if not battle.land:
        return False
    own = frozenset[Cell]().union(*(_mass(battle.land, cell_of(battle.units[code].at)) for code in beside))
    return any(cell in battle.land and cell not in own for cell in crossed(a, b))


def shoals_block(battle: Battle, a: Point, b: Point) -> bool:
    """Whether a shoal lies on the line between two points; it stops the shots of torpedo craft alone. Rule: P.F22."""
    return bool(battle.shoal) and any(cell in battle.shoal for cell in crossed(a, b))


def crossed(a: Point, b: Point) -> Iterator[Cell]:
    """The squares that a straight line passes through, in order; one that it meets in a corner alone is left out."""
    (i, j), end = cell_of(a), cell_of(b)
    dx, dy = b[0] - a[0], b[1] - a[1]
    step_x, step_y = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    yield i, j
    while (i, j) != end:
        # How far to the next upright and the next level edge, compared without dividing.
        edge_x = (i + (dx > 0)) * SIDE - a[0]
        edge_y = (j + (dy > 0)) * SIDE - a[1]
        if not dx:
            j += step_y
        elif not dy:
            i += step_x
        else:
            to_x, to_y = abs(edge_x * dy), abs(edge_y * dx)
            if to_x <= to_y:
                i += step_x
            if to_y <= to_x:
                j += step_y
        if (i - end[0]) * step_x > 0 or (j - end[1]) * step_y > 0:
            return
        yield i, j


@lru_cache(maxsize=256)
def _mass(land: frozenset[Cell], at: Cell) -> frozenset[Cell]:
    """The land that hangs together about a square, with what touches it where it is no land itself. Rule: P.F21."""
    found: set[Cell] = set()
    edge = [cell for cell in _around(at) if cell in land]
    while edge:
        cell = edge.pop()
        if cell not in found:
            found.add(cell)
            edge += [other for other in _around(cell) if other in land and other not in found]
    return frozenset(found)


def _around(cell: Cell) -> Iterator[Cell]:
    for i in (-1, 0, 1):
        for j in (-1, 0, 1):
            yield cell[0] + i, cell[1] + j


def first_touch(battle: Battle, hull: Hull, length: int) -> int | None:
    """How far a base advances before its front edge meets land or shoal, rounded down; None when it stays clear or only grazes it.

    Rules: P.A01, P.M22, P.Z02, P.Z03.
    """
    if not (battle.land or battle.shoal):
        return None
    edge = front_edge(hull)
    edge = edge._replace(beam=edge.beam - 2 * OVERLAP)
    length -= OVERLAP
    end = plane.advance((edge.x, edge.y), hull.heading, length)
    half = edge.beam // 2
    west, south = cell_of((min(edge.x, end[0]) - half, min(edge.y, end[1]) - half))
    east, north = cell_of((max(edge.x, end[0]) + half, max(edge.y, end[1]) + half))
    touched = [
        at
        for i in range(west, east + 1)
        for j in range(south, north + 1)
        if ((i, j) in battle.land or (i, j) in battle.shoal)
        and (at := plane.first_touch(edge, hull.heading, length, square(i, j))) is not None
    ]
    return min(touched, default=None)


def square(i: int, j: int) -> Box:
    """A square of land as a rectangle."""
    return Box(i * SIDE + SIDE // 2, j * SIDE + SIDE // 2, 0, SIDE, SIDE)


def aground(battle: Battle, hull: Hull) -> bool:
    """Whether any part of a base lies on land or shoal."""
    reach = hull.length
    west, south = cell_of((hull.x - reach, hull.y - reach))
    east, north = cell_of((hull.x + reach, hull.y + reach))
    return any(
        ((i, j) in battle.land or (i, j) in battle.shoal) and plane.overlap(hull, square(i, j), -OVERLAP)
        for i in range(west, east + 1)
        for j in range(south, north + 1)
    )
