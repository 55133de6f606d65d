"""How ships turn, run and turn. Rules: T.B2-T.B4, T.B7, T.E4-T.E6."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.plane import angle
from battles.engine.rulesets.thomas import drift, movement, releases
from battles.engine.rulesets.thomas.play import Course, Orders, Play
from battles.engine.rulesets.thomas.sailing import enough_hands, sail_reach, sailing_crew, turns, wind_limit
from battles.engine.rulesets.thomas.state import Adrift, Rig, Ship, Status
from battles.engine.rulesets.thomas.tables import Kind, WindForce
from battles.engine.rulesets.thomas.turn import begin_move
from tests.engine.thomas.builders import battle, done, events, play, revenge, ship

CALM, LIGHT, MEDIUM, STRONG = WindForce.CALM, WindForce.LIGHT, WindForce.MEDIUM, WindForce.STRONG


def sailed(one: Ship, course: Course, *others: Ship, **over: Any) -> Play:
    made, played = battle(one, *others, **over), play(orders={one.id: course})
    movement.move(made, played, one)
    return played


@pytest.mark.clause("T.E4", "T.B4", "T.B4a", "T.B4b", "T.B2c")
def test_a_move_is_a_turn_a_leg_and_a_turn() -> None:
    one = ship(x=10_000, y=10_000)
    sailed(one, Course(4_500, 5_000, -3_000), wind_from=27_000)
    assert (one.position, one.heading, one.in_irons) == ((13_536, 13_536), 1_500, False)
    over = ship(x=10_000, y=10_000)
    played = sailed(over, Course(6_000, 9_000, -3_000), wind_from=27_000)
    assert (over.position, over.heading) == ((13_536, 13_536), 1_500)
    assert [
        (one.data["code"], one.data["asked"], one.data["given"]) for one in events(played, "refused")
    ] == [
        ("turn1", 6_000, 4_500),
        ("distance", 9_000, 5_000),
    ]
    assert events(played, "moved")[0].data["path"] == [
        [10_000, 10_000, 0], [10_000, 10_000, 4_500], [13_536, 13_536, 4_500], [13_536, 13_536, 1_500]
    ]  # fmt: skip


@pytest.mark.clause("T.B4", "T.B4b")
def test_the_closing_turn_has_the_same_limit_as_the_opening_one() -> None:
    one = ship()
    played = sailed(one, Course(0, 2_000, 6_000), wind_from=27_000)
    assert (one.position, one.heading) == ((0, 2_000), 4_500)
    (cut,) = events(played, "refused")
    assert (cut.data["code"], cut.data["asked"], cut.data["given"]) == ("turn2", 6_000, 4_500)


@pytest.mark.clause("T.E5", "T.B2d", "T.B2f", "T.B4b")
@pytest.mark.parametrize(("asked", "x"), [(9_000, 5_000), (1_000, 2_000), (0, 2_000), (3_000, 3_000)])
def test_a_ship_short_of_a_mast_is_limited_in_a_strong_wind(asked: int, x: int) -> None:
    one = ship(heading=9_000, masts_lost=1)
    sailed(one, Course(0, asked, 0), strength=STRONG)
    assert one.position == (x, 0)


@pytest.mark.clause("T.E6", "T.B7", "T.B7a", "T.B7b")
def test_the_worked_tack_and_the_ship_in_irons_come_out_right() -> None:
    handy = revenge(heading=31_500)
    sailed(handy, Course(9_000, 8_000, 0))
    assert (handy.position, handy.heading, handy.in_irons) == ((5_657, 5_657), 4_500, False)
    hope = ship(heading=31_500)
    made, played = (
        battle(hope),
        play(4, 5, orders={"E1": Orders(Course(4_500, 5_000, 4_500), irons_turn=4_500)}),
    )
    movement.move(made, played, hope)
    assert (hope.position, hope.heading, hope.in_irons) == ((0, -1_000), 0, True)
    for y, heading, irons in ((-2_000, 0, True), (-3_000, 4_500, False)):
        begin_move(made)
        releases.irons(made, played)
        drift.drift_all(made, played)
        movement.move(made, played, hope)
        assert (hope.position, hope.heading, hope.in_irons) == ((0, y), heading, irons)
    done(played)
    begin_move(made)
    drift.drift_all(made, played)
    assert hope.position == (0, -3_000)
    movement.move(made, play(orders={"E1": Course(0, 1_000)}), hope)
    assert hope.position == (707, -2_293)


@pytest.mark.clause("T.B7b")
def test_a_turn_out_of_irons_may_fall_short_and_irons_continue() -> None:
    one = ship(heading=0, in_irons=True, turn=2_000)
    made, played = battle(one), play(6, orders={"E1": Orders(irons_turn=9_000)})
    releases.irons(made, played)
    assert (one.heading, one.in_irons, one.drifts_now) == (2_000, True, False)


@pytest.mark.clause("T.B7b", "T.E7")
def test_a_ship_that_came_into_irons_this_turn_does_not_throw_yet() -> None:
    one = ship(heading=0, in_irons=True, irons_since=1)
    made, played = battle(one), play()
    releases.irons(made, played)
    drift.drift_all(made, played)
    assert one.position == (0, -1_000)


@pytest.mark.clause("T.B7", "T.B2e")
def test_pointing_up_after_the_leg_puts_her_in_irons_from_the_next_turn() -> None:
    one = ship(heading=9_000)
    sailed(one, Course(0, 5_000, -4_500))
    assert (one.position, one.heading, one.in_irons) == ((5_000, 0), 4_500, False)
    other = ship(heading=9_000, turn=4_600)
    sailed(other, Course(0, 5_000, -4_501))
    assert (other.position, other.in_irons) == ((5_000, 0), True)


@pytest.mark.clause("T.B2e", "T.B2c", "T.B2b", "T.B2d", "T.B7a")
@pytest.mark.parametrize(
    ("strength", "masts_lost", "limit"),
    [
        (CALM, 0, 0), (CALM, 1, 0), (LIGHT, 0, 9_000), (LIGHT, 1, 0), (MEDIUM, 0, 4_500), (MEDIUM, 1, 9_000),
        (STRONG, 0, 4_500), (STRONG, 1, 9_000),
    ],
)  # fmt: skip
def test_a_ship_sails_only_so_near_the_wind(strength: WindForce, masts_lost: int, limit: int) -> None:
    one = ship(masts_lost=masts_lost)
    assert wind_limit(battle(one, strength=strength), one) == limit


@pytest.mark.clause("T.B2", "T.B2a", "T.B2b", "T.B2c", "T.B2d", "T.B2f", "T.S17")
@pytest.mark.parametrize(
    ("strength", "masts_lost", "speed", "reach"),
    [
        (CALM, 0, 5_000, (0, 0)), (LIGHT, 0, 5_000, (0, 1_000)), (LIGHT, 0, 500, (0, 1_000)), (LIGHT, 1, 5_000, (0, 0)),
        (MEDIUM, 0, 5_000, (1_000, 5_000)), (MEDIUM, 1, 5_000, (1_000, 2_500)), (MEDIUM, 2, 5_000, (0, 0)),
        (MEDIUM, 1, 1_500, (750, 750)), (STRONG, 0, 5_000, (2_000, 10_000)), (STRONG, 1, 5_000, (2_000, 5_000)),
    ],
)  # fmt: skip
def test_a_ship_has_a_limit_of_distance(
    strength: WindForce, masts_lost: int, speed: int, reach: tuple[int, int]
) -> None:
    one = ship(masts_lost=masts_lost, speed=speed)
    assert sail_reach(battle(one, strength=strength), one) == reach


@pytest.mark.clause("T.B2a", "T.B2b", "T.O4a", "T.S9")
@pytest.mark.parametrize(
    ("strength", "spell", "change", "allowed"),
    [
        (CALM, 1, {}, (0, 0)), (CALM, 2, {}, (4_500, 1)), (CALM, 2, {"turn": 3_000}, (4_500, 1)),
        (CALM, 3, {"masts_lost": 1}, (4_500, 1)), (CALM, 3, {"masts_lost": 2}, (0, 0)),
        (LIGHT, 0, {"turn": 9_000}, (9_000, 2)), (LIGHT, 0, {"turn": 9_000, "masts_lost": 1}, (4_500, 1)),
        (LIGHT, 0, {"turn": 3_000, "masts_lost": 1}, (3_000, 1)), (MEDIUM, 0, {"masts_lost": 2}, (0, 0)),
        (MEDIUM, 0, {"kind": Kind.GALLEY}, (4_500, 1)),
        (CALM, 1, {"kind": Kind.GALLEY, "oar_speed": 6_000, "oar_turn": 9_000, "rig": Rig.OARS}, (9_000, 2)),
    ],
)  # fmt: skip
def test_a_ship_has_a_limit_of_turning(
    strength: WindForce, spell: int, change: dict[str, Any], allowed: tuple[int, int]
) -> None:
    one = ship(**change)
    assert turns(battle(one, strength=strength, spell_calm=spell), one) == allowed


@pytest.mark.clause("T.B2a")
def test_in_a_calm_no_ship_moves_at_first_and_then_each_only_turns_once() -> None:
    one = ship(heading=0)
    sailed(one, Course(4_500, 5_000, 4_500), strength=CALM, spell_calm=1)
    assert (one.position, one.heading) == ((0, 0), 0)
    one = ship(heading=0)
    sailed(one, Course(9_000, 5_000, 4_500), strength=CALM, spell_calm=2)
    assert (one.position, one.heading, one.in_irons) == ((0, 0), 4_500, False)


@pytest.mark.clause("T.B2b")
def test_in_light_airs_she_creeps_an_inch_and_may_stay() -> None:
    one = ship(heading=9_000)
    sailed(one, Course(4_500, 5_000, -4_500), strength=LIGHT)
    assert (one.position, one.heading) == ((707, -707), 9_000)
    still = ship(heading=9_000)
    sailed(still, Course(), strength=LIGHT)
    assert still.position == (0, 0)


@pytest.mark.clause("T.B2g")
def test_a_widened_limit_puts_no_one_in_irons() -> None:
    bears_away = ship(heading=4_500, masts_lost=1)
    sailed(bears_away, Course(4_500, 2_500, 0))
    assert (bears_away.position, bears_away.in_irons) == ((2_500, 0), False)
    short = ship(heading=4_500, masts_lost=1, turn=3_000)
    sailed(short, Course(3_000, 2_500, 3_000))
    assert (short.position, short.heading, short.in_irons) == ((0, -1_000), 7_500, False)
    stands_on = ship(heading=4_500, masts_lost=1)
    sailed(stands_on, Course(0, 2_500, 0))
    assert (stands_on.position, stands_on.in_irons) == ((0, -1_000), False)
    luffs = ship(heading=4_500, masts_lost=1)
    sailed(luffs, Course(-1_000, 2_500, 0))
    assert (luffs.position, luffs.in_irons) == ((0, -1_000), True)


@pytest.mark.clause("T.B4c", "T.B6c", "T.S22")
@pytest.mark.parametrize(
    "change",
    [
        {"masts_lost": 2}, {"drifted": True}, {"struck": True}, {"anchored": True}, {"in_irons": True}, {"silent": True},
        {"run_into": True}, {"adrift": Adrift.HOVE_TO}, {"crew_halves": 10}, {"moved": True}, {"drifts_now": True},
    ],
    ids=str,
)  # fmt: skip
def test_some_ships_do_not_move(change: dict[str, Any]) -> None:
    one = ship(heading=9_000, **change)
    sailed(one, Course(4_500, 5_000, 4_500))
    assert (one.position, one.heading) == ((0, 0), 9_000)


@pytest.mark.clause("T.B4c")
def test_a_grappled_ship_does_not_move() -> None:
    one, other = ship("E1", heading=9_000), ship("S1", y=200, heading=9_000)
    made = battle(one, other)
    made.fasten(one, other)
    movement.move(made, play(orders={"E1": Course(0, 5_000)}), one)
    assert one.position == (0, 0)


@pytest.mark.clause("T.O5", "T.O5a", "T.O5f", "T.O6h", "T.E25")
@pytest.mark.parametrize(
    ("change", "enough"),
    [
        ({"crew_halves": 12}, True), ({"crew_halves": 11}, False), ({"tons": 601, "crew_halves": 13}, False),
        ({"tons": 450, "prize_of": "ENG", "captive_halves": 26, "guard_halves": 14}, False),
        ({"tons": 450, "prize_of": "ENG", "captive_halves": 26, "guard_halves": 16}, True),
    ],
    ids=str,
)  # fmt: skip
def test_a_ship_needs_enough_men_to_sail(change: dict[str, Any], enough: bool) -> None:
    one = ship(**change)
    assert enough_hands(battle(one), one) is enough
    assert enough_hands(battle(one, options={"opt_crews": False}), one)
    assert sailing_crew(ship(tons=450)) == 5


@pytest.mark.clause("T.B4d", "T.B2f")
def test_a_leg_stops_at_the_first_hull_and_the_closing_turn_is_lost() -> None:
    one, near, far = ship("E1", heading=9_000), ship("S1", x=3_000), ship("S2", x=2_500, y=200)
    played = sailed(one, Course(0, 5_000, 4_500), near, far)
    assert (one.position, one.heading, one.stopped_short) == ((1_875, 0), 9_000, True)
    assert events(played, "moved")[0].data["stopped"] == "S2"


@pytest.mark.clause("T.B4g")
def test_ships_that_touch_may_slide_off_but_not_press_on() -> None:
    one, other = ship("E1", heading=18_000), ship("S1", x=250, heading=18_000)
    sailed(one, Course(0, 3_000, 0), other)
    assert one.position == (0, -3_000)
    pressed = ship("E1", heading=18_000)
    played = sailed(pressed, Course(-4_500, 3_000, 0), other)
    assert (pressed.position, pressed.heading) == ((0, 0), 13_500)
    assert events(played, "moved")[0].data["stopped"] == "S1"


@pytest.mark.clause("T.B4e", "T.B6", "T.S21")
def test_a_ship_that_runs_or_swings_ashore_is_lost() -> None:
    coast = (((4_000, -5_000), (6_000, -5_000), (6_000, 5_000), (4_000, 5_000)),)
    one = ship(heading=9_000)
    played = sailed(one, Course(0, 5_000, 0), land=coast)
    assert (one.status, one.x) == (Status.WRECKED, 3_500)
    assert events(played, "wrecked")
    swung = ship(heading=18_000, x=3_700)
    sailed(swung, Course(-4_500, 1_000, 0), land=coast)
    assert swung.status is Status.WRECKED


@pytest.mark.clause("T.B4f", "T.B3a", "T.S19")
def test_a_sides_ships_move_in_ascending_order_and_those_without_orders_stand_on() -> None:
    ships = [
        ship("E2", heading=9_000),
        ship("E1", y=3_000, heading=9_000),
        ship("S1", y=9_000, heading=9_000),
    ]
    made, played = battle(*ships), play()
    movement.first_moves(made, played)
    assert [event.ship for event in events(played, "moved")] == ["E1", "E2"]
    assert ships[0].position == (1_000, 0)
    movement.second_moves(made, played)
    assert ships[2].position == (1_000, 9_000)


@pytest.mark.clause("T.B7a")
def test_the_swing_counts_where_it_ends() -> None:
    one = revenge(heading=31_500)
    sailed(one, Course(0, 1_000, 9_000))
    assert angle(one.heading, 4_500) == 0
    assert not one.in_irons
