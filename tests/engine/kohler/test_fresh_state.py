"""What a ship, a squadron and a battle are before anything has happened to them; and the words and numbers of a stored document."""

from __future__ import annotations

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.errors import SchemaError
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.kohler import record, setup
from battles.engine.rulesets.kohler.card import Card, card
from battles.engine.rulesets.kohler.condition import SOUND, Condition
from battles.engine.rulesets.kohler.state import (
    Battle,
    Helm,
    Lock,
    LockKind,
    Ship,
    SideState,
    SquadronState,
    Status,
    WindForce,
)
from tests.engine.kohler.scenarios import scenario

UNTOUCHED = {
    "hits_struct": 0, "hits_board": 0, "steps_lost": 0, "fires": [], "flag_officer_ok": True, "prize_of": "", "captor_ship": "",
    "in_irons_last_turn": False, "caught_in_irons": False, "helm": "", "gun_timers": [], "unchecked_steps": [], "placement": {},
    "stacked": False, "aground": False, "fired": False, "came_from": None, "hits_given": 0, "hits_taken": 0, "board_before": 0,
    "cause": "", "in_command": True, "group_init": 0, "moved_hexes": 0, "turns_made": 0, "acted": False, "grapple_tried": False,
    "status": "afloat", "locks": [],
}  # fmt: skip


def test_ships_in_a_new_battle_have_no_history() -> None:
    sea = setup.begin(scenario(), KeyedDice(b"fresh"))
    doc = record.to_dict(sea)
    assert doc["schema"] == 1
    for row in doc["ships"]:
        assert {name: row[name] for name in UNTOUCHED} == UNTOUCHED
    for row in doc["squadrons"]:
        assert (row["init"], row["flag_lost"], row["arrives"], row["edge"]) == (0, False, 0, None)
    assert (doc["turn"], doc["ended"], doc["met"], doc["quiet"]) == (0, "", False, {"ENG": 0, "DUT": 0})
    assert (doc["groups"], doc["locks"], doc["officers"], doc["wind_prev"]) == ([], [], {}, None)


def test_unstated_facts_about_a_ship_squadron_or_battle_are_nothing() -> None:
    one = Ship(
        id="E1", name="", side="E", squadron="E-1", nation="", built_by="", guns=52, band=50, hull_max=22, n_steps=4,
        thresholds=(6, 11, 17, 22), fire_track=(8, 6, 4, 2),
    )  # fmt: skip
    assert (one.hits_struct, one.hits_board, one.steps_lost, one.board_before, one.complement) == (0,) * 5
    assert (one.pos, one.facing, one.status, one.helm) == ((0, 0), 0, Status.AFLOAT, Helm.SOUND)
    assert (one.group_init, one.moved_hexes, one.turns_made, one.hits_given, one.hits_taken) == (0,) * 5
    assert one.deep and one.in_command and one.flag_officer_ok and one.hull_left == 22
    squadron = SquadronState("E-1", "", "E", ("E1",), "E1")
    assert (squadron.flag_bonus, squadron.init, squadron.arrives, squadron.edge) == (0, 0, 0, None)
    side = SideState("E", "", "", wins_ties=False)
    sea = Battle("", 0, 30, 3, None, WindForce.NORMAL, {"E": side}, {"E-1": squadron}, {"E1": one})
    assert (sea.north, sea.visibility, sea.edges, sea.met, sea.ended) == (0, None, None, False, "")
    lock = Lock(LockKind.GRAPPLE, "E1", "D1", 4)
    assert (lock.formed, lock.lost, lock.parted_try, lock.drifted) == (4, {}, 0, 0)


def test_documents_with_another_schema_are_refused() -> None:
    made = card(ShipFacts(nation="England", built_by="England", guns=52)).to_dict()
    sea = record.to_dict(setup.begin(scenario(), KeyedDice(b"fresh")))
    assert made["schema"] == SOUND.to_dict()["schema"] == sea["schema"] == 1
    with pytest.raises(SchemaError, match="schema 2"):
        Card.from_dict({**made, "schema": 2})
    with pytest.raises(SchemaError, match="schema 2"):
        Condition.from_dict({**SOUND.to_dict(), "schema": 2})
    with pytest.raises(SchemaError, match="schema 2"):
        record.from_dict({**sea, "schema": 2})
