"""What the pages make of a log: drawing orders that end where the battle ended, and the standing of ships."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battles.boards import board, drawn, kohler
from battles.engine import registry
from battles.engine.core.scenario import Scenario, read_scenario
from battles.engine.play import Played, play_battle
from battles.engine.rulesets.kohler.log_view import log_seen_by
from battles.selectors import REPLAY_VERSION
from battles.templatetags.battles import pips, standing
from tests.support.fleets import meeting, meeting_document

KOHLER = board("kohler")


@pytest.fixture(scope="module")
def played() -> tuple[Scenario, Played]:
    """A real battle of 32 ships."""
    scenario = meeting(16, 16)
    return scenario, play_battle(scenario, b"boards", log=True)


def shown(doc: dict[str, Any]) -> list[dict[str, Any]]:
    """Plays the drawing orders as the page does: place, heading, steps, hull and colours of every ship at the end."""
    ships = [{"side": ship["side"], "there": False, "gone": ""} for ship in doc["ships"]]
    for _, _, ops in doc["phases"]:
        for kind, n, *rest in ops:
            if kind == "P":
                ships[n] |= {"at": rest[:2], "there": True}
                if rest[2] >= 0:
                    ships[n]["facing"] = rest[2]
                if len(rest) > 3:
                    ships[n] |= {"steps": rest[3], "left": rest[4]}
            elif kind == "M":
                *_, q, r, facing = rest[0]
                ships[n] |= {"at": [q, r], "facing": facing}
            elif kind == "H":
                ships[n] |= {"steps": rest[0], "left": rest[1]}
            elif kind == "C":
                ships[n]["side"] = rest[0] or ships[rest[1]]["side"]
            elif kind == "X":
                ships[n]["gone"] = rest[0]
    return ships


def test_the_drawing_orders_end_where_the_battle_ended(played: tuple[Scenario, Played]) -> None:
    scenario, battle = played
    drawn = shown(KOHLER.replay(scenario, battle.events, None))
    for ship, was in zip(battle.state["ships"], drawn, strict=True):
        assert was["side"] == (ship["prize_of"] or ship["side"]), ship["id"]
        if ship["status"] == "afloat":
            assert was["at"] == list(ship["pos"]), ship["id"]
            assert was["facing"] == ship["facing"], ship["id"]
            assert was["gone"] == ""
        if ship["status"] in ("sinking", "exploded"):
            assert was["gone"], ship["id"]


def test_standings_agree_with_the_outcome(played: tuple[Scenario, Played]) -> None:
    scenario, battle = played
    rows = {row.ship: row for row in KOHLER.standings(scenario, battle.events, None)}
    at_sea = registry.rule_set("kohler").at_sea
    cards = {ship.id: registry.rule_set("kohler").card(ship.facts) for _, _, ship in scenario.ships()}
    fates = {"sunk", "blown up", "burnt"}
    seen = set()
    for entry in battle.outcome.ships:
        row = rows[entry.ship]
        seen.add(entry.fate.value)
        if entry.fate.value in fates:
            assert row.word == entry.fate.value, entry.ship
        elif entry.fate.value == "captured":
            assert (row.word, row.holder) == ("taken", entry.captor)
        else:
            assert row.word == "afloat"
            assert row.steps == at_sea.steps_lost(cards[entry.ship], entry.condition)
            lost = entry.condition["hits_struct"] + entry.condition["hits_board"]
            assert row.left == cards[entry.ship]["hull_max"] - lost
    assert {"afloat", "captured"} <= seen


def test_the_replay_is_plain_json_and_small(played: tuple[Scenario, Played]) -> None:
    scenario, battle = played
    text = json.dumps(KOHLER.replay(scenario, battle.events, None), separators=(",", ":"))
    assert json.loads(text)["board"] == "hex"
    full = json.dumps([event.to_list() for event in battle.events], separators=(",", ":"))
    assert len(text) < len(full) / 2


@pytest.mark.clause("K.I4")
def test_the_version_of_replays_grows_with_what_every_replay_begins_with(
    played: tuple[Scenario, Played],
) -> None:
    """A browser keeps the document by its tag, and today's page needs all of its fields."""
    head = drawn.head(registry.rule_set("kohler"), played[0], (), board="hex", strengths=())
    assert (REPLAY_VERSION, " ".join(sorted(head))) == (
        3,
        "board measure minutes north schema sides squadrons start strengths title",
    )


def test_an_enemy_who_was_expected_but_never_came_is_not_shown() -> None:
    document = meeting_document(7, 7)
    late = document["sides"][1]["squadrons"][0]
    document["sides"][1]["squadrons"].append(
        {
            **late,
            "id": "D-9",
            "arrives": 90,
            "flagship": "D90",
            "ships": [{**late["ships"][0], "id": "D90", "name": "Late"}],
        }
    )
    document["turn_limit"] = 3
    scenario = read_scenario(document)
    events = play_battle(scenario, b"late", log=True).events
    codes = {ship.id for _, _, ship in scenario.ships()}
    for side, knows in (("E", codes - {"D90"}), ("D", codes), (None, codes)):
        read = events if side is None else list(log_seen_by(scenario, events, side))
        own = None if side is None else frozenset({side})
        doc = KOHLER.replay(scenario, read, own)
        assert {ship["id"] for ship in doc["ships"]} == knows
        assert ("D-9" in {squadron["id"] for squadron in doc["squadrons"]}) == ("D90" in knows)
        assert {row.ship for row in KOHLER.standings(scenario, read, own)} == knows


def test_a_standing_is_described_in_a_few_words() -> None:
    make = kohler.Standing
    sound = make("E01", "E", "E", 0, 4, 22, 22, "afloat", False)
    seen = make("D01", "D", "D", 2, 4, None, None, "afloat", True)
    taken = make("D02", "D", "E", 1, 3, 9, 20, "taken", False)
    sunk = make("D03", "D", "D", 4, 4, None, None, "sunk", False)
    assert [standing(row) for row in (sound, seen, taken, sunk)] == [
        "hull 22 of 22",
        "2 steps of damage, on fire",
        "taken, hull 9 of 20",
        "sunk",
    ]
    assert pips(seen).count('class="lost"') == 2 and pips(seen).count("<i") == 4


def test_a_rule_set_without_a_board_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        board("nine men's morris")
