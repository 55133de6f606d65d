"""What the squadron commander does beyond the squadron's captain: it values its ships, uses fire ships, minds convoys and the wind."""

from __future__ import annotations

import random
from typing import Any

import pytest

from battles.engine.core.hexes import distance
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.kohler.arcs import bearing_to, rakes
from battles.engine.rulesets.kohler.captain.commander import CommanderCaptain
from battles.engine.rulesets.kohler.captain.plan import Mode, Plan
from battles.engine.rulesets.kohler.captain.strategy import make_strategy
from battles.engine.rulesets.kohler.captain.weights import COMMANDER
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship, Status, WindForce
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, ship
from tests.engine.kohler.captain.asking import asked, enemy
from tests.study import study
from tests.study_doctrines import watch


def plan_of(sea: Battle, squadron: str = "ENG-1") -> Plan:
    return make_strategy(View(sea, "ENG"), COMMANDER)[squadron]


def man_of(sea: Battle, doctrine: Doctrine | None = None) -> tuple[CommanderCaptain, View]:
    man, view = CommanderCaptain(doctrine or Doctrine()), View(sea, "ENG")
    man.begin_turn(view)
    return man, view


def told(sea: Battle, **doctrine: Any) -> Battle:
    for squadron in sea.squadrons.values():
        if squadron.side == "ENG":
            squadron.doctrine = Doctrine(**doctrine)
    sea.sides["ENG"].doctrine = Doctrine(**doctrine)
    return sea


def fire_ship(**over: Any) -> Ship:
    small = {"hull_max": 6, "thresholds": (3, 6), "n_steps": 2, "fire_track": (1, 1), "band": 0, "guns": 12}
    return ship(**{"id": "F1", "is_fireship": True, "small": True, "is_flagship": False, **small, **over})


def line(count: int = 4, **over: Any) -> list[Ship]:
    return [ship(id=f"E{n}", pos=(-n, 0), facing=2, is_flagship=n == 1, **over) for n in range(count)]


@pytest.mark.clause("K.AI1", "G.MV5")
@pytest.mark.parametrize(("fight_at", "least", "most"), [("close", 0, 1), ("long", 3, 4)])
def test_the_commander_keeps_the_ordered_range(fight_at: str, least: int, most: int) -> None:
    plan = plan_of(told(battle(*line(), enemy()), fight_at=fight_at))
    assert (plan.least, plan.most, plan.bound) == (least, most, True)


@pytest.mark.clause("K.AI1", "G.MV5")
def test_the_ordered_range_shows_in_battles() -> None:
    close, far = (watch("commander", {"fight_at": at}, runs=3) for at in ("close", "long"))
    assert close.hexes / close.shots + 0.3 < far.hexes / far.shots


@pytest.mark.clause("K.AI1", "K.AI6", "G.MV5")
def test_the_commander_wants_the_weather_gauge_but_the_lee_in_a_strong_wind_unless_ordered() -> None:
    sea = battle(*line(), enemy())
    assert plan_of(sea).windward == sea.upwind
    sea.strength = WindForce.STRONG
    assert plan_of(sea).windward == sea.wind
    assert plan_of(told(sea, gauge="windward")).windward == sea.upwind
    sea.strength = WindForce.NORMAL
    assert plan_of(told(sea, gauge="leeward")).windward == sea.wind


@pytest.mark.clause("K.AI2")
def test_the_line_closes_up_when_a_ship_is_damaged() -> None:
    ships = line()
    sea = battle(*ships, enemy())
    assert plan_of(sea).ahead == {"E1": "E0", "E2": "E1", "E3": "E2"}
    ships[1].hits_struct, ships[1].steps_lost = 12, 2
    plan = plan_of(sea)
    assert plan.line == ("E0", "E2", "E3")
    assert plan.ahead == {"E2": "E0", "E3": "E2"}


@pytest.mark.clause("K.AI2")
def test_the_line_tacks_in_succession() -> None:
    """The head has tacked: the next ship stands on to where she turned before she turns herself."""
    head = ship(id="E0", pos=(1, -1), facing=1, acted=True)
    sea = battle(head, ship(id="E1", pos=(-1, 0), facing=2, is_flagship=True), enemy(pos=(20, -10)))
    tokens, found = asked(sea, "E1", captain="commander")
    assert tokens[0] == "A"
    assert distance(found.pos, head.pos) == 1


