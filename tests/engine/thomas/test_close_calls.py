"""The last man of a prize, whose ship secures one when the captor has sailed on, and the keys of dice thrown again at the start."""

from __future__ import annotations

import pytest

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.log import Log
from battles.engine.rulesets.thomas.damage import Losses
from battles.engine.rulesets.thomas.securing import captor_alongside
from battles.engine.rulesets.thomas.tables import START_HOURS
from battles.engine.rulesets.thomas.wind import throw_hour, throw_opening
from tests.engine.thomas.builders import battle, ship


@pytest.mark.clause("T.O5d", "T.O6q")
@pytest.mark.parametrize(
    ("guard", "captives", "men", "left"),
    [
        (2, 2, 1, (0, 2)),
        (2, 2, 2, (0, 0)),
        (1, 1, 2, (0, 0)),
        (0, 2, 2, (0, 0)),
        (4, 2, 2, (0, 2)),
        (2, 4, 2, (0, 2)),
    ],
)
def test_men_of_a_prize_and_its_captives_die_in_turn_to_the_last(
    guard: int, captives: int, men: int, left: tuple[int, int]
) -> None:
    prize = ship(
        "S1", side="SPA", prize_of="ENG", secured=True, crew_max=0, crew_halves=0, guard_halves=guard, captive_halves=captives
    )  # fmt: skip
    losses = Losses(battle(prize, ship("E1")), prize)
    for _ in range(men):
        losses.man()
    assert (prize.guard_halves, prize.captive_halves) == left


@pytest.mark.clause("T.O6c")
@pytest.mark.parametrize(
    ("captor", "fast", "found"),
    [
        ("E2", ("E1", "E2", "E3"), "E2"),
        ("E9", ("E1", "E2", "E3"), "E1"),
        ("E9", ("E3",), "E3"),
        ("E9", ("S2",), None),
        ("E9", (), None),
        ("S2", ("S2", "E1"), "E1"),
    ],
)
def test_the_captor_or_else_the_first_ship_of_its_side_alongside_secures_a_prize(
    captor: str, fast: tuple[str, ...], found: str | None
) -> None:
    prize = ship("S1", side="SPA", struck=True, captor_side="ENG", captor_ship=captor)
    others = {code: ship(code, y=250, side="SPA" if code[0] == "S" else "ENG") for code in fast}
    sea = battle(prize, *others.values(), ship("E9", x=9_000))
    for other in others.values():
        sea.fasten(other, prize)
    one = captor_alongside(sea, prize)
    assert (one and one.id) == found


@pytest.mark.clause("T.S10", "T.S11", "T.C1")
def test_dice_thrown_again_before_the_battle_are_counted_from_0() -> None:
    log = Log()
    assert throw_hour(ScriptedDice((6, 6, 3), log=log), campaign=False) == START_HOURS[2]
    throw_opening(ScriptedDice((5, 5, 2), log=log), variable=True)
    keys = [str(event.data["key"]) for event in log.events if event.kind == "die"]
    assert keys == [f"/{clause}/0/{n}" for clause in ("T.S10", "T.S11") for n in range(3)]
