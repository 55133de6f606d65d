"""What a captain advises when an enemy lies in the ship's own hex. Guidance: K.AI7."""

from __future__ import annotations

import pytest

from battles.engine.core.parties import PLAIN_DOCTRINE
from battles.engine.rulesets.kohler import gunnery
from battles.engine.rulesets.kohler.captain.squadron import SquadronCaptain
from battles.engine.rulesets.kohler.captain.targets import best_targets
from battles.engine.rulesets.kohler.state import LockKind
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, events, play, ship
from tests.engine.kohler.guns import enemy


@pytest.mark.clause("K.AI7", "K.F7")
def test_guns_that_bear_on_a_ship_alongside_are_not_aimed_at_one_farther_off() -> None:
    mine = ship(facing=0)
    fight = battle(
        mine, enemy(placement={"E1": "port"}), enemy(id="D2", pos=(-2, 0), hits_struct=20, steps_lost=3)
    )
    view = View(fight, "ENG")
    assert best_targets(view, mine) == {}
    played = play(3, captains={"ENG": SquadronCaptain(PLAIN_DOCTRINE)}, views={"ENG": view})
    with played.dice:  # type: ignore[attr-defined]
        gunnery.fire_phase(fight, played)
    assert [(event.data["target"], event.data["range"]) for event in events(played, "fire")] == [("D1", 0)]


@pytest.mark.clause("K.AI7", "K.F17")
def test_a_grappled_ship_still_advises_for_her_free_side() -> None:
    mine = ship(facing=0)
    fight = battle(mine, enemy(), enemy(id="D2", pos=(-2, 0)))
    fight.hold(LockKind.GRAPPLE, mine, fight.ships["D1"])
    assert best_targets(View(fight, "ENG"), mine) == {"port": "D2"}
