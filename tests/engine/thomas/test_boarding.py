"""Grapples and boarding fights. Rules: T.B12, T.O5c, T.O6j, T.E13, T.E14, T.E35."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.dice import KeyedDice
from battles.engine.core.log import DIE, Log
from battles.engine.rulesets.thomas import boarding, drift, melee, movement
from battles.engine.rulesets.thomas.melee import Result
from battles.engine.rulesets.thomas.play import Course, Orders, Play
from battles.engine.rulesets.thomas.state import Battle, Ship
from battles.engine.rulesets.thomas.turn import begin_move
from battles.engine.rulesets.thomas.view import View
from tests.engine.thomas.builders import battle, done, events, play, revenge, ship

A_FIRST = (6, 5, 4, 3, 2, 1, 6, 5, 4, 3, 2, 1)
B_FIRST = (6, 5, 4, 3, 2, 1, 6, 4, 1)
A_SECOND = (6, 6, 5, 4, 4, 3, 2, 1, 1, 5)
B_SECOND = (6, 4, 3, 2, 1)


def alongside(a: dict[str, Any] | None = None, b: dict[str, Any] | None = None) -> tuple[Battle, Ship, Ship]:
    """E1 and S1 fast to each other, E1 the attacker."""
    one, other = ship("E1", heading=9_000, **(a or {})), revenge("S1", y=250, heading=9_000, **(b or {}))
    made = battle(one, other)
    made.fasten(one, other).attacker = "E1"
    return made, one, other


@pytest.mark.clause("T.E13", "T.B12c", "T.B12d", "T.B12e", "T.B12f", "T.B12g")
@pytest.mark.parametrize(("die", "result"), [(5, Result.ON), (4, Result.DEFENDER)])
def test_the_worked_round_comes_out_right(die: int, result: Result) -> None:
    made, one, other = alongside()
    played = play(*A_FIRST, *B_FIRST, *A_SECOND, *B_SECOND, die)
    assert melee.round_of(made, played, [one], [other]) is result
    done(played)
    assert (one.crew, other.crew) == (43, 13)
    assert [event.data["killed"] for event in events(played, "round")] == [[20, 10], [12, 7]]


@pytest.mark.clause("T.E14", "T.B12g", "T.B12h", "T.B12i", "T.B12f")
@pytest.mark.parametrize(
    ("attackers", "defenders", "die", "result"),
    [
        (20, 20, 2, Result.ATTACKER), (20, 20, 6, Result.DEFENDER), (21, 43, 6, Result.ON), (21, 43, 4, Result.ATTACKER),
        (21, 42, 6, Result.DEFENDER), (21, 42, 5, Result.ON), (42, 21, 2, Result.DEFENDER), (43, 21, 4, Result.DEFENDER),
        (30, 20, 6, Result.ATTACKER), (30, 20, 3, Result.ON),
    ],
)  # fmt: skip
def test_boarding_morale_has_its_modifiers(attackers: int, defenders: int, die: int, result: Result) -> None:
    assert melee.morale(die, attackers, defenders) is result


@pytest.mark.clause("T.B12c", "T.O5f", "T.O5c")
@pytest.mark.parametrize(
    ("halves", "gunners", "dice"),
    [(120, 0, 12), (118, 0, 11), (9, 0, 1), (1, 0, 0), (120, 6, 10), (11, 0, 1)],
)
def test_there_is_one_die_per_five_fighters(halves: int, gunners: int, dice: int) -> None:
    assert melee.dice_of(melee.fighters(ship(crew_halves=halves, gunners=gunners))) == dice


@pytest.mark.clause("T.B12o", "T.B12e")
def test_a_side_wiped_out_gives_way_without_a_throw() -> None:
    made, one, other = alongside({"crew_halves": 20}, {"crew_halves": 4})
    played = play(6, 1, 1)
    assert melee.round_of(made, played, [one], [other]) is Result.DEFENDER
    done(played)
    made, one, other = alongside({"crew_halves": 2}, {"crew_halves": 4})
    played = play(6, 6)
    assert melee.round_of(made, played, [one], [other]) is Result.ATTACKER
    done(played)


@pytest.mark.clause("T.B12n")
def test_kills_are_shared_in_proportion_to_fighters() -> None:
    made, one, other = alongside({"crew_halves": 20}, {"crew_halves": 80})
    third = ship("E2", crew_halves=10, y=-250)
    made.ships["E2"] = third
    played = play(1, 1, 1, 6, 6, *(2,) * 6, *(1,) * 10, 3)
    assert melee.round_of(made, played, [one, third], [other]) is Result.ATTACKER
    done(played)
    assert (one.crew, third.crew) == (6, 3)
    assert (one.fallen, third.fallen, View(made, other.flag).other("E1").fallen) == (4, 2, 4)


@pytest.mark.clause("T.B12", "T.B12a", "T.B12b", "T.N4")
@pytest.mark.parametrize(("y", "faces", "fast"), [(350, (3,), False), (351, (), False)])
def test_a_grapple_needs_contact_and_a_four(y: int, faces: tuple[int, ...], fast: bool) -> None:
    one, other = ship("E1", heading=9_000), revenge("S1", y=y, heading=9_000)
    made, played = battle(one, other), play(*faces, orders={"E1": Orders(board=("S1",))})
    boarding.first_boards(made, played)
    done(played)
    assert bool(one.grapples) is fast
    assert one.has_fired is bool(faces)
    boarding.first_boards(made, played)
    assert one.grapple_tried is bool(faces)


@pytest.mark.clause("T.B12b", "T.O6i")
@pytest.mark.parametrize(
    "change", [{"struck": True}, {"on_fire": True}, {"crew_halves": 10}, {"prize_of": "ENG", "side": "SPA"}]
)
def test_some_ships_may_not_board(change: dict[str, Any]) -> None:
    one = ship("E1", heading=9_000, **change)
    made, played = (
        battle(one, revenge("S1", y=250, heading=9_000)),
        play(orders={"E1": Orders(board=("S1",))}),
    )
    boarding.first_boards(made, played)
    assert not one.grapples


@pytest.mark.clause("T.B12b", "T.B12i", "T.B12p", "T.O6c")
def test_success_is_followed_by_the_fight_and_a_beaten_defender_strikes() -> None:
    one, other = ship("E1", heading=9_000), revenge("S1", y=300, heading=9_000)
    made, played = (
        battle(one, other),
        play(4, *A_FIRST, *B_FIRST, *A_SECOND, *B_SECOND, 4, orders={"E1": Orders(board=("S1",))}),
    )
    boarding.first_boards(made, played)
    done(played)
    assert (other.struck, other.struck_by_boarding, other.captor_ship, other.captor_side) == (
        True,
        True,
        "E1",
        "ENG",
    )
    assert (one.grappled, one.in_a_fight, other.secured, other.struck_move) == (True, False, False, 1)


@pytest.mark.clause("T.B12p", "T.S25")
def test_without_rules_of_surrender_the_prize_changes_sides_and_drifts() -> None:
    one, other = ship("E1", heading=9_000), revenge("S1", y=300, heading=9_000)
    made = battle(one, other, options={"opt_surrender": False})
    boarding.capture(made, play(), other, [one])
    assert (other.flag, other.struck, other.crew, other.captives) == ("ENG", False, 0, 45)
    drift.drift_all(made, play())
    assert other.drifted


def fight_in_move_1(die: int, *more: int) -> tuple[Battle, Play, Ship, Ship]:
    one, other = ship("E1", heading=9_000), revenge("S1", y=300, heading=9_000)
    made = battle(one, other)
    faces = (4, *(1,) * 12, *(1,) * 9, *(1,) * 12, *(1,) * 9, die, *more)
    orders = {"E1": Orders(Course(), board=("S1",), withdraw=False), "S1": Orders(Course(0, 3_000), cut=True)}
    played = play(*faces, orders=orders)
    boarding.first_boards(made, played)
    boarding.second_fights(made, played)
    movement.second_moves(made, played)
    done(played)
    return made, played, one, other


@pytest.mark.clause("T.E35", "T.B12j", "T.B12k", "T.B12l", "T.B12m")
def test_a_continuing_fight_holds_both_and_resumes_with_one_round() -> None:
    made, _, one, other = fight_in_move_1(4)
    assert (other.position, other.in_a_fight) == ((0, 300), True)
    begin_move(made)
    played = play(
        *(1,) * 12, *(1,) * 9, *(1,) * 12, *(1,) * 9, 6, 5,
        orders={"E1": Orders(Course()), "S1": Orders(Course(0, 3_000), cut=True)},
    )  # fmt: skip
    drift.drift_all(made, played)
    assert (one.y, other.y) == (-1_000, -700)
    boarding.first_fights(made, played)
    boarding.second_fights(made, played)
    movement.second_moves(made, played)
    drift.drift_idle_locks(made, played)
    done(played)
    assert (other.grapples, other.position) == ([], (0, -700))


@pytest.mark.clause("T.E35", "T.B12k", "T.B12i")
@pytest.mark.parametrize(("cut", "x"), [(5, 3_000), (3, 0)])
def test_a_ship_that_repels_boarders_may_cut_loose_and_still_move(cut: int, x: int) -> None:
    _, _, one, other = fight_in_move_1(6, cut)
    assert (other.x, other.grappled, other.in_a_fight) == (x, cut < 4, False)
    assert one.in_a_fight is False


@pytest.mark.clause("T.B12j")
@pytest.mark.parametrize("withdraw", [True, False])
def test_the_boarders_may_break_off(withdraw: bool) -> None:
    one, other = ship("E1", heading=9_000), revenge("S1", y=300, heading=9_000)
    made = battle(one, other)
    orders = {"E1": Orders(board=("S1",), withdraw=withdraw), "S1": Orders(cut=False)}
    played = play(4, *(1,) * 42, 4, orders=orders)
    boarding.first_boards(made, played)
    done(played)
    assert one.in_a_fight is not withdraw
    assert one.grappled


@pytest.mark.clause("T.B12l")
@pytest.mark.parametrize(("way", "faces"), [("hold", ()), ("cut", (6,)), ("board", (*(1,) * 42, 4))])
def test_a_side_that_is_fast_but_not_fighting_boards_cuts_or_holds(way: str, faces: tuple[int, ...]) -> None:
    made, one, _ = alongside()
    one.grapples[0].attacker = ""
    played = play(*faces, orders={"E1": Orders(alongside=way, withdraw=False)})
    boarding.first_fights(made, played)
    done(played)
    assert one.grappled is (way != "cut")
    assert one.in_a_fight is (way == "board")


@pytest.mark.clause("T.O5c", "T.B12q")
def test_men_kept_at_the_guns_do_not_fight() -> None:
    made, one, _ = alongside()
    played = play(
        *(1,) * 11, *(1,) * 9, *(1,) * 11, *(1,) * 9, 4, orders={"E1": Orders(gunners=5, withdraw=False)}
    )
    boarding.first_fights(made, played)
    done(played)
    assert one.gunners == 5
    capped = ship("E1", crew_halves=200, batteries=[])
    assert boarding._gunners(made, play(orders={"E1": Orders(gunners=50)}), capped) == 0


@pytest.mark.clause("T.O6j", "T.O6n")
@pytest.mark.parametrize(
    ("join", "crew", "joins"), [(True, 20, True), (False, 90, False), (None, 90, True), (None, 4, False)]
)
def test_a_taken_crew_may_rise_beside_a_friend(join: bool | None, crew: int, joins: bool) -> None:
    captor = ship("S1", heading=9_000, crew_halves=80)
    taken = ship(
        "E1", y=250, heading=9_000, crew_halves=crew, struck=True, struck_by_boarding=True, captor_side="SPA"
    )
    friend = ship("E2", y=-250, heading=9_000, crew_halves=40)
    made = battle(captor, taken, friend)
    made.fasten(captor, taken)
    more = max(1, crew // 10) if joins else 0
    orders = {"E1": Orders(join=join, withdraw=False), "E2": Orders(board=("S1",), withdraw=False)}
    played = play(4, *(1,) * (2 * (4 + 8 + more)), 4, orders={**orders, "S1": Orders(cut=False)})
    boarding.first_boards(made, played)
    done(played)
    assert (taken.dishonoured, taken.in_a_fight, taken.struck) == (joins, joins, not joins)


@pytest.mark.clause("T.O6i", "T.B12n")
def test_a_prize_is_defended_by_her_prize_crew() -> None:
    prize = ship(
        "S1", side="ENG", prize_of="SPA", secured=True, guard_halves=20, crew_halves=0, captive_halves=60
    )
    one = ship("E1", y=250)
    made = battle(one, prize)
    melee.round_of(made, play(*(6,) * 12, *(1,) * 2), [one], [prize])
    assert (prize.guard_halves, prize.captive_halves, prize.fallen) == (0, 60, 0)


@pytest.mark.clause("T.B12l", "T.B12n", "G.FA1")
def test_a_second_round_between_two_ships_in_one_turn_has_its_own_dice() -> None:
    twice = 0
    for seed in range(20):
        one, other, third = ship("E1"), revenge("S1", x=300), ship("E2", x=600)
        made = battle(one, other, third)
        first = made.fasten(one, other)
        first.attacker, first.formed = "E1", 0
        log = Log()
        dice = KeyedDice(bytes([seed]), log=log)
        played = Play(dice=dice, log=log, orders={"E2": Orders(board=("S1",)), "E1": Orders(withdraw=False)})
        boarding.first_fights(made, played)
        boarding.first_boards(made, played)
        keys = [event.data["key"] for event in log.events if event.kind == DIE]
        twice += sum("T.B12d/1/E1/S1/" in key for key in keys) > 2
        assert len(set(keys)) == len(keys)
    assert twice


@pytest.mark.clause("T.B12", "T.O6m", "T.C19")
@pytest.mark.parametrize("after", [False, True])
def test_ships_of_one_flag_part_when_one_of_them_has_changed_hands_in_a_fight(after: bool) -> None:
    one, retaken = ship("E1"), ship("E2", x=300)
    made = battle(one, retaken)
    made.fasten(one, retaken).attacker = "E1"
    (boarding.fight_out if after else boarding.first_fights)(made, play())
    assert not one.grapples and not retaken.grapples and not made.grapples


@pytest.mark.clause("T.B12j", "T.B12n")
def test_of_several_ships_the_first_on_either_side_speaks_for_it_when_boarders_break_off() -> None:
    ours, theirs = [ship("E1"), ship("E2")], [revenge("S1"), revenge("S2")]
    played = play(orders={"E1": Orders(withdraw=True), "E2": Orders(withdraw=False)})
    assert boarding._withdraw(played, ours, theirs)
    assert [(event.ship, event.data) for event in events(played, "withdrew_boarders")] == [
        ("E1", {"target": "S1"})
    ]
    stays = play(orders={"E1": Orders(withdraw=False), "E2": Orders(withdraw=True)})
    assert not boarding._withdraw(stays, ours, theirs)
    assert not events(stays, "withdrew_boarders")


@pytest.mark.clause("T.B12l", "T.B12k")
@pytest.mark.parametrize("way", ["cut", "board"])
@pytest.mark.parametrize(
    "change", [{"side": "SPA"}, {"prize_of": "SPA", "side": "ENG"}, {"struck": True, "side": "ENG"}], ids=str
)
def test_nobody_boards_or_cuts_herself_loose_from_a_friend_or_from_a_ship_that_has_struck(
    change: dict[str, Any], way: str
) -> None:
    one, other = revenge("S1", heading=9_000), ship("X1", y=250, heading=9_000, **change)
    made, played = battle(one, other), play(orders={"S1": Orders(alongside=way)})
    link = made.fasten(one, other)
    boarding.second_fights(made, played)
    done(played)
    assert (link.attacker, made.grapples) == ("", [link])
