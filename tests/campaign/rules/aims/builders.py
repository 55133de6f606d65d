"""Builders for the tests of objectives: rows, an opening of the ships that facts have, and an 06:00 by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from battles.engine.core.dice import ScriptedDice
from campaign.rules.aims.objectives import objective_step
from campaign.rules.chart.objectives import FirstDay, Opening, Row
from campaign.rules.chart.types import FleetFacts, ShipKind, ShipSheet, TurnFacts
from campaign.rules.state.state import TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn.turn import standing
from tests.campaign.rules.builders import facts, settings


def row(kind: str, side: str = "ENG", **fields: Any) -> Row:
    """An objective of 10 marks, paid once unless told otherwise."""
    return Row.read({"id": "aim", "side": side, "kind": kind, "marks": 10, "words": "Do it.", **fields})


def aimed(
    fleets: list[FleetFacts],
    *rows: Row,
    ships: list[ShipSheet] | None = None,
    mark: int = 1,
    rules: Mapping[str, Any] | None = None,
    **over: Any,
) -> TurnFacts:
    """Facts with objectives. Every ship that they have was there on the first day. rules: settings beside `objectives`."""
    made = facts(fleets, ships, **over)
    first_day = {
        code: FirstDay(sheet.side, sheet.fleet, sheet.kind is ShipKind.LINE, Fraction(sheet.card["value"]))
        for code, sheet in made.ships.items()
    }
    return replace(
        made,
        objectives=rows,
        opening=Opening(mark, first_day),
        settings=settings(**{"end_turn_on": "none", "objectives": "on", **(rules or {})}),
    )


def morning(made: TurnFacts, state: TurnState | None = None, *, day: int = 0) -> TurnState:
    """The state after the objectives were asked at 06:00 of a day, counted from 0. state: is played on."""
    now = state or standing(made)
    now.hour = 24 * day
    objective_step(Chart(made, now, ScriptedDice(())))
    return now


def told(state: TurnState) -> list[tuple[int, str, int]]:
    """(hour, kind, marks) of what objectives brought about."""
    return [
        (event.hour, event.kind.removeprefix("objective_"), event.data["marks"])
        for event in state.events
        if event.kind.startswith("objective_")
    ]
