"""Battles for Cordery's rules with the same ships on both sides, drawn from the battleships of 1894 and 1904."""

from __future__ import annotations

import random
from typing import Any

from battles.data.scenarios.build.rows import facts, register
from battles.engine.core.scenario import Scenario, read_scenario

REGISTERS = ("1894_yalu", "1904_port_arthur_tsushima")


def mirrored(count: int, *, pick: int, captains: tuple[str, str], **more: Any) -> Scenario:
    """The same battleships on both sides, drawn by the number `pick`, each side one squadron set down by C.S11.

    captains: of the side listed first, which begins in the west, and of the other.
    """
    rows = [row for name in REGISTERS for row in register(name) if row["ship_type"] == "battleship"]
    drawn = random.Random(pick).sample(rows, count)
    sides = []
    for code, nation, captain in zip("AB", ("France", "Portugal"), captains, strict=True):
        ships = [
            {"id": f"{code}{n:02}", "name": row["name"], "facts": facts(row)}
            for n, row in enumerate(drawn, start=1)
        ]
        squadron = {"id": f"{code}-1", "name": "Squadron 1", "flagship": ships[0]["id"], "ships": ships}
        sides.append(
            {"id": code, "name": nation, "nation": nation, "captain": captain, "squadrons": [squadron]}
        )
    return read_scenario(
        {
            "schema": 1, "rule_set": "cordery", "title": f"Mirrored, {count} a side", "code": f"C/{pick}/B1",
            "start": "1904-08-10T12:00", "wind": {"towards": 45, "strength": "moderate"}, "sides": sides, **more,
        }
    )  # fmt: skip