@pytest.mark.clause("K.AI2", "K.AI11")
def test_the_whole_line_hauls_off_together_when_ordered_to_avoid() -> None:
    ships = line()
    sea = told(battle(*ships, enemy(pos=(-3, 4)), wind=3), stance=Stance.AVOID)
    man, _ = man_of(sea)
    assert man.breaks_off
    for one in ships:
        _, found = asked(sea, one.id, captain="commander")
        assert distance(found.pos, (-3, 4)) >= distance(one.pos, (-3, 4))
    *_, head = (asked(sea, one.id, captain="commander")[1] for one in reversed(ships))
    assert distance(head.pos, (-3, 4)) > distance(ships[0].pos, (-3, 4))


@pytest.mark.clause("K.AI3", "K.F9")
def test_the_commander_rakes_when_moving_last() -> None:
    target = enemy(pos=(2, 1), facing=3, acted=True, hits_struct=17, steps_lost=3)
    sea = battle(ship(facing=2), target)
    _, found = asked(sea, captain="commander", doctrine=Doctrine(board="never"))
    bearing = bearing_to(found.pos, found.facing, target.pos)
    assert bearing is not None
    assert bearing.range <= 2
    told(sea, board="never")
    _, found = asked(sea, captain="commander")
    assert rakes(found.pos, target)


@pytest.mark.clause("K.AI4")
def test_a_straggler_makes_for_her_flagship() -> None:
    sea = battle(
        ship(id="E0", is_flagship=True),
        ship(id="E1", pos=(-9, 0), facing=2, is_flagship=False),
        enemy(pos=(30, 0)),
    )
    _, found = asked(sea, "E1", captain="commander")
    assert distance(found.pos, (0, 0)) < 9


@pytest.mark.clause("K.AI5", "K.M10")
@pytest.mark.parametrize("facing", [1, 2, 4, 5])
def test_the_commander_never_ends_in_irons_near_an_enemy(facing: int) -> None:
    sea = battle(ship(facing=facing), enemy(pos=(0, -3), facing=2))
    _, found = asked(sea, captain="commander")
    assert sea.rel(found.facing) != 0


@pytest.mark.clause("K.AI7")
def test_the_second_ship_fires_at_the_enemy_the_first_has_aimed_at() -> None:
    sea = battle(
        ship(id="E0", pos=(0, 0), facing=2),
        ship(id="E1", pos=(1, 0), facing=2, is_flagship=False),
        enemy("D1", pos=(0, 3), facing=2, is_flagship=False),
        enemy("D2", pos=(1, 3), facing=2, is_flagship=True),
    )
    man, view = man_of(sea)
    first = man.targets(view, "E0")["starboard"]
    assert man.targets(view, "E1")["starboard"] == first


@pytest.mark.clause("K.AI7")
def test_an_enemy_with_enough_guns_on_her_is_left_for_another() -> None:
    dying = enemy("D1", pos=(0, 2), facing=2, hits_struct=21, steps_lost=3, hull_max=22)
    sea = battle(*line(6, fire_track=(22, 16, 11, 5)), dying, enemy("D2", pos=(-1, 2), facing=2))
    man, view = man_of(sea)
    chosen = [man.targets(view, f"E{n}").get("starboard") for n in range(6)]
    assert chosen[0] == "D1"
    assert "D2" in chosen


@pytest.mark.clause("K.AI8", "K.B16")
def test_a_weak_ship_stays_out_of_reach_of_a_likely_boarder() -> None:
    chance = random.Random(3)
    apart = {12: 0, 60: 0}
    for _ in range(40):
        cell = (chance.randint(-5, 5), chance.randint(1, 5))
        facings = chance.randrange(6), chance.choice((1, 2, 3, 4, 5))
        for hull in apart:
            one = ship(facing=facings[1], hull_max=hull, thresholds=(3, 6, 9, hull))
            sea = told(battle(one, enemy(pos=cell, facing=facings[0], band=80)), board="never")
            _, found = asked(sea, captain="commander")
            apart[hull] += distance(found.pos, cell)
    assert apart[12] > apart[60] + 10


