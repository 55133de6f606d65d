"""The rule sets that every generic test runs over: those that are registered, and a tiny one that is registered by a fixture.

The ships that fight in these tests are those of each set's own scenarios, so a set is tested with ships of its own period.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from battles import rule_books
from battles.boards import PRESENTATIONS, OrderSlip, Presentation
from battles.engine import registry
from battles.engine.core.scenario import Scenario, read_scenario

TINY = "tiny"
SETS = (*registry.names(), TINY)
FOLDER = Path(__file__).parent / "tiny_set"
TEMPLATES = FOLDER / "templates"
SHOWN = Presentation(
    "tests.support.tiny_set.board",
    "fleets/cards/tiny.html",
    "Y",
    FOLDER / "scenarios",
    OrderSlip(("Advance", "Fire at"), "Advance: hexes towards the enemy, from -2 to 2.", "Y.4"),
    {"board": "Ram"},
)
# Most ships of a squadron, as the rule books advise.
_MOST = 10


@contextmanager
def tiny_registered() -> Iterator[None]:
    """Meanwhile the tiny set is installed, in the registry and among the presentations."""
    read = rule_books.rule_book.cache_info().currsize
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry.RULE_SETS, TINY, "tests.support.tiny_set.rules")
        patch.setitem(PRESENTATIONS, TINY, SHOWN)
        yield
    if (
        rule_books.rule_book.cache_info().currsize != read
    ):  # a book that was read meanwhile links to the tiny set's
        rule_books.rule_book.cache_clear()


@cache
def scenario_files(name: str) -> tuple[Path, ...]:
    """The scenarios of a set, by name."""
    shown = SHOWN if name == TINY else PRESENTATIONS[name]
    return tuple(sorted(shown.scenarios.glob("*.json")))


@cache
def _largest(name: str) -> str:
    """The text of the scenario that has the most ships: it begins with those that fight in the line."""
    return max((path.read_text(encoding="utf-8") for path in scenario_files(name)), key=len)


def _ships(doc: dict[str, Any]) -> list[list[dict[str, Any]]]:
    return [[ship for squadron in side["squadrons"] for ship in squadron["ships"]] for side in doc["sides"]]


def facts_of(name: str) -> dict[str, Any]:
    """What a register knows of a ship of the set's own period."""
    facts: dict[str, Any] = _ships(json.loads(_largest(name)))[0][0]["facts"]
    return facts


def document(name: str, first: int, second: int, **more: Any) -> dict[str, Any]:
    """A scenario document of so many ships a side, E01, E02 ... against D01, D02 ..., from a scenario of the set.

    The first of each side, begun again when they are used up. They lie where the set puts them. captains: names by side.
    """
    shipped = json.loads(_largest(name))
    captains = more.pop("captains", ("commander", "commander"))
    sides = []
    for code, count, captain, side, ships in zip(
        "ED", (first, second), captains, shipped["sides"], _ships(shipped), strict=True
    ):
        rows = [
            {
                "id": f"{code}{n + 1:02}",
                "name": ships[n % len(ships)]["name"],
                "facts": ships[n % len(ships)]["facts"],
            }
            for n in range(count)
        ]
        parts = [rows[n : n + _MOST] for n in range(0, count, _MOST)]
        sides.append({
            "id": code, "name": side["name"], "nation": side["nation"], "captain": captain,
            "squadrons": [
                {"id": f"{code}-{n}", "name": f"{side['name']} {n}", "flagship": part[0]["id"], "ships": part}
                for n, part in enumerate(parts, 1)
            ],
        })  # fmt: skip
    return {
        "schema": 1, "rule_set": name, "title": "Test", "code": "T/1/B1", "sides": sides,
        "wind": {"towards": 45, "strength": "moderate"}, "start": shipped.get("start", ""), **more,
    }  # fmt: skip


def meeting(name: str, first: int, second: int, **more: Any) -> Scenario:
    """The scenario of `document`."""
    return read_scenario(document(name, first, second, **more))
