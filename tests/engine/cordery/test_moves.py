"""Movement and ramming: what is legal, where it leads, what happens at ships, edges and land."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.cordery import movement, ramming, steering
from battles.engine.rulesets.cordery.state import Ship, Status
from tests.engine.cordery.builders import NAMES, battle, events, finish, play, ship
from tests.support.cases import cases


def pose(one: Ship) -> list[object]:
    return [one.x, one.y, NAMES[one.h]]


@pytest.mark.parametrize("case", cases("cordery/moves"))
def test_a_ship_goes_where_its_order_leads(case: dict[str, Any]) -> None:
    x, y, heading = case["start"]
    one = ship("A1", (x, y), heading, engines_hit=case.get("crippled", False), pace=case.get("pace", 2))
    one.last_action = case.get("last", "F")
    table = play(battle(one), orders={"A1": case["order"]})
    movement.move(_of(one, table), table, "A")
    assert pose(one) == case["end"]
    refused = [event.data["code"] for event in events(table, "refused")]
    assert refused == ([case["refused"]] if "refused" in case else [])


def _of(one: Ship, table: Any) -> Any:
    return table.views["A"]._battle


@pytest.mark.clause("C.E14", "C.M3")
def test_eight_turns_to_starboard_come_back_to_the_beginning() -> None:
    one = ship("A1", (4, 4))
    made = battle(one)
    for _ in range(8):
        movement.move(made, play(made, orders={"A1": "FR"}), "A")
    assert pose(one) == [4, 4, "N"]


@pytest.mark.clause("C.M1", "C.M3", "C.M4", "C.N12")
def test_each_allowance_has_its_lawful_moves() -> None:
    assert set(steering.strings(0, "F")) == {""}
    assert set(steering.strings(1, "F")) == {"", "F", "L", "R"}
    assert set(steering.strings(1, "L")) == {"", "F"}
    assert set(steering.strings(2, "F")) == {"", "F", "FF", "FL", "FR"}
    assert set(steering.strings(3, "F")) == {
        "", "F", "FF", "FL", "FR", "FFF", "FFL", "FFR", "FLF", "FRF",
    }  # fmt: skip


@pytest.mark.clause("C.D3")
def test_equal_moves_are_ranked_in_the_order_of_the_book() -> None:
    assert sorted(("", "L", "FL", "R", "FR", "F", "FF"), key=steering.rank) == [
        "FF",
        "F",
        "FR",
        "R",
        "FL",
        "L",
        "",
    ]


@pytest.mark.clause("C.M6", "C.H2")
@pytest.mark.parametrize(
    ("spent", "crippled", "areas"),
    [(2, False, 2), (1, False, 1), (0, False, 0), (-1, False, 2), (2, True, 1)],
)
def test_a_ship_with_its_bridge_hit_continues_as_it_last_moved(
    spent: int, crippled: bool, areas: int
) -> None:
    one = ship("A1", lock_bridge=3, last_spent=spent, engines_hit=crippled)
    made = battle(one)
    table = play(made, orders={"A1": "FR"})
    movement.move(made, table, "A")
    assert pose(one) == [5, 5 + areas, "N"]
    assert one.last_spent == spent, "the figure stays as it was"
    assert [event.data["code"] for event in events(table, "refused")] == ["order/locked"]


@pytest.mark.clause("C.T6", "C.M6")
@pytest.mark.parametrize(
    ("order", "areas", "refused"), [("FF", 2, 0), ("F", 1, 0), ("-", 0, 0), ("FL", 1, 1)]
)
def test_without_a_rudder_a_ship_chooses_its_speed_but_not_its_course(
    order: str, areas: int, refused: int
) -> None:
    one = ship("A1", lock_rudder=1)
    made = battle(one)
    table = play(made, orders={"A1": order})
    movement.move(made, table, "A")
    assert pose(one) == [5, 5 + areas, "N"]
    assert len(events(table, "refused")) == refused


@pytest.mark.clause("C.S10", "C.H2", "C.T6", "C.K31")
def test_locks_and_anchors_run_down_by_one_a_phase() -> None:
    one = ship("A1", lock_bridge=3, lock_rudder=1, anchored=2)
    movement.tick(battle(one))
    assert (one.lock_bridge, one.lock_rudder, one.anchored) == (2, 0, 1)
    movement.tick(battle(one))
    assert (one.lock_bridge, one.lock_rudder, one.anchored) == (1, 0, 0)


@pytest.mark.clause("C.K31")
def test_a_ship_at_anchor_does_not_move() -> None:
    one = ship("A1", anchored=1)
    made = battle(one)
    movement.move(made, play(made, orders={"A1": "FF"}), "A")
    assert one.pos == (5, 5)


@pytest.mark.clause("C.M8")
def test_a_ship_passes_diagonally_between_two_others() -> None:
    one = ship("A1", (5, 5), "NE")
    made = battle(one, ship("B1", (5, 6)), ship("B2", (6, 5)))
    movement.move(made, play(made, orders={"A1": "F | ram"}), "A")
    assert one.pos == (6, 6)


@pytest.mark.clause("C.M9", "C.K1", "C.P2")
@pytest.mark.parametrize(("breaking", "status"), [(True, Status.BROKE_OFF), (False, Status.LEFT)])
def test_a_ship_that_steers_over_its_edge_has_left_for_good(breaking: bool, status: Status) -> None:
    one = ship("A1", (1, 5), "W", breaking_off=breaking, fp=5 if breaking else 12)
    made = battle(one, ship("B1", (20, 5)))
    table = play(made, orders={"A1": "FF"})
    movement.move(made, table, "A")
    assert one.status is status and not one.afloat
    assert [event.data["safe"] for event in events(table, "left")] == [breaking]
    assert (1, 5) not in made.at


@pytest.mark.clause("C.M9")
def test_a_breaking_ship_that_is_carried_over_another_edge_has_only_left() -> None:
    one = ship("A1", (23, 5), "E", breaking_off=True, lock_bridge=1, fp=5)
    made = battle(one)
    movement.move(made, play(made), "A")
    assert one.status is Status.LEFT


@pytest.mark.clause("C.P2")
def test_the_board_is_24_hexes_wide_and_of_any_length() -> None:
    made = battle(ship("A1"))
    assert made.on_board((0, -500)) and made.on_board((23, 500))
    assert not made.on_board((-1, 0)) and not made.on_board((24, 0))


@pytest.mark.clause("C.M10")
def test_land_stops_a_ship_and_grounds_one_that_cannot_help_it() -> None:
    for lock, aground in ((0, False), (1, True)):
        one = ship("A1", lock_bridge=lock)
        made = battle(one, land=frozenset({(5, 6)}))
        table = play(made, orders={"A1": "FF"})
        movement.move(made, table, "A")
        assert (one.pos, one.aground) == ((5, 5), aground)
        assert len(events(table, "aground")) == aground
        assert one.allowance == (0 if aground else 2)


@pytest.mark.clause("C.K36", "C.M10")
def test_shoals_stop_deep_ships_alone() -> None:
    for deep, y in ((True, 5), (False, 7)):
        one = ship("A1", deep=deep)
        made = battle(one, shoal=frozenset({(5, 6)}))
        movement.move(made, play(made, orders={"A1": "FF"}), "A")
        assert one.y == y


@pytest.mark.parametrize("case", cases("cordery/ramming"))
def test_a_ramming_costs_both_ships_by_its_kind(case: dict[str, Any]) -> None:
    x, y, heading = case["rammer"]
    one = ship("A1", (x, y), heading, ram=case["ram"])
    tx, ty, course = case["target"]
    other = ship("B1", (tx, ty), course)
    made = battle(one, other)
    table = play(made, *case["faces"], orders={"A1": "F | ram"})
    movement.move(made, table, "A")
    finish(table)
    assert [other.fp, one.fp] == case["left"]
    assert (one.pos, other.pos) == ((x, y), (tx, ty))


@pytest.mark.clause("C.R3")
@pytest.mark.parametrize("turn", range(8))
def test_only_from_dead_ahead_and_dead_astern_is_head_on(turn: int) -> None:
    assert ramming.head_on(turn, 0) is (turn in (0, 4))
    assert ramming.head_on((turn + 3) % 8, 3) is (turn in (0, 4))


@pytest.mark.clause("C.R2", "C.M7", "C.M4")
def test_the_step_that_was_stopped_is_not_made() -> None:
    one = ship("A1", (5, 4), engines_hit=True, last_action="F", last_spent=1)
    made = battle(one, ship("B1", (5, 5)))
    movement.move(made, play(made, *(1,) * 6, orders={"A1": "F | ram"}), "A")
    assert (one.last_action, one.last_spent) == ("", 0)


@pytest.mark.clause("C.M7", "C.R1", "C.M11")
def test_without_the_order_to_ram_a_ship_stops_short() -> None:
    one = ship("A1", (5, 3))
    made = battle(one, ship("B1", (5, 5)))
    movement.move(made, play(made, orders={"A1": "FF"}), "A")
    assert one.pos == (5, 4)


@pytest.mark.clause("C.E21", "C.M6", "C.R1", "C.R9")
def test_a_ship_out_of_control_runs_into_a_friend() -> None:
    one, friend = ship("A1", (3, 3), "E", lock_bridge=3, last_spent=2), ship("A2", (5, 3), "E")
    made = battle(one, friend)
    table = play(made, 6, 1, 1, 1, 4, 1)
    movement.move(made, table, "A")
    finish(table)
    assert (one.pos, one.fp, friend.fp) == ((4, 3), 11, 10)
    assert events(table, "rammed")[0].data["head_on"]
    assert (one.given, friend.given, friend.taken) == (0, 0, 2), "a friend's loss is nobody's hit"


@pytest.mark.clause("C.R7")
@pytest.mark.parametrize(("face", "lost"), [(1, 0), (3, 0), (4, 1), (5, 1), (6, 2)])
def test_a_ramming_die(face: int, lost: int) -> None:
    assert ramming.points((face,)) == lost


@pytest.mark.clause("C.R8", "C.D6")
def test_a_rammed_ship_sinks_at_once_and_its_area_is_free() -> None:
    one, other = ship("A1", (5, 4)), ship("B1", (5, 5), "E", fp=3)
    made = battle(one, other, ship("A2", (5, 3)))
    table = play(made, 6, 6, 1, 1, 1, 1, 1, 1, orders={"A1": "F | ram"})
    movement.move(made, table, "A")
    assert (other.status, other.fp) == (Status.SUNK_RAMMING, 0)
    assert (5, 5) not in made.at


@pytest.mark.clause("C.R8", "C.D2")
def test_a_rammed_ship_in_a_critical_state_breaks_off_and_still_moves() -> None:
    one, other = ship("A1", (5, 4), "N"), ship("B1", (5, 5), "W", fp=7)
    made = battle(one, other)
    movement.move(made, play(made, 4, 1, 1, 1, 1, 1, 1, 1, orders={"A1": "F | ram"}), "A")
    assert other.breaking_off
    movement.move(made, play(made, orders={"B1": "FL"}), "B")
    assert (other.h, other.pos) == (5, (4, 5)), "it has begun to turn for the edge in the east"


@pytest.mark.clause("C.R11", "C.D4", "C.E19")
def test_a_ship_past_its_critical_point_may_not_ram_by_order() -> None:
    one = ship("A1", (5, 5), "W", fp=6, breaking_off=True)
    made = battle(one, ship("B1", (4, 5)))
    table = play(made, orders={"A1": "F | ram"})
    movement.move(made, table, "A")
    assert not events(table, "rammed")
    assert "order/no-aggression" in {event.data["code"] for event in events(table, "refused")}


@pytest.mark.clause("C.R10")
def test_ramming_hurts_no_systems() -> None:
    one, other = ship("A1", (5, 4)), ship("B1", (5, 5), "E")
    made = battle(one, other)
    movement.move(made, play(made, *(6,) * 8, orders={"A1": "F | ram"}), "A")
    assert other.fp == 0 and other.turret_fore and not other.engines_hit and not other.burning


@pytest.mark.clause("C.R12")
def test_ships_still_nose_to_side_may_ram_again_next_turn() -> None:
    one, other = ship("A1", (5, 4)), ship("B1", (5, 5), "E")
    made = battle(one, other)
    for _ in range(2):
        movement.move(made, play(made, 4, 1, 1, 1, 1, 1, 1, 1, orders={"A1": "F | ram"}), "A")
        made.turn += 1
    assert other.fp == 10


@pytest.mark.clause("C.P10")
def test_no_two_ships_are_ever_in_one_area() -> None:
    one, other = ship("A1", (5, 3)), ship("A2", (5, 4))
    made = battle(one, other)
    movement.move(made, play(made, orders={"A1": "FF", "A2": "-"}), "A")
    assert one.pos == (5, 3) and made.at[5, 4] is other
