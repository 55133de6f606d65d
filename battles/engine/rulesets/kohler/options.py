"""The switches of the set: their names, defaults, and what each may be. See the table "Switches" of rules.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from battles.engine.core.scenario import Strength as ChartStrength

LAST_TURN = 30


class Option(NamedTuple):
    """A switch: its default, whether a value will do, what would do in words, and the clause it belongs to."""

    default: Any
    allows: Callable[[Any], bool]
    words: str
    clause: str


def _choice(default: str, *values: str, clause: str) -> Option:
    return Option(default, lambda value: value in values, " or ".join(values), clause)


def _switch(default: bool, clause: str) -> Option:
    return Option(default, lambda value: isinstance(value, bool), "true or false", clause)


def _whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _wind_row(row: Any) -> bool:
    return (
        isinstance(row, Mapping)
        and set(row) <= {"turn", "towards", "strength"}
        and _whole(row.get("turn"), 1, 500)
        and ("towards" not in row or _whole(row["towards"], 0, 359))
        and ("strength" not in row or row["strength"] in {item.value for item in ChartStrength})
    )


OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "double_six": _choice("shift", "shift", "hold", clause="K.W5"),
        "weather": _switch(True, "K.W7"),
        "wind_mode": _choice("dice", "dice", "fixed", "scripted", clause="K.W8"),
        "wind_script": Option(
            (),
            lambda value: isinstance(value, list | tuple) and all(map(_wind_row, value)),
            'a list of {"turn": 1-500, "towards": 0-359 degrees, "strength": a strength of the chart}',
            "K.W8",
        ),
        "wind_start": _choice("scenario", "scenario", "random", clause="K.W1"),
        "disorder": Option(
            None,
            lambda value: value is None or isinstance(value, bool),
            "true, false or nothing",
            "K.S8",
        ),
        "english_disorder_bonus": _switch(False, "K.A2.13"),
        "lof_blocking": _switch(True, "K.F5"),
        "half_points": _choice("lower", "lower", "upper", clause="K.F15"),
        "boarding_round": _choice("up", "up", "down", clause="K.B18"),
        "small_target_limit": _choice("under_30", "under_30", "20_or_fewer", clause="K.F10"),
        "last_turn": Option(
            None,
            lambda value: value is None or _whole(value, 1, 500),
            "a whole number from 1 to 500",
            "K.G9",
        ),
        "visibility": Option(
            None,
            lambda value: value is None or _whole(value, 1, 99),
            "hexes, a whole number from 1 to 99, or nothing",
            "K.I4",
        ),
        "at_anchor": Option(
            MappingProxyType({}),
            lambda value: isinstance(value, Mapping) and all(_whole(item, 1, 500) for item in value.values()),
            "an object of squadron ids with the turn from which each may make sail",
            "K.S9",
        ),
        "initiative": Option(
            MappingProxyType({}),
            lambda value: isinstance(value, Mapping) and all(_whole(item, -9, 20) for item in value.values()),
            "an object of squadron ids with a whole number each",
            "K.I1",
        ),
    }
)


def with_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """All switches of the set, those of a scenario over the defaults, as plain JSON values.

    Raises nothing: call `option_faults` first.
    """
    chosen = {name: options.get(name, option.default) for name, option in OPTIONS.items()}
    chosen["wind_script"] = [dict(row) for row in chosen["wind_script"]]
    chosen["initiative"] = dict(chosen["initiative"])
    chosen["at_anchor"] = dict(chosen["at_anchor"])
    return chosen


def option_faults(options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(name, sentence) for every option that is unknown or has a value the set cannot use."""
    for name, value in options.items():
        if name not in OPTIONS:
            yield name, f"not an option in this rule set; use one of {', '.join(sorted(OPTIONS))}"
        elif not OPTIONS[name].allows(value):
            yield (
                name,
                f"{value!r} is not allowed; use {OPTIONS[name].words} ({OPTIONS[name].clause})",
            )
