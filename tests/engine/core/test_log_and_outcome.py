"""A stored battle is read back unchanged: events, outcome, errors."""

from __future__ import annotations

import json

import pytest

from battles.engine.core.errors import Fault, ScenarioFaults, SchemaError
from battles.engine.core.fates import Fate, Flag
from battles.engine.core.log import Event, Log
from battles.engine.core.outcome import OfficerFate, Outcome, ShipOutcome

OUTCOME = Outcome(
    rule_set="kohler",
    turns=12,
    minutes=360,
    ended="nightfall",
    ships=(
        ShipOutcome("E1", "ENG", Fate.AFLOAT, {"schema": 1, "hits_struct": 4}, frozenset({Flag.WITHDREW, Flag.DISABLED}),
                    hits_given=7, hits_taken=4, position=(3, -2)),
        ShipOutcome("D1", "DUT", Fate.CAPTURED, {"schema": 1}, captor="ENG", captor_ship="E1", prize_crew=30,
                    prisoners=180, position=(3, -3)),
        ShipOutcome("D2", "DUT", Fate.BLOWN_UP, {"schema": 1}, cause="fire"),
    ),
    officers=(OfficerFate("Evertsen", "D2", "killed", "K.G11"),),
    held_field="ENG",
    wind={"towards": 225, "strength": "moderate"},
)  # fmt: skip


@pytest.mark.clause("G.BT2")
def test_a_saved_battle_result_is_read_back_unchanged() -> None:
    assert Outcome.from_dict(json.loads(json.dumps(OUTCOME.to_dict()))) == OUTCOME


@pytest.mark.clause("G.BT2")
def test_a_battle_result_has_one_entry_per_ship() -> None:
    assert OUTCOME.ship("D1").captor_ship == "E1"
    assert [row["ship"] for row in OUTCOME.to_dict()["ships"]] == ["E1", "D1", "D2"]
    with pytest.raises(KeyError):
        OUTCOME.ship("X9")


@pytest.mark.parametrize("schema", [0, 2, None, "1"])
def test_an_outcome_with_another_schema_is_refused_by_number(schema: object) -> None:
    with pytest.raises(SchemaError, match="this version reads 1"):
        Outcome.from_dict({**OUTCOME.to_dict(), "schema": schema})


@pytest.mark.clause("G.BT3")
def test_the_list_of_fates_and_flags_is_the_one_that_the_campaign_knows() -> None:
    assert {f.value for f in Fate} == {
        "afloat", "captured", "sunk", "blown up", "burnt", "foundered", "wrecked", "scuttled", "interned", "missing",
    }  # fmt: skip
    assert {f.value for f in Flag} == {"withdrew", "aground", "disabled", "struck"}


@pytest.mark.clause("G.BT3")
def test_a_ship_taken_or_interned_is_not_lost_to_the_sea() -> None:
    kept = {Fate.AFLOAT, Fate.CAPTURED, Fate.INTERNED}
    assert all(fate.lost is (fate not in kept) for fate in Fate)


def test_an_event_is_read_back_from_json_unchanged() -> None:
    event = Event(3, "3b", "moved", "K.M31", "E1", {"path": [[0, 1, 2]], "tokens": ["A"], "drift": False})
    assert Event.from_list(json.loads(json.dumps(event.to_list()))) == event


def test_events_carry_the_turn_and_step_in_which_they_were_added() -> None:
    log = Log()
    log.add("ended", "K.G9")
    log.turn, log.step = 2, "3b"
    log.add("contact", "K.B3", "E1", kind="grapple", target="D1", ship="own data", clause="too")
    first, second = log.take()
    assert (first.turn, first.step, first.ship, first.data) == (0, "", "", {})
    assert (second.turn, second.step, second.ship) == (2, "3b", "E1")
    assert second.data == {"kind": "grapple", "target": "D1", "ship": "own data", "clause": "too"}


def test_events_taken_from_a_log_are_handed_over_once() -> None:
    log = Log()
    log.add("ended", "K.G9")
    assert len(log.take()) == 1
    assert log.take() == ()


def test_errors_say_where_and_what() -> None:
    faults = ScenarioFaults([Fault("sides[0].id", "is empty"), Fault("", "lacks sides")])
    assert str(faults) == "sides[0].id: is empty; (document): lacks sides"
    assert len(faults.faults) == 2
