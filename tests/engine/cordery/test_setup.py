"""Boards, lines, late squadrons, what a ship comes with, and scenarios that cannot be played. Rules: C.P2, C.S11, C.K31, C.K35-C.K37."""

from __future__ import annotations

from itertools import product
from math import cos, radians, sin
from typing import Any

import pytest

from battles.engine.core.dice import FastDice
from battles.engine.core.log import Log
from battles.engine.core.scenario import read_scenario
from battles.engine.rulesets.cordery import layout, turn
from battles.engine.rulesets.cordery.options import OPTIONS, option_faults, with_defaults
from battles.engine.rulesets.cordery.rules import RULES
from battles.engine.rulesets.cordery.state import Battle, Status
from tests.engine.cordery.builders import battle, events, play, ship
from tests.engine.cordery.test_cards import document

WHOLE = {
    "schema": 1, "fp": 12, "turret_fore": True, "turret_aft": True, "battery_port": True, "battery_stbd": True,
    "engines_hit": False, "turret_half": False,
}  # fmt: skip


def begun(**more: Any) -> Battle:
    return RULES.begin(read_scenario(document(**more)), FastDice(1))


def faulty(**more: Any) -> list[str]:
    return [fault.path for fault in RULES.scenario_faults(read_scenario(document(**more)))]


def places(made: Battle) -> dict[str, tuple[int, int, int]]:
    return {code: (one.x, one.y, one.h) for code, one in made.ships.items()}


@pytest.mark.clause("C.S11", "C.P2")
@pytest.mark.parametrize(
    ("ships", "more", "a", "b"),
    [
        (2, {}, (6, 12), (18, 12)), (7, {}, (6, 12), (18, 12)), (8, {}, (6, 14), (18, 14)), (2, {"gap": 7}, (9, 12), (16, 12)),
        (2, {"gap": 1}, (12, 12), (13, 12)),
        (2, {"edges": [0, 0, 23, 23]}, (6, 12), (18, 12)), (2, {"edges": [10, 0, 29, 40]}, (14, 21), (26, 21)),
        (2, {"edges": [-9, -9, 10, 10]}, (-5, 1), (7, 1)),
        (9, {"edges": [0, 0, 23, 16]}, (6, 16), (18, 16)), (9, {"edges": [0, 0, 23, 40]}, (6, 28), (18, 28)),
        (1, {"edges": [0, 0, 24, 5]}, (6, 2), (18, 2)),
        (2, {"edges": [-20, 0, 0, 20]}, (-16, 11), (-4, 11)),
    ],
)  # fmt: skip
def test_the_leaders_of_two_lines_lie_level_on_either_side_of_the_middle(
    ships: int, more: dict[str, Any], a: tuple[int, int], b: tuple[int, int] | None
) -> None:
    scenario = read_scenario(document(A=[{}] * ships, B=[{}], **more))
    found = layout.poses(scenario)
    assert (found["A1"], found["B1"].at) == ((a, 0), b or found["B1"].at)
    for n in range(ships):
        assert found[f"A{n + 1}"] == ((a[0], a[1] - 2 * n), 0)


