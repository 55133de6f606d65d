"""What gunners make of a target: how soon a step goes, and when enough guns are laid on her. Rule: K.AI7."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.kohler import gunnery
from battles.engine.rulesets.kohler.state import WindForce
from battles.engine.rulesets.kohler.tables import expected_sixths
from tests.engine.kohler.builders import battle, play, ship
from tests.engine.kohler.guns import enemy


@pytest.mark.clause("K.AI7", "K.AI1")
@pytest.mark.parametrize(
    ("band", "n_steps", "reach", "points", "soon"),
    [
        # A step is a part of the usual hull: 23 points of a fifty, and 33 of the largest that the Dutch build.
        (50, 4, 1, 8, 345),
        (30, 3, 1, 8, 220),
        (90, 4, 1, 8, 495),
        (50, 4, 2, 8, 492),
        # Half a point at Long is expected to hit nothing, and counts as one sixth.
        (50, 4, 4, 1, 3_450),
        (20, 2, 4, 1, 2_100),
    ],
)
def test_how_many_hundredths_of_a_broadside_a_step_takes(
    band: int, n_steps: int, reach: int, points: int, soon: int
) -> None:
    firer, target = ship(facing=0), enemy(pos=(reach, 0), facing=5, band=band, n_steps=n_steps)
    gunner = gunnery.Gunner(battle(firer, target))
    assert gunner._merit(gunnery.Shot(firer, "starboard", target, reach, points)) == (
        False,
        reach,
        soon,
        False,
        1,
    )


@pytest.mark.clause("K.AI7")
@pytest.mark.parametrize(
    ("lost", "laid", "doomed"),
    [(0, 137, False), (0, 138, True), (1, 103, False), (1, 104, True),
     (3, 34, False), (3, 35, True), (3, 0, False), (4, 0, False), (4, 1, True)],
)  # fmt: skip
def test_a_target_is_done_for_when_the_hits_expected_reach_the_steps_that_are_left(
    lost: int, laid: int, doomed: bool
) -> None:
    firer, friend = ship(facing=0), ship(id="E2", pos=(5, 5))
    target, other = enemy(pos=(1, 0), steps_lost=lost), enemy(id="D2", pos=(1, -1))
    gunner = gunnery.Gunner(battle(firer, friend, target, other))
    gunner._laid["ENG", "D1"] = laid
    for one in (firer, friend):
        assert gunner._is_doomed(gunnery.Shot(one, "starboard", target, 1, 8)) is doomed
    assert not gunner._is_doomed(gunnery.Shot(firer, "starboard", other, 1, 8))


@pytest.mark.clause("K.AI7")
def test_the_guns_of_one_side_on_one_target_are_added_up_shot_by_shot() -> None:
    one, two = ship(facing=0), ship(id="E2", pos=(0, 1), facing=0)
    fight = battle(one, two, enemy(pos=(1, 0), facing=5))
    gunner = gunnery.Gunner(fight)
    for firer, laid in ((one, 10), (two, 20)):
        assert len(list(gunner.aim(play(), firer))) == 1
        assert gunner._laid == {("ENG", "D1"): laid}


@pytest.mark.clause("K.AI1")
@pytest.mark.parametrize(
    ("points", "modifier", "sixths"),
    [(8, -1, 10), (8, 0, 7), (8, 2, 3), (22, -3, 25), (23, -3, 25), (1, 6, 0), (0, -3, 0), (-1, -3, 0), (22, 6, 1), (1, -3, 4)],
)  # fmt: skip
def test_the_hits_expected_are_the_table_over_six_faces(points: int, modifier: int, sixths: int) -> None:
    assert expected_sixths(points, modifier) == sixths


@pytest.mark.clause("K.F8", "K.F9", "K.F10", "K.F11", "K.F13")
@pytest.mark.parametrize(
    ("reach", "facing", "found"),
    [
        (0, 0, [("short", -1)]), (1, 0, [("short", -1)]), (1, 2, [("short", -1), ("rake", -2)]), (2, 2, []),
        (3, 2, [("long", 2)]), (4, 0, [("long", 2)]),
    ],
)  # fmt: skip
def test_modifiers_by_range_and_stern(reach: int, facing: int, found: list[tuple[str, int]]) -> None:
    firer, target = ship(facing=0), enemy(pos=(reach, 0), facing=facing)
    fight = battle(firer, target)
    assert gunnery.modifiers(fight, firer, target, reach) == found
    firer.fires, target.small, target.guns, fight.strength = [1], True, 29, WindForce.STRONG
    all_of_them = [*found, ("on_fire", 2), ("small", 1), ("strong_wind", 1)]
    assert gunnery.modifiers(fight, firer, target, reach) == all_of_them


@pytest.mark.clause("K.F10")
@pytest.mark.parametrize(
    ("guns", "small", "fire_ship", "under_thirty", "twenty"),
    [(29, True, False, True, False), (21, True, False, True, False), (20, True, False, True, True),
     (24, True, True, True, True), (12, False, False, False, False)],
)  # fmt: skip
def test_a_ship_is_a_small_target_by_either_limit(
    guns: int, small: bool, fire_ship: bool, under_thirty: bool, twenty: bool
) -> None:
    target = enemy(guns=guns, small=small, is_fireship=fire_ship)
    assert gunnery.is_small(battle(target), target) is under_thirty
    assert gunnery.is_small(battle(target, options={"small_target_limit": "20_or_fewer"}), target) is twenty
