"""The commander's line: formed as the ships lie, kept until contact, no ship acting before the one in her way."""

from __future__ import annotations

import pytest

from battles.engine.core.dice import FastDice
from battles.engine.core.hexes import STEPS
from battles.engine.registry import rule_set
from battles.engine.rulesets.kohler.captain.commander import CommanderCaptain
from battles.engine.rulesets.kohler.captain.line import as_it_lies, clear_ahead_first, drawn_out
from battles.engine.rulesets.kohler.captain.scene import foes_near
from battles.engine.rulesets.kohler.captain.strategy import make_strategy
from battles.engine.rulesets.kohler.captain.weights import COMMANDER
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, ship
from tests.engine.kohler.captain.asking import asked, enemy
from tests.study_line import Keeping, Lines
from tests.support.fleets import meeting


def line(*cells: tuple[int, int], facing: int = 2) -> list[Ship]:
    """Ships E0, E1 and so on in these hexes, the first the flagship."""
    return [ship(id=f"E{n}", pos=cell, facing=facing, is_flagship=n == 0) for n, cell in enumerate(cells)]


def ids(ships: list[Ship]) -> list[str]:
    return [one.id for one in ships]


def order_of(sea: Battle) -> tuple[str, ...]:
    """The order in which the commander lets the English act."""
    man, view = CommanderCaptain(sea.sides["ENG"].doctrine), View(sea, "ENG")
    man.begin_turn(view)
    return man.ship_order(view, "ENG-1", tuple(code for code in sea.ships if code[0] == "E"))


@pytest.mark.clause("K.AI2")
def test_a_line_in_good_order_stays_as_it_is_straight_or_bent() -> None:
    straight = line(*((-n, 0) for n in range(8)))
    bent = line((0, 0), (0, 1), (0, 2), (-1, 2), (-2, 2), (-3, 2))
    for one in bent[:3]:
        one.facing = 0
    assert ids(as_it_lies(straight)) == ids(straight)
    assert ids(as_it_lies(bent)) == ids(bent)
    assert drawn_out(straight) == drawn_out(bent) == 0


@pytest.mark.clause("K.AI2", "K.A2.13")
def test_ships_thrown_out_of_their_order_change_places_but_only_with_those_near_them() -> None:
    thrown = line((-1, 0), (0, 0), (-3, 0), (-2, 0), (-4, 0))
    assert ids(as_it_lies(thrown)) == ["E1", "E0", "E3", "E2", "E4"]
    far = line(*((-n, 0) for n in range(7)), (4, 0))
    assert ids(as_it_lies(far))[0] == "E0", "the last of the line does not become its head"


@pytest.mark.clause("K.AI2", "K.M22")
def test_a_ship_in_the_way_of_another_acts_before_her() -> None:
    ships = line((0, 0), (-1, 0), (-2, 0))
    ships[0].facing, ships[1].facing = 5, 2
    assert ids(clear_ahead_first(ships)) == ["E1", "E0", "E2"], (
        "two bow to bow: the second cannot wait for the first"
    )
    crossing = line((0, 0), (3, 0), (1, 0))
    assert ids(clear_ahead_first(crossing)) == ["E2", "E0", "E1"]
    assert order_of(battle(*line((0, 0), (-1, 0), (-2, 0)), enemy(pos=(30, 0)))) == ("E0", "E1", "E2")


def test_ships_taken_since_the_groups_were_formed_do_not_upset_the_order() -> None:
    sea = battle(*line((0, 0), (-1, 0), (-2, 0)), enemy(pos=(30, 0)))
    man, view = CommanderCaptain(sea.sides["ENG"].doctrine), View(sea, "ENG")
    man.begin_turn(view)
    sea.ships["E1"].prize_of = "DUT"
    assert set(man.ship_order(view, "ENG-1", ("E2", "E1", "E0"))) == {"E0", "E1", "E2"}


@pytest.mark.clause("K.AI2")
def test_the_line_is_kept_until_one_of_its_ships_is_in_contact() -> None:
    ships = line((0, 0), (-1, 0), (-2, 0))
    one = enemy(pos=(0, 0))
    sea = battle(*ships, one)
    assert make_strategy(View(sea, "ENG"), COMMANDER)["ENG-1"].formed
    sea.hold(LockKind.GRAPPLE, ships[0], one)
    assert not make_strategy(View(sea, "ENG"), COMMANDER)["ENG-1"].formed


@pytest.mark.clause("K.AI2", "K.AI8")
def test_a_melee_once_begun_is_not_broken_off_to_form_the_line_again() -> None:
    ships = line((0, 0), (-1, 0), (-2, 0))
    sea = battle(*ships, enemy(pos=(8, 0)))
    ships[1].hits_struct, ships[1].steps_lost = 6, 1
    assert make_strategy(View(sea, "ENG"), COMMANDER)["ENG-1"].formed
    ships[1].hits_struct, ships[1].hits_board, ships[1].board_before = 0, 6, 6
    assert make_strategy(View(sea, "ENG"), COMMANDER)["ENG-1"].formed, "men lost in an earlier battle"
    ships[1].board_before = 5
    assert not make_strategy(View(sea, "ENG"), COMMANDER)["ENG-1"].formed


