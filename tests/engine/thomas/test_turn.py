"""The sequence of one turn. Section 9."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import DIE, Log
from battles.engine.rulesets.thomas import turn
from battles.engine.rulesets.thomas.events import KINDS
from battles.engine.rulesets.thomas.play import Play
from tests.engine.thomas.builders import battle, revenge, ship

RULES = Path(turn.__file__).with_name("rules.md").read_text()


def test_steps_run_in_the_published_order_and_name_clauses_in_the_rule_book() -> None:
    ids = [step.id for step in turn.STEPS]
    numbers = [int(re.findall(r"\d+", one)[0]) for one in ids]
    assert numbers == sorted(numbers)
    assert len(set(ids)) == len(ids)
    for step in turn.STEPS:
        for clause in step.clauses:
            assert f"**{clause} " in RULES, clause


@pytest.mark.clause("T.S14", "T.B3a", "T.B3c")
def test_a_turn_is_played_through_and_logs_only_known_kinds() -> None:
    log = Log()
    made = battle(
        ship("E1"),
        ship("E2", x=3_000),
        revenge("S1", y=9_000, heading=18_000),
        move=0,
        wind_from=27_000,
        start=360,
    )
    played = Play(dice=KeyedDice(b"seed", log=log), log=log)
    for move in range(1, 9):
        turn.play_move(made, played)
        assert made.move == move
    assert {event.kind for event in log.events} - {DIE} <= KINDS.keys()
    assert {event.step for event in log.events} <= {step.id for step in turn.STEPS}
    assert made.minute == 360 + 7 * 90
    made.ended = "nightfall"
    with pytest.raises(ValueError, match="over"):
        turn.play_move(made, played)


@pytest.mark.clause("T.S14")
def test_a_battle_that_is_over_has_no_further_move() -> None:
    made = battle(ship("E1"), revenge("S1", y=9_000), move=3, ended="beaten")
    with pytest.raises(ValueError, match="the battle is over"):
        turn.begin_move(made)
    assert made.move == 3
