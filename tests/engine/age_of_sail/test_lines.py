"""Lines of battle: wake, pace, station, breaking up and coming back, to the thousandth. Rules: A.L1-A.L8."""

from __future__ import annotations

from math import cos, dist, radians, sin
from typing import Any

import pytest

from battles.engine.rulesets.age_of_sail import lines, movement
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Line
from tests.engine.age_of_sail.builders import NE, E, Mate, N, S, at, battle, ship, table
from tests.support.answers import unerring

FAR = ship("D1", 300, 300)


@unerring
def column(*x: float, codes: str = "E1 E2 E3 E4", **more: Any) -> Battle:
    """A line heading east, the leader first, at these centimetres from west to east; over by ship, as in E2={…}."""
    names = codes.split()[: len(x)]
    over = {code: more.pop(code) for code in names if code in more}
    rows = [ship(code, place, 0, E, **over.get(code, {})) for code, place in zip(names, x, strict=True)]
    return battle(*rows, ship("D1", 300, 300), line=names, **more)


@unerring
def moved(
    made: Battle, orders: dict[str, str] | None = None, mate: Mate | None = None
) -> list[tuple[int, int, int]]:
    """One stage A.S9 of side E, and where her ships lie."""
    for one in made.ships.values():
        one.moved = False
    by = table(made, [], orders, *([("E", mate)] if mate else []))
    movement.move_side(made, by)
    return [at(one) for one in made.ships.values() if one.side == "E"]


def xs(made: Battle) -> list[float]:
    return [one.x / 1_000 for one in made.ships.values() if one.side == "E"]


def rows(made: Battle) -> list[tuple[list[str], list[int]]]:
    return [(row.ships, row.places) for row in made.lines]


@pytest.mark.clause("A.L2", "A.L1")
def test_the_wake_at_first_is_straight_from_the_last_ship_to_the_leader() -> None:
    (row,) = column(0, -5, -12).lines
    assert (row.ships, row.places) == (["E1", "E2", "E3"], [12, 7, 0])
    assert row.wake == [(1_000 * x, 0, E) for x in range(-12, 1)]
    # not on the sixteen points, or not whole centimetres: as many steps as there are centimetres, evenly, on the nearest heading
    slant = battle(ship("E1", 73, -26, N), ship("E2", 70, -30, E), FAR, line=["E1", "E2"])
    (row,) = slant.lines
    assert [(x - 70_000, y + 30_000, h) for x, y, h in row.wake] == [
        (0, 0, E), (600, 800, 2), (1_200, 1_600, 2), (1_800, 2_400, 2), (2_400, 3_200, 2), (3_000, 4_000, N),
    ]  # fmt: skip
    close = battle(ship("E1", 0.4, 0, E), ship("E2", 0, 0, E), FAR, line=["E1", "E2"])
    assert close.lines[0].wake == [(0, 0, E), (400, 0, E)]
    half = battle(ship("E1", 2.6, 0, E), ship("E2", 0, 0, E), FAR, line=["E1", "E2"])
    assert [spot[0] for spot in half.lines[0].wake] == [0, 866, 1_733, 2_600]


@pytest.mark.clause("A.L5", "A.L1")
def test_a_single_ship_is_not_a_line_and_a_pirate_is_in_no_line() -> None:
    made = battle(ship("E1"), ship("E2", -5, pirate=True), FAR)
    lines.form(made, "E-1", [made.ships["E1"], made.ships["E2"]])
    lines.form(made, "E-1", [made.ships["E1"]])
    assert made.lines == []


@pytest.mark.clause("A.L1", "A.L3", "A.M18")
@pytest.mark.parametrize(
    ("given", "steps"), [("A7", 7), ("A15", 15), ("A16", 15), ("", 1)]
)  # a line of ships of the line, reaching in wind 4
def test_the_whole_line_takes_the_steps_that_its_leader_orders(given: str, steps: int) -> None:
    made = column(0, -5, -10)
    moved(made, {"E1": given} if given else {})
    assert xs(made) == [steps, steps - 5, steps - 10]
    (row,) = made.lines
    assert (row.places, len(row.wake), row.wake[-1]) == ([10, 5, 0], 11, (1_000 * steps, 0, E))
    assert all(one.moved for one in made.ships.values() if one.side == "E")


