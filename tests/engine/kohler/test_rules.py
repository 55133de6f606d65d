"""The rule-set object: whole battles, turns on a copy, orders read or refused, errors in a scenario."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from battles.engine.core.dice import FastDice, KeyedDice
from battles.engine.core.errors import ScenarioFaults
from battles.engine.core.log import Log
from battles.engine.core.ruleset import Captain, ShipOrder
from battles.engine.core.scenario import read_scenario
from battles.engine.registry import rule_set
from battles.engine.rulesets.kohler.events import KINDS
from battles.engine.rulesets.kohler.rules import RULES
from battles.engine.rulesets.kohler.state import Battle, Status
from tests.engine.kohler.scenarios import document, scenario


def played(seed: bytes, **over: Any) -> tuple[Battle, Log]:
    """A whole battle under its captains."""
    log = Log()
    return RULES.play(scenario(options={}, **over), KeyedDice(seed, prefix="T", log=log), log), log


def captains(state: Battle) -> Mapping[str, Captain]:
    """The captains that the sides name."""
    return {code: RULES.captains[side.captain](side.doctrine) for code, side in state.sides.items()}


def advanced(state: Battle, orders: Mapping[str, str] | None = None) -> tuple[Battle, Log]:
    """One turn, under the plain captains for all ships without these orders."""
    log = Log()
    rows = {code: ShipOrder(code, text) for code, text in (orders or {}).items()}
    dice = KeyedDice(b"turn", prefix="T", log=log)
    return RULES.advance(state, rows, captains(state), dice, log), log


def refused(log: Log) -> list[tuple[str, str]]:
    """(ship, code) of the orders refused as a whole."""
    return [(e.ship, e.data["code"]) for e in log.events if e.kind == "refused" and e.step == "orders"]


def test_the_registry_knows_the_rule_set_by_name():
    assert rule_set("kohler") is RULES
    assert RULES.steps[0].id == "1a" and RULES.turn_limit == 30 and RULES.minutes_a_turn({}) == 30


@pytest.mark.clause("G.FA1", "K.0.4")
def test_the_same_secret_gives_the_same_battle_die_by_die():
    (first, log), (second, other) = played(b"seed"), played(b"seed")
    assert log.events == other.events and RULES.to_dict(first) == RULES.to_dict(second)
    assert played(b"another")[1].events != log.events


@pytest.mark.clause("K.G6", "K.G9", "G.BT3")
@pytest.mark.parametrize("seed", [b"1", b"2", b"3", b"4"])
def test_every_battle_ends_with_a_fate_for_every_ship_and_only_known_events(seed: bytes):
    state, log = played(seed)
    outcome = RULES.outcome(state)
    assert [one.ship for one in outcome.ships] == list(state.ships)
    assert outcome.ended in {"gale", "beaten", "parted", "nightfall"} and outcome.turns <= 30
    assert {event.kind for event in log.events} <= {*KINDS, "die"}
    steps = {step.id for step in RULES.steps}
    assert {event.step for event in log.events} <= steps | {"setup"}


@pytest.mark.clause("K.T1")
def test_a_battle_saved_and_read_back_every_turn_ends_like_one_played_in_one_piece():
    whole = RULES.play(scenario(options={}), KeyedDice(b"seed", prefix="T"))
    dice = KeyedDice(b"seed", prefix="T")
    state = RULES.begin(scenario(options={}), dice)
    men = captains(state)
    while not RULES.over(state):
        before = json.dumps(RULES.to_dict(state))
        following = RULES.advance(state, {}, men, dice)
        assert json.dumps(RULES.to_dict(state)) == before
        state = RULES.from_dict(json.loads(json.dumps(RULES.to_dict(following))))
    assert RULES.to_dict(state) == RULES.to_dict(whole)


@pytest.mark.clause("K.M31")
def test_an_order_replaces_the_captain_for_that_ship_alone():
    state = RULES.begin(scenario(), FastDice(1))
    after, log = advanced(state, {"E1": "A"})
    assert refused(log) == []
    assert after.ships["E1"].pos == state.ahead(state.ships["E1"])
    assert any(after.ships[code].moved_hexes for code in ("E2", "D1", "D2"))


@pytest.mark.clause("K.M31")
def test_unreadable_orders_and_those_for_no_ship_are_logged_and_change_nothing():
    state = RULES.begin(scenario(), FastDice(1))
    plain, _ = advanced(state)
    after, log = advanced(state, {"E1": "full astern!", "Z9": "A"})
    assert refused(log) == [("E1", "order/unreadable"), ("Z9", "order/unknown-ship")]
    assert RULES.to_dict(after) == RULES.to_dict(plain)


@pytest.mark.clause("K.M31", "K.D12")
def test_a_lost_ship_takes_no_orders():
    state = RULES.begin(scenario(), FastDice(1))
    state.ships["E1"].status = Status.SINKING
    assert refused(advanced(state, {"E1": "A"})[1]) == [("E1", "order/lost-ship")]


def test_errors_in_an_order_give_code_clause_and_a_sentence():
    state = RULES.begin(scenario(), FastDice(1))
    assert RULES.faults(state, "ENG", ShipOrder("E1", "A")) == ()
    (unreadable,) = RULES.faults(state, "ENG", ShipOrder("E1", "full astern!"))
    assert unreadable.code == "order/unreadable" and unreadable.clause == "K.M31" and unreadable.text
    assert RULES.faults(state, "DUT", ShipOrder("E1", "A"))
    state.ended = "parted"
    assert [fault.code for fault in RULES.faults(state, "ENG", ShipOrder("E1", "A"))] == ["order/battle-over"]


def test_an_outcome_or_a_further_turn_is_refused_at_the_wrong_time():
    state = RULES.begin(scenario(), FastDice(1))
    with pytest.raises(ValueError, match="not over"):
        RULES.outcome(state)
    state.ended = "parted"
    with pytest.raises(ValueError, match="over"):
        advanced(state)


def test_a_scenario_with_errors_is_refused_with_all_of_them():
    doc = document(rule_set="thomas", options={"fog": 1})
    doc["sides"][0]["captain"] = "nelson"
    with pytest.raises(ScenarioFaults) as refusal:
        RULES.begin(read_scenario(doc), FastDice(1))
    assert [fault.path for fault in refusal.value.faults] == ["options.fog", "rule_set", "sides[0].captain"]
    assert "plain" in str(refusal.value) and "known are" in str(refusal.value)


@pytest.mark.clause("K.G9")
@pytest.mark.parametrize(
    ("over", "last"),
    [({}, 30), ({"options": {"last_turn": 7}}, 7), ({"turn_limit": 4, "options": {"last_turn": 7}}, 4)],
)
def test_the_last_turn_comes_from_the_chart_or_the_switch_or_is_the_thirtieth(
    over: dict[str, Any], last: int
):
    assert RULES.begin(scenario(**over), FastDice(1)).last_turn == last


@pytest.mark.clause("K.G25")
def test_the_rule_set_converts_wind_in_and_out():
    state = RULES.begin(scenario(wind={"towards": 225, "strength": "strong"}), FastDice(1))
    towards, strength = RULES.weather_out(state)
    assert (towards, strength.value) == (225, "strong")
    assert RULES.weather_in(towards, strength) == {"wind": state.wind, "north": state.north, "strength": 3}
