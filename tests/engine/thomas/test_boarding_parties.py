"""Who fights whom in a boarding, who parts, who takes whom. Rules: T.B12-T.B12q, T.O5c, T.O6c, T.O6i, T.O6j, T.C19."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from battles.engine.rulesets.thomas import boarding, melee
from battles.engine.rulesets.thomas.melee import Result
from battles.engine.rulesets.thomas.play import Course, Orders
from battles.engine.rulesets.thomas.state import Battle, Ship
from tests.engine.thomas.builders import battle, done, events, play, revenge, said, ship

FEW: dict[str, Any] = {"crew_halves": 10, "tons": 100}
ON = (1, 1, 1, 1, 4)


def english(code: str = "E1", y: int = 0, **over: Any) -> Ship:
    return ship(code, y=y, heading=9_000, **{**FEW, **over})


def spanish(code: str = "S1", y: int = 250, **over: Any) -> Ship:
    return revenge(code, y=y, heading=9_000, **{**FEW, **over})


def two_on_one() -> tuple[Battle, Ship, Ship, Ship]:
    """E1 and E2 both board S1, who lies between them."""
    one, two, other = english(), english("E2", 500), spanish()
    made = battle(one, two, other)
    made.fasten(one, other).attacker = "E1"
    made.fasten(two, other).attacker = "E2"
    for link in made.grapples:
        link.formed = 0
    return made, one, two, other


STAY = {code: Orders(withdraw=False, alongside="hold", cut=False) for code in ("E1", "E2", "S1", "S2")}


@pytest.mark.clause("T.B12l", "T.B12n")
def test_ships_linked_by_fights_fight_one_round_together_in_a_turn() -> None:
    made, one, two, other = two_on_one()
    played = play(1, 1, 1, 1, 1, 1, 4, orders=STAY)
    boarding.first_fights(made, played)
    boarding.second_fights(made, played)
    done(played)
    assert [event.data["attackers"] for event in events(played, "round")] == [[["E1", 5], ["E2", 5]]] * 2
    assert [link.fought for link in made.grapples] == [1, 1]
    assert (one.in_a_fight, two.in_a_fight, other.in_a_fight) == (True, True, True)


@pytest.mark.clause("T.B12l")
def test_a_fight_of_the_first_side_is_not_fought_again_in_the_step_of_the_second() -> None:
    one, other = english(), spanish()
    made, played = (
        battle(one, other),
        play(4, *ON, orders={**STAY, "E1": Orders(board=("S1",), withdraw=False)}),
    )
    boarding.first_fights(made, played)
    boarding.first_boards(made, played)
    assert made.grapples[0].fought == 1
    boarding.second_fights(made, played)
    boarding.second_boards(made, played)
    done(played)
    assert (made.moving, one.in_a_fight) == ("SPA", True)


@pytest.mark.clause("T.B12l", "T.O6a")
@pytest.mark.parametrize(
    ("ours", "theirs", "fought", "boards"),
    [
        ({}, {}, 0, True), ({"struck": True}, {}, 0, False), ({}, {"struck": True}, 0, False), ({}, {}, 1, False),
        ({"on_fire": True}, {}, 0, False), ({"tons": 501}, {}, 0, False), ({"tons": 500}, {}, 0, True),
        ({"crew_halves": 1, "tons": 0}, {}, 0, False),
    ],
    ids=str,
)  # fmt: skip
def test_only_some_ships_may_board_a_ship_they_are_fast_to(
    ours: dict[str, Any], theirs: dict[str, Any], fought: int, boards: bool
) -> None:
    one, other = english(**ours), spanish(**theirs)
    made = battle(one, other)
    made.fasten(one, other).fought = fought
    played = play(*(ON if boards else ()), orders={**STAY, "E1": Orders(alongside="board", withdraw=False)})
    boarding.first_fights(made, played)
    done(played)
    assert one.in_a_fight is boards


@pytest.mark.clause("T.B12l", "T.B12k")
def test_each_side_chooses_in_its_own_step_and_throws_once_to_cut() -> None:
    one, other = english(), spanish()
    made = battle(one, other)
    link = made.fasten(one, other)
    played = play(3, orders={"E1": Orders(alongside="cut"), "S1": Orders(alongside="cut")})
    boarding.first_fights(made, played)
    assert (made.moving, link.loosed) == ("ENG", 1)
    boarding.second_fights(made, played)
    done(played)
    assert (made.moving, one.grappled) == ("SPA", True)
    made.move = 2
    again = play(3, orders={"S1": Orders(alongside="cut")})
    boarding.second_fights(made, again)
    done(again)
    assert events(again, "cut")[0].data == {"target": "E1", "made": False}


@pytest.mark.clause("T.B12b", "T.B12a")
@pytest.mark.parametrize(
    ("change", "prey"),
    [
        ({}, True), ({"struck": True}, False), ({"struck": True, "secured": True, "prize_of": "SPA", "side": "ENG"}, True),
        ({"side": "ENG"}, False), ({"prize_of": "ENG", "secured": True}, False), ({"y": 700}, False),
    ],
    ids=str,
)  # fmt: skip
def test_she_may_grapple_only_some_ships(change: dict[str, Any], prey: bool) -> None:
    one, other = english(), spanish(**change)
    made = battle(one, other)
    assert boarding._prey(made, play(orders={"E1": Orders(board=("S1",))}), one) is (other if prey else None)
    if prey:
        made.fasten(one, other)
        assert boarding._prey(made, play(orders={"E1": Orders(board=("S1",))}), one) is None


@pytest.mark.clause("T.B12b")
@pytest.mark.parametrize(
    ("wish", "found"), [(("S2", "S1"), "S2"), (("S9", "S1"), "S1"), (("S9",), None), ((), None)]
)
def test_the_first_named_ship_in_contact_is_chosen(wish: tuple[str, ...], found: str | None) -> None:
    made = battle(one := english(), spanish(), spanish("S2", -250))
    prey = boarding._prey(made, play(orders={"E1": Orders(board=wish)}), one)
    assert (prey.id if prey else None) == found
    told = said(boards="S2")
    assert boarding._prey(made, play(**told), one) is made.ships["S2"]
    assert told["captains"]["ENG"].asked == [("boards", "E1", ("S1", "S2"))]


@pytest.mark.clause("T.B12b")
def test_a_ship_tries_once_a_turn_and_all_grapple_before_any_fights() -> None:
    one, two, other = english(), english("E2", 500), spanish()
    made = battle(one, two, other)
    orders = {
        **STAY,
        "E1": Orders(board=("S1",), withdraw=False),
        "E2": Orders(board=("S1",), withdraw=False),
    }
    played = play(4, 4, 1, 1, 1, 1, 1, 1, 4, orders=orders)
    boarding.first_boards(made, played)
    boarding.first_boards(made, played)
    done(played)
    assert (one.grapple_tried, two.grapple_tried, one.has_fired, other.has_fired) == (True, True, True, False)
    assert len(made.grapples) == 2


def linked(*pairs: tuple[str, str, str, int]) -> Battle:
    """Ships fast to each other by pairs: two codes, who attacks, and the move it was formed."""
    codes = sorted({code for pair in pairs for code in pair[:2]})
    made = battle(*(ship(code, y=400 * n, crew_halves=20) for n, code in enumerate(codes)))
    for a, b, attacker, formed in pairs:
        link = made.fasten(made.ships[a], made.ships[b])
        link.attacker, link.formed = attacker, formed
    return made


@pytest.mark.clause("T.B12n")
@pytest.mark.parametrize(
    ("pairs", "which", "attackers", "defenders"),
    [
        ([("E1", "S1", "E1", 1)], 0, ["E1"], ["S1"]), ([("S1", "E1", "S1", 1)], 0, ["S1"], ["E1"]),
        ([("E1", "S1", "E1", 2), ("S2", "E1", "S2", 1)], 0, ["S1", "S2"], ["E1"]),
        ([("E1", "S1", "E1", 1), ("S2", "E1", "S2", 2)], 1, ["E1"], ["S2", "S1"]),
        ([("E1", "S1", "E1", 1), ("S2", "E1", "S2", 1)], 1, ["E1"], ["S2", "S1"]),
        ([("E1", "S1", "E1", 1), ("S2", "E1", "", 0)], 0, ["E1"], ["S1"]),
        ([("E1", "S1", "E1", 1), ("E2", "S1", "E2", 1), ("E2", "S2", "E2", 1)], 0, ["E1", "E2"], ["S1", "S2"]),
        ([("E1", "S1", "E1", 1), ("E3", "S3", "E3", 1)], 0, ["E1"], ["S1"]),
        ([("E3", "S3", "E3", 1), ("E1", "S3", "E1", 1), ("E2", "S3", "E2", 1)], 0, ["E3", "E1", "E2"], ["S3"]),
    ],
)  # fmt: skip
def test_all_ships_linked_by_fights_take_part_and_the_first_boarder_attacks(
    pairs: list[tuple[str, str, str, int]], which: int, attackers: list[str], defenders: list[str]
) -> None:
    made = linked(*pairs)
    one, two = boarding.parties(made, made.grapples[which])
    assert ([each.id for each in one], [each.id for each in two]) == (attackers, defenders)


@pytest.mark.clause("T.B12n")
def test_a_fight_covers_every_grapple_between_the_parties_and_no_other() -> None:
    made = linked(("E1", "S1", "E1", 1), ("S1", "E2", "", 1), ("E2", "S2", "", 1))
    here = [made.ships[code] for code in ("E1", "E2")]
    assert boarding._links(made, here, [made.ships["S1"]]) == made.grapples[:2]
    assert boarding._links(made, [made.ships["S1"]], here) == made.grapples[:2]
    assert boarding._links(made, [made.ships["E1"]], [made.ships["S2"]]) == []


@pytest.mark.clause("T.B12p", "T.O6c")
def test_the_captor_is_the_stronger_of_the_ships_fast_to_her() -> None:
    one, two, other = english(crew_halves=20), english("E2", 500, crew_halves=22), spanish()
    third = english("E3", 5_000, crew_halves=90)
    made = battle(one, two, third, other, move=3)
    made.fasten(one, other)
    made.fasten(two, other)
    boarding.capture(made, play(), other, [one, two, third])
    assert (other.captor_ship, other.captor_side, other.struck, other.struck_by_boarding, other.struck_move) == (
        "E2", "ENG", True, True, 3
    )  # fmt: skip
    loose = spanish("S2", 9_000, secured=True)
    boarding.capture(battle(one, loose), play(), loose, [one, two])
    assert (loose.captor_ship, loose.secured) == ("E1", False)


@pytest.mark.clause("T.B12p", "T.S25")
def test_without_rules_of_surrender_a_retaken_prize_has_her_crew_again() -> None:
    prize = english(
        "E2", 250, prize_of="SPA", secured=True, crew_halves=0, captive_halves=40, guard_halves=12
    )
    one = english()
    made = battle(one, prize, options={"opt_surrender": False})
    made.fasten(one, prize)
    boarding.capture(made, play(), prize, [one])
    assert (prize.flag, prize.secured, prize.crew_halves, prize.captive_halves, prize.guard_halves) == (
        "ENG",
        False,
        40,
        0,
        0,
    )
    assert not made.grapples
    other = spanish(captive_halves=6, guard_halves=0)
    taken = battle(one, other, options={"opt_surrender": False})
    boarding.capture(taken, play(), other, [one])
    assert (other.flag, other.secured, other.crew_halves, other.captive_halves) == ("ENG", True, 0, 16)


@pytest.mark.clause("T.B12k", "T.B12j", "T.B12i")
@pytest.mark.parametrize(
    ("morale", "withdraw", "cut", "face", "fast"),
    [
        (2, None, True, 4, False),
        (2, None, True, 3, True),
        (2, None, False, None, True),
        (4, True, True, 4, False),
        (4, False, True, None, True),
    ],
)
def test_boarders_beaten_off_or_gone_leave_the_defender_a_throw_to_cut(
    morale: int, withdraw: bool | None, cut: bool, face: int | None, fast: bool
) -> None:
    one, other = english(), spanish()
    made = battle(one, other, move=2)
    made.fasten(one, other).attacker = "E1"
    faces = (1, 1, 1, 1, morale, *(() if face is None else (face,)))
    played = play(*faces, orders={"E1": Orders(withdraw=withdraw), "S1": Orders(cut=cut)})
    boarding.first_fights(made, played)
    done(played)
    assert one.grappled is fast
    assert one.in_a_fight is (morale == 4 and not withdraw)


@pytest.mark.clause("T.B12k")
@pytest.mark.parametrize(("drifted", "x"), [(False, 1_000), (True, 0)])
def test_a_ship_cut_loose_after_her_own_step_moves_now_if_she_has_not_moved(drifted: bool, x: int) -> None:
    one, other = english(drifted=drifted), spanish(crew_halves=10)
    made = battle(one, other, moving="SPA")
    link = made.fasten(other, one)
    boarding._cut(made, play(4, orders={"E1": Course(0, 1_000), "S1": Course(0, 1_000)}), other, link)
    assert (one.x, other.x) == (x, 0)
    early = battle(one := english(), other := spanish(), moving="ENG")
    link = early.fasten(one, other)
    boarding._cut(early, play(4, orders={"E1": Course(0, 1_000)}), one, link)
    assert (one.x, other.x) == (0, 0)


@pytest.mark.clause("T.O5c")
def test_men_at_the_guns_are_released_when_the_fight_is_over() -> None:
    one, other = english(gunners=2), spanish()
    made = battle(one, other)
    made.fasten(one, other).attacker = "E1"
    played = play(1, 1, 1, 1, 2, orders={"E1": Orders(gunners=2), "S1": Orders(gunners=1, cut=False)})
    boarding.first_fights(made, played)
    assert [event.data["attackers"] for event in events(played, "round")] == [[["E1", 3]]] * 2
    assert (one.gunners, other.gunners) == (0, 0)


@pytest.mark.clause("T.B12n")
@pytest.mark.parametrize(
    ("crews", "killed", "left"),
    [
        ((10, 10), 5, (7, 8)), ((10, 20), 3, (9, 18)), ((10, 20), 4, (9, 17)), ((10, 20), 5, (9, 16)), ((6, 3), 1, (5, 3)),
        ((6, 3), 99, (0, 0)), ((0, 0), 3, (0, 0)), ((7, 0), 3, (4, 0)), ((1, 1, 1), 2, (0, 0, 1)), ((4, 4, 5), 12, (0, 1, 0)),
        ((5, 5), 0, (5, 5)),
    ],
)  # fmt: skip
def test_the_killed_are_shared_in_proportion_and_the_remainder_falls_on_the_larger(
    crews: tuple[int, ...], killed: int, left: tuple[int, ...]
) -> None:
    ships = [ship(f"E{n}", crew_halves=2 * men) for n, men in enumerate(crews, 1)]
    melee._fall(ships, killed)
    assert tuple(one.crew for one in ships) == left


@pytest.mark.clause("T.O6i", "T.B12n")
def test_in_a_prize_only_the_guard_is_killed() -> None:
    prize = ship("S1", side="ENG", prize_of="SPA", guard_halves=21, crew_halves=4, captive_halves=8)
    melee._fall([prize], 3)
    assert (prize.guard_halves, prize.crew_halves, prize.captive_halves) == (15, 4, 8)


@pytest.mark.clause("T.B12g", "T.B12h", "T.B12i", "T.B12f")
@pytest.mark.parametrize("die", range(1, 7))
def test_the_whole_table_of_morale_is_right(die: int) -> None:
    a, d, on = Result.ATTACKER, Result.DEFENDER, Result.ON
    smaller, larger = [a, a, on, on, on, d][die - 1], [d, d, on, on, on, a][die - 1]
    assert [melee.morale(die, 20, 20), melee.morale(die, 19, 20), melee.morale(die, 10, 20)] == [smaller] * 3
    assert [melee.morale(die, 21, 20), melee.morale(die, 40, 20)] == [larger] * 2
    few, many = [a, a, a, a, on, on][die - 1], [d, d, d, d, on, on][die - 1]
    assert (melee.morale(die, 9, 20), melee.morale(die, 20, 9)) == (few, many)


@pytest.mark.clause("T.B12f", "T.B12g")
def test_the_score_of_a_morale_throw_is_reported_with_its_modifier() -> None:
    one, other = english(crew_halves=22), spanish(crew_halves=10)
    played = play(1, 1, 1, 1, 1, 1, 6)
    assert melee.round_of(battle(one, other), played, [one], [other]) is Result.ON
    assert events(played, "morale")[0].data == {"score": 4, "result": "on"}
    level = play(1, 1, 1, 1, 6)
    one.crew_halves = 10
    melee.round_of(battle(one, other), level, [one], [other])
    assert events(level, "morale")[0].data["score"] == 6
    assert [event.data["part"] for event in events(level, "round")] == [1, 2]


@pytest.mark.clause("T.B12c")
@pytest.mark.parametrize(("men", "dice"), [(0, 0), (1, 1), (4, 1), (5, 1), (9, 1), (10, 2), (14, 2), (15, 3)])
def test_there_is_one_die_per_five_full_fighters_and_one_for_a_handful(men: int, dice: int) -> None:
    assert melee.dice_of(men) == dice


@pytest.mark.clause("T.B12k", "G.FA1")
def test_every_throw_in_a_boarding_has_its_own_dice() -> None:
    one, other = english(), spanish()
    made = battle(one, other)
    made.fasten(one, other).attacker = "E1"
    played = play(*ON, *ON, 4, 4, orders=STAY)
    for _ in range(2):
        melee.round_of(made, played, [one], [other])
    link = made.grapples[0]
    for move in (0, -1):
        link.loosed = move
        boarding._cut(made, played, other, link)
    keys = [throw.key for throw in played.dice.throws]  # type: ignore[attr-defined]
    assert keys == [
        "T.B12d/1/E1/S1/1", "T.B12d/1/S1/E1/1", "T.B12d/1/E1/S1/2", "T.B12d/1/S1/E1/2", "T.B12f/1/E1/S1",
        "T.B12d/1/E1/S1/3", "T.B12d/1/S1/E1/3", "T.B12d/1/E1/S1/4", "T.B12d/1/S1/E1/4", "T.B12f/1/E1/S1/1",
        "T.B12k/1/S1/E1", "T.B12k/1/S1/E1/1",
    ]  # fmt: skip


@pytest.mark.clause("T.C19")
def test_after_the_battle_ships_fight_on_until_one_gives_way() -> None:
    made, _, _, other = two_on_one()
    played = play(1, 1, 1, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1, 2)
    boarding.fight_out(made, played)
    done(played)
    assert other.struck
    assert [link.attacker for link in made.grapples] == ["", ""]


@pytest.mark.clause("T.B12", "T.O6m")
def test_only_ships_of_one_flag_part_automatically() -> None:
    made = linked(("E1", "E2", "", 1), ("E2", "S1", "", 1))
    boarding._part_friends(made)
    assert [(link.a, link.b) for link in made.grapples] == [("E2", "S1")]


@pytest.mark.clause("T.B12b", "T.O5")
@pytest.mark.parametrize(
    ("change", "options", "may"),
    [
        ({}, {}, True), ({"crew_halves": 2}, {}, True), ({"crew_halves": 1}, {}, False),
        ({"crew_halves": 2}, {"opt_crews": False}, True), ({"crew_halves": 1}, {"opt_crews": False}, False),
        ({"crew_halves": 0}, {"opt_crews": False}, False), ({"struck": True}, {}, False), ({"on_fire": True}, {}, False),
        ({"prize_of": "SPA", "guard_halves": 40}, {}, False), ({"crew_halves": 11, "tons": 600}, {}, False),
        ({"crew_halves": 12, "tons": 600}, {}, True), ({"crew_halves": 11, "tons": 600}, {"opt_crews": False}, True),
    ],
    ids=str,
)  # fmt: skip
def test_a_ship_boards_with_one_man_where_crews_do_not_count_and_with_enough_to_sail_where_they_do(
    change: dict[str, Any], options: dict[str, Any], may: bool
) -> None:
    one = english(**change)
    assert boarding._may_board(battle(one, spanish(), options=options), one) is may


class _Once(list[Any]):
    """A list that may be gone through so many times."""

    left = 4

    def __iter__(self) -> Iterator[Any]:
        self.left -= 1
        assert self.left >= 0, "the search does not end"
        return super().__iter__()


@pytest.mark.clause("T.B12n")
def test_the_search_for_the_parties_of_a_fight_ends() -> None:
    made, one, two, other = two_on_one()
    made.grapples = _Once(made.grapples)
    assert boarding.parties(made, made.grapples[1]) == ([two, one], [other])


@pytest.mark.clause("T.B12n")
def test_of_three_killed_in_two_equal_crews_two_fall_in_the_first() -> None:
    ships = [ship("E1"), ship("E2")]
    melee._fall(ships, 3)
    assert [one.fallen for one in ships] == [2, 1]


@pytest.mark.clause("T.B12d", "T.B12e", "T.B12f", "T.B12n")
def test_a_round_between_parties_is_told_by_the_first_ships_of_each() -> None:
    one, two = english(), english("E2", 500)
    third, fourth = spanish(), spanish("S2", 750)
    played = play(*(4,) * 8, 4)
    melee.round_of(battle(one, two, third, fourth), played, [one, two], [third, fourth])
    done(played)
    # A four kills two in one exchange and one in the other.
    assert [(event.ship, event.clause, event.data) for event in events(played, "round")] == [
        ("E1", "T.B12d", {"attackers": [["E1", 5], ["E2", 5]], "defenders": [["S1", 5], ["S2", 5]], "killed": [4, 2], "part": 1}),
        ("E1", "T.B12e", {"attackers": [["E1", 4], ["E2", 4]], "defenders": [["S1", 3], ["S2", 3]], "killed": [2, 4], "part": 2}),
    ]  # fmt: skip
    assert [(event.ship, event.data) for event in events(played, "morale")] == [
        ("S1", {"score": 4, "result": "on"})
    ]
    assert [throw.key for throw in played.dice.throws] == [  # type: ignore[attr-defined]
        "T.B12d/1/E1/S1/1", "T.B12d/1/E2/S1/1", "T.B12d/1/S1/E1/1", "T.B12d/1/S2/E1/1",
        "T.B12d/1/E1/S1/2", "T.B12d/1/E2/S1/2", "T.B12d/1/S1/E1/2", "T.B12d/1/S2/E1/2", "T.B12f/1/E1/S1",
    ]  # fmt: skip
