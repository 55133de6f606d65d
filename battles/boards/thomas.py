"""A Thomas battle for its replay: the log as short drawing orders for a plane, phase by phase, and how ships were at the end.

Places are thousandths of an inch, x east and y north; headings and bearings hundredths of a degree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from battles.boards import Standing
from battles.boards.thomas_drawing import Drawing, Op, reaches
from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario, ScenarioShip, Side, Squadron
from battles.engine.rulesets.thomas.card import Card
from battles.engine.rulesets.thomas.options import with_defaults
from battles.engine.rulesets.thomas.rules import RULES
from battles.engine.rulesets.thomas.setup import facts_of
from battles.engine.rulesets.thomas.tables import FARTHEST
from battles.engine.rulesets.thomas.telling import STRENGTHS

SCHEMA = 1
SIGNS: tuple[str, ...] = (
    "broken shot: raking",
    "white flag: struck",
    "captor’s flag: prize",
    "dashed line: grapples",
    "solid line: tow",
    "bars: sails furled",
    "select a ship to see its field of fire",
)
QUARTERS = 4
_STEP_NAMES = {step.id: step.name for step in RULES.steps} | {"setup": "Before the first turn"}

Party = tuple[Side, Squadron, ScenarioShip]


def replay(scenario: Scenario, events: Iterable[Event], own: frozenset[str] | None) -> dict[str, Any]:
    """What the replay draws, as JSON. own: sides whose ships are shown whole, None for all.

    phases: [turn, index of the step's name, [drawing order, ...]]. A drawing order is a list whose first entry is a letter; what
    the letters mean is in `thomas_drawing`. Ships are numbered in list order, points of flotation left are -1 where they are
    secret. fan: half the angle of a broadside's arc, degrees; farthest: how far any gun reaches. Rules: T.S15, T.S18.
    """
    events = list(events)
    there = _known(scenario, events, own)
    number = {ship.id: n for n, (_, _, ship) in enumerate(there)}
    opened = next((event.data for event in events if event.kind == "opened"), {})
    minutes = opened.get("minutes", RULES.minutes_a_turn(scenario.options))
    return {
        "schema": SCHEMA,
        "board": "plane",
        "title": scenario.title,
        "start": scenario.start,
        "minutes": minutes,
        "north": 0,
        "strengths": list(STRENGTHS),
        "fan": with_defaults(scenario.options)["fan_half_angle"] / 100,
        "farthest": FARTHEST,
        "sides": [{"id": side.id, "name": side.name} for side in scenario.sides],
        "squadrons": [
            {"id": squadron.id, "name": squadron.name, "flagship": number[squadron.flagship]}
            for side in scenario.sides
            for squadron in side.squadrons
            if squadron.flagship in number
        ],
        "ships": [_ship(scenario, party, own) for party in there],
        "coast": opened.get("land", []),
        **_phases(scenario, events, number),
    }


def _phases(scenario: Scenario, events: Sequence[Event], number: dict[str, int]) -> dict[str, Any]:
    drawn = Drawing(scenario, number)
    names: list[str] = []
    phases: list[list[Any]] = []
    for event in events:
        ops: list[Op] = drawn.ops(event)
        if not ops:
            continue
        name = _STEP_NAMES.get(event.step, event.step)
        if name not in names:
            names.append(name)
        here = [event.turn, names.index(name)]
        if not phases or phases[-1][:2] != here:
            phases.append([*here, []])
        phases[-1][2] += ops
    return {"names": names, "phases": phases}


def _known(scenario: Scenario, events: Iterable[Event], own: frozenset[str] | None) -> list[Party]:
    """Ships that the reader knows of, in list order: their own, and those that came on the table. Rule: T.S18."""
    came = {event.ship for event in events if event.kind in ("placed", "arrived")}
    return [party for party in scenario.ships() if own is None or party[0].id in own or party[2].id in came]


def _card(scenario: Scenario, ship: ScenarioShip) -> Card:
    return Card.from_dict(RULES.card(facts_of(ship, scenario)))


def _ship(scenario: Scenario, party: Party, own: frozenset[str] | None) -> dict[str, Any]:
    """A ship as the replay has it; anyone may know size, rig and rated guns, but not flotation and batteries. Rule: T.N4c."""
    side, squadron, ship = party
    card = _card(scenario, ship)
    whole = own is None or side.id in own
    return {
        "id": ship.id,
        "name": ship.name,
        "side": side.id,
        "squadron": squadron.id,
        "guns": str(card.guns),
        "kind": card.kind.value,
        "steps": QUARTERS,
        "hull": card.flot_max if whole else 0,
        "reach": reaches([(one.gun, one.place) for one in card.batteries]) if whole else None,
        "length": card.length,
        "beam": card.beam,
        "masts": card.masts,
        "oars": card.oar_speed > 0,
        "fireship": False,
        "prize": ship.prize,
    }


_ENDS = {
    "sunk": "sunk",
    "foundered": "foundered",
    "blown_up": "blown up",
    "wrecked": "wrecked",
    "beached": "rowed ashore",
    "withdrew": "left the battle",
}


def standings(scenario: Scenario, events: Sequence[Event], own: frozenset[str] | None) -> list[Standing]:
    """How every ship that the reader knows of was at the end, by the events that they may read. own: as for `replay`."""
    rows: dict[str, dict[str, Any]] = {}
    for side, _, ship in _known(scenario, events, own):
        whole = own is None or side.id in own
        rows[ship.id] = {
            "side": side.id,
            "holder": side.id,
            "of_steps": QUARTERS,
            "whole": _card(scenario, ship).flot_max if whole else None,
            "steps": 0,
            "left": None,
            "word": "afloat",
            "alight": False,
        }
    at_once = not with_defaults(scenario.options)["opt_surrender"]
    for event in events:
        if event.ship in rows:
            _note(rows, event, at_once=at_once)
    return [Standing(ship=code, **row) for code, row in rows.items()]


def _note(rows: dict[str, dict[str, Any]], event: Event, *, at_once: bool) -> None:
    row, data = rows[event.ship], event.data
    if event.kind in ("placed", "damage"):
        row["steps"], row["left"] = min(QUARTERS, data["quarters"]), data.get("flot")
    elif event.kind == "foundering":
        row["left"] = data.get("flot")
    elif event.kind in ("alight", "fire_out"):
        row["alight"] = event.kind == "alight"
    elif event.kind == "struck" and not (at_once and data["by"]):
        row["word"] = "struck"
    elif event.kind in ("changed_mind", "joined", "after"):
        row["word"] = _flying(row) if row["word"] == "struck" else row["word"]
    elif event.kind in ("struck", "secured", "retaken"):
        by = rows.get(str(data["by"]))
        row["holder"] = data.get("side") or (by["holder"] if by is not None else row["side"])
        row["word"] = _flying(row)
    elif event.kind in _ENDS and row["word"] != "taken":
        row["word"], row["alight"] = _ENDS[event.kind], False
    elif event.kind in _ENDS and event.kind != "withdrew":
        row["word"], row["alight"] = f"taken, {_ENDS[event.kind]}", False


def _flying(row: dict[str, Any]) -> str:
    return "afloat" if row["holder"] == row["side"] else "taken"
