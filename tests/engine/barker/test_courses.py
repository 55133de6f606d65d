"""How bases move on an empty sea. Places in yards, headings in degrees; the worked examples hold to 0.05 yd."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from battles.engine.rulesets.barker import courses
from battles.engine.rulesets.barker.courses import Body, Pose
from tests.support.answers import unerring

Where = Sequence[tuple[float, float, float]]


@unerring
def poses(*rows: tuple[float, float, float]) -> list[Pose]:
    return [(round(x * 100), round(y * 100), round(h * 100)) for x, y, h in rows]


@unerring
def body(kind: str, *rows: tuple[float, float, float]) -> Body:
    return Body(kind, poses(*rows))


def lie(found: Body, *rows: tuple[float, float, float]) -> None:
    """All within 0.05 yd of where the book has them."""
    assert len(found.poses) == len(rows)
    for (x, y, h), (east, north, course) in zip(found.poses, rows, strict=True):
        assert abs(x - 100 * east) <= 5, (found.poses, rows)
        assert abs(y - 100 * north) <= 5, (found.poses, rows)
        assert h == round(100 * course)


@pytest.mark.clause("P.M07", "P.M08", "P.EX5", "P.Z02")
@pytest.mark.parametrize(
    ("turn", "turned", "moved"),
    [
        (90, (-100, 300, 90), (300, 300, 90)),
        (45, (-112.13, 129.29, 45), (170.71, 412.13, 45)),
        (-45, (112.13, 129.29, 315), (-170.71, 412.13, 315)),
        (-90, (100, 300, 270), (-300, 300, 270)),
    ],
)
def test_a_turn_pivots_on_the_front_corner_inside_it_and_makes_no_distance(
    turn: float, turned: tuple[float, float, float], moved: tuple[float, float, float]
) -> None:
    made = body("loose", (0, 0, 0))
    made.turn(round(turn * 100))
    lie(made, turned)
    made.advance(40_000)
    lie(made, moved)


@pytest.mark.clause("P.EX5")
def test_a_compulsory_move_follows_straight() -> None:
    made = body("loose", (0, 0, 0))
    made.turn(9_000)
    made.advance(40_000)
    made.advance(40_000)
    lie(made, (700, 300, 90))


@pytest.mark.clause("P.M13", "P.EX6")
def test_a_line_turns_in_succession_where_its_leader_turned_in_later_spells_too() -> None:
    made = body("ahead", (0, 0, 0), (0, -400, 0), (0, -800, 0))
    made.advance(40_000)
    made.turn(9_000)
    made.advance(40_000)
    lie(made, (300, 700, 90), (0, 400, 0), (0, 0, 0))
    later = Body("ahead", made.poses, made.track())
    later.advance(40_000)
    lie(later, (700, 700, 90), (300, 700, 90), (0, 400, 0))
    later.advance(40_000)
    lie(later, (1_100, 700, 90), (700, 700, 90), (300, 700, 90))
    assert later.track() == []


@pytest.mark.clause("P.M13")
def test_a_follower_whose_front_ends_on_the_turning_place_turns_at_the_start_of_her_next_move() -> None:
    made = body("ahead", (0, 0, 0), (0, -400, 0))
    made.turn(3_000)
    made.advance(40_000)
    assert made.poses[1] == (0, 0, 0)
    ways = made.advance(40_000)
    assert [heading for _, heading, _ in ways[1]] == [3_000]
    assert made.poses[1][2] == 3_000


@pytest.mark.clause("P.M13", "P.Z02")
def test_the_log_gives_the_way_of_a_follower_round_a_bend_in_straight_pieces() -> None:
    made = body("ahead", (0, 0, 0), (0, -400, 0))
    made.advance(15_000)
    made.turn(9_000)
    ways = made.advance(40_000)
    assert ways[1] == [((0, -5_000), 0, 40_000)]
    ways = made.advance(10_000)
    assert ways[1] == [((10_000, 45_000), 9_000, 10_000)]
    made = body("ahead", (0, 0, 0), (0, -400, 0))
    made.advance(15_000)
    made.turn(9_000)
    made.advance(30_000)
    ways = made.advance(30_000)
    assert ways[1] == [((0, 25_000), 0, 10_000), ((10_000, 45_000), 9_000, 20_000)]


@pytest.mark.clause("P.M13")
def test_several_turns_are_followed_one_after_the_other_and_the_way_is_as_long_as_the_leaders() -> None:
    made = body("ahead", *((0, -400 * n, 0) for n in range(5)))
    for turn in (4_500, -3_000, 2_255, -9_000):
        made.turn(turn)
        for way in made.advance(40_000):
            assert abs(sum(length for _, _, length in way) - 40_000) <= 20
    lead = [made.poses[0]]
    for _ in range(4):
        made.advance(40_000)
        lead.append(made.poses[0])
    for n, pose in enumerate(made.poses):
        there = lead[4 - n]
        assert abs(pose[0] - there[0]) <= 20
        assert abs(pose[1] - there[1]) <= 20
        assert pose[2] == there[2]


@pytest.mark.clause("P.M14", "P.EX7")
def test_a_line_abreast_wheels_rigidly_about_its_inner_front_corner() -> None:
    made = body("abreast", (0, 0, 0), (300, 0, 0))
    made.turn(9_000)
    made.advance(40_000)
    lie(made, (600, 600, 90), (600, 300, 90))
    made = body("abreast", (0, 0, 0), (300, 0, 0))
    made.turn(-9_000)
    made.advance(40_000)
    lie(made, (-300, 300, 270), (-300, 600, 270))


@pytest.mark.clause("P.M15", "P.EX8")
def test_a_line_turns_together_each_ship_on_her_own_corner() -> None:
    made = body("ahead", (0, 0, 0), (0, -400, 0))
    made.turn_together(9_000)
    made.advance(40_000)
    lie(made, (300, 300, 90), (300, -100, 90))
    assert made.kind == "loose"


@pytest.mark.clause("P.M12")
def test_a_line_abreast_steers_the_course_of_its_leftmost_ship() -> None:
    made = body("abreast", (0, 0, 1), (300, 0, 0))
    made.advance(40_000)
    assert [pose[2] for pose in made.poses] == [100, 100]


@pytest.mark.clause("P.Z13")
def test_poses_are_rounded_to_the_nearest_unit_and_stay_whole() -> None:
    made = body("loose", (0, 0, 33.33))
    made.turn(1_234)
    made.advance(40_000)
    assert all(isinstance(value, int) for value in made.poses[0])
    assert courses.ahead((0, 0, 3_000), 1) == (1, 1, 3_000)


@pytest.mark.clause("P.M13")
def test_a_track_behind_a_place_ends_there_and_a_trimmed_one_keeps_what_is_still_to_be_followed() -> None:
    made = body("ahead", (0, 0, 0), (0, -400, 0), (0, -800, 0))
    made.turn(9_000)
    made.advance(40_000)
    rows = made.track()
    assert rows == [(0, 20_000, 0), (10_000, 30_000, 9_000)]
    assert courses.older(rows, made.head, 40_000) == []
    assert courses.older(rows, made.head, 20_000) == rows
    assert courses.trimmed(rows, made.head, 39_000) == []
    assert courses.trimmed(rows, made.head, 41_000) == rows
