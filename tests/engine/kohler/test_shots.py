"""Who fires at whom alongside and on fire, and what the guns of each side bear on. Rules: K.F5-K.F18, K.B12, K.X14."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.kohler import gunnery
from battles.engine.rulesets.kohler.play import Orders
from battles.engine.rulesets.kohler.state import LockKind, Status, WindForce
from tests.engine.kohler.builders import battle, events, ship
from tests.engine.kohler.guns import enemy, fire


@pytest.mark.clause("K.F8", "K.F9", "K.F10", "K.F11", "K.F13", "K.F4")
def test_all_modifiers_of_a_shot_are_named_and_added() -> None:
    firer, target = ship(facing=0, fires=[1]), enemy(pos=(1, -1), facing=1, small=True)
    fight = battle(firer, target, strength=WindForce.STRONG)
    assert gunnery.modifiers(fight, firer, target, 1) == [
        ("short", -1), ("rake", -2), ("on_fire", 2), ("small", 1), ("strong_wind", 1),
    ]  # fmt: skip
    assert gunnery.modifiers(fight, firer, target, 0) == [
        ("short", -1), ("on_fire", 2), ("small", 1), ("strong_wind", 1),
    ]  # fmt: skip
    calm = battle(ship(facing=0), enemy(pos=(3, 0)))
    one, other = calm.ships.values()
    assert [gunnery.modifiers(calm, one, other, reach) for reach in range(5)] == [
        [("short", -1)], [("short", -1)], [], [("long", 2)], [("long", 2)],
    ]  # fmt: skip
    for strength in (WindForce.STILL, WindForce.LIGHT, WindForce.NORMAL):
        assert gunnery.modifiers(battle(one, other, strength=strength), one, other, 2) == []


@pytest.mark.clause("K.F10")
@pytest.mark.parametrize(
    ("guns", "small", "fire_ship", "limit", "is_small"),
    [
        (21, True, False, "20_or_fewer", False),
        (20, True, False, "20_or_fewer", True),
        (28, True, True, "20_or_fewer", True),
        (20, False, False, "20_or_fewer", False),
        (28, True, False, "under_30", True),
        (30, False, False, "under_30", False),
    ],
)
def test_the_option_decides_which_ships_are_small_targets(
    guns: int, small: bool, fire_ship: bool, limit: str, is_small: bool
) -> None:
    target = enemy(guns=guns, small=small, is_fireship=fire_ship)
    assert gunnery.is_small(battle(target, options={"small_target_limit": limit}), target) is is_small


@pytest.mark.clause("K.F17")
def test_some_ships_can_fire_and_some_have_nothing_left_to_fire_with() -> None:
    assert gunnery.can_fire(ship(fire_track=(1,) * 4, steps_lost=3))
    assert not gunnery.can_fire(ship(fire_track=(0,) * 4))
    assert not gunnery.can_fire(ship(steps_lost=4))
    assert not gunnery.can_fire(ship(status=Status.EXPECTED))
    assert not gunnery.can_fire(ship(prize_of="ENG")), "nor a prize taken back"


@pytest.mark.clause("K.F12")
@pytest.mark.parametrize(
    ("built_by", "points"), [("England", 4), ("Great Britain", 4), ("Dutch Republic", 6), ("France", 6)]
)
def test_the_lee_broadside_of_english_ships_drops_two_steps_and_of_others_one(
    built_by: str, points: int
) -> None:
    firer = ship(facing=2, built_by=built_by)
    fight = battle(firer, strength=WindForce.STRONG)
    assert (gunnery.points_of(fight, firer, "port"), gunnery.points_of(fight, firer, "starboard")) == (
        8,
        points,
    )


@pytest.mark.clause("K.F4")
@pytest.mark.parametrize(("reach", "fires"), [(1, True), (2, True), (3, True), (4, True), (5, False)])
def test_guns_reach_four_hexes(reach: int, fires: bool) -> None:
    fight = battle(ship(facing=0), enemy(pos=(reach, 0)))
    shots = events(fire(fight, *([6] if fires else [])), "fire")
    assert [event.data["range"] for event in shots] == ([reach] if fires else [])


@pytest.mark.clause("K.F14", "K.F16")
def test_a_broadside_that_misses_crosses_nothing_off_and_is_still_logged() -> None:
    firer, target = ship(facing=0), enemy(pos=(3, 0))
    played = fire(battle(firer, target), 6)
    (shot,) = events(played, "fire")
    assert shot.data == {
        "target": "D1", "side": "starboard", "range": 3, "mods": [["long", 2]], "score": 8, "points": 8, "hits": 0,
    }  # fmt: skip
    assert not events(played, "damage") and (firer.hits_given, target.hits_taken) == (0, 0)


@pytest.mark.clause("K.F16", "K.F14")
def test_hits_given_and_taken_are_counted_ship_by_ship() -> None:
    one, two = ship(facing=0), ship(id="E2", pos=(0, 9), facing=0)
    first, second = enemy(pos=(1, 0)), enemy(id="D2", pos=(1, 9))
    played = fire(battle(one, two, first, second), 2, 6)
    assert [one.hits_given, two.hits_given, first.hits_taken, second.hits_taken] == [2, 1, 2, 1]
    assert [(event.ship, event.data["struct"]) for event in events(played, "damage")] == [
        ("D1", 2),
        ("D2", 1),
    ]


@pytest.mark.clause("K.F17", "K.F7")
def test_a_ship_grappled_on_one_side_fires_at_no_one_else_in_her_hex() -> None:
    held, foe, other = ship(facing=0), enemy(facing=0), enemy(id="D2", facing=0)
    foe.placement["E1"], other.placement["E1"] = "port", "starboard"
    fight = battle(held, foe, other)
    fight.hold(LockKind.GRAPPLE, foe, held)
    assert not events(fire(fight), "fire")
    free = battle(held_free := ship(facing=0), foe_free := enemy(facing=0), enemy(id="D2", facing=0))
    foe_free.placement["E1"] = "port"
    free.ships["D2"].placement["E1"] = "starboard"
    shots = events(fire(free, 6, 6), "fire")
    assert [(event.data["side"], event.data["target"]) for event in shots] == [
        ("port", "D1"),
        ("starboard", "D2"),
    ]
    assert not held_free.locks


@pytest.mark.clause("K.X14", "K.F7")
def test_a_ship_held_by_a_fire_ship_fires_at_others_alongside_but_not_at_her() -> None:
    held, brander, foe = ship(facing=0), enemy(fired=True, facing=0), enemy(id="D2", facing=0)
    brander.placement["E1"], foe.placement["E1"], foe.placement["D1"] = "port", "starboard", "port"
    fight = battle(held, brander, foe)
    fight.hold(LockKind.FIRE_SHIP, brander, held)
    shots = events(fire(fight, 6), "fire")
    assert [(event.data["side"], event.data["target"]) for event in shots] == [("starboard", "D2")]


@pytest.mark.clause("K.F1", "K.F7")
@pytest.mark.parametrize(("side", "fires"), [("port", True), ("starboard", False)])
def test_an_order_to_fire_at_a_ship_alongside_applies_to_the_side_she_lies_on(side: str, fires: bool) -> None:
    one, foe = ship(facing=0), enemy(facing=0)
    foe.placement["E1"] = "port"
    orders = {"E1": Orders(targets={"port": "", "starboard": "", side: "D1"})}
    played = fire(battle(one, foe), *([6] if fires else []), orders=orders)
    assert [event.data["range"] for event in events(played, "fire")] == ([0] if fires else [])
    assert [(event.clause, event.data["code"]) for event in events(played, "refused")] == (
        [] if fires else [("K.F7", "order/out-of-arc")]
    )


@pytest.mark.clause("K.F3", "K.F5", "K.F6", "K.F18")
@pytest.mark.parametrize(
    ("place", "clause", "code"),
    [((-2, 0), "K.F3", "order/out-of-arc"), ((0, -2), "K.F3", "order/out-of-arc"), ((5, 0), "K.F3", "order/out-of-arc")],
)  # fmt: skip
def test_an_order_beyond_arc_or_reach_is_refused_by_its_clause(
    place: tuple[int, int], clause: str, code: str
) -> None:
    orders = {"E1": Orders(targets={"port": "", "starboard": "D1"})}
    played = fire(battle(ship(facing=0), enemy(pos=place)), orders=orders)
    assert [(event.clause, event.data["code"]) for event in events(played, "refused")] == [(clause, code)]
