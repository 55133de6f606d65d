"""The paper that a chart is drawn on: coast, graticule, names, passages, places, and what is shown first.

All of it is public. Lengths are chart units (1600 to the paper's width). Rules: G.CH1, G.CH3.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from campaign.chart_projection import Projection
from campaign.chart_room import Box
from campaign.coasts import projection_from
from campaign.data.coast import __path__ as coast_path
from campaign.rules.chart import types as t
from campaign.selectors.sea.places import short_name

_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
# A rock of three sides, in the tenths of a coast drawing, and the longest side of one that no screen shows: about a pixel.
_ROCK = re.compile(r"M\d+ \d+l(-?\d+) ?(-?\d+) ?(-?\d+) ?(-?\d+)z")
_SPECK = 15
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


@lru_cache(maxsize=8)
def coast_drawing(theatre_code: str) -> str:
    """A theatre's land as an SVG document with one part, `land`, in tenths of a chart unit: whole numbers are an eighth shorter.

    Rocks too small to see are left out. Raises FileNotFoundError for a theatre that has none.
    """
    path = _NUMBER.sub(lambda found: str(round(float(found[0]) * 10)), coast(theatre_code)["land"])
    path = _ROCK.sub(
        lambda rock: rock[0] if max(abs(int(side)) for side in rock.groups()) > _SPECK else "", path
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg"><path id="land" transform="scale(.1)" d="{path}"/></svg>'


@lru_cache(maxsize=8)
def coast_digest(theatre_code: str) -> str:
    """What the address of a theatre's coast ends in; another coast has another. Raises FileNotFoundError for a theatre that has none."""
    return hashlib.sha256(coast_drawing(theatre_code).encode()).hexdigest()[:16]


def projection_of(theatre_code: str) -> Projection:
    """The projection of a theatre's chart."""
    return projection_from(coast(theatre_code))


def place_marks(
    theatre: t.Theatre, paper: Projection, nations: Iterable[str], held: Collection[str] = ()
) -> tuple[PlaceMark, ...]:
    """Places, the weightiest first. held: ports that were taken, which name who holds them now. Rule: G.LD4."""
    nations = set(nations)
    marks = []
    for place in sorted(theatre.places.values(), key=lambda p: (_tier(p, nations), -p.dockyard, p.code)):
        x, y = paper.to_xy(place.latitude, place.longitude)
        marks.append(
            PlaceMark(
                code=place.code,
                name=short_name(place.name),
                title=f"{place.name}, held by {place.owner}" if place.code in held else place.name,
                kind=place.kind.value,
                x=round(x, 1),
                y=round(y, 1),
                tier=_tier(place, nations),
            )
        )
    return tuple(marks)


# Chart units of the letters of names, spacing reckoned in.
LABEL_SIZES = {
    "ocean": 60, "sea": 40, "water": 20, "bay": 11, "continent": 60, "land": 34, "province": 18, "isle": 12,
}  # fmt: skip


def label_box(label: Mapping[str, Any], zoom: float, left: float = 0, top: float = 0) -> Box:
    """What the name of a sea or a land covers, in CSS pixels. zoom: of them to a chart unit; left, top: of the paper, in chart units."""
    size = LABEL_SIZES.get(label["kind"], 12)
    long, high = size * len(label["text"]) / 2, size * 0.6
    turn = math.radians(label.get("angle") or 0)
    across = abs(long * math.cos(turn)) + abs(high * math.sin(turn))
    down = abs(long * math.sin(turn)) + abs(high * math.cos(turn))
    x, y = label["x"] - left, label["y"] - size * 0.3 - top
    return (x - across) * zoom, (y - down) * zoom, (x + across) * zoom, (y + down) * zoom


def _tier(place: t.Place, nations: set[str]) -> int:
    if place.kind is t.PlaceKind.PORT and place.owner in nations:
        return 1
    return 2 if place.kind in (t.PlaceKind.PORT, t.PlaceKind.ANCHORAGE) else 3


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
