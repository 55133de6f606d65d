"""Builders for the tests of soldiers: the square sea with a beach, a second port, and guards of one's choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from battles.engine.core.dice import Dice, ScriptedDice
from battles.engine.core.scenario import Stance
from campaign.rules.chart.theatre import read_theatre
from campaign.rules.chart.types import (
    FleetFacts,
    FleetOrder,
    OnArrival,
    Position,
    ShipKind,
    ShipSheet,
    Theatre,
    TurnFacts,
)
from campaign.rules.state.holdings import Holdings
from campaign.rules.state.troops import Troops
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn
from tests.campaign.rules import builders as b

OFF = Position("c", "theirs", 60_044 - 1_000)


def sea(guard: int = 1, **theirs: Any) -> Theatre:
    """The square sea. theirs: further columns of the Dutch port. beach: an open coast 20 nm north of it, far: one 40 nm south."""
    doc = b.square_doc()
    port = next(node for node in doc["nodes"] if node["id"] == "theirs")
    port |= {"guard": guard, **theirs}
    row = {"zone": "sea", "kind": "anchorage", "longitude": 4.0, "owner": "Dutch Republic"}
    doc["nodes"].append({"id": "beach", "name": "The Beach", "latitude": 0.3333, **row})
    doc["nodes"].append({"id": "far", "name": "The Far Beach", "latitude": -0.6667, **row})
    doc["edges"] += [["c", "beach"], ["beach", "theirs"], ["c", "far"], ["home", "n"]]
    return read_theatre(doc)


def order(fleet: str, arrival: str, *route: str, stance: Stance = Stance.HOLD) -> FleetOrder:
    return FleetOrder(fleet, route, stance, OnArrival(arrival))


def transport(code: str, side: str = "ENG", fleet: str = "e", tons: int = 4000, **over: Any) -> ShipSheet:
    """A transport of so many tons, with 40 men and no worth in a fight."""
    sheet = b.ship(
        code, side, fleet, kind=ShipKind.MERCHANT, complement=40, men=40, card={"hull": 10, "value": 1}
    )
    return replace(sheet, facts={**sheet.facts, "tons_burthen": tons}, **over)


def made(
    fleets: list[FleetFacts],
    ships: list[ShipSheet] | None = None,
    *,
    troops: Troops | None = None,
    holdings: Holdings | None = None,
    guard: int = 1,
    theirs: Mapping[str, Any] | None = None,
    carried: Mapping[str, Any] | None = None,
    changed: Mapping[str, Any] | None = None,
    **over: Any,
) -> TurnFacts:
    """Facts with landings on. changed: further settings."""
    left = {
        "troops": (troops or Troops()).doc(),
        "holdings": (holdings or Holdings()).doc(),
        **(carried or {}),
    }
    rows = {
        "settings": b.settings(**{"end_turn_on": "none", "landings": "on", **(changed or {})}),
        "weather": b.weather(wind=0),
    }
    return b.facts(fleets, ships, sea=sea(guard, **(theirs or {})), carried=left, **{**rows, **over})


def chart(facts: TurnFacts, faces: tuple[int, ...] = (), hour: int = 0, dice: Dice | None = None) -> Chart:
    """The chart of a turn as it opens, at an hour, with dice of one's choice."""
    state = turn.begin(facts, {}, b.dice(facts))
    state.hour = hour
    state.events.clear()
    return Chart(facts, state, dice or ScriptedDice(faces))


def told(chart_or_state: Any, kind: str) -> list[Mapping[str, Any]]:
    """The data of all events of a kind."""
    state = getattr(chart_or_state, "state", chart_or_state)
    return [event.data for event in state.events if event.kind == kind]


def knows(chart_or_state: Any, kind: str) -> list[tuple[str, ...]]:
    """Who knows of each event of a kind."""
    state = getattr(chart_or_state, "state", chart_or_state)
    return [event.knows for event in state.events if event.kind == kind]
