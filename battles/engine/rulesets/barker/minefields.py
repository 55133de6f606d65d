"""Mines bought for a battle: fields sown before it, and sections that a merchant steamer carries. Rules: P.X01-P.X04, P.K44."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from battles.engine.core.errors import Fault
from battles.engine.core.plane import Box, Point, overlap
from battles.engine.core.scenario import Scenario
from battles.engine.rulesets.barker import layout
from battles.engine.rulesets.barker.layout import CELL, Table
from battles.engine.rulesets.barker.mines import CARRIERS, SECTION
from battles.engine.rulesets.barker.pairs import Base
from battles.engine.rulesets.barker.state import Cell, Field
from battles.engine.rulesets.barker.tables import BASE_LENGTH, YARD

# Kept clear of an enemy's entry edge. Rule: P.X03.
CLEAR = 3 * BASE_LENGTH
# Yards from the line between the fleets to a field of the chart, and on to the next on that side. Rule: P.X03.
FIRST_OFF, NEXT_OFF = 600, 800


def fields(options: Mapping[str, Any]) -> list[Field]:
    """The fields of the switch `mines`. Rules: P.X01-P.X04."""
    found: list[Field] = []
    for side, row in options["mines"].items():
        for sections in row.get("sown", []):
            found.append(
                Field(f"{side}-m{len(found) + 1}", side, [(x * YARD, y * YARD) for x, y in sections])
            )
        for carrier, count in row.get("unsown", {}).items():
            found.append(Field(f"{side}-m{len(found) + 1}", side, [], carrier=carrier, unlaid=count))
    return found


def of_chart(
    towards: int, sown: Mapping[str, Sequence[int]], unsown: Mapping[str, Mapping[str, int]]
) -> dict[str, Any]:
    """The switch `mines` for fields of the chart.

    They lie across the middle of the table, to the right and left of the line between the two fleets by turns, the first begins
    600 yards off it, each pair 800 yards farther out. Sections aboard are those of their carriers. Rules: P.X01, P.X03, P.X04, P.K12.
    """
    across = layout.upright(towards)
    found: dict[str, dict[str, Any]] = {}
    count = 0
    for side, rows in sorted(sown.items()):
        fields = []
        for sections in rows:
            off = FIRST_OFF + NEXT_OFF * (count // 2)
            yards = [(off + n * SECTION // YARD) * (1 if count % 2 == 0 else -1) for n in range(sections)]
            fields.append([[yard, 0] if across else [0, yard] for yard in yards])
            count += 1
        found.setdefault(side, {})["sown"] = fields
    for side, ships in sorted(unsown.items()):
        found.setdefault(side, {})["unsown"] = dict(sorted(ships.items()))
    return found


def faults(
    scenario: Scenario, bases: list[Base], land: frozenset[Cell], table: Table, edges: Mapping[str, int]
) -> Iterator[Fault]:
    """Mines of nobody, on land, off the table, before an enemy's edge, or carried by who cannot. edges: entry edges by side."""
    sides = [side.id for side in scenario.sides]
    carriers = {base.first.ship.id: base for base in bases}
    for side, row in scenario.options.get("mines", {}).items():
        path = f"options.mines.{side}"
        if side not in sides:
            yield Fault(path, f"not a side; use one of {', '.join(sides)}")
            continue
        enemy = next(code for code in sides if code != side)
        for n, sections in enumerate(row.get("sown", [])):
            here = f"{path}.sown[{n}]"
            points = [(x * YARD, y * YARD) for x, y in sections]
            if not _in_one(points):
                yield Fault(
                    here, "sections of a field lie edge to edge, 100 yards from middle to middle (P.X01)"
                )
            for k, point in enumerate(points):
                if _on(point, land):
                    yield Fault(f"{here}[{k}]", f"{list(sections[k])} lies on land; mines need water (P.X03)")
                elif not _may_lie(point, table, edges[enemy]):
                    text = f"{list(sections[k])} is off the table or within 1,200 yards of the enemy's entry edge (P.X03)"
                    yield Fault(f"{here}[{k}]", text)
        for carrier in row.get("unsown", {}):
            base = carriers.get(carrier)
            if base is None or base.first.side.id != side or base.type not in CARRIERS:
                text = f"{carrier!r} cannot lay mines for {side}; use a liner, tramp, transport or minelayer of that side (P.X04)"
                yield Fault(f"{path}.unsown.{carrier}", text)


def _in_one(points: list[Point]) -> bool:
    """Whether sections hang together edge to edge and none lies on another."""
    joined, left = points[:1], points[1:]
    while left:
        found = next(
            (p for p in left if any(abs(p[0] - q[0]) + abs(p[1] - q[1]) == SECTION for q in joined)), None
        )
        if found is None or found in joined:
            return False
        joined.append(found)
        left.remove(found)
    return True


def _on(point: Point, land: frozenset[Cell]) -> bool:
    box = Box(*point, 0, SECTION, SECTION)
    i, j = point[0] // CELL, point[1] // CELL
    return any(
        (i + di, j + dj) in land and overlap(box, _square(i + di, j + dj), -1)
        for di in (-1, 0, 1)
        for dj in (-1, 0, 1)
    )


def _square(i: int, j: int) -> Box:
    return Box(i * CELL + CELL // 2, j * CELL + CELL // 2, 0, CELL, CELL)


def _may_lie(point: Point, table: Table, enemy_edge: int) -> bool:
    x, y = point
    west, south, east, north = table
    near = {0: north - y, 9_000: east - x, 18_000: y - south, 27_000: x - west}[enemy_edge]
    return west <= x <= east and south <= y <= north and near >= CLEAR
