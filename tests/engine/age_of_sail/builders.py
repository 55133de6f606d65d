"""Ships, battles and rounds for tests of Age of Sail, with no scenario behind them. Places are in centimetres here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from battles.engine.core.dice import FastDice, ScriptedDice
from battles.engine.core.log import Event, Log
from battles.engine.core.parties import SideState, SquadronState
from battles.engine.core.ruleset import ShipOrder
from battles.engine.core.scenario import read_scenario
from battles.engine.rulesets.age_of_sail import lines, movement
from battles.engine.rulesets.age_of_sail.card import CLASSES, MASTS
from battles.engine.rulesets.age_of_sail.options import polygons, with_defaults
from battles.engine.rulesets.age_of_sail.play import Course, Play, Shot
from battles.engine.rulesets.age_of_sail.rules import RULES
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Line, Ship
from battles.engine.rulesets.age_of_sail.view import View
from tests.support.answers import unerring

N, NE, E, SE, S, SW, W, NW = range(0, 16, 2)


@unerring
def ship(code: str = "E1", x: float = 0, y: float = 0, h: int = 0, cls: str = "line", **over: Any) -> Ship:
    """A sound ship; codes that begin with D are of the other side. rig, port and the rest may be given field by field."""
    values = CLASSES[cls]
    side = over.pop("side", code[0])
    fields: dict[str, Any] = {
        "id": code, "number": 0, "name": f"Ship {code}", "side": side, "owner": side, "squadron": f"{side}-1", "cls": cls,
        "pirate": False, "boards": False, "flagship": False, "commander": "", "complement": 600, "decks": values.decks,
        "hull": values.hull, "masts": values.masts, "names": MASTS, "x": round(1000 * x), "y": round(1000 * y), "h": h,
        "port": values.decks, "stbd": values.decks, "units": values.hull, "rig": [2, 2, 2],
        "start": (values.decks, values.decks, values.hull, 3), **over,
    }  # fmt: skip
    return Ship(**fields)


@unerring
def battle(
    *ships: Ship, wind_from: int = 0, wind: int = 4, first: str = "E", line: Iterable[str] = (), **more: Any
) -> Battle:
    """A battle of these ships, the first side E, the wind's dice left in the box. line: ids of ships that form one."""
    options = {"wind_dice": False, **{name: more.pop(name) for name in [*more] if name in _OPTIONS}}
    for number, one in enumerate(ships):
        one.number = number
    made = Battle(
        title="Test", turn=0, last_turn=99, nightfall=False, first=first, active=first, wind_from=wind_from, wind=wind,
        sides={code: SideState(code, code, code) for code in "ED"},
        squadrons={
            f"{code}-1": SquadronState(
                f"{code}-1", code, code, tuple(one.id for one in ships if one.squadron == f"{code}-1"), ships[0].id
            )
            for code in "ED"
        },
        ships={one.id: one for one in ships}, options=with_defaults(options),
        shoals=polygons(options, "shoals"), land=polygons(options, "coast"), **more,
    )  # fmt: skip
    for one in made.in_play():
        made.grid.place(one)
    if line:
        lines.form(made, "E-1", [made.ships[code] for code in line])
    return made


_OPTIONS = (
    "wind_dice", "no_sail", "stern_arc", "block_line", "first_mover", "coast", "shoals", "last_round",
)  # fmt: skip


@unerring
def play(made: Battle, faces: Iterable[int] = (), orders: Mapping[str, str] | None = None) -> Play:
    """What a stage is played with: scripted faces, orders as text, no captains."""
    log = Log()
    return Play(
        dice=ScriptedDice(faces, log=log),
        log=log,
        orders={code: RULES.parse(text) for code, text in (orders or {}).items()},
        views={code: View(made, code) for code in made.sides},
    )


@unerring
def played(
    made: Battle, orders: Mapping[str, str] | None = None, faces: Iterable[int] = ()
) -> tuple[Battle, tuple[Event, ...]]:
    """A round under orders alone; every face is used up. Ships without orders go a centimetre ahead."""
    log = Log()
    with ScriptedDice(faces, log=log) as dice:
        given = {code: ShipOrder(code, text) for code, text in (orders or {}).items()}
        after = RULES.advance(made, given, {}, dice, log)
    return after, log.take()


