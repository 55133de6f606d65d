"""Battles for Thomas's rules with the same ships on both sides, drawn from the registers of 1805 and 1588."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from battles.data.scenarios.build.rows import Row, facts, register, trafalgar
from battles.engine.core.scenario import Scenario, read_scenario

NELSON, ARMADA = "1805_trafalgar", "1588_armada"
_DAYS = {NELSON: "1805-07-01T09:00", ARMADA: "1588-07-01T09:00"}
_KINDS = {NELSON: ("ship_of_line", "frigate"), ARMADA: ("galleon", "merchant")}
_MOST = 10


def mirrored(count: int, *, pick: int, captains: tuple[str, str], **more: Any) -> Scenario:
    """The same ships on both sides, drawn by the number `pick`: two times of three from 1805, else from 1588.

    The wind is another each time; moves are of half an hour, from nine in the morning until dark. A duel is fought by ships of
    war and to the end, by night too. captains: of the side listed first and of the other.
    """
    name = ARMADA if pick % 3 == 2 else NELSON
    kinds = _KINDS[name][:1] if name == ARMADA and count == 1 else _KINDS[name]
    fleet = trafalgar() if name == NELSON else register(name)
    rows = [row for row in fleet if row["ship_type"] in kinds]
    drawn = random.Random(pick).sample(rows, count)
    sides = [_side("A", "France", drawn, captains[0]), _side("B", "Portugal", drawn, captains[1])]
    return read_scenario(
        {
            "schema": 1, "rule_set": "thomas", "title": f"Mirrored, {count} a side", "code": f"T/{pick}/B1", "start": _DAYS[name],
            "wind": {"towards": 45 * (pick % 8), "strength": "moderate"}, "sides": sides,
            "options": {"hours_per_move": 0.5, "night_action": count == 1}, **more,
        }
    )  # fmt: skip


def _side(code: str, nation: str, rows: Sequence[Row], captain: str) -> dict[str, Any]:
    """A side in squadrons of at most ten, all about as large."""
    ships = [
        {"id": f"{code}{n:02}", "name": row["name"], "facts": facts(row, "rate", "gun_detail")}
        for n, row in enumerate(rows, start=1)
    ]
    number = -(-len(ships) // _MOST)
    each = -(-len(ships) // number)
    squadrons = [
        {"id": f"{code}-{n + 1}", "name": f"Squadron {n + 1}", "flagship": part[0]["id"], "ships": part}
        for n in range(number)
        if (part := ships[n * each : (n + 1) * each])
    ]
    return {"id": code, "name": nation, "nation": nation, "captain": captain, "squadrons": squadrons}
