"""Plane geometry for the coast: rings clipped to a box, cut by other rings and thinned out. Needs shapely; the site never imports it.

A region is a list of rings filled even-odd, so a hole needs no mark and no orientation.
A ring does not repeat its first point.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable
from functools import reduce
from itertools import pairwise
from operator import xor

import numpy as np
import shapely
from shapely import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry

from campaign.data.coast.paths import Point, Ring

Rect = tuple[float, float, float, float]
Piece = tuple[Point, Point]


def clip_ring(ring: Ring, rect: Rect) -> Ring:
    """The part of a ring inside a rectangle (x from, y from, x to, y to), by Sutherland and Hodgman.

    Where the ring leaves and comes back, the result runs along the rectangle's edge; keep that edge out of
    sight.
    """
    low_x, low_y, high_x, high_y = rect
    for axis, bound, sign in ((0, low_x, 1), (0, high_x, -1), (1, low_y, 1), (1, high_y, -1)):
        ring = _clip_half(ring, axis, bound, sign)
    return ring


def _clip_half(ring: Ring, axis: int, bound: float, sign: int) -> Ring:
    """The part of a ring on one side of a line parallel to an axis."""
    kept: Ring = []
    for a, b in edges(ring):
        a_in = sign * (a[axis] - bound) >= 0
        b_in = sign * (b[axis] - bound) >= 0
        if a_in:
            kept.append(a)
        if a_in != b_in:
            share = (bound - a[axis]) / (b[axis] - a[axis])
            other = a[1 - axis] + share * (b[1 - axis] - a[1 - axis])
            kept.append((bound, other) if axis == 0 else (other, bound))
    return kept


def edges(ring: Ring) -> Iterable[tuple[Point, Point]]:
    """The edges of a ring, the closing one last."""
    yield from pairwise(ring)
    if ring:
        yield ring[-1], ring[0]


def area(ring: Ring) -> float:
    """Area inside a ring, never negative, in the square of its unit."""
    return Polygon(ring).area if len(ring) > 2 else 0.0


def reaches(ring: Ring, rect: Rect) -> bool:
    """Whether the smallest rectangle around a ring has a point in common with another rectangle."""
    return box(*LineString(ring).bounds).intersects(box(*rect))


def inside(point: Point, rings: Iterable[Ring]) -> bool:
    """Whether a point lies in a region, by the even-odd rule: making polygons of the rings would take ten times as long."""
    x, y = point
    odd = False
    for ring in rings:
        for (x1, y1), (x2, y2) in edges(ring):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                odd = not odd
    return odd


def cut(land: list[Ring], water: list[Ring]) -> tuple[list[Ring], list[Ring]]:
    """Cut one region out of another: (land without the water, the part of the land that was cut out).

    Both shores are split where they cross, sorted by the side they lie on and joined up again. Whole polygons
    would be less work, but shapely breaks a ring where it touches itself, and the thinning depends on where a
    ring starts: a chart built again would hide other fleets (G.SI1). Raises ValueError where an edge of one
    runs along an edge of the other and the pieces do not join up: move a corner there a little by hand.
    """
    frame = shapely.multilinestrings([LineString(ring) for ring in water]).bounds
    near = [ring for ring in land if reaches(ring, frame)]
    far = [ring for ring in land if not reaches(ring, frame)]
    if not near:
        return land, []
    basin, ground = _region(water, frame), _region(near, frame)
    shore = _lines(near)
    shapely.prepare(basin)
    met = shapely.intersects(shore, basin)
    dry = shore.copy()
    dry[met] = shapely.difference(shore[met], basin)
    banks = _pieces(shapely.intersection(_lines(water), ground))
    return far + _join_up(_pieces(dry) + banks), _join_up(
        _pieces(shapely.intersection(shore[met], basin)) + banks
    )


def _region(rings: list[Ring], frame: Rect) -> BaseGeometry:
    """What lies inside some rings, in and a little around a rectangle."""
    window = box(*frame).buffer(1)
    areas: list[BaseGeometry] = [shapely.make_valid(Polygon(ring)) & window for ring in rings]
    return reduce(xor, areas)


def _lines(rings: list[Ring]) -> np.ndarray:
    """The edges of rings, in their order."""
    return shapely.linestrings([edge for ring in rings for edge in edges(ring)])


def _pieces(lines: np.ndarray) -> list[Piece]:
    """The straight pieces that lines consist of, in their order."""
    return [
        (start, end)
        for line in shapely.get_parts(lines)
        if isinstance(line, LineString)
        for start, end in pairwise((x, y) for x, y in line.coords)
    ]


def _join_up(pieces: list[Piece]) -> list[Ring]:
    """Rings made of loose pieces. Raises ValueError if an odd number of pieces meets at an end.

    Four may meet where a shore touches itself; which pairs are then joined is all one to even-odd filling.
    """
    at: dict[Point, list[Point]] = defaultdict(list)
    for a, b in pieces:
        if a != b:
            at[a].append(b)
            at[b].append(a)
    for point, others in at.items():
        if len(others) % 2:
            raise ValueError(f"{len(others)} edges meet at {point}: move the corner near it a little")
    rings: list[Ring] = []
    for start, others in at.items():
        while others:
            ring = [start]
            here = _step(at, start)
            while here != start:
                ring.append(here)
                here = _step(at, here)
            rings.append(ring)
    return rings


def _step(at: dict[Point, list[Point]], here: Point) -> Point:
    """Walk one piece on from a point, and take that piece out of the store."""
    there = at[here].pop()
    at[there].remove(here)
    return there


def simplify(ring: Ring, tolerance: float) -> Ring:
    """Leave out points of little weight, by Visvalingam and Whyatt.

    A point weighs as much as the triangle it makes with its neighbours; those below the tolerance (in the
    square of the ring's unit) go, the lightest first, until a triangle is left.
    """
    count = len(ring)
    before = [(i - 1) % count for i in range(count)]
    after = [(i + 1) % count for i in range(count)]
    weight = [_triangle(ring[before[i]], ring[i], ring[after[i]]) for i in range(count)]
    heap = [(weight[i], i) for i in range(count)]
    heapq.heapify(heap)
    alive = [True] * count
    left = count
    while heap and left > 3:
        lightest, i = heapq.heappop(heap)
        if lightest >= tolerance:
            break
        if not alive[i] or lightest != weight[i]:
            continue
        alive[i] = False
        left -= 1
        after[before[i]], before[after[i]] = after[i], before[i]
        for j in (before[i], after[i]):
            # never lighter than the point just dropped, or a long flat curve would unravel
            weight[j] = max(lightest, _triangle(ring[before[j]], ring[j], ring[after[j]]))
            heapq.heappush(heap, (weight[j], j))
    return [point for point, keep in zip(ring, alive, strict=True) if keep]


def _triangle(a: Point, b: Point, c: Point) -> float:
    return abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2
