"""Where ships may lie, how disorder throws them, where reinforcements come from, and what a scenario may not ask.

Rules: K.S4-K.S9, K.A2.12-K.A2.14, K.G9, K.G25.
"""

from __future__ import annotations

import pytest

from battles.engine.core.dice import FastDice, ScriptedDice
from battles.engine.core.hexes import Hex, distance, step
from battles.engine.core.log import Log
from battles.engine.core.scenario import read_scenario
from battles.engine.rulesets.kohler import layout, setup
from battles.engine.rulesets.kohler.state import Battle, Status
from tests.engine.kohler.builders import battle, events, play, ship
from tests.engine.kohler.scenarios import document, scenario


@pytest.mark.clause("K.S7", "K.M2")
def test_a_line_is_on_a_port_tack_reach_in_every_wind() -> None:
    assert [layout.reach_heading(wind) for wind in range(6)] == [5, 0, 1, 2, 3, 4]
    for wind in range(6):
        assert battle(ship(), wind=wind).rel(layout.reach_heading(wind)) == 2


@pytest.mark.clause("K.S7")
def test_ships_in_a_line_have_their_stations() -> None:
    assert layout.stations([]) == []
    assert layout.stations([1]) == [0]
    assert layout.stations([4, 1, 2]) == [0, 1, 2, 3, 7, 11, 12]
    assert (layout.GAP, layout.BETWEEN_SQUADRONS, layout.ARRIVAL) == (10, 3, 13)


@pytest.mark.clause("K.S9", "K.G13", "K.M32")
def test_a_ship_is_placed_only_where_she_may_lie() -> None:
    sea = battle(land=frozenset({(1, 0)}), shoal=frozenset({(2, 0)}), edges=(-3, -2, 3, 2))
    deep, light = ship(), ship(deep=False)
    for cell in ((0, 0), (-3, -2), (3, 2), (-3, 2), (3, -2)):
        assert layout.open_to(sea, deep, cell)
    for cell in ((1, 0), (-4, 0), (4, 0), (0, -3), (0, 3)):
        assert not layout.open_to(sea, light, cell)
    assert layout.open_to(sea, light, (2, 0)) and not layout.open_to(sea, deep, (2, 0))
    assert layout.open_to(battle(), deep, (900, -900))


@pytest.mark.clause("K.S6", "K.S9")
@pytest.mark.parametrize(
    ("wish", "found"),
    [((-9, 0), (-3, 0)), ((9, 1), (3, 1)), ((0, -9), (0, -2)), ((1, 9), (1, 2)), ((0, 0), (0, 0))],
)
def test_a_position_beyond_the_edge_is_replaced_by_the_nearest_inside(wish: Hex, found: Hex) -> None:
    assert layout.clear_hex(battle(edges=(-3, -2, 3, 2)), ship(), wish) == found


@pytest.mark.clause("K.S6")
def test_a_sea_without_a_free_hex_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match="no open water for Ship E2 within 200 hexes of"):
        layout.clear_hex(battle(ship(), edges=(0, 0, 0, 0)), ship(id="E2"), (4, 4))


@pytest.mark.clause("K.S6", "K.M14")
@pytest.mark.parametrize("facing", range(6))
def test_a_ship_put_head_to_wind_is_in_irons_from_the_start(facing: int) -> None:
    one = ship(status=Status.EXPECTED)
    sea = Battle(
        title="", turn=0, last_turn=30, wind=3, wind_prev=None, strength=battle(ship()).strength,
        sides={}, squadrons={}, ships={"E1": one},
    )  # fmt: skip
    layout.put(sea, one, (2, -1), facing)
    assert (one.pos, one.facing, one.status) == ((2, -1), facing, Status.AFLOAT)
    assert one.in_irons_last_turn is (facing == 0) and sea.at == {(2, -1): [one]}


