"""The paper that a chart is drawn on: coast, graticule, names, passages, places, and what is shown first.

All of it is public. Lengths are chart units (1600 to the paper's width). Rules: G.CH1, G.CH3.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from campaign.chart_projection import Projection
from campaign.data.coast import __path__ as coast_path
from campaign.rules.chart import types as t
from campaign.selectors.sea.places import short_name

Box = tuple[float, float, float, float]  # left, top, right, bottom
LEAST_VIEW = 320.0  # chart units; closer in than this the coast is too coarse to read


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """A place on the chart. tier: 1 own ports, 2 ports and anchorages, 3 the rest. crowded: its name would cover another."""

    code: str
    name: str
    title: str
    kind: str
    x: float
    y: float
    tier: int
    left: bool = False
    crowded: bool = False


@lru_cache(maxsize=8)
def coast(theatre_code: str) -> dict[str, Any]:
    """The coast of a theatre's chart as built. Raises FileNotFoundError for a theatre that has none."""
    path = Path(next(iter(coast_path))) / f"{theatre_code}.json"
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def projection_of(theatre_code: str) -> Projection:
    """The projection of a theatre's chart."""
    document = coast(theatre_code)
    west, south, east, north = document["box"]
    return Projection((west, south, east, north), document["width"])


def place_marks(
    theatre: t.Theatre,
    paper: Projection,
    nations: Iterable[str],
    view: tuple[float, float, float, float],
    scale: float,
    taken: list[tuple[float, float]],
    held: Collection[str] = (),
) -> tuple[PlaceMark, ...]:
    """Places with their names put where they cover neither each other nor a fleet, the weightiest first.

    held: ports that were taken, which name who holds them now. Rule: G.LD4.
    """
    nations = set(nations)
    at = {p.code: paper.to_xy(p.latitude, p.longitude) for p in theatre.places.values()}
    boxes = [(x - 16 * scale, y - 18 * scale, x + 110 * scale, y + 14 * scale) for x, y in taken]
    marks: list[PlaceMark] = []
    for place in sorted(theatre.places.values(), key=lambda p: (_tier(p, nations), -p.dockyard, p.code)):
        x, y = at[place.code]
        name = short_name(place.name)
        length = 6.6 * len(name) * scale
        right = (x + 5 * scale, y - 8 * scale, x + 8 * scale + length, y + 6 * scale)
        left = (x - 8 * scale - length, y - 8 * scale, x - 5 * scale, y + 6 * scale)
        box = next((b for b in (right, left) if not any(overlap(b, other) for other in boxes)), None)
        if box is not None:
            boxes.append(box)
        marks.append(
            PlaceMark(
                code=place.code,
                name=name,
                title=f"{place.name}, held by {place.owner}" if place.code in held else place.name,
                kind=place.kind.value,
                x=round(x, 1),
                y=round(y, 1),
                tier=_tier(place, nations),
                left=box is left,
                crowded=box is None,
            )
        )
    return tuple(marks)


def _tier(place: t.Place, nations: set[str]) -> int:
    if place.kind is t.PlaceKind.PORT and place.owner in nations:
        return 1
    return 2 if place.kind in (t.PlaceKind.PORT, t.PlaceKind.ANCHORAGE) else 3


def overlap(a: Box, b: Box) -> bool:
    """Whether two boxes overlap."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def focus(
    spots: list[tuple[float, float]], width: float, height: float, *, least: float = LEAST_VIEW
) -> tuple[float, float, float, float]:
    """A nearly square piece of the paper that holds all spots with room about them, and lies on the paper."""
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    side = max(least, 1.5 * (max(xs) - min(xs)), 1.5 * (max(ys) - min(ys)))
    side = min(side, width, height)
    x = min(max((min(xs) + max(xs) - side) / 2, 0.0), width - side)
    y = min(max((min(ys) + max(ys) - side) / 2, 0.0), height - side)
    return round(x, 1), round(y, 1), round(side, 1), round(side, 1)


def units_a_mile(paper: Projection, view: tuple[float, float, float, float]) -> float:
    """Chart units in a sea mile at the middle of a view: Mercator stretches towards the poles."""
    latitude, _ = paper.to_latlon(view[0] + view[2] / 2, view[1] + view[3] / 2)
    return paper.units_per_degree / 60 / math.cos(math.radians(latitude))


def scale_miles(width_miles: float) -> int:
    """A round number of miles, about a fifth of the width."""
    return max(n for n in (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500) if n <= max(1, width_miles / 4))


@lru_cache(maxsize=8)
def label_marks(theatre_code: str) -> tuple[dict[str, Any], ...]:
    paper = projection_of(theatre_code)
    found = []
    for label in coast(theatre_code)["labels"]:
        x, y = paper.to_xy(label["lat"], label["lon"])
        found.append({**label, "x": round(x, 1), "y": round(y, 1)})
    return tuple(found)


@lru_cache(maxsize=8)
def grid_lines(theatre_code: str) -> tuple[str, tuple[dict[str, Any], ...]]:
    """Meridians and parallels as path data, and what is written at their ends."""
    paper = projection_of(theatre_code)
    west, south, east, north = paper.box
    step = 10 if east - west > 60 else 5 if east - west > 35 else 2 if east - west > 12 else 1
    path, marks = [], []
    for longitude in range(math.ceil(west / step) * step, math.floor(east) + 1, step):
        x, _ = paper.to_xy(south, longitude)
        path.append(f"M{x:.1f} 0V{paper.height:.1f}")
        marks.append({"axis": "x", "at": round(x, 1), "text": _degrees(longitude, "E", "W")})
    for latitude in range(math.ceil(south / step) * step, math.floor(north) + 1, step):
        _, y = paper.to_xy(latitude, west)
        path.append(f"M0 {y:.1f}H{paper.width:.1f}")
        marks.append({"axis": "y", "at": round(y, 1), "text": _degrees(latitude, "N", "S")})
    return "".join(path), tuple(marks)


def _degrees(value: int, above: str, below: str) -> str:
    return "0°" if not value else f"{abs(value)}°{above if value > 0 else below}"


def passage_lines(theatre: t.Theatre, paper: Projection) -> str:
    at: Mapping[str, tuple[float, float]] = {
        p.code: paper.to_xy(p.latitude, p.longitude) for p in theatre.places.values()
    }
    return "".join(
        f"M{at[a][0]:.1f} {at[a][1]:.1f}L{at[b][0]:.1f} {at[b][1]:.1f}" for a, b in theatre.passages
    )
