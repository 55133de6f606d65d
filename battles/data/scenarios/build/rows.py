"""Rows of the registers as the ships of a scenario document."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any

REGISTERS = Path(__file__).resolve().parents[4] / "fleets" / "data" / "registers"

Row = dict[str, str]
Document = dict[str, Any]
# The squadrons of Trafalgar; the register has the other fleets of that spring too.
AT_TRAFALGAR = frozenset(
    {
        "Weather Column", "Lee Column", "Frigates and small craft", "Van (Dumanoir)", "Centre (Villeneuve)", "Rear (Alava)",
        "Squadron of Observation (Gravina)",
    }
)  # fmt: skip
_FIGURES = ("guns", "broadside_lb", "tons_burthen", "displacement_tons", "year_built", "crew")


@cache
def register(name: str) -> tuple[Row, ...]:
    """The rows of a register, in its order."""
    with (REGISTERS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def trafalgar() -> tuple[Row, ...]:
    """The ships of the register of 1805 that were at Trafalgar."""
    return tuple(row for row in register("1805_trafalgar") if row["squadron"] in AT_TRAFALGAR)


def facts(row: Row, *words: str) -> Document:
    """A register row as the facts of a scenario's ship. words: columns of text to take over where they are filled."""
    found: Document = {"nation": row["nation"], "ship_type": row["ship_type"]}
    found |= {name: row[name] for name in words if row[name]}
    return found | {name: int(row[name]) for name in _FIGURES if row[name]}


def handicap(side: str, what: str, percent: int, reason: str) -> Document:
    """A handicap of a side: so many per cent of its batteries or crews are left, and why."""
    return {"side": side, "what": what, "percent": percent, "reason": reason}


def head(rule_set: str, code: str, title: str, note: str) -> Document:
    """What every scenario document begins with."""
    return {"schema": 1, "rule_set": rule_set, "title": title, "note": note, "code": code}