@pytest.mark.clause("C.P2", "C.S11")
@pytest.mark.parametrize(
    ("stances", "columns", "gap"),
    [(("avoid", "seek"), 60, 6), (("seek", "avoid"), 60, 6), (("avoid", "avoid"), 24, 12), (("hold", "seek"), 24, 12),
    (("avoid", "hold"), 60, 6)],
)  # fmt: skip
def test_a_caught_side_has_a_wider_board_and_a_smaller_gap(
    stances: tuple[str, str], columns: int, gap: int
) -> None:
    sides = {
        f"side_{code}": {"doctrine": {"stance": stance}} for code, stance in zip("AB", stances, strict=True)
    }
    made = begun(**sides)
    assert made.board == (0, None, columns - 1, None)
    assert (made.ships["A1"].x, made.ships["B1"].x) == (columns // 2 - gap // 2, columns // 2 + gap // 2)
    assert begun(**sides, edges=[0, 0, 30, 30]).board == (0, 0, 30, 30)


@pytest.mark.clause("C.K36", "C.P3")
@pytest.mark.parametrize(
    ("heading", "h"),
    [
        (None, 0),
        (0, 0),
        (2_249, 0),
        (2_250, 1),
        (6_749, 1),
        (6_750, 2),
        (33_749, 7),
        (33_750, 0),
        (35_999, 0),
    ],
)
def test_a_ship_that_the_scenario_places_lies_there(heading: int | None, h: int) -> None:
    made = begun(A=[{}, {"position": [3, 4], **({} if heading is None else {"heading": heading})}])
    assert places(made)["A2"] == (3, 4, h) and places(made)["A1"] == (6, 12, 0)
    assert made.at[3, 4] is made.ships["A2"]


@pytest.mark.clause("C.P2", "C.P10", "C.M10", "C.K36")
@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ({}, []), ({"A": [{"position": [0, 0]}]}, []), ({"A": [{"position": [-1, 0]}]}, ["A"]), ({"A": [{"position": [23, 0]}]}, []),
        ({"A": [{"position": [24, 0]}]}, ["A"]), ({"A": [{"position": [5, -900]}]}, []),
        ({"A": [{"position": [18, 12]}]}, ["B"]), ({"land": [[6, 12]]}, ["A"]),
        ({"shoal": [[6, 12]]}, ["A"]), ({"land": [[6, 12]], "shoal": [[6, 12]]}, ["A"]), ({"land": [[7, 12]], "shoal": [[6, 11]]}, []),
        ({"edges": [6, 0, 18, 24]}, []), ({"edges": [6, 12, 18, 12]}, []),
        ({"edges": [7, 0, 17, 24], "A": [{"position": [6, 12]}], "B": [{"position": [9, 9]}]}, ["A"]),
        ({"edges": [0, 0, 23, 11], "A": [{"position": [6, 12]}], "B": [{"position": [9, 9]}]}, ["A"]),
        ({"edges": [0, 13, 23, 30], "A": [{"position": [6, 12]}], "B": [{"position": [9, 14]}]}, ["A"]),
        ({"edges": [0, 0, 5, 30], "A": [{"position": [6, 12]}], "B": [{"position": [3, 14]}]}, ["A"]),
    ],
)  # fmt: skip
def test_ships_placed_off_the_board_or_on_land_or_in_the_same_area_are_errors(
    more: dict[str, Any], wrong: list[str]
) -> None:
    found = faulty(**{"A": [{}], "B": [{}], **more})
    assert found == [f"sides[{'AB'.index(code)}].squadrons[0].ships[0].position" for code in wrong]


@pytest.mark.clause("C.P2")
@pytest.mark.parametrize(
    ("edges", "bad"), [([9, 0, 8, 9], True), ([0, 9, 9, 8], True), ([0, 0, 23, 23], False)]
)
def test_only_edges_that_are_swapped_are_named(edges: list[int], bad: bool) -> None:
    assert faulty(edges=edges) == (["edges"] if bad else [])
    assert faulty(A=[{"position": [4, 4]}], B=[{"position": [4, 5]}], edges=[4, 4, 4, 5]) == [], (
        "a board of one column and two rows"
    )


@pytest.mark.clause("C.D3", "C.S11")
def test_each_side_is_safe_behind_its_line() -> None:
    for x, behind in (
        (3, {"A": "west", "B": "east"}),
        (20, {"A": "east", "B": "west"}),
        (12, {"A": "west", "B": "east"}),
    ):
        made = begun(A=[{"position": [x, 4]}], B=[{"position": [12, 9]}])
        assert made.safe == behind
    both = begun(
        A=[{"position": [12, 4]}, {"position": [15, 6]}], B=[{"position": [13, 9]}, {"position": [13, 2]}]
    )
    assert both.safe == {"A": "east", "B": "west"}, "the mean of all her ships counts"
    chosen = begun(options={"safe_edges": {"B": "north"}}, edges=[0, 0, 30, 30])
    assert chosen.safe == {"A": "west", "B": "north"}


@pytest.mark.clause("C.D3", "C.K37")
@pytest.mark.parametrize(
    ("edges", "chosen", "wrong"),
    [
        (None, {"A": "west", "B": "east"}, []), (None, {"A": "north"}, ["A"]), (None, {"B": "south"}, ["B"]),
        ([0, 0, 30, 30], {"A": "north", "B": "south"}, []),
        (None, {"X": "west"}, ["X"]), ([0, 0, 30, 30], {"X": "north"}, ["X"]),
    ],
)  # fmt: skip
def test_a_safe_edge_is_one_that_the_board_has_for_a_side_there_is(
    edges: list[int] | None, chosen: dict[str, str], wrong: list[str]
) -> None:
    more = {"edges": edges} if edges else {}
    assert faulty(options={"safe_edges": ["west"]}) == ["options.safe_edges"]
    assert faulty(options={"safe_edges": chosen}, **more) == [f"options.safe_edges.{code}" for code in wrong]