@pytest.mark.clause("A.L3", "A.M5", "A.M11")
def test_the_slowest_ship_on_the_wake_sets_the_pace_along_her_own_stretch_of_it() -> None:
    made = column(0, -5, -10, E2={"rig": [2, -2, 2]})
    moved(made, {"E1": "A15"})
    assert xs(made) == [10, 5, 0]
    # E2, who will be close hauled at the end of it, may not go so far as the leader who bears away
    made = column(0, -5)
    moved(made, {"E1": "A1 P2 A4"})
    assert at(made.ships["E1"]) == (1_000 + 924 + 707 * 5, 383 + 707 * 5, NE)
    moved(made, {"E1": "S2 A9"})
    assert made.lines[0].places[0] - made.lines[0].places[1] == 5
    # a ship off the wake does not count
    loose = column(0, -5, E2={"rig": [2, -2, 2]})
    loose.lines[0].places[1] = -1
    loose.ships["E2"].y = 9_000
    moved(loose, {"E1": "A15"})
    assert loose.ships["E1"].x == 15_000


@pytest.mark.clause("A.L3", "A.M12", "A.M21")
@pytest.mark.parametrize(
    ("rig", "given", "spot"),
    [
        ([2, 2, 2], "A2 P4 A3", (0, 5_676, 14)), ([2, -2, 2], "A2 P4 A3", (707, 4_969, 14)), ([2, -2, 2], "A3 P4", (2_121, 2_121, NE)),
        ([-2, -2, 2], "P4 A5", (707, 707, NE)), ([-2, -2, 2], "A2 P4", (1_414, 1_414, NE)), ([2, 2, 2], "P4", (-707, 3_555, 14)),
    ],
)  # fmt: skip
def test_a_leader_begins_no_tack_that_the_slowest_of_the_line_could_not_finish(
    rig: list[int], given: str, spot: tuple[int, int, int]
) -> None:
    made = battle(ship("E1", 0, 0, NE), ship("E2", -3.535, -3.535, NE, rig=rig), FAR, line=["E1", "E2"])
    moved(made, {"E1": given})
    assert at(made.ships["E1"]) == pytest.approx(spot, abs=3)
    wake = made.lines[0].wake
    assert wake[-1] == at(made.ships["E1"]) and len(set(wake)) == len(wake)


@pytest.mark.clause("A.L3", "A.L8")
def test_a_ship_in_irons_does_not_hold_the_line_back() -> None:
    made = battle(ship("E1", 0, 0, E), ship("E2", -5, 0, 1), FAR, line=["E1", "E2"])
    moved(made, {"E1": "A6"})
    assert at(made.ships["E1"]) == (6_000, 0, E)


@pytest.mark.clause("A.L4")
@pytest.mark.parametrize(
    ("gap", "steps", "then"),
    [(5, 3, 5), (9, 3, 5), (9, 1, 5), (30, 3, 18), (4, 1, 5), (4, 0, 4), (3, 1, 4), (6, 15, 6), (2, 9, 5)],
)
def test_a_follower_far_astern_closes_up_to_five_steps_and_one_too_near_waits(
    gap: int, steps: int, then: int
) -> None:
    made = column(0, -gap)
    if steps:
        moved(made, {"E1": f"A{steps}"})
        assert made.ships["E1"].x == 1_000 * steps
    else:
        moved(made, {"E1": "A2 | anchor:0"})
        assert made.ships["E1"].x == 0
    assert (made.ships["E1"].x - made.ships["E2"].x) == 1_000 * then


@pytest.mark.clause("A.L6", "A.L7", "A.L2")
@pytest.mark.parametrize(
    ("code", "left"),
    [
        ("E1", [(["E2", "E3", "E4", "E5"], [15, 10, 5, 0])]), ("E2", [(["E3", "E4", "E5"], [10, 5, 0])]),
        ("E3", [(["E1", "E2"], [20, 15]), (["E4", "E5"], [5, 0])]), ("E4", [(["E1", "E2", "E3"], [20, 15, 10])]),
        ("E5", [(["E1", "E2", "E3", "E4"], [20, 15, 10, 5])]),
    ],
)  # fmt: skip
def test_a_ship_that_drops_out_breaks_the_line_in_two_and_each_part_keeps_its_wake(
    code: str, left: list[tuple[list[str], list[int]]]
) -> None:
    made = column(0, -5, -10, -15, -20, codes="E1 E2 E3 E4 E5")
    lines.drop(made, made.ships[code])
    assert rows(made) == left
    for row in made.lines:
        lead = made.ships[row.ships[0]]
        assert row.wake[-1] == at(lead) and row.wake[0] == (-20_000, 0, E)
        assert row.squadron == "E-1"
    lines.drop(made, made.ships[code])
    assert rows(made) == left, "once is enough"


