"""What a ship and a battle say of themselves. Rules: C.P2, C.P5, C.G9, C.D2, C.K36 and the state per ship."""

from __future__ import annotations

import pytest

from battles.engine.core.parties import SideState
from battles.engine.rulesets.cordery.rules import RULES
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from tests.engine.cordery.builders import battle, ship


@pytest.mark.clause("C.N1", "C.H2", "C.T6", "C.M4", "C.F1")
def test_a_ship_comes_with_nothing_lost_or_held() -> None:
    one = Ship("A1", "One", "A", "A-1", 12, 6, 12, (), (), (), 1, 1, (), 4, True, 2, True, 700)
    assert [one.turret_fore, one.turret_aft, one.battery_port, one.battery_stbd] == [False] * 4
    assert not (
        one.engines_hit
        or one.turret_half
        or one.prize
        or one.came_critical
        or one.burning
        or one.breaking_off
        or one.aground
    )
    assert (
        one.fp_before,
        one.x,
        one.y,
        one.h,
        one.anchored,
        one.no_fire,
        one.lock_bridge,
        one.lock_rudder,
    ) == (0,) * 8
    assert (one.last_action, one.last_spent, one.given, one.taken, one.cause, one.captain) == (
        "F",
        -1,
        0,
        0,
        "",
        "",
    )
    assert one.expected and not one.afloat and not one.locked and one.flag == "A" and one.pos == (0, 0)
    made = Battle(
        "T",
        0,
        9,
        False,
        0,
        "light",
        {"A": SideState("A", "A", "A"), "B": SideState("B", "B", "B")},
        {},
        {"A1": one},
        {},
        {},
        (0, 0, 9, 9),
    )
    assert (made.first, made.quiet, made.ended, made.winner, made.scores, made.luck, made.at) == (
        "",
        0,
        "",
        "",
        {},
        {},
        {},
    )
    assert (made.land, made.shoal, made.surprised) == (frozenset(), frozenset(), ())


@pytest.mark.clause("C.K13", "C.D1")
def test_what_shows_of_a_ships_losses_are_begun_quarters() -> None:
    assert [ship("A1", fp=fp).steps for fp in range(12, -1, -1)] == [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    assert [ship("A1", fp=fp, fp_max=9).steps for fp in (9, 8, 6, 4, 0)] == [0, 1, 2, 3, 4]


@pytest.mark.clause("C.K1")
def test_only_ships_sunk_or_exploded_are_lost() -> None:
    lost = {Status.SUNK_GUNFIRE, Status.SUNK_TORPEDO, Status.SUNK_RAMMING, Status.EXPLODED}
    for status in Status:
        one = ship("A1", status=status)
        assert (status.lost, one.afloat, one.expected) == (
            status in lost,
            status is Status.IN_PLAY,
            status is Status.EXPECTED,
        )


@pytest.mark.clause("C.N2", "C.N4", "C.H2", "C.M6")
def test_what_stands_and_whether_the_course_is_held() -> None:
    assert ship("A1", turret_aft=False).standing == {"turret_fore", "battery_port", "battery_stbd"}
    assert ship("A1", fitted=("turret_fore", "battery_port"), turret_fore=False).standing == {"battery_port"}
    for bridge, rudder, held in ((0, 0, False), (1, 0, True), (0, 1, True), (2, 3, True)):
        assert ship("A1", lock_bridge=bridge, lock_rudder=rudder).locked is held


@pytest.mark.clause("C.P8", "C.P10", "C.D2", "C.G10")
def test_the_board_knows_who_lies_where_and_who_is_whose() -> None:
    one, two, foe, gone = (
        ship("A1", (5, 5)),
        ship("A2", (6, 5)),
        ship("B1", (7, 5)),
        ship("B2", (8, 5), status=Status.LEFT),
    )
    made = battle(one, two, foe, gone)
    assert (
        [*made.in_play()] == [one, two, foe]
        and [*made.in_play("A")] == [one, two]
        and [*made.in_play("B")] == [foe]
    )
    assert [*made.enemies("A")] == [foe] and [*made.enemies("B")] == [one, two]
    assert (made.other("A"), made.other("B")) == ("B", "A")
    made.put(one, (5, 6))
    assert made.at == {(5, 6): one, (6, 5): two, (7, 5): foe}
    made.lift(ship("A9", (6, 5)))
    assert made.at[6, 5] is two, "only the ship that lies there can be lifted"
    made.remove(two, Status.EXPLODED)
    assert (6, 5) not in made.at and two.status is Status.EXPLODED
    assert [made.critical(ship("A1", fp=fp)) for fp in (7, 6, 5)] == [False, True, True]


@pytest.mark.clause("C.M10", "C.K36")
def test_shoals_are_closed_to_deep_ships_and_land_to_all() -> None:
    land, shoal = frozenset({(1, 1)}), frozenset({(2, 2)})
    for has_land, has_shoal, deep, closed in (
        (land, shoal, True, {(1, 1), (2, 2)}), (land, shoal, False, {(1, 1)}), (frozenset(), shoal, True, {(2, 2)}),
        (frozenset(), shoal, False, set()),
        (land, frozenset(), True, {(1, 1)}),
    ):  # fmt: skip
        assert battle(ship("A1"), land=has_land, shoal=has_shoal).closed(ship("A1", deep=deep)) == closed


@pytest.mark.clause("C.G9", "C.G10", "C.M10", "C.K37")
@pytest.mark.parametrize(
    ("between", "land", "switch", "seen"),
    [((3, 0), None, True, False), ((3, 1), None, True, True), ((3, 0), None, False, True), (None, (3, 0), True, False),
    (None, (3, 0), False, False), (None, None, True, True)],
)  # fmt: skip
def test_ships_mask_fire_only_with_the_option_and_land_always_does(
    between: tuple[int, int] | None, land: tuple[int, int] | None, switch: bool, seen: bool
) -> None:
    others = [ship("A2", between)] if between else []
    made = battle(
        ship("A1", (0, 0)),
        ship("B1", (6, 0)),
        *others,
        options={"block_line": switch},
        land=frozenset({land} if land else ()),
    )
    assert made.sees((0, 0), (6, 0)) is made.sees((6, 0), (0, 0)) is seen


@pytest.mark.clause("C.K22", "C.K33", "C.K8")
def test_the_rule_sets_own_figures() -> None:
    assert (RULES.minutes, RULES.turn_limit, RULES.takes_ships, RULES.name) == (5, 96, False, "cordery")
    assert RULES.wishes == {"stance", "fight_at", "chase", "board", "break_off", "protect"}
    made = battle(ship("A1"), towards=123, strength="light", turn=7)
    assert RULES.weather_out(made) == (123, "light") and RULES.turns_played(made) == 7
