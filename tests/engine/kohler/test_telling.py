"""A Kohler battle described from its log: one sentence for every kind of event, and which are news."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import DIE, Event, Log
from battles.engine.core.telling import Names, Teller
from battles.engine.registry import rule_set
from battles.engine.rulesets.kohler.events import KINDS
from tests.support.fleets import meeting

KOHLER = rule_set("kohler")
NAMES = Names(
    {"E01": "Royal Prince", "D01": "Zeven Provincien"}, {"E-1": "White", "E-2": "Red"}, {"E": "England"}
)
HULL = {"struct": 3, "board": 1, "left": 20, "steps": 1, "level": 1, "fire": 7}
THROW = {"target": "D01", "attacker": 5, "defender": 3, "made": True}
SHOT = {"target": "D01", "side": "port", "range": 2, "mods": [], "score": 3}
BOARDING = {"target": "D01", "own": 20, "other": 26, "winner": "D01", "inflicted": 3, "cost": 1}
WIND = {"towards": 1, "was": 1, "strength": 3, "strength_was": 3}

SENTENCES: list[tuple[str, dict[str, Any], str]] = [
    ("placed", {"q": 3, "r": -4, "f": 1, "squadron": "E-1", "side": "E", "steps": 0}, "Royal Prince lies in hex 3, -4, heading NE"),
    ("warned", {"squadron": "E-1", "ships": 12}, "White has 12 ships, which is not the advised size"),
    ("disorder", {"q": 1, "r": 2}, "Royal Prince is out of place, in hex 1, 2"),
    ("wind", WIND, "A strong wind blows towards the north-east of the board"),
    ("wind", {**WIND, "strength": 4}, "A gale blows towards the north-east of the board"),
    ("wind", {**WIND, "strength": 0}, "The air is still; the next wind will blow towards the north-east of the board"),
    ("caught", {}, "Royal Prince is caught in irons"),
    ("arrived", {"q": 1, "r": 2, "f": 0}, "Royal Prince comes up"),
    ("fired_ship", {}, "The fire ship Royal Prince is set alight"),
    ("initiative", {"squadron": "E-1", "die": 3, "bonus": 2, "penalty": 1, "value": 4},
     "White: initiative 4 (die 3, bonus +2, penalty −1)"),
    ("straggler", {}, "Royal Prince is out of command"),
    ("groups", {"groups": [["E-1", 4, True, ["E01"]], ["E-2", 2, True, []]]},
     "The groups move in this order, by initiative: White (4); Red (2)"),
    ("moved", {"path": [[0, 0, 0], [0, -1, 0], [0, -1, 1]], "tokens": ["A", "S"], "drift": False},
     "Royal Prince sails 1 hex, turns 1 hexside, heading NE"),
    ("moved", {"path": [[0, 0, 0], [0, 1, 0]], "tokens": [], "drift": True},
     "Royal Prince makes no way, then drifts, heading N"),
    ("drifted", {"q": 1, "r": 2}, "Royal Prince drifts downwind"),
    ("refused", {"token": "A", "code": "land"}, "Royal Prince cannot carry out A: there is land ahead"),
    ("refused", {"token": "port>D01", "code": "order/out-of-arc"}, "Royal Prince cannot carry out port>D01: out of arc"),
    ("helm", {"forced": "no_turn"}, "Royal Prince, her helm hit, keeps straight on"),
    ("contact", {**THROW, "kind": "grapple"}, "Royal Prince tries to grapple Zeven Provincien and succeeds (5 to 3)"),
    ("contact", {**THROW, "made": False, "kind": "fireship"},
     "Royal Prince tries to lay herself alongside Zeven Provincien and fails (5 to 3)"),
    ("contact", {**THROW, "kind": "tangle"}, "Royal Prince comes into the hex of Zeven Provincien and fouls her (5 to 3)"),
    ("contact", {**THROW, "made": False, "kind": "tangle"},
     "Royal Prince comes into the hex of Zeven Provincien and keeps clear (5 to 3)"),
    ("locked", {"target": "D01", "kind": "grapple"}, "Royal Prince grapples Zeven Provincien"),
    ("locked", {"target": "D01", "kind": "tangle"}, "Royal Prince runs foul of Zeven Provincien"),
    ("locked", {"target": "D01", "kind": "fireship"}, "Royal Prince, alight, lies fast alongside Zeven Provincien"),
    ("freed", {"target": "D01", "kind": "grapple"}, "Royal Prince and Zeven Provincien are apart again"),
    ("placing", {"target": "D01", "side": "port"}, "Royal Prince lies on the port side of Zeven Provincien"),
    ("aground", {"q": 1, "r": 2}, "Royal Prince runs aground"),
    ("wrecked", {"q": 1, "r": 2}, "Royal Prince is driven ashore and wrecked"),
    ("refloated", {"q": 1, "r": 2}, "Royal Prince floats off the shoal"),
    ("gone", {}, "Royal Prince leaves the battle"),
    ("fire", {**SHOT, "range": 1, "mods": [["short", -1]], "points": 15, "hits": 4},
     "Royal Prince fires her port broadside at Zeven Provincien, 1 hex away: score 3 (short -1), 7½ fire points, 4 hits"),
    ("fire", {**SHOT, "hits": 1}, "Royal Prince fires her port broadside at Zeven Provincien, 2 hexes away: score 3, 1 hit"),
    ("fire", {**SHOT, "range": 0, "hits": 0}, "Royal Prince fires her port broadside at Zeven Provincien in the same hex: score 3, 0 hits"),
    ("damage", HULL, "Royal Prince loses 4 hull points, 1 of them in men: 20 left, 1 step lost, slowed"),
    ("damage", {**HULL, "struct": 0, "board": 2}, "Royal Prince loses 2 hull points in men: 20 left, 1 step lost, slowed"),
    ("damage", {**HULL, "struct": 1, "board": 0, "level": 0}, "Royal Prince loses 1 hull point: 20 left, 1 step lost"),
    ("damage", {"steps": 3, "level": 3}, "Royal Prince shows damage: 3 steps lost, disabled"),
    ("recounted", {"left": 20, "steps": 1, "level": 2, "fire": 7}, "Royal Prince is counted afresh: 20 hull points left, 1 step lost"),
    ("recounted", {"steps": 2, "level": 2}, "Royal Prince is counted afresh: 2 steps lost"),
    ("boarding", BOARDING,
     "Boarding: Royal Prince (20) against Zeven Provincien (26); Zeven Provincien wins, cutting down 3 for 1"),
    ("boarding", {"target": "D01", "other": 20, "winner": "", "inflicted": 0, "cost": 0},
     "Boarding: Royal Prince against Zeven Provincien (20); neither gives way"),
    ("captured", {"captor": "D01", "side": "D"}, "Royal Prince is taken by Zeven Provincien"),
    ("retaken", {"by": "D01"}, "Royal Prince is retaken by Zeven Provincien"),
    ("critical", {"score": 4, "result": "guns"}, "Critical check for Royal Prince: 4, a gun deck is swept"),
    ("guns_out", {"turns": 2}, "Royal Prince has a gun deck out of action for 2 turns"),
    ("alight", {"fires": 1}, "Royal Prince is on fire"),
    ("burns", {"fires": 1}, "Royal Prince burns on"),
    ("fire_out", {"fires": 1}, "Royal Prince puts out a fire"),
    ("exploded", {}, "Royal Prince blows up"),
    ("sunk", {"by": "gunfire"}, "Royal Prince sinks under gunfire"),
    ("sunk", {"by": "aground"}, "Royal Prince breaks up on the shoal"),
    ("sunk", {"by": ""}, "Royal Prince sinks"),
    ("burnt_out", {}, "The fire ship Royal Prince burns out"),
    ("flag_hit", {"officer": "Monck"}, "Monck is hit aboard Royal Prince"),
    ("flag_hit", {"officer": ""}, "The flag officer is hit aboard Royal Prince"),
    ("new_flagship", {"squadron": "E-1"}, "Royal Prince now leads White"),
    ("officer", {"officer": "Monck", "fate": "killed"}, "Monck is killed aboard Royal Prince"),
    ("officer", {"officer": "", "fate": "wounded"}, "The flag officer is wounded aboard Royal Prince"),
    ("taken_after", {"captor": "D01", "side": "D"}, "Royal Prince, disabled, strikes to Zeven Provincien"),
    ("ended", {"why": "nightfall"}, "The battle ends: night falls"),
    (DIE, {"key": "X/1/K.F8/1/E01/port", "die": "D6", "faces": [4], "reason": "broadside"}, "Royal Prince: broadside, port"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "data", "sentence"), SENTENCES, ids=lambda one: one if isinstance(one, str) else ""
)
def test_an_event_is_one_sentence_by_name(kind: str, data: dict[str, Any], sentence: str) -> None:
    assert KOHLER.words(Event(1, "4a", kind, "K.X1", "E01", data), NAMES) == sentence


def test_every_kind_has_its_sentence_here_from_data_that_it_may_have() -> None:
    assert {kind for kind, _, _ in SENTENCES} == {*KINDS, DIE}
    for kind, data, _ in SENTENCES:
        if kind != DIE:
            assert (
                set(KINDS[kind].fields) - set(KINDS[kind].secret) <= set(data) <= set(KINDS[kind].fields)
            ), kind


BATTLE = meeting(2, 2)


def told(*events: tuple[str, dict[str, Any]], teller: Teller | None = None) -> list[str]:
    rows = [Event(3, "4a", kind, "K.X1", "E01", data) for kind, data in events]
    return (teller or KOHLER.teller(BATTLE)).turn(rows)


def test_an_unchanged_wind_is_not_news() -> None:
    assert told(("wind", WIND), ("moved", {}), ("critical", {})) == []
    assert told(("wind", {**WIND, "strength_was": 2})) == [
        "A strong wind blows towards the north-east of the board."
    ]


def test_damage_is_reported_when_a_step_is_lost_unless_the_ship_goes_down() -> None:
    teller = KOHLER.teller(BATTLE)
    name = Names.of(BATTLE).ship("E01")
    assert told(("placed", {"steps": 1}), ("damage", HULL), teller=teller) == []
    second = ("damage", {**HULL, "steps": 2, "left": 15})
    assert told(second, second, teller=teller) == [
        f"  {name} loses 4 hull points, 1 of them in men: 15 left, 2 steps lost, slowed."
    ]
    assert told(("damage", {**HULL, "steps": 4, "left": 0}), teller=teller) == []


def test_a_prizes_steps_are_reported_from_her_count_when_taken() -> None:
    counted = ("recounted", {"steps": 1, "level": 2})
    lines = told(("damage", {"steps": 3, "level": 2}), counted, ("damage", {"steps": 2, "level": 2}))
    assert [line.partition(": ")[2] for line in lines] == ["3 steps lost, slowed.", "2 steps lost, slowed."]


def test_every_event_in_whole_battles_can_be_described() -> None:
    battle = meeting(8, 8)
    seen: set[str] = set()
    for seed in range(8):
        log = Log()
        KOHLER.play(battle, KeyedDice(bytes([seed]), log=log), log)
        events = log.take()
        seen |= {one.kind for one in events}
        assert all(line.strip() for line in KOHLER.teller(battle).turn(events))
    assert {"captured", "sunk", "boarding", "alight", "new_flagship"} <= seen
