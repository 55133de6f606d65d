"""Geometry of the plane, for rule sets that are measured on a table. Whole numbers throughout, so that every machine agrees.

Lengths are thousandths of an inch, angles hundredths of a degree; x grows east, y north, headings run clockwise from north.
A result is rounded to the nearest unit, halves away from zero; comparisons are exact and every limit belongs to the inside.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

Point = tuple[int, int]

FULL = 36_000
STRAIGHT = 18_000
RIGHT = 9_000
# A unit vector is kept in thousand-millionths.
UNIT = 10**9
# Hulls that have met lie at most this far apart: each of two positions was rounded.
TOUCH = 2


class Hull(Protocol):
    """A rectangle about its middle, long axis on the heading."""

    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...
    @property
    def heading(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def beam(self) -> int: ...


class Box(NamedTuple):
    """A hull as a value: where one would lie, or lay."""

    x: int
    y: int
    heading: int
    length: int
    beam: int


def _sines() -> tuple[int, ...]:
    """Sines of 0 to 449.99 degrees by hundredths, by turning a vector step by step in 128-bit whole numbers."""
    one = 1 << 128
    pi = 3141592653589793238462643383279502884197 * one // 10**39
    step = pi // STRAIGHT
    square = step * step // one
    sin_step = step - step * square // (6 * one) + step * square // one * square // (120 * one)
    cos_step = one - square // 2 + square * square // (24 * one)
    quarter = []
    sin, cos = 0, one
    for _ in range(RIGHT + 1):
        quarter.append((sin * UNIT + one // 2) // one)
        sin, cos = (sin * cos_step + cos * sin_step) // one, (cos * cos_step - sin * sin_step) // one
    half = quarter[:RIGHT] + quarter[:0:-1]
    full = half + [-value for value in half]
    return tuple(full + full[:RIGHT])


_SIN = _sines()


def unit(heading: int) -> Point:
    """The unit vector of a heading, x and y in thousand-millionths. heading: 0 to 35 999."""
    return _SIN[heading], _SIN[heading + RIGHT]


def nearest(number: int, divisor: int) -> int:
    """A quotient rounded to the nearest whole number, halves away from zero. divisor: above 0."""
    if number >= 0:
        return (2 * number + divisor) // (2 * divisor)
    return -((divisor - 2 * number) // (2 * divisor))


def turned(heading: int, by: int) -> int:
    """A heading turned clockwise by so much, anticlockwise when negative."""
    return (heading + by) % FULL


def swing(heading: int, to: int) -> int:
    """The turn that brings one heading to another the short way: above -18 000, at most 18 000 (clockwise)."""
    by = (to - heading) % FULL
    return by - FULL if by > STRAIGHT else by


def angle(a: int, b: int) -> int:
    """The angle between two headings, 0 to 18 000."""
    by = (a - b) % FULL
    return FULL - by if by > STRAIGHT else by


def distance(a: Point, b: Point) -> int:
    """The distance of two points, rounded."""
    square = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
    root = math.isqrt(square)
    return root + (square - root * root > root)


def within(a: Point, b: Point, reach: int) -> bool:
    """Whether two points lie at most so far apart; exact."""
    dx, dy = a[0] - b[0], a[1] - b[1]
    return dx * dx + dy * dy <= reach * reach


def bearing(a: Point, b: Point) -> int:
    """The bearing of b from a, rounded. Raises ValueError when they are the same point."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    if not dx and not dy:
        raise ValueError("a point has no bearing from itself")
    low = int(math.degrees(math.atan2(dx, dy)) * 100) % FULL
    # The guess is made in floats; what stands is settled by whole numbers.
    while dx * _SIN[low + RIGHT] < dy * _SIN[low]:
        low = (low - 1) % FULL
    while dx * _SIN[(low + 1) % FULL + RIGHT] >= dy * _SIN[(low + 1) % FULL]:
        low = (low + 1) % FULL
    high = (low + 1) % FULL
    short = dx * _SIN[low + RIGHT] - dy * _SIN[low]
    over = dy * _SIN[high] - dx * _SIN[high + RIGHT]
    return high if short >= over else low


def advance(start: Point, heading: int, length: int) -> Point:
    """The point so far off on a bearing, rounded."""
    sin, cos = unit(heading)
    return start[0] + nearest(length * sin, UNIT), start[1] + nearest(length * cos, UNIT)


def leg(start: Point, heading: int, turn1: int, length: int, turn2: int) -> tuple[Point, int, int]:
    """One move: a turn on the spot, a straight leg, a turn. Returns the end, the heading of the leg and the last heading."""
    course = turned(heading, turn1)
    return advance(start, course, length), course, turned(course, turn2)


def frame(hull: Hull, point: Point) -> Point:
    """A point as the hull has it: how far ahead of her middle and how far to starboard, in thousand-millionths of a unit."""
    sin, cos = _SIN[hull.heading], _SIN[hull.heading + RIGHT]
    dx, dy = point[0] - hull.x, point[1] - hull.y
    return dx * sin + dy * cos, dx * cos - dy * sin


