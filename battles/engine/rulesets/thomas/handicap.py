"""Handicaps of a scenario: what a side's cards lose before the battle, said openly and with its reason. Rule: T.S31."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from battles.engine.core.errors import Fault
from battles.engine.core.parties import entries
from battles.engine.core.scenario import Scenario
from battles.engine.rulesets.thomas.card import Card, half_up
from battles.engine.rulesets.thomas.guns import Mount
from battles.engine.rulesets.thomas.tables import Arc, Gun

KINDS = frozenset({"batteries", "crew"})
_GUNS = tuple(Gun)


def of_side(scenario: Scenario, side: str) -> dict[str, int]:
    """The handicaps of a side: per cent that is left, by what is handicapped."""
    return {one.what: one.percent for one in scenario.handicaps if one.side == side}


def handicapped(whole: Card, left: dict[str, int]) -> Card:
    """A card of which so many per cent are left. Rule: T.S31."""
    if "batteries" in left:
        whole = replace(whole, batteries=tuple(_batteries(whole, left["batteries"])))
    if "crew" in left:
        whole = replace(whole, crew_max=half_up(whole.crew_max * left["crew"], 100))
    return whole


def _batteries(whole: Card, percent: int) -> Iterator[Mount]:
    """Of each type in each group so many per cent, to the nearest half battery, halves up. Rules: T.S31, T.S5."""
    for arc in Arc:
        for gun in _GUNS:
            mine = [one for one in whole.batteries if one.arc is arc and one.gun is gun]
            halves = sum(1 if one.half else 2 for one in mine)
            kept = (2 * halves * percent + 100) // 200
            yield from (Mount(gun, arc, False) for _ in range(kept // 2))
            yield from (Mount(gun, arc, True) for _ in range(kept % 2))


def faults(scenario: Scenario) -> Iterator[Fault]:
    """Ships that a handicap finds damaged: their wounds are counted on the whole card. Rule: T.S31."""
    sides = {one.side for one in scenario.handicaps}
    for path, entry in entries(scenario):
        number = int(path.split("]")[0].removeprefix("sides["))
        if entry.condition is not None and scenario.sides[number].id in sides:
            text = f"{entry.name} comes with a condition; a side with a handicap begins sound (T.S31)"
            yield Fault(f"{path}.condition", text)
