"""Ships, battles and plays for tests of Thomas's rules, with no scenario behind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.log import Event, Log
from battles.engine.rulesets.thomas.options import with_defaults
from battles.engine.rulesets.thomas.play import Course, Orders, Play, ThomasCaptain
from battles.engine.rulesets.thomas.state import Battery, Battle, Ship, SideState, SquadronState, Status
from battles.engine.rulesets.thomas.tables import Arc, Gun, Kind, WindForce
from battles.engine.rulesets.thomas.view import View

_NATIONS = {"ENG": "England", "SPA": "Spain"}


def batteries(short: int = 2, medium: int = 2, long: int = 3) -> list[Battery]:
    """So many batteries a side, port first: Hope's by default."""
    return [
        Battery(gun, place)
        for place in (Arc.PORT, Arc.STARBOARD)
        for gun, number in ((Gun.SHORT, short), (Gun.MEDIUM, medium), (Gun.LONG, long))
        for _ in range(number)
    ]


def ship(code: str = "E1", x: int = 0, y: int = 0, heading: int = 0, **over: Any) -> Ship:
    """Hope of TS-1, an inch long and a quarter wide, field by field otherwise. `crew` and `flot` default to the whole."""
    side = over.get("side", "SPA" if code.startswith("S") else "ENG")
    fields: dict[str, Any] = {
        "id": code,
        "name": f"Ship {code}",
        "side": side,
        "squadron": f"{side}-1",
        "nation": _NATIONS.get(side, side),
        "kind": Kind.GALLEON,
        "year": 1588,
        "tons": 600,
        "guns": 48,
        "length": 1_000,
        "beam": 250,
        "speed": 5_000,
        "turn": 4_500,
        "flot_max": 30,
        "crew_max": 60,
        "batteries": batteries(),
        "x": x,
        "y": y,
        "heading": heading,
        **over,
    }
    fields.setdefault("flot", fields["flot_max"])
    fields.setdefault("crew_halves", 2 * fields["crew_max"])
    return Ship(**fields)


def revenge(code: str = "S1", x: int = 0, y: int = 0, heading: int = 0, **over: Any) -> Ship:
    """Revenge of TS-1."""
    figures: dict[str, Any] = {
        "tons": 450, "flot_max": 23, "crew_max": 45, "speed": 8_000, "turn": 9_000, "batteries": batteries(2, 0, 3),
    }  # fmt: skip
    return ship(code, x, y, heading, **{**figures, **over})


def battle(*ships: Ship, wind_from: int = 0, strength: WindForce = WindForce.MEDIUM, **over: Any) -> Battle:
    """A battle in move 1, noon, with these ships on the table; "ENG" moves first. Options are given by name in `options`."""
    sides = ["ENG", "SPA"]
    options = with_defaults(over.pop("options", {}))
    for name in ("prevailing", "start_minute"):
        options.pop(name)
    squadrons = {
        one.squadron: SquadronState(
            id=one.squadron,
            name=one.squadron,
            side=one.side,
            ships=tuple(other.id for other in ships if other.squadron == one.squadron),
            flagship=one.id,
        )
        for one in reversed(ships)
    }
    fields: dict[str, Any] = {
        "title": "Test",
        "move": 1,
        "start": 720,
        "last_move": 60,
        "wind_from": wind_from,
        "prevailing": wind_from,
        "strength": strength,
        "sides": {code: SideState(id=code, name=code, nation=_NATIONS[code]) for code in sides},
        "squadrons": squadrons,
        "ships": {one.id: one for one in sorted(ships, key=lambda one: one.id)},
        "options": options,
        "first": "ENG",
        **over,
    }
    made = Battle(**fields)
    for one in ships:
        if one.status is Status.AFLOAT:
            made.grid.place(one)
    return made


def play(
    *faces: int,
    orders: Mapping[str, Orders | Course] | None = None,
    captains: Mapping[str, ThomasCaptain] | None = None,
    views: Mapping[str, View] | None = None,
) -> Play:
    """A play with scripted dice and a log. An order given as a course is that course and nothing else.

    Finish with `play.dice.finish()` to be sure that no face is left over.
    """
    read = {
        code: Orders(course=row) if isinstance(row, Course) else row for code, row in (orders or {}).items()
    }
    log = Log()
    log.turn = 1
    return Play(
        dice=ScriptedDice(faces, log=log), log=log, orders=read, captains=captains or {}, views=views or {}
    )


class _Said:
    """A captain with one answer to each question he is told of. Any other question is a failure."""

    name = "said"

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self._answers = answers
        self.asked: list[tuple[Any, ...]] = []

    def __getattr__(self, question: str) -> Any:
        def answer(view: View, *about: Any) -> Any:
            assert question in self._answers, f"nobody should ask {question}"
            self.asked.append((question, *about))
            return self._answers[question]

        return answer


def said(side: str = "ENG", /, **answers: Any) -> dict[str, Any]:
    """A captain of one side as arguments of `play`: `play(**said(boards="S1"))`."""
    captain: Any = _Said(answers)
    view: Any = None
    return {"captains": {side: captain}, "views": {side: view}}


def done(played: Play) -> None:
    """Fail when a face of the script was not thrown."""
    assert isinstance(played.dice, ScriptedDice)
    played.dice.finish()


def events(played: Play, kind: str) -> list[Event]:
    """The events of one kind that a play has logged."""
    assert played.log is not None
    return [event for event in played.log.events if event.kind == kind]
