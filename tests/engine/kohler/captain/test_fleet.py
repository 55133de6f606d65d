"""The line of battle of a side that fights by its guns: common course and pace, gunshot, drawing off, ships that haul out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battles.data.scenarios.build import files
from battles.engine.cli import load
from battles.engine.core.hexes import distance
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.kohler.captain.fleet import (
    ABREAST,
    ALONGSIDE,
    ASTERN,
    CLOSED,
    CLOSED_OF,
    COMES_UP,
    GUNSHOT,
)
from battles.engine.rulesets.kohler.captain.goals import goal_of
from battles.engine.rulesets.kohler.captain.plan import Mode, Plan
from battles.engine.rulesets.kohler.captain.strategy import DUSK, HAULS_OUT, SUFFERED, is_hurt, make_strategy
from battles.engine.rulesets.kohler.captain.weights import COMMANDER
from battles.engine.rulesets.kohler.state import Battle, Ship
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, ship
from tests.engine.kohler.captain.asking import enemy
from tests.study_conduct import battle as watched

BY_GUNS = Doctrine(board="crippled")


def line(squadron: str, *cells: tuple[int, int], side: str = "ENG", facing: int = 2) -> list[Ship]:
    """Ships of a squadron in these hexes, the first its flagship."""
    return [
        ship(
            id=f"{squadron}{n}", side=side, squadron=squadron, pos=cell, facing=facing, is_flagship=n == 0,
        )
        for n, cell in enumerate(cells)
    ]  # fmt: skip


def plans(sea: Battle, doctrine: Doctrine = BY_GUNS, side: str = "ENG") -> dict[str, Plan]:
    for squadron in sea.squadrons.values():
        squadron.doctrine = doctrine
    return make_strategy(View(sea, side), COMMANDER)


def abeam(ahead: int = 0, rows: int = 8) -> Ship:
    """A sound enemy so many rows to leeward of the middle of `two_squadrons`, and so many hexes ahead of it."""
    return enemy(pos=(-4 - rows // 2 + ahead, rows), facing=2)


def two_squadrons(*foes: Ship, **over: object) -> Battle:
    """English squadrons A and B in line on the reach 2 in a north wind, the van ahead of the rear."""
    van, rear = line("A", (0, 0), (-1, 0), (-2, 0)), line("B", (-6, 0), (-7, 0), (-8, 0))
    return battle(*van, *rear, *foes, **over)


@pytest.mark.clause("K.AI2", "K.AI11")
def test_the_numbers_of_the_line_are_those_of_the_rules() -> None:
    assert (GUNSHOT, ABREAST, ALONGSIDE, ASTERN, COMES_UP) == ((3, 4), 3, 9, 6, 12)
    assert (CLOSED, CLOSED_OF) == (2, 4)
    assert (DUSK, SUFFERED, HAULS_OUT, COMMANDER.beaten) == (6, 5, 5, 40)


@pytest.mark.clause("K.AI2", "G.MV5")
def test_a_side_that_fights_by_its_guns_has_one_course_and_one_pace_and_keeps_at_gunshot() -> None:
    sea = two_squadrons(abeam())
    sea.ships["B1"].steps_lost = 1
    found = plans(sea)
    assert {(plan.in_line, plan.course, plan.pace) for plan in found.values()} == {(True, 2, 2)}
    assert {(plan.least, plan.most) for plan in found.values()} == {GUNSHOT}
    assert {(p.least, p.most) for p in plans(sea, replace(BY_GUNS, fight_at="close")).values()} == {(0, 1)}
    assert not any(plan.in_line for plan in plans(sea, Doctrine(board="pays")).values()), (
        "she closes and boards"
    )


@pytest.mark.clause("K.AI2")
def test_the_head_of_the_line_waits_for_an_enemy_whom_it_has_left_astern() -> None:
    assert {plan.pace for plan in plans(two_squadrons(abeam(-ABREAST))).values()} == {3}
    assert {plan.pace for plan in plans(two_squadrons(abeam(-ABREAST - 1))).values()} == {2}


@pytest.mark.clause("K.AI2")
def test_the_line_wears_together_once_the_enemy_is_far_astern_and_out_of_reach() -> None:
    def course(ahead: int, rows: int) -> set[int]:
        return {plan.course for plan in plans(two_squadrons(abeam(ahead, rows))).values()}

    assert course(-ASTERN - 1, 14) == {4}, "astern, out of reach: the other reach"
    assert course(-ASTERN, 14) == course(ASTERN, 14) == {2}
    assert course(-ASTERN - 1, 8) == {2}, "astern, but alongside the rear"


@pytest.mark.clause("K.AI2", "K.W4")
@pytest.mark.parametrize(("before", "course"), [(3, 1), (1, 3)])
def test_ships_that_a_shift_sets_running_keep_the_tack_they_were_on(before: int, course: int) -> None:
    ships = line("A", (0, 0), (-1, 0), (-2, 0), facing=2)
    sea = battle(*ships, enemy(pos=(0, 8)), wind=2, wind_prev=before)
    assert sea.rel(2) == 3
    assert plans(sea)["A"].course == course


def beating(*foes: tuple[int, int], facing: int = 2, theirs: tuple[int, ...] = (1,)) -> tuple[int, int]:
    """Course and pace of a line on this heading in a north wind; `theirs`: how the enemies in these hexes head, in turn."""
    cells = [(cell, theirs[n % len(theirs)]) for n, cell in enumerate(foes)]
    sea = two_squadrons(*(enemy(f"D{n}", pos=cell, facing=heads) for n, (cell, heads) in enumerate(cells)))
    for one in sea.ships.values():
        if one.side == "ENG":
            one.facing = facing
    ((course, pace),) = {(plan.course, plan.pace) for plan in plans(sea).values()}
    return course, pace


NORTH = (-4, -10)


@pytest.mark.clause("K.AI2", "K.AI5")
def test_a_line_to_leeward_of_an_enemy_who_does_not_come_down_beats_up_until_its_guns_reach() -> None:
    assert beating(NORTH) == beating(NORTH, facing=1) == (1, 1), "on the port tack"
    assert beating(NORTH, facing=4) == beating(NORTH, facing=5) == (5, 1), "on the starboard tack"
    assert beating((-5, 8))[0] == 2, "to leeward"
    assert beating(NORTH, (0, -5))[0] == 1, "out of gunshot"
    assert beating(NORTH, (0, -4))[0] == 2, "in gunshot"


@pytest.mark.clause("K.AI2", "K.AI5")
@pytest.mark.parametrize(
    ("theirs", "course"), [((0,), 1), ((5,), 1), ((2,), 2), ((3,), 2), ((4,), 2), ((1, 2), 2), ((1, 1, 2), 1)]
)
def test_an_enemy_comes_down_while_half_of_his_ships_reach_or_run(
    theirs: tuple[int, ...], course: int
) -> None:
    north = [(-4 + n, -10) for n in range(len(theirs))]
    assert beating(*north, theirs=theirs)[0] == course


@pytest.mark.clause("K.AI2", "G.MV5")
def test_a_line_that_is_to_hold_its_ground_does_not_beat_up_to_the_enemy() -> None:
    sea = two_squadrons(enemy(pos=NORTH, facing=1))
    assert {plan.course for plan in plans(sea).values()} == {1}
    held = plans(sea, replace(BY_GUNS, stance=Stance.HOLD))
    assert {(plan.mode, plan.course) for plan in held.values()} == {(Mode.HOLD, 2)}


@pytest.mark.clause("K.AI5")
def test_a_line_that_beats_tacks_all_together_when_the_enemy_is_abeam() -> None:
    before, abeam, abaft = (-7, -5), (-9, -5), (-14, -5)
    assert beating(before, facing=1)[0] == 1
    assert beating(abeam, facing=1)[0] == beating(abaft, facing=1)[0] == 5
    assert beating(abaft, facing=5)[0] == 5, "and keeps that tack"


@pytest.mark.clause("K.AI2", "K.S9")
def test_squadrons_of_a_much_stronger_side_go_up_to_ships_at_anchor_instead_of_passing_them_in_line() -> None:
    def in_line(anchored: int, under_sail: int) -> set[bool]:
        foes = [
            enemy(f"D{n}", pos=(n - 8, 8), squadron="D" if n < anchored else "S")
            for n in range(anchored + under_sail)
        ]
        sea = two_squadrons(*foes, options={"at_anchor": {"D": 9}})
        found = plans(sea)
        assert {bool(plan.ahead) for plan in found.values()} == {plan.in_line for plan in found.values()}, (
            "without a line each ship goes up for herself"
        )
        return {plan.in_line for plan in found.values()}

    assert in_line(2, 0) == {False}
    assert in_line(1, 1) == {True}, "half of them are under sail"
    assert in_line(4, 0) == {True}, "too many to go up to"


@pytest.mark.clause("K.AI3")
def test_a_squadron_that_the_enemy_has_closed_with_looks_to_its_guns_and_the_others_keep_the_line() -> None:
    found = plans(two_squadrons(enemy(pos=(0, CLOSED), facing=2)))
    assert [found[code].in_line for code in "AB"] == [False, True]
    assert all(plan.in_line for plan in plans(two_squadrons(enemy(pos=(0, CLOSED + 1)))).values())


@pytest.mark.clause("K.AI2")
def test_a_squadron_without_an_enemy_comes_up_when_others_are_in_action() -> None:
    def kept(q: int) -> list[bool]:
        foe = enemy(pos=(q, 3), facing=2)
        assert distance(foe.pos, (-6, 0)) == q + 9
        return [plan.in_line for plan in plans(two_squadrons(foe)).values()]

    assert kept(COMES_UP - 9) == [True, True]
    assert kept(COMES_UP - 8) == [True, False]


def beaten(lost: int, *, in_action: bool = True, **over: object) -> Battle:
    """Two squadrons that have lost so many hull points a ship, before as many sound enemies. in_action: a ship of theirs has hit."""
    foes = line("D", *((n, 8) for n in range(6)), side="DUT")
    sea = two_squadrons(*foes, **over)
    for one in sea.ships.values():
        if one.side == "ENG":
            one.hits_struct = lost
            one.steps_lost = sum(lost >= step for step in one.thresholds)
    sea.ships["B2"].hits_given = int(in_action)
    return sea


@pytest.mark.clause("K.AI11", "G.MV5")
@pytest.mark.parametrize(
    ("lost", "doctrine", "mode"),
    [
        (5, BY_GUNS, Mode.FIGHT),  # 22%, but it still has more guns than the enemy
        (6, BY_GUNS, Mode.AWAY),  # 27%, and a step of the guns
        (6, replace(BY_GUNS, break_off=60), Mode.AWAY),
        (6, replace(BY_GUNS, break_off=80), Mode.FIGHT),
        (8, replace(BY_GUNS, break_off=80), Mode.AWAY),  # 36% of 80
        (6, replace(BY_GUNS, break_off=100), Mode.FIGHT),
        (6, Doctrine(board="pays"), Mode.FIGHT),
    ],
)
def test_a_beaten_line_leaves_at_two_fifths_of_the_loss_that_its_instructions_bear(
    lost: int, doctrine: Doctrine, mode: Mode
) -> None:
    found = plans(beaten(lost), doctrine)
    assert {plan.mode for plan in found.values()} == {mode}


@pytest.mark.clause("K.AI11")
@pytest.mark.parametrize(("given", "taken", "course"), [(0, 0, 2), (1, 0, 1), (0, 1, 1)])
def test_a_side_that_was_hurt_before_does_not_draw_off_at_dusk_before_it_has_been_in_action(
    given: int, taken: int, course: int
) -> None:
    sea = beaten(3, in_action=False, turn=31 - DUSK)
    sea.ships["A1"].hits_given, sea.ships["A1"].hits_taken = given, taken
    assert plans(sea)["A"].course == course


@pytest.mark.clause("K.AI11")
def test_a_side_that_has_suffered_draws_off_before_night_and_turns_away_together() -> None:
    def at_dusk(lost: int, left: int, doctrine: Doctrine = BY_GUNS) -> Plan:
        return plans(beaten(lost, turn=30 - left), doctrine)["A"]

    by_day = at_dusk(3, DUSK)
    assert (by_day.course, by_day.least, by_day.most) == (2, *GUNSHOT)
    dusk = at_dusk(3, DUSK - 1)
    assert (dusk.in_line, dusk.course) == (True, 1), "close hauled, the enemy being to leeward"
    assert dusk.least > 4
    assert at_dusk(2, DUSK - 1).course == 2, "9% is nothing to draw off for"
    assert at_dusk(3, DUSK - 1, replace(BY_GUNS, break_off=100)).course == 2
    assert at_dusk(3, DUSK - 1, Doctrine(board="pays")).mode is Mode.AWAY
    assert at_dusk(3, DUSK, Doctrine(board="pays")).mode is Mode.FIGHT


@pytest.mark.clause("K.AI11")
def test_a_ship_hauls_out_of_the_line_before_a_few_more_hits_make_her_too_slow() -> None:
    one = ship(hits_struct=11 - HAULS_OUT, steps_lost=1)
    assert is_hurt(one, COMMANDER, in_line=True) and not is_hurt(one, COMMANDER)
    one.hits_struct -= 1
    assert not is_hurt(one, COMMANDER, in_line=True)
    sea = two_squadrons(abeam())
    sea.ships["A1"].hits_struct, sea.ships["A1"].steps_lost = 11 - HAULS_OUT, 1
    assert plans(sea)["A"].line == ("A0", "A2")
    assert plans(sea, Doctrine())["A"].line == ("A0", "A1", "A2")


@pytest.mark.clause("K.AI4", "K.AI11")
def test_no_one_keeps_near_a_flagship_that_hauls_out() -> None:
    sea = two_squadrons(abeam())
    where = {}
    for hits in (11 - HAULS_OUT - 1, 11 - HAULS_OUT):
        sea.ships["A0"].hits_struct, sea.ships["A0"].steps_lost = hits, 1
        view, found = View(sea, "ENG"), plans(sea)
        for code, squadron in (("A1", "A"), ("B1", "B")):
            goal = goal_of(view, view.own(code), found[squadron], [], COMMANDER, away=False)
            where[hits, code] = goal.flagship
    assert where == {(5, "A1"): (0, 0), (5, "B1"): (-6, 0), (6, "A1"): None, (6, "B1"): (-6, 0)}


@pytest.mark.clause("K.AI11", "K.X7")
def test_a_fire_ship_that_has_burnt_is_no_loss_of_hull() -> None:
    burnt = ship(id="F1", squadron="A", is_fireship=True, hull_max=100)
    sea = two_squadrons(burnt, abeam())
    view = View(sea, "ENG")
    assert view.hull_of(sea.squadrons["A"]) == (66, 66)


@pytest.mark.clause("K.AI3")
def test_in_a_duel_who_moves_after_the_enemy_brings_a_broadside_to_bear_nineteen_times_in_twenty() -> None:
    scenario = load(files("kohler") / "single_ships.json")
    seen = [one for seed in range(1, 7) for one in watched(scenario, seed).values()]
    assert sum(one.chances for one in seen) > 20
    assert 20 * sum(one.idle for one in seen) <= sum(one.chances for one in seen)


@pytest.mark.clause("K.AI1", "K.AI2", "K.AI11")
def test_the_first_of_the_four_days_is_fought_in_line_and_the_weather_gauge_held() -> None:
    scenario = load(files("kohler") / "four_days_1.json")
    for side, seen in watched(scenario, 1).items():
        assert seen.headings / seen.gunfire >= 0.7, side
        assert seen.lost <= 10, side
        if side == "E":
            assert seen.windward / seen.turns >= 0.6
