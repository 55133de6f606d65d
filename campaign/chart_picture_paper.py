"""What a small chart shows of the coast. Lengths are chart units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from campaign.chart_room import Box, overlap
from campaign.selectors.sea.chart_paper import coast

Point = tuple[float, float]

_RING = re.compile(r"M([^Mz]*)")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


@lru_cache(maxsize=8)
def rings(theatre_code: str) -> tuple[tuple[tuple[Point, ...], Box], ...]:
    """The coast of a theatre as closed rings of points in chart units, each with the box that it lies in.

    The coast is kept as path data of moves and relative lines. Raises FileNotFoundError for a theatre that has none.
    """
    found = []
    for piece in _RING.findall(coast(theatre_code)["land"]):
        numbers = [float(number) for number in _NUMBER.findall(piece)]
        x = y = 0.0
        points = []
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            points.append((x, y))
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        found.append((tuple(points), (min(xs), min(ys), max(xs), max(ys))))
    return tuple(found)


@lru_cache(maxsize=64)
def land_within(theatre_code: str, box: Box, finest: float) -> str:
    """Path data of the land within a box of the chart: no more is drawn than is seen. finest: the smallest detail kept, in chart units."""
    parts = []
    for points, around in rings(theatre_code):
        if not overlap(around, box) or max(around[2] - around[0], around[3] - around[1]) < finest:
            continue
        kept = _cut(_thinned(points, finest), box)
        if len(kept) > 2:
            parts.append("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in kept) + "z")
    return "".join(parts)


def _thinned(points: Sequence[Point], finest: float) -> list[Point]:
    """A ring without the points that lie nearer than `finest` to the one before."""
    kept = [points[0]]
    for x, y in points[1:]:
        if abs(x - kept[-1][0]) >= finest or abs(y - kept[-1][1]) >= finest:
            kept.append((x, y))
    return kept


def _cut(points: list[Point], box: Box) -> list[Point]:
    """A ring cut to a box, edge by edge (Sutherland and Hodgman)."""
    for axis, limit, sign in ((0, box[0], 1), (0, box[2], -1), (1, box[1], 1), (1, box[3], -1)):
        if not points:
            break
        points = _cut_edge(points, axis, limit, sign)
    return points


def _cut_edge(points: list[Point], axis: int, limit: float, sign: int) -> list[Point]:
    kept: list[Point] = []
    before = points[-1]
    was_in = sign * (before[axis] - limit) >= 0
    for point in points:
        is_in = sign * (point[axis] - limit) >= 0
        if is_in != was_in:
            share = (limit - before[axis]) / (point[axis] - before[axis])
            kept.append(
                (before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1]))
            )
        if is_in:
            kept.append(point)
        before, was_in = point, is_in
    return kept
