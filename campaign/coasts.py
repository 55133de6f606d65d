"""Land as the rules want it, from a coast as it was built. Rule: G.SI1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from campaign.chart_projection import Projection
from campaign.data.coast.paths import parse_path
from campaign.rules.chart.points import SCALE, Point


def projection_from(document: Mapping[str, Any]) -> Projection:
    """The projection in which a coast is drawn."""
    west, south, east, north = document["box"]
    return Projection((west, south, east, north), document["width"])


def rings_of(document: Mapping[str, Any]) -> Iterator[list[Point]]:
    """The rings of a coast's land, by latitude and longitude in hundred-thousandths of a degree."""
    paper = projection_from(document)
    for ring in parse_path(document["land"]):
        corners = (paper.to_latlon(x, y) for x, y in ring)
        yield [Point(round(latitude * SCALE), round(longitude * SCALE)) for latitude, longitude in corners]
