"""A Barker battle for its replay: drawing orders for the open sea in cables, and how ships were at the end.

Places are hundredths of a yard, x east and y north; headings hundredths of a degree.

P ship x y heading steps left · M ship [x y heading ...] · F ship target 0 range hits 0 · H ship steps left · B ship alight ·
A ship aground · N ship stopped · X ship how · h ship why (no longer shown) · g ship target (a searchlight, -1 when put out) ·
k [[kind x y heading length beam] ...] (banks of mist, fog and squalls) · m x y on (a mine) · u n x y on (a bubble marker) ·
n dark (0 day, 1 half light, 2 night) · C ship side · G ship squadron · E why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from battles.boards import Standing, drawn
from battles.boards.drawn import Op, Own, Party, Rows
from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario
from battles.engine.rulesets.barker.rules import RULES
from battles.engine.rulesets.barker.tables import BASE_LENGTH, BASE_WIDTH, YARD

SIGNS: tuple[str, ...] = (
    "rectangle: the ship's base, 400 by 200 yards",
    "wedge of light: searchlight",
    "grey rectangles: mist, fog and squalls",
    "small crosses: mines",
    "rings: bubbles from submarines",
    "bars: stopped",
)
# Rungs of the ladder from sound to lost. Rule: P.E10.
STEPS = 6
# Side of a square of land. Rule: P.K42.
_CELL = 500 * YARD
_STRENGTHS = ("still", "light", "moderate", "strong")
_DARK = {"dawn": 1, "dusk": 1, "night": 2}


def replay(scenario: Scenario, events: Iterable[Event], own: Own) -> dict[str, Any]:
    """What the replay draws, as JSON. own: sides whose ships are shown whole, None for all; an enemy shows while in sight. Rule: P.K45."""
    events = list(events)
    there = drawn.known(scenario, events, own)
    number = drawn.numbers(there)
    firsts = {party[2].id: party[2].id for party in there} | _firsts(events)
    return {
        **drawn.head(RULES, scenario, there, board="sea", strengths=_STRENGTHS),
        "unit": "cables",
        "ships": [_ship(party, number[firsts[party[2].id]]) for party in there],
        "coast": squares(scenario.land),
        "shoals": squares(scenario.shoal),
        **drawn.phases(RULES, events, lambda event: _ops(event, number, own)),
    }


def squares(cells: Iterable[tuple[int, int]]) -> list[list[list[int]]]:
    """Cells of land as rectangles, those that touch in a row as one."""
    found = []
    for j, row in groupby(sorted(cells, key=lambda cell: (cell[1], cell[0])), key=lambda cell: cell[1]):
        run: list[int] = []
        for i, _ in [*row, (None, j)]:
            if run and i != run[-1] + 1:
                west, east, south = run[0] * _CELL, (run[-1] + 1) * _CELL, j * _CELL
                found.append([[west, south], [east, south], [east, south + _CELL], [west, south + _CELL]])
                run = []
            if i is not None:
                run.append(i)
    return found


def _firsts(events: Iterable[Event]) -> dict[str, str]:
    """By the id of the second ship on a base, the first."""
    shown = (event for event in events if event.kind in ("placed", "arrived", "sighted"))
    return {event.data["pair"]: event.ship for event in shown if event.data["pair"]}


def _ship(party: Party, on: int) -> dict[str, Any]:
    """A ship as the replay has it. on: number of the ship on whose base it is, mostly its own."""
    card = RULES.card(party[2].facts)
    return drawn.ship_row(
        party, guns="", kind=card["type"], steps=STEPS, hull=0, turrets=2 if card["type"] in ("BB", "C1") else 0,
        length=BASE_LENGTH, on=on, beam=BASE_WIDTH,
    )  # fmt: skip


Data = Mapping[str, Any]
Number = Mapping[str, int]
Drawer = Callable[[int, Data, Number], list[Op]]


def _put(ship: int, data: Data, number: Number) -> list[Op]:
    put: Op = ["P", ship, data["x"], data["y"], data["h"], data["steps"], -1]
    return [put, ["N", ship, int(data["stopped"])]] if data.get("stopped") else [put]


def _moved(ship: int, data: Data, number: Number) -> list[Op]:
    return [["M", ship, [part for row in data["path"] for part in row]], ["N", ship, 0]]


def _shot(ship: int, data: Data, number: Number) -> list[Op]:
    return [["F", ship, number.get(data["target"], -1), 0, data["range"], data["hits"], 0]]


def _damage(ship: int, data: Data, number: Number) -> list[Op]:
    return [["H", ship, data["steps"], -1], ["B", ship, int(data["crippled"])]]


def _opened(ship: int, data: Data, number: Number) -> list[Op]:
    return [["n", _DARK.get(data["phase"], 0)], ["k", data["banks"]]]


def _order(*fixed: Any) -> Drawer:
    letter, *rest = fixed
    return lambda ship, data, number: [[letter, ship, *rest]]


def _mine(on: int) -> Drawer:
    return lambda ship, data, number: [["m", data["x"], data["y"], on]]


_DRAWN: Mapping[str, Drawer] = {
    "opened": _opened,
    "phase": lambda ship, data, number: [["n", _DARK.get(data["phase"], 0)]],
    "banks": lambda ship, data, number: [["k", data["banks"]]],
    "placed": _put,
    "arrived": _put,
    "surfaced": lambda ship, data, number: [["P", ship, data["x"], data["y"], data["h"]]],
    "dived": _order("h", "submerged"),
    "moved": _moved,
    "shot": _shot,
    "damage": _damage,
    "aground": _order("A", 1),
    "stopped": _order("N", 1),
    "restarted": _order("N", 0),
    "lit": lambda ship, data, number: [["g", ship, number.get(data["target"], -1)]],
    "mine_laid": _mine(1),
    "mine_seen": _mine(1),
    "swept": _mine(0),
    "marker": lambda ship, data, number: [["u", data["n"], data["x"], data["y"], int(data["on"])]],
    "flag": lambda ship, data, number: [["G", number.get(data["to"], -1), data["squadron"]]],
    "captured": lambda ship, data, number: [["C", ship, data["side"]]],
    "sunk": lambda ship, data, number: [["X", ship, "blown up" if data["how"] == "exploded" else "sunk"]],
    "left": _order("X", "left"),
    "ended": lambda ship, data, number: [["E", data["why"]]],
}  # fmt: skip


def _ops(event: Event, number: Number, own: Own) -> list[Op]:
    """What an event draws; nothing for one that does not show on a board, or about a ship that the reader does not know."""
    if event.ship and event.ship not in number:
        return []
    ship = number.get(event.ship, -1)
    if event.kind in ("sighted", "lost_sight"):
        # Who reads both sides has had every ship before his eyes from the beginning.
        if own is None or event.data["side"] not in own:
            return []
        return _put(ship, event.data, number) if event.kind == "sighted" else [["h", ship, "out of sight"]]
    drawer = _DRAWN.get(event.kind)
    return drawer(ship, event.data, number) if drawer else []


_ENDS = {"exploded": "blown up", "left": "left the battle"}


def standings(scenario: Scenario, events: Sequence[Event], own: Own) -> list[Standing]:
    """How every ship that the reader knows of was at the end: rungs of the ladder lost. own: as for `replay`; a pair stands as one."""
    rows = drawn.standings(scenario, events, own, figures=lambda ship: (STEPS, 0), note=_note)
    first = _firsts(events)
    found = {row.ship: replace(row, whole=None) for row in rows}
    return [replace(found[first.get(code, code)], ship=code) for code in found]


def _note(rows: Rows, event: Event) -> None:
    row, data = rows[event.ship], event.data
    if event.kind in ("placed", "arrived", "sighted"):
        row["steps"] = data["steps"]
    elif event.kind == "damage":
        row["steps"], row["alight"] = data["steps"], data["crippled"]
    elif event.kind == "aground":
        row["word"] = "aground"
    elif event.kind == "captured":
        row["holder"] = data["side"]
        row["word"] = drawn.flying(row)
    elif event.kind == "sunk":
        row["steps"], row["alight"], row["word"] = STEPS, False, _ENDS.get(data["how"], "sunk")
    elif event.kind == "left":
        row["word"] = _ENDS["left"]
