"""The die of a broadside, its modifiers, and all guns at once. Rules: K.F8-K.F16, K.E12-K.E14."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.core.dice import FastDice
from battles.engine.rulesets.kohler import gunnery
from battles.engine.rulesets.kohler.arcs import SIDES, rakes
from battles.engine.rulesets.kohler.play import Orders, Play
from battles.engine.rulesets.kohler.state import LockKind, Status, WindForce
from tests.engine.kohler.builders import battle, events, play, ship
from tests.engine.kohler.guns import enemy, fire


@pytest.mark.clause("K.E12", "K.F8", "K.F14", "K.F4")
@pytest.mark.parametrize(("die", "hits"), [(2, 3), (6, 1)])
def test_seven_and_a_half_points_at_short_range_hit_as_in_the_table(die: int, hits: int) -> None:
    target = enemy(pos=(1, 0))
    played = fire(battle(ship(facing=0, fire_track=(15, 11, 7, 3)), target), die)
    shot = events(played, "fire")[0].data
    assert (shot["score"], shot["hits"], shot["mods"]) == (die - 1, hits, [["short", -1]])
    assert target.hits_struct == target.hits_taken == hits


@pytest.mark.clause("K.E13", "K.F9")
@pytest.mark.parametrize(("die", "facing", "hits"), [(4, 1, 2), (2, 1, 3), (4, 2, 1)])
def test_a_stern_rake_comes_from_the_hex_dead_astern(die: int, facing: int, hits: int) -> None:
    target = enemy(pos=(1, -1), facing=facing)
    fire(battle(ship(facing=0), target), die)
    assert target.hits_struct == hits


@pytest.mark.clause("K.F9")
def test_there_is_no_rake_from_the_bow_or_from_two_hexes_astern() -> None:
    target = enemy(pos=(2, -2), facing=1)
    assert rakes((1, -1), target)
    assert not rakes((3, -3), target)
    far = gunnery.modifiers(battle(ship(facing=0), target), ship(facing=0), target, 2)
    assert far == []


@pytest.mark.clause("K.E14", "K.F10", "K.F11", "K.F12", "K.F8")
@pytest.mark.parametrize(
    ("built_by", "die", "points", "hits"),
    [("England", 1, 8, 1), ("England", 2, 8, 0), ("Dutch Republic", 1, 12, 1), ("Dutch Republic", 2, 12, 1)],
)
def test_a_lee_broadside_in_strong_wind_at_a_distant_small_ship_is_right(
    built_by: str, die: int, points: int, hits: int
) -> None:
    firer = ship(facing=2, fire_track=(16, 12, 8, 4), built_by=built_by)
    target = enemy(pos=(0, 3), guns=24, band=20, n_steps=2, small=True, hull_max=6, thresholds=(3, 6))
    played = fire(battle(firer, target, strength=WindForce.STRONG), die)
    shot = events(played, "fire")[0].data
    assert (shot["side"], shot["score"], shot["points"], shot["hits"]) == ("starboard", die + 4, points, hits)


@pytest.mark.clause("K.F12")
@pytest.mark.parametrize(
    ("facing", "port", "starboard"), [(0, 8, 8), (1, 8, 4), (2, 8, 4), (3, 8, 8), (4, 4, 8), (5, 4, 8)]
)
def test_only_the_lee_side_loses_fire_in_strong_wind(facing: int, port: int, starboard: int) -> None:
    firer = ship(facing=facing)
    fight = battle(firer, strength=WindForce.STRONG)
    assert [gunnery.points_of(fight, firer, side) for side in SIDES] == [port, starboard]
    assert [gunnery.points_of(battle(ship(facing=facing)), firer, side) for side in SIDES] == [8, 8]


@pytest.mark.clause("K.F12")
def test_past_the_end_of_the_track_the_lee_side_is_silent() -> None:
    firer = ship(facing=2, steps_lost=2, hits_struct=12)
    assert gunnery.points_of(battle(firer, strength=WindForce.STRONG), firer, "starboard") == 0
    fight = battle(firer, enemy(pos=(0, 1)), strength=WindForce.STRONG)
    assert not events(fire(fight), "fire")


@pytest.mark.clause("K.F13", "K.F8")
def test_fires_aboard_spoil_the_aim_once_however_many() -> None:
    target = enemy(pos=(2, 0))
    firer = ship(facing=0, fires=[1, 1])
    assert gunnery.modifiers(battle(firer, target), firer, target, 2) == [("on_fire", 2)]


@pytest.mark.clause("K.F8", "K.F4")
@pytest.mark.parametrize(("reach", "sum_"), [(0, -1), (1, -1), (2, 0), (3, 2), (4, 2)])
def test_range_has_its_modifiers(reach: int, sum_: int) -> None:
    firer, target = ship(facing=0), enemy(pos=(9, 9))
    assert sum(value for _, value in gunnery.modifiers(battle(firer), firer, target, reach)) == sum_


@pytest.mark.clause("K.F10")
@pytest.mark.parametrize(("guns", "strict"), [(24, False), (20, True), (12, True)])
def test_with_the_option_small_targets_have_twenty_guns_or_fewer(guns: int, strict: bool) -> None:
    target = enemy(guns=guns, small=True)
    assert gunnery.is_small(battle(target), target)
    assert gunnery.is_small(battle(target, options={"small_target_limit": "20_or_fewer"}), target) is strict


@pytest.mark.clause("K.F15")
def test_with_the_option_half_points_use_the_upper_line() -> None:
    counts = []
    for option in ("lower", "upper"):
        target = enemy(pos=(2, 0))
        fight = battle(ship(facing=0, fire_track=(5, 3, 2, 1)), target, options={"half_points": option})
        fire(fight, 1)
        counts.append(target.hits_struct)
    assert counts == [1, 2]


@pytest.mark.clause("K.F1", "K.F2", "K.F19", "K.0.5")
def test_both_broadsides_fire_full_points_one_die_each_port_first_every_turn() -> None:
    firer = ship(facing=0)
    fight = battle(firer, enemy(pos=(-1, 0)), enemy(id="D2", pos=(1, 0)))
    for turn in (1, 2):
        fight.turn = turn
        shots = events(fire(fight, 6, 6), "fire")
        assert [(e.data["side"], e.data["points"], e.data["target"]) for e in shots] == [
            ("port", 8, "D1"),
            ("starboard", 8, "D2"),
        ]


@pytest.mark.clause("K.F16", "K.T2")
def test_a_ship_sunk_by_the_first_broadside_still_fires() -> None:
    dying = enemy(pos=(1, 0), facing=0, fire_track=(8, 6, 4, 2), hits_struct=21, steps_lost=3)
    firer = ship(facing=0)
    played = fire(battle(firer, dying), 1, 1)
    assert [e.ship for e in events(played, "fire")] == ["E1", "D1"]
    assert dying.status is Status.SINKING and firer.hits_struct == 1


@pytest.mark.clause("K.F16")
def test_hits_of_several_ships_are_summed_before_steps_are_counted() -> None:
    target = enemy(pos=(1, 0))
    fight = battle(ship(facing=0), ship(id="E2", pos=(2, 0), facing=0), target)
    played = fire(fight, 1, 1)
    assert [e.data["struct"] for e in events(played, "damage")] == [6]
    assert target.unchecked_steps == [1]


@pytest.mark.clause("K.D10", "K.F16")
def test_fire_points_are_those_at_the_start_of_the_phase() -> None:
    one, other = ship(facing=0), enemy(pos=(1, 0), facing=0, fire_track=(8, 6, 4, 2), hits_struct=5)
    shots = events(fire(battle(one, other), 1, 6), "fire")
    assert [e.data["points"] for e in shots] == [8, 8]
    assert other.steps_lost == 1


@pytest.mark.clause("K.F8", "K.0.4")
def test_every_die_is_named_by_turn_ship_and_broadside_and_no_two_alike() -> None:
    fight = battle(ship(facing=0), enemy(pos=(1, 0)), enemy(id="D2", pos=(-1, 0)))
    played = fire(fight, 6, 6)
    assert [e.data["key"] for e in events(played, "die")] == ["/K.F8/1/E1/port", "/K.F8/1/E1/starboard"]


@pytest.mark.clause("K.F17")
def test_an_order_for_the_engaged_broadside_of_a_grappled_ship_is_refused() -> None:
    held, foe, other = ship(facing=0), enemy(facing=0), enemy(id="D2", pos=(-2, 0))
    foe.placement["E1"] = "port"
    fight = battle(held, foe, other)
    fight.hold(LockKind.GRAPPLE, foe, held)
    played = fire(fight, orders={"E1": Orders(targets={"port": "D2"})})
    assert [(e.clause, e.data["code"]) for e in events(played, "refused")] == [("K.F17", "order/engaged")]
    assert not events(played, "fire")


@pytest.mark.clause("K.D9")
def test_steps_lost_and_swept_decks_weaken_both_broadsides_alike() -> None:
    firer = ship(facing=0, hits_struct=7, steps_lost=1, gun_timers=[2])
    shots = events(fire(battle(firer, enemy(pos=(-1, 0)), enemy(id="D2", pos=(1, 0))), 6, 6), "fire")
    assert [e.data["points"] for e in shots] == [4, 4]


@pytest.mark.clause("K.F14", "K.F16", "K.D1")
@given(
    st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.integers(0, 5)), min_size=2, max_size=14),
    st.integers(0, 999),
)
def test_damage_given_equals_damage_taken_and_no_one_loses_more_than_her_hull(
    places: list[tuple[int, int, int]], seed: int
) -> None:
    ships = [
        ship(
            id=f"S{n}", side="ENG" if n % 2 else "DUT", pos=(q, r), facing=facing, fire_track=(22, 16, 10, 4)
        )
        for n, (q, r, facing) in enumerate(places)
    ]
    fight = battle(*ships)
    played = Play(dice=FastDice(seed))
    for _ in range(5):
        gunnery.fire_phase(fight, played)
    assert sum(one.hits_given for one in ships) == sum(one.hits_taken for one in ships)
    for one in ships:
        assert one.hits_struct == min(one.hits_taken, one.hull_max)
        assert (one.status is Status.SINKING) == (one.hull_left == 0)


def test_a_phase_without_a_log_does_the_same_damage() -> None:
    def fought(logged: bool) -> list[int]:
        fight = battle(*(ship(id=f"E{n}", pos=(n, 0), facing=n % 6) for n in range(6)), enemy(pos=(2, 1)))
        dice = FastDice(7)
        gunnery.fire_phase(fight, Play(dice=dice, log=play().log if logged else None))
        return [one.hits_struct for one in fight.ships.values()]

    assert fought(True) == fought(False)
