"""The switches of the set: their names, defaults, and what each may be. See the table "Switches" of rules.md. Rule: C.K37."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from battles.engine.core import options as core
from battles.engine.core.options import Option, Options, choice, switch, whole
from battles.engine.rulesets.cordery import tables

EDGES = ("north", "east", "south", "west")
# Eight hours, the daylight left to the longest action of the period, that of 10 August 1904. Rule: C.V1.
LAST_TURN = 96
ANCHORED_TURNS = 3
_NUMBERS = {9: "nine", 5: "five", 3: "three"}


def _dice(default: tables.Dice, most: int, clause: str) -> Option:
    """Dice by range: as many as by default, never more at a longer range."""
    words = f"{_NUMBERS[len(default)]} whole numbers from 0 to {most}, never rising"

    def allows(value: Any) -> bool:
        return (
            isinstance(value, list | tuple)
            and len(value) == len(default)
            and all(whole(count, 0, most) for count in value)
            and list(value) == sorted(value, reverse=True)
        )

    return Option(default, allows, words, clause)


OPTIONS: Options = MappingProxyType(
    {
        "main_dice": _dice(tables.MAIN, 3, "C.G2"),
        "secondary_dice": _dice(tables.SECONDARY, 2, "C.G3"),
        "torpedo_dice": _dice(tables.TORPEDO, 3, "C.T2"),
        "tube_arc": choice("line", "abeam_quarter", clause="C.T3"),
        "declare": choice("all", "step", clause="C.S2"),
        "block_line": switch(True, "C.G9"),
        "safe_edges": Option(
            MappingProxyType({}),
            lambda value: isinstance(value, Mapping) and all(edge in EDGES for edge in value.values()),
            "an object of side ids with north, east, south or west each",
            "C.D3",
        ),
        "anchored_turns": Option(
            ANCHORED_TURNS, lambda value: whole(value, 0, 40), "a whole number from 0 to 40", "C.K31"
        ),
        "last_turn": Option(LAST_TURN, lambda value: whole(value, 1, 500), "a whole number from 1 to 500", "C.V1"),
    }
)  # fmt: skip


def with_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """All switches, those of a scenario over the defaults, as plain JSON values. Call `option_faults` first."""
    chosen = core.chosen(OPTIONS, options)
    for name in ("main_dice", "secondary_dice", "torpedo_dice"):
        chosen[name] = list(chosen[name])
    return {**chosen, "safe_edges": dict(chosen["safe_edges"])}


option_faults = partial(core.option_faults, OPTIONS)
