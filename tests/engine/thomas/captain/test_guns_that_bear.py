"""The commander lays a ship so that its guns bear: on the beam, past other hulls, and not at long shot when told to close. Section 12."""

from __future__ import annotations

import pytest

from battles.engine.core import plane
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.thomas import arcs
from battles.engine.rulesets.thomas.captain.legs import Leg, Lying
from battles.engine.rulesets.thomas.captain.plan import Fleet, Mode
from battles.engine.rulesets.thomas.captain.weighing import Sight, masked
from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.tables import Kind, WindForce
from tests.engine.thomas.builders import batteries, battle, ship
from tests.engine.thomas.captain.scenes import apart, commander, moved
from tests.engine.thomas.captain.test_commander_moves import line_ship

NEVER = Doctrine(board="never")


def frigate(code: str, x: int, y: int, heading: int) -> Ship:
    return ship(
        code, x, y, heading, kind=Kind.FRIGATE, guns=36, tons=1_050, flot_max=52, crew_max=105, speed=9_000, turn=9_000,
        batteries=batteries(0, 0, 2), length=1_470, beam=367, has_fired=True,
    )  # fmt: skip


@pytest.mark.clause("T.B3a", "T.B10")
@pytest.mark.parametrize("bearing", range(0, 36_000, 3_000))
@pytest.mark.parametrize("far", [5_000, 9_000])
def test_who_moves_second_ends_with_a_broadside_that_bears(bearing: int, far: int) -> None:
    own = frigate("E1", 0, 0, 9_000)
    enemy = frigate("S1", *plane.advance((0, 0), bearing, far), 4_500)
    made = battle(own, enemy, wind_from=31_500, first="SPA", nelson=True)
    moved(made, NEVER)
    assert arcs.bearing(made, own)


@pytest.mark.clause("T.B3a", "T.B10")
def test_a_ship_that_runs_far_in_a_strong_wind_counts_an_enemy_only_when_it_comes_into_gunshot() -> None:
    own, enemy = frigate("E1", 0, 0, 9_000), frigate("S1", 24_000, 0, 9_000)
    made = battle(own, enemy, wind_from=27_000, first="SPA", nelson=True, strength=WindForce.STRONG)
    moved(made, NEVER)
    assert arcs.bearing(made, own)


@pytest.mark.clause("T.B10e")
@pytest.mark.parametrize(
    ("x", "y", "heading", "shut"),
    [
        (4_000, 0, 0, True),
        (4_000, 800, 0, True),
        (4_000, 950, 0, False),
        (9_000, 0, 0, False),
        (-4_000, 0, 0, False),
    ],
)
def test_a_hull_across_the_line_of_fire_shuts_it(x: int, y: int, heading: int, shut: bool) -> None:
    sin, cos = (value // 10**6 for value in plane.unit(heading))
    hull = Lying("E2", x, y, sin, cos, 900, 225, True)
    leg = Leg(0, 1_000, 0, 0, 0)
    mark = Sight(8_000, 0, (0, 1, 0, 0), 0, 900, 300, "S1", True)
    assert masked(leg, mark, [hull]) is shut
    assert not masked(leg, mark, [hull._replace(id="S1")])


@pytest.mark.clause("T.B10e")
def test_a_ship_moves_out_from_behind_a_friend() -> None:
    own, friend = line_ship("E1", 0, 0, 0), line_ship("E2", 2_500, 0, 0, moved=True, masts_lost=2)
    enemy = line_ship("S1", 6_000, 0, 0, side="SPA", masts_lost=2)
    made = battle(own, friend, enemy, wind_from=27_000, first="SPA", nelson=True)
    assert not arcs.bearing(made, own)
    moved(made, NEVER)
    assert arcs.bearing(made, own)


@pytest.mark.clause("G.MV5")
def test_a_ship_told_to_close_comes_down_through_the_fire_of_many_enemies() -> None:
    line = [line_ship(f"S{n}", 15_000, 6_000 - 3_000 * n, 0, side="SPA") for n in range(5)]
    friends = [line_ship(f"E{n}", -2_500, 6_000 - 3_000 * n, 9_000) for n in range(2, 7)]
    own = line_ship("E1", 0, 0, 9_000)
    made = battle(own, *friends, *line, wind_from=27_000, first="SPA", nelson=True)
    before = min(apart(own, one) for one in line)
    moved(made, Doctrine(fight_at="close", chase="general"))
    assert before - min(apart(own, one) for one in line) > 3_000


@pytest.mark.clause("G.MV5")
def test_the_rear_leaves_its_line_once_the_van_is_in_action() -> None:
    van, rear = line_ship("E1", 0, 0, 9_000), line_ship("E2", -14_000, 0, 9_000)
    enemy = line_ship("S1", 6_000, 0, 0, side="SPA")
    for chase, goes in (("line", False), ("general", True)):
        made = battle(van, rear, enemy, wind_from=27_000, first="SPA", nelson=True)
        captain, view = commander(made, Doctrine(chase=chase))
        captain.ship_order(view, ("E1", "E2"))
        assert "E1" in captain._hunt.prey
        assert ("E2" in captain._hunt.prey) is goes


@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize(
    ("off", "protect", "mode"),
    [(21_000, (), Mode.FIGHT), (23_000, (), Mode.HOLD), (21_000, ("E1",), Mode.HOLD)],
)
def test_a_squadron_that_holds_helps_friends_in_action_unless_it_covers_a_convoy(
    off: int, protect: tuple[str, ...], mode: Mode
) -> None:
    fought, far = ship("E1", 0, 0), ship("E2", 0, -off, squadron="ENG-2")
    made = battle(fought, far, ship("S1", 0, 11_000))
    captain, view = commander(made, Doctrine(stance=Stance.HOLD, protect=protect))
    captain.ship_order(view, ("E1", "E2"))
    assert captain._plans["ENG-2"].mode is mode


@pytest.mark.clause("G.MV5")
@pytest.mark.parametrize(
    ("lost", "mine", "theirs", "beaten"),
    [
        (50, 10, 10, True),
        (50, 11, 10, False),
        (49, 10, 10, False),
        (25, 10, 21, True),
        (25, 10, 20, False),
        (24, 10, 21, False),
    ],
)
def test_a_side_is_beaten_by_what_it_has_lost_or_by_half_of_it_against_twice_its_fire(
    lost: int, mine: int, theirs: int, beaten: bool
) -> None:
    assert Fleet(lost, mine, theirs, None).beaten(50) is beaten
