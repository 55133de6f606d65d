"""What the pages make of an Age of Sail log: drawing orders that end where the battle ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from battles.boards import board
from battles.engine import registry
from battles.engine.core.log import Event
from battles.engine.core.scenario import read_scenario
from battles.engine.play import play_battle

SCENARIOS = Path(__file__).parents[2] / "battles/data/scenarios/age_of_sail"


def test_the_drawing_ends_where_the_battle_ended_with_the_boxes_that_are_left() -> None:
    scenario = read_scenario(json.loads((SCENARIOS / "cape_lopez.json").read_text()))
    played = play_battle(scenario, b"boards", log=True)
    doc = board("age_of_sail").replay(scenario, played.events, None)
    assert (doc["board"], doc["unit"], doc["farthest"], doc["fan"]) == ("plane", "cm", 12_000, 45)
    ends: dict[int, dict[str, Any]] = {n: {} for n in range(len(doc["ships"]))}
    for op in (op for _, _, ops in doc["phases"] for op in ops):
        if op[0] == "P":
            ends[op[1]]["at"] = op[2:5]
        elif op[0] == "M":
            ends[op[1]]["at"] = op[2][-3:]
        elif op[0] == "Q":
            ends[op[1]]["boxes"] = op[2:5]
    rules: Any = registry.rule_set("age_of_sail")
    for n, ship in enumerate(rules.from_dict(played.state).ships.values()):
        assert ends[n]["at"] == [ship.x, ship.y, ship.heading]
        assert ends[n]["boxes"] == [ship.port, ship.stbd, ship.units]


def test_standings_count_boxes_and_name_the_holder() -> None:
    scenario = read_scenario(json.loads((SCENARIOS / "hispaniola_1741.json").read_text()))
    played = play_battle(scenario, b"boards", log=True)
    rows = {row.ship: row for row in board("age_of_sail").standings(scenario, played.events, None)}
    for entry in played.outcome.ships:
        row = rows[entry.ship]
        assert row.of_steps == 12 - 2 * (entry.ship == "F04")
        assert (row.holder != row.side) is (entry.captor != "") or entry.fate.lost
        assert 0 <= row.steps <= row.of_steps


def test_a_prize_is_drawn_with_the_decks_that_its_crew_serves_and_its_captor_without_them() -> None:
    scenario = read_scenario(json.loads((SCENARIOS / "hispaniola_1741.json").read_text()))
    boxes = {"port": 3, "stbd": 2, "units": 3, "rig": [2, 2, 2]}
    place = {"x": 0, "y": 0, "h": 0, "anchored": False}
    events = [
        Event(0, "setup", "placed", "A.S2", "B01", {**place, **boxes}),
        Event(0, "setup", "placed", "A.S2", "F01", {**place, **boxes}),
        Event(1, "1-S9", "captured", "A.B8", "F01", {"captor": "B01", "side": "B"}),
        Event(2, "1-S5", "manned", "A.B13", "F01", {"captor": "B01", "decks": 2}),
        Event(3, "1-S8", "repair", "A.R1", "B01", {"mast": "main", "made": True, "rig": [2, 1, 2]}),
        Event(4, "2-S9", "reverts", "A.B18", "F01", {"side": "F"}),
    ]
    doc = board("age_of_sail").replay(scenario, events, None)
    number = {ship["id"]: n for n, ship in enumerate(doc["ships"])}
    captor, prize = number["B01"], number["F01"]
    drawn = [op for _, _, ops in doc["phases"] for op in ops]
    assert [op[2] for op in drawn if op[0] == "c" and op[1] == prize] == [0, 2, -1]
    # the decks go from the side with more of them, of equal sides from port
    plans = [op[2:] for op in drawn if op[0] == "Q" and op[1] == captor]
    assert plans == [[3, 2, 3, [2, 2, 2]], [1, 2, 3, [2, 2, 2]], [1, 2, 3, [2, 1, 2]]]
    assert [op for op in drawn if op[0] == "Q" and op[1] == prize] == [["Q", prize, 3, 2, 3, [2, 2, 2]]]