@pytest.mark.clause("C.K26", "C.K35", "C.D6", "C.D2")
@pytest.mark.parametrize(
    ("change", "bad"),
    [
        ({}, 0), ({"fp": 1}, 0), ({"fp": 0}, 1), ({"fp": 13}, 1), ({"fp": -1}, 1), ({"fp": "9"}, 1), ({"turret_fore": 1}, 1),
        ({"schema": 2}, 1),
        ({"engines_hit": None}, 1), ({"turret_aft": False, "battery_port": False, "engines_hit": True}, 0),
    ],
)  # fmt: skip
def test_an_impossible_condition_is_an_error(change: dict[str, Any], bad: int) -> None:
    assert (
        faulty(A=[{"condition": {**WHOLE, **change}}]) == ["sides[0].squadrons[0].ships[0].condition"] * bad
    )
    missing = {name: value for name, value in WHOLE.items() if name != "fp"}
    assert faulty(A=[{"condition": missing}]) == ["sides[0].squadrons[0].ships[0].condition"]
    gunboat = {"facts": {"overrides": {"variant": "gunboat"}}, "condition": {**WHOLE, "fp": 3}}
    assert faulty(A=[gunboat]) == ["sides[0].squadrons[0].ships[0].condition"] * 3, (
        "an aft turret and both batteries are not on her card"
    )


@pytest.mark.clause("C.K31", "C.K35", "C.K36", "C.K7", "C.M4", "C.D2", "C.V1")
def test_a_ship_brings_its_earlier_damage_into_the_battle() -> None:
    made = begun(
        A=[
            {"condition": {**WHOLE, "fp": 7, "turret_aft": False, "engines_hit": True, "turret_half": True}, "complement": 555,
            "captain": "Togo"},
            {"condition": {**WHOLE, "fp": 6}, "prize": True, "facts": {"tags": ["anchored"], "crew": 321}},
        ],
        B=[{"facts": {"overrides": {"variant": "gunboat", "torpedoes": 2, "guns_per_turret": 2}}}],
    )  # fmt: skip
    one, two, foe = made.ships.values()
    assert (one.fp, one.fp_max, one.fp_before, one.critical, one.standing) == (
        7,
        12,
        7,
        6,
        {"turret_fore", "battery_port", "battery_stbd"},
    )
    assert (one.engines_hit, one.turret_half, one.complement, one.captain, one.breaking_off) == (
        True,
        True,
        555,
        "Togo",
        False,
    )
    assert (one.torpedoes, one.last_action, one.last_spent, one.anchored, one.prize) == (4, "F", -1, 0, False)
    assert (two.breaking_off, two.came_critical, two.prize, two.anchored, two.complement) == (
        True,
        True,
        True,
        3,
        321,
    )
    assert (foe.fitted, foe.fp, foe.torpedoes, foe.guns_per_turret, foe.main_dice, foe.secondary_dice) == (
        ("turret_fore",),
        3,
        2,
        2,
        (1,) * 4,
        (),
    )
    assert (made.turn, made.last_turn, made.own_limit, made.first, made.quiet) == (0, 96, False, "", 0)
    limited = begun(turn_limit=7)
    assert (limited.last_turn, limited.own_limit) == (7, True)
    assert begun(options={"last_turn": 9}).last_turn == 9
    assert (
        begun(options={"anchored_turns": 5}, A=[{"facts": {"tags": ["anchored"]}}]).ships["A1"].anchored == 5
    )


@pytest.mark.clause("C.G2", "C.G3", "C.N12")
def test_the_options_change_the_dice_of_standard_cards_only() -> None:
    options = {"main_dice": [1] * 9, "secondary_dice": [1, 1, 1, 0, 0]}
    made = begun(options=options, A=[{}, {"facts": {"overrides": {"variant": "armoured_cruiser"}}}])
    assert (made.ships["A1"].main_dice, made.ships["A1"].secondary_dice) == ((1,) * 9, (1, 1, 1, 0, 0))
    assert (made.ships["A2"].main_dice, made.ships["A2"].secondary_dice) == (
        (2, 2, 2, 1, 1, 1, 1),
        (2, 2, 2, 1, 1),
    )


