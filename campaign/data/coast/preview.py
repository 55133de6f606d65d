"""Draws a theatre on its coast, to look a new chart over before it is committed.

python -m campaign.data.coast.preview narrow_seas_1666 > chart.svg
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from campaign.chart_projection import Projection

HERE = Path(__file__).parent
THEATRES = HERE.parent / "theatres"

STYLE = """
.sea{fill:#f1e8d0}.shallows{fill:none;stroke:#b9c8bd;stroke-width:14;stroke-opacity:.35;stroke-linejoin:round}
.shallows.near{stroke-width:6;stroke-opacity:.55}
.land{fill:#dcc795;fill-rule:evenodd;stroke:#43321f;stroke-width:.9;stroke-linejoin:round}
.grid{fill:none;stroke:#8d7a57;stroke-width:.6;stroke-opacity:.35}
.edge{fill:none;stroke:#5b6f73;stroke-width:.9;stroke-dasharray:5 4;stroke-opacity:.8}
.place{fill:#f1e8d0;stroke:#43321f;stroke-width:1.1}.port{fill:#8c2f24}.shoal_coast{fill:#c9b06a}
text{font-family:"Liberation Serif","DejaVu Serif",Georgia,serif;fill:#43321f;text-anchor:middle}
.name{font-size:11px;text-anchor:start;paint-order:stroke;stroke:#f1e8d0;stroke-width:2.4;stroke-opacity:.75}
.label{fill-opacity:.72}.ocean{font-size:44px;letter-spacing:.4em;font-style:italic;fill:#4f6a70}
.sea-name{font-size:32px;letter-spacing:.28em;font-style:italic;fill:#4f6a70}
.water{font-size:17px;letter-spacing:.12em;font-style:italic;fill:#4f6a70}
.bay{font-size:12px;letter-spacing:.08em;font-style:italic;fill:#4f6a70}
.continent{font-size:40px;letter-spacing:.5em}
.land-name{font-size:26px;letter-spacing:.3em}.province{font-size:15px;letter-spacing:.16em}
.isle{font-size:11px;letter-spacing:.1em}
.frame{fill:none;stroke:#43321f;stroke-width:3}.scale{stroke:#43321f;stroke-width:7;fill:none}
"""
# classes that would clash with those of the shapes
LABEL_CLASS = {"sea": "sea-name", "land": "land-name"}


def main(arguments: list[str] | None = None) -> int:
    """Write the chart of one theatre to standard output; the exit status."""
    parser = argparse.ArgumentParser(description="Draw a theatre on its coast, as SVG.")
    parser.add_argument("theatre", choices=sorted(path.stem for path in THEATRES.glob("*.json")))
    theatre = parser.parse_args(arguments).theatre
    coast = json.loads((HERE / f"{theatre}.json").read_text(encoding="utf-8"))
    places = json.loads((THEATRES / f"{theatre}.json").read_text(encoding="utf-8"))
    sys.stdout.write(chart_svg(coast=coast, places=places))
    return 0


def chart_svg(*, coast: dict[str, Any], places: dict[str, Any]) -> str:
    """The whole chart as an SVG document."""
    projection = Projection(tuple(coast["box"]), coast["width"])
    width, height = coast["width"], coast["height"]
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f'<style>{STYLE}</style><rect class="sea" width="{width}" height="{height}"/>',
        f'<path class="shallows" d="{coast["land"]}"/><path class="shallows near" d="{coast["land"]}"/>',
        f'<path class="land" d="{coast["land"]}"/>',
        *_graticule(projection, height),
        *_labels(coast["labels"], projection),
        *_places(places, projection),
        f'<rect class="frame" width="{width}" height="{height}"/></svg>\n',
    ]
    return "\n".join(parts)


def _graticule(projection: Projection, height: int) -> Iterator[str]:
    """Meridians and parallels, and a black and white scale of degrees round the edge."""
    west, south, east, north = projection.box
    step = 10 if east - west > 60 else 5 if east - west > 35 else 2
    width = projection.width
    for lon in range(math.ceil(west / step) * step, math.floor(east) + 1, step):
        x, _ = projection.to_xy(south, lon)
        yield f'<path class="grid" d="M{x:.1f} 0V{height}"/>'
        if (lon // step) % 2:
            run = projection.units_per_degree * step
            yield f'<path class="scale" d="M{x:.1f} 0h{run:.1f}M{x:.1f} {height}h{run:.1f}"/>'
    for lat in range(math.ceil(south / step) * step, math.floor(north) + 1, step):
        _, y = projection.to_xy(lat, west)
        yield f'<path class="grid" d="M0 {y:.1f}H{width}"/>'
        if (lat // step) % 2:
            _, top = projection.to_xy(min(lat + step, 85), west)
            yield f'<path class="scale" d="M0 {y:.1f}V{top:.1f}M{width} {y:.1f}V{top:.1f}"/>'


def _labels(labels: list[dict[str, Any]], projection: Projection) -> Iterator[str]:
    """Names of lands and seas."""
    for label in labels:
        x, y = projection.to_xy(label["lat"], label["lon"])
        kind = LABEL_CLASS.get(label["kind"], label["kind"])
        turn = f' transform="rotate({label["angle"]} {x:.1f} {y:.1f})"' if label["angle"] else ""
        yield f'<text class="label {kind}" x="{x:.1f}" y="{y:.1f}"{turn}>{escape(label["text"])}</text>'


def _places(theatre: dict[str, Any], projection: Projection) -> Iterator[str]:
    """Passages as thin lines, places as dots with their names."""
    at = {node["id"]: projection.to_xy(node["latitude"], node["longitude"]) for node in theatre["nodes"]}
    for start, end in theatre["edges"]:
        (x1, y1), (x2, y2) = at[start], at[end]
        yield f'<path class="edge" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'
    for node in theatre["nodes"]:
        x, y = at[node["id"]]
        name = node["name"].split(" (")[0]
        yield f'<circle class="place {node["kind"]}" cx="{x:.1f}" cy="{y:.1f}" r="3.4"/>'
        yield f'<text class="name" x="{x + 6:.1f}" y="{y + 4:.1f}">{escape(name)}</text>'


if __name__ == "__main__":
    sys.exit(main())
