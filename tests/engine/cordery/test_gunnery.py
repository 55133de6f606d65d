"""Volleys and major hits, die by die."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.dice import DiceError, Die, ScriptedDice
from battles.engine.rulesets.cordery import firing, flotation, gunnery, movement, turn
from battles.engine.rulesets.cordery.play import Play
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from tests.engine.cordery.builders import battle, begin, events, finish, play, ship


def volley(made: Battle, *faces: int, orders: dict[str, str]) -> Play:
    """Declare, fire every weapon and settle, with these faces."""
    table = play(made, *faces, orders=orders)
    firing.declare(made, table, ("main", "port", "stbd", "torpedo"))
    gunnery.main(made, table)
    gunnery.secondary(made, table)
    gunnery.torpedoes(made, table)
    flotation.settle(made, table)
    finish(table)
    return table


def pair(reach: int = 3, **over: Any) -> tuple[Ship, Ship]:
    """A ship heading north, and one so far on its starboard beam."""
    return ship("A1", (5, 5)), ship("B1", (5 + reach, 5), **over)


@pytest.mark.clause("C.E5", "C.G11", "C.H3")
def test_a_volley_of_six_dice_with_a_turret() -> None:
    one, other = pair()
    volley(battle(one, other), 6, 4, 1, 5, 2, 3, 5, 2, orders={"A1": "| main>B1"})
    assert (other.fp, other.turret_fore, other.turret_aft) == (9, False, True)


@pytest.mark.clause("C.H3")
@pytest.mark.parametrize(("die", "lost"), [(3, "turret_fore"), (4, "turret_aft")])
def test_a_turret_is_lost_by_halves_of_a_die(die: int, lost: str) -> None:
    one, other = pair(7)
    volley(battle(one, other), 6, 1, 5, die, orders={"A1": "| main>B1"})
    assert not getattr(other, lost)
    assert other.turret_fore is not other.turret_aft


@pytest.mark.clause("C.H3")
def test_a_turret_hit_with_no_turret_left_does_nothing_more() -> None:
    one, other = pair(7, turret_fore=False, turret_aft=False)
    volley(battle(one, other), 6, 1, 5, orders={"A1": "| main>B1"})
    assert other.fp == 11


@pytest.mark.clause("C.E6", "C.H4", "C.H7", "C.M1")
def test_further_damage_and_engines() -> None:
    one, other = pair(4)
    volley(battle(one, other), 6, 6, 3, 1, 1, 4, orders={"A1": "| main>B1"})
    assert (other.fp, other.engines_hit, other.allowance) == (9, True, 1)


@pytest.mark.clause("C.H4")
def test_a_second_engine_hit_does_not_stop_a_ship() -> None:
    one, other = pair(7, engines_hit=True)
    volley(battle(one, other), 6, 1, 4, orders={"A1": "| main>B1"})
    assert other.allowance == 1


@pytest.mark.clause("C.E7", "C.H5")
@pytest.mark.parametrize(
    ("at", "faces", "lost", "gone"),
    [
        ((8, 5), (6, 1, 1, 1, 1, 1, 3), ["battery_stbd"], []),
        ((5, 8), (6, 1, 1, 3, 2), ["battery_port"], []),
        ((5, 8), (6, 1, 1, 3, 4), ["battery_stbd"], []),
        ((5, 8), (6, 1, 1, 3), ["battery_stbd"], ["battery_port"]),
        ((2, 5), (6, 1, 1, 1, 1, 1, 3), [], ["battery_port"]),
    ],
)
def test_the_battery_nearest_to_the_firing_ship_is_lost(
    at: tuple[int, int], faces: tuple[int, ...], lost: list[str], gone: list[str]
) -> None:
    target = ship("B1", (5, 5))
    for name in gone:
        setattr(target, name, False)
    # Heading so that abeam shooters use both turrets and one ahead its fore turret.
    shooter = ship("A1", at, "N" if at[1] == 5 else "S")
    volley(battle(shooter, target), *faces, orders={"A1": "| main>B1"})
    assert target.fp == 11
    assert {name for name in ("battery_port", "battery_stbd") if not getattr(target, name)} == {*lost, *gone}


@pytest.mark.clause("C.E8", "C.H3", "C.H9", "C.S6")
def test_two_turret_hits_take_both_turrets_which_still_fire() -> None:
    one, other = pair()
    volley(
        battle(one, other), *(6, 6, 1, 1, 1, 1), 5, 5, 5, *(1, 1, 1, 1, 1, 4),
        orders={"A1": "| main>B1", "B1": "| main>A1"},
    )  # fmt: skip
    assert (other.fp, other.turret_fore, other.turret_aft, one.fp) == (10, False, False, 11)


@pytest.mark.clause("C.E9", "C.H2", "C.M6", "C.G15")
def test_a_bridge_hit_holds_the_course_and_silences_for_three_phases_each() -> None:
    shooter, target = ship("A1", (5, 5)), ship("B1", (12, 5), "N", last_spent=2)
    made = battle(shooter, target)
    made.turn = 3
    table = volley(made, 6, 1, 6, 1, 1, orders={"A1": "| main>B1", "B1": "| main>A1"})
    assert (target.no_fire, target.lock_bridge) == (3, 3)
    assert len(events(table, "fire")) == 2, "the ship's own fire of this turn counts"
    for silent in (True, True, True, False):
        before = target.pos
        table = play(made, orders={"B1": "FR"})
        movement.move(made, table, "B")
        movement.tick(made)
        if target.lock_bridge or silent and made.turn < 6:
            assert target.pos == (before[0], before[1] + 2)
        made.turn += 1
        table = play(made)
        assert bool(table.silent) is (made.turn <= 6)
        flotation.settle(made, table)
    assert target.h == 1, "it may turn in the fourth movement phase"


@pytest.mark.clause("C.H2")
def test_a_second_bridge_hit_sets_the_counters_back_to_three() -> None:
    one, other = pair(7, no_fire=2, lock_bridge=1)
    volley(battle(one, other), 6, 1, 6, orders={"A1": "| main>B1"})
    assert (other.no_fire, other.lock_bridge) == (3, 3)


@pytest.mark.clause("C.H1", "C.H8")
def test_a_six_on_the_major_table_is_the_bridge_and_no_further_die_for_secondary_guns_too() -> None:
    one, other = pair(5)
    volley(battle(one, other), 6, 6, orders={"A1": "| stbd>B1"})
    assert (other.fp, other.lock_bridge) == (11, 3)


@pytest.mark.clause("C.H6", "C.F1")
def test_a_fire_starts_and_a_second_result_does_nothing_beyond_its_point() -> None:
    one, other = pair(4)
    volley(battle(one, other), 6, 6, 1, 1, 2, 2, orders={"A1": "| main>B1"})
    assert (other.fp, other.burning) == (10, True)


@pytest.mark.clause("C.G11")
@pytest.mark.parametrize(("face", "left"), [(1, 12), (3, 12), (4, 11), (5, 11)])
def test_a_die_of_3_or_less_does_nothing_and_one_of_4_or_more_costs_a_point(face: int, left: int) -> None:
    one, other = pair(5)
    volley(battle(one, other), face, orders={"A1": "| stbd>B1"})
    assert other.fp == left


@pytest.mark.clause("C.E10", "C.T5", "C.T6", "C.T8", "C.T10")
def test_a_torpedo_with_a_rudder_and_two_points() -> None:
    one, other = pair(1)
    table = volley(battle(one, other), 6, 6, 2, 6, 4, 3, orders={"A1": "| torpedo>B1"})
    assert (other.fp, other.lock_rudder, one.torpedoes) == (8, 4, 3)
    assert [event.data["hits"] for event in events(table, "torpedo")] == [2]


@pytest.mark.clause("C.T5", "C.T7")
@pytest.mark.parametrize(
    ("major", "lost", "flooded"),
    [(5, 1, True), (4, 3, False), (3, 3, False), (2, 2, False), (1, 2, False)],
)
def test_torpedoes_have_their_own_major_table(major: int, lost: int, flooded: bool) -> None:
    one, other = pair(3)
    volley(battle(one, other), 6, major, orders={"A1": "| torpedo>B1"})
    assert (12 - other.fp, other.engines_hit) == (lost, flooded)


@pytest.mark.clause("C.T6")
def test_a_shorter_rudder_result_does_not_shorten_a_longer_one() -> None:
    one, other = pair(3, lock_rudder=5)
    volley(battle(one, other), 6, 6, 2, orders={"A1": "| torpedo>B1"})
    assert other.lock_rudder == 5


@pytest.mark.clause("C.E10", "C.T3", "C.T8")
def test_no_torpedo_is_spent_when_no_tube_bears() -> None:
    one, other = ship("A1", (5, 5)), ship("B1", (7, 6))
    table = volley(battle(one, other), orders={"A1": "| torpedo>B1"})
    assert one.torpedoes == 4
    assert [event.data["code"] for event in events(table, "refused")] == ["order/out-of-arc"]


@pytest.mark.clause("C.E12", "C.S6", "C.D6", "C.S3")
def test_two_ships_sink_each_other_in_one_exchange() -> None:
    one, other = ship("A1", (5, 5), fp=1), ship("B1", (12, 5), fp=2)
    made = battle(one, other)
    volley(made, 4, 5, 4, 1, orders={"A1": "| main>B1", "B1": "| main>A1"})
    assert (one.status, other.status) == (Status.SUNK_GUNFIRE, Status.SUNK_GUNFIRE)
    assert (one.fp, other.fp) == (0, 0)
    assert not made.at


@pytest.mark.clause("C.G14", "C.K2")
def test_fire_at_a_doomed_ship_is_thrown_without_effect_and_it_is_sunk_by_what_brought_it_to_nothing() -> (
    None
):
    one, other = pair(3, fp=2)
    table = volley(
        battle(one, other), 4, 4, 1, 1, 1, 1, 6, 6, 6, orders={"A1": "| main>B1 stbd>B1 torpedo>B1"}
    )
    assert len(events(table, "fire")) == 2 and one.given == 2
    assert (other.status, other.taken, other.burning) == (Status.SUNK_GUNFIRE, 2, False)


@pytest.mark.clause("C.K2", "C.S5")
def test_a_ship_brought_to_nothing_by_a_torpedo_is_sunk_by_it() -> None:
    one, other = pair(3, fp=2)
    volley(battle(one, other), 4, 1, 1, 1, 1, 1, 5, orders={"A1": "| main>B1 torpedo>B1"})
    assert other.status is Status.SUNK_TORPEDO


@pytest.mark.clause("C.G10", "C.S6")
def test_a_ship_doomed_this_turn_still_masks_those_behind_it() -> None:
    front, behind = ship("B1", (8, 5), fp=1), ship("B2", (10, 5))
    made = battle(ship("A1", (5, 5)), front, behind)
    table = volley(made, 4, 1, 1, 1, 1, 1, orders={"A1": "| main>B1 stbd>B2"})
    assert [event.data["code"] for event in events(table, "refused")] == ["order/no-sight"]
    assert made.sees((5, 5), (10, 5)), "a wreck masks nobody"


@pytest.mark.clause("C.E22", "C.G6", "C.G7", "C.G8", "C.P8")
def test_both_batteries_and_the_main_guns_have_targets_of_their_own_port_before_starboard() -> None:
    made = battle(ship("A1", (5, 5)), ship("B1", (7, 5)), ship("B2", (2, 5)))
    table = volley(made, *(1,) * 6, 1, 1, 1, 1, orders={"A1": "| main>B1 stbd>B1 port>B2"})
    fired = [
        (event.data["weapon"], event.data["target"], event.data["dice"]) for event in events(table, "fire")
    ]
    assert fired == [("main", "B1", 6), ("port", "B2", 2), ("stbd", "B1", 2)]


@pytest.mark.clause("C.G12")
def test_a_ship_may_hold_its_fire() -> None:
    one, other = pair()
    table = volley(battle(one, other), orders={"A1": "| main>- stbd>- torpedo>-"})
    assert not events(table, "fire") and not table.fired


@pytest.mark.clause("C.G15", "C.T9")
def test_a_ship_with_its_bridge_hit_fires_neither_guns_nor_torpedoes() -> None:
    one, other = ship("A1", (5, 5), no_fire=1), ship("B1", (6, 5))
    table = volley(battle(one, other), orders={"A1": "| main>B1 torpedo>B1"})
    assert [event.data["code"] for event in events(table, "refused")] == ["order/silent"] * 2
    assert one.no_fire == 0


@pytest.mark.clause("C.G7", "C.T4", "C.P12")
def test_friends_and_ships_behind_others_are_not_targets() -> None:
    made = battle(ship("A1", (5, 5)), ship("A2", (7, 5)), ship("B1", (8, 5)))
    table = volley(made, orders={"A1": "| main>A2 torpedo>B1"})
    assert [event.data["code"] for event in events(table, "refused")] == ["order/no-target", "order/no-sight"]


@pytest.mark.clause("C.S2", "C.S4")
def test_with_the_option_a_step_is_declared_when_it_comes() -> None:
    class Watchful:
        name = "watchful"

        def targets(self, view, weapons, given):  # type: ignore[no-untyped-def]
            asked.append((weapons, view.foes()[0].fp))
            return {}

    asked: list[object] = []
    one, other = pair()
    made = battle(one, other, options={"declare": "step"})
    table = play(made, 4, 1, 1, 1, 1, 1, orders={"A1": "| main>B1"}, captains={"A": Watchful()})
    turn.declare(made, table)
    gunnery.main(made, table)
    gunnery.secondary(made, table)
    assert asked == [(("main",), 12), (("port", "stbd"), 11)]


@pytest.mark.clause("C.P7")
def test_only_six_sided_dice_are_thrown_and_each_throw_has_its_own_dice() -> None:
    one, other = pair(1)
    table = volley(
        battle(one, other), *(6,) * 6, *(4,) * 6, 6, 6, 4, 4, 6, 6, 6, 1, 1, 1,
        orders={"A1": "| main>B1 stbd>B1 torpedo>B1"},
    )  # fmt: skip
    assert isinstance(table.dice, ScriptedDice)
    throws = table.dice.throws
    assert {throw.die for throw in throws} == {Die.D6.value}
    assert len({throw.key for throw in throws}) == len(throws)


@pytest.mark.clause("C.P8")
def test_each_six_has_its_major_die_and_sub_die_before_the_next() -> None:
    one, other = pair(4)
    with pytest.raises(DiceError):
        volley(battle(one, other), 6, 6, 1, 1, 5, 1, 1, 1, 1, orders={"A1": "| main>B1"})
    one, other = pair(4)
    table = volley(battle(one, other), 6, 6, 1, 1, 5, 1, 1, orders={"A1": "| main>B1"})
    assert isinstance(table.dice, ScriptedDice)
    assert [throw.clause for throw in table.dice.throws] == ["C.G11", "C.H1", "C.H3", "C.H1"]


def test_what_fires_is_what_stood_when_targets_were_declared() -> None:
    one, other = pair()
    made = battle(one, other)
    table = play(made)
    other.turret_fore = False
    assert "turret_fore" in table.able["B1"]
    begin(made, table)
    assert "turret_fore" not in table.able["B1"]
