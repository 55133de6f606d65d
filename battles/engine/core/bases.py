"""Rectangular bases on the plane: how far apart two are and where they are nearest, and the corridor that a front edge sweeps.

Whole numbers in the units of `plane`; distances are rounded to the nearest unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from battles.engine.core.plane import UNIT, Box, Hull, Point, advance, frame, nearest, overlap, unit


def front(hull: Hull, length: int = 0) -> Point:
    """The middle of a base's front edge, or the point so far ahead of it."""
    return advance((hull.x, hull.y), hull.heading, hull.length // 2 + length)


def corridor(hull: Hull, length: int) -> Box:
    """What the front edge sweeps in an advance: as wide as the base, so long, beginning at the edge; the base itself is no part of it."""
    x, y = front(hull, length // 2)
    return Box(x, y, hull.heading, length, hull.beam)


def front_edge(hull: Hull) -> Box:
    """The front edge as a rectangle without length."""
    x, y = front(hull)
    return Box(x, y, hull.heading, 0, hull.beam)


def corners(hull: Hull) -> tuple[Point, Point, Point, Point]:
    """Front to starboard, rear to starboard, rear to port, front to port."""
    sin, cos = unit(hull.heading)
    long, wide = hull.length, hull.beam
    one, two, three, four = (
        (
            hull.x + nearest(fore * long * sin + right * wide * cos, 2 * UNIT),
            hull.y + nearest(fore * long * cos - right * wide * sin, 2 * UNIT),
        )
        for fore, right in ((1, 1), (-1, 1), (-1, -1), (1, -1))
    )
    return one, two, three, four


def gap(a: Hull, b: Hull) -> int:
    """The distance between the nearest points of two bases, 0 when they overlap or touch."""
    if overlap(a, b):
        return 0
    return nearest(math.isqrt(min((*_off(a, b), *_off(b, a)))), UNIT)


def nearest_points(a: Hull, b: Hull) -> tuple[Point, Point]:
    """Where two bases are nearest to each other: a point of the first, a point of the second; one and the same when they overlap."""
    if overlap(a, b):
        return (b.x, b.y), (b.x, b.y)
    pairs = [(_clamped(a, corner), corner) for corner in corners(b)]
    pairs += [(corner, _clamped(b, corner)) for corner in corners(a)]
    return min(pairs, key=lambda pair: (pair[0][0] - pair[1][0]) ** 2 + (pair[0][1] - pair[1][1]) ** 2)


def _off(a: Hull, b: Hull) -> Iterator[int]:
    """Squared distances of the corners of b from a, in squares of a thousand-millionth."""
    for corner in corners(b):
        ahead, right = frame(a, corner)
        along = max(abs(ahead) - a.length * UNIT // 2, 0)
        abeam = max(abs(right) - a.beam * UNIT // 2, 0)
        yield along * along + abeam * abeam


def _clamped(hull: Hull, point: Point) -> Point:
    """The point of a base that is nearest to another point."""
    ahead, right = frame(hull, point)
    long, wide = hull.length * UNIT // 2, hull.beam * UNIT // 2
    ahead, right = max(-long, min(long, ahead)), max(-wide, min(wide, right))
    sin, cos = unit(hull.heading)
    return (
        hull.x + nearest(ahead * sin + right * cos, UNIT * UNIT),
        hull.y + nearest(ahead * cos - right * sin, UNIT * UNIT),
    )


def segment_gap(a: Point, b: Point, c: Point, d: Point) -> int:
    """The distance between two straight stretches, 0 when they meet."""
    if _turn(a, b, c) * _turn(a, b, d) <= 0 and _turn(c, d, a) * _turn(c, d, b) <= 0:
        if _turn(a, b, c) or _turn(a, b, d) or _turn(c, d, a) or _turn(c, d, b):
            return 0
    return min(point_gap(a, c, d), point_gap(b, c, d), point_gap(c, a, b), point_gap(d, a, b))


def point_gap(point: Point, a: Point, b: Point) -> int:
    """The distance of a point from a straight stretch."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    px, py = point[0] - a[0], point[1] - a[1]
    square, along = dx * dx + dy * dy, px * dx + py * dy
    if along <= 0 or not square:
        return _root(px * px + py * py)
    if along >= square:
        return _root((point[0] - b[0]) ** 2 + (point[1] - b[1]) ** 2)
    return _root(nearest((px * dy - py * dx) ** 2, square))


def _root(square: int) -> int:
    root = math.isqrt(square)
    return root + (square - root * root > root)


def _turn(a: Point, b: Point, c: Point) -> int:
    way = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (way > 0) - (way < 0)
