"""Ships under way: irons, drift, lines, anchors, shoals, land, edges. Rules: A.M, A.L, A.T."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.age_of_sail import layout, movement, sailing
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Ship, Status
from tests.engine.age_of_sail.builders import NE, SE, E, N, S, W, at, battle, kinds, play, played, ship
from tests.support.answers import unerring

SHOAL: dict[str, Any] = {"shoals": [[[-20000, 2500], [20000, 2500], [20000, 9000], [-20000, 9000]]]}


@unerring
def alone(one: Ship, **more: Any) -> Battle:
    return battle(one, ship("D1", 300, 300, E), **more)


@pytest.mark.clause("A.E7", "A.M13", "A.W9")
def test_a_ship_in_irons_makes_one_point_away_from_the_wind_each_turn() -> None:
    made = alone(ship("E1", h=NE), wind_from=1)
    made, _ = played(made, {"E1": "A9"})
    assert at(made.ships["E1"]) == (924, 383, 3)
    made, _ = played(made)
    assert at(made.ships["E1"]) == (1924, 383, 4)
    made, _ = played(made, {"E1": "A9"})
    assert at(made.ships["E1"]) == (10_924, 383, 4)


@pytest.mark.clause("A.M13")
def test_a_ship_dead_to_windward_turns_as_ordered_and_any_other_turns_towards_the_side_on_which_it_lies() -> (
    None
):
    made, _ = played(alone(ship("E1", h=NE), wind_from=1), {"E1": "P1"})
    assert made.ships["E1"].h == 1
    made, _ = played(alone(ship("E1", h=1), wind_from=1), {"E1": "S1"})
    assert made.ships["E1"].h == 0


@pytest.mark.clause("A.E8", "A.M16", "A.M5")
def test_a_dismasted_ship_drifts_a_centimetre_downwind_or_anchors() -> None:
    made = alone(ship("E1", 10, 10, S, rig=[-2, -2, -2]), wind_from=6)
    after, events = played(made, {"E1": "A9"})
    assert at(after.ships["E1"]) == (11_000, 10_000, S)
    assert "drifted" in kinds(events)
    after, _ = played(made, {"E1": "| anchor:0"})
    assert (at(after.ships["E1"]), after.ships["E1"].anchor) == ((10_000, 10_000, S), Anchor.DOWN)


@pytest.mark.clause("A.M7", "A.M21", "A.M8")
def test_a_path_is_cut_short_where_it_is_unlawful_but_a_ship_moves_at_least_a_centimetre() -> None:
    after, events = played(alone(ship("E1", h=NE)), {"E1": "P1"})
    assert at(after.ships["E1"]) == (707, 707, NE)
    assert next(event for event in events if event.kind == "refused").data["code"] == "order/path-cut"
    after, events = played(alone(ship("E1", h=E)), {"E1": "A40"})
    assert at(after.ships["E1"]) == (15_000, 0, E)


@unerring
def line(*more: Ship, **over: Any) -> Battle:
    own = [ship("E1", 0, 0, E), ship("E2", -5, 0, E), ship("E3", -10, 0, E), *more]
    return battle(*own, ship("D1", 300, 300, E), line=["E1", "E2", "E3"], **over)


@pytest.mark.clause("A.E9", "A.L1", "A.L2", "A.L3", "A.M18")
def test_a_line_turns_where_its_leader_turned() -> None:
    made, events = played(line(), {"E1": "A2 S2 A2"})
    assert at(made.ships["E1"]) == (5_045, -2_504, 6)
    assert at(made.ships["E2"]) == (1_000, 0, E)
    assert [event.ship for event in events if event.kind == "moved"][:3] == ["E1", "E2", "E3"]
    made, _ = played(made, {"E1": "A4"})
    assert at(made.ships["E2"]) == (made.lines[0].wake[-6][0], made.lines[0].wake[-6][1], 6)
    assert made.ships["E2"].x == 2_000 + 924 + 2 * 707 and made.ships["E2"].y == -383 - 2 * 707


@pytest.mark.clause("A.L3", "A.L4")
def test_the_slowest_ship_sets_the_pace_and_one_far_astern_closes_up_to_five_steps() -> None:
    slow = line()
    slow.ships["E3"].rig = [2, -2, 2]
    after, _ = played(slow, {"E1": "A15"})
    assert [after.ships[code].x for code in ("E1", "E2", "E3")] == [10_000, 5_000, 0]
    apart = battle(ship("E1", 0, 0, E), ship("E2", -9, 0, E), ship("D1", 300, 300), line=["E1", "E2"])
    after, _ = played(apart, {"E1": "A3"})
    assert after.ships["E2"].x == -2_000
    after, _ = played(after, {"E1": "A1"})
    assert after.ships["E2"].x == -1_000


@pytest.mark.clause("A.L6", "A.L7", "A.L2")
def test_ships_behind_one_that_drops_out_form_a_new_line_on_the_old_wake() -> None:
    made = line()
    made, _ = played(made, {"E1": "A2 S4 A2"})
    after, _ = played(made, {"E1": "A2", "E2": "A1 | detach:yes"})
    assert after.lines == []
    lost = line(ship("E4", -15, 0, E))
    lost.lines[0].ships.append("E4")
    lost.lines[0].places = [15, 10, 5, 0]
    lost.lines[0].wake = [(1_000 * x, 0, E) for x in range(-15, 1)]
    lost.ships["E1"].rig = [-2, -2, -2]
    after, _ = played(lost, {"E2": "A3"})
    assert [row.ships for row in after.lines] == [["E2", "E3", "E4"]]
    assert [after.ships[code].x for code in ("E2", "E3", "E4")] == [-2_000, -7_000, -12_000]


@pytest.mark.clause("A.L5", "A.C12")
def test_pirates_are_never_in_a_line() -> None:
    own = [ship("E1", 0, 0, E), ship("E2", -5, 0, E, pirate=True), ship("E3", -10, 0, E)]
    made = battle(*own, ship("D1", 300, 300), line=["E1", "E2", "E3"])
    assert made.lines[0].ships == ["E1", "E3"]


@pytest.mark.clause("A.L8", "A.M13")
def test_a_line_in_irons_turns_as_its_leader_and_then_makes_for_the_wake() -> None:
    made = line(wind_from=2)
    made, _ = played(made, {"E1": "P1"})
    assert {made.ships[code].h for code in ("E1", "E2", "E3")} == {3}
    made, _ = played(made, {"E1": "A5"})
    assert {made.ships[code].h for code in ("E1", "E2", "E3")} == {2}
    made, _ = played(made, {"E1": "A9"})
    assert made.ships["E2"].h not in (3, 4, 5)
    gap = (made.ships["E1"].x - made.ships["E2"].x) ** 2 + (made.ships["E1"].y - made.ships["E2"].y) ** 2
    assert gap <= 8_000**2


@pytest.mark.clause("A.E19", "A.T1", "A.T2", "A.M17", "A.T3")
def test_an_anchor_takes_a_whole_turn_to_weigh() -> None:
    made = alone(ship("E1", h=E))
    made, _ = played(made, {"E1": "A5 | anchor:2"})
    assert (at(made.ships["E1"]), made.ships["E1"].anchor) == ((2_000, 0, E), Anchor.DOWN)
    made, _ = played(made, {"E1": "A5"})
    assert made.ships["E1"].x == 2_000
    made, _ = played(made, {"E1": "A5 | weigh:yes"})
    assert (made.ships["E1"].x, made.ships["E1"].anchor) == (2_000, Anchor.WEIGHING)
    made, _ = played(made, {"E1": "A5"})
    assert (made.ships["E1"].x, made.ships["E1"].anchor) == (7_000, Anchor.UP)


@pytest.mark.clause("A.T2", "A.G32")
def test_a_ship_cannot_weigh_in_the_turn_in_which_she_anchored_but_one_laid_at_anchor_can_at_once() -> None:
    made = alone(ship("E1", h=E, anchor=Anchor.DOWN, came=1))
    made, _ = played(made, {"E1": "| weigh:yes"})
    assert made.ships["E1"].anchor is Anchor.DOWN
    made, _ = played(alone(ship("E1", h=E, anchor=Anchor.DOWN)), {"E1": "| weigh:yes"})
    assert made.ships["E1"].anchor is Anchor.WEIGHING


@pytest.mark.clause("A.E18", "A.T4", "A.T5", "A.T7", "A.T8", "A.M17")
def test_a_shoal_is_thrown_for_once_and_a_ship_that_comes_off_moves_at_once() -> None:
    made = alone(ship("E1", h=N), wind_from=6, **SHOAL)
    made, events = played(made, {"E1": "A9"}, [3])
    assert (made.ships["E1"].y, made.ships["E1"].aground) == (3_000, True)
    made, _ = played(made, {"E1": "A9"}, [5])
    assert made.ships["E1"].y == 3_000
    made, _ = played(made, {"E1": "A4"}, [6])
    assert (made.ships["E1"].y, made.ships["E1"].aground) == (7_000, False)
    made, _ = played(made, {"E1": "A3"})
    made, _ = played(made, {"E1": "S8 A1"}, [4])
    assert not made.ships["E1"].aground
    assert made.ships["E1"].shoals == [0]


@pytest.mark.clause("A.T6", "A.T4")
def test_a_drifting_ship_is_tested_like_any_other() -> None:
    made = alone(ship("E1", 0, 2, N, rig=[-2, -2, -2]), wind_from=4, **SHOAL)
    made, _ = played(made, {}, [3])
    assert made.ships["E1"].aground


@pytest.mark.clause("A.T9")
def test_land_is_run_aground_on_without_a_throw_and_hides_a_ship_from_fire() -> None:
    land: dict[str, Any] = {"coast": [[[-5000, 2500], [5000, 2500], [5000, 4000], [-5000, 4000]]]}
    made = alone(ship("E1", h=N), wind_from=4, **land)
    made, _ = played(made, {"E1": "A9"})
    assert (made.ships["E1"].y, made.ships["E1"].aground) == (2_000, True)
    made = battle(ship("E1", 0, 0, E), ship("D1", 0, 6, E), **land)
    _, events = played(made, {"E1": "A1 | port>D1=0"})
    assert "volley" not in kinds(events)


@pytest.mark.clause("A.M20", "A.G11")
def test_a_ship_that_crosses_the_edge_of_a_bounded_sea_is_gone() -> None:
    made = alone(ship("E1", h=E), edges=(-9_000, -9_000, 3_000, 400_000))
    made.ships["D1"].x = 0
    made, events = played(made, {"E1": "A9"})
    assert made.ships["E1"].status is Status.WITHDRAWN
    assert (made.ships["E1"].x, made.ships["E1"].bearing) == (4_000, E)


@pytest.mark.clause("A.M20")
@pytest.mark.parametrize(("away", "gone"), [(60, False), (60.1, True)])
def test_a_withdrawing_ship_more_than_60_cm_from_every_enemy_able_to_move_is_gone(
    away: float, gone: bool
) -> None:
    made = battle(
        ship("E1", 0, 0, E), ship("E2", -50, 0, E), ship("D1", away, 0, E, anchor=Anchor.DOWN), first="E"
    )
    made, _ = played(made, {"E1": "| withdraw:yes anchor:0"})
    assert made.ships["E1"].status is Status.AFLOAT, (
        "an enemy at anchor cannot follow, and none is left to count"
    )
    made = battle(ship("E1", -1, 0, E), ship("E2", -50, 0, E), ship("D1", away - 1, 0, E))
    made, _ = played(made, {"E1": "A1 | withdraw:yes"})
    assert (made.ships["E1"].status is Status.WITHDRAWN) is gone


@pytest.mark.clause("A.G37", "A.P6")
def test_a_squadron_that_comes_later_enters_in_line_on_its_bearing_heading_for_the_middle() -> None:
    own = [ship(f"E{n}", 0, 0, E) for n in (1, 2, 3)]
    own[1].status = own[2].status = Status.EXPECTED
    for one in own[1:]:
        one.squadron = "E-2"
    made = battle(*own, ship("D1", 10, 0, E), wind_from=0)
    made.squadrons["E-2"] = made.squadrons["E-1"].__class__(
        "E-2", "Late", "E", ("E2", "E3"), "E2", arrives=2, edge=180
    )
    made.turn = 1
    layout.arrivals(made, play(made))
    assert made.ships["E2"].expected
    made.turn = 2
    layout.arrivals(made, play(made))
    assert at(made.ships["E2"])[:2] == (5_000, -20_000)
    assert made.ships["E2"].h == 2
    assert made.lines[0].ships == ["E2", "E3"]


@pytest.mark.clause("A.M12", "A.B2")
def test_a_path_that_contact_would_end_inside_the_zone_stops_before_the_tack() -> None:
    made = battle(ship("E1", 0, 0, NE), ship("E2", 1.5, 3.7, E, anchor=Anchor.DOWN), ship("D1", 99, 99))
    after, _ = played(made, {"E1": "A2 P4 A2"})
    assert at(after.ships["E1"]) == (1_414, 1_414, SE - 4)


@pytest.mark.clause("A.M13")
def test_in_irons_a_ship_makes_its_point_towards_the_side_it_lies_on_however_far() -> None:
    sails = battle(ship("E1"), wind_from=0).sails(ship("E1"))
    turns = [sailing.irons_turn((sails.eye + by) % 16, sails, 0) for by in range(16)]
    assert turns == [1] * 8 + [-1] * 8
    assert [sailing.irons_turn(sails.eye, sails, by) for by in (-1, 0, 1)] == [-1, 1, 1]


@pytest.mark.clause("A.L8")
def test_of_two_ways_to_the_wake_that_are_equally_near_the_one_to_port_is_sailed() -> None:
    one = ship("E1", 0, 0, E)
    made = battle(one, ship("D1", 300, 300), wind_from=W)
    found = movement._towards(one, (-20_000, 0, E), made)
    assert found and found[-1][1] > 0, "north of its old course, to port of east"
    ahead = movement._towards(one, (3_000, 0, E), made)
    assert [(x, y) for x, y, _ in ahead] == [(1_000, 0), (2_000, 0), (3_000, 0)]
