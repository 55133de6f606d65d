"""The switches of the set: their names, defaults, and what each may be. See "Switches" in rules.md. Rule: P.K44."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from battles.engine.core import options as core
from battles.engine.core.options import Option, Options, choice, switch, whole
from battles.engine.core.record import plain
from battles.engine.rulesets.barker.tables import YEARS, Type

# Minutes from contact, and hours where there is none. Rule: P.O05.
ALLOTTED, NO_CONTACT_HOURS = 240, 24
# Yards between the leaders: clear by day, haze, fog, dusk or dawn, night. Rule: P.K04.
CONTACT_YARDS = (24_000, 12_000, 2_000, 4_000, 1_000)
_HOUR = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
_NOTHING: Mapping[str, Any] = MappingProxyType({})


def _whole(default: int | None, least: int, most: int, clause: str) -> Option:
    return Option(
        default, lambda value: whole(value, least, most), f"a whole number from {least} to {most}", clause
    )


def _numbers(default: tuple[int, ...], least: int, most: int, clause: str) -> Option:
    def allows(value: Any) -> bool:
        return (
            isinstance(value, list | tuple)
            and len(value) == len(default)
            and all(whole(n, least, most) for n in value)
        )

    return Option(default, allows, f"{len(default)} whole numbers from {least} to {most}", clause)


def _hour(default: str, clause: str) -> Option:
    return Option(
        default,
        lambda value: isinstance(value, str) and bool(_HOUR.fullmatch(value)),
        "an hour, as 06:00",
        clause,
    )


def _object(allows: Callable[[Mapping[str, Any]], bool], words: str, clause: str) -> Option:
    return Option(_NOTHING, lambda value: isinstance(value, Mapping) and allows(value), words, clause)


def _points(value: Mapping[str, Any]) -> bool:
    return all(name in set(Type) and whole(points, 0, 24) for name, points in value.items())


def _mines(value: Mapping[str, Any]) -> bool:
    return all(
        isinstance(row, Mapping)
        and set(row) <= {"sown", "unsown"}
        and isinstance(row.get("sown", []), list | tuple)
        and all(_section_rows(field) for field in row.get("sown", []))
        and isinstance(row.get("unsown", {}), Mapping)
        and all(whole(count, 1, MOST_SECTIONS) for count in row.get("unsown", {}).values())
        for row in value.values()
    )


def _section_rows(field: Any) -> bool:
    return (
        isinstance(field, list | tuple)
        and 1 <= len(field) <= MOST_SECTIONS
        and all(
            isinstance(at, list | tuple) and len(at) == 2 and all(whole(n, -(10**6), 10**6) for n in at)
            for at in field
        )
    )


# Sections of a field. Rule: P.X01.
MOST_SECTIONS = 6
OPTIONS: Options = MappingProxyType(
    {
        "year": _whole(None, YEARS[0], YEARS[-1], "P.K44"),
        "sunrise": _hour("06:00", "P.K15"),
        "nightfall": _hour("21:00", "P.K15"),
        "sky": choice("clear", "haze", "fog", "squalls", clause="P.K44"),
        "setup": choice("chart", "table", clause="P.K44"),
        "characters": switch(True, "P.L01"),
        "guard": _whole(0, 0, 4, "P.K38"),
        "by_night": switch(True, "P.K15"),
        "mines": _object(
            _mines,
            "an object of side ids, each with sown (fields of up to 6 sections, [x, y] in yards) and unsown (sections by ship id, 1 to 6)",
            "P.X01",
        ),
        "fakes": _whole(2, 0, 2, "P.U08"),
        "shared_code": switch(False, "P.K03"),
        "signals": choice("free", "played", clause="P.G13"),
        "clock_overlap": switch(True, "P.T09"),
        "revert_after_spells": _whole(12, 1, 600, "P.C10"),
        "neutral_presence_min": _whole(4, 1, 7, "P.N01"),
        "turn_price_extra": switch(True, "P.I13"),
        "moves_c3": _whole(2, 2, 3, "P.M03"),
        "cripple_moves": _whole(1, 0, 2, "P.M19"),
        "lamp_range_yd": _whole(4_000, 200, 20_000, "P.G03"),
        "wt_counts_as_touch": switch(False, "P.G11"),
        "ships_block_fire": switch(True, "P.F19"),
        "end_on_vs_torpedo_craft": switch(True, "P.F14"),
        "allotted_min": _whole(ALLOTTED, 5, 1_440, "P.O05"),
        "contact_yd": _numbers(CONTACT_YARDS, 400, 60_000, "P.K04"),
        "sp_table": _object(_points, "an object of types with a whole number of points from 0 to 24 each", "P.S13"),
        "bank_size_bases": _numbers((6, 3), 1, 40, "P.W10"),
        "table_mm": _numbers((2_400, 1_500), 800, 12_000, "P.S32"),
        "sunset_after_sunrise_h": _whole(12, 4, 20, "P.T11"),
    }
)  # fmt: skip


def with_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """All switches, those of a scenario over the defaults, as plain JSON values. Call `option_faults` first."""
    chosen: dict[str, Any] = plain(core.chosen(OPTIONS, options))
    return chosen


option_faults = partial(core.option_faults, OPTIONS)
