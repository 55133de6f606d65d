"""What the automatic captains decide. Rules: A.Q1-A.Q15."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.age_of_sail.captain import CAPTAINS
from battles.engine.rulesets.age_of_sail.captain.odds import BOX, volley, wins
from battles.engine.rulesets.age_of_sail.captain.scene import salvo, target
from battles.engine.rulesets.age_of_sail.captain.weighing import liked
from battles.engine.rulesets.age_of_sail.sailing import track
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Ship
from battles.engine.rulesets.age_of_sail.view import View
from tests.engine.age_of_sail.builders import E, N, S, W, battle, played, ship
from tests.support.answers import unerring


@unerring
def asked(made: Battle, side: str = "E", name: str = "commander", **doctrine: Any) -> tuple[Any, View]:
    """A captain of a side, and what they see."""
    made.sides[side].doctrine = Doctrine(**doctrine)
    made.squadrons[f"{side}-1"].doctrine = Doctrine(**doctrine)
    return CAPTAINS[name](made.sides[side].doctrine), View(made, side)


@pytest.mark.clause("A.Q1")
@pytest.mark.parametrize(("port", "units"), [(3, 3), (1, 1), (0, 2), (0, 0)])
def test_a_hull_volley_is_worth_what_all_throws_cost_on_average(port: int, units: int) -> None:
    total = Fraction(0)
    for faces in product(range(1, 7), repeat=3):
        total += min(sum(face >= 4 for face in faces), port + units) + 4 * (faces.count(6) >= 2)
    found = volley(3, 1, "port", port, 3, units, 0, 2, 2)
    assert found == (round(BOX * total / 216), "hull")


@pytest.mark.clause("A.Q1", "A.Q2")
def test_sails_are_aimed_at_where_masts_are_worth_more() -> None:
    assert volley(3, 0, "port", 3, 3, 3, 3, 2, 0).aim == "hull"
    assert volley(3, 0, "port", 3, 3, 3, 3, 3, 0).aim == "sails"
    assert volley(3, 0, "stern", 3, 3, 3, 3, 3, 0).aim == "hull"
    assert volley(1, 0, "port", 0, 3, 0, 3, 1, 0).aim == "sails"


@pytest.mark.clause("A.Q1", "A.X3", "A.X4")
def test_a_volley_at_a_burning_ship_is_worth_what_the_fire_may_leave() -> None:
    def worth(stage: int) -> int:
        made = battle(ship("E1", 0, 0, N), ship("D1", 3, 0, N, fire_stage=stage))
        _, view = asked(made)
        row = target(view, made.ships["D1"], [made.ships["E1"]], long_range=False)
        return sum(salvo(0, 0, N, (3, 3), [row], narrow=False))

    whole = volley(3, 0, "port", 3, 3, 3, 3, 2, 0).value
    assert [worth(1), worth(2)] == [whole * 8 // 18, whole * 3 // 18]


@pytest.mark.clause("A.Q5")
def test_the_chance_to_win_a_boarding_is_exact() -> None:
    assert wins(1, 1) == BOX * 15 // 36
    assert wins(2, 1) == BOX * sum(a + b > c for a, b, c in product(range(1, 7), repeat=3)) // 216
    assert (wins(3, 0), wins(0, 0), wins(0, 3)) == (BOX, 0, 0)


@pytest.mark.clause("A.Q4", "A.Q12")
@pytest.mark.parametrize(
    ("fight_at", "hurt", "cm"),
    [("best", False, 4), ("close", False, 3), ("long", False, 10), ("best", True, 8), ("long", True, 10)],
)
def test_a_captain_likes_a_distance_by_the_instructions_and_her_damage(
    fight_at: str, hurt: bool, cm: int
) -> None:
    one = ship("E1", port=0 if hurt else 3, stbd=0 if hurt else 3)
    made = battle(one, ship("D1", 50))
    _, view = asked(made, fight_at=fight_at)
    assert liked(view, one) == 1_000 * cm


@unerring
def boards(made: Battle, **doctrine: Any) -> str:
    captain, view = asked(made, **doctrine)
    return str(captain.course(view, made.ships["E1"]).board)


@pytest.mark.clause("A.Q5", "A.Q12")
def test_a_fleet_boards_what_is_beaten_and_pirates_what_they_can_take() -> None:
    def met(**over: Any) -> Battle:
        own = {name[2:]: over.pop(name) for name in [*over] if name.startswith("e_")}
        near = {name[2:]: over.pop(name) for name in [*over] if name.startswith("d_")}
        other = ship("D2", 5, near.pop("y", 80), **near)
        return battle(ship("E1", 0, 0, E, **own), ship("D1", 5, 0, N, **over), other, wind_from=6)

    assert boards(met(port=1, stbd=2)) == "D1"
    assert boards(met(port=1, stbd=2), board="never") == ""
    assert boards(met(port=1, stbd=2), board="crippled") == "D1"
    assert boards(met(port=2, stbd=2), board="crippled") == "", "she is weaker, but not beaten"
    assert boards(met(port=1, stbd=2, fire_stage=1)) == ""
    assert boards(met(port=2, stbd=2)) == "D1", "she is weaker, and no one can help her"
    assert boards(met(port=2, stbd=2, d_y=8)) == "", "a friend of hers is at hand"
    assert boards(met(port=2, stbd=2, d_y=8.1)) == "D1"
    assert boards(met(port=3, stbd=2)) == "", "the odds are too short"
    assert boards(met(port=1, stbd=2, d_y=12, d_fire_stage=2)) == "", "the friend is about to blow up"
    assert boards(met(port=1, stbd=2, d_y=12, d_fire_stage=1)) == "D1"
    assert boards(met(port=2, stbd=2, rig=[2, -2, -2])) == "D1"
    assert boards(met(port=2, stbd=2, e_boards=True)) == "D1"
    assert boards(met(port=2, stbd=3, e_boards=True)) == "D1", "pirates take shorter odds"
    assert boards(met(port=2, stbd=3, e_boards=True, d_y=8)) == "", "but not with her friends at hand"
    assert boards(met(e_boards=True)) == "", "the odds are even"
    assert boards(met(port=1, stbd=1, e_fired_port=True)) == ""


@pytest.mark.clause("A.Q6")
@pytest.mark.parametrize(
    ("own", "other", "parts"),
    [
        ({}, {"port": 1}, False), ({"port": 0, "stbd": 1}, {}, True), ({"fire_stage": 1}, {"port": 0}, True),
        ({}, {"port": 0, "fire_stage": 1}, True), ({"port": 1, "stbd": 0}, {"owner": "E", "captor": "E1"}, False),
        ({"port": 1, "stbd": 1}, {"owner": "E", "captor": "E1"}, True), ({}, {"owner": "E"}, True),
    ],
)  # fmt: skip
def test_entangled_ships_fight_on_at_even_odds_and_part_at_any_other(
    own: dict[str, Any], other: dict[str, Any], parts: bool
) -> None:
    made = battle(ship("E1", **own), ship("D1", 0.5, **other))
    captain, view = asked(made)
    assert captain.parts(view, made.ships["E1"], made.ships["D1"]) is parts
    if made.ships["D1"].owner == "D" and not made.ships["E1"].fire_stage and not made.ships["D1"].fire_stage:
        assert bool(captain.fights_on(view, made.ships["E1"], [made.ships["D1"]])) is not parts


@pytest.mark.clause("A.Q7", "A.Q15")
@pytest.mark.parametrize(
    ("away", "rig", "commander", "plain"),
    [(30, [2, -2, 2], True, True), (20, [2, -2, 2], False, True), (10, [2, -2, -2], True, False), (7, [2, -2, -2], False, False)],
)  # fmt: skip
def test_a_mast_is_raised_out_of_gunshot_or_when_little_else_is_left(
    away: float, rig: list[int], commander: bool, plain: bool
) -> None:
    one = ship("E1", h=E, rig=rig)
    made = battle(one, ship("D1", away, 0))
    for name, wanted in (("commander", commander), ("plain", plain)):
        captain, view = asked(made, name=name)
        assert captain.repairs(view, one) is wanted


@pytest.mark.clause("A.Q8", "A.Q12")
def test_a_ship_leaves_her_line_when_slow_burning_or_at_close_quarters_and_all_do_in_a_chase() -> None:
    def leaves(follower: Ship, away: float = 99, **doctrine: Any) -> bool:
        made = battle(
            ship("E1", 0, 0, E),
            follower,
            ship("E3", -10, 0, E),
            ship("D1", -5, away),
            line=["E1", "E2", "E3"],
        )
        captain, view = asked(made, **doctrine)
        return bool(captain.detaches(view, follower, made.lines[0]))

    assert not leaves(ship("E2", -5, 0, E))
    assert leaves(ship("E2", -5, 0, E, rig=[2, -2, -2]))
    assert leaves(ship("E2", -5, 0, E, fire_stage=1))
    assert [leaves(ship("E2", -5, 0, E), away) for away in (8, 8.1)] == [True, False]
    made = battle(ship("E1", 0, 0, E), ship("E2", -5, 0, E), ship("D1", 50), line=["E1", "E2"])
    made.withdrawing = ["D"]
    captain, view = asked(made, chase="general")
    assert captain.detaches(view, made.ships["E1"], made.lines[0])


@pytest.mark.clause("A.Q9")
def test_anchors_go_down_before_a_lee_shore_and_come_up_with_a_mast() -> None:
    def near(y: float) -> bool:
        shoal: dict[str, Any] = {"shoals": [[[-9000, -9000], [9000, -9000], [9000, 0], [-9000, 0]]]}
        one = ship("E1", 0, y, rig=[-2] * 3)
        made = battle(one, ship("D1", 99), **shoal)
        captain, view = asked(made)
        return bool(captain.anchors(view, one))

    assert [near(2.5), near(3.5)] == [True, False]
    rows: list[tuple[dict[str, Any], float, bool]] = [
        ({}, 99, True), ({"rig": [-2] * 3}, 99, False), ({"moored": True}, 60, False), ({"moored": True}, 60.1, True),
        ({"moored": True, "withdrawing": True}, 9, True),
    ]  # fmt: skip
    for over, away, wanted in rows:
        one = ship("E1", anchor=Anchor.DOWN, **over)
        made = battle(one, ship("D1", away))
        captain, view = asked(made)
        assert captain.weighs(view, one) is wanted


@pytest.mark.clause("A.Q11", "A.Q12", "A.V1")
def test_a_side_withdraws_when_it_has_lost_its_share_and_more_than_the_enemy() -> None:
    def gone(lost: int, cost: int, **doctrine: Any) -> bool:
        made = battle(ship("E1", port=3 - lost, units=3), ship("D1", 50, port=3 - cost))
        captain, view = asked(made, **doctrine)
        return bool(captain.withdraws(view))

    assert gone(3, 2, break_off=25) and not gone(3, 3, break_off=25) and not gone(2, 0, break_off=25)
    assert not gone(3, 0, break_off=100)
    assert gone(0, 0, stance=Stance.AVOID)
    for stance, agrees in ((Stance.SEEK, False), (Stance.HOLD, True), (Stance.AVOID, True)):
        captain, view = asked(battle(ship("E1"), ship("D1", 50)), stance=stance)
        assert captain.agrees_to_part(view) is agrees


@pytest.mark.clause("A.Q11", "A.Q12")
def test_a_ship_withdraws_alone_when_finished_or_when_she_is_to_be_protected() -> None:
    def leaves(friend: float = 50, **over: Any) -> bool:
        made = battle(ship("E1", **over), ship("E2", friend), ship("D1", 90))
        captain, view = asked(made, protect=("E2",))
        assert captain.leaves(view, made.ships["E2"])
        return bool(captain.leaves(view, made.ships["E1"]))

    assert leaves(port=0, stbd=0, friend=1), "she has no guns left"
    masts = [-2, -2, -2]
    assert leaves(port=0, stbd=1, units=3, rig=masts)
    assert not leaves(port=0, stbd=1, units=3, rig=masts, friend=12)
    assert not leaves(port=1, stbd=1, units=3, rig=masts)


@pytest.mark.clause("A.Q12")
@pytest.mark.parametrize(("away", "half"), [(24.1, True), (24, False)])
def test_a_side_that_holds_keeps_its_course_at_half_allowance_until_the_enemy_is_near(
    away: float, half: bool
) -> None:
    made = battle(ship("E1", 0, 0, E), ship("D1", 0, -away, E), wind_from=0)
    captain, view = asked(made, stance=Stance.HOLD)
    assert (captain.course(view, made.ships["E1"]).turns == (0,) * 7) is half


@pytest.mark.clause("A.Q3", "A.Q15")
def test_the_commander_picks_the_best_moment_and_the_plain_captain_the_nearest_enemy() -> None:
    made = battle(
        ship("E1", 0, 0, N), ship("D1", 3, 6, W), ship("D2", 2, 0, N, port=0, stbd=0, units=0, rig=[-2] * 3)
    )
    path = [(0, 1_000 * y, N) for y in range(7)]
    captain, view = asked(made)
    shot = captain.shots(view, made.ships["E1"], path)[0]
    assert (shot.target, shot.step, shot.aim) == ("D1", 6, "hull")
    plain, view = asked(made, name="plain")
    shot = plain.shots(view, made.ships["E1"], path)[0]
    assert (shot.target, shot.step, shot.aim) == ("D2", 0, "hull")


@pytest.mark.clause("A.Q4")
@pytest.mark.parametrize(("boards", "prey"), [(True, 30), (False, -20)])
def test_a_pirate_makes_for_the_straggler_and_others_for_the_nearest(boards: bool, prey: int) -> None:
    made = battle(
        ship("E1", 0, 0, N, boards=boards), ship("D1", -20, 6, N), ship("D2", -24, 6, N), ship("D3", 30, 6, N),
        wind_from=4,
    )  # fmt: skip
    captain, view = asked(made)
    x = track((0, 0, N), captain.course(view, made.ships["E1"]).turns)[-1][0]
    assert (x > 0) is (prey > 0)


@pytest.mark.clause("A.Q4", "A.B2")
def test_a_ship_boxed_in_by_a_friend_finds_a_way_round_her() -> None:
    def sailed(friend: float) -> int:
        made = battle(ship("E1", 0, 0, N), ship("E2", friend, 3, N), ship("D1", 0, 60), wind_from=6)
        captain, view = asked(made)
        after, _ = played(
            made, {"E1": "".join(_WRITTEN[turn] for turn in captain.course(view, made.ships["E1"]).turns)}
        )
        return after.ships["E1"].y

    assert sailed(30) == 15_000, "she sails straight for the enemy"
    assert sailed(0) > 9_000, "and is not stopped after 2 cm by the friend ahead"


_WRITTEN = {-1: "P1 ", 0: "A1 ", 1: "S1 "}


@pytest.mark.clause("A.Q4", "A.X4")
@pytest.mark.parametrize(("stage", "clear"), [(2, True), (1, False)])
def test_a_ship_gets_clear_of_a_fire_that_may_blow_up_before_she_can_move_again(
    stage: int, clear: bool
) -> None:
    made = battle(
        ship("E1", 0, 0, N), ship("D1", 5, 6, N, fire_stage=stage), ship("D2", 0, -60, N), wind_from=6
    )
    captain, view = asked(made)
    x, y, _ = track((0, 0, N), captain.course(view, made.ships["E1"]).turns)[-1]
    assert ((x - 5_000) ** 2 + (y - 6_000) ** 2 > 12_000**2) is clear


@pytest.mark.clause("A.Q13", "A.Q4")
def test_a_leader_out_of_gunshot_closes_with_the_enemy_and_does_not_tack_what_cannot_follow() -> None:
    made = battle(
        ship("E1", 0, 30, E),
        ship("E2", -5, 30, E),
        ship("E3", -10, 30, E),
        ship("D1", 0, 0, E),
        line=["E1", "E2", "E3"],
    )
    captain, view = asked(made)
    course = captain.course(view, made.ships["E1"])
    assert sum(course.turns) > 0, "she bears up for the enemy to leeward"
    assert course.board == ""


@pytest.mark.clause("A.Q14", "A.Q10")
def test_captains_throw_no_dice_and_remember_nothing() -> None:
    made = battle(ship("E1", 0, 0, E), ship("D1", 6, 3, S))
    first, view = asked(made)
    again, _ = asked(made)
    assert first.course(view, made.ships["E1"]) == again.course(view, made.ships["E1"])
