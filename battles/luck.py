"""Dice counted for the luck page: how often each face fell, by clause and by the side whose die it was. Rule: G.FA2.

A count is {clause: {side: {die: {face: times}}}}, all keys text; "" is the side of a die that belongs to no side, such as the wind's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from battles.engine.core.log import DIE, Event
from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import Scenario

Count = dict[str, dict[str, dict[str, dict[str, int]]]]
ALL = "all"


def add_throw(
    count: Count, *, clause: str, key: str, die: str, faces: Iterable[int], owners: Mapping[str, str]
) -> None:
    """Add a throw to a count. owners: side by code of ship, squadron or fleet; the first that the key names has thrown."""
    parts = key.split("/")
    side = next((owners[part] for part in parts if part in owners), "")
    row = count.setdefault(clause, {}).setdefault(side, {}).setdefault(die, {})
    for face in faces:
        row[str(face)] = row.get(str(face), 0) + 1


def merged(*counts: Mapping[str, Any]) -> Count:
    """Several counts as one."""
    total: Count = {}
    for count in counts:
        for clause, sides in count.items():
            for side, dice in sides.items():
                for die, faces in dice.items():
                    row = total.setdefault(clause, {}).setdefault(side, {}).setdefault(die, {})
                    for face, times in faces.items():
                        row[face] = row.get(face, 0) + times
    return total


def battle_luck(rules: RuleSet[Any], scenario: Scenario, events: Iterable[Event]) -> dict[str, Count]:
    """A battle's dice counted for every reader: "all", and what each side may read of them, by its code. Rules: G.FA2, G.IN1."""
    rows = list(events)
    owners = {ship.id: side.id for side in scenario.sides for ship in side.ships()}
    owners |= {squadron.id: side.id for side in scenario.sides for squadron in side.squadrons}
    readings = {ALL: rows} | {
        side.id: list(rules.log_seen_by(scenario, rows, side.id)) for side in scenario.sides
    }
    return {reader: _count(seen, owners) for reader, seen in readings.items()}


def _count(events: Iterable[Event], owners: Mapping[str, str]) -> Count:
    count: Count = {}
    for event in events:
        if event.kind == DIE:
            data = event.data
            add_throw(
                count,
                clause=event.clause,
                key=data["key"],
                die=data["die"],
                faces=data["faces"],
                owners=owners,
            )
    return count
