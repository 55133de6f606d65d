"""Plane geometry for the coast: rings clipped to a box, cut by other rings, thinned out and written as SVG.

A region is a list of rings filled even-odd, so a hole needs no mark and no orientation.
A ring does not repeat its first point.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

Point = tuple[float, float]
Ring = list[Point]
Rect = tuple[float, float, float, float]


def clip_ring(ring: Ring, rect: Rect) -> Ring:
    """The part of a ring inside a rectangle (x from, y from, x to, y to), by Sutherland and Hodgman.

    Where the ring leaves and comes back, the result runs along the rectangle's edge; keep that edge out of
    sight.
    """
    low_x, low_y, high_x, high_y = rect
    for axis, bound, sign in ((0, low_x, 1), (0, high_x, -1), (1, low_y, 1), (1, high_y, -1)):
        ring = _clip_half(ring, axis, bound, sign)
    return ring


def _clip_half(ring: Ring, axis: int, bound: float, sign: int) -> Ring:
    """The part of a ring on one side of a line parallel to an axis."""
    kept: Ring = []
    for a, b in edges(ring):
        a_in = sign * (a[axis] - bound) >= 0
        b_in = sign * (b[axis] - bound) >= 0
        if a_in:
            kept.append(a)
        if a_in != b_in:
            share = (bound - a[axis]) / (b[axis] - a[axis])
            other = a[1 - axis] + share * (b[1 - axis] - a[1 - axis])
            kept.append((bound, other) if axis == 0 else (other, bound))
    return kept


def edges(ring: Ring) -> Iterable[tuple[Point, Point]]:
    """The edges of a ring, the closing one last."""
    yield from pairwise(ring)
    if ring:
        yield ring[-1], ring[0]


def area(ring: Ring) -> float:
    """Area inside a ring, never negative, in the square of its unit."""
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in edges(ring))) / 2


def bounds(ring: Ring) -> Rect:
    """Smallest rectangle around a ring."""
    xs, ys = [p[0] for p in ring], [p[1] for p in ring]
    return min(xs), min(ys), max(xs), max(ys)


def apart(one: Rect, other: Rect) -> bool:
    """Whether two rectangles have no point in common."""
    return one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]


def inside(point: Point, rings: Iterable[Ring]) -> bool:
    """Whether a point lies in a region, by the even-odd rule."""
    x, y = point
    odd = False
    for ring in rings:
        for (x1, y1), (x2, y2) in edges(ring):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                odd = not odd
    return odd


def cut(land: list[Ring], water: list[Ring]) -> tuple[list[Ring], list[Ring]]:
    """Cut one region out of another: (land without the water, the part of the land that was cut out).

    Both regions are split where their edges cross; each piece is kept or dropped by the side it lies on, and
    the kept pieces are joined up again. Raises ValueError where an edge of one runs along an edge of the
    other and the pieces do not join up: move a corner there a little by hand.
    """
    near = [ring for ring in land if not apart(bounds(ring), _bounds_of_all(water))]
    far = [ring for ring in land if apart(bounds(ring), _bounds_of_all(water))]
    land_pieces, water_pieces = _split(near, water)
    land_in, land_out = _sort(land_pieces, water)
    water_in, _ = _sort(water_pieces, near)
    return far + _join_up(land_out + water_in), _join_up(land_in + water_in)


def _bounds_of_all(rings: list[Ring]) -> Rect:
    return bounds([point for ring in rings for point in ring])


Piece = tuple[Point, Point]


def _split(first: list[Ring], second: list[Ring]) -> tuple[list[Piece], list[Piece]]:
    """The edges of both regions, each broken where it crosses an edge of the other region."""
    frame = _bounds_of_all(second)
    first_edges = [edge for ring in first for edge in edges(ring)]
    second_edges = [edge for ring in second for edge in edges(ring)]
    breaks_first: dict[int, list[tuple[float, Point]]] = defaultdict(list)
    breaks_second: dict[int, list[tuple[float, Point]]] = defaultdict(list)
    for i, one in enumerate(first_edges):
        if apart(bounds(list(one)), frame):
            continue
        for j, other in enumerate(second_edges):
            if (crossing := _crossing(one, other)) is not None:
                along_one, along_other, point = crossing
                breaks_first[i].append((along_one, point))
                breaks_second[j].append((along_other, point))
    return _broken(first_edges, breaks_first), _broken(second_edges, breaks_second)


def _crossing(one: Piece, other: Piece) -> tuple[float, float, Point] | None:
    """How far along each of two edges they cross (0 to 1) and where, or None."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    turn = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if turn == 0:
        return None
    along_one = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / turn
    along_other = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / turn
    if not (0 <= along_one <= 1 and 0 <= along_other <= 1):
        return None
    return along_one, along_other, (ax + along_one * (bx - ax), ay + along_one * (by - ay))


def _broken(whole: list[Piece], breaks: dict[int, list[tuple[float, Point]]]) -> list[Piece]:
    """Edges cut at the points found on them."""
    pieces: list[Piece] = []
    for number, (start, end) in enumerate(whole):
        stops = [start, *(point for _, point in sorted(breaks.get(number, ()))), end]
        pieces.extend(pairwise(stops))
    return pieces


