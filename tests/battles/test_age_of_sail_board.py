"""What the pages make of an Age of Sail log: drawing orders that end where the battle ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from battles.boards import board
from battles.engine import registry
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
        left, sent = ship.port + ship.stbd + ship.units, ship.gone_port + ship.gone_stbd
        # decks sent off with a prize are taken from the drawing with the next hit
        assert left <= sum(ends[n]["boxes"]) <= left + sent


def test_standings_count_boxes_and_name_the_holder() -> None:
    scenario = read_scenario(json.loads((SCENARIOS / "hispaniola_1741.json").read_text()))
    played = play_battle(scenario, b"boards", log=True)
    rows = {row.ship: row for row in board("age_of_sail").standings(scenario, played.events, None)}
    for entry in played.outcome.ships:
        row = rows[entry.ship]
        assert row.of_steps == 12 - 2 * (entry.ship == "F04")
        assert (row.holder != row.side) is (entry.captor != "") or entry.fate.lost
        assert 0 <= row.steps <= row.of_steps
