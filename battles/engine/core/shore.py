"""Land on the plane: polygons in the units of `plane`, and what a hull or a line of sight has to do with them."""

from __future__ import annotations

from collections.abc import Iterator

from battles.engine.core.plane import UNIT, Hull, Point, clip, frame, segment_cuts, unit, when

Polygon = tuple[Point, ...]


def first_ashore(hull: Hull, towards: int, length: int, land: Polygon) -> int | None:
    """How far a hull goes on a bearing before any part of her touches land, rounded down; None when she stays clear.

    0 when she lies ashore already.
    """
    if ashore(hull, land):
        return 0
    found = [
        at for a, b in edges(land) if (at := when(clip(_shore_rows(hull, towards, a, b)), length)) is not None
    ]
    return min(found, default=None)


def _shore_rows(hull: Hull, towards: int, a: Point, b: Point) -> Iterator[tuple[int, int, int]]:
    """Conditions under which a moving hull meets a stretch of shore: on her two axes and across the stretch."""
    sin, cos = unit(towards)
    own_sin, own_cos = unit(hull.heading)
    (ahead, right), (end_ahead, end_right) = frame(hull, a), frame(hull, b)
    yield (
        (ahead + end_ahead) * UNIT,
        2 * (sin * own_sin + cos * own_cos),
        (hull.length * UNIT + abs(ahead - end_ahead)) * UNIT,
    )
    yield (
        (right + end_right) * UNIT,
        2 * (sin * own_cos - cos * own_sin),
        (hull.beam * UNIT + abs(right - end_right)) * UNIT,
    )
    across, up = b[1] - a[1], a[0] - b[0]
    along_keel, along_beam = across * own_sin + up * own_cos, across * own_cos - up * own_sin
    yield (
        2 * UNIT * ((a[0] - hull.x) * across + (a[1] - hull.y) * up),
        2 * (sin * across + cos * up),
        hull.length * abs(along_keel) + hull.beam * abs(along_beam),
    )


def edges(land: Polygon) -> Iterator[tuple[Point, Point]]:
    """The stretches of a shore, the last one back to the beginning."""
    return zip(land, (*land[1:], land[0]), strict=True)


def inside(point: Point, land: Polygon) -> bool:
    """Whether a point lies on land; points exactly on the shore may fall either way."""
    found = False
    for (ax, ay), (bx, by) in edges(land):
        if (ay > point[1]) != (by > point[1]):
            side = (bx - ax) * (point[1] - ay) - (point[0] - ax) * (by - ay)
            found ^= (side > 0) == (by > ay)
    return found


def ashore(hull: Hull, land: Polygon) -> bool:
    """Whether any part of a hull touches land."""
    return inside((hull.x, hull.y), land) or any(segment_cuts(a, b, hull) for a, b in edges(land))


def crosses_land(a: Point, b: Point, land: Polygon) -> bool:
    """Whether the straight line between two points meets land."""
    return inside(a, land) or any(_segments_meet(a, b, c, d) for c, d in edges(land))


def _segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    first, second = _side(a, b, c), _side(a, b, d)
    third, fourth = _side(c, d, a), _side(c, d, b)
    if not (first or second or third or fourth):
        return max(min(a, b), min(c, d)) <= min(max(a, b), max(c, d))
    return first * second <= 0 and third * fourth <= 0


def _side(a: Point, b: Point, c: Point) -> int:
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)