def _sort(pieces: list[Piece], region: list[Ring]) -> tuple[list[Piece], list[Piece]]:
    """Pieces that lie inside a region, and pieces that lie outside it."""
    frame = _bounds_of_all(region) if region else (0.0, 0.0, 0.0, 0.0)
    within: list[Piece] = []
    without: list[Piece] = []
    for piece in pieces:
        (ax, ay), (bx, by) = piece
        middle = ((ax + bx) / 2, (ay + by) / 2)
        hit = not apart((*middle, *middle), frame) and inside(middle, region)
        (within if hit else without).append(piece)
    return within, without


def _join_up(pieces: list[Piece]) -> list[Ring]:
    """Rings made of loose pieces. Raises ValueError if an odd number of pieces meets at an end.

    Four may meet where a shore touches itself; which pairs are then joined is all one to even-odd filling.
    """
    at: dict[Point, list[Point]] = defaultdict(list)
    for a, b in pieces:
        if a != b:
            at[a].append(b)
            at[b].append(a)
    for point, others in at.items():
        if len(others) % 2:
            raise ValueError(f"{len(others)} edges meet at {point}: move the corner near it a little")
    rings: list[Ring] = []
    for start, others in at.items():
        while others:
            ring = [start]
            here = _step(at, start)
            while here != start:
                ring.append(here)
                here = _step(at, here)
            rings.append(ring)
    return rings


def _step(at: dict[Point, list[Point]], here: Point) -> Point:
    """Walk one piece on from a point, and take that piece out of the store."""
    there = at[here].pop()
    at[there].remove(here)
    return there


def simplify(ring: Ring, tolerance: float) -> Ring:
    """Leave out points of little weight, by Visvalingam and Whyatt.

    A point weighs as much as the triangle it makes with its neighbours; those below the tolerance (in the
    square of the ring's unit) go, the lightest first, until a triangle is left.
    """
    count = len(ring)
    before = [(i - 1) % count for i in range(count)]
    after = [(i + 1) % count for i in range(count)]
    weight = [_triangle(ring[before[i]], ring[i], ring[after[i]]) for i in range(count)]
    heap = [(weight[i], i) for i in range(count)]
    heapq.heapify(heap)
    alive = [True] * count
    left = count
    while heap and left > 3:
        lightest, i = heapq.heappop(heap)
        if lightest >= tolerance:
            break
        if not alive[i] or lightest != weight[i]:
            continue
        alive[i] = False
        left -= 1
        after[before[i]], before[after[i]] = after[i], before[i]
        for j in (before[i], after[i]):
            # never lighter than the point just dropped, or a long flat curve would unravel
            weight[j] = max(lightest, _triangle(ring[before[j]], ring[j], ring[after[j]]))
            heapq.heappush(heap, (weight[j], j))
    return [point for point, keep in zip(ring, alive, strict=True) if keep]


def _triangle(a: Point, b: Point, c: Point) -> float:
    return abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2


def svg_path(rings: Iterable[Ring], decimals: int) -> str:
    """SVG path data: each ring an absolute M, one relative l, and z, with so many decimals.

    Points that fall together after rounding are written once; a ring left with fewer than three is left out.
    """
    scale = 10**decimals
    parts: list[str] = []
    for ring in rings:
        grid = [(round(x * scale), round(y * scale)) for x, y in ring]
        grid = [point for i, point in enumerate(grid) if point != grid[i - 1]]
        if len(grid) < 3:
            continue
        steps = [step for a, b in pairwise(grid) for step in (b[0] - a[0], b[1] - a[1])]
        start = _numbers(grid[0], scale)
        parts.append(f"M{start}l{_numbers(steps, scale)}z")
    return "".join(parts)


def _numbers(values: Iterable[int], scale: int) -> str:
    """Numbers as short as SVG allows: no leading zero, and no space before a minus sign."""
    text = ""
    for value in values:
        word = f"{value / scale:.6f}".rstrip("0").rstrip(".") if scale > 1 else str(value)
        word = word.replace("0.", ".", 1) if word.startswith(("0.", "-0.")) else word
        text += word if not text or word.startswith("-") else f" {word}"
    return text


def parse_path(data: str) -> list[Ring]:
    """Rings of path data as `svg_path` writes it. Raises ValueError for anything else."""
    rings: list[Ring] = []
    for part in data.split("z")[:-1]:
        head, _, tail = part.partition("l")
        if not head.startswith("M"):
            raise ValueError(f"a ring starts with M, not with {head[:10]!r}")
        numbers = [float(word) for word in f"{head[1:]} {tail}".replace("-", " -").split()]
        if len(numbers) % 2 or len(numbers) < 6:
            raise ValueError(f"a ring needs three pairs of numbers: {part[:30]!r}")
        x, y = numbers[0], numbers[1]
        ring = [(x, y)]
        for dx, dy in zip(numbers[2::2], numbers[3::2], strict=True):
            x, y = x + dx, y + dy
            ring.append((round(x, 6), round(y, 6)))
        rings.append(ring)
    if data and not data.endswith("z"):
        raise ValueError("path data ends with a closed ring")
    return rings
