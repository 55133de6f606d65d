"""The switches of the set: their names, defaults, and what each may be. Rules: section 2 of rules.md, T.S25."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any

from battles.engine.core import options as core
from battles.engine.core.options import Option, Options, choice, number, switch, whole

# A battle by day has ten moves at most (T.C4); one that goes on by night, or has shorter moves, ends here at the latest.
LAST_MOVE = 60


def _coast(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(land, list | tuple)
        and len(land) >= 3
        and all(
            isinstance(point, list | tuple)
            and len(point) == 2
            and all(whole(n, -10_000_000, 10_000_000) for n in point)
            for point in land
        )
        for land in value
    )


OPTIONS: Options = MappingProxyType(
    {
        "period": choice("auto", "armada", "nelson", clause="T.S24"),
        "hours_per_move": Option(
            1.5,
            lambda value: number(value, 0.05, 12),
            "hours, a number from 0.05 to 12",
            "T.S14",
        ),
        "wind_table": choice("bands", "literal", clause="T.B1a"),
        "wind_setup": choice("plain", "variable", clause="T.S11"),
        "wind_start": choice("scenario", "thrown", clause="T.S11"),
        "prevailing": Option(
            None,
            lambda value: value is None or value == "none" or whole(value, 0, 359),
            'degrees from which it blows, 0 to 359, "none", or nothing for the wind at the start',
            "T.C2",
        ),
        "start_hour": Option(
            None,
            lambda value: value is None or number(value, 0, 23.99),
            "an hour of the day, 0 to 23.99, or nothing for the scenario's or a throw",
            "T.S10",
        ),
        "campaign": switch(False, "T.C1"),
        "opt_boats": switch(True, "T.O1"),
        "opt_masts": switch(True, "T.O2"),
        "opt_towing": switch(True, "T.O3"),
        "opt_oars": switch(True, "T.O4"),
        "opt_crews": switch(True, "T.O5"),
        "opt_surrender": switch(True, "T.O6"),
        "opt_founder": switch(True, "T.O7"),
        "nelson_rules": Option(
            None,
            lambda value: value is None or isinstance(value, bool),
            "true, false, or nothing for the period's",
            "T.S24",
        ),
        "crew_equals_flotation": switch(False, "T.S2a"),
        "six_side": choice("any", "engaged", clause="T.B11a"),
        "block_line": switch(True, "T.B10e"),
        "fan_half_angle": Option(
            15, lambda value: number(value, 1, 45), "degrees, a number from 1 to 45", "T.S15"
        ),
        "drift_move": Option(1.0, lambda value: number(value, 0, 4), "inches, a number from 0 to 4", "T.S17"),
        "night_action": switch(False, "T.C5"),
        "coast": Option(
            (),
            _coast,
            "a list of shores, each a list of at least three points [x, y] in thousandths of an inch",
            "T.S21",
        ),
    }
)


def with_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """All switches of the set, those of a scenario over the defaults, as plain JSON values in whole numbers.

    `hours_per_move` and `start_hour` become `minutes_per_move` and `start_minute`, `fan_half_angle` hundredths of a degree,
    `drift_move` thousandths of an inch; the coast moves to the battle. Raises nothing: call `option_faults` first.
    """
    chosen = core.chosen(OPTIONS, options)
    del chosen["coast"]
    chosen["minutes_per_move"] = max(1, _times(chosen.pop("hours_per_move"), 60))
    hour = chosen.pop("start_hour")
    chosen["start_minute"] = None if hour is None else _times(hour, 60)
    chosen["fan_half_angle"] = _times(chosen["fan_half_angle"], 100)
    chosen["drift_move"] = _times(chosen["drift_move"], 1_000)
    return chosen


def _times(value: float, units: int) -> int:
    """A number of coarse units in fine ones, half up."""
    return int(Fraction(str(value)) * units + Fraction(1, 2))


option_faults = partial(core.option_faults, OPTIONS)
