"""Builds the coast of every theatre's chart from Natural Earth's land. Run by hand; see README.md beside it.

    python -m campaign.data.coast.build land-10m.json

Reads charts.json (box, fineness and labels of each chart) and historic_water.json, writes <theatre>.json.
Exit status 2, with one line on standard error and nothing written, if the input is not the file the charts
were made of.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from campaign.chart_projection import LATITUDE_LIMIT, Projection
from campaign.data.coast.paths import Ring, svg_path
from campaign.data.coast.polygons import Rect, area, clip_ring, cut, reaches, simplify
from campaign.data.coast.topojson import read_land

HERE = Path(__file__).parent
THEATRES = HERE.parent / "theatres"
INPUT_SHA256 = "9b9f584709c119d63fbadf484ce425260497697b7166be7a2fe360e8c0b171a8"
SOURCE = "Natural Earth 1:10m land, from the npm package world-atlas 2.0.2; older water drawn by hand"
LICENCE = "public domain (Natural Earth)"

WIDTH = 1600  # chart units
PADDING = 24  # chart units by which the land runs on past the paper, so that its cut edge is never seen


class WrongInput(Exception):
    """The file given is not the land the charts are made of."""


def main(arguments: list[str] | None = None) -> int:
    """Build every chart named in charts.json, or only those asked for; the exit status."""
    parser = argparse.ArgumentParser(description="Build the coast of the theatres' charts.")
    parser.add_argument("land", type=Path, help="land-10m.json of the npm package world-atlas 2")
    parser.add_argument("--theatre", action="append", help="only this theatre (may be given again)")
    asked = parser.parse_args(arguments)
    charts = _read(HERE / "charts.json")["charts"]
    unknown = sorted(set(asked.theatre or ()) - set(charts))
    try:
        if unknown:
            raise WrongInput(f"no chart is laid out for {', '.join(unknown)}")
        land = read_checked_land(asked.land)
    except WrongInput as error:
        print(error, file=sys.stderr)
        return 2
    for theatre in asked.theatre or charts:
        chart = build_chart(theatre=theatre, layout=charts[theatre], land=land)
        text = json.dumps(chart, indent=1, ensure_ascii=False) + "\n"
        (HERE / f"{theatre}.json").write_text(text, encoding="utf-8")
        print(f"{theatre}: {chart['width']} x {chart['height']}, {len(text.encode()) / 1000:.0f} kB")
    return 0


def read_checked_land(path: Path, sha256: str = INPUT_SHA256) -> list[Ring]:
    """Land rings as (longitude, latitude).

    Raises WrongInput if the file is missing or its checksum is another.
    """
    try:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise WrongInput(f"{path}: {error.strerror}") from error
    if found != sha256:
        raise WrongInput(f"{path}: SHA-256 is {found}, not {sha256}")
    return read_land(path)


def build_chart(*, theatre: str, layout: dict[str, Any], land: list[Ring]) -> dict[str, Any]:
    """The coast file of one theatre, ready to be written as JSON."""
    west, south, east, north = layout["box"]
    projection = Projection((west, south, east, north), WIDTH)
    older = historic_water(before=int(_read(THEATRES / f"{theatre}.json")["start_date"][:4]))
    frame = _with_margin(projection)
    shores = [ring for ring in land if len(ring) > 2 and reaches(ring, frame)]
    drowned: list[Ring] = []
    for water in older:
        if reaches(water[0], frame):
            shores, lost = cut(shores, water)
            drowned += lost
    fineness, decimals = layout["tolerance"], layout["decimals"]
    return {
        "theatre": theatre,
        "box": [west, south, east, north],
        "projection": "mercator",
        "width": WIDTH,
        "height": round(projection.height),
        "land": svg_path(_drawn(shores, projection, fineness, layout["islet"]), decimals),
        "historic_water": svg_path(_drawn(drowned, projection, fineness, 0.0), decimals),
        "labels": layout["labels"],
        "source": SOURCE,
        "licence": LICENCE,
    }


def historic_water(*, before: int) -> list[list[Ring]]:
    """Waters still open in a year, each as its shore and its islands, in (longitude, latitude)."""
    waters = _read(HERE / "historic_water.json")["polygons"]
    return [
        [[(lon, lat) for lon, lat in ring] for ring in water["rings"]]
        for water in waters
        if water["closed"] is None or water["closed"] > before
    ]


def _with_margin(projection: Projection) -> Rect:
    """The chart's box with the padding around it, in degrees."""
    south, west = projection.to_latlon(-PADDING, projection.height + PADDING)
    north, east = projection.to_latlon(projection.width + PADDING, -PADDING)
    return west, south, east, north


def _drawn(rings: list[Ring], projection: Projection, tolerance: float, islet: float) -> list[Ring]:
    """Rings in chart units, clipped to the padded paper, thinned out, without islets too small to see.

    tolerance, islet: square chart units.
    """
    paper = (-PADDING, -PADDING, projection.width + PADDING, projection.height + PADDING)
    drawn = []
    for ring in rings:
        clipped = clip_ring(_projected(ring, projection), paper)
        if clipped and area(clipped) >= islet:
            drawn.append(simplify(clipped, tolerance))
    return sorted(drawn, key=area, reverse=True)


def _projected(ring: Ring, projection: Projection) -> Ring:
    """A ring in chart units; points too near a pole for Mercator are pulled back to its limit."""
    return [projection.to_xy(max(-LATITUDE_LIMIT, min(LATITUDE_LIMIT, lat)), lon) for lon, lat in ring]


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


if __name__ == "__main__":
    sys.exit(main())
