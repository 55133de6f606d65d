"""The sequence of play: what is played, in which order, by which clauses."""

from __future__ import annotations

from types import FunctionType

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import Log
from battles.engine.rulesets.thomas import closing, turn
from battles.engine.rulesets.thomas.play import Play
from tests.engine.thomas.builders import battle, revenge, ship

PUBLISHED = """
P0 nightfall: T.S13 T.C4 T.C5
P0a arrivals: T.S20
P1 change: T.B1 T.B8
P2a put_out: T.N3 T.N3a T.N2c
P2b irons: T.B7b
P2c under_way: T.B6e T.S22
P2d pass_lines: T.O3e T.O3g
P2e rigs: T.O1b T.O4e T.O4g
P2f change_minds: T.O6n
P3 throw: T.B3
P4 drift_all: T.B6 T.B12m
P5a first_fights: T.B12l T.B12d T.B12k
P5b first_moves: T.B4 T.B2 T.B7
P5c first_boards: T.B12a T.B12b T.B12
P5d first_secures: T.O6d T.O6f
P6a second_fights: T.B12l
P6b second_moves: T.B4 T.B2 T.B7
P6c second_boards: T.B12a T.B12b T.B12
P6d second_secures: T.O6d T.O6f
P6e drift_idle_locks: T.B12m
P7 first_fires: T.B9 T.B10 T.N1 T.N4
P8 second_suffers: T.B9b T.B11 T.N2
P9 second_fires: T.B9 T.B10 T.N1 T.N4
P10 first_suffers: T.B9b T.B11 T.N2
P11a fall: T.B5
P11b strain: T.O7 T.O7a
P11c jury: T.O2
P11d worn_crews: T.O5g
P11e strikes: T.O6 T.O6m
P11f boarded_prizes: T.O6c
P11g claim: T.O5h
P12 tick: T.C3 T.S16 T.C4 T.C5
P13 after_battle: T.C36 T.C12 T.C17 T.C19 T.C20 T.C21
"""


@pytest.mark.clause("T.B3a", "T.C36")
def test_the_sequence_is_the_published_one_step_by_step_with_its_clauses() -> None:
    log = Log()
    made = battle(ship("E1"), revenge("S1", y=90_000), move=0, start=1_250)
    turn.play_move(made, Play(dice=KeyedDice(b"seed", log=log), log=log))
    assert (made.ended, made.move) == ("nightfall", 1)
    assert log.step == closing.STEP.id
    rows = (*turn.SEQUENCE.rows, turn.SEQUENCE.closing)
    lines = [f"{step.id} {_name(played)}: {' '.join(step.clauses)}" for step, played in rows]
    assert lines == PUBLISHED.split("\n")[1:-1]
    assert tuple(step for step, _ in rows) == turn.STEPS


def _name(played: object) -> str:
    assert isinstance(played, FunctionType)
    return played.__name__


@pytest.mark.clause("T.S14")
def test_a_turn_begins_with_nothing_left_of_the_one_before() -> None:
    flags = (
        "moved", "drifted", "run_into", "drifts_now", "stopped_short", "grapple_tried", "under_sail", "fired_now", "silent",
        "fired_on_close",
    )  # fmt: skip
    one = ship("E1", thresholds_due=2, **dict.fromkeys(flags, True))
    made = battle(one, moving="ENG", move=3)
    turn.begin_move(made)
    assert [name for name in flags if getattr(one, name)] == []
    assert (one.thresholds_due, made.move, made.moving) == (0, 4, "")