@pytest.mark.clause("K.AI8", "G.MV5")
def test_the_commander_boards_with_a_lead_and_never_when_forbidden() -> None:
    def sea() -> Battle:
        return battle(
            ship(facing=2, hull_max=45, thresholds=(12, 23, 34, 45)),
            enemy(pos=(2, 0), facing=2, hits_struct=11, steps_lost=2, fire_track=(4, 3, 2, 1)),
        )

    assert asked(sea(), captain="commander")[0] == ("A", "A", "G:D1")
    tokens, _ = asked(told(sea(), board="never"), captain="commander")
    assert not any(token.startswith("G:") for token in tokens)
    assert watch("commander", {"board": "never"}, runs=2).tries == 0


@pytest.mark.clause("K.AI8")
def test_the_commander_refuses_to_board_from_a_ship_with_less_hull() -> None:
    weak, strong = ship(hull_max=10, thresholds=(3, 5, 8, 10)), enemy(pos=(0, 0), band=80)
    man, view = man_of(battle(weak, strong))
    assert not man.boards(view, "E1", "D1")
    assert man.parts(view, "E1", "D1")


@pytest.mark.clause("K.AI9")
def test_a_fire_ship_is_manoeuvred_until_her_prey_lies_straight_ahead() -> None:
    prey = enemy(pos=(1, 5), facing=2, acted=True)
    sea = battle(ship(pos=(-6, 0)), fire_ship(facing=3), prey, wind=3)
    _, found = asked(sea, "F1", captain="commander")
    sea.move(sea.ships["F1"], found.pos)
    sea.ships["F1"].facing = found.facing
    moved = found.pos
    prey.acted = True
    _, found = asked(sea, "F1", captain="commander")
    assert distance(found.pos, prey.pos) < distance((0, 0), prey.pos)
    assert moved != (0, 0)


@pytest.mark.clause("K.AI9", "K.X4", "K.X5")
def test_a_fire_ship_ends_where_she_strikes_a_ship_that_has_moved() -> None:
    prey = enemy(pos=(0, 4), facing=2, acted=True)
    sea = battle(ship(pos=(-6, 0)), fire_ship(pos=(0, 0), facing=3), prey, wind=3)
    _, found = asked(sea, "F1", captain="commander")
    sea.move(sea.ships["F1"], found.pos)
    sea.ships["F1"].facing = found.facing
    man, view = man_of(sea)
    assert man.fire_ships(view) == ("F1",)
    told(sea, fire_ships=False)
    assert man.fire_ships(view) == ()


@pytest.mark.clause("K.AI9")
def test_a_fire_ship_without_prey_waits_on_the_far_side_of_her_flagship() -> None:
    flagship = ship(pos=(0, 0), facing=2, is_flagship=True)
    sea = battle(flagship, fire_ship(pos=(2, 0), facing=5), enemy(pos=(20, 0)), wind=3)
    assert "F1" not in plan_of(sea).line
    _, found = asked(sea, "F1", captain="commander")
    assert distance(found.pos, (20, 0)) > distance((2, 0), (20, 0))


@pytest.mark.clause("K.AI10", "K.X6")
def test_the_commander_keeps_out_of_a_fire_ships_straight_path_and_sinks_her_when_near() -> None:
    burning = fire_ship(side="DUT", squadron="DUT-1", pos=(2, -2), facing=3, fired=True, acted=True)
    sea = battle(ship(facing=2), ship(id="E2", pos=(-8, 8), is_flagship=False), burning, enemy(pos=(9, 9)))
    _, found = asked(sea, captain="commander")
    assert found.pos not in {(2, -2), (2, -1), (2, 0), (2, 1)}
    sound = enemy("D2", pos=(3, -3), is_flagship=False, fire_track=(8, 6, 4, 2))
    sea = battle(
        ship(facing=2), fire_ship(side="DUT", squadron="DUT-1", pos=(1, -2), fired=True), enemy(), sound
    )
    man, view = man_of(sea)
    assert man.targets(view, "E1").get("port") == "F1"