@pytest.mark.clause("A.L6", "A.L2")
def test_a_part_whose_leader_leaves_the_wake_begins_again_and_other_lines_stay_as_they_were() -> None:
    made = column(0, -5, -10)
    other = Line("E-2", ["X", "Y"], [], [-1, -1])
    made.lines.append(other)
    made.lines[0].places = [10, -1, 0]
    lines.drop(made, made.ships["E1"])
    assert rows(made) == [(["E2", "E3"], [-1, -1]), (["X", "Y"], [-1, -1])]
    assert made.lines[0].wake == [] and made.lines[1] is other
    fresh = column(0, -5, -10)
    fresh.lines[0].places = [10, 0, -1]
    lines.drop(fresh, fresh.ships["E1"])
    assert (fresh.lines[0].wake, fresh.lines[0].places) == ([(-10_000, 0, E)], [0, -1])


@pytest.mark.clause("A.L2")
def test_the_wake_ends_where_the_leader_lies_and_begins_again_when_she_left_it() -> None:
    for x, h, places, kept in (
        (0, E, [10, 5, 0], True),
        (1, E, [10, 5, 0], False),
        (0, 5, [10, 5, 0], False),
        (0, E, [9, 5, 0], False),
    ):
        made = column(0, -5, -10)
        lead, row = made.ships["E1"], made.lines[0]
        lead.x, lead.h, row.places = 1_000 * x, h, places
        lines.head(row, lead)
        assert (row.places, len(row.wake)) == (([10, 5, 0], 11) if kept else ([0, -1, -1], 1))
        assert row.wake[-1] == at(lead)
    empty = Line("E-1", ["E1", "E2"], [], [-1, -1])
    lines.head(empty, made.ships["E1"])
    assert (empty.places, empty.wake) == ([0, -1], [at(made.ships["E1"])])


@pytest.mark.clause("A.L2", "A.L8")
@pytest.mark.parametrize(
    ("places", "then", "length"),
    [
        ([20, 15, 10], [10, 5, 0], 11), ([20, 15, 0], [20, 15, 0], 21), ([20, 15, -1], [10, 5, -1], 11), ([20, -1, 3], [20, -1, 3], 21),
        ([20, -1, 12], [13, -1, 5], 14), ([-1, -1, -1], [-1, -1, -1], 21),
    ],
)  # fmt: skip
def test_the_wake_is_forgotten_astern_of_the_last_ship_that_needs_it(
    places: list[int], then: list[int], length: int
) -> None:
    row = Line("E-1", ["E1", "E2", "E3"], [(1_000 * x, 0, E) for x in range(21)], [*places])
    lines.trim(row)
    assert (row.places, len(row.wake), row.wake[-1]) == (then, length, (20_000, 0, E))


@pytest.mark.clause("A.L8")
@pytest.mark.parametrize(
    ("x", "y", "place"),
    [
        (5, 0, 5), (5, 1, 5), (5, 1.001, -1),
        (5.4, 0, 5), (5.5, 0, 6), (5.6, 0.2, 6), (-1, 0, 0), (-1.001, 0, -1), (10, 0, 10), (11, 0, 10),
        (11.001, 0, -1), (15, 0, -1), (7, -0.9, 7),
    ],
)  # fmt: skip
def test_a_ship_comes_back_to_the_wake_within_a_centimetre_and_five_steps_astern_of_the_next(
    x: float, y: float, place: int
) -> None:
    for ahead in (15, -1):
        last = 15 if ahead > 0 else 15
        row = Line("E-1", ["E1", "E2", "E3"], [(1_000 * k, 0, E) for k in range(last + 1)], [last, ahead, -1])
        one = ship("E3", x, y, E)
        lines.rejoin(row, 2, one)
        assert row.places == [last, ahead, place]


@pytest.mark.clause("A.L8")
@pytest.mark.parametrize(("x", "place"), [(0, 0), (1, 0), (3, -1)])
def test_behind_a_ship_at_the_very_end_of_the_wake_there_is_one_place_to_come_back_to(
    x: float, place: int
) -> None:
    row = Line("E-1", ["E1", "E2", "E3"], [(1_000 * k, 0, E) for k in range(16)], [15, 0, -1])
    lines.rejoin(row, 2, ship("E3", x, 0, E))
    assert row.places == [15, 0, place]


HURT: dict[str, Any] = {"rig": [-2, -2, -2]}


