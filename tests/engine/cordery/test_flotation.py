"""Fires, critical points, breaking off, the end of a battle and its score."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.fates import Fate, Flag
from battles.engine.rulesets.cordery import closing, ending, flotation, movement, safety, steering, turn
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from battles.engine.rulesets.cordery.steering import Pose
from tests.engine.cordery.builders import battle, events, finish, play, ship


@pytest.mark.clause("C.E13", "C.F2", "C.F3", "C.S1", "C.D7")
@pytest.mark.parametrize(
    ("die", "burning", "status"),
    [
        (1, False, Status.EXPLODED),
        (2, True, Status.IN_PLAY),
        (4, True, Status.IN_PLAY),
        (5, False, Status.IN_PLAY),
        (6, False, Status.IN_PLAY),
    ],
)
def test_a_fire_throw(die: int, burning: bool, status: Status) -> None:
    one, near = ship("A1", burning=True), ship("A2", (5, 6))
    made = battle(one, near)
    table = play(made, die)
    flotation.throw_fires(made, table)
    finish(table)
    assert (one.burning, one.status, near.fp) == (burning, status, 12)
    assert (one.fp == 0) is (status is Status.EXPLODED)


@pytest.mark.clause("C.F4")
def test_a_burning_ship_loses_nothing_by_burning_and_fires_as_usual() -> None:
    one = ship("A1", burning=True)
    made = battle(one, ship("B1", (8, 5)))
    table = play(made, 3)
    flotation.throw_fires(made, table)
    assert (one.fp, one.allowance, len(table.able["A1"])) == (12, 2, 4)


@pytest.mark.clause("C.D2", "C.D1")
@pytest.mark.parametrize(("left", "breaks"), [(7, False), (6, True), (3, True)])
def test_a_ship_at_six_points_breaks_off(left: int, breaks: bool) -> None:
    one = ship("A1", fp=left)
    made = battle(one)
    flotation.settle(made, play(made))
    assert one.breaking_off is breaks


@pytest.mark.clause("C.E19", "C.D3")
def test_a_ship_that_breaks_off_makes_the_moves_that_leave_fewest_turns() -> None:
    one = ship("A1", (12, 6), "N", fp=6, breaking_off=True)
    made = battle(one, ship("B1", (0, 20)), board=(0, 0, 23, 23), safe={"A": "south", "B": "east"})
    start = Pose(one.pos, one.h)
    left = {
        actions: safety.turns_after(made, one, steering.after(start, actions), actions[-1:], "south")
        for actions in steering.legal(one)
    }
    assert left == {"FR": 7, "FL": 7, "": 8, "F": 8, "FF": 9}
    assert set(safety.moves(made, one)) == {"FR", "FL"}
    assert safety.moves(made, one)[0] == "FR", "it is farther from the enemy"


@pytest.mark.clause("C.D3")
def test_of_equal_moves_for_safety_the_first_of_the_order_is_taken() -> None:
    one = ship("A1", (12, 6), "N", fp=6, breaking_off=True)
    made = battle(one, board=(0, 0, 23, 23), safe={"A": "south", "B": "east"})
    assert safety.moves(made, one) == ["FR", "FL"]


@pytest.mark.clause("C.D3")
def test_moves_that_would_ram_are_struck_out_first() -> None:
    one = ship("A1", (3, 5), "W", fp=6, breaking_off=True)
    made = battle(one, ship("B1", (1, 5)))
    assert safety.moves(made, one) == ["FR", "FL"] or "FF" not in safety.moves(made, one)
    made.lift(made.ships["B1"])
    assert safety.moves(made, one) == ["FF"]


@pytest.mark.clause("C.D3", "C.M10")
def test_the_way_to_safety_goes_round_land() -> None:
    one = ship("A1", (5, 5), "W", fp=6, breaking_off=True)
    wall = frozenset((2, y) for y in range(2, 9))
    made = battle(one, land=wall)
    assert safety.turns_after(made, one, Pose((5, 5), 6), "F", "west") == 6
    assert safety.turns_after(battle(one), one, Pose((5, 5), 6), "F", "west") == 3
    assert "FF" not in safety.moves(made, one)


@pytest.mark.clause("C.D5")
def test_a_locked_course_goes_before_breaking_off() -> None:
    one = ship("A1", (5, 5), "E", fp=6, breaking_off=True, lock_bridge=1, last_spent=1)
    made = battle(one)
    movement.move(made, play(made), "A")
    assert one.pos == (6, 5)


@pytest.mark.clause("C.E20", "C.S7")
def test_initiative_is_thrown_again_when_equal_and_the_higher_moves_first() -> None:
    made = battle(ship("A1"), ship("B1", (9, 5)))
    made.turn = 2
    table = play(made, 3, 3, 2, 5)
    turn.initiative(made, table)
    finish(table)
    assert made.first == "B"
    table = play(made, 4, 3)
    made.turn = 3
    turn.initiative(made, table)
    assert made.first == "A"


@pytest.mark.clause("C.K36", "C.S7")
def test_a_surprised_side_moves_first_in_the_first_turn_without_a_throw() -> None:
    made = battle(ship("A1"), ship("B1", (9, 5)), surprised=("B",))
    table = play(made)
    turn.initiative(made, table)
    assert made.first == "B"
    assert table.able == {"A1": table.able["A1"], "B1": frozenset()}
    made.turn = 2
    assert play(made).able["B1"]


def close(made: Battle, fired: bool = False) -> str:
    table = play(made)
    table.fired = fired
    ending.close(made, table)
    return made.ended


@pytest.mark.clause("C.V1")
def test_a_side_without_a_ship_is_beaten_or_parted_by_how_its_ships_went() -> None:
    foe = ship("B1", (9, 5))
    assert close(battle(ship("A1", status=Status.SUNK_GUNFIRE, fp=0), foe)) == "beaten"
    assert close(battle(ship("A1", status=Status.LEFT), foe)) == "parted"
    assert close(battle(ship("A1", status=Status.EXPECTED), foe)) == ""


@pytest.mark.clause("C.V1")
@pytest.mark.parametrize(
    ("reach", "breaking", "ended"), [(9, True, ""), (10, True, "parted"), (10, False, "")]
)
def test_a_side_that_breaks_off_is_parted_when_no_enemy_is_within_nine(
    reach: int, breaking: bool, ended: str
) -> None:
    made = battle(ship("A1", (5, 5), breaking_off=breaking), ship("B1", (5 + reach, 5)))
    assert close(made, fired=True) == ended


@pytest.mark.clause("C.V1")
def test_eight_quiet_turns_part_the_fleets() -> None:
    made = battle(ship("A1"), ship("B1", (9, 5)))
    for _ in range(7):
        assert close(made) == ""
    assert close(made, fired=True) == "" and made.quiet == 0
    made.quiet = 7
    assert close(made) == "parted"


@pytest.mark.clause("C.V1")
@pytest.mark.parametrize(("own", "ended"), [(False, "limit"), (True, "nightfall")])
def test_the_last_turn_ends_the_battle(own: bool, ended: str) -> None:
    made = battle(ship("A1"), ship("B1", (9, 5)), own_limit=own)
    made.turn = 39
    assert close(made, fired=True) == ""
    made.turn = 40
    assert close(made, fired=True) == ended


def over(*ships: Ship, faces: tuple[int, ...] = ()) -> Battle:
    made = battle(*ships)
    made.ended = "limit"
    table = play(made, *faces)
    ending.after_battle(made, table)
    finish(table)
    return made


@pytest.mark.clause("C.V2", "C.E25", "C.K35")
def test_the_score_counts_points_lost_ships_sunk_and_ships_broken_off() -> None:
    made = over(
        ship("A1", fp=5, fp_before=12, breaking_off=True),
        ship("A2", (5, 7), fp=0, fp_before=12, status=Status.SUNK_GUNFIRE),
        ship("A3", (5, 9), fp=4, fp_before=5, breaking_off=True, came_critical=True),
        ship("B1", (9, 5), fp=2, fp_before=6, fp_max=6, critical=3, breaking_off=True),
        ship("B2", (9, 7), fp=0, fp_before=6, fp_max=6, critical=3, status=Status.SUNK_GUNFIRE),
        faces=(3, 4),
    )
    assert made.scores == {"A": (4 + 1) + (6 + 3), "B": (7 + 2) + (12 + 6) + 1}
    assert made.winner == "B"
    assert closing.outcome(made).held_field == "B"


@pytest.mark.clause("C.V2", "C.K34")
def test_equal_scores_are_a_draw_and_no_one_holds_the_field() -> None:
    made = over(ship("A1", fp=10, fp_before=12), ship("B1", (9, 5), fp=10, fp_before=12))
    assert (made.winner, closing.outcome(made).held_field) == ("", "")


@pytest.mark.clause("C.F5", "C.K24")
def test_fires_burn_to_their_end_after_the_battle() -> None:
    one, other = ship("A1", burning=True, no_fire=2, lock_rudder=3), ship("B1", (9, 5), burning=True)
    over(one, other, faces=(3, 2, 5, 1))
    assert (one.status, one.burning, one.no_fire, one.lock_rudder) == (Status.IN_PLAY, False, 0, 0)
    assert other.status is Status.EXPLODED


@pytest.mark.clause("C.D8")
def test_what_is_destroyed_stays_destroyed_when_the_battle_is_over() -> None:
    one = ship("A1", turret_aft=False, battery_port=False, engines_hit=True, no_fire=2)
    over(one, ship("B1", (9, 5)), faces=())
    assert (one.standing, one.engines_hit, one.allowance) == (
        frozenset({"turret_fore", "battery_stbd"}),
        True,
        1,
    )


@pytest.mark.clause("C.K9")
@pytest.mark.parametrize(
    ("status", "friend", "faces", "men"),
    [
        (Status.SUNK_GUNFIRE, (5, 8), (3,), 210),
        (Status.SUNK_GUNFIRE, (5, 9), (3,), 105),
        (Status.SUNK_RAMMING, (5, 9), (1,), 35),
        (Status.EXPLODED, (5, 6), (), 7),
    ],
)
def test_men_of_lost_ships_are_saved(
    status: Status, friend: tuple[int, int], faces: tuple[int, ...], men: int
) -> None:
    made = battle(ship("A1", fp=0, fp_before=12, status=status), ship("A2", friend), ship("B1", (20, 5)))
    made.ended = "limit"
    table = play(made, *faces)
    ending.after_battle(made, table)
    assert [event.data["men"] for event in events(table, "saved")] == [men]


@pytest.mark.clause("C.K34")
def test_a_flag_officer_dies_with_a_ship_that_explodes_and_of_others_the_set_says_nothing() -> None:
    made = battle(
        ship("A1", fp=0, status=Status.EXPLODED), ship("B1", (9, 5), fp=0, status=Status.SUNK_GUNFIRE)
    )
    for squadron in made.squadrons.values():
        squadron.officer = f"Admiral of {squadron.side}"
    made.ended = "beaten"
    ending.after_battle(made, play(made, 3))
    fates = {row.name: row.fate for row in closing.outcome(made).officers}
    assert fates == {"Admiral of A": "killed", "Admiral of B": "unhurt"}


@pytest.mark.clause("C.K1", "C.K5")
@pytest.mark.parametrize(
    ("over_", "fate", "kind", "flags"),
    [
        ({}, Fate.AFLOAT, "in_play", set()),
        ({"breaking_off": True, "fp": 6}, Fate.AFLOAT, "broke_off", {Flag.WITHDREW}),
        ({"status": Status.LEFT}, Fate.AFLOAT, "left_board", {Flag.WITHDREW}),
        ({"status": Status.BROKE_OFF, "fp": 6}, Fate.AFLOAT, "broke_off", {Flag.WITHDREW}),
        ({"aground": True}, Fate.AFLOAT, "aground", {Flag.AGROUND}),
        ({"engines_hit": True, "fp": 6}, Fate.AFLOAT, "in_play", {Flag.DISABLED}),
        ({"engines_hit": True, "fp": 7}, Fate.AFLOAT, "in_play", set()),
        ({"status": Status.SUNK_GUNFIRE, "fp": 0}, Fate.SUNK, "sunk_gunfire", set()),
        ({"status": Status.SUNK_TORPEDO, "fp": 0}, Fate.SUNK, "sunk_torpedo", set()),
        ({"status": Status.SUNK_RAMMING, "fp": 0}, Fate.SUNK, "sunk_ramming", set()),
        ({"status": Status.EXPLODED, "fp": 0}, Fate.BLOWN_UP, "exploded", set()),
    ],
)
def test_each_end_of_a_ship_has_its_fate_and_flags(
    over_: dict[str, Any], fate: Fate, kind: str, flags: set[Flag]
) -> None:
    made = battle(ship("A1", **over_), ship("B1", (9, 5)))
    made.ended = "limit"
    entry = closing.outcome(made).ship("A1")
    assert (entry.fate, entry.cause, set(entry.flags), entry.captor) == (fate, kind, flags, "")