@pytest.mark.clause("C.S11", "C.P8")
def test_the_log_names_each_ship_at_the_opening() -> None:
    log = Log()
    RULES.begin(read_scenario(document(A=[{"condition": {**WHOLE, "fp": 7}}])), FastDice(1), log)
    rows = [event for event in log.take() if event.kind == "placed"]
    assert [(row.ship, row.data["x"], row.data["y"], row.data["h"], row.data["left"], row.data["steps"]) for row in rows] == [
        ("A1", 6, 12, 0, 7, 2), ("B1", 18, 12, 0, 12, 0), ("B2", 18, 10, 0, 12, 0),
    ]  # fmt: skip


@pytest.mark.clause("C.K36")
@pytest.mark.parametrize("bearing", [0, 10, 44, 45, 90, 135, 180, 200, 225, 270, 315, 350])
def test_a_late_leader_comes_on_the_area_nearest_to_her_bearing_eleven_areas_off(bearing: int) -> None:
    late = [ship("A8", status=Status.EXPECTED), ship("A9", status=Status.EXPECTED)]
    for one in late:
        one.squadron = "A-2"
    made = battle(ship("A1", (40, 40)), ship("B1", (43, 41)), *late, board=(None, None, None, None))
    made.squadrons["A-2"].edge = bearing
    layout.enter(made, "A-2")
    one = made.ships["A8"]
    dx, dy = one.x - 42, one.y - 41
    assert max(abs(dx), abs(dy)) == 11, "the middle is (41.5, 40.5), halves up"
    along = max((x * sin(radians(bearing)) + y * cos(radians(bearing))) / (x * x + y * y) ** 0.5
                for x, y in product(range(-11, 12), repeat=2) if max(abs(x), abs(y)) == 11)  # fmt: skip
    assert (dx * sin(radians(bearing)) + dy * cos(radians(bearing))) / (
        dx * dx + dy * dy
    ) ** 0.5 == pytest.approx(along)
    assert abs((one.h * 45 - bearing - 180 + 180) % 360 - 180) <= 23
    back = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))[one.h]
    assert made.ships["A9"].pos == (one.x - 2 * back[0], one.y - 2 * back[1]) and made.ships["A9"].h == one.h


@pytest.mark.clause("C.K36")
def test_a_late_squadron_gives_way_outward_and_at_an_edge_inward_and_astern_clockwise() -> None:
    def entered(
        *others: tuple[int, int],
        there: tuple[tuple[int, int], ...] = ((9, 10), (11, 10)),
        board: tuple[Any, ...] = (None,) * 4,
        edge: int | None = 90,
        **more: Any,
    ) -> list[tuple[int, int]]:
        late = [ship("A8", status=Status.EXPECTED), ship("A9", status=Status.EXPECTED)]
        for one in late:
            one.squadron = "A-2"
        pair = [ship(f"{'AB'[n]}1", at) for n, at in enumerate(there)]
        made = battle(
            *pair,
            *late,
            *(ship(f"B{n}", at, status=Status.EXPECTED) for n, at in enumerate(others, 2)),
            board=board,
            **more,
        )
        for n, at in enumerate(others, 2):
            made.at[at] = made.ships[f"B{n}"]
        made.squadrons["A-2"].edge = edge
        layout.enter(made, "A-2")
        return [made.ships[code].pos for code in ("A8", "A9")]

    assert entered() == [(21, 10), (23, 10)]
    assert entered(there=((10, 10),)) == [(21, 10), (23, 10)], "about the only ship"
    assert entered(there=((9, 10), (10, 11))) == [(21, 11), (23, 11)], "halves up"
    assert entered((21, 10)) == [(22, 10), (24, 10)]
    assert entered(land=frozenset({(21, 10), (22, 10)})) == [(23, 10), (25, 10)]
    assert entered(shoal=frozenset({(21, 10)})) == [(22, 10), (24, 10)]
    assert entered(board=(0, None, 20, None)) == [(20, 10), (20, 8)], (
        "nearest to where she would lie, clockwise from north"
    )
    assert entered((20, 10), board=(0, None, 20, None))[0] == (19, 10)
    assert entered((23, 10)) == [(21, 10), (23, 11)]
    assert entered((23, 10), (23, 11)) == [(21, 10), (24, 11)]
    assert entered(edge=None) == [(-1, 10), (-3, 10)], "without a bearing from her own safe edge, the west"
    assert entered(edge=None, safe={"A": "north", "B": "east"}) == [(10, 21), (10, 23)]
    assert entered(edge=None, safe={"A": "south", "B": "east"}) == [(10, -1), (10, -3)]
    assert entered(edge=None, safe={"A": "east", "B": "west"}) == [(21, 10), (23, 10)]


