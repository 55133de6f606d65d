"""Neighbours on the plane without looking at everyone: hulls by square cells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from battles.engine.core.plane import Hull, Point

T = TypeVar("T", bound=Hull)


class Grid(Generic[T]):
    """Who lies where, by square cells, so that neighbours are found without looking at everyone.

    cell: side of a cell. Keep it by `place`, `lift` and, before and after a change of position, `lift` and `place` again.
    """

    __slots__ = ("_cell", "_cells")

    def __init__(self, cell: int) -> None:
        self._cell = cell
        self._cells: dict[Point, list[T]] = {}

    def place(self, item: T) -> None:
        """Put someone in at her present position."""
        self._cells.setdefault((item.x // self._cell, item.y // self._cell), []).append(item)

    def lift(self, item: T) -> None:
        """Take someone out; nothing when she is not in. Her position must be the one at which she was placed."""
        where = item.x // self._cell, item.y // self._cell
        here = self._cells.get(where)
        if here is not None and any(one is item for one in here):
            here[:] = [one for one in here if one is not item]
            if not here:
                del self._cells[where]

    def near(self, point: Point, reach: int) -> list[T]:
        """Everyone whose middle lies at most so far from a point, in no set order."""
        x, y = point
        square = reach * reach
        found: list[T] = []
        for here in self._around(x, y, reach):
            for item in here:
                dx, dy = item.x - x, item.y - y
                if dx * dx + dy * dy <= square:
                    found.append(item)
        return found

    def _around(self, x: int, y: int, reach: int) -> Iterable[list[T]]:
        """The cells that a circle touches, or all that hold someone when those are fewer."""
        size, cells = self._cell, self._cells
        columns = range((x - reach) // size, (x + reach) // size + 1)
        rows = range((y - reach) // size, (y + reach) // size + 1)
        if len(columns) * len(rows) > len(cells):
            return cells.values()
        return [cells[cell] for column in columns for row in rows if (cell := (column, row)) in cells]
