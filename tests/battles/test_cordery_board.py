"""The board of squares: what is drawn of a log, and how ships stood."""

from __future__ import annotations

from functools import cache

from battles.boards import cordery
from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import Event, Log
from battles.engine.core.scenario import Scenario, read_scenario
from battles.engine.rulesets.cordery.rules import RULES
from tests.engine.cordery.test_cards import document


@cache
def fought() -> tuple[Scenario, tuple[Event, ...]]:
    """A battle of six ships, fought once."""
    scenario = read_scenario(document(A=[{}] * 3, B=[{}] * 3, land=[[11, 40]]))
    log = Log()
    RULES.play(scenario, KeyedDice(b"board", log=log), log)
    return scenario, tuple(log.events)


def test_the_replay_puts_moves_and_fires_on_a_board_of_squares() -> None:
    scenario, events = fought()
    doc = cordery.replay(scenario, events, None)
    orders = [order for _, _, drawn in doc["phases"] for order in drawn]
    assert (doc["board"], doc["land"]) == ("square", [[11, 40]])
    assert [order[2:5] for order in orders[:2]] == [[6, 12, 0], [6, 10, 0]]
    assert {"P", "M", "F", "H", "E"} <= {order[0] for order in orders}
    assert {(ship["turrets"], ship["steps"], ship["hull"]) for ship in doc["ships"]} == {(2, 4, 12)}


def test_a_fire_is_drawn_from_its_hit_until_it_is_out() -> None:
    scenario, _ = fought()
    events = [
        Event(
            0, "setup", "placed", "C.S11", "A1", {"x": 1, "y": 1, "h": 0, "side": "A", "left": 12, "steps": 0}
        ),
        Event(1, "main", "major", "C.H6", "A1", {"by": "B1", "result": "fire"}),
        Event(1, "main", "major", "C.H3", "A1", {"by": "B1", "result": "turret_fore"}),
        Event(1, "settle", "damage", "C.S6", "A1", {"left": 9, "steps": 1}),
    ]
    out = Event(2, "fires", "fire_out", "C.F2", "A1", {})
    doc = cordery.replay(scenario, [*events, out], None)
    assert [order for _, _, drawn in doc["phases"] for order in drawn if order[0] == "B"] == [
        ["B", 0, 1],
        ["B", 0, 0],
    ]
    alight, put_out = (cordery.standings(scenario, rows, None)[0] for rows in (events, [*events, out]))
    assert (alight.alight, put_out.alight, alight.left, alight.steps) == (True, False, 9, 1)


def test_both_sides_read_what_is_left_of_every_ship() -> None:
    scenario, events = fought()
    whole = cordery.standings(scenario, events, None)
    assert (
        cordery.standings(scenario, list(RULES.log_seen_by(scenario, events, "A")), frozenset({"A"})) == whole
    )
    assert {row.whole for row in whole} == {12}
