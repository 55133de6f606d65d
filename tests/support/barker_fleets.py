"""Battles for Barker's rules with the same ships on both sides, drawn from the register of 1904."""

from __future__ import annotations

import random
from typing import Any

from battles.data.scenarios.build.rows import Row, facts, register
from battles.engine.core.scenario import Scenario, read_scenario

REGISTER = "1904_port_arthur_tsushima"


def mirrored(count: int, *, pick: int, captains: tuple[str, str], **more: Any) -> Scenario:
    """So many bases a side, the same on both, drawn by the number `pick`: half battleships, the rest cruisers and pairs of destroyers.

    They meet at noon, set down by P.K42. captains: of the side listed first, and of the other.
    """
    draw = random.Random(pick)
    heavy = draw.sample(_rows("battleship"), count - count // 2)
    cruisers = draw.sample(_rows("cruiser_1", "cruiser_2"), count // 4)
    boats = draw.sample(_rows("destroyer"), 2 * (count // 2 - count // 4))
    parts = [heavy[:6], heavy[6:], cruisers, boats]
    sides = [
        {
            "id": code,
            "name": nation,
            "nation": nation,
            "captain": captain,
            "squadrons": _squadrons(code, parts),
        }
        for code, nation, captain in zip("AB", ("France", "Portugal"), captains, strict=True)
    ]
    return read_scenario(
        {
            "schema": 1, "rule_set": "barker", "title": f"Mirrored, {count} a side", "code": f"P/{pick}/B1",
            "start": "1905-05-27T12:00", "wind": {"towards": 45, "strength": "moderate"}, "sides": sides, **more,
        }
    )  # fmt: skip


def _rows(*types: str) -> list[Row]:
    return [row for row in register(REGISTER) if row["ship_type"] in types]


def _squadrons(code: str, parts: list[list[Row]]) -> list[dict[str, Any]]:
    found = []
    for n, rows in enumerate([part for part in parts if part], 1):
        ships = [
            {"id": f"{code}{n}{m:02}", "name": row["name"], "facts": facts(row)}
            for m, row in enumerate(rows, 1)
        ]
        found.append(
            {"id": f"{code}-{n}", "name": f"Squadron {n}", "flagship": ships[0]["id"], "ships": ships}
        )
    return found
