"""Gunfire: arcs, lines of fire, modifiers, targets, simultaneity. Rules: K.F, K.E11-K.E14, K.E27."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.core.dice import FastDice
from battles.engine.core.hexes import STEPS, distance, within
from battles.engine.rulesets.kohler import gunnery
from battles.engine.rulesets.kohler.arcs import ARCS, SIDES, bearing_to, is_clear, rakes, side_towards
from battles.engine.rulesets.kohler.play import Orders, Play
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship, Status, Strength
from battles.engine.rulesets.kohler.view import View
from tests.engine.kohler.builders import battle, events, play, ship


def enemy(**over: object) -> Ship:
    """A Dutch ship of 52 guns that cannot fire back unless told otherwise."""
    return ship(**{"id": "D1", "side": "DUT", "fire_track": (0, 0, 0, 0), **over})


def fire(fight: Battle, *faces: int, **over: object) -> Play:
    """Play a fire phase with these faces and see that none is left over."""
    played = play(*faces, **over)  # type: ignore[arg-type]
    with played.dice:  # type: ignore[attr-defined]
        gunnery.fire_phase(fight, played)
    return played


# --- arcs, ranges, lines of fire


@pytest.mark.clause("K.F3")
@pytest.mark.parametrize("facing", range(6))
def test_each_broadside_covers_fourteen_hexes_within_four_and_none_on_the_keel_line(facing: int) -> None:
    cells = {side: {(b.dq, b.dr) for b in ARCS[facing][side]} for side in SIDES}
    assert [len(cells[side]) for side in SIDES] == [14, 14]
    assert not cells["port"] & cells["starboard"]
    dq, dr = STEPS[facing]
    keel = {(n * dq, n * dr) for n in range(-4, 5)}
    assert not (cells["port"] | cells["starboard"]) & keel


@pytest.mark.clause("K.F3", "K.F4")
def test_range_is_the_distance_in_hexes() -> None:
    for facing in range(6):
        for cell in within((0, 0), 6):
            bearing = bearing_to((0, 0), facing, cell)
            if bearing is not None:
                assert bearing.range == distance((0, 0), cell) <= 4


@pytest.mark.clause("K.E11", "K.F3", "K.F4")
def test_arc_and_range_of_the_worked_example() -> None:
    found = bearing_to((0, 0), 0, (2, -1))
    assert found is not None and (found.side, found.range) == ("starboard", 2)
    assert bearing_to((0, 0), 0, (0, -2)) is None
    assert [bearing_to((0, 0), 0, cell).range for cell in ((4, 0), (4, -4))] == [4, 4]  # type: ignore[union-attr]
    assert bearing_to((0, 0), 0, (5, 0)) is None


@pytest.mark.clause("K.E11", "K.F5")
def test_a_shot_between_two_lines_is_blocked_only_when_both_are_stopped() -> None:
    bearing = bearing_to((0, 0), 0, (2, -1))
    assert bearing is not None
    firer, target = ship(), enemy(pos=(2, -1))
    assert is_clear(battle(firer, target, enemy(id="D2", pos=(1, 0))), (0, 0), bearing)
    both = battle(firer, target, enemy(id="D2", pos=(1, 0)), enemy(id="D3", pos=(1, -1)))
    assert not is_clear(both, (0, 0), bearing)


@pytest.mark.clause("K.F5")
@pytest.mark.parametrize(
    ("ab", "stoppers"),
    [
        ((2, 0), [{(1, 0)}]),
        ((0, 4), [{(0, 1)}, {(0, 2)}, {(0, 3)}]),
        ((1, 1), [{(1, 0), (0, 1)}]),
        ((2, 1), [{(1, 0)}, {(1, 1)}]),
        ((1, 2), [{(0, 1)}, {(1, 1)}]),
        ((3, 1), [{(1, 0)}, {(2, 1)}, {(1, 1), (2, 0)}]),
        ((1, 3), [{(0, 1)}, {(1, 2)}, {(1, 1), (0, 2)}]),
        ((2, 2), [{(1, 1)}, {(1, 0), (0, 1)}, {(2, 1), (1, 2)}]),
    ],
)
@pytest.mark.parametrize("facing", range(6))
@pytest.mark.parametrize("side", SIDES)
def test_lines_of_fire_are_stopped_by_exactly_the_tabled_hexes(
    ab: tuple[int, int], stoppers: list[set[tuple[int, int]]], facing: int, side: str
) -> None:
    turn = 1 if side == "starboard" else -1
    u, v = STEPS[(facing + turn) % 6], STEPS[(facing + 2 * turn) % 6]

    def cell(a: int, b: int) -> tuple[int, int]:
        return a * u[0] + b * v[0], a * u[1] + b * v[1]

    def clear(blocked: set[tuple[int, int]]) -> bool:
        there = [enemy(id=f"D{n}", pos=cell(*coords)) for n, coords in enumerate(sorted(blocked))]
        bearing = bearing_to((0, 0), facing, cell(*ab))
        assert bearing is not None and bearing.side == side
        return is_clear(battle(ship(facing=facing), *there), (0, 0), bearing)

    assert clear(set())
    for stopper in stoppers:
        assert not clear(stopper)
        for one in stopper:
            if len(stopper) > 1:
                assert clear(stopper - {one})


@pytest.mark.clause("K.F5", "K.D12")
def test_a_wreck_blocks_the_line_of_fire_and_the_switch_lets_arcs_alone_count() -> None:
    wreck = enemy(id="D2", pos=(1, 0), status=Status.SINKING)
    ships = (ship(facing=0), enemy(pos=(2, 0)), wreck)
    assert not events(fire(battle(*ships)), "fire")
    assert len(events(fire(battle(*ships, options={"lof_blocking": False}), 6), "fire")) == 1


# --- the die


@pytest.mark.clause("K.E12", "K.F8", "K.F14", "K.F4")
@pytest.mark.parametrize(("die", "hits"), [(2, 3), (6, 1)])
def test_seven_and_a_half_points_at_short_range(die: int, hits: int) -> None:
    target = enemy(pos=(1, 0))
    played = fire(battle(ship(facing=0, fire_track=(15, 11, 7, 3)), target), die)
    shot = events(played, "fire")[0].data
    assert (shot["score"], shot["hits"], shot["mods"]) == (die - 1, hits, [["short", -1]])
    assert target.hits_struct == target.hits_taken == hits


@pytest.mark.clause("K.E13", "K.F9")
@pytest.mark.parametrize(("die", "facing", "hits"), [(4, 1, 2), (2, 1, 3), (4, 2, 1)])
def test_stern_rake_from_the_hex_dead_astern(die: int, facing: int, hits: int) -> None:
    target = enemy(pos=(1, -1), facing=facing)
    fire(battle(ship(facing=0), target), die)
    assert target.hits_struct == hits


@pytest.mark.clause("K.F9")
def test_no_rake_from_the_bow_nor_from_two_hexes_astern() -> None:
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
def test_lee_broadside_in_strong_wind_at_a_small_ship_far_off(
    built_by: str, die: int, points: int, hits: int
) -> None:
    firer = ship(facing=2, fire_track=(16, 12, 8, 4), built_by=built_by)
    target = enemy(pos=(0, 3), guns=24, band=20, n_steps=2, small=True, hull_max=6, thresholds=(3, 6))
    played = fire(battle(firer, target, strength=Strength.STRONG), die)
    shot = events(played, "fire")[0].data
    assert (shot["side"], shot["score"], shot["points"], shot["hits"]) == ("starboard", die + 4, points, hits)


@pytest.mark.clause("K.F12")
@pytest.mark.parametrize(
    ("facing", "port", "starboard"), [(0, 8, 8), (1, 8, 4), (2, 8, 4), (3, 8, 8), (4, 4, 8), (5, 4, 8)]
)
def test_only_the_lee_side_loses_fire_in_strong_wind(facing: int, port: int, starboard: int) -> None:
    firer = ship(facing=facing)
    fight = battle(firer, strength=Strength.STRONG)
    assert [gunnery.points_of(fight, firer, side) for side in SIDES] == [port, starboard]
    assert [gunnery.points_of(battle(ship(facing=facing)), firer, side) for side in SIDES] == [8, 8]


@pytest.mark.clause("K.F12")
def test_past_the_end_of_the_track_the_lee_side_is_silent() -> None:
    firer = ship(facing=2, steps_lost=2, hits_struct=12)
    assert gunnery.points_of(battle(firer, strength=Strength.STRONG), firer, "starboard") == 0
    fight = battle(firer, enemy(pos=(0, 1)), strength=Strength.STRONG)
    assert not events(fire(fight), "fire")


@pytest.mark.clause("K.F13", "K.F8")
def test_fires_aboard_spoil_the_aim_once_however_many() -> None:
    target = enemy(pos=(2, 0))
    firer = ship(facing=0, fires=[1, 1])
    assert gunnery.modifiers(battle(firer, target), firer, target, 2) == [("on_fire", 2)]


@pytest.mark.clause("K.F8", "K.F4")
@pytest.mark.parametrize(("reach", "sum_"), [(0, -1), (1, -1), (2, 0), (3, 2), (4, 2)])
def test_range_modifiers(reach: int, sum_: int) -> None:
    firer, target = ship(facing=0), enemy(pos=(9, 9))
    assert sum(value for _, value in gunnery.modifiers(battle(firer), firer, target, reach)) == sum_


@pytest.mark.clause("K.F10")
@pytest.mark.parametrize(("guns", "strict"), [(24, False), (20, True), (12, True)])
def test_small_targets_by_the_switch_are_those_of_twenty_guns_or_fewer(guns: int, strict: bool) -> None:
    target = enemy(guns=guns, small=True)
    assert gunnery.is_small(battle(target), target)
    assert gunnery.is_small(battle(target, options={"small_target_limit": "20_or_fewer"}), target) is strict


@pytest.mark.clause("K.F15")
def test_half_points_take_the_upper_row_by_the_switch() -> None:
    counts = []
    for option in ("lower", "upper"):
        target = enemy(pos=(2, 0))
        fight = battle(ship(facing=0, fire_track=(5, 3, 2, 1)), target, options={"half_points": option})
        fire(fight, 1)
        counts.append(target.hits_struct)
    assert counts == [1, 2]


@pytest.mark.clause("K.F1", "K.F2", "K.F19", "K.0.5")
def test_both_broadsides_fire_with_full_points_one_die_each_port_first_every_turn() -> None:
    firer = ship(facing=0)
    fight = battle(firer, enemy(pos=(-1, 0)), enemy(id="D2", pos=(1, 0)))
    for turn in (1, 2):
        fight.turn = turn
        shots = events(fire(fight, 6, 6), "fire")
        assert [(e.data["side"], e.data["points"], e.data["target"]) for e in shots] == [
            ("port", 8, "D1"),
            ("starboard", 8, "D2"),
        ]


# --- who may fire at whom


@pytest.mark.clause("K.F17")
@pytest.mark.parametrize(
    "state",
    [{"status": Status.SINKING}, {"prize_of": "DUT"}, {"fired": True}, {"gun_timers": [2] * 4}],
    ids=["sinking", "prize", "fired fire ship", "guns swept"],
)
def test_ships_that_cannot_fire(state: dict[str, object]) -> None:
    assert not gunnery.can_fire(ship(**state))


@pytest.mark.clause("K.F17")
@pytest.mark.parametrize(
    "state", [{"steps_lost": 3, "hits_struct": 17}, {"aground": True}, {"stacked": True}]
)
def test_damaged_grounded_and_stacked_ships_fire(state: dict[str, object]) -> None:
    assert gunnery.can_fire(ship(**state))


@pytest.mark.clause("K.F18")
@pytest.mark.parametrize(
    ("state", "fired_at"),
    [
        ({"status": Status.SINKING}, False),
        ({"prize_of": "DUT", "side": "ENG", "squadron": "E"}, True),
        ({"steps_lost": 3, "hits_struct": 17}, True),
        ({"fired": True, "is_fireship": True}, True),
    ],
    ids=["sinking", "prize", "disabled", "fired fire ship"],
)
def test_who_can_be_fired_at(state: dict[str, object], fired_at: bool) -> None:
    fight = battle(ship(facing=0), enemy(**{"pos": (1, 0), **state}))
    assert bool(events(fire(fight, *([6] if fired_at else [])), "fire")) is fired_at


@pytest.mark.clause("K.F6", "K.0.7")
@pytest.mark.parametrize(
    ("friend", "masked"),
    [
        ({"id": "E2"}, True),
        ({"id": "D9", "side": "DUT", "prize_of": "ENG"}, True),
        ({"id": "E2", "status": Status.SINKING}, False),
        ({"id": "E2", "fired": True}, False),
    ],
    ids=["friend", "prize", "wreck", "fired fire ship"],
)
def test_no_ship_fires_into_a_hex_with_a_friend(friend: dict[str, object], masked: bool) -> None:
    other = ship(**{"pos": (1, 0), "fire_track": (0,) * 4, "placement": {"D1": "port"}, **friend})
    fight = battle(ship(facing=0), enemy(pos=(1, 0)), other)
    assert bool(events(fire(fight, *([] if masked else [6])), "fire")) is not masked


@pytest.mark.clause("K.X14", "K.F6")
def test_a_fire_ship_that_holds_a_friend_may_be_fired_at_from_elsewhere_but_not_by_the_held_ship() -> None:
    held = ship(id="E2", pos=(1, 0), fire_track=(0,) * 4)
    brander = enemy(pos=(1, 0), fired=True, is_fireship=True)
    fight = battle(ship(facing=0), held, brander)
    assert not events(fire(fight, 3), "fire"), "not locked yet"
    held.fire_track = (8, 6, 4, 2)
    fight.hold(LockKind.FIRE_SHIP, brander, held)
    shots = events(fire(fight, 6), "fire")
    assert [(e.ship, e.data["target"]) for e in shots] == [("E1", "D1")]


@pytest.mark.clause("K.X14")
def test_gunners_leave_their_own_fire_ship_alone_unless_ordered() -> None:
    brander = ship(id="E2", pos=(1, 0), fired=True, is_fireship=True)
    fight = battle(ship(facing=0), brander)
    assert not events(fire(fight), "fire")
    ordered = {"E1": Orders(targets={"starboard": "E2"})}
    assert events(fire(fight, 6, orders=ordered), "fire")[0].data["target"] == "E2"


# --- ships in one hex

T9 = {
    "port": ("starboard", "starboard", "port", "port", "port", "starboard"),
    "starboard": ("port", "port", "starboard", "starboard", "starboard", "port"),
}


@pytest.mark.clause("K.F7", "K.E27")
@pytest.mark.parametrize("lies", ["port", "starboard"])
@pytest.mark.parametrize("k", range(6))
@pytest.mark.parametrize("turned", [0, 2])
def test_bearing_broadsides_in_a_shared_hex(lies: str, k: int, turned: int) -> None:
    attacker, defender = ship(facing=turned), enemy(facing=(turned + k) % 6)
    attacker.placement["D1"] = lies
    assert side_towards(attacker, defender) == T9[lies][k]
    assert side_towards(defender, attacker) == lies


@pytest.mark.clause("K.E27", "K.F7")
@pytest.mark.parametrize(("facing", "side"), [(0, "starboard"), (3, "port")])
def test_ships_side_by_side_fire_one_broadside_each_at_short_range_without_a_rake(
    facing: int, side: str
) -> None:
    attacker, defender = ship(facing=facing), enemy(facing=0, fire_track=(8, 6, 4, 2))
    attacker.placement["D1"] = "port"
    shots = events(fire(battle(attacker, defender), 6, 6), "fire")
    told = [(e.ship, e.data["side"], e.data["range"], e.data["mods"]) for e in shots]
    assert told == [("E1", side, 0, [["short", -1]]), ("D1", "port", 0, [["short", -1]])]


@pytest.mark.clause("K.B12", "K.F7")
@pytest.mark.parametrize(("die", "side"), [(3, "port"), (4, "starboard")])
def test_where_nobody_has_thrown_the_later_comer_is_placed_as_the_attacker(die: int, side: str) -> None:
    there, comer = ship(facing=0), enemy(facing=0)
    played = fire(battle(there, comer), die, 6)
    assert comer.placement == {"E1": side} and there.placement == {}
    assert events(played, "fire")[0].data["side"] == side
    again = fire(battle(there, comer), 6)
    assert not events(again, "placing"), "kept while they lie together"


@pytest.mark.clause("K.F17", "K.B12", "K.B30")
@pytest.mark.parametrize(("die", "free"), [(3, "starboard"), (4, "port")])
def test_a_grappled_ship_fires_only_the_broadside_away_from_her_opponent_and_not_into_her_own_hex(
    die: int, free: str
) -> None:
    defender, attacker = ship(facing=0, fire_track=(8, 6, 4, 2)), enemy(facing=0)
    others = [enemy(id="D2", pos=(-2, 0)), enemy(id="D3", pos=(2, 0))]
    fight = battle(defender, attacker, *others)
    fight.hold(LockKind.GRAPPLE, attacker, defender)
    shots = events(fire(fight, die, 6), "fire")
    assert [(e.ship, e.data["side"]) for e in shots] == [("E1", free)]
    assert shots[0].data["target"] == ("D3" if free == "starboard" else "D2")
    assert attacker.placement == {"E1": "port" if die == 3 else "starboard"}


@pytest.mark.clause("K.F17")
def test_grappled_on_both_sides_she_fires_nothing() -> None:
    held = ship(facing=0)
    one, two = enemy(facing=0), enemy(id="D2", facing=0)
    fight = battle(held, one, two, enemy(id="D3", pos=(2, 0)), enemy(id="D4", pos=(-2, 0)))
    for other in (one, two):
        fight.hold(LockKind.GRAPPLE, other, held)
    assert not events(fire(fight, 3, 4), "fire")


@pytest.mark.clause("K.F17")
def test_a_tangled_ship_fires_normally() -> None:
    one, two = ship(facing=0), ship(id="E2", facing=0, fire_track=(0,) * 4)
    fight = battle(one, two, enemy(pos=(2, 0)))
    fight.hold(LockKind.TANGLE, one, two)
    assert len(events(fire(fight, 6), "fire")) == 1


# --- simultaneity


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
def test_fire_points_are_those_of_the_start_of_the_phase() -> None:
    one, other = ship(facing=0), enemy(pos=(1, 0), facing=0, fire_track=(8, 6, 4, 2), hits_struct=5)
    shots = events(fire(battle(one, other), 1, 6), "fire")
    assert [e.data["points"] for e in shots] == [8, 8]
    assert other.steps_lost == 1


# --- choosing


class Adviser:
    """A captain who only points at targets."""

    name = "adviser"

    def __init__(self, **targets: str) -> None:
        self.wishes: Mapping[str, str] = targets
        self.asked: list[str] = []

    def targets(self, view: View, ship: str) -> Mapping[str, str]:
        self.asked.append(ship)
        return self.wishes


@pytest.mark.clause("K.AI7", "K.F1")
def test_the_nearest_ship_is_fired_at() -> None:
    fight = battle(ship(facing=0), enemy(pos=(3, 0)), enemy(id="D2", pos=(2, -1)))
    assert events(fire(fight, 6), "fire")[0].data["target"] == "D2"


@pytest.mark.clause("K.AI7")
def test_of_two_equally_near_the_raked_then_the_flagship_then_the_first_listed() -> None:
    def chosen(**second: object) -> str:
        one = enemy(id="D1", pos=(1, 0), squadron="A")
        two = enemy(**{"id": "D2", "pos": (1, -1), "squadron": "A", **second})
        fight = battle(ship(facing=0), one, two)
        one.is_flagship, two.is_flagship = False, bool(second.get("is_flagship"))
        return str(events(fire(fight, 6), "fire")[0].data["target"])

    assert chosen() == "D1"
    assert chosen(is_flagship=True) == "D2"
    assert chosen(facing=1) == "D2", "she lies with her stern to the guns"


@pytest.mark.clause("K.AI7")
def test_a_broadside_is_not_wasted_on_a_ship_that_is_done_for() -> None:
    beaten = enemy(pos=(1, 0), steps_lost=3, hits_struct=20, hull_max=22)
    whole = enemy(id="D2", pos=(1, -1), facing=3)
    crowd = [ship(id=f"E{n}", facing=0, fire_track=(22, 16, 10, 4)) for n in range(1, 6)]
    fight = battle(*crowd, beaten, whole)
    shots = events(fire(fight, 6, 6, 6, 6, 6), "fire")
    assert [e.data["target"] for e in shots[:1]] == ["D1"]
    assert {e.data["target"] for e in shots} == {"D1", "D2"}


@pytest.mark.clause("K.F1")
def test_an_order_names_the_target_or_holds_fire() -> None:
    far = enemy(id="D2", pos=(3, -1))
    fight = battle(ship(facing=0), enemy(pos=(1, 0)), far)
    ordered = {"E1": Orders(targets={"starboard": "D2"})}
    fight.options["lof_blocking"] = False
    assert events(fire(fight, 6, orders=ordered), "fire")[0].data["target"] == "D2"
    assert not events(fire(fight, orders={"E1": Orders(targets={"starboard": ""})}), "fire")


@pytest.mark.clause("K.F1")
@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("D9", "order/no-target"),
        ("E1", "order/no-target"),
        ("D3", "order/no-target"),
        ("D2", "order/out-of-arc"),
        ("D4", "order/masked"),
        ("D5", "order/friend"),
        ("E3", "order/friend"),
    ],
)
def test_an_order_that_cannot_be_fired_is_refused_and_the_gunners_choose(target: str, code: str) -> None:
    fight = battle(
        ship(facing=0),
        enemy(pos=(1, 0)),
        enemy(id="D2", pos=(-1, 0)),
        enemy(id="D3", pos=(2, 1), status=Status.SINKING),
        enemy(id="D4", pos=(2, 0)),
        enemy(id="D5", pos=(1, -1)),
        ship(id="E2", pos=(1, -1), fire_track=(0,) * 4),
        ship(id="E3", fire_track=(0,) * 4),
    )
    played = fire(fight, 3, 6, 6, orders={"E1": Orders(targets={"starboard": target})})
    refused = events(played, "refused")
    assert [(e.ship, e.data["token"], e.data["code"]) for e in refused] == [
        ("E1", f"starboard>{target}", code)
    ]
    assert [e.data["target"] for e in events(played, "fire")] == ["D2", "D1"]


@pytest.mark.clause("K.F1")
def test_a_captain_is_asked_for_what_is_not_ordered_and_only_with_an_enemy_in_sight_of_the_guns() -> None:
    firer, near, far = ship(facing=0), enemy(pos=(1, 0)), enemy(id="D2", pos=(3, -1))
    fight = battle(firer, near, far, options={"lof_blocking": False})
    views = {"ENG": View(fight, "ENG")}

    def shots(captain: Adviser, *faces: int, **over: object) -> list[str]:
        played = fire(fight, *faces, captains={"ENG": captain}, views=views, **over)
        return [str(e.data["target"]) for e in events(played, "fire")]

    assert shots(Adviser(starboard="D2"), 6) == ["D2"]
    assert shots(Adviser(starboard="")) == []
    assert shots(Adviser(), 6) == ["D1"]
    assert shots(Adviser(starboard="D9"), 6) == ["D1"]
    ordered = Adviser(starboard="D2")
    assert shots(ordered, 6, orders={"E1": Orders(targets={"port": "", "starboard": "D1"})}) == ["D1"]
    assert ordered.asked == []
    firer.facing = 3
    idle = Adviser(starboard="D2")
    far.status = near.status = Status.SINKING
    assert shots(idle) == [] and idle.asked == []


@pytest.mark.clause("K.F8", "K.0.4")
def test_every_die_names_turn_ship_and_broadside_so_that_keys_are_unique() -> None:
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
def test_what_is_given_is_what_is_taken_and_nobody_loses_more_than_her_hull(
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