def corners(hull: Hull) -> tuple[Point, Point, Point, Point]:
    """Starboard bow, starboard quarter, port quarter and port bow, rounded."""
    sin, cos = unit(hull.heading)
    return tuple(  # type: ignore[return-value]
        (
            hull.x + nearest(ahead * hull.length * sin + right * hull.beam * cos, 2 * UNIT),
            hull.y + nearest(ahead * hull.length * cos - right * hull.beam * sin, 2 * UNIT),
        )
        for ahead, right in ((1, 1), (-1, 1), (-1, -1), (1, -1))
    )


def nearest_point(hull: Hull, point: Point) -> Point:
    """The point of a hull nearest to another, which may be that point itself; rounded."""
    ahead, right = frame(hull, point)
    most, wide = hull.length * UNIT // 2, hull.beam * UNIT // 2
    ahead, right = max(-most, min(most, ahead)), max(-wide, min(wide, right))
    sin, cos = unit(hull.heading)
    square = UNIT * UNIT
    x, y = nearest(ahead * sin + right * cos, square), nearest(ahead * cos - right * sin, square)
    return hull.x + x, hull.y + y


def in_fan(hull: Hull, point: Point, half_angle: int, *, starboard: bool) -> bool:
    """Whether a point lies in the fan of one broadside.

    The fan is a wedge of `half_angle` either side of the beam, slid along the ship's side from stern to stem.
    """
    side = fan(hull, point, half_angle)
    return side > 0 if starboard else side < 0


def fan(hull: Hull, point: Point, half_angle: int) -> int:
    """In which fan a point lies: 1 for the starboard one, -1 for the port one, 0 for neither. See `in_fan`."""
    ahead, right = frame(hull, point)
    out = abs(right) * 2 - hull.beam * UNIT
    if out < 0:
        return 0
    sin, cos = unit(half_angle)
    if 2 * abs(ahead) * cos > hull.length * UNIT * cos + out * sin:
        return 0
    return 1 if right > 0 else -1


def keel_cuts(hull: Hull, other: Hull) -> bool:
    """Whether the keel line of a hull, produced both ways without end, cuts another hull."""
    right = frame(hull, (other.x, other.y))[1]
    by = (other.heading - hull.heading) % FULL
    return 2 * abs(right) <= other.length * abs(_SIN[by]) + other.beam * abs(_SIN[by + RIGHT])


def keel_reaches(hull: Hull, other: Hull, *, astern: bool = False) -> bool:
    """Whether the keel line drawn one way only, from the middle ahead or astern, cuts another hull."""
    if not keel_cuts(hull, other):
        return False
    heading = turned(hull.heading, STRAIGHT) if astern else hull.heading
    span = clip(_ray(other, (hull.x, hull.y), unit(heading)))
    return span is not None and span[1][0] >= 0


def segment_cuts(a: Point, b: Point, hull: Hull) -> bool:
    """Whether the straight line between two points meets a hull, her edge included."""
    ahead, right = frame(hull, a)
    end_ahead, end_right = frame(hull, b)
    low_ahead, high_ahead = (ahead, end_ahead) if ahead < end_ahead else (end_ahead, ahead)
    low_right, high_right = (right, end_right) if right < end_right else (end_right, right)
    most, wide = hull.length * UNIT, hull.beam * UNIT
    if 2 * low_ahead > most or 2 * high_ahead < -most or 2 * low_right > wide or 2 * high_right < -wide:
        return False
    run, rise = end_ahead - ahead, end_right - right
    return 2 * abs(ahead * rise - right * run) <= most * abs(rise) + wide * abs(run)


def overlap(a: Hull, b: Hull, slack: int = 0) -> bool:
    """Whether two hulls overlap or touch; with `slack`, whether no axis of either parts them by more."""
    return _least_overlap(a, b)[0] >= -2 * slack * UNIT


def touching(a: Hull, b: Hull) -> bool:
    """Whether two hulls lie against each other, as near as rounded positions can tell."""
    return overlap(a, b, TOUCH)


def gap_within(a: Hull, b: Hull, reach: int) -> bool:
    """Whether two hulls overlap or lie at most so far apart, corner to corner included."""
    least = _least_overlap(a, b)[0]
    if least >= 0:
        return True
    if least < -2 * reach * UNIT:
        return False
    limit = (2 * reach * UNIT) ** 2
    return any(square <= limit for square in (*_corner_gaps(a, b), *_corner_gaps(b, a)))


def _corner_gaps(a: Hull, b: Hull) -> Iterator[int]:
    """Squared distances of the corners of b from the rectangle of a, in half thousand-millionths of a unit."""
    ahead, right = frame(a, (b.x, b.y))
    by = (b.heading - a.heading) % FULL
    sin, cos = _SIN[by], _SIN[by + RIGHT]
    for fore, star in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
        along = abs(2 * ahead + fore * b.length * cos - star * b.beam * sin) - a.length * UNIT
        abeam = abs(2 * right + fore * b.length * sin + star * b.beam * cos) - a.beam * UNIT
        yield max(along, 0) ** 2 + max(abeam, 0) ** 2


