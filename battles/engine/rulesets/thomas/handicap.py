"""Handicaps of a scenario: what a side's cards lose before the battle, said openly and with its reason. Rule: T.S31."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from battles.engine.core.errors import Fault
from battles.engine.core.parties import entries
from battles.engine.core.scenario import Scenario
from battles.engine.rulesets.thomas.card import Card, half_up
from battles.engine.rulesets.thomas.guns import part_of

KINDS = frozenset({"batteries", "crew"})


def of_side(scenario: Scenario, side: str) -> dict[str, int]:
    """The handicaps of a side: per cent that is left, by what is handicapped."""
    return {one.what: one.percent for one in scenario.handicaps if one.side == side}


def handicapped(whole: Card, left: dict[str, int]) -> Card:
    """A card of which so many per cent are left. Rule: T.S31."""
    if "batteries" in left:
        whole = replace(whole, batteries=part_of(whole.batteries, left["batteries"]))
    if "crew" in left:
        whole = replace(whole, crew_max=half_up(whole.crew_max * left["crew"], 100))
    return whole


def faults(scenario: Scenario) -> Iterator[Fault]:
    """Ships that a handicap finds damaged: their wounds are counted on the whole card. Rule: T.S31."""
    sides = {one.side for one in scenario.handicaps}
    for path, entry in entries(scenario):
        number = int(path.split("]")[0].removeprefix("sides["))
        if entry.condition is not None and scenario.sides[number].id in sides:
            text = f"{entry.name} comes with a condition; a side with a handicap begins sound (T.S31)"
            yield Fault(f"{path}.condition", text)
