"""Scenarios that were checked whole as they were stored, read without checking them again.

Not in `core`, where a change of any module is a new version of every rule set. What comes from outside is read by
`battles.engine.core.scenario.read_scenario`, which names every fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.engine.core.scenario import _PLAIN, Handicap, Scenario, Strength, _cells, _side


def stored_scenario(doc: Mapping[str, Any]) -> Scenario:
    """The scenario that `read_scenario` makes of a document without faults. Rule: G.BT6."""
    wind = doc.get("wind", {})
    return Scenario(
        **{name: value for name, value in doc.items() if name in _PLAIN},
        sides=tuple(map(_side, doc["sides"])),
        wind_towards=wind.get("towards", 180),
        strength=Strength(wind.get("strength", "moderate")),
        land=_cells(doc, "land"),
        shoal=_cells(doc, "shoal"),
        edges=tuple(doc["edges"]) if doc.get("edges") else None,
        surprised=tuple(doc.get("surprised", ())),
        handicaps=tuple(Handicap(**row) for row in doc.get("handicaps", ())),
    )