def _least_overlap(a: Hull, b: Hull) -> tuple[int, int]:
    """By how much two hulls overlap on the axis that parts them best, doubled; and the bearing on which b lies there."""
    by = (b.heading - a.heading) % FULL
    sin, cos = abs(_SIN[by]), abs(_SIN[by + RIGHT])
    best: tuple[int, int] | None = None
    for one, other in ((a, b), (b, a)):
        ahead, right = frame(one, (other.x, other.y))
        along = one.length * UNIT + other.length * cos + other.beam * sin - 2 * abs(ahead)
        abeam = one.beam * UNIT + other.length * sin + other.beam * cos - 2 * abs(right)
        away = 0 if one is a else STRAIGHT
        if best is None or along < best[0]:
            best = along, turned(one.heading, away + (0 if ahead >= 0 else STRAIGHT))
        if abeam < best[0]:
            best = abeam, turned(one.heading, away + (RIGHT if right >= 0 else -RIGHT))
    assert best is not None
    return best


def deepens(hull: Hull, towards: int, other: Hull) -> bool:
    """Whether a hull that touches another would press further into it by moving on a bearing."""
    side = _least_overlap(hull, other)[1]
    return angle(side, towards) < RIGHT


def passes_clear(hull: Hull, towards: int, length: int, other: Hull, reach: int = 0) -> bool:
    """Whether a hull that goes so far on a bearing surely stays more than `reach` from another, by the circles about both.

    A quick look before the exact ones; False says nothing.
    """
    sin, cos = _SIN[towards], _SIN[towards + RIGHT]
    dx, dy = other.x - hull.x, other.y - hull.y
    room = (hull.length + hull.beam + other.length + other.beam + 2 * reach + 4 * TOUCH) * UNIT
    if 2 * abs(dx * cos - dy * sin) > room:
        return True
    along = 2 * (dx * sin + dy * cos)
    return along < -room or along > room + 2 * length * UNIT


def first_touch(hull: Hull, towards: int, length: int, other: Hull) -> int | None:
    """How far a hull goes on a bearing before she first touches another, rounded down; None when she goes clear.

    0 when they touch already.
    """
    sin, cos = _SIN[towards], _SIN[towards + RIGHT]
    by = (other.heading - hull.heading) % FULL
    across, beside = abs(_SIN[by]), abs(_SIN[by + RIGHT])
    rows = []
    for one, two in ((hull, other), (other, hull)):
        one_sin, one_cos = unit(one.heading)
        dx, dy = other.x - hull.x, other.y - hull.y
        far = one.length * UNIT + two.length * beside + two.beam * across
        wide = one.beam * UNIT + two.length * across + two.beam * beside
        rows.append(
            (2 * UNIT * (dx * one_sin + dy * one_cos), 2 * (sin * one_sin + cos * one_cos), far * UNIT)
        )
        rows.append(
            (2 * UNIT * (dx * one_cos - dy * one_sin), 2 * (sin * one_cos - cos * one_sin), wide * UNIT)
        )
    return when(clip(rows), length)


def _ray(hull: Hull, start: Point, way: Point) -> Iterator[tuple[int, int, int]]:
    """Conditions under which a point moving on a unit vector lies in a hull."""
    sin, cos = unit(hull.heading)
    ahead, right = frame(hull, start)
    yield -2 * UNIT * ahead, 2 * (way[0] * sin + way[1] * cos), hull.length * UNIT * UNIT
    yield -2 * UNIT * right, 2 * (way[0] * cos - way[1] * sin), hull.beam * UNIT * UNIT


Ratio = tuple[int, int]


def clip(rows: Iterable[tuple[int, int, int]]) -> tuple[Ratio, Ratio] | None:
    """The span of t in which |offset - speed t| <= room for every row (offset, speed, room), as two ratios.

    None when there is no such t, or when every t will do on all rows.
    """
    low: Ratio | None = None
    high: Ratio | None = None
    for offset, speed, room in rows:
        if not speed:
            if abs(offset) > room:
                return None
            continue
        if speed < 0:
            offset, speed = -offset, -speed
        start, end = (offset - room, speed), (offset + room, speed)
        if low is None or start[0] * low[1] > low[0] * start[1]:
            low = start
        if high is None or end[0] * high[1] < high[0] * end[1]:
            high = end
    if low is None or high is None or low[0] * high[1] > high[0] * low[1]:
        return None
    return low, high


def when(span: tuple[Ratio, Ratio] | None, length: int) -> int | None:
    """The first moment of a span, not before 0, rounded down; None when it lies behind or beyond a length."""
    if span is None or span[1][0] < 0:
        return None
    start = span[0][0] // span[0][1]
    return max(start, 0) if span[0][0] <= length * span[0][1] else None
