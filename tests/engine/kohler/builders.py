"""Ships, battles and plays for tests of Kohler's rules, with no scenario behind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.log import Event, Log
from battles.engine.rulesets.kohler.play import KohlerCaptain, Orders, Play
from battles.engine.rulesets.kohler.state import Battle, Ship, SideState, SquadronState, Status, WindForce
from battles.engine.rulesets.kohler.view import View

_NATIONS = {"ENG": "England", "DUT": "Dutch Republic"}


def ship(**over: Any) -> Ship:
    """A plain 52-gun ship (the Antelope of T10), field by field otherwise. Rules: K.A1, T10."""
    side = over.get("side", "ENG")
    code = over.get("id", "E1")
    fields: dict[str, Any] = {
        "id": code,
        "name": f"Ship {code}",
        "side": side,
        "squadron": f"{side}-1",
        "nation": _NATIONS.get(side, side),
        "built_by": _NATIONS.get(side, side),
        "guns": 52,
        "band": 50,
        "hull_max": 22,
        "n_steps": 4,
        "thresholds": (6, 11, 17, 22),
        "fire_track": (8, 6, 4, 2),
        "complement": 200,
    }
    return Ship(**{**fields, **over})


def battle(*ships: Ship, wind: int = 3, strength: WindForce = WindForce.NORMAL, **over: Any) -> Battle:
    """A battle in turn 1 with these ships on the board, in list order; sides and squadrons come from the ships.

    The first ship of a squadron is its flagship unless one is marked as such. The side "DUT", else the second, wins ties.
    """
    sides = list(dict.fromkeys(one.side for one in ships))
    winner = "DUT" if "DUT" in sides else sides[1] if len(sides) > 1 else ""
    squadrons = {}
    for code in dict.fromkeys(one.squadron for one in ships):
        own = [one for one in ships if one.squadron == code]
        flagship = next((one for one in own if one.is_flagship), own[0])
        flagship.is_flagship = True
        squadrons[code] = SquadronState(
            id=code, name=code, side=own[0].side, ships=tuple(one.id for one in own), flagship=flagship.id
        )
    fields: dict[str, Any] = {
        "title": "Test",
        "turn": 1,
        "last_turn": 30,
        "wind": wind,
        "wind_prev": None,
        "strength": strength,
        "sides": {
            code: SideState(id=code, name=code, nation=_NATIONS.get(code, code), wins_ties=code == winner)
            for code in sides
        },
        "squadrons": squadrons,
        "ships": {one.id: one for one in ships},
    }
    made = Battle(**{**fields, **over})
    for one in ships:
        if one.status in (Status.AFLOAT, Status.SINKING):
            made.place(one)
    return made


def play(
    *faces: int,
    orders: Mapping[str, Orders | str] | None = None,
    captains: Mapping[str, KohlerCaptain] | None = None,
    views: Mapping[str, View] | None = None,
) -> Play:
    """A play with scripted dice and a log. Orders given as text are movement tokens apart by spaces.

    Finish with `play.dice.finish()` (or use the dice as a context manager) to be sure that no face is left over.
    """
    read = {
        code: Orders(tokens=tuple(row.split())) if isinstance(row, str) else row
        for code, row in (orders or {}).items()
    }
    log = Log()
    log.turn = 1
    return Play(
        dice=ScriptedDice(faces, log=log), log=log, orders=read, captains=captains or {}, views=views or {}
    )


def events(played: Play, kind: str) -> list[Event]:
    """The events of one kind that a play has logged."""
    assert played.log is not None
    return [event for event in played.log.events if event.kind == kind]