@pytest.mark.clause("A.L6", "A.Q8")
@pytest.mark.parametrize(
    ("over", "given", "mate", "left", "free"),
    [
        ({}, {}, None, "E1 E2 E3 E4", False), ({}, {"E3": "| detach:yes"}, None, "E1 E2", True),
        ({}, {}, Mate(detached="E3"), "E1 E2", True),
        ({}, {"E3": "| detach:no"}, Mate(detached="E3"), "E1 E2 E3 E4", False), (HURT, {}, None, "E1 E2", False),
        ({"aground": True}, {}, None, "E1 E2", False), ({"anchor": Anchor.DOWN}, {}, None, "E1 E2", False),
        ({"captor": "D1"}, {}, None, "E1 E2", False), ({"entangled": ["D1"]}, {}, Mate(), "E1 E2", False),
        (HURT, {"E3": "| detach:no"}, None, "E1 E2", False),
    ],
)  # fmt: skip
def test_ships_leave_their_line_by_order_or_as_the_captain_likes_or_when_they_must(
    over: dict[str, Any], given: dict[str, str], mate: Mate | None, left: str, free: bool
) -> None:
    made = column(0, -5, -10, -15, E3=over)
    lines.sort_out(made, table(made, [], given, *([("E", mate)] if mate else [])))
    assert [" ".join(row.ships) for row in made.lines] == [left], (over, given)
    assert made.ships["E3"].independent is free


@pytest.mark.clause("A.L6", "A.Q8")
def test_each_side_sorts_out_its_own_lines() -> None:
    theirs = battle(ship("E1"), ship("D1", 50, 0, E), ship("D2", 45, 0, E, **HURT))
    lines.form(theirs, "D-1", [theirs.ships["D1"], theirs.ships["D2"]])
    lines.sort_out(theirs, table(theirs))
    assert len(theirs.lines) == 1, "each side sorts out its own lines"


@pytest.mark.clause("A.L8", "A.M13")
@pytest.mark.parametrize(
    ("h", "given", "then"), [(0, "", 1), (0, "P1", 15), (1, "P1", 2), (15, "S1", 14), (0, "S3", 1)]
)
def test_a_line_in_irons_makes_its_point_to_the_leaders_side(h: int, given: str, then: int) -> None:
    made = battle(*(ship(f"E{n}", 9 * n, 0, h) for n in (1, 2, 3)), FAR, line=["E1", "E2", "E3"])
    spots = moved(made, {"E1": given} if given else {})
    assert [spot[2] for spot in spots] == [then] * 3
    (row,) = made.lines
    assert row.places[1:] == [-1, -1] and row.wake[row.places[0]] == spots[0]


@pytest.mark.clause("A.L8", "A.M13")
def test_a_follower_alone_in_irons_makes_her_point_and_then_makes_for_the_wake() -> None:
    made = battle(ship("E1", 0, 0, E), ship("E2", -5, 0, 1), FAR, line=["E1", "E2"])
    moved(made, {"E1": "A6"})
    assert at(made.ships["E2"]) == (-5_000 + 707, 707, 2)
    assert made.lines[0].places[1] == -1
    moved(made, {"E1": "A1"})
    # nine centimetres close hauled, or less: what ends nearest to the point five steps astern of the leader, (2, 0)
    two = made.ships["E2"]
    assert (two.x - 2_000) ** 2 + two.y**2 <= 1_000**2
    moved(made, {"E1": "A4"})
    assert made.lines[0].places[0] - made.lines[0].places[1] == 5
    assert at(two) == (6_000, 0, E)


@unerring
def nearest(x: float, y: float, h: int, goal: tuple[int, int]) -> float:
    """How near a ship of the line comes to a place in a north wind of 4: some points one way, then straight on. Rules: A.M11, A.M12."""
    most = dict(enumerate((9, 9, 9, 15, 15, 15, 15, 12, 12)))
    best = 1e9
    for points in range(-8, 9):
        here, spot = h, (float(x), float(y))
        for step in range(most[min(h, 16 - h)]):
            here = (here + (step < abs(points)) * (1 if points > 0 else -1)) % 16
            off = min(here, 16 - here)
            if step >= most[off]:
                break
            spot = spot[0] + sin(radians(22.5 * here)), spot[1] + cos(radians(22.5 * here))
            if off >= 2:
                best = min(best, dist(spot, goal))
    return best


@pytest.mark.clause("A.L8", "A.M11", "A.M12")
@pytest.mark.parametrize(
    ("x", "y", "h"),
    [
        (0, 3, E), (10, 9, S), (16, 8, S), (16, 20, S), (30, 12, 12), (18, -6, E), (14, -6, E), (25, 0, E), (16, -4, NE), (10, -6, 3),
        (16, 6, NE), (16, 3, 14), (4, -9, 14), (16, -9, 14), (23, -5, 14), (15, 5, S), (16, 1.4, S), (10, 6, 5), (16, -1.5, 14),
    ],
)  # fmt: skip
def test_a_ship_off_the_wake_sails_the_path_that_ends_nearest_to_her_place(
    x: float, y: float, h: int
) -> None:
    made = battle(ship("E1", 20, 0, E), ship("E2", x, y, h), FAR)
    made.lines.append(Line("E-1", ["E1", "E2"], [(1_000 * k, 0, E) for k in range(21)], [20, -1]))
    moved(made, {"E1": "A1"})
    two = made.ships["E2"]
    assert dist((two.x / 1_000, two.y / 1_000), (16, 0)) == pytest.approx(nearest(x, y, h, (16, 0)), abs=0.01)
    assert two.path and made.lines[0].places == [5, -1]


