"""Points on the chart, and what lies between two near each other, in whole numbers. Rule: G.CH1.

Lengths are in thousandths of a nautical mile, bearings in degrees, points in hundred-thousandths of a degree (about half a metre of
latitude).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

SCALE = 100_000
_MILES = 60 * 1_000


class Point(NamedTuple):
    """Latitude and longitude in hundred-thousandths of a degree."""

    latitude: int
    longitude: int


@lru_cache(maxsize=4096)
def cosine_ppm(hundredths: int) -> int:
    """Cosine of an angle in hundredths of a degree, in millionths."""
    return round(math.cos(math.radians(hundredths / 100)) * 1_000_000)


def offset(start: Point, end: Point) -> tuple[int, int]:
    """Miles east and north from one point to another near it, thousandths, on a flat chart of their mean latitude."""
    east = end.longitude - start.longitude
    if abs(east) > 180 * SCALE:
        east += 360 * SCALE if east < 0 else -360 * SCALE
    middle = (start.latitude + end.latitude) // (2 * SCALE // 100)
    return (
        east * _MILES * cosine_ppm(middle) // (SCALE * 1_000_000),
        (end.latitude - start.latitude) * _MILES // SCALE,
    )


def miles_between(start: Point, end: Point) -> int:
    """Thousandths of a mile between two points near each other."""
    return math.isqrt(sum(part * part for part in offset(start, end)))


def miles_north(start: Point, end: Point) -> int:
    """Thousandths of a mile between the latitudes of two points, which are never further apart than the points are."""
    return abs((end.latitude - start.latitude) * _MILES // SCALE)


def bearing_between(start: Point, end: Point) -> int:
    """Degrees from one point to another; 0 when they are the same."""
    east, north = offset(start, end)
    return round(math.degrees(math.atan2(east, north))) % 360


def near_pairs(points: Sequence[Point], miles: int) -> Iterator[tuple[int, int]]:
    """Places in a list of the points that may lie within some thousandths of a mile of each other, each pair once, the lower first.

    Points are looked up in squares of that size, so that far ones cost nothing; some that lie up to twice as far apart are named too.
    No chart that is sailed crosses the 180th meridian.
    """
    if not points:
        return
    high = miles * SCALE // _MILES + 1
    narrowest = cosine_ppm(max(abs(point.latitude) for point in points) * 100 // SCALE + 1)
    wide = high * 1_000_000 // max(1, narrowest) + 1
    squares: dict[tuple[int, int], list[int]] = {}
    for n, point in enumerate(points):
        row, column = point.latitude // high, point.longitude // wide
        for beside in ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            for other in squares.get((row + beside[0], column + beside[1]), ()):
                yield other, n
        squares.setdefault((row, column), []).append(n)