@pytest.mark.clause("K.AI11", "G.MV5")
def test_a_squadron_that_has_lost_its_share_leaves_only_when_outnumbered() -> None:
    ships = line()
    other = [ship(id=f"E{n}", squadron="ENG-2", pos=(60 + n, 0), is_flagship=n == 8) for n in range(8, 16)]
    sea = battle(*ships, *other, *(enemy(f"D{n}", pos=(3, n)) for n in range(1, 6)))
    assert plan_of(sea).mode is Mode.FIGHT
    for one in ships:
        one.hits_struct, one.steps_lost = 13, 2
    assert plan_of(sea).mode is Mode.AWAY
    assert plan_of(sea, "ENG-2").mode is Mode.FIGHT
    told(sea, break_off=100)
    assert plan_of(sea).mode is Mode.FIGHT
    told(sea)
    for n in range(2, 6):
        sea.remove(sea.ships[f"D{n}"], Status.GONE)
    assert plan_of(sea).mode is Mode.FIGHT, "what is left of the enemy is no match for it"


@pytest.mark.clause("K.AI11")
def test_the_commander_knows_where_friends_lie_who_cannot_escape() -> None:
    cripple = ship(id="E0", pos=(-3, 0), hits_struct=17, steps_lost=3, is_flagship=False)
    sea = battle(cripple, ship(id="E1", facing=2), enemy(pos=(12, 0)))
    assert plan_of(sea).cripples == [(-3, 0)]


@pytest.mark.clause("K.AI12")
def test_the_commander_steers_prizes_away_from_the_enemy() -> None:
    prize = enemy("D2", pos=(0, 0), facing=2, prize_of="ENG", is_flagship=False)
    sea = battle(ship(pos=(-4, 0)), prize, enemy(pos=(-1, 1), facing=2, acted=True))
    _, found = asked(sea, "D2", captain="commander")
    assert distance(found.pos, (-1, 1)) > 1


@pytest.mark.clause("K.G9")
def test_the_commander_keeps_off_a_stronger_enemy_while_friends_are_still_to_come() -> None:
    late = ship(id="E9", squadron="ENG-2", status=Status.EXPECTED)
    sea = battle(*line(2), late, *(enemy(f"D{n}", pos=(8, n)) for n in range(1, 6)))
    sea.squadrons["ENG-2"].arrives = 9
    assert plan_of(sea).least == 3
    sea.squadrons["ENG-2"].arrives = 0
    assert plan_of(sea).least < 3


@pytest.mark.clause("G.MV5")
def test_the_commander_stays_between_the_convoy_and_the_enemy_and_its_ships_keep_away() -> None:
    sea = battle(*line(), ship(id="M1", pos=(0, 10), squadron="ENG-2"), enemy(pos=(0, 30)))
    told(sea, protect=("M1",))
    plan = plan_of(sea)
    assert plan.aim == (0, 16)
    assert "M1" in plan.covered
    covered, bare = (
        watch("commander", doctrine, runs=3, dutch=16, convoy=True).convoy
        for doctrine in ({"protect": [f"M{n}" for n in range(1, 7)]}, {})
    )
    assert covered < bare


def test_the_commander_makes_no_plans_about_unseen_ships() -> None:
    sea = battle(ship(facing=2), enemy(pos=(9, 0)), visibility=4)
    assert plan_of(sea).band is None
    there, _ = asked(sea, captain="commander")
    sea.move(sea.ships["D1"], (-9, 3))
    assert asked(sea, captain="commander")[0] == there


def test_the_commander_is_asked_about_held_ships() -> None:
    mine, one = ship(pos=(0, 0)), enemy(pos=(0, 0))
    sea = battle(mine, one)
    sea.hold(LockKind.GRAPPLE, mine, one)
    assert asked(sea, captain="commander")[0] == ()


@pytest.mark.parametrize(("against", "least"), [("plain", 7), ("squadron", 5)])
def test_the_commander_beats_the_other_captains(against: str, least: int) -> None:
    score = study(size=20, runs=8, against=against)
    assert score.won >= least
    assert score.own_ships < score.other_ships
    assert score.own.gap < 3.5
