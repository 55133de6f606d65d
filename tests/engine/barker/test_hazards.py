"""Grounding and collision, as ships run into them in the movement step. Places in yards, headings in degrees."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.barker import movement
from battles.engine.rulesets.barker.notation import parse
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Bank, Battle, Field, Formation, Status, Unit
from battles.engine.rulesets.barker.tables import Mode, Phase
from tests.engine.barker.builders import battle, play, told, unit
from tests.support.answers import flawless, unerring

SHOAL = frozenset((i, 1) for i in range(-2, 4))


@unerring
def moved(made: Battle, nips: int = 0, *faces: int, **orders: str) -> Play:
    for group in made.groups.values():
        group.nip = group.left = nips
    table = play(made, *faces, orders={code: parse(text) for code, text in orders.items()})
    flawless(movement.move, made, table)
    return table


@unerring
def where(made: Battle, *codes: str) -> list[tuple[float, float, float]]:
    units = [made.units[code] for code in codes]
    return [(round(unit.x / 100, 1), round(unit.y / 100, 1), unit.h / 100) for unit in units]


def other(code: str, place: tuple[float, float], heading: float = 0, kind: str = "BB", **over: Any) -> Unit:
    """A ship of a squadron of her own."""
    return unit(code, place, heading, kind, **{"squadron": f"{code}-1", "group": f"{code}-1", **over})


# --- the shore ---


@pytest.mark.clause("P.EX22", "P.A01", "P.A02", "P.Z02")
def test_a_compulsory_move_onto_a_shoal_puts_a_ship_aground_with_her_front_edge_at_its_brink() -> None:
    made = battle(unit("A1", damage=1), shoal=SHOAL)
    table = moved(made, 1, A1="C P")
    ship = made.units["A1"]
    assert where(made, "A1") == [(0, 300, 0)]
    assert (ship.aground, ship.crippled, ship.damage, ship.status) == (True, True, 0, Status.IN_PLAY)
    assert [code for code, _ in told(table, "aground")] == ["A1"]
    moved(made, 6, A1="P+90")
    assert where(made, "A1") == [(0, 300, 0)]


@pytest.mark.clause("P.EX22", "P.M06", "P.M17")
def test_a_turn_or_a_stop_keeps_her_off() -> None:
    made = battle(unit("A1"), shoal=SHOAL)
    moved(made, 2, A1="P+90 C")
    assert where(made, "A1") == [(700, 300, 90)]
    assert not made.units["A1"].aground
    made = battle(unit("A1"), shoal=SHOAL)
    moved(made, 2, A1="S")
    assert where(made, "A1") == [(0, 0, 0)]


@pytest.mark.clause("P.A02")
def test_a_ship_crippled_and_aground_in_the_same_move_is_no_more_than_crippled() -> None:
    field = Field("F", "B", [(0, 25_000)])
    made = battle(unit("A1"), shoal=SHOAL, fields=[field])
    # 9 against 8: a battleship is crippled by a mine.
    moved(made, 0, 4, 4)
    ship = made.units["A1"]
    assert (ship.aground, ship.crippled, ship.status) == (True, True, Status.IN_PLAY)


@pytest.mark.clause("P.X07")
def test_a_ship_crippled_by_a_mine_completes_that_move_and_makes_no_other() -> None:
    made = battle(unit("A1", kind="SC"), fields=[Field("F", "B", [(0, 25_000)])])
    # 5 + 1 against 1 + 4.
    moved(made, 6, 1, 4, A1="C P P")
    assert made.units["A1"].crippled
    assert where(made, "A1") == [(0, 400, 0)]


@pytest.mark.clause("P.A03", "P.A05")
def test_followers_keep_their_track_and_do_not_ram_a_ship_that_grounds_in_the_same_move() -> None:
    made = battle(
        unit("A1"), unit("A2", (0, -400)), shoal=SHOAL, formations=[Formation("ahead", ("A1", "A2"))]
    )
    table = moved(made)
    assert where(made, "A1", "A2") == [(0, 300, 0), (0, 0, 0)]
    assert not told(table, "rammed")
    # In the next spell the one ahead is a cripple like any other.
    table = moved(made)
    assert told(table, "rammed") == [("A2", {"target": "A1"})]


@pytest.mark.clause("P.Z03", "P.A01")
def test_a_shore_that_is_only_grazed_does_no_harm() -> None:
    # Land from x = 500 on; the starboard side of her base runs at so much.
    for x, aground in ((400, False), (404, False), (406, True)):
        made = battle(unit("A1", (x, 0)), land=frozenset({(1, 0), (1, -1)}))
        moved(made)
        assert made.units["A1"].aground is aground


# --- collisions ---


@pytest.mark.clause("P.A04", "P.A05")
def test_able_ships_that_see_one_another_do_not_collide() -> None:
    made = battle(unit("A1"), other("B1", (0, 500), 90))
    assert not told(moved(made), "rammed")


@pytest.mark.clause("P.A05", "P.A06", "P.A08")
@pytest.mark.parametrize("met", ["A", "B"])
def test_a_cripple_is_run_down_friend_or_foe(met: str) -> None:
    made = battle(unit("A1"), other(f"{met}9", (0, 500), 90, crippled=True))
    table = moved(made)
    assert told(table, "rammed") == [("A1", {"target": f"{met}9"})]
    assert [code for code, _ in told(table, "sunk")] == [f"{met}9"]
    assert made.units[f"{met}9"].fate == "ram"
    assert (made.units["A1"].damage, where(made, "A1")) == (1, [(0, 400, 0)])


@pytest.mark.clause("P.A05")
def test_a_neutral_can_be_run_down_too() -> None:
    made = battle(unit("A1"), unit("B9", (0, 500), 90, "TRAMP", neutral=True, crippled=True, stopped=True))
    assert told(moved(made), "rammed") == [("A1", {"target": "B9"})]


@pytest.mark.clause("P.A05")
def test_only_a_compulsory_move_collides_and_only_in_combat() -> None:
    made = battle(unit("A1"), other("B9", (0, 900), 90, crippled=True))
    assert not told(moved(made, 1, A1="C P"), "rammed")
    assert where(made, "A1") == [(0, 800, 0)]
    made = battle(unit("A1"), other("A9", (0, 5_000), 90, crippled=True), mode=Mode.CRUISING)
    assert not told(moved(made), "rammed")


@pytest.mark.clause("P.A05")
def test_a_submarine_is_run_down_whole_as_it_is() -> None:
    made = battle(unit("A1"), unit("B9", (0, 500), 90, "SUB"))
    assert told(moved(made), "rammed") == [("A1", {"target": "B9"})]
    assert made.units["B9"].status is Status.SUNK


@pytest.mark.clause("P.A05", "P.V04")
@pytest.mark.parametrize(
    ("phase", "over", "rams"),
    [
        (Phase.NIGHT, {}, True),
        (Phase.NIGHT, {"light": "signal"}, False),
        (Phase.DUSK, {}, False),
        (Phase.DAWN, {}, False),
        (Phase.DAY, {}, False),
    ],
)
def test_a_ship_without_lights_is_run_down_at_night(phase: Phase, over: dict[str, Any], rams: bool) -> None:
    made = battle(unit("A1"), other("A9", (0, 500), 90, stopped=True, **over), phase=phase)
    assert bool(told(moved(made), "rammed")) is rams


@pytest.mark.clause("P.A05", "P.V04")
def test_a_ship_in_a_searchlight_is_seen_and_not_run_down() -> None:
    made = battle(
        unit("A1"), other("B9", (0, 500), 90, stopped=True), other("A3", (3_000, 0)), phase=Phase.NIGHT
    )
    made.units["A3"].light = "B9"
    assert not told(moved(made), "rammed")


@pytest.mark.clause("P.A05")
@pytest.mark.parametrize(("north", "rams"), [(1_500, True), (-1_000, True), (4_000, False)])
def test_in_fog_either_base_suffices(north: float, rams: bool) -> None:
    # The bank is 1,200 yd deep: it covers the ship met, then the rammer at the end of her move, then neither.
    bank = Bank("fog", 0, round(north * 100), 0, 240_000, 240_000, 0)
    made = battle(unit("A1"), other("A9", (0, 500), 90, stopped=True), banks=[bank], weather="fog")
    assert bool(told(moved(made), "rammed")) is rams


@pytest.mark.clause("P.A05")
def test_ships_of_one_formation_keep_station_in_the_dark() -> None:
    made = battle(unit("A1"), unit("A2", (0, -400)), phase=Phase.NIGHT)
    made.units["A2"].y += 1_500
    table = moved(made)
    assert not told(table, "rammed")
    assert where(made, "A2") == [(0, 0, 0)]


@pytest.mark.clause("P.A07", "P.A06", "P.EX21")
@pytest.mark.parametrize(
    ("rammer", "rank", "sunk"),
    [("C1", 6, False), ("BB", 6, True), ("C2", 4, True), ("TBD", 2, False)],
)
def test_a_ship_bigger_than_the_one_that_rams_it_is_unhurt(rammer: str, rank: int, sunk: bool) -> None:
    made = battle(unit("A1", kind=rammer), other("B9", (0, 500), 90, crippled=True, rank=rank))
    moved(made)
    assert (made.units["B9"].status is Status.SUNK) is sunk
    assert made.units["B9"].damage == 0
    assert made.units["A1"].damage == 1


@pytest.mark.clause("P.A06")
def test_the_rammer_can_be_crippled_or_sunk_on_the_ladder() -> None:
    made = battle(unit("A1", damage=2), other("B9", (0, 500), 90, crippled=True))
    moved(made)
    assert (made.units["A1"].crippled, where(made, "A1")) == (True, [(0, 400, 0)])


@pytest.mark.clause("P.A10")
def test_one_collision_a_move_with_the_first_in_the_way() -> None:
    made = battle(
        unit("A1"), other("B8", (0, 550), 90, crippled=True), other("B9", (0, 400), 90, crippled=True)
    )
    assert told(moved(made), "rammed") == [("A1", {"target": "B9"})]
    assert made.units["B8"].status is Status.IN_PLAY


@pytest.mark.clause("P.A10", "P.Z02")
def test_a_ship_already_astern_of_the_front_edge_is_not_rammed_again() -> None:
    made = battle(unit("A1"), other("B9", (0, 90), 90, crippled=True))
    assert not told(moved(made), "rammed")
    made = battle(unit("A1"), other("B9", (0, 110), 90, crippled=True))
    assert told(moved(made), "rammed")


@pytest.mark.clause("P.A05", "P.Z03")
@pytest.mark.parametrize(("x", "rams"), [(195, False), (194, True)])
def test_bases_collide_only_if_they_overlap(x: float, rams: bool) -> None:
    made = battle(unit("A1"), other("B9", (x, 500), 0, crippled=True))
    assert bool(told(moved(made), "rammed")) is rams


# --- a cripple ahead of a line ---


def lame_leader(rammer: str = "BB", **over: Any) -> Battle:
    """A line of four in rough weather whose leader was crippled in the shooting step."""
    ships = [unit(f"A{n}", (0, -400 * (n - 1)), 0, rammer if n > 1 else "BB") for n in (1, 2, 3, 4)]
    made = battle(*ships, **{"weather": "rough", **over})
    made.formations = [Formation("ahead", ("A1", "A2", "A3", "A4"))]
    ships[0].crippled = True
    return made


@unerring
def rammings(made: Battle, nips: int, **orders: str) -> list[tuple[str, str]]:
    return [(code, data["target"]) for code, data in told(moved(made, nips, **orders), "rammed")]


@pytest.mark.clause("P.EX21", "P.M26", "P.M19", "P.M11")
def test_with_one_point_in_a_rough_sea_the_next_astern_rams_the_cripple() -> None:
    made = lame_leader()
    assert rammings(made, 1, A1="P", A2="S / P+90 C") == [("A2", "A1")]
    assert made.units["A1"].status is Status.SUNK
    assert made.units["A2"].damage == 1


@pytest.mark.clause("P.EX21", "P.M19", "P.M17")
def test_with_two_points_the_cripple_limps_ahead_or_the_next_astern_stops() -> None:
    made = lame_leader()
    assert rammings(made, 2, A1="P") == []
    assert where(made, "A1", "A2") == [(0, 400, 0), (0, 0, 0)]
    made = lame_leader()
    assert rammings(made, 2, A2="S") == []
    assert where(made, "A1", "A2", "A4") == [(0, 0, 0), (0, -400, 0), (0, -1_200, 0)]


@pytest.mark.clause("P.EX21", "P.M13", "P.Z02")
def test_with_three_points_a_turn_by_90_degrees_hauls_the_whole_line_clear() -> None:
    made = lame_leader()
    assert rammings(made, 3, A2="P+90 C") == []
    assert where(made, "A2") == [(700, -100, 90)]


@pytest.mark.clause("P.EX21", "P.M13")
def test_a_turn_by_45_degrees_clears_only_the_next_astern() -> None:
    made = lame_leader()
    assert rammings(made, 3, A2="P+45 C") == [("A3", "A1")]


@pytest.mark.clause("P.EX21", "P.I09")
def test_in_a_calm_sea_one_point_is_enough_for_the_cripple_to_limp_ahead() -> None:
    assert rammings(lame_leader(weather="none"), 1, A1="P") == []


@pytest.mark.clause("P.EX21", "P.A07")
def test_a_smaller_ship_astern_only_hurts_herself() -> None:
    made = lame_leader("C1")
    assert rammings(made, 1) == [("A2", "A1")]
    assert made.units["A1"].status is Status.IN_PLAY
    assert (made.units["A2"].damage, made.units["A1"].damage) == (1, 0)
