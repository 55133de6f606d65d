"""Hex geometry: flat-top hexes in axial coordinates (q grows east, r grows south along a column). Rules: K.0.1, K.0.2."""

from __future__ import annotations

from collections.abc import Iterator

Hex = tuple[int, int]

# One step through each hexside, clockwise from north.
STEPS: tuple[Hex, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
NAMES = ("N", "NE", "SE", "S", "SW", "NW")


def step(cell: Hex, direction: int, count: int = 1) -> Hex:
    """The hex `count` steps away in a direction 0..5. Rule: K.0.2."""
    dq, dr = STEPS[direction % 6]
    return cell[0] + dq * count, cell[1] + dr * count


def distance(a: Hex, b: Hex) -> int:
    """Steps between two hexes; 0 when they are the same. Rule: K.0.1."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def within(cell: Hex, radius: int) -> Iterator[Hex]:
    """Every hex at most `radius` steps away, the cell itself among them. Rule: K.0.1."""
    q, r = cell
    for dq in range(-radius, radius + 1):
        for dr in range(max(-radius, -dq - radius), min(radius, -dq + radius) + 1):
            yield q + dq, r + dr


def turned(facing: int, by: int) -> int:
    """A facing turned clockwise by so many hexsides (negative: anticlockwise). Rule: K.0.2."""
    return (facing + by) % 6


def nearest_direction(a: Hex, b: Hex) -> int:
    """The direction 0..5 that points best from a to b; of two equally good ones the clockwise one.

    Raises ValueError when both are the same hex. Rule: K.0.2.
    """
    if a == b:
        raise ValueError("a hex has no bearing from itself")
    along = [_along(a, b, i) for i in range(6)]
    most = max(along)
    return next(i for i in range(6) if along[i] == most and along[(i + 1) % 6] != most)


def _along(a: Hex, b: Hex, direction: int) -> int:
    """Twice the projection of b - a on a direction, in hex widths (an integer)."""
    dq, dr = b[0] - a[0], b[1] - a[1]
    uq, ur = STEPS[direction]
    return 2 * (dq * uq + dr * ur) + dq * ur + dr * uq
