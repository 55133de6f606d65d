"""What the captains do: the plain one heads straight for the nearest, the squadron's one fights by the guidance of K.AI."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from battles.engine.core.dice import FastDice, KeyedDice
from battles.engine.core.hexes import STEPS, distance
from battles.engine.core.log import Log
from battles.engine.core.scenario import Doctrine, Scenario, Stance, read_scenario
from battles.engine.registry import rule_set
from battles.engine.rulesets.kohler import turn
from battles.engine.rulesets.kohler.arcs import bearing_to, rakes
from battles.engine.rulesets.kohler.captain import CAPTAINS, prey
from battles.engine.rulesets.kohler.captain.odds import (
    BEARS,
    CENTRE,
    DISTANCE,
    PORT,
    STARBOARD,
    WIDTH,
    by_range,
)
from battles.engine.rulesets.kohler.captain.plain import PlainCaptain
from battles.engine.rulesets.kohler.captain.plan import Mode, make_plans
from battles.engine.rulesets.kohler.captain.scene import foes_near, guns_from
from battles.engine.rulesets.kohler.captain.squadron import SquadronCaptain
from battles.engine.rulesets.kohler.captain.weights import SQUADRON
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, LockKind, Status, WindForce
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, ship
from tests.engine.kohler.captain.asking import asked, enemy
from tests.study import study
from tests.support.fleets import meeting, meeting_document


def turns_of(scenario: Scenario, seed: int, turns: int) -> Iterator[Battle]:
    """The battle after each of its first turns."""
    rules = rule_set("kohler")
    dice = FastDice(seed)
    sea = rules.begin(scenario, dice)
    captains = {side.id: rules.captains[side.captain](side.doctrine) for side in scenario.sides}
    for _ in range(turns):
        if rules.over(sea):
            return
        sea = rules.advance(sea, {}, captains, dice)
        yield sea


def nearest(sea: Battle, side: str) -> list[int]:
    """How far every ship of a side is from her nearest enemy."""
    foes = [s.pos for s in sea.ships.values() if s.afloat and s.flag != side]
    return [
        min(distance(s.pos, pos) for pos in foes) for s in sea.ships.values() if s.afloat and s.flag == side
    ]


def test_the_tables_of_arcs_agree_with_the_guns() -> None:
    for facing in range(6):
        for dq in range(-6, 7):
            for dr in range(-6, 7):
                rel = CENTRE + dq * WIDTH + dr
                bearing = bearing_to((0, 0), facing, (dq, dr))
                mine = BEARS[facing][rel]
                assert DISTANCE[rel] == distance((0, 0), (dq, dr))
                if bearing is None:
                    assert mine == 0
                else:
                    side = "starboard" if mine & STARBOARD else "port"
                    assert (side, mine & 7) == (bearing.side, bearing.range)


def test_expected_hits_fall_with_range_and_a_rake_is_best() -> None:
    for points in range(1, 23):
        alongside, short, medium, long_three, long_four, rake = by_range(points, 0)
        assert alongside == short
        assert rake >= short >= medium >= long_three == long_four
    assert by_range(0, 0) == (0, 0, 0, 0, 0, 0)


def test_the_plain_captain_heads_straight_for_the_nearest_enemy() -> None:
    sea = battle(ship(facing=2), enemy("D1", pos=(9, -3)), enemy("D2", pos=(5, 0)))
    tokens, found = asked(sea, captain="plain")
    assert tokens[:3] == ("A", "A", "A")
    assert distance(found.pos, (5, 0)) == 2


def test_the_plain_captain_never_boards_and_leaves_the_guns_to_the_gunners() -> None:
    sea = battle(ship(hull_max=40), enemy(pos=(0, 0), hits_struct=16, steps_lost=2))
    view, man = View(sea, "ENG"), PlainCaptain(Doctrine())
    assert not man.boards(view, "E1", "D1")
    assert man.parts(view, "E1", "D1")
    assert man.targets(view, "E1") == {}


@pytest.mark.clause("K.AI2", "K.AI4")
def test_ships_of_a_squadron_sail_in_line_on_the_way_to_the_enemy() -> None:
    scenario = meeting(9, 9, gap=30, options={"disorder": False, "wind_mode": "fixed"})
    for sea in turns_of(scenario, 3, 4):
        for squadron in sea.squadrons.values():
            line = [sea.ships[code] for code in squadron.ships]
            gaps = [distance(a.pos, b.pos) for a, b in zip(line, line[1:], strict=False)]
            assert sum(gaps) / len(gaps) <= 2
            assert sum(one.in_command for one in line) >= 8
            assert len({one.facing for one in line}) <= 3


@pytest.mark.clause("K.AI2", "K.I17")
def test_the_head_of_the_line_acts_first_whichever_end_it_is() -> None:
    ships = [ship(id=f"E{n}", pos=(n, 0), facing=2) for n in range(1, 5)]
    sea = battle(*ships, enemy(pos=(30, 0)))
    man, view = SquadronCaptain(Doctrine()), View(sea, "ENG")
    man.begin_turn(view)
    assert man.ship_order(view, "ENG-1", ("E1", "E2", "E3", "E4")) == ("E4", "E3", "E2", "E1")
    for one in ships:
        one.facing = 5
    man.begin_turn(view)
    assert man.ship_order(view, "ENG-1", ("E1", "E2", "E3", "E4")) == ("E1", "E2", "E3", "E4")


@pytest.mark.clause("K.AI5", "K.M10")
def test_no_ship_is_put_in_irons_near_an_enemy() -> None:
    chance = random.Random(11)
    for _ in range(200):
        facing = chance.choice((1, 2, 3, 4, 5))
        sea = battle(
            ship(facing=facing, handy=chance.random() < 0.3, unhandy=chance.random() < 0.2),
            *(
                enemy(f"D{n}", pos=(chance.randint(-5, 5), chance.randint(-5, 5)), facing=chance.randrange(6))
                for n in range(1, 4)
            ),
        )
        if any(other.pos == (0, 0) for other in sea.ships.values() if other.id != "E1"):
            continue
        _, found = asked(sea)
        assert sea.rel(found.facing) != 0


@pytest.mark.clause("K.AI3", "K.F9")
def test_a_ship_that_can_rake_does_so() -> None:
    target = enemy(pos=(2, 1), facing=3, acted=True, hits_struct=17, steps_lost=3)
    sea = battle(ship(facing=2), target)
    _, found = asked(sea, doctrine=Doctrine(board="never"))
    bearing = bearing_to(found.pos, found.facing, target.pos)
    assert bearing is not None
    assert bearing.range == 1
    assert rakes(found.pos, target)


@pytest.mark.clause("K.AI1")
def test_a_heavy_squadron_keeps_off_and_a_light_one_closes() -> None:
    heavy = [ship(id=f"E{n}", pos=(0, n), fire_track=(16, 12, 8, 4)) for n in range(3)]
    light = [enemy(f"D{n}", pos=(12, n), band=40, fire_track=(5, 3, 2, 1)) for n in range(3)]
    sea = battle(*heavy, *light)
    assert make_plans(View(sea, "ENG"))["ENG-1"].keep_off
    for one in heavy:
        one.fire_track, one.band = (5, 3, 2, 1), 40
    for one in light:
        one.band = 80
    assert not make_plans(View(sea, "ENG"))["ENG-1"].keep_off


@pytest.mark.clause("K.AI8", "K.B16")
def test_the_captain_boards_with_a_lead_of_four_and_not_with_three() -> None:
    sea = battle(ship(hull_max=23), enemy(pos=(0, 0)))
    view = View(sea, "ENG")
    guess = prey.their_hull(view.enemy("D1"))
    mine = sea.ships["E1"]
    mine.hull_max = guess + 4
    assert prey.worth_it(view, mine, "D1", SQUADRON)
    mine.hull_max = guess + 3
    assert not prey.worth_it(view, mine, "D1", SQUADRON)
    mine.hull_max, mine.fires = guess + 9, [1]
    assert not prey.worth_it(view, mine, "D1", SQUADRON)
    assert not prey.worth_it(view, mine, "E1", SQUADRON)


@pytest.mark.clause("K.AI8", "G.MV5")
def test_the_captain_goes_alongside_a_weak_enemy_and_grapples_unless_the_instructions_forbid_it() -> None:
    def sea() -> Battle:
        return battle(
            ship(facing=2, hull_max=45, thresholds=(12, 23, 34, 45)),
            enemy(pos=(2, 0), facing=2, hits_struct=11, steps_lost=2, fire_track=(4, 3, 2, 1)),
        )

    tokens, _ = asked(sea())
    assert tokens == ("A", "A", "G:D1")
    calm = sea()
    calm.squadrons["ENG-1"].doctrine = Doctrine(board="never")
    tokens, _ = asked(calm)
    assert not any(token.startswith("G:") for token in tokens)
    man, view = SquadronCaptain(Doctrine()), View(calm, "ENG")
    assert not man.boards(view, "E1", "D1")


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


@pytest.mark.clause("K.AI8")
def test_the_captain_casts_off_when_the_lead_is_gone() -> None:
    mine, one = ship(pos=(0, 0)), enemy(pos=(0, 0))
    sea = battle(mine, one)
    sea.hold(LockKind.GRAPPLE, mine, one)
    man, view = SquadronCaptain(Doctrine()), View(sea, "ENG")
    mine.hull_max = 40
    assert not man.parts(view, "E1", "D1")
    mine.hits_struct = 30
    assert man.parts(view, "E1", "D1")


@pytest.mark.clause("K.B25")
def test_a_prize_is_boarded_only_by_her_old_side_and_when_no_captor_is_near() -> None:
    lost = ship(id="E2", prize_of="DUT", pos=(1, 0))
    guard = enemy(pos=(1, 0))
    sea = battle(ship(), lost, guard)
    view = View(sea, "ENG")
    assert not prey.worth_it(view, sea.ships["E1"], "E2", SQUADRON)
    sea.move(guard, (5, 5))
    assert prey.worth_it(view, sea.ships["E1"], "E2", SQUADRON)


@pytest.mark.clause("K.AI7", "K.F1")
def test_guns_aim_at_the_enemy_who_can_lose_most() -> None:
    near = enemy("D1", pos=(0, -2), facing=0)
    sound = enemy("D2", pos=(1, -2), facing=0)
    dying = enemy("D3", pos=(2, -2), facing=0, hits_struct=19, steps_lost=3)
    sea = battle(ship(facing=0), near, sound, dying)
    targets = SquadronCaptain(Doctrine()).targets(View(sea, "ENG"), "E1")
    assert targets == {"starboard": "D3"}


@pytest.mark.clause("G.MV5")
def test_the_instruction_to_avoid_keeps_the_fleet_away() -> None:
    def distances(stance: str) -> float:
        doc = meeting_document(6, 6, gap=9, gauge="E")
        doc["sides"][0]["doctrine"] = {"stance": stance}
        doc["sides"][1]["doctrine"] = {"stance": "hold"}
        *_, last = turns_of(read_scenario(doc), 2, 8)
        found = nearest(last, "E")
        return sum(found) / len(found)

    assert distances("avoid") > 2 * distances("seek")


@pytest.mark.clause("G.MV5")
def test_the_instruction_to_fight_at_long_range_is_followed() -> None:
    def close_ships(fight_at: str) -> int:
        doc = meeting_document(8, 8, options={"wind_mode": "fixed"})
        for side in doc["sides"]:
            side["doctrine"] = {"fight_at": fight_at, "board": "never"}
        return sum(
            d <= 1
            for seed in range(3)
            for sea in turns_of(read_scenario(doc), seed, 8)
            for d in nearest(sea, "E")
        )

    assert close_ships("long") < close_ships("close") / 2


@pytest.mark.clause("K.AI11", "G.MV5")
def test_a_fleet_beaten_to_the_limit_of_its_instructions_breaks_off() -> None:
    own = [ship(id=f"E{n}", pos=(0, 2 * n)) for n in range(4)]
    sea = battle(*own, *(enemy(f"D{n}", pos=(5, n)) for n in range(4)))
    view = View(sea, "ENG")
    assert make_plans(view)["ENG-1"].mode is Mode.FIGHT
    for one in own[:2]:
        one.hits_struct, one.steps_lost = 17, 3
    for one in own[2:]:
        one.hits_struct, one.steps_lost = 6, 1
    assert make_plans(view)["ENG-1"].mode is Mode.AWAY
    sea.squadrons["ENG-1"].doctrine = Doctrine(break_off=100)
    assert make_plans(view)["ENG-1"].mode is Mode.FIGHT
    sea.squadrons["ENG-1"].doctrine = Doctrine()
    for n in range(1, 4):
        sea.remove(sea.ships[f"D{n}"], Status.GONE)
    assert make_plans(view)["ENG-1"].mode is Mode.FIGHT, "a fleet that is winning all the same stays"


def test_a_fleet_ordered_to_hold_waits_until_the_enemy_is_near() -> None:
    one = enemy(pos=(15, 0))
    sea = battle(ship(), one)
    sea.squadrons["ENG-1"].doctrine = Doctrine(stance=Stance.HOLD)
    assert make_plans(View(sea, "ENG"))["ENG-1"].mode is Mode.HOLD
    sea.move(one, (5, 0))
    assert make_plans(View(sea, "ENG"))["ENG-1"].mode is Mode.FIGHT


@pytest.mark.clause("G.MV5")
def test_a_general_chase_frees_the_ships_from_the_line_once_the_enemy_is_beaten() -> None:
    own = [ship(id=f"E{n}", pos=(n, 0), facing=2) for n in range(5)]
    one = enemy(pos=(15, 0))
    sea = battle(*own, one)
    view = View(sea, "ENG")
    assert len(make_plans(view)["ENG-1"].ahead) == 4
    sea.squadrons["ENG-1"].doctrine = Doctrine(chase="general")
    assert make_plans(view)["ENG-1"].ahead == {}
    one.band, one.built_by = 100, "England"
    for mine in own[1:]:
        mine.hits_struct, mine.steps_lost = 17, 3
    own[1].steps_lost = own[1].hits_struct = 0
    assert make_plans(View(sea, "ENG"))["ENG-1"].ahead == {"E0": "E1"}


@pytest.mark.clause("K.AI6", "K.F12")
def test_in_a_strong_wind_the_lee_guns_count_for_less() -> None:
    sea = battle(ship(facing=2), enemy(pos=(0, 2)), strength=WindForce.STRONG)
    foes = foes_near(View(sea, "ENG"), sea.ships["E1"], 5)
    without, *_ = guns_from(foes, 0, 0, 2)
    assert guns_from(foes, 0, 0, 2, STARBOARD)[0] == without // 2 > 0
    assert guns_from(foes, 0, 0, 2, PORT)[0] == without


def test_the_captain_heads_for_the_enemy_nearest_to_the_ships_to_be_covered() -> None:
    convoy = ship(id="E9", pos=(30, 0), squadron="ENG-2", is_flagship=True)
    near, far = enemy("D1", pos=(6, 0)), enemy("D2", pos=(26, 0), squadron="DUT-2", is_flagship=True)
    sea = battle(ship(), convoy, near, far)
    assert make_plans(View(sea, "ENG"))["ENG-1"].band.id == "DUT/DUT-1"  # type: ignore[union-attr]
    sea.squadrons["ENG-1"].doctrine = Doctrine(protect=("E9",))
    assert make_plans(View(sea, "ENG"))["ENG-1"].band.id == "DUT/DUT-2"  # type: ignore[union-attr]


@pytest.mark.clause("K.I4")
def test_the_captain_knows_nothing_of_enemies_out_of_sight() -> None:
    sea = battle(ship(facing=2), enemy(pos=(9, 0)), visibility=4)
    assert make_plans(View(sea, "ENG"))["ENG-1"].band is None
    there, _ = asked(sea)
    sea.move(sea.ships["D1"], (-9, 3))
    assert asked(sea)[0] == there


@pytest.mark.clause("K.AI11")
def test_badly_damaged_ships_leave_the_fight() -> None:
    hurt = ship(facing=2, hits_struct=12, steps_lost=2, hits_taken=12)
    sea = battle(hurt, enemy(pos=(-2, 0), facing=2, acted=True))
    _, found = asked(sea)
    assert distance(found.pos, (-2, 0)) > 2
    assert found.pos == STEPS[2]


@pytest.mark.clause("K.AI12")
def test_a_prize_is_steered_away_from_the_enemy() -> None:
    prize = enemy("D2", pos=(0, 0), facing=2, prize_of="ENG", is_flagship=False)
    sea = battle(ship(pos=(-4, 0)), prize, enemy(pos=(-1, 1), facing=2, acted=True))
    _, found = asked(sea, "D2")
    assert distance(found.pos, (-1, 1)) > 1


@pytest.mark.clause("K.M22", "K.M31")
def test_almost_no_order_of_a_captain_is_refused() -> None:
    moved = refused = 0
    for seed in range(3):
        log = Log()
        rule_set("kohler").play(meeting(12, 12), KeyedDice(bytes([seed]), log=log), log)
        moved += sum(event.kind == "moved" for event in log.events)
        refused += sum(event.kind == "refused" for event in log.events)
    assert moved > 600
    assert refused < moved / 200


def test_captains_are_asked_about_ships_that_cannot_choose() -> None:
    for over in ({"aground": True}, {"steps_lost": 3, "hits_struct": 17}, {"prize_of": "ENG"}):
        sea = battle(ship(facing=2, **over), enemy(pos=(2, 0)))
        for name in CAPTAINS:
            asked(sea, captain=name)


def test_a_side_without_a_captain_does_nothing_and_is_not_an_error() -> None:
    sea = battle(ship(facing=2), enemy())
    turn.play_turn(sea, Play(dice=FastDice(1), views={"ENG": View(sea, "ENG"), "DUT": View(sea, "DUT")}))
    assert sea.turn == 2


@pytest.mark.parametrize(("size", "runs", "least"), [(10, 8, 6), (20, 4, 3)])
def test_the_squadrons_captain_beats_the_plain_one(size: int, runs: int, least: int) -> None:
    score = study(size=size, runs=runs, captain="squadron")
    assert score.won >= least
    assert score.own_ships < score.other_ships