@pytest.mark.clause("K.A2.12")
@pytest.mark.parametrize("wind", [0, 3, 5])
def test_the_first_die_of_disorder_decides_how_far_and_the_second_which_way(wind: int) -> None:
    for first, hexes in ((1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (6, 2)):
        for second in range(1, 7):
            one = ship()
            log = Log()
            with ScriptedDice((first, second)) as dice:
                layout.disorder(battle(one, wind=wind), dice, log)
            assert one.pos == step((0, 0), (wind + second - 1) % 6, hexes)
            moved = [(event.ship, event.data["q"], event.data["r"]) for event in log.events]
            assert moved == ([("E1", *one.pos)] if hexes else [])


@pytest.mark.clause("K.A2.13")
@pytest.mark.parametrize(("first", "hexes"), [(2, 0), (3, 0), (4, 1), (5, 1), (6, 2)])
def test_the_bonus_subtracts_one_from_the_first_die_of_the_english(first: int, hexes: int) -> None:
    for nation, far in (("England", hexes), ("France", 0 if first <= 2 else 1 if first <= 4 else 2)):
        one = ship(nation=nation)
        with ScriptedDice((first, 1)) as dice:
            layout.disorder(battle(one, options={"english_disorder_bonus": True}), dice, None)
        assert distance(one.pos, (0, 0)) == far


@pytest.mark.clause("K.A2.12", "K.G9")
def test_ships_still_to_come_are_not_thrown_into_disorder() -> None:
    sea = battle(ship(status=Status.EXPECTED), ship(id="E2", pos=(5, 0)))
    with ScriptedDice((1, 1)) as dice:
        layout.disorder(sea, dice, None)


def coming(edge: int | None, *, arrives: int = 2, turn: int = 2, **over: object) -> Battle:
    """A squadron of two that is due, and an enemy in the middle of the sea."""
    late = [ship(id=code, squadron="late", status=Status.EXPECTED) for code in ("L1", "L2")]
    sea = battle(ship(id="D1", side="DUT"), *late, turn=turn, **over)
    sea.squadrons["late"].arrives, sea.squadrons["late"].edge = arrives, edge
    return sea


@pytest.mark.clause("K.G25", "K.G9")
@pytest.mark.parametrize("north", [0, 345, 20])
@pytest.mark.parametrize("direction", range(6))
def test_a_reinforcement_arrives_thirteen_hexes_off_on_its_bearing(direction: int, north: int) -> None:
    for off in (-30, 0, 29):
        sea = coming((north + 60 * direction + off) % 360, north=north)
        layout.arrivals(sea, play())
        van, second = sea.ships["L1"], sea.ships["L2"]
        assert van.pos == step((0, 0), direction, 13)
        heading = (direction + 3) % 6
        assert van.facing == second.facing == (1 if heading == 0 else heading)
        assert second.pos == step(van.pos, van.facing, -1)


@pytest.mark.clause("K.G25", "K.G9", "K.S7")
def test_without_a_bearing_it_arrives_from_upwind() -> None:
    sea = coming(None)
    played = play()
    layout.arrivals(sea, played)
    assert (sea.ships["L1"].pos, sea.ships["L1"].facing) == ((0, -13), 3)
    assert [(event.ship, event.data) for event in events(played, "arrived")] == [
        ("L1", {"q": 0, "r": -13, "f": 3}),
        ("L2", {"q": 0, "r": -14, "f": 3}),
    ]


@pytest.mark.clause("K.G9", "K.S7")
@pytest.mark.parametrize("wind", range(6))
def test_a_reinforcement_from_downwind_arrives_one_hexside_to_starboard_of_the_wind(wind: int) -> None:
    sea = coming(60 * wind, wind=wind)
    layout.arrivals(sea, play())
    assert sea.ships["L1"].pos == step((0, 0), wind, 13)
    assert sea.ships["L1"].facing == (sea.upwind + 1) % 6
    assert sea.rel(sea.ships["L1"].facing) == 1


@pytest.mark.clause("K.G9")
@pytest.mark.parametrize(("arrives", "there"), [(0, False), (1, True), (2, True), (3, False)])
def test_a_squadron_arrives_once_its_turn_has_come(arrives: int, there: bool) -> None:
    sea = coming(0, arrives=arrives)
    layout.arrivals(sea, play())
    assert sea.ships["L1"].afloat is there


@pytest.mark.clause("K.S9", "K.G9")
def test_in_a_sea_with_edges_it_arrives_at_the_rim() -> None:
    sea = coming(90, edges=(-4, -4, 4, 4))
    layout.arrivals(sea, play())
    assert sea.ships["L1"].pos[0] == 4


def faults_of(**over: object) -> dict[str, str]:
    """Path and sentence of all that this set finds wrong with a scenario."""
    return {fault.path: fault.text for fault in setup.faults(scenario(**over))}


@pytest.mark.clause("K.S6", "K.S9")
def test_a_sea_has_two_hexes_of_deep_water_per_ship_or_is_refused() -> None:
    assert faults_of(edges=[0, 0, 5, 3]) == {}
    left = "they leave 23 hexes of deep water for 12 ships; at least 24 are needed"
    assert faults_of(edges=[0, 0, 5, 3], land=[[0, 0]]) == {"edges": left}
    assert faults_of(edges=[0, 0, 5, 3], shoal=[[5, 3]]) == {"edges": left}
    assert faults_of(edges=[0, 0, 5, 3], land=[[6, 0], [0, 4], [-1, 0], [0, -1]]) == {}
    assert faults_of(edges=[0, 0, 0, 30]) == faults_of(edges=[0, 0, 30, 0]) == {}
    assert "swapped" in faults_of(edges=[1, 0, 0, 90])["edges"]
    assert "swapped" in faults_of(edges=[0, 1, 90, 0])["edges"]


@pytest.mark.clause("K.S6", "K.S9", "K.0.2")
def test_positions_and_headings_at_the_very_edge_are_accepted_and_those_beyond_are_not() -> None:
    def wrong(**over: object) -> list[str]:
        doc = document(edges=[-9, -8, 7, 6])
        doc["sides"][0]["squadrons"][0]["ships"][1].update(over)
        return [fault.path.rpartition(".")[2] for fault in setup.faults(read_scenario(doc))]

    for cell in ([-9, 0], [7, 0], [0, -8], [0, 6]):
        assert wrong(position=cell) == []
    for cell in ([-10, 0], [8, 0], [0, -9], [0, 7]):
        assert wrong(position=cell) == ["position"]
    assert [wrong(heading=heading) for heading in (0, 5, 6)] == [[], [], ["heading"]]


@pytest.mark.clause("K.G8", "K.D12")
@pytest.mark.parametrize(
    ("struct", "board", "afloat"),
    [(21, 0, True), (22, 0, False), (0, 22, False), (10, 11, True), (10, 12, False)],
)
def test_a_ship_with_no_hull_left_is_not_afloat_and_one_with_a_point_is(
    struct: int, board: int, afloat: bool
) -> None:
    doc = document()
    row = doc["sides"][0]["squadrons"][0]["ships"][0]
    row["condition"] = {"schema": 1, "hits_struct": struct, "hits_board": board, "flag_officer_ok": True}
    found = [fault.text for fault in setup.faults(read_scenario(doc))]
    gone = f"{struct + board} of 22 hull points are gone: the ship is not afloat (K.D12)"
    assert found == ([] if afloat else [gone])


@pytest.mark.clause("K.S4")
@pytest.mark.parametrize(("size", "warned"), [(1, True), (3, True), (4, False), (10, False), (11, True)])
def test_four_to_ten_ships_to_a_squadron_are_advised(size: int, warned: bool) -> None:
    log = Log()
    setup.begin(scenario(english=size, dutch=5), FastDice(1), log)
    found = [(event.ship, event.data) for event in log.events if event.kind == "warned"]
    flag = next(event.ship for event in log.events if event.kind == "placed")
    assert bool(found) is warned and flag
    if warned:
        assert found[0][1] == {"squadron": "ENG-1", "ships": size}


@pytest.mark.clause("K.A2.14", "K.S6")
def test_a_ship_that_finds_no_room_in_sixty_throws_stays_or_takes_the_nearest_free_hex() -> None:
    alone = ship()
    with ScriptedDice((5, 1, *[1] * 59)) as dice:
        layout.disorder(battle(alone, edges=(0, 0, 0, 0)), dice, None)
    assert alone.pos == (0, 0)
    one, enemy = ship(), ship(id="D1", side="DUT")
    with ScriptedDice((1, 1, 1, 1, *[1] * 59)) as dice:
        layout.disorder(battle(one, enemy, edges=(0, 0, 1, 0)), dice, None)
    assert (one.pos, enemy.pos) == ((0, 0), (1, 0))


@pytest.mark.clause("K.A2.14")
def test_a_ship_crowded_out_of_her_own_hex_is_thrown_one_hex_each_time() -> None:
    one, two = ship(), ship(id="E2")
    with ScriptedDice((1, 1, 1, 1, 3)) as dice:
        layout.disorder(battle(one, two, wind=0, land=frozenset({(0, -1)})), dice, None)
    assert (one.pos, two.pos) == ((0, 0), (1, 0))
