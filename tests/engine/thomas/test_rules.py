"""The rule-set object: whole battles, moves on a copy, orders read or refused, errors in a scenario."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from battles.engine.cli import main
from battles.engine.core.dice import KeyedDice
from battles.engine.core.errors import ScenarioFaults
from battles.engine.core.fates import Fate
from battles.engine.core.log import DIE, Log
from battles.engine.core.ruleset import Captain, ShipOrder
from battles.engine.core.scenario import Strength, read_scenario
from battles.engine.registry import rule_set
from battles.engine.rulesets.thomas.events import KINDS
from battles.engine.rulesets.thomas.options import OPTIONS
from battles.engine.rulesets.thomas.rules import RULES
from battles.engine.rulesets.thomas.state import Battle, Status
from battles.engine.rulesets.thomas.turn import STEPS
from tests.engine.thomas.test_setup import document, entry, scenario


def fleets(count: int = 4, **over: Any) -> dict[str, Any]:
    """A document of so many galleons a side, a gunshot apart, under plain captains, from six in the morning."""
    ships = {
        "ENG": [entry(f"E{n}") for n in range(1, count + 1)],
        "SPA": [entry(f"S{n}", facts={"nation": "Spain"}) for n in range(1, count + 1)],
    }
    made = document(ships=ships, start="1588-07-29T06:00", gap=9_000, **over)
    for side in made["sides"]:
        side["captain"] = "plain"
    return made


def played(seed: bytes, **over: Any) -> tuple[Battle, Log]:
    log = Log()
    state = RULES.play(read_scenario(fleets(**over)), KeyedDice(seed, prefix="t", log=log), log)
    return state, log


def captains(state: Battle) -> Mapping[str, Captain]:
    return {code: RULES.captains[side.captain](side.doctrine) for code, side in state.sides.items()}


def advanced(state: Battle, orders: Mapping[str, str]) -> tuple[Battle, Log]:
    """One move, under the plain captains for all ships without these orders."""
    log = Log()
    rows = {code: ShipOrder(code, text) for code, text in orders.items()}
    return RULES.advance(state, rows, captains(state), KeyedDice(b"m", prefix="t", log=log), log), log


def begun(**over: Any) -> Battle:
    return RULES.begin(read_scenario(fleets(**over)), KeyedDice(b"b", prefix="t"))


def test_the_registry_knows_the_rule_set_by_name() -> None:
    assert rule_set("thomas") is RULES
    assert (RULES.turn_limit, RULES.steps) == (60, STEPS)


@pytest.mark.clause("T.S14", "T.C3", "G.CO6")
@pytest.mark.parametrize(
    ("options", "minutes"), [({}, 90), ({"hours_per_move": 0.5}, 30), ({"hours_per_move": 2}, 120)]
)
def test_a_turn_is_as_long_as_its_option_says(options: dict[str, float], minutes: int) -> None:
    assert RULES.minutes_a_turn(options) == minutes


@pytest.mark.clause("T.C23", "T.C4", "G.BT3")
@pytest.mark.parametrize("seed", [b"1", b"2", b"3", b"4"])
@pytest.mark.parametrize("year", ["1588", "1805"])
def test_every_battle_ends_by_nightfall_with_a_fate_for_every_ship_and_only_known_events(
    seed: bytes, year: str
) -> None:
    state, log = played(seed, options={"period": "nelson" if year == "1805" else "armada"})
    outcome = RULES.outcome(state)
    assert sorted(one.ship for one in outcome.ships) == sorted(state.ships)
    assert outcome.ended in {"beaten", "parted", "nightfall"}
    assert outcome.turns <= 10
    assert {event.kind for event in log.events} <= {*KINDS, DIE}
    assert {event.step for event in log.events} <= {"setup", *(step.id for step in RULES.steps)}
    assert [event.kind for event in log.events].count("ended") == 1
    assert log.events[-1].kind == "ended"


@pytest.mark.clause("T.S14", "T.C35", "T.C3")
def test_hours_follow_the_length_of_a_turn() -> None:
    outcome = RULES.outcome(played(b"1", turn_limit=3, options={"hours_per_move": 0.5})[0])
    assert (outcome.turns, outcome.minutes, outcome.ended) == (3, 90, "limit")


@pytest.mark.clause("T.S19", "T.B4b")
def test_orders_are_carried_out_and_any_excess_is_cut() -> None:
    state = begun()
    one = state.ships["E1"]
    after, log = advanced(state, {"E1": "S90 2 | port>S1", "S1": "-"})
    (moved,) = [event for event in log.events if event.kind == "moved" and event.ship == "E1"]
    start, end = moved.data["path"][0], moved.data["path"][-1]
    assert start == [one.x, one.y, one.heading]
    assert end[2] == (one.heading + one.turn) % 36_000
    cut = [event for event in log.events if event.kind == "refused"]
    assert {(event.ship, event.clause, event.data["code"]) for event in cut} >= {("E1", "T.B4b", "turn1")}
    assert after.move == 1
    assert state.move == 0


@pytest.mark.clause("T.S19", "T.S23")
def test_orders_that_cannot_be_started_are_logged_and_dropped() -> None:
    state = begun()
    state.ships["E2"].status = Status.SUNK
    state.grid.lift(state.ships["E2"])
    _, log = advanced(state, {"E1": "full ahead", "E2": "5", "X": "5"})
    refused = {event.ship: event.data["code"] for event in log.events if event.step == "orders"}
    assert refused == {"E1": "order/unreadable", "E2": "order/lost-ship", "X": "order/unknown-ship"}
    assert RULES.faults(state, "ENG", ShipOrder("E1", "S45 3 | port>S1")) == ()
    assert [one.code for one in RULES.faults(state, "SPA", ShipOrder("E1", "3"))] == ["order/not-your-ship"]
    assert [one.code for one in RULES.faults(state, "ENG", ShipOrder("E1", "?"))] == ["order/unreadable"]
    state.ended = "nightfall"
    assert [one.code for one in RULES.faults(state, "ENG", ShipOrder("E1", "3"))] == ["order/battle-over"]


@pytest.mark.clause("T.C34")
def test_the_wind_is_given_in_the_rule_sets_own_terms_and_a_gale_is_fought_as_strong() -> None:
    assert RULES.weather_in(45, Strength.MODERATE) == {"wind_from": 22_500, "strength": 2}
    assert RULES.weather_in(180, Strength.GALE) == {"wind_from": 0, "strength": 3}


def bad_document() -> dict[str, Any]:
    """Everything that the set cannot play, once each."""
    ships = {
        "ENG": [
            entry("E1", facts={"gun_detail": "20x17zdr"}),
            entry("E2", facts={"guns": None, "tons_burthen": None, "crew": None}),
            entry("E3", facts={"speed_knots": 0}),
            entry("E4", position=[0, 0], heading=0),
            entry("E5", position=[0, 400], heading=0),
        ],
        "SPA": [entry("S1", position=[20_000, 20_000]), entry("S2", facts={"overrides": {"speed": 0}})],
    }
    coast = [[[19_000, 19_000], [21_000, 19_000], [20_000, 22_000]]]
    options = {"fan_half_angle": 90, "opt_oars": "yes", "wind_table": "guess", "speed": 3, "coast": coast}
    return document(ships=ships, options=options)


@pytest.mark.clause("T.S30", "T.S7", "T.S20", "T.S21", "T.S25")
def test_errors_in_a_scenario_are_listed_and_no_battle_is_fought(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(bad_document()))
    assert main(["fight", str(path), "--json", str(tmp_path / "out.json")]) == 2
    shown = capsys.readouterr()
    lines = [line.strip().split(":")[0] for line in shown.err.splitlines()[1:]]
    assert lines == [
        "options.fan_half_angle", "options.opt_oars", "options.speed", "options.wind_table",
        "sides[0].squadrons[0].ships[0].facts.gun_detail", "sides[0].squadrons[0].ships[1].facts",
        "sides[0].squadrons[0].ships[2].facts.speed_knots", "sides[0].squadrons[0].ships[4].position",
        "sides[1].squadrons[0].ships[0].position", "sides[1].squadrons[0].ships[1].facts.overrides.speed",
    ]  # fmt: skip
    assert shown.out == ""
    assert not (tmp_path / "out.json").exists()


def test_every_switch_reports_its_errors_by_path() -> None:
    for name in OPTIONS:
        made = scenario(options={name: {"no": "such"}})
        assert f"options.{name}" in [fault.path for fault in RULES.scenario_faults(made)]
        with pytest.raises(ScenarioFaults):
            RULES.begin(made, KeyedDice(b""))


@pytest.mark.clause("T.O6g", "T.C30")
def test_a_captured_ship_is_returned_with_her_captor_and_men() -> None:
    found = 0
    for seed in range(6):
        state, _ = played(bytes([seed]), options={"period": "nelson"})
        for one in RULES.outcome(state).ships:
            if one.fate is Fate.CAPTURED:
                found += 1
                assert one.captor == ("SPA" if one.side == "ENG" else "ENG")
                assert one.condition["guard_halves"] >= 0
                assert one.condition["crew_halves"] == 0
    assert found
