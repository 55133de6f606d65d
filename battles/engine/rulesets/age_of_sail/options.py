"""The switches of the set: their names, defaults, and what each may be. Rule: A.G38."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from battles.engine.core import options as core
from battles.engine.core.options import Option, Options, choice, switch, whole
from battles.engine.core.plane import Point
from battles.engine.rulesets.age_of_sail.tables import LAST_ROUND

LONGEST = 500
_FARTHEST = 10_000_000
Polygons = tuple[tuple[Point, ...], ...]


def _polygons(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(shape, list | tuple)
        and len(shape) >= 3
        and all(
            isinstance(point, list | tuple)
            and len(point) == 2
            and all(whole(n, -_FARTHEST, _FARTHEST) for n in point)
            for point in shape
        )
        for shape in value
    )


def _area(clause: str) -> Option:
    words = "a list of polygons, each a list of at least three points [x, y] in thousandths of a centimetre"
    return Option((), _polygons, words, clause)


OPTIONS: Options = MappingProxyType(
    {
        "wind_start": choice("scenario", "set", clause="A.W3"),
        "theatre": Option(
            None,
            lambda value: value in (None, "atlantic", "mediterranean", "caribbean"),
            "atlantic, mediterranean, caribbean or nothing",
            "A.W3",
        ),
        "wind_dice": switch(True, "A.W5"),
        "no_sail": Option(45, lambda value: whole(value, 22, 45) and value in (22, 45), "22 or 45", "A.M4"),
        "stern_arc": choice("quadrant", "astern", clause="A.D4"),
        "block_line": switch(True, "A.F10"),
        "privateers_as_pirates": switch(False, "A.C12"),
        "first_mover": Option(
            None,
            lambda value: value is None or isinstance(value, str),
            "the id of a side, or nothing for a throw",
            "A.S3",
        ),
        "coast": _area("A.T9"),
        "shoals": _area("A.T4"),
        "last_round": Option(
            LAST_ROUND, lambda value: whole(value, 1, LONGEST), f"a whole number from 1 to {LONGEST}", "A.V1"
        ),
    }
)


def with_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """All switches, those of a scenario over the defaults; coast and shoals belong to the battle and are left out."""
    chosen = core.chosen(OPTIONS, options)
    del chosen["coast"], chosen["shoals"]
    return chosen


def polygons(options: Mapping[str, Any], name: str) -> Polygons:
    """Coast or shoals as points."""
    return tuple(tuple((x, y) for x, y in shape) for shape in options.get(name) or ())


option_faults = partial(core.option_faults, OPTIONS)
