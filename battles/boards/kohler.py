"""A Kohler battle for its replay: the log as short drawing orders for a hex board, phase by phase, and how ships were at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from battles.boards import Standing, drawn
from battles.boards.drawn import Op, Own, Party
from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario, ScenarioShip
from battles.engine.rulesets.kohler.rules import RULES
from battles.engine.rulesets.kohler.telling import STRENGTHS

SIGNS: tuple[str, ...] = ()
Data = Mapping[str, Any]


def replay(scenario: Scenario, events: Iterable[Event], own: Own) -> dict[str, Any]:
    """What the replay draws, as JSON. own: sides whose ships are shown whole, None for all.

    phases: [turn, index of the step's name, [drawing order, ...]]. A drawing order is a list whose first entry is a letter:
    P ship q r facing (put) · M ship [q r facing ...] (sail a path) · F ship target side range hits · H ship steps hull-left ·
    B ship alight · L ship other kind · U ship other · C ship side (colours) · X ship how · W towards strength ·
    G ship squadron (flag) · A ship aground · E why. Ships are numbered in list order, hull-left is -1 where it is secret.
    """
    events = list(events)
    there = drawn.known(scenario, events, own)
    number = drawn.numbers(there)
    return {
        **drawn.head(RULES, scenario, there, board="hex", strengths=STRENGTHS),
        "north": int(RULES.weather_in(scenario.wind_towards, scenario.strength)["north"]),
        "ships": [_ship(party, own) for party in there],
        "land": [list(cell) for cell in scenario.land],
        "shoal": [list(cell) for cell in scenario.shoal],
        "edges": list(scenario.edges) if scenario.edges else None,
        **drawn.phases(RULES, events, lambda event: _ops(event, number)),
    }


def _ship(party: Party, own: Own) -> dict[str, Any]:
    """A ship as the replay has her; of an enemy her size in tens of guns, as a spyglass shows it. Rule: K.I4."""
    side, _, ship = party
    card = RULES.card(ship.facts)
    whole = own is None or side.id in own
    return drawn.ship_row(
        party,
        guns=f"{card['guns']}{' est.' if 'guns' in card['estimated'] else ''}"
        if whole
        else f"{card['band']}s"
        if card["band"]
        else "under 20",
        steps=card["n_steps"],
        hull=card["hull_max"] if whole else 0,
        fireship=card["is_fireship"],
    )


def _ops(event: Event, number: Mapping[str, int]) -> list[Op]:
    """What an event draws; nothing for one that does not show on a board."""
    drawer = _DRAWN.get(event.kind)
    return [drawer(number.get(event.ship, -1), event.data, number)] if drawer else []


Drawer = Callable[[int, Data, Mapping[str, int]], Op]


def _put(ship: int, data: Data, number: Mapping[str, int]) -> Op:
    return ["P", ship, data["q"], data["r"], data.get("f", -1)]


def _gone(how: str) -> Drawer:
    return lambda ship, data, number: ["X", ship, how]


_DRAWN: Mapping[str, Drawer] = {
    "placed": lambda ship, data, number: [
        *_put(ship, data, number), data["steps"], data.get("hull", -1),
    ],
    "disorder": _put,
    "drifted": _put,
    "arrived": _put,
    "wind": lambda ship, data, number: ["W", data["towards"], data["strength"]],
    "moved": lambda ship, data, number: ["M", ship, [part for row in data["path"] for part in row]],
    "fire": lambda ship, data, number: [
        "F", ship, number[data["target"]], 1 if data["side"] == "starboard" else 0, data["range"], data["hits"],
    ],
    "damage": lambda ship, data, number: ["H", ship, data["steps"], data.get("left", -1)],
    "recounted": lambda ship, data, number: ["H", ship, data["steps"], data.get("left", -1)],
    "fired_ship": lambda ship, data, number: ["B", ship, 1],
    "alight": lambda ship, data, number: ["B", ship, 1],
    "fire_out": lambda ship, data, number: ["B", ship, int(data["fires"] > 0)],
    "locked": lambda ship, data, number: ["L", ship, number[data["target"]], data["kind"]],
    "freed": lambda ship, data, number: ["U", ship, number[data["target"]]],
    "captured": lambda ship, data, number: ["C", ship, data["side"]],
    "taken_after": lambda ship, data, number: ["C", ship, data["side"]],
    "retaken": lambda ship, data, number: ["C", ship, "", number.get(str(data["by"]), -1)],
    "aground": lambda ship, data, number: ["A", ship, 1],
    "refloated": lambda ship, data, number: ["A", ship, 0],
    "new_flagship": lambda ship, data, number: ["G", ship, data["squadron"]],
    "sunk": _gone("sunk"),
    "exploded": _gone("blown up"),
    "burnt_out": _gone("burnt"),
    "wrecked": _gone("wrecked"),
    "gone": _gone("left"),
    "ended": lambda ship, data, number: ["E", data["why"]],
}  # fmt: skip


def standings(scenario: Scenario, events: Sequence[Event], own: Own) -> list[Standing]:
    """How every ship that the reader knows of was at the end, by the events that they may read. own: as for `replay`."""
    return drawn.standings(scenario, events, own, figures=_figures, note=_note)


def _figures(ship: ScenarioShip) -> tuple[int, int]:
    card = RULES.card(ship.facts)
    return card["n_steps"], card["hull_max"]


_ENDS = {
    "sunk": "sunk",
    "exploded": "blown up",
    "burnt_out": "burnt",
    "wrecked": "wrecked",
    "gone": "left the battle",
}


def _note(rows: drawn.Rows, event: Event) -> None:
    row, data = rows[event.ship], event.data
    if event.kind == "placed":
        row["steps"], row["left"] = data["steps"], data.get("hull")
    elif event.kind in ("damage", "recounted"):
        row["steps"], row["left"] = data["steps"], data.get("left")
    elif event.kind in ("alight", "fired_ship"):
        row["alight"] = True
    elif event.kind == "fire_out":
        row["alight"] = data["fires"] > 0
    elif event.kind in ("captured", "taken_after"):
        row["holder"], row["word"] = data["side"], "taken"
    elif event.kind == "retaken":
        row["holder"] = drawn.holder(rows, row, data["by"])
        row["word"] = drawn.flying(row)
    elif event.kind in _ENDS:
        row["word"], row["alight"] = _ENDS[event.kind], False
