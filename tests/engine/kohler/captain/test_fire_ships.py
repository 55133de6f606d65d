"""Fire ships in the hands of the squadron's captain, and ships that keep out of their way."""

from __future__ import annotations

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import Log
from battles.engine.core.scenario import Doctrine, read_scenario
from battles.engine.registry import rule_set
from battles.engine.rulesets.kohler.captain.squadron import SquadronCaptain
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, ship
from tests.engine.kohler.captain.asking import asked, enemy
from tests.support.fleets import meeting_document


def fire_ship(**over):  # type: ignore[no-untyped-def]
    small = {
        "hull_max": 4,
        "thresholds": (2, 4),
        "n_steps": 2,
        "fire_track": (1, 1),
        "band": 0,
        "guns": 12,
        "small": True,
    }
    return ship(**{"id": "F1", "is_fireship": True, "facing": 3, **small, **over})


@pytest.mark.clause("K.AI9", "K.X4")
def test_a_fire_ship_is_fired_when_she_strikes_this_turn_and_no_friend_is_in_the_way() -> None:
    target = enemy(pos=(0, 2))
    sea = battle(ship(pos=(9, 9)), fire_ship(), target)
    man, view = SquadronCaptain(Doctrine()), View(sea, "ENG")
    assert man.fire_ships(view) == ("F1",)
    sea.move(target, (0, 3))
    assert man.fire_ships(view) == (), "out of her reach on a run"
    sea.move(target, (0, 2))
    sea.move(sea.ships["E1"], (0, 1))
    assert man.fire_ships(view) == ()
    sea.move(sea.ships["E1"], (9, 9))
    target.steps_lost, target.hits_struct = 3, 18
    assert man.fire_ships(view) == (), "she is not worth it"
    target.steps_lost = target.hits_struct = 0
    sea.sides["ENG"].doctrine = Doctrine(fire_ships=False)
    assert man.fire_ships(view) == ()


@pytest.mark.clause("K.AI10", "K.X6")
@pytest.mark.parametrize("side", ["DUT", "ENG"])
def test_ships_keep_out_of_the_straight_path_of_any_fire_ship(side: str) -> None:
    burning = fire_ship(side=side, squadron=f"{side}-1", pos=(2, -2), fired=True, acted=True)
    sea = battle(ship(facing=2), ship(id="E2", pos=(-8, 8)), burning, enemy(pos=(9, 9)))
    for _ in range(3):
        _, found = asked(sea)
        assert found.pos not in {(2, -2), (2, -1), (2, 0), (2, 1)}
        sea.move(sea.ships["E1"], (sea.ships["E1"].pos[0], sea.ships["E1"].pos[1] - 1))


def test_fire_ships_are_used_in_battle() -> None:
    doc = meeting_document(6, 6)
    squadron = doc["sides"][0]["squadrons"][0]
    squadron["ships"] += [
        {"id": f"F{n}", "name": f"Fire ship {n}", "facts": {"nation": "England", "ship_type": "fireship"}}
        for n in range(4)
    ]
    fired = 0
    for seed in range(8):
        log = Log()
        rule_set("kohler").play(read_scenario(doc), KeyedDice(bytes([seed]), log=log), log)
        fired += sum(event.kind == "fired_ship" for event in log.events)
    assert fired > 0
