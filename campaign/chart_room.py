"""Where words find room on a chart: what is taken already, and the first of some spots that is free. Pure.

Boxes are left, top, right, bottom in CSS pixels. What is taken is kept in squares, so a box is held against its neighbours alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

Box = tuple[float, float, float, float]
SQUARE = 64.0  # CSS pixels


def overlap(a: Box, b: Box) -> bool:
    """Whether two boxes overlap."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


class Room:
    """What is taken of a chart. frame: the piece of it that is shown; edge: pixels that words keep from its edges."""

    def __init__(self, frame: Box, *, edge: float = 0.0) -> None:
        left, top, right, bottom = frame
        self.inner = (left + edge, top + edge, right - edge, bottom - edge)
        self._squares: dict[tuple[int, int], list[Box]] = {}

    def inside(self, box: Box) -> bool:
        """Whether a box lies whole in the frame."""
        left, top, right, bottom = self.inner
        return box[0] >= left and box[1] >= top and box[2] <= right and box[3] <= bottom

    def aside(self, box: Box) -> int:
        """How many pixels to the right a box has to move for the frame not to cut it off at a side; negative for to the left."""
        left, _, right, _ = self.inner
        return math.ceil(left - box[0]) if box[0] < left else min(0, math.floor(right - box[2]))

    def bare(self, box: Box) -> bool:
        """Whether a box covers nothing, in the frame or outside it."""
        left, top, right, bottom = box
        for square in _squares(box):
            for other in self._squares.get(square, ()):
                if left < other[2] and other[0] < right and top < other[3] and other[1] < bottom:
                    return False
        return True

    def free(self, box: Box) -> bool:
        """Whether a box lies whole in the frame and covers nothing."""
        return self.inside(box) and self.bare(box)

    def take(self, *boxes: Box) -> None:
        """Nothing else may be placed where these are."""
        for box in boxes:
            for square in _squares(box):
                self._squares.setdefault(square, []).append(box)

    def first(self, boxes: Iterable[Box]) -> int | None:
        """Which of some boxes is the first that is free; None for none of them."""
        return next((number for number, box in enumerate(boxes) if self.free(box)), None)

    def settle(self, boxes: Iterable[Box], *, whole: bool = False) -> int | None:
        """Take the first of some boxes that covers nothing, in the frame if it can be, and say which; None where there is no room.

        whole: take none that the frame cuts off.
        """
        cut: tuple[int, Box] | None = None
        for number, box in enumerate(boxes):
            inside = self.inside(box)
            if (inside or (not whole and cut is None)) and self.bare(box):
                if inside:
                    self.take(box)
                    return number
                cut = number, box
        if cut is None:
            return None
        self.take(cut[1])
        return cut[0]


def _squares(box: Box) -> list[tuple[int, int]]:
    columns = range(int(box[0] // SQUARE), int(box[2] // SQUARE) + 1)
    rows = range(int(box[1] // SQUARE), int(box[3] // SQUARE) + 1)
    return [(column, row) for column in columns for row in rows]
