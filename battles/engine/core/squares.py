"""Square geometry: areas (x, y), x grows to the east and y to the north; a diagonal step costs as much as a straight one.

Headings are 0..7, clockwise from north. Everything is in integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

Square = tuple[int, int]

# One step on each heading, clockwise from north.
STEPS: tuple[Square, ...] = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
NAMES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
AHEAD, ASTERN, PORT, STARBOARD = "ahead", "astern", "port", "starboard"
# Hundredths of a degree between two headings.
_EIGHTH = 4_500


def step(square: Square, heading: int, count: int = 1) -> Square:
    """The area `count` steps away on a heading; astern of it for a negative count."""
    dx, dy = STEPS[heading % 8]
    return square[0] + dx * count, square[1] + dy * count


def turned(heading: int, by: int) -> int:
    """A heading turned clockwise by so many eighths (negative: anticlockwise)."""
    return (heading + by) % 8


def distance(a: Square, b: Square) -> int:
    """Steps between two areas; 0 when they are the same."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def frame(square: Square, heading: int, other: Square) -> tuple[int, int]:
    """Where another area lies from a ship: how far forward, and how far to starboard (negative: to port).

    Both in areas; on a diagonal heading both are twice as large as the steps, so only their ratio is to be compared.
    """
    vx, vy = STEPS[heading]
    dx, dy = other[0] - square[0], other[1] - square[1]
    return dx * vx + dy * vy, dx * vy - dy * vx


def quarter(square: Square, heading: int, other: Square) -> str:
    """In which of four quarters another area lies; exactly between two of them it is on the beam.

    Raises ValueError for the area itself.
    """
    forward, right = frame(square, heading, other)
    if not forward and not right:
        raise ValueError("an area has no bearing from itself")
    if forward > abs(right):
        return AHEAD
    if -forward > abs(right):
        return ASTERN
    return STARBOARD if right > 0 else PORT


def straight(square: Square, heading: int, other: Square) -> str:
    """On which of the four straight lines from a ship another area lies: ahead, astern, port or starboard; "" on none."""
    forward, right = frame(square, heading, other)
    if not right:
        return AHEAD if forward > 0 else ASTERN if forward < 0 else ""
    if not forward:
        return STARBOARD if right > 0 else PORT
    return ""


@lru_cache(maxsize=4096)
def between(dx: int, dy: int) -> tuple[Square, ...]:
    """The areas, as offsets from the first, through whose inside the line to an area at this offset passes.

    The line goes from centre to centre. It does not pass through an area of which it only touches a corner, nor through its ends.
    """
    least_x, most_x = sorted((0, dx))
    least_y, most_y = sorted((0, dy))
    whole, width = dx * dx + dy * dy, abs(dx) + abs(dy)
    return tuple(
        (x, y)
        for x in range(least_x, most_x + 1)
        for y in range(least_y, most_y + 1)
        if 2 * abs(dx * y - dy * x) < width and 0 < x * dx + y * dy < whole
    )


def line(a: Square, b: Square) -> Iterator[Square]:
    """The areas through whose inside the line between the centres of two others passes."""
    for dx, dy in between(b[0] - a[0], b[1] - a[1]):
        yield a[0] + dx, a[1] + dy


def nearest_heading(bearing: int) -> int:
    """The heading nearest to a bearing in hundredths of a degree; of two equally near ones the clockwise one."""
    return (bearing % 36_000 * 2 + _EIGHTH) // (2 * _EIGHTH) % 8


def heading_to(a: Square, b: Square) -> int:
    """The heading that points best from one area to another; of two equally good ones the clockwise one.

    Raises ValueError when both are the same.
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    if not dx and not dy:
        raise ValueError("an area has no bearing from itself")
    # Two headings are equally near on the line between them, whose slope is that of 22.5 degrees, which no area lies on.
    return max(range(8), key=lambda heading: _nearness(dx, dy, heading))


def _nearness(dx: int, dy: int, heading: int) -> int:
    """Grows with the cosine of the angle between an offset and a heading: its square, with the length of the heading taken out."""
    vx, vy = STEPS[heading]
    along = dx * vx + dy * vy
    return along * abs(along) * (2 if not vx or not vy else 1)


def ring(middle: Square, radius: int) -> Iterator[Square]:
    """Every area exactly `radius` steps away, clockwise from the one due north; the middle itself for 0."""
    if not radius:
        yield middle
        return
    x, y = step(middle, 0, radius)
    for heading, count in ((2, radius), (4, 2 * radius), (6, 2 * radius), (0, 2 * radius), (2, radius)):
        for _ in range(count):
            yield x, y
            x, y = step((x, y), heading)
