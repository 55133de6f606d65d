"""Builds the shipped scenarios from the registers. Run by hand; see README.md beside this package.

    python -m battles.data.scenarios.build

Writes one document a scenario into the folder of its rule set.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from battles.boards import PRESENTATIONS
from battles.data.scenarios.build import (
    age_of_sail,
    barker_1904,
    cordery_1894,
    kohler_1666,
    thomas_1588,
    thomas_1805,
)
from battles.data.scenarios.build.rows import Document

SCENARIOS: Mapping[str, Mapping[str, Callable[[], Document]]] = {
    "kohler": kohler_1666.SCENARIOS,
    "cordery": cordery_1894.SCENARIOS,
    "thomas": {**thomas_1588.SCENARIOS, **thomas_1805.SCENARIOS},
    "age_of_sail": age_of_sail.SCENARIOS,
    "barker": barker_1904.SCENARIOS,
}


def files(rule_set: str) -> Path:
    """The folder in which the scenarios of a rule set lie."""
    return PRESENTATIONS[rule_set].scenarios


def built(rule_set: str) -> dict[str, str]:
    """The text of every scenario of a rule set, by file name."""
    return {
        f"{name}.json": json.dumps(make(), indent=1, ensure_ascii=False) + "\n"
        for name, make in SCENARIOS[rule_set].items()
    }


def write_all() -> None:
    """Write every scenario."""
    for rule_set in SCENARIOS:
        files(rule_set).mkdir(exist_ok=True)
        for name, text in built(rule_set).items():
            (files(rule_set) / name).write_text(text, encoding="utf-8")
            print(f"{rule_set}/{name}: {len(text.encode()) / 1000:.0f} kB")
