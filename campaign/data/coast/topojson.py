"""Reads the land of a quantized TopoJSON world into plain rings of longitude and latitude."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from campaign.data.coast.paths import Ring


def read_land(path: Path, *, name: str = "land") -> list[Ring]:
    """All rings of one object of a TopoJSON file, as (longitude, latitude) in degrees.

    Outer rings and holes come mixed: they are meant to be filled even-odd. A ring does not repeat its first
    point. Raises KeyError if the file has no object of that name, ValueError if it is not quantized TopoJSON.
    """
    document = json.loads(path.read_text(encoding="utf-8"))
    if document.get("type") != "Topology" or "transform" not in document:
        raise ValueError(f"{path.name} is not a quantized TopoJSON topology")
    arcs = [_decode_arc(arc, document["transform"]) for arc in document["arcs"]]
    rings = _rings_of(document["objects"][name])
    return [_join(ring, arcs) for ring in rings]


def _decode_arc(arc: list[list[int]], transform: dict[str, list[float]]) -> Ring:
    """One arc from its chain of integer steps to degrees."""
    (scale_x, scale_y), (shift_x, shift_y) = transform["scale"], transform["translate"]
    x = y = 0
    points: Ring = []
    for step_x, step_y in arc:
        x += step_x
        y += step_y
        points.append((x * scale_x + shift_x, y * scale_y + shift_y))
    return points


def _rings_of(geometry: dict[str, Any]) -> list[list[int]]:
    """The rings of a geometry, each a list of arc numbers (a number n below zero means arc ~n backwards)."""
    match geometry["type"]:
        case "GeometryCollection":
            return [ring for part in geometry["geometries"] for ring in _rings_of(part)]
        case "MultiPolygon":
            return [ring for polygon in geometry["arcs"] for ring in polygon]
        case "Polygon":
            return list(geometry["arcs"])
        case other:
            raise ValueError(f"a {other} has no area to draw as land")


def _join(numbers: list[int], arcs: list[Ring]) -> Ring:
    """Lay arcs end to end; neighbours share a point, which is kept once."""
    ring: Ring = []
    for number in numbers:
        arc = arcs[number] if number >= 0 else arcs[~number][::-1]
        ring.extend(arc[:-1])
    return ring
