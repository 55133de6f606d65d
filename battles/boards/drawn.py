"""What the boards of all rule sets do alike: whom a reader knows, the head of a replay, its phases, and how ships stood."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from battles.boards import Standing
from battles.engine.core.log import Event
from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import Scenario, ScenarioShip, Side, Squadron

# What rule sets call the points of a hull.
HULL, FLOTATION = "hull", "flotation"
SCHEMA = 1
Op = list[Any]
Own = frozenset[str] | None
Party = tuple[Side, Squadron, ScenarioShip]
Row = dict[str, Any]
Rows = dict[str, Row]


def known(scenario: Scenario, events: Iterable[Event], own: Own) -> list[Party]:
    """Ships that the reader knows of, in list order: his own, and those that came upon the board or in sight. own: None for all.

    A second ship on the base of another (`pair`) comes with it.
    """
    came = set()
    for event in events:
        if event.kind in ("placed", "arrived", "sighted"):
            came |= {event.ship, event.data.get("pair", "")}
    return [party for party in scenario.ships() if own is None or party[0].id in own or party[2].id in came]


def numbers(there: Iterable[Party]) -> dict[str, int]:
    """By which number drawing orders name each ship: her place in the list."""
    return {ship.id: n for n, (_, _, ship) in enumerate(there)}


def head(
    rules: RuleSet[Any],
    scenario: Scenario,
    there: Sequence[Party],
    *,
    board: str,
    strengths: Sequence[str],
    measure: str = HULL,
) -> dict[str, Any]:
    """What every replay begins with. board: the space it is drawn in. strengths: names of the wind's, by number. measure: of damage."""
    number = numbers(there)
    return {
        "schema": SCHEMA,
        "board": board,
        "measure": measure,
        "title": scenario.title,
        "start": scenario.start,
        "minutes": rules.minutes_a_turn(scenario.options),
        "north": 0,
        "strengths": list(strengths),
        "sides": [{"id": side.id, "name": side.name} for side in scenario.sides],
        "squadrons": [
            {"id": squadron.id, "name": squadron.name, "flagship": number[squadron.flagship]}
            for side in scenario.sides
            for squadron in side.squadrons
            if squadron.flagship in number
        ],
    }


def ship_row(party: Party, **more: Any) -> dict[str, Any]:
    """A ship as the replay has her. more: what her set draws her by."""
    side, squadron, ship = party
    return {
        "id": ship.id,
        "name": ship.name,
        "side": side.id,
        "squadron": squadron.id,
        "fireship": False,
        "prize": ship.prize,
        **more,
    }


def phases(
    rules: RuleSet[Any], events: Iterable[Event], ops: Callable[[Event], list[Op]]
) -> dict[str, list[Any]]:
    """names: of the steps. phases: [turn, index of the step's name, [drawing order, ...]].

    ops: what an event draws; each order is a list whose first entry is a letter.
    """
    steps = {step.id: step.name for step in rules.steps} | {"setup": "Before the first turn"}
    names: list[str] = []
    found: list[list[Any]] = []
    for event in events:
        drawn = ops(event)
        if not drawn:
            continue
        name = steps.get(event.step, event.step)
        if name not in names:
            names.append(name)
        here = [event.turn, names.index(name)]
        if not found or found[-1][:2] != here:
            found.append([*here, []])
        found[-1][2] += drawn
    return {"names": names, "phases": found}


def standings(
    scenario: Scenario,
    events: Sequence[Event],
    own: Own,
    *,
    figures: Callable[[ScenarioShip], tuple[int, int]],
    note: Callable[[Rows, Event], None],
    measure: str = HULL,
) -> list[Standing]:
    """How every ship that the reader knows of was at the end, by the events that he may read.

    figures: a ship's damage steps and hull points when whole. note: brings what an event tells into the rows, by ship; it is asked for
    events of ships that have one. measure: what the set calls the points of a hull.
    """
    rows: Rows = {}
    for side, _, ship in known(scenario, events, own):
        of_steps, whole = figures(ship)
        rows[ship.id] = {
            "side": side.id,
            "holder": side.id,
            "of_steps": of_steps,
            "whole": whole if own is None or side.id in own else None,
            "steps": 0,
            "left": None,
            "word": "afloat",
            "alight": False,
        }
    for event in events:
        if event.ship in rows:
            note(rows, event)
    return [Standing(ship=code, measure=measure, **row) for code, row in rows.items()]


def holder(rows: Mapping[str, Row], row: Row, captor: object, side: object = "") -> str:
    """The side that has a ship now: the one named, else that of the captor."""
    by = rows.get(str(captor))
    return str(side or (by["holder"] if by is not None else row["side"]))


def flying(row: Row) -> str:
    """The word for a ship that floats, by who has her."""
    return "afloat" if row["holder"] == row["side"] else "taken"
