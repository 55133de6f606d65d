"""Rings written as SVG path data and read back. The site reads its charts with this, so it needs no library."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

Point = tuple[float, float]
Ring = list[Point]


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