@pytest.mark.clause("A.L8", "A.L2")
def test_with_a_wake_shorter_than_five_steps_a_ship_makes_for_where_it_begins() -> None:
    made = battle(ship("E1", 20, 0, E), ship("E2", 10, 1.1, E), FAR)
    made.lines.append(Line("E-1", ["E1", "E2"], [], [-1, -1]))
    moved(made, {"E1": "A3"})
    assert at(made.ships["E1"]) == (23_000, 0, E)
    assert at(made.ships["E2"]) == (20_000, 1_100, E)


@pytest.mark.clause("A.L8", "A.L4")
def test_a_ship_within_a_centimetre_of_her_place_waits_there_and_one_ahead_of_it_is_off_the_wake() -> None:
    for x, y, h, path, place in ((16, 1, S, [], 0), (20, 0, E, [], -1), (15, -1, E, [0], 0)):
        made = battle(ship("E1", 20, 0, E), ship("E2", x, y, h), FAR)
        made.lines.append(Line("E-1", ["E1", "E2"], [(1_000 * k, 0, E) for k in range(21)], [20, -1]))
        moved(made, {"E1": "A1"})
        assert (made.ships["E2"].path, made.lines[0].places[1]) == (path, place), (x, y)


@pytest.mark.clause("A.L6", "A.L1")
def test_a_follower_with_a_path_of_her_own_sails_it_and_is_off_the_wake() -> None:
    made = column(0, -5, -10)
    spots = moved(made, {"E1": "A3", "E2": "A1 S2"})
    assert spots[1] == (-4_000 + 924 + 707, -383 - 707, 6)
    assert rows(made) == [(["E1", "E2", "E3"], [10, -1, 5])]
    anchored = column(0, -5, -10)
    moved(anchored, {"E1": "A3", "E2": "A2 | anchor:1"})
    assert xs(anchored) == [3, -4, -5] and anchored.lines == [], "E3 closes up till E2 is in her way"
    wake = column(0, -5, -10)
    moved(wake, {"E1": "A3", "E2": "| anchor:2"})
    assert wake.ships["E2"].x == -3_000 and wake.ships["E2"].anchor is Anchor.DOWN


@pytest.mark.clause("A.L2", "A.L6", "A.L7", "A.T9")
def test_ships_behind_a_leader_that_runs_ashore_go_on_under_the_next_in_the_same_wake() -> None:
    made = column(0, -5, -10, -15, coast=[[[2_500, -9_000], [9_000, -9_000], [9_000, 9_000], [2_500, 9_000]]])
    moved(made, {"E1": "A9"})
    assert made.ships["E1"].aground and xs(made) == [2, -3, -8, -13]
    assert rows(made) == [(["E2", "E3", "E4"], [12, 7, 2])]
    moved(made, {"E2": "S4 A4"})
    (row,) = made.lines
    assert [at(made.ships[code]) for code in row.ships] == [row.wake[place] for place in row.places]
    assert [row.places[0] - place for place in row.places] == [0, 5, 10]


@pytest.mark.clause("A.L6", "A.B1", "A.B10")
def test_a_line_whose_leader_is_run_aboard_before_it_moves_continues_under_the_next_ship() -> None:
    first = [ship("E1", 0, 0, E), ship("E2", -5, 0, E)]
    second = [ship("E3", 4.6, 0.6, E), ship("E4", -1, 5, E), ship("E5", -6, 5, E)]
    made = battle(
        *first, *second, ship("D1", 4.4, -0.3, S, port=0, stbd=0), ship("D2", 99), line=["E1", "E2"]
    )
    lines.form(made, "E-1", second)
    by = table(made, [1] * 6, {"E1": "A9 | board:D1", "E4": "A2"})
    movement.move_side(made, by)
    assert made.ships["E1"].entangled == ["D1", "E3"] and at(made.ships["E3"]) == (4_600, 600, E)
    assert (made.ships["E4"].x, made.ships["E5"].x) == (1_000, -4_000)
    assert [row.ships for row in made.lines] == [["E4", "E5"]]
