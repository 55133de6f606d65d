"""What the commander does about prizes and escaped enemies: it takes what falls without a fight."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.core.hexes import Hex, distance, step
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.kohler.arcs import bearing_to
from battles.engine.rulesets.kohler.captain.commander import CommanderCaptain
from battles.engine.rulesets.kohler.captain.goals import Goal
from battles.engine.rulesets.kohler.captain.prey import open_prize, worth_it
from battles.engine.rulesets.kohler.captain.scene import foes_near, guns_from
from battles.engine.rulesets.kohler.captain.strategy import make_strategy
from battles.engine.rulesets.kohler.captain.weighing import Weighing
from battles.engine.rulesets.kohler.captain.weights import COMMANDER, SQUADRON, Weights
from battles.engine.rulesets.kohler.passage import foresee
from battles.engine.rulesets.kohler.state import Battle, Helm, Ship, WindForce
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, ship
from tests.engine.kohler.captain.asking import asked, enemy


def lost(**over: Any) -> Ship:
    """One of ours, far larger than the Antelope, in the enemy's hands."""
    return ship(**{"id": "E9", "pos": (1, 0), "band": 90, "prize_of": "DUT", "is_flagship": False, **over})


def by_the_stern(firer: Hex, target: Hex, facing: int) -> bool:
    """Whether the firer lies right astern of the target. Rule: K.F9."""
    return step(target, (facing + 3) % 6) == firer


def tokens_of(sea: Battle, weights: Weights) -> tuple[str, ...]:
    """What a commander of these weights would have E1 do."""
    man, view = CommanderCaptain(Doctrine()), View(sea, "ENG")
    man.weights = weights  # type: ignore[misc]
    man.begin_turn(view)
    return man.tokens(view, "E1")


@pytest.mark.clause("K.AI8", "K.AI12", "K.B25")
def test_our_ship_in_enemy_hands_is_retaken_however_small_the_retaker() -> None:
    sea = battle(ship(facing=2), lost(), enemy(pos=(20, 0)))
    tokens, _ = asked(sea, captain="commander")
    assert tokens == ("A", "G:E9")
    assert "G:E9" not in tokens_of(sea, replace(COMMANDER, retake=0))


@pytest.mark.clause("K.AI8", "K.B24", "K.B25")
def test_a_ship_retaken_by_the_enemy_is_taken_again_unless_someone_lies_by_her() -> None:
    sea = battle(ship(facing=2), enemy("D2", pos=(1, 0), prize_of="DUT"), enemy(pos=(20, 0)))
    view, mine = View(sea, "ENG"), sea.ships["E1"]
    tokens, _ = asked(sea, captain="commander")
    assert tokens == ("A", "G:D2")
    assert worth_it(view, mine, "D2", COMMANDER)
    assert not worth_it(view, mine, "D2", SQUADRON)
    sea.move(sea.ships["D1"], (1, 0))
    assert not open_prize(view, mine, view.enemy("D2"))
    assert not worth_it(view, mine, "D2", COMMANDER)


@pytest.mark.clause("K.B25")
def test_a_third_partys_ship_in_enemy_hands_is_not_ours_to_take_back() -> None:
    sea = battle(ship(facing=2), enemy(pos=(20, 0)), ship(id="S1", side="SWE", pos=(1, 0), prize_of="DUT"))
    view = View(sea, "ENG")
    assert not open_prize(view, sea.ships["E1"], view.enemy("S1"))
    assert not open_prize(view, sea.ships["E1"], view.enemy("D1"))


@pytest.mark.clause("K.AI12", "K.B25")
def test_the_commander_steers_for_a_prize_that_is_free_to_take() -> None:
    sea = battle(ship(facing=2), lost(pos=(0, 5)), enemy(pos=(6, -1), acted=True, steps_lost=2))
    apart = []
    for recover in (0, COMMANDER.recover):
        tokens = tokens_of(sea, replace(COMMANDER, recover=recover))
        apart.append(distance(foresee(sea, sea.ships["E1"], tokens)[0].pos, (0, 5)))
    assert apart[1] < apart[0]


@pytest.mark.clause("K.AI8", "K.B1", "K.B27")
def test_an_enemy_still_in_her_hex_is_grappled_again_without_moving() -> None:
    sea = battle(ship(facing=2), enemy(pos=(0, 0), steps_lost=2, hits_struct=11))
    assert asked(sea, captain="commander")[0] == ("G:D1",)
    sea.ships["E1"].helm = Helm.NO_TURN
    assert asked(sea, captain="commander")[0] != ("G:D1",)
    sea.ships["E1"].helm = Helm.SOUND
    sea.strength = WindForce.STILL
    assert asked(sea, captain="commander")[0] != ("G:D1",)


@pytest.mark.clause("K.AI11", "K.G12")
def test_crippled_ships_are_guarded_only_when_night_is_near() -> None:
    cripple = ship(id="E2", pos=(0, 4), steps_lost=3, hits_struct=17, is_flagship=False)
    sea = battle(ship(facing=2), cripple, enemy(pos=(5, 0)))
    found = []
    for turn in (1, sea.last_turn - COMMANDER.dusk):
        sea.turn = turn
        view = View(sea, "ENG")
        plan, mine = make_strategy(view, COMMANDER)["ENG-1"], sea.ships["E1"]
        weigh = Weighing(view, mine, foes_near(view, mine, 7), Goal(None), plan, COMMANDER, away=False)
        found.append(weigh.cripple)
    assert found == [None, (0, 4)]


@pytest.mark.clause("K.AI3", "K.F3", "K.F9")
def test_guns_counted_by_position_and_heading_match_those_counted_arc_by_arc() -> None:
    """Every enemy asked by the rules' own arcs: the best of each side counts, all that bears on her comes back."""
    draw = random.Random(4)
    raked = 0
    for _ in range(60):
        here = (draw.randint(-2, 2), draw.randint(-2, 2))
        others = [
            enemy(
                f"D{n}", pos=(draw.randint(-4, 4), draw.randint(-4, 4)), facing=draw.randrange(6), acted=True
            )
            for n in range(1, 7)
        ]
        mine = ship(pos=here, facing=draw.randrange(6))
        foes = foes_near(View(battle(mine, *others), "ENG"), mine, 9)
        best, back = {"port": 0, "starboard": 0}, 0
        for foe in foes:
            rng = distance(here, foe.ship.pos)
            if (bears := bearing_to(mine.pos, mine.facing, foe.ship.pos)) is not None:
                raking = by_the_stern(here, foe.ship.pos, foe.facing)
                best[bears.side] = max(best[bears.side], foe.worth * foe.mine[5 if raking else rng])
            if bearing_to(foe.ship.pos, foe.facing, here) is not None:
                raking = by_the_stern(foe.ship.pos, here, mine.facing)
                raked += raking
                back += 2 * foe.hers[5 if raking else rng]
        given, taken, nearest = guns_from(foes, *here, mine.facing)
        assert (given, taken) == (sum(best.values()), back)
        assert nearest == min(distance(here, foe.ship.pos) for foe in foes)
    assert raked
