"""The board: hexes, drawn from the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from battles.boards import Standing, drawn
from battles.boards.drawn import Op, Own, Rows
from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario, Strength
from tests.support.tiny_set.rules import RULES

SIGNS: tuple[str, ...] = ()


def replay(scenario: Scenario, events: Iterable[Event], own: Own) -> dict[str, Any]:
    """What the replay draws. own: sides whose boats are shown whole, None for all."""
    events = list(events)
    there = drawn.known(scenario, events, own)
    number = drawn.numbers(there)
    ships = [drawn.ship_row(party, guns="", steps=4, hull=0) for party in there]
    return {
        **drawn.head(RULES, scenario, there, board="hex", strengths=list(Strength)),
        "ships": ships, "land": [], "shoal": [], "edges": None,
        **drawn.phases(RULES, events, lambda event: _ops(event, number)),
    }  # fmt: skip


def _ops(event: Event, number: Mapping[str, int]) -> list[Op]:
    ship, data = number.get(event.ship, -1), event.data
    match event.kind:
        case "placed" | "arrived":
            return [["P", ship, data["q"], data["r"], data["f"]]]
        case "moved":
            return [["M", ship, [part for row in data["path"] for part in row]]]
        case "fire":
            return [["F", ship, number[data["target"]], 0, data["range"], data["hits"]]]
        case "damage":
            return [["H", ship, data["steps"], data.get("left", -1)]]
        case "captured":
            return [["C", ship, data["side"]]]
        case "sunk":
            return [["X", ship, "sunk"]]
    return []


def standings(scenario: Scenario, events: Sequence[Event], own: Own) -> list[Standing]:
    """How every boat that the reader knows of was at the end."""
    return drawn.standings(
        scenario, events, own, figures=lambda ship: (4, RULES.card(ship.facts)["points"]), note=_note
    )


def _note(rows: Rows, event: Event) -> None:
    row = rows[event.ship]
    if "steps" in event.data:
        row["steps"], row["left"] = event.data["steps"], event.data.get("left")
    if event.kind == "captured":
        row["holder"] = event.data["side"]
        row["word"] = drawn.flying(row)
    elif event.kind == "sunk":
        row["word"] = "sunk"
