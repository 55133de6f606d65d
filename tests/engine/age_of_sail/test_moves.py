"""Single ships on the move: irons, drift, anchors, shoals, edges, volleys on the way. Rules: A.M, A.T."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import pytest

from battles.engine.rulesets.age_of_sail.play import Shot
from battles.engine.rulesets.age_of_sail.sailing import lawful
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Status
from tests.engine.age_of_sail.builders import (
    FAST,
    NE,
    SE,
    E,
    Mate,
    N,
    S,
    W,
    at,
    battle,
    kinds,
    sailed,
    ship,
    told,
)
from tests.support.answers import unerring


@unerring
def alone(h: int = E, x: float = 0, y: float = 0, **more: Any) -> Battle:
    """E1 by herself, the enemy far off."""
    over = {name: more.pop(name) for name in ("rig",) if name in more}
    return battle(ship("E1", x, y, h, **over), ship("D1", 300, 300), **more)


@pytest.mark.clause("A.M13", "A.M4", "A.W9")
@pytest.mark.parametrize(
    ("h", "given", "then"),
    [
        (15, "", 14),
        (15, "S3", 14),
        (1, "", 2),
        (1, "P3", 2),
        (0, "", 1),
        (0, "S1", 1),
        (0, "P5", 15),
        (0, "A2 P1", 1),
    ],
)
def test_a_ship_in_irons_makes_one_point_away_from_the_wind(h: int, given: str, then: int) -> None:
    one, events = sailed(alone(h, wind=7), {"E1": given} if given else {})
    assert one.h == then and told(events, "moved")["steps"] == 1
    angle = radians(22.5 * then)
    assert (one.x, one.y) == (round(1_000 * sin(angle)), round(1_000 * cos(angle)))
    assert one.path == [1 if (then - h) % 16 == 1 else -1]


@pytest.mark.clause("A.M12")
@pytest.mark.parametrize(
    ("h", "course", "steps"),
    [
        (2, [1, 0, 15, 14], 4), (2, [1, 1, 0, 15, 14], 0), (2, [1, 0, 0, 15, 14], 0), (14, [15, 0, 1, 2], 4),
        (14, [15, 15, 0, 1, 2], 0), (2, [2, 1, 0, 15, 14], 5), (2, [2, 1, 1, 0, 15, 14], 1),
    ],
)  # fmt: skip
def test_a_tack_turns_a_point_at_every_step_or_is_not_begun(h: int, course: list[int], steps: int) -> None:
    made = alone(h, wind=4)
    assert lawful(course, h, made.sails(made.ships["E1"])) == steps


@pytest.mark.clause("A.M13", "A.T1", "A.G38")
def test_a_ship_in_irons_may_anchor_instead_and_gets_out_no_faster_for_meaning_to() -> None:
    one, events = sailed(alone(0), {"E1": "S4 A9 | anchor:0"})
    assert (at(one), one.anchor, kinds(events)) == ((0, 0, 0), Anchor.DOWN, ["anchors"])
    one, events = sailed(alone(0), {"E1": "S4 A9 | anchor:1"})
    assert (at(one), one.anchor, one.came) == ((383, 924, 1), Anchor.DOWN, 0)
    one, events = sailed(alone(0), {"E1": "S4 A9 | anchor:2"})
    assert (at(one), one.anchor, kinds(events)) == ((383, 924, 1), Anchor.UP, ["moved"])
    one, _ = sailed(alone(1, no_sail=22), {"E1": "A5"})
    assert one.h == 1, "22.5 degrees off she sails where only dead to windward is barred"


@pytest.mark.clause("A.M16", "A.T1", "A.M5")
@pytest.mark.parametrize("wind_from", range(8))
def test_a_dismasted_ship_drifts_downwind_whatever_the_wind_and_her_heading(wind_from: int) -> None:
    made = alone(5, rig=[-2, -2, -2], wind_from=wind_from, wind=1)
    one, events = sailed(made, {"E1": "A9"})
    angle = radians(45 * wind_from + 180)
    assert at(one) == (round(1_000 * sin(angle)), round(1_000 * cos(angle)), 5)
    assert told(events, "drifted") == {"path": [[0, 0, 5], [one.x, one.y, 5]], "stopped": ""}


@pytest.mark.clause("A.M16", "A.T1", "A.Q9")
@pytest.mark.parametrize(
    ("given", "mate", "anchored"),
    [
        ({}, None, False), ({}, Mate(), True), ({}, Mate(False), False), ({"E1": "A1"}, Mate(), False),
        ({"E1": "| anchor:0"}, Mate(False), True), ({"E1": "| anchor:3"}, None, True),
    ],
)  # fmt: skip
def test_a_dismasted_ship_anchors_by_order_and_without_one_as_her_captain_likes(
    given: dict[str, str], mate: Mate | None, anchored: bool
) -> None:
    made = alone(rig=[-2, -2, -2])
    made.turn = 7
    one, events = sailed(made, given, mate=mate)
    assert (one.anchor is Anchor.DOWN, one.y, one.came) == ((True, 0, 7) if anchored else (False, -1_000, 0))
    assert kinds(events) == (["anchors"] if anchored else ["drifted"])


@pytest.mark.clause("A.M7", "A.M8", "A.M11", "A.M21")
@pytest.mark.parametrize(
    ("h", "given", "mate", "then", "cut"),
    [
        (E, "A15", None, (15_000, 0, E), None), (E, "A16", None, (15_000, 0, E), "step 16"), (E, "A7", None, (7_000, 0, E), None),
        (NE, "P1", None, (707, 707, NE), "step 1"), (E, "", None, (1_000, 0, E), None), (E, "", Mate(turns=(0,) * 4), (4_000, 0, E), None),
        (E, "", Mate(turns=(0,) * 40), (15_000, 0, E), None), (E, "", Mate(turns=()), (1_000, 0, E), None),
        (E, "A2", Mate(turns=(0,) * 4), (2_000, 0, E), None), (E, "| board:-", Mate(turns=(0,) * 4), (4_000, 0, E), None),
        (S, "A12", None, (0, -12_000, S), None), (S, "A13", None, (0, -12_000, S), "step 13"),
    ],
)  # fmt: skip
def test_the_path_is_as_ordered_or_as_the_captain_likes_and_cut_where_the_law_ends(
    h: int, given: str, mate: Mate | None, then: tuple[int, int, int], cut: str | None
) -> None:
    one, events = sailed(alone(h), {"E1": given} if given else {}, mate=mate)
    assert at(one) == then, given
    assert [row.data["token"] for row in events if row.kind == "refused"] == ([cut] if cut else []), given


@pytest.mark.clause("A.M17", "A.M18", "A.B10", "A.S9")
def test_each_ship_that_is_free_to_moves_once_in_roster_order() -> None:
    made = battle(
        ship("E3", 0, 0, E), ship("E1", 0, 20, E), ship("E2", 0, 40, E, moved=True), ship("E4", 0, 60, E, aground=True),
        ship("E5", 0, 80, E, anchor=Anchor.WEIGHING), ship("E6", 0, 90, E, captor="D1"), ship("D1", 300, 300), ship("D2", 0, 300),
    )  # fmt: skip
    _, events = sailed(made)
    assert [event.ship for event in events] == ["E3", "E1"]
    assert all(made.ships[code].moved for code in ("E3", "E1")) and not made.ships["D1"].moved


@pytest.mark.clause("A.T1", "A.M17")
@pytest.mark.parametrize(
    ("given", "x", "down"),
    [("A5 | anchor:0", 0, True), ("A5 | anchor:2", 2, True), ("A5 | anchor:5", 5, True), ("A5 | anchor:6", 5, False), ("A5", 5, False)],
)  # fmt: skip
def test_an_anchor_drops_at_the_step_that_is_ordered_if_she_gets_so_far(
    given: str, x: int, down: bool
) -> None:
    made = alone()
    made.turn = 3
    one, events = sailed(made, {"E1": given})
    assert (one.x, one.anchor is Anchor.DOWN, one.came) == (1_000 * x, down, 3 * down)
    assert kinds(events) == ["moved"] * bool(x) + ["anchors"] * down


SHOAL = [[[-20_000, 2_500], [20_000, 2_500], [20_000, 9_000], [-20_000, 9_000]]]


@pytest.mark.clause("A.T4", "A.T5", "A.T8")
@pytest.mark.parametrize("face", range(1, 7))
def test_up_to_3_sticks_fast_at_the_first_step_in_a_shoal(face: int) -> None:
    made = alone(N, wind_from=4, shoals=SHOAL)
    one, events = sailed(made, {"E1": "A5"}, (face,))
    assert (one.y, one.aground) == ((3_000, True) if face <= 3 else (5_000, False))
    assert one.shoals == [0] and one.shoal_throws == 1
    assert ("aground" in kinds(events)) is (face <= 3)
    assert told(events, "moved")["stopped"] == ("shoal" if face <= 3 else "")
    if face <= 3:
        assert next(row for row in events if row.kind == "aground").clause == "A.T4"


@pytest.mark.clause("A.T4", "A.T8", "A.T6", "A.P7")
def test_each_entry_of_each_shoal_is_thrown_for_once() -> None:
    two = [SHOAL[0], [[-5_000, 4_500], [5_000, 4_500], [5_000, 5_500], [-5_000, 5_500]]]
    one, events = sailed(alone(N, wind_from=4, shoals=two), {"E1": "A12"}, (4, 4))
    assert (one.y, one.shoals, one.shoal_throws) == (12_000, [], 2)
    one, _ = sailed(alone(N, wind_from=4, shoals=two), {"E1": "A12"}, (4, 3))
    assert (one.y, one.shoals, one.aground) == (5_000, [0, 1], True)
    # both at the same step, and the first of them is enough
    one, _ = sailed(alone(N, wind_from=4, shoals=[SHOAL[0], SHOAL[0]]), {"E1": "A4"}, (3,))
    assert (one.y, one.shoals) == (3_000, [0, 1])
    one, _ = sailed(alone(N, wind_from=4, shoals=[SHOAL[0], SHOAL[0]]), {"E1": "A4"}, (4, 4))
    assert one.y == 4_000
    # a ship that is inside throws nothing until she has been out of it
    inside = alone(N, y=5, wind_from=4, shoals=SHOAL)
    inside.ships["E1"].shoals = [0]
    one, _ = sailed(inside, {"E1": "A3"})
    assert (one.y, one.shoals) == (8_000, [0])
    drifting = alone(N, y=2, rig=[-2] * 3, wind_from=4, shoals=SHOAL)
    assert sailed(drifting, {}, (4,))[0].y == 3_000


@pytest.mark.clause("A.T9", "A.T5")
def test_a_step_into_land_is_not_taken_and_leaves_the_ship_aground() -> None:
    land = [
        [[-9_000, 2_500], [9_000, 2_500], [9_000, 9_000], [-9_000, 9_000]],
        [[50_000, 0], [60_000, 0], [60_000, 9_000]],
    ]
    one, events = sailed(alone(N, wind_from=4, coast=land), {"E1": "A9"})
    assert (one.y, one.aground, told(events, "moved")["stopped"]) == (2_000, True, "land")
    assert next(row for row in events if row.kind == "aground").clause == "A.T9"
    one, events = sailed(alone(E, wind_from=4, coast=land), {"E1": "A9"})
    assert (one.x, one.aground, kinds(events)) == (9_000, False, ["moved"])


@pytest.mark.clause("A.M20", "A.G11")
@pytest.mark.parametrize(
    ("h", "bearing"), [(N, 0), (2, 2), (E, E), (6, 6), (S, S), (10, 10), (W, W), (14, 14)]
)
def test_a_ship_is_gone_once_she_crosses_an_edge_and_not_before(h: int, bearing: int) -> None:
    made = alone(h, wind_from=1, edges=(-4_000, -4_000, 4_000, 4_000), wind=7, no_sail=22)
    made.wind_from = ((h + 8) // 2) % 8
    made.ships["D1"].x = 0
    one, events = sailed(made, {"E1": "A4"} if h % 4 == 0 else {"E1": "A5"})
    assert one.status is Status.AFLOAT and kinds(events) == ["moved"]
    made.ships["E1"].moved = False
    one, events = sailed(made, {"E1": "A5"})
    assert (one.status, one.bearing) == (Status.WITHDRAWN, bearing)
    assert max(abs(one.x), abs(one.y)) in (5_000, 4_242) and told(events, "moved")["stopped"] == "edge"


@pytest.mark.clause("A.M20")
def test_a_ship_beyond_an_edge_from_the_start_may_come_in() -> None:
    made = alone(E, x=-9, edges=(-4_000, -400_000, 400_000, 400_000))
    one, _ = sailed(made, {"E1": "A3"})
    assert (one.status, one.x) == (Status.AFLOAT, -6_000)


@pytest.mark.clause("A.F5", "A.F7", "A.P8", "A.Q3")
def test_volleys_go_off_at_their_step_port_first_the_ordered_ones_before_the_captains() -> None:
    def shots(given: str, mate: Mate | None, faces: int) -> list[tuple[str, str, int]]:
        made = battle(
            ship("E1", 0, 0, E),
            ship("D1", 6, 5, **FAST),
            ship("D2", 4, -6, **FAST),
            ship("D3", 4, 9, **FAST),
            block_line=False,
        )
        _, events = sailed(made, {"E1": given} if given else {}, (1,) * faces, mate)
        return [
            (row.data["side"], row.data["target"], row.data["range"])
            for row in events
            if row.kind == "volley"
        ]

    port, starboard = Shot("port", 1, "D1", "hull"), Shot("starboard", 4, "D2", "hull")
    both = Mate(turns=(0,) * 4, volleys=(starboard, port))
    assert shots("", both, 6) == [("port", "D1", 7_071), ("starboard", "D2", 6_000)]
    assert shots("A4 | starboard>D2=2 port>D1=2", None, 6) == [
        ("port", "D1", 6_403),
        ("starboard", "D2", 6_324),
    ]
    assert shots("| port>D3=4", both, 6) == [("port", "D3", 9_000), ("starboard", "D2", 6_000)]
    assert shots("| port>-", both, 3) == [("starboard", "D2", 6_000)]
    assert shots("| port>- starboard>-", both, 0) == []
    assert shots("A4 | port>D1", None, 0) == [], "without a step it waits for the end of all moves"
    assert shots("A4 | port>D1=0", None, 0) == [], "D1 bears from the first step on"


@pytest.mark.clause("A.M9", "A.Q4")
def test_a_move_is_told_by_its_corners_and_remembered_by_its_turns() -> None:
    one, events = sailed(alone(E), {"E1": "A3 S2 A2 P1 A1"})
    rows = told(events, "moved")["path"]
    assert [row[2] for row in rows] == [4, 4, 5, 6, 6, 5, 5]
    assert rows[0] == [0, 0, 4] and rows[1] == [3_000, 0, 4] and rows[-1] == [one.x, one.y, one.h]
    assert one.path == [0, 0, 0, 1, 1, 0, 0, -1, 0]
    one, _ = sailed(alone(15, wind_from=4), {"E1": "S2 P3"})
    assert one.path == [1, 1, -1, -1, -1]
    _, events = sailed(alone(SE), {"E1": "| anchor:0"})
    assert kinds(events) == ["anchors"], "who does not move has no path to tell"