def at(one: Ship) -> tuple[int, int, int]:
    """Where a ship lies and heads."""
    return one.x, one.y, one.h


def kinds(events: Iterable[Event]) -> list[str]:
    """What happened, dice left out."""
    return [event.kind for event in events if event.kind != "die"]


@dataclass
class Mate:
    """A captain who answers every question as told. volleys: of any ship; board, turns: of every course."""

    answer: bool = True
    fight: str = ""
    turns: tuple[int, ...] = (0,)
    board: str = ""
    volleys: tuple[Shot, ...] = ()
    detached: str = ""
    name: str = "mate"

    def parts(self, view: object, one: Ship, other: Ship) -> bool:
        return self.answer

    def repairs(self, view: object, one: Ship) -> bool:
        return self.answer

    def weighs(self, view: object, one: Ship) -> bool:
        return self.answer

    def anchors(self, view: object, one: Ship) -> bool:
        return self.answer

    def withdraws(self, view: object) -> bool:
        return self.answer

    def leaves(self, view: object, one: Ship) -> bool:
        return self.answer

    def agrees_to_part(self, view: object) -> bool:
        return self.answer

    def detaches(self, view: object, one: Ship, line: Line) -> bool:
        return one.id == self.detached

    def course(self, view: object, one: Ship) -> Course:
        return Course(self.turns, self.board)

    def shots(self, view: object, one: Ship, path: object) -> list[Shot]:
        return [*self.volleys]

    def fights_on(self, view: object, one: Ship, foes: list[Ship]) -> str:
        return self.fight


@unerring
def table(
    made: Battle, faces: Iterable[int] = (), orders: Mapping[str, str] | None = None, *mates: tuple[str, Mate]
) -> Play:
    """What a stage is played with, captains included, each with the side that they decide for."""
    at = play(made, faces, orders)
    at.captains = dict(mates)
    return at


@unerring
def finished(at: Play) -> list[str]:
    """Every face is used up; what happened."""
    at.dice.finish()  # type: ignore[attr-defined]
    return kinds(at.log.take())  # type: ignore[union-attr]


@unerring
def document(**more: Any) -> dict[str, Any]:
    """Three ships in two squadrons against two."""
    facts = {"nation": "France", "ship_type": "ship_of_line", "guns": 74, "year_built": 1780}
    parts = {"E": (("E1", "E2"), ("E3",)), "D": (("D1", "D2"),)}
    sides = [
        {
            "id": code, "name": code, "nation": "France",
            "squadrons": [
                {"id": f"{code}-{n}", "name": code, "flagship": row[0], "ships": [{"id": one, "name": one, "facts": facts} for one in row]}
                for n, row in enumerate(rows)
            ],
        }
        for code, rows in parts.items()
    ]  # fmt: skip
    return {
        "schema": 1, "rule_set": "age_of_sail", "title": "T", "code": "T", "sides": sides,
        "wind": {"towards": 180, "strength": "moderate"}, "options": {"first_mover": "E"}, **more,
    }  # fmt: skip


@unerring
def begun(**more: Any) -> Battle:
    """The battle of that document, with any dice."""
    return RULES.begin(read_scenario(document(**more)), FastDice(1))


FAST: dict[str, Any] = {"anchor": Anchor.DOWN, "came": 99}


@unerring
def sailed(
    made: Battle, orders: dict[str, str] | None = None, faces: tuple[int, ...] = (), mate: Mate | None = None
) -> tuple[Ship, list[Event]]:
    """Stage A.S9 of side E with every face used up: the first ship after it, and what happened."""
    by = table(made, faces, orders, *([("E", mate)] if mate else []))
    movement.move_side(made, by)
    by.dice.finish()  # type: ignore[attr-defined]
    return made.ships["E1"], [event for event in by.log.take() if event.kind != "die"]  # type: ignore[union-attr]


@unerring
def told(events: list[Event], kind: str) -> dict[str, Any]:
    (row,) = [event for event in events if event.kind == kind]
    return dict(row.data)
