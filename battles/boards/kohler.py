"""A Kohler battle for its replay: the log as short drawing orders for a hex board, phase by phase, and how ships were at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from battles.boards import Standing
from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario, ScenarioShip, Side, Squadron
from battles.engine.rulesets.kohler.rules import RULES
from battles.engine.rulesets.kohler.telling import STRENGTHS

SCHEMA = 1
SIGNS: tuple[str, ...] = ()
Op = list[Any]
Data = Mapping[str, Any]
_STEP_NAMES = {step.id: step.name for step in RULES.steps} | {"setup": "Before the first turn"}


def replay(scenario: Scenario, events: Iterable[Event], own: frozenset[str] | None) -> dict[str, Any]:
    """What the replay draws, as JSON. own: sides whose ships are shown whole, None for all.

    phases: [turn, index of the step's name, [drawing order, ...]]. A drawing order is a list whose first entry is a letter:
    P ship q r facing (put) · M ship [q r facing ...] (sail a path) · F ship target side range hits · H ship steps hull-left ·
    B ship alight · L ship other kind · U ship other · C ship side (colours) · X ship how · W towards strength ·
    G ship squadron (flag) · A ship aground · E why. Ships are numbered in list order, hull-left is -1 where it is secret.
    """
    events = list(events)
    there = _known(scenario, events, own)
    number = {ship.id: n for n, (_, _, ship) in enumerate(there)}
    drawn = _Drawing(number)
    names: list[str] = []
    phases: list[list[Any]] = []
    for event in events:
        ops = drawn.ops(event)
        if not ops:
            continue
        name = _STEP_NAMES.get(event.step, event.step)
        if name not in names:
            names.append(name)
        here = [event.turn, names.index(name)]
        if not phases or phases[-1][:2] != here:
            phases.append([*here, []])
        phases[-1][2] += ops
    north = int(RULES.weather_in(scenario.wind_towards, scenario.strength)["north"])
    return {
        "schema": SCHEMA,
        "board": "hex",
        "title": scenario.title,
        "start": scenario.start,
        "minutes": RULES.minutes_a_turn(scenario.options),
        "north": north,
        "strengths": list(STRENGTHS),
        "sides": [{"id": side.id, "name": side.name} for side in scenario.sides],
        "squadrons": [
            {"id": squadron.id, "name": squadron.name, "flagship": number[squadron.flagship]}
            for side in scenario.sides
            for squadron in side.squadrons
            if squadron.flagship in number
        ],
        "ships": _ships(there, own),
        "land": [list(cell) for cell in scenario.land],
        "shoal": [list(cell) for cell in scenario.shoal],
        "edges": list(scenario.edges) if scenario.edges else None,
        "names": names,
        "phases": phases,
    }


Party = tuple[Side, Squadron, ScenarioShip]


def _known(scenario: Scenario, events: Iterable[Event], own: frozenset[str] | None) -> list[Party]:
    """Ships that the reader knows of, in list order: their own, and those that came on the board. Rule: K.I4."""
    came = {event.ship for event in events if event.kind in ("placed", "arrived")}
    return [party for party in scenario.ships() if own is None or party[0].id in own or party[2].id in came]


def _ships(there: Iterable[Party], own: frozenset[str] | None) -> list[dict[str, Any]]:
    """Ships in list order; of an enemy only the size in tens of guns, as a spyglass shows it. Rule: K.I4."""
    rows = []
    for side, squadron, ship in there:
        card = RULES.card(ship.facts)
        whole = own is None or side.id in own
        rows.append(
            {
                "id": ship.id,
                "name": ship.name,
                "side": side.id,
                "squadron": squadron.id,
                "guns": str(card["guns"]) if whole else f"{card['band']}s" if card["band"] else "under 20",
                "steps": card["n_steps"],
                "hull": card["hull_max"] if whole else 0,
                "fireship": card["is_fireship"],
                "prize": ship.prize,
            }
        )
    return rows


class _Drawing:
    """Turns events into drawing orders."""

    def __init__(self, number: Mapping[str, int]) -> None:
        self._number = number

    def ops(self, event: Event) -> list[Op]:
        """What an event draws; nothing for one that does not show on a board."""
        drawer = _DRAWN.get(event.kind)
        return [drawer(self._number.get(event.ship, -1), event.data, self._number)] if drawer else []


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


def standings(scenario: Scenario, events: Sequence[Event], own: frozenset[str] | None) -> list[Standing]:
    """How every ship that the reader knows of was at the end, by the events that they may read. own: as for `replay`."""
    rows: dict[str, dict[str, Any]] = {}
    for side, _, ship in _known(scenario, events, own):
        card = RULES.card(ship.facts)
        rows[ship.id] = {
            "side": side.id,
            "holder": side.id,
            "of_steps": card["n_steps"],
            "whole": card["hull_max"] if own is None or side.id in own else None,
            "steps": 0,
            "left": None,
            "word": "afloat",
            "alight": False,
        }
    for event in events:
        if event.ship in rows:
            _note(rows, event)
    return [Standing(ship=code, **row) for code, row in rows.items()]


_ENDS = {
    "sunk": "sunk",
    "exploded": "blown up",
    "burnt_out": "burnt",
    "wrecked": "wrecked",
    "gone": "left the battle",
}


def _note(rows: dict[str, dict[str, Any]], event: Event) -> None:
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
        row["holder"] = rows[str(data["by"])]["holder"] if str(data["by"]) in rows else row["side"]
        row["word"] = "afloat" if row["holder"] == row["side"] else "taken"
    elif event.kind in _ENDS:
        row["word"], row["alight"] = _ENDS[event.kind], False
