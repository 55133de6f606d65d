"""Orders in one line, what is wrong with them, and a battle as a document."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battles.engine.core.dice import FastDice, KeyedDice
from battles.engine.core.errors import NotationError
from battles.engine.core.log import Log
from battles.engine.core.ruleset import ShipOrder
from battles.engine.core.scenario import read_scenario
from battles.engine.rulesets.cordery import firing, gunnery, notation
from battles.engine.rulesets.cordery.play import Orders
from battles.engine.rulesets.cordery.rules import RULES
from battles.engine.rulesets.cordery.state import Status
from tests.engine.cordery.builders import battle, play, ship
from tests.engine.cordery.test_cards import document


@pytest.mark.clause("C.M3", "C.R1")
@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("", Orders()),
        ("FR", Orders("FR")),
        ("F R", Orders("FR")),
        ("-", Orders("")),
        ("| ram", Orders(None, {}, True)),
        ("FF | main>B1 port>- ram", Orders("FF", {"main": "B1", "port": ""}, True)),
        ("- | torpedo>B%201 stbd>%2D", Orders("", {"torpedo": "B 1", "stbd": "-"})),
    ],
)
def test_a_saved_line_of_orders_is_read_back_unchanged(text: str, orders: Orders) -> None:
    assert notation.parse(text) == orders
    assert notation.parse(notation.render(orders)) == orders


@pytest.mark.parametrize(
    "text", ["X", "FFFF", "main>B1", "F | main", "F | main>", "F | rudder>B1", "| main>B1 main>B2", "FF -"]
)
def test_what_cannot_be_read_is_refused_in_words(text: str) -> None:
    with pytest.raises(NotationError):
        notation.parse(text)


@pytest.mark.clause("C.M6", "C.M3", "C.D4", "C.T1", "C.G4", "C.G9", "C.H2", "C.K36")
@pytest.mark.parametrize(
    ("over", "text", "codes"),
    [
        ({}, "FF | main>B1", []),
        ({}, "R", ["order/illegal-move"]),
        ({"lock_bridge": 1, "last_spent": 1}, "FF", ["order/locked"]),
        ({"lock_bridge": 1, "last_spent": 1}, "F", []),
        ({"lock_rudder": 1}, "FL", ["order/locked"]),
        ({"breaking_off": True}, "F | ram", ["order/no-aggression"]),
        ({}, "| port>B1 torpedo>B1", ["order/out-of-arc", "order/out-of-arc"]),
        ({"torpedoes": 0}, "| torpedo>B1", ["order/no-torpedo"]),
        ({"no_fire": 1}, "| main>B1", ["order/silent"]),
        ({"prize": True}, "| main>B1", ["order/prize"]),
        ({}, "| main>A1 stbd>Z9", ["order/no-target", "order/no-target"]),
    ],
)
def test_all_errors_in_an_order_are_reported(over: dict[str, Any], text: str, codes: list[str]) -> None:
    made = battle(ship("A1", (5, 5), **over), ship("B1", (9, 5)))
    found = RULES.faults(made, "A", ShipOrder("A1", text))
    assert [fault.code for fault in found] == codes
    assert all(fault.clause.startswith("C.") and fault.text for fault in found)


def test_orders_for_lost_late_and_strange_ships_are_refused() -> None:
    made = battle(ship("A1", status=Status.LEFT), ship("A2", status=Status.EXPECTED), ship("B1", (9, 5)))
    assert [RULES.faults(made, "A", ShipOrder(code, "F"))[0].code for code in ("A1", "A2", "B1", "Z")] == [
        "order/lost-ship", "order/not-here", "order/not-your-ship", "order/unknown-ship",
    ]  # fmt: skip
    made.ended = "limit"
    assert RULES.faults(made, "A", ShipOrder("A1", "F"))[0].code == "order/battle-over"


@pytest.mark.clause("C.K36", "C.N12")
def test_a_prize_neither_fires_nor_rams_and_makes_for_safety() -> None:
    doc = document(A=[{"prize": True, "position": [8, 12]}, {}], turn_limit=4)
    log = Log()
    RULES.play(read_scenario(doc), KeyedDice(b"prize", log=log), log)
    own = [event for event in log.events if event.ship == "A1"]
    assert "moved" in {event.kind for event in own}
    assert not {"fire", "torpedo", "rammed"} & {event.kind for event in own}


def test_a_battle_survives_its_document_with_every_field_changed() -> None:
    state = RULES.begin(
        read_scenario(document(land=[[0, 0]], shoal=[[1, 1]], edges=[0, 0, 30, 30])), FastDice(3)
    )
    one = state.ships["A1"]
    one.burning, one.no_fire, one.lock_rudder, one.last_action, one.status = True, 2, 4, "L", Status.BROKE_OFF
    state.lift(one)
    state.scores, state.luck, state.first, state.winner = (
        {"A": 3, "B": 1},
        {"A-1": ("A1", "killed", "C.K34")},
        "B",
        "A",
    )
    doc = json.loads(json.dumps(RULES.to_dict(state)))
    assert RULES.to_dict(RULES.from_dict(doc)) == doc
    assert RULES.to_dict(RULES.copy(state)) == doc
    assert set(RULES.from_dict(doc).at) == set(state.at) == set(RULES.copy(state).at)


@pytest.mark.clause("C.P9", "C.S1", "C.S8", "C.S9")
def test_all_fire_comes_before_all_movement() -> None:
    steps = [step.id for step in RULES.steps]
    assert steps == [
        "come", "fires", "declare", "main", "secondary", "torpedoes", "settle", "initiative", "first", "second", "end", "after",
    ]  # fmt: skip
    assert [" ".join(step.clauses) for step in RULES.steps] == [
        "C.K36", "C.S1 C.F2 C.F3", "C.S2 C.G7 C.G8", "C.S3 C.G11 C.H1", "C.S4 C.G11 C.H8", "C.S5 C.T5", "C.S6 C.D2 C.D6", "C.S7",
        "C.S8 C.M3 C.R1", "C.S9 C.M3 C.R1", "C.S10 C.V1", "C.F5 C.K24 C.V2",
    ]  # fmt: skip


@pytest.mark.clause("C.P7", "C.Q12")
def test_captains_throw_no_dice() -> None:
    log = Log()
    RULES.play(read_scenario(document(turn_limit=6)), KeyedDice(b"dice", log=log), log)
    clauses = {event.clause for event in log.events if event.kind == "die"}
    assert clauses <= {
        "C.G11",
        "C.H1",
        "C.H3",
        "C.H5",
        "C.T5",
        "C.T6",
        "C.F2",
        "C.F5",
        "C.S7",
        "C.R7",
        "C.K9",
    }


@pytest.mark.clause("C.M3", "C.G7", "C.G8", "C.T1", "C.R1")
@pytest.mark.parametrize(
    ("text", "move", "targets", "ram"),
    [
        ("F", "F", {}, False), ("FFF", "FFF", {}, False), ("F L R", "FLR", {}, False), ("|", None, {}, False),
        ("- | ram", "", {}, True), ("FF | RAM", "FF", {}, True),
        ("| MAIN>B1", None, {"main": "B1"}, False),
        ("| main>b1 port>- stbd>B2 torpedo>B3", None, {"main": "b1", "port": "", "stbd": "B2", "torpedo": "B3"}, False),
        ("| main>a%7Cb%25", None, {"main": "a|b%"}, False), ("| ram main>x>y", None, {"main": "x>y"}, True),
    ],
)  # fmt: skip
def test_every_order_of_the_book_is_read(
    text: str, move: str | None, targets: dict[str, str], ram: bool
) -> None:
    assert notation.parse(text) == Orders(move, targets, ram)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("FFFF", ["'FFFF'"]), ("FX", ["'FX'"]), ("F -", ["'F -'"]), ("--", ["'--'"]), ("f", ["'f'"]), ("| main", ["'main'"]),
        ("| main>", ["'main>'"]),
        ("| bow>B1", ["'bow>B1'"]), ("| main:B1", ["'main:B1'"]), ("| main>B1 MAIN>B2", ["main has two targets"]),
        ("| rams", ["'rams'"]), ("Q | x y", ["'Q'", "'x'", "'y'"]),
    ],
)  # fmt: skip
def test_everything_that_cannot_be_read_is_named(text: str, words: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        notation.parse(text)
    found = str(caught.value)
    assert all(word in found for word in words)
    assert found.count("; use ") + found.count(" has two targets") == len(words)


@pytest.mark.parametrize(
    ("orders", "text"),
    [
        (Orders(), ""), (Orders(""), "-"), (Orders("FR"), "FR"), (Orders(None, {"main": ""}), "| main>-"),
        (Orders("F", {"port": "a b"}, True), "F | port>a%20b ram"),
        (Orders("", {}, True), "- | ram"),
    ],
)  # fmt: skip
def test_orders_are_written_in_one_line(orders: Orders, text: str) -> None:
    assert notation.render(orders) == text


@pytest.mark.clause("C.M6", "C.M3", "C.D4", "C.K36", "C.H2")
@pytest.mark.parametrize(
    ("over", "text", "told"),
    [
        ({}, "FL", []), ({}, "R", ["illegal-move C.M3"]), ({}, "FFF", ["illegal-move C.M3"]), ({"pace": 3}, "FFF", []),
        ({"lock_rudder": 2}, "FF", []),
        ({"lock_rudder": 2}, "FR", ["locked C.M6"]), ({"lock_bridge": 1}, "FF", []), ({"lock_bridge": 1}, "F", ["locked C.M6"]),
        ({"lock_bridge": 1}, "| main>-", []), ({"lock_bridge": 1, "last_spent": 1}, "F", []),
        ({"lock_bridge": 1, "lock_rudder": 1}, "FR", ["locked C.M6"]),
        ({"breaking_off": True}, "FF | ram", ["no-aggression C.D4"]), ({"breaking_off": True}, "FF", []),
        ({}, "FF | ram", []), ({"engines_hit": True}, "FF", ["illegal-move C.M3"]), ({"engines_hit": True}, "L", []),
        ({"no_fire": 1}, "| main>B1 port>-", ["silent C.H2"]),
        ({"breaking_off": True, "lock_bridge": 1}, "R | ram main>X", ["no-aggression C.D4", "locked C.M6", "no-target C.G7"]),
        ({}, "-", []),
        ({"turret_fore": False, "turret_aft": False}, "| main>B1", ["out-of-arc C.G4"]),
    ],
)  # fmt: skip
def test_each_error_in_an_order_is_reported_with_its_clause(
    over: dict[str, Any], text: str, told: list[str]
) -> None:
    made = battle(ship("A1", (5, 5), **over), ship("B1", (9, 5)))
    found = [
        f"{fault.code.partition('/')[2]} {fault.clause}"
        for fault in RULES.faults(made, "A", ShipOrder("A1", text))
    ]
    assert found == told


@pytest.mark.clause("C.K36", "C.S2")
def test_a_surprised_side_learns_before_the_first_turn_that_it_will_not_fire() -> None:
    for turn, surprised, codes in ((0, ("A",), ["order/surprised"]), (0, ("B",), []), (1, ("A",), [])):
        made = battle(ship("A1", (5, 5)), ship("B1", (9, 5)), turn=turn, surprised=surprised)
        assert [fault.code for fault in RULES.faults(made, "A", ShipOrder("A1", "| main>B1"))] == codes


@pytest.mark.clause("C.G4", "C.G7", "C.G9", "C.H2", "C.K36", "C.T1")
@pytest.mark.parametrize(
    ("over", "text", "words"),
    [
        ({"turn": 1, "no_fire": 1}, "| main>B1", "its bridge is hit"), ({"prize": True}, "| main>B1", "a prize does not fire"),
        ({}, "| main>B1", "its side is surprised"),
        ({"turn": 1}, "| main>B9", "not an enemy on the board"), ({"turn": 1}, "| port>B1", "nothing that bears"),
        ({"turn": 1, "torpedoes": 0}, "| torpedo>B1", "no torpedo is left"),
        ({"turn": 1}, "| main>B2", "something is in the way"),
    ],
)  # fmt: skip
def test_a_refused_shot_is_reported_in_its_own_words(over: dict[str, Any], text: str, words: str) -> None:
    own = {name: value for name, value in over.items() if name != "turn"}
    made = battle(
        ship("A1", (5, 5), **own),
        ship("B1", (8, 5)),
        ship("B2", (10, 5)),
        turn=over.get("turn", 0),
        surprised=("A",),
    )
    assert words in RULES.faults(made, "A", ShipOrder("A1", text))[0].text


@pytest.mark.clause("C.G4", "C.G7", "C.G9", "C.H2", "C.K36", "C.T1")
def test_each_refusal_has_its_clause_and_its_words() -> None:
    clauses = {
        "silent": "C.H2", "prize": "C.K36", "surprised": "C.K36", "no-target": "C.G7", "out-of-arc": "C.G4",
        "no-torpedo": "C.T1", "no-sight": "C.G9",
    }  # fmt: skip
    assert len(firing.REFUSALS) == len(clauses)
    for name, clause in clauses.items():
        found, text = firing.REFUSALS[f"order/{name}"]
        assert found == clause and " " in text


@pytest.mark.clause("C.P7", "C.S3", "C.S4", "C.S5")
def test_each_throw_says_which_weapon_is_fired_at_whom() -> None:
    made = battle(ship("A1", (5, 5)), ship("B1", (8, 5)), ship("B2", (2, 5)))
    table = play(made, *(1,) * 11, orders={"A1": "| main>B1 stbd>B1 port>B2 torpedo>B1"})
    firing.declare(made, table, ("main", "port", "stbd", "torpedo"))
    for step in (gunnery.main, gunnery.secondary, gunnery.torpedoes):
        step(made, table)
    reasons = [throw.reason for throw in table.dice.throws]  # type: ignore[attr-defined]
    assert reasons == ["main guns at B1", "secondary guns at B2", "secondary guns at B1", "torpedo at B1"]
