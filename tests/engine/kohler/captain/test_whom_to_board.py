"""Whom captains board: never, only crippled ships, or whenever it pays."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.kohler.captain.squadron import SquadronCaptain
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, ship
from tests.engine.kohler.captain.asking import asked, enemy


@pytest.mark.clause("K.AI8", "G.MV5")
@pytest.mark.parametrize(
    ("n_steps", "hurt", "crippled"),
    [
        (4, {"steps_lost": 1}, False), (4, {"steps_lost": 2}, True),
        (3, {"steps_lost": 1}, False), (3, {"steps_lost": 2}, True),
        (2, {"steps_lost": 0}, False), (2, {"steps_lost": 1}, True),
        (4, {"aground": True}, True),
    ],
)  # fmt: skip
def test_a_ship_ordered_to_board_only_crippled_ships_waits_until_an_enemy_has_lost_half_its_steps(
    n_steps: int, hurt: dict[str, Any], crippled: bool
) -> None:
    thresholds = tuple(12 * n // n_steps for n in range(1, n_steps + 1))
    one = enemy(
        pos=(2, 0), facing=2, n_steps=n_steps, hull_max=12, thresholds=thresholds, fire_track=(4,) * n_steps
    )
    sea = battle(ship(facing=2, hull_max=45, thresholds=(12, 23, 34, 45)), one)
    for name, value in hurt.items():
        setattr(one, name, value)
    one.hits_struct = thresholds[one.steps_lost - 1] if one.steps_lost else 0
    for word, boards in (("crippled", crippled), ("pays", True), ("never", False)):
        sea.squadrons["ENG-1"].doctrine = Doctrine(board=word)
        man, view = SquadronCaptain(Doctrine()), View(sea, "ENG")
        man.begin_turn(view)
        assert man.boards(view, "E1", "D1") is boards, word
        tokens, _ = asked(sea)
        assert boards or not any(token.startswith("G:") for token in tokens)
