"""The land of a theatre, and whether any lies between two points. Rule: G.SI1.

Corners are in hundred-thousandths of a degree, and all reckoning is in whole numbers, so that it comes out the same everywhere.
A sight line is straight on the flat chart of its neighbourhood; none is longer than a mast sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

from campaign.rules.chart.points import SCALE, Point, miles_between

_CELL = SCALE // 4
_WHOLE = 1_000_000
Edge = tuple[int, int, int, int]
Stretch = tuple[int, int]


class Land:
    """Rings of land, filled even-odd: a hole is water.

    rings: gives them when land is first asked for, which most of what reads a theatre never does.
    """

    def __init__(self, rings: Callable[[], Iterable[Sequence[Point]]]) -> None:
        self._rings = rings

    @cached_property
    def _edges(self) -> tuple[dict[tuple[int, int], list[Edge]], dict[int, list[Edge]]]:
        """The edges by cells of a quarter of a degree, and by rows of them."""
        cells: dict[tuple[int, int], list[Edge]] = {}
        rows: dict[int, list[Edge]] = {}
        for ring in self._rings():
            for start, end in zip(ring, (*ring[1:], *ring[:1]), strict=True):
                edge = (*start, *end)
                for cell in _cells_of(edge):
                    cells.setdefault(cell, []).append(edge)
                for row in _bands(start.latitude, end.latitude):
                    rows.setdefault(row, []).append(edge)
        return cells, rows

    def hides(self, a: Point, b: Point, *, spare: tuple[int, int] = (0, 0)) -> bool:
        """Whether land lies between two points. spare: thousandths of a mile from each of them that are not asked. Rule: G.SI1."""
        found = _stretches(self, a, b)
        if not found or not any(spare):
            return bool(found)
        length = max(1, miles_between(a, b))
        first, last = spare[0] * _WHOLE // length, _WHOLE - spare[1] * _WHOLE // length
        return any(max(start, first) < min(end, last) for start, end in found)

    def stretches(self, a: Point, b: Point) -> tuple[Stretch, ...]:
        """Where the line from one point to another runs over land, in millionths of it."""
        cells, _ = self._edges
        near = {edge for cell in _cells_of((*a, *b)) for edge in cells.get(cell, ())}
        stops = sorted(_crossings(a, b, near))
        if not stops:
            return ()
        if self._holds(a):
            stops.insert(0, 0)
        if len(stops) % 2:
            stops.append(_WHOLE)
        return tuple(zip(stops[::2], stops[1::2], strict=True))

    def _holds(self, point: Point) -> bool:
        """Whether a point lies on land: edges to the east of it are counted."""
        y, x = point
        odd = False
        for y1, x1, y2, x2 in self._edges[1].get(y // _CELL, ()):
            if (y1 > y) != (y2 > y):
                across = (x1 - x) * (y2 - y1) + (y - y1) * (x2 - x1)
                odd ^= across > 0 if y2 > y1 else across < 0
        return odd


@lru_cache(maxsize=1 << 16)
def _stretches(land: Land, a: Point, b: Point) -> tuple[Stretch, ...]:
    """Blockaders and fleets at anchor look along the same line hour after hour."""
    return land.stretches(a, b)


def _bands(start: int, end: int) -> range:
    return range(min(start, end) // _CELL, max(start, end) // _CELL + 1)


def _cells_of(line: Edge) -> Iterator[tuple[int, int]]:
    """The cells that a line may touch."""
    for row in _bands(line[0], line[2]):
        for column in _bands(line[1], line[3]):
            yield row, column


def _crossings(a: Point, b: Point, edges: Iterable[Edge]) -> Iterator[int]:
    """How far along the line from one point to another, in millionths, it crosses edges; a corner on it belongs to one side."""
    y, x = a
    dy, dx = b.latitude - y, b.longitude - x
    for y1, x1, y2, x2 in edges:
        one, other = dx * (y1 - y) - dy * (x1 - x), dx * (y2 - y) - dy * (x2 - x)
        if (one > 0) == (other > 0):
            continue
        turn = dx * (y2 - y1) - dy * (x2 - x1)
        along = (x1 - x) * (y2 - y1) - (y1 - y) * (x2 - x1)
        if turn < 0:
            turn, along = -turn, -along
        if 0 <= along <= turn:
            yield along * _WHOLE // turn
