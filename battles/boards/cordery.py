"""A Cordery battle for its replay: the log as short drawing orders for a board of squares, and how ships were at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from battles.boards import Standing, drawn
from battles.boards.drawn import Op, Own, Party
from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario, ScenarioShip
from battles.engine.rulesets.cordery.rules import RULES

SIGNS: tuple[str, ...] = ("thin line: a salvo, with the number of its hits",)
Data = Mapping[str, Any]
STEPS = 4


def replay(scenario: Scenario, events: Iterable[Event], own: Own) -> dict[str, Any]:
    """What the replay draws, as JSON. own: sides whose ships are shown whole; everything is open in this set (C.P12).

    Drawing orders as in `battles.boards.kohler`, of which these are used: P put, M sail a path, F fire (port 0, starboard 1), H steps and
    flotation points left, B alight, X gone, A aground, E ended. Areas are x east, y north; headings eighths from north.
    """
    events = list(events)
    there = drawn.known(scenario, events, own)
    number = drawn.numbers(there)
    return {
        **drawn.head(RULES, scenario, there, board="square", strengths=(), measure=drawn.FLOTATION),
        "ships": [_ship(party) for party in there],
        "land": [list(cell) for cell in scenario.land],
        "shoal": [list(cell) for cell in scenario.shoal],
        "edges": list(scenario.edges) if scenario.edges else None,
        **drawn.phases(RULES, events, lambda event: _ops(event, number)),
    }


def _ship(party: Party) -> dict[str, Any]:
    card = RULES.card(party[2].facts)
    turrets = card["turret_fore"] + card["turret_aft"]
    return drawn.ship_row(party, guns="", steps=STEPS, hull=card["fp"], turrets=turrets)


Drawer = Callable[[int, Data, Mapping[str, int]], Op]


def _put(ship: int, data: Data, number: Mapping[str, int]) -> Op:
    return ["P", ship, data["x"], data["y"], data["h"]]


def _shot(ship: int, data: Data, number: Mapping[str, int]) -> Op:
    side = 0 if data.get("weapon") == "port" else 1
    return ["F", ship, number[data["target"]], side, data["range"], data["hits"]]


_DRAWN: Mapping[str, Drawer] = {
    "placed": lambda ship, data, number: [*_put(ship, data, number), data["steps"], data["left"]],
    "arrived": _put,
    "moved": lambda ship, data, number: ["M", ship, [part for row in data["path"] for part in row]],
    "fire": _shot,
    "torpedo": _shot,
    "rammed": lambda ship, data, number: ["F", ship, number[data["target"]], 1, 1, data["other"]],
    "damage": lambda ship, data, number: ["H", ship, data["steps"], data["left"]],
    "major": lambda ship, data, number: ["B", ship, 1],
    "fire_out": lambda ship, data, number: ["B", ship, 0],
    "aground": lambda ship, data, number: ["A", ship, 1],
    "sunk": lambda ship, data, number: ["X", ship, "sunk"],
    "exploded": lambda ship, data, number: ["X", ship, "blown up"],
    "left": lambda ship, data, number: ["X", ship, "left"],
    "ended": lambda ship, data, number: ["E", data["why"]],
}


def _ops(event: Event, number: Mapping[str, int]) -> list[Op]:
    """What an event draws; nothing for one that does not show on a board."""
    drawer = _DRAWN.get(event.kind)
    if drawer is None or (event.kind == "major" and event.data["result"] != "fire"):
        return []
    return [drawer(number.get(event.ship, -1), event.data, number)]


def standings(scenario: Scenario, events: Sequence[Event], own: Own) -> list[Standing]:
    """How every ship that the reader knows of was at the end. own: as for `replay`; what is left of the enemy's is open too (C.P12)."""
    whole = {ship.id: _figures(ship)[1] for _, _, ship in scenario.ships()}
    rows = drawn.standings(scenario, events, own, figures=_figures, note=_note, measure=drawn.FLOTATION)
    return [replace(row, whole=whole[row.ship]) for row in rows]


def _figures(ship: ScenarioShip) -> tuple[int, int]:
    return STEPS, RULES.card(ship.facts)["fp"]


_ENDS = {"sunk": "sunk", "exploded": "blown up", "left": "left the battle"}


def _note(rows: drawn.Rows, event: Event) -> None:
    row, data = rows[event.ship], event.data
    if event.kind in ("placed", "damage"):
        row["steps"], row["left"] = data["steps"], data["left"]
    elif event.kind == "major" and data["result"] == "fire":
        row["alight"] = True
    elif event.kind == "fire_out":
        row["alight"] = False
    elif event.kind == "aground":
        row["word"] = "aground"
    elif event.kind in _ENDS:
        row["word"], row["alight"] = _ENDS[event.kind], False