@pytest.mark.clause("C.K36")
def test_a_late_ship_for_whom_only_the_middle_is_free_lies_there_heading_north() -> None:
    late = ship("A8", status=Status.EXPECTED)
    late.squadron = "A-2"
    made = battle(ship("A1", (0, 0)), ship("B1", (2, 0)), late, board=(0, 0, 2, 0))
    made.squadrons["A-2"].edge = 0
    layout.enter(made, "A-2")
    assert (late.pos, late.h) == ((1, 0), 0)
    made = battle(ship("A1", (0, 0)), ship("B1", (4, 0)), late, board=(0, 0, 3, 0))
    made.squadrons["A-2"].edge = 90
    layout.enter(made, "A-2")
    assert (late.pos, late.h) == ((3, 0), 6), "inward as far as the next area"


@pytest.mark.clause("C.K36", "C.V1")
def test_squadrons_come_in_their_turn_and_once() -> None:
    late = ship("A8", status=Status.EXPECTED)
    late.squadron = "A-2"
    made = battle(ship("A1", (9, 10)), ship("B1", (11, 10)), late, board=(None,) * 4)
    made.squadrons["A-2"].arrives = 3
    for now, status, told in ((2, Status.EXPECTED, 0), (3, Status.IN_PLAY, 1), (4, Status.IN_PLAY, 0)):
        made.turn = now
        table = play(made)
        turn.arrive(made, table)
        assert (late.status, len(events(table, "arrived"))) == (status, told)
    assert made.squadrons["A-2"].arrives == 0 and made.at[late.pos] is late


@pytest.mark.clause("C.K37", "C.G2", "C.G3", "C.T2", "C.T3", "C.S2", "C.G9", "C.D3", "C.K31", "C.V1")
@pytest.mark.parametrize(
    ("name", "default", "good", "bad"),
    [
        ("main_dice", (3, 3, 3, 2, 2, 2, 1, 1, 1), [[3] * 9, (0,) * 9], [[4] + [3] * 8, [3] * 8, [3] * 10, [-1] * 9, [1,
        2] + [1] * 7, "333", [True] * 9]),
        ("secondary_dice", (2, 2, 2, 1, 1), [[2] * 5, [0] * 5], [[3] + [2] * 4, [2] * 4, [1, 2, 1, 1, 1]]),
        ("torpedo_dice", (3, 2, 1), [[3, 3, 3], [0, 0, 0]], [[4, 3, 3], [3, 3], [1, 2, 3], 3]),
        ("tube_arc", "line", ["abeam_quarter"], ["beam", None]),
        ("declare", "all", ["step"], ["none"]), ("block_line", True, [False], [0]),
        ("anchored_turns", 3, [0, 40], [-1, 41, True]), ("last_turn", 96, [1, 500], [0, 501]),
        ("safe_edges", {}, [{"A": "north"}, {"A": "east", "B": "south"}, {"A": "west"}], [{"A": "up"}, ["A"], {"A": "west", "B": 1}]),
    ],
)  # fmt: skip
def test_each_option_has_its_usual_setting_and_its_limits(
    name: str, default: Any, good: list[Any], bad: list[Any]
) -> None:
    assert OPTIONS[name].default == default
    words = {"main_dice": "nine", "secondary_dice": "five", "torpedo_dice": "three"}
    assert words.get(name, "") in OPTIONS[name].words
    for value in good:
        assert [*option_faults({name: value})] == [], value
        set_ = with_defaults({name: value})[name]
        assert (list(set_) if isinstance(value, tuple) else set_) == (
            list(value) if isinstance(value, tuple) else value
        )
    for value in bad:
        assert [row[0] for row in option_faults({name: value})] == [name], value


@pytest.mark.clause("C.K37")
def test_each_switch_names_its_clause() -> None:
    assert {name: option.clause for name, option in OPTIONS.items()} == {
        "main_dice": "C.G2", "secondary_dice": "C.G3", "torpedo_dice": "C.T2", "tube_arc": "C.T3", "declare": "C.S2", "block_line": "C.G9",
        "safe_edges": "C.D3", "anchored_turns": "C.K31", "last_turn": "C.V1",
    }  # fmt: skip
