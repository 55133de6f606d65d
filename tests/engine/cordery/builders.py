"""Ships, battles and plays for tests of Cordery's rules, with no scenario behind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.log import Event, Log
from battles.engine.core.parties import SideState, SquadronState
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.cordery import firing, tables
from battles.engine.rulesets.cordery.notation import parse
from battles.engine.rulesets.cordery.options import with_defaults
from battles.engine.rulesets.cordery.play import Play
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from battles.engine.rulesets.cordery.view import View

NAMES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def facts(**over: Any) -> ShipFacts:
    """A battleship of 1895, field by field otherwise."""
    return ShipFacts(
        **{"nation": "A", "built_by": "A", "ship_type": "battleship", "year_built": 1895, **over}
    )


def ship(code: str = "A1", at: tuple[int, int] = (5, 5), heading: str = "N", **over: Any) -> Ship:
    """A standard battleship with ram, on the board; the side is the first letter of the id. Rule: C.N1."""
    fields: dict[str, Any] = {
        "id": code, "name": f"Ship {code}", "side": code[0], "squadron": f"{code[0]}-1", "fp_max": 12, "critical": 6,
        "fp": 12, "fitted": tables.SYSTEMS, "main_dice": tables.MAIN, "secondary_dice": tables.SECONDARY,
        "guns_per_turret": 1, "guns_per_battery": 1, "tubes": tables.TUBES, "torpedoes": 4, "ram": True, "pace": 2,
        "deep": True, "complement": 700, "turret_fore": True, "turret_aft": True, "battery_port": True,
        "battery_stbd": True, "x": at[0], "y": at[1], "h": NAMES.index(heading), "status": Status.IN_PLAY,
    }  # fmt: skip
    made = Ship(**{**fields, **over})
    made.fp_before = over.get("fp_before", made.fp)
    return made


def battle(*ships: Ship, options: Mapping[str, Any] | None = None, **over: Any) -> Battle:
    """A battle in turn 1 with these ships, on a board of 24 columns; sides and squadrons come from the ships."""
    sides = list(dict.fromkeys(("A", "B", *(one.side for one in ships))))[:2]
    squadrons = {}
    for code in dict.fromkeys(one.squadron for one in ships):
        own = tuple(one.id for one in ships if one.squadron == code)
        squadrons[code] = SquadronState(id=code, name=code, side=code[0], ships=own, flagship=own[0])
    fields: dict[str, Any] = {
        "title": "Test", "turn": 1, "last_turn": 40, "own_limit": False, "towards": 180, "strength": "moderate",
        "sides": {code: SideState(code, f"Side {code}", code) for code in sides}, "squadrons": squadrons,
        "ships": {one.id: one for one in ships}, "options": with_defaults(options or {}),
        "safe": {"A": "west", "B": "east"}, "board": (0, None, 23, None),
    }  # fmt: skip
    made = Battle(**{**fields, **over})
    made.at = {one.pos: one for one in ships if one.status is Status.IN_PLAY}
    return made


def play(
    made: Battle,
    *faces: int,
    orders: Mapping[str, str] | None = None,
    captains: Mapping[str, Any] | None = None,
) -> Play:
    """What a turn is played with: these faces in their order, these lines of orders; what fires is noted."""
    log = Log()
    log.turn = made.turn
    table = Play(
        dice=ScriptedDice(faces, log=log),
        log=log,
        orders={code: parse(text) for code, text in (orders or {}).items()},
        captains=captains or {},
        views={code: View(made, code) for code in made.sides},
    )
    begin(made, table)
    return table


def begin(made: Battle, table: Play) -> None:
    """Note what fires this turn, as the declaration does."""
    table.fp_at_start = {one.id: one.fp for one in made.in_play()}
    firing.begin(made, table)


def events(table: Play, kind: str) -> list[Event]:
    """The events of a kind in a play's log."""
    assert table.log is not None
    return [event for event in table.log.events if event.kind == kind]


def finish(table: Play) -> None:
    """Every die that was given has been thrown."""
    assert isinstance(table.dice, ScriptedDice)
    table.dice.finish()
