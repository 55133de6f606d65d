"""The way to a ship's safe edge, against every way there is. Rules: C.D3-C.D5, C.M10."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from battles.engine.rulesets.cordery import safety, steering
from battles.engine.rulesets.cordery.state import Battle, Ship
from battles.engine.rulesets.cordery.steering import Pose
from tests.engine.cordery.builders import NAMES, battle, ship
from tests.engine.cordery.test_steering import lawful


def fewest(edge: str, steps: int, h: int, allowance: int, last: str) -> int:
    """Turns over an edge so many steps away, by trying everything. Rules: C.D3, C.M1-C.M4."""
    away = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}[edge]
    front, turns = {(steps, h, last)}, 0
    while front:
        turns, found = turns + 1, set()
        for left, facing, before in front:
            for text in lawful(allowance, before):
                end = steering.after(Pose((0, 0), facing), text)
                gone = [
                    left - at[0] * away[0] - at[1] * away[1]
                    for at in steering.areas(Pose((0, 0), facing), text)
                ]
                if gone and min(gone) <= 0:
                    return turns
                found.add((left - end.at[0] * away[0] - end.at[1] * away[1], end.heading, text[-1:]))
        front = {row for row in found if row[0] <= steps + 3}
    raise AssertionError


@pytest.mark.clause("C.D3", "C.M4")
@pytest.mark.parametrize("edge", ["north", "east", "south", "west"])
def test_the_turns_to_an_edge_are_the_fewest_there_can_be(edge: str) -> None:
    for steps, h, allowance in product((1, 2, 3, 5), range(8), (1, 2)):
        for last in ("F", "") if allowance == 1 else ("F",):
            assert safety.turns_to(edge, steps, h, allowance, last if allowance == 1 else "") == fewest(
                edge, steps, h, allowance, last
            )
    assert safety.turns_to(edge, 0, 0, 2, "") == 0 == safety.turns_to(edge, -3, 0, 2, "")
    assert safety.turns_to(edge, 4, 0, 0, "") == safety.turns_to(edge, 99, 0, 2, "") == 99


@pytest.mark.clause("C.D3", "C.P2")
def test_the_steps_to_each_edge_of_the_board() -> None:
    made = battle(ship("A1"), board=(-2, -3, 9, 8))
    assert [safety.steps_to(made, edge, (4, 5)) for edge in ("west", "south", "east", "north")] == [
        7,
        9,
        6,
        4,
    ]
    assert [
        safety.steps_to(battle(ship("A1")), edge, (0, 5)) for edge in ("west", "south", "east", "north")
    ] == [1, 99, 24, 99]


@pytest.mark.clause("C.D3", "C.D5")
@pytest.mark.parametrize(
    ("h", "safe", "over", "foes", "first"),
    [
        ("W", "west", {}, [], ["FF"]), ("E", "west", {}, [], ["FR", "FL"]), ("N", "west", {}, [], ["FL"]),
        ("NW", "west", {}, [], ["FF"]), ("S", "west", {}, [], ["FR"]),
        ("E", "west", {}, [(9, 9)], ["FR", "FL"]), ("E", "west", {}, [(9, 1)], ["FR", "FL"]),
        ("W", "west", {"engines_hit": True}, [], ["F"]),
        ("N", "west", {"engines_hit": True, "last_action": "R"}, [], ["F"]), ("N", "west", {"engines_hit": True}, [], ["L"]),
        ("W", "west", {"anchored": 1}, [], [""]),
        ("E", "west", {"pace": 3}, [], ["FFL", "FFR", "FLF", "FRF", "FR", "FL"]),
        ("E", "west", {"pace": 3}, [(12, 9)], ["FR", "FL", "FFL", "FFR", "FLF", "FRF"]),
        ("E", "west", {"pace": 3}, [(7, 12)], ["FRF", "FFL", "FFR", "FR", "FL", "FLF"]),
        ("E", "west", {"pace": 3}, [(12, 9), (7, 12)], ["FR", "FL", "FFL", "FFR", "FLF", "FRF"]), ("E", "east", {}, [(7, 5)], None),
    ],
)  # fmt: skip
def test_a_ship_breaking_off_takes_the_shortest_way_and_of_equals_the_one_farther_from_the_enemy(
    h: str, safe: str, over: dict[str, Any], foes: list[tuple[int, int]], first: list[str] | None
) -> None:
    enemies = [ship(f"B{n}", at) for n, at in enumerate(foes, 1)]
    made = battle(ship("A1", (5, 5), h, breaking_off=True, **over), *enemies, safe={"A": safe, "B": "west"})
    found = safety.moves(made, made.ships["A1"])
    if first is None:
        assert "FF" not in found and found
    else:
        assert found == first
    assert NAMES[made.ships["A1"].h] == h


def by_every_way(made: Battle, one: Ship, pose: Pose, last: str, edge: str) -> int:
    """Turns over an edge of the board round whatever is closed to her, by trying everything; 99 for no way. Rules: C.D3, C.M10."""
    limits = dict(zip(("west", "south", "east", "north"), made.board, strict=True))
    closed = made.closed(one)

    def over(at: tuple[int, int]) -> bool:
        x, y = at
        limit = limits[edge]
        assert limit is not None
        return {"west": x < limit, "east": x > limit, "south": y < limit, "north": y > limit}[edge]

    front, seen = {(pose, last)}, set()
    for turns in range(1, 40):
        seen |= front
        found = set()
        for here, before in front:
            for text in lawful(one.allowance, before):
                way = [*steering.areas(here, text)]
                for at in way:
                    if over(at):
                        return turns
                    if at in closed:
                        break
                else:
                    found.add((steering.after(here, text), text[-1:] if one.allowance == 1 else ""))
        front = {row for row in found - seen if all(-8 <= n <= 16 for n in row[0].at)}
        if not front:
            break
    return 99


@pytest.mark.clause("C.D3", "C.M10", "C.K36")
@pytest.mark.parametrize("edge", ["west", "north", "east", "south"])
@pytest.mark.parametrize("engines", [False, True])
def test_round_land_and_shoals_the_way_is_the_shortest_too(edge: str, engines: bool) -> None:
    wall = {(x, y) for x in (2, 7) for y in range(1, 8)} | {(x, y) for y in (2, 7) for x in range(4, 8)}
    for deep in (True, False):
        one = ship("A1", (5, 5), engines_hit=engines, deep=deep)
        made = battle(
            one, board=(0, 0, 9, 9), land=frozenset(wall), shoal=frozenset({(4, 6), (3, 4), (5, 4)})
        )
        for h in range(0, 8, 3):
            for last in ("F", "L") if engines else ("F",):
                want = by_every_way(made, one, Pose((5, 5), h), last if engines else "", edge)
                assert safety.turns_after(made, one, Pose((5, 5), h), last, edge) == want, (h, last)
    walled = battle(
        ship("A1", (5, 5)),
        board=(0, 0, 9, 9),
        land=frozenset((x, y) for x, y in product(range(4, 7), repeat=2) if (x, y) != (5, 5)),
    )
    assert safety.turns_after(walled, walled.ships["A1"], Pose((5, 5), 0), "F", edge) == 99
    beyond = {"west": (-1, 5), "south": (5, -1), "east": (10, 5), "north": (5, 10)}[edge]
    assert safety.turns_after(walled, walled.ships["A1"], Pose(beyond, 0), "F", edge) == 0
    assert safety.turns_after(walled, ship("A1", anchored=1), Pose((5, 5), 0), "F", edge) == 99


@pytest.mark.clause("C.D3")
@pytest.mark.parametrize(
    ("closed", "taken", "first"),
    [
        ((), (), "FF"), (((3, 5),), (), "FR"), (((4, 5),), (), ""), ((), ((3, 5),), "F"), ((), ((4, 5),), ""), (((9, 9),),
        ((9, 8),), "FF"),
    ],
)  # fmt: skip
def test_moves_into_land_or_another_ship_are_struck_out(
    closed: tuple[tuple[int, int], ...], taken: tuple[tuple[int, int], ...], first: str
) -> None:
    one = ship("A1", (5, 5), "W", breaking_off=True)
    made = battle(one, *(ship(f"A{n}", at) for n, at in enumerate(taken, 2)), land=frozenset(closed))
    found = safety.moves(made, one)
    assert found[0] == first
    assert safety.moves(made, one, [*made.at]) == found
    free = [
        move for move in safety.moves(made, one, []) if not steering.meets(Pose((5, 5), 6), move, set(closed))
    ]
    assert free[0] == ("FF" if not closed or closed == ((9, 9),) else first)


@pytest.mark.clause("C.D3", "C.D5", "C.M9")
def test_the_best_move_crosses_the_safe_edge_and_no_move_crosses_another() -> None:
    one = ship("A1", (1, 5), "W", breaking_off=True)
    assert safety.moves(battle(one), one) == ["FF"]
    assert safety.moves(battle(one, safe={"A": "east", "B": "west"}), one) == ["FR", "FL"]
    edge = ship("A1", (0, 5), "W", breaking_off=True)
    assert safety.moves(battle(edge), edge) == ["FF", "F", "FR", "FL"]
    assert "FF" not in safety.moves(battle(edge, safe={"A": "east", "B": "west"}), edge)
    assert safety.moves(battle(edge, safe={"A": "east", "B": "west"}), edge) == [""]
    corner = ship("A1", (0, 0), "SW", breaking_off=True)
    assert (
        safety.moves(battle(corner, board=(0, 0, 23, 23), safe={"A": "south", "B": "east"}), corner)[0]
        == "FF"
    )


@pytest.mark.clause("C.D3", "C.P3")
def test_each_edge_lies_on_its_side_of_the_board() -> None:
    assert safety.NORMAL == {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
