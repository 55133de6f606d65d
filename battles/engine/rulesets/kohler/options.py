"""The switches of the set: their names, defaults, and what each may be. See the table "Switches" of rules.md."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from battles.engine.core import options as core
from battles.engine.core.options import Option, Options, choice, switch, whole
from battles.engine.core.scenario import Strength

LAST_TURN = 30


def _wind_row(row: Any) -> bool:
    return (
        isinstance(row, Mapping)
        and set(row) <= {"turn", "towards", "strength"}
        and whole(row.get("turn"), 1, 500)
        and ("towards" not in row or whole(row["towards"], 0, 359))
        and ("strength" not in row or row["strength"] in {item.value for item in Strength})
    )


OPTIONS: Options = MappingProxyType(
    {
        "double_six": choice("shift", "hold", clause="K.W5"),
        "weather": switch(True, "K.W7"),
        "wind_mode": choice("dice", "fixed", "scripted", clause="K.W8"),
        "wind_script": Option(
            (),
            lambda value: isinstance(value, list | tuple) and all(map(_wind_row, value)),
            'a list of {"turn": 1-500, "towards": 0-359 degrees, "strength": a strength of the chart}',
            "K.W8",
        ),
        "wind_start": choice("scenario", "random", clause="K.W1"),
        "disorder": Option(
            None,
            lambda value: value is None or isinstance(value, bool),
            "true, false or nothing",
            "K.S8",
        ),
        "english_disorder_bonus": switch(False, "K.A2.13"),
        "lof_blocking": switch(True, "K.F5"),
        "half_points": choice("lower", "upper", clause="K.F15"),
        "boarding_round": choice("up", "down", clause="K.B18"),
        "small_target_limit": choice("under_30", "20_or_fewer", clause="K.F10"),
        "last_turn": Option(
            None,
            lambda value: value is None or whole(value, 1, 500),
            "a whole number from 1 to 500",
            "K.G9",
        ),
        "visibility": Option(
            None,
            lambda value: value is None or whole(value, 1, 99),
            "hexes, a whole number from 1 to 99, or nothing",
            "K.I4",
        ),
        "at_anchor": Option(
            MappingProxyType({}),
            lambda value: isinstance(value, Mapping) and all(whole(item, 1, 500) for item in value.values()),
            "an object of squadron ids with the turn from which each may make sail",
            "K.S9",
        ),
        "initiative": Option(
            MappingProxyType({}),
            lambda value: isinstance(value, Mapping) and all(whole(item, -9, 20) for item in value.values()),
            "an object of squadron ids with a whole number each",
            "K.I1",
        ),
    }
)


def with_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """All switches of the set, those of a scenario over the defaults, as plain JSON values.

    Raises nothing: call `option_faults` first.
    """
    chosen = core.chosen(OPTIONS, options)
    chosen["wind_script"] = [dict(row) for row in chosen["wind_script"]]
    chosen["initiative"] = dict(chosen["initiative"])
    chosen["at_anchor"] = dict(chosen["at_anchor"])
    return chosen


option_faults = partial(core.option_faults, OPTIONS)