@pytest.mark.clause("K.AI2", "K.AI4")
def test_the_head_of_the_line_waits_for_ships_that_have_fallen_behind() -> None:
    closed = battle(*line((0, 0), (-1, 0), (-2, 0)), enemy(pos=(40, 0)))
    drawn = battle(*line((0, 0), (-1, 0), (-5, 0)), enemy(pos=(40, 0)))
    assert asked(closed, "E0", captain="commander")[0].count("A") == 3
    assert asked(drawn, "E0", captain="commander")[0].count("A") == 1


@pytest.mark.clause("K.AI2", "K.D6")
def test_the_head_sails_no_faster_than_the_slowest_ship_in_the_line() -> None:
    ships = line((0, 0), (-1, 0), (-2, 0))
    ships[2].hits_struct, ships[2].steps_lost = 6, 1
    assert asked(battle(*ships, enemy(pos=(40, 0))), "E0", captain="commander")[0].count("A") == 2


@pytest.mark.clause("K.AI2", "K.I11")
def test_a_ship_that_moves_before_the_one_ahead_anticipates_her_move() -> None:
    def end(*, acted: bool) -> int:
        ships = line((0, 0), (-1, 1), (-5, 0))
        ships[0].acted = acted
        return asked(battle(*ships, enemy(pos=(40, 0))), "E1", captain="commander")[1].pos[0]

    assert end(acted=True) <= 0, "close by her as she lies"
    assert end(acted=False) == 2, "close by where a full run will take her"


@pytest.mark.clause("K.AI2", "K.M28")
def test_a_ship_held_fast_is_passed_and_the_next_one_ahead_followed() -> None:
    ships = line((0, 0), (-1, 1), (-4, 0))
    ships[0].acted = True
    sea = battle(*ships, enemy(pos=(40, 0)), ship(id="E9", pos=(-1, 1), squadron="ENG-2"))
    sea.hold(LockKind.TANGLE, ships[1], sea.ships["E9"])
    _, found = asked(sea, "E2", captain="commander")
    assert found.pos == (-1, 0)


def kept(ships: int, *, seeds: range, turns: int = 6) -> Keeping:
    """How the lines of both sides are kept on a calm approach from far off, disorder at the start included."""
    total = Keeping()
    rules = rule_set("kohler")
    for seed in seeds:
        scenario = meeting(ships, ships, gap=20, options={"wind_mode": "fixed"})
        dice = FastDice(seed)
        sea = rules.begin(scenario, dice)
        captains = {side.id: rules.captains[side.captain](side.doctrine) for side in scenario.sides}
        lines = [Lines(side.id) for side in scenario.sides]
        for _ in range(turns):
            sea = rules.advance(sea, {}, captains, dice)
            for one in lines:
                one.watch(sea)
        for one in lines:
            total.add(one.before)
    return total


@pytest.mark.clause("K.AI2", "K.AI4", "K.I13")
def test_on_a_calm_approach_the_line_is_close_in_command_and_without_collisions() -> None:
    total = kept(18, seeds=range(4))
    assert total.ship_turns > 800
    assert total.gap < 1.35
    assert total.strayed < 7
    assert total.fouled < 8


@pytest.mark.clause("K.F6")
def test_the_commander_expects_no_shot_into_a_hex_with_a_friend() -> None:
    one = enemy(pos=(0, 2))
    boarder = ship(id="E2", pos=(0, 2))
    sea = battle(ship(facing=2), boarder, one)
    sea.hold(LockKind.GRAPPLE, boarder, one)
    view = View(sea, "ENG")
    (bare,) = foes_near(view, sea.ships["E1"], 4)
    (spared,) = foes_near(view, sea.ships["E1"], 4, spares=True)
    assert max(bare.mine) > 0
    assert max(spared.mine) == 0
    assert max(foes_near(view, boarder, 4)[0].mine) > 0


@pytest.mark.clause("K.AI12", "K.B25")
def test_prizes_are_covered_against_ships_that_would_retake_them() -> None:
    prize = enemy("D2", pos=(-3, 0), prize_of="ENG", is_flagship=False)
    sea = battle(ship(pos=(0, 0)), prize, enemy(pos=(6, 0)))
    assert make_strategy(View(sea, "ENG"), COMMANDER)["ENG-1"].cripples == [(-3, 0)]


@pytest.mark.clause("K.AI2", "K.M22")
def test_a_ship_in_line_does_not_end_right_astern_of_one_she_does_not_follow() -> None:
    ships = line((0, 0), (-1, 0), (-2, 0))
    sea = battle(*ships, ship(id="E9", pos=(4, 0), squadron="ENG-2"), enemy(pos=(40, 0)))
    _, found = asked(sea, "E0", captain="commander")
    dq, dr = STEPS[found.facing]
    assert (found.pos[0] + dq, found.pos[1] + dr) != (4, 0)
