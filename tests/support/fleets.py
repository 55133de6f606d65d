"""Battles made from the rows of the 1666 register: as they met, cut down, or the same ships on both sides."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from battles.engine.core.scenario import Scenario, read_scenario

REGISTER = Path(__file__).resolve().parents[2] / "fleets" / "data" / "registers" / "1666_four_days_battle.csv"
Row = dict[str, str]
_FLAGS = ("flagship", "vice_flag", "rear_flag")


@cache
def register() -> tuple[Row, ...]:
    """The rows of the register, in its order."""
    with REGISTER.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def facts(row: Row) -> dict[str, Any]:
    """A register row as the facts of a scenario's ship."""
    found: dict[str, Any] = {"nation": row["nation"], "ship_type": row["ship_type"], "rate": row["rate"]}
    for name in ("guns", "broadside_lb", "tons_burthen", "displacement_tons", "year_built", "crew"):
        if row[name]:
            found[name] = int(row[name])
    return found


def divided(rows: Sequence[Row]) -> list[list[Row]]:
    """A squadron of more than 10 ships as divisions of 6 to 10, flag officers' ships and then the heaviest leading them."""
    if len(rows) <= 10:
        return [list(rows)]
    flags = [row for row in rows if row["role"] in _FLAGS]
    count = min(max(-(-len(rows) // 10), len(flags)), len(rows) // 6)
    rest = sorted((r for r in rows if r not in flags), key=lambda r: -int(r["guns"] or 0))
    heads = (flags + rest)[:count]
    others = [row for row in rows if row not in heads]
    parts = [[head] for head in heads]
    for n, row in enumerate(others):
        parts[n * count // len(others)].append(row)
    return parts


def squadrons(code: str, rows: Sequence[Row], *, by_name: bool = True) -> list[dict[str, Any]]:
    """Squadrons of a side: the register's own, or all rows as one body, divided where they are too large."""
    bodies: dict[str, list[Row]] = {}
    for row in rows:
        bodies.setdefault(row["squadron"] if by_name else code, []).append(row)
    made: list[dict[str, Any]] = []
    number = 0
    for name, body in bodies.items():
        for part in divided(body):
            ships = []
            for row in part:
                number += 1
                ships.append({"id": f"{code}{number:02}", "name": row["name"], "facts": facts(row)})
            head = next((n for n, row in enumerate(part) if row["role"] in _FLAGS), 0)
            officer = part[head]["commander"].split(";")[0] if part[head]["role"] in _FLAGS else ""
            made.append({
                "id": f"{code}-{len(made) + 1}", "name": f"{name} {len(made) + 1}", "flagship": ships[head]["id"],
                "flag_officer": officer, "ships": ships,
            })  # fmt: skip
    return made


def document(sides: Sequence[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A scenario document of these sides."""
    return {
        "schema": 1, "rule_set": "kohler", "title": "Test", "code": "T/1/B1", "sides": list(sides),
        "wind": {"towards": 45, "strength": "moderate"}, **more,
    }  # fmt: skip


def side(
    code: str, nation: str, rows: Sequence[Row], *, by_name: bool = False, **more: Any
) -> dict[str, Any]:
    """A side of a scenario document."""
    return {
        "id": code,
        "name": nation,
        "nation": nation,
        "squadrons": squadrons(code, rows, by_name=by_name),
        **more,
    }


def four_days_first_day(*, captains: tuple[str, str] = ("commander", "commander")) -> Scenario:
    """The first of the Four Days: all the English under Albemarle against all the Dutch."""
    english = [r for r in register() if r["side"] == "English" and "Rupert" not in r["squadron"]]
    dutch = [r for r in register() if r["side"] == "Dutch"]
    return read_scenario(
        document(
            [
                side("E", "England", english, by_name=True, captain=captains[0]),
                side("D", "Dutch Republic", dutch, by_name=True, captain=captains[1]),
            ],
            title="The Four Days' Battle, first day",
            code="FDB/1/B1",
        )
    )


def meeting(english: int, dutch: int, **more: Any) -> Scenario:
    """So many ships of the two navies, the first of the register that are neither merchants nor fire ships."""
    return read_scenario(meeting_document(english, dutch, **more))


def meeting_document(english: int, dutch: int, **more: Any) -> dict[str, Any]:
    """The document of `meeting`. captains: names by side, English first."""
    captains = more.pop("captains", ("commander", "commander"))
    fighting = [r for r in register() if r["ship_type"] in ("ship_of_line", "frigate")]
    own = [[r for r in fighting if r["side"] == name] for name in ("English", "Dutch")]
    return document(
        [
            side("E", "England", _repeated(own[0], english), captain=captains[0]),
            side("D", "Dutch Republic", _repeated(own[1], dutch), captain=captains[1]),
        ],
        **more,
    )


def _repeated(rows: Sequence[Row], count: int) -> list[Row]:
    """The first rows, the register begun again when it is used up."""
    return [rows[n % len(rows)] for n in range(count)]


def mirrored(count: int, *, pick: int, captains: tuple[str, str], **more: Any) -> Scenario:
    """The same ships on both sides, drawn from both navies by the number `pick`; neither side is Dutch.

    captains: of the side listed first and of the other, which wins ties of initiative.
    """
    rows = [r for r in register() if r["ship_type"] in ("ship_of_line", "frigate")]
    drawn = random.Random(pick).sample(rows, count)
    return read_scenario(
        document(
            [
                side("A", "France", drawn, captain=captains[0]),
                side("B", "Portugal", drawn, captain=captains[1]),
            ],
            title=f"Mirrored, {count} a side",
            code=f"M/{pick}/B1",
            **more,
        )
    )
