"""Who attacked whom in a shared hex, what a captain is asked, in which order fires spread, and what recruits fill up."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.errors import NotationError
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.kohler import closing, criticals, gunnery, tables
from battles.engine.rulesets.kohler.at_sea import AT_SEA
from battles.engine.rulesets.kohler.card import card
from battles.engine.rulesets.kohler.condition import Condition
from battles.engine.rulesets.kohler.contact import in_list_order, wishes_to_board
from battles.engine.rulesets.kohler.notation import faults, parse
from battles.engine.rulesets.kohler.passage import REFUSALS
from battles.engine.rulesets.kohler.play import Orders
from battles.engine.rulesets.kohler.state import LockKind, Ship, Status
from tests.engine.kohler.builders import battle, events, play, ship

ANTELOPE = card(
    ShipFacts(nation="England", built_by="England", guns=52, tons_burthen=740, broadside_lb=400)
).to_dict()


def enemies() -> tuple[Ship, Ship]:
    return ship(id="E1"), ship(id="D1", side="DUT")


@pytest.mark.clause("K.F17", "K.B12")
@pytest.mark.parametrize("attacker", ["E1", "D1"])
def test_the_ship_that_grappled_is_the_one_whose_side_is_thrown_for(attacker: str) -> None:
    one, enemy = enemies()
    fight = battle(one, enemy)
    first, second = (one, enemy) if attacker == "E1" else (enemy, one)
    fight.hold(LockKind.GRAPPLE, first, second)
    with (played := play(3)).dice:  # type: ignore[attr-defined]
        gunnery.place_alongside(fight, played)
    assert (first.placement, second.placement) == ({second.id: "port"}, {})


@pytest.mark.clause("K.F17", "K.B12")
@pytest.mark.parametrize("kind", [LockKind.TANGLE, LockKind.FIRE_SHIP])
def test_no_one_is_placed_beside_a_ship_that_only_fouls_or_burns_her(kind: LockKind) -> None:
    one, enemy = enemies()
    fight = battle(one, enemy)
    fight.hold(kind, enemy, one)
    gunnery.place_alongside(fight, play())
    assert (one.placement, enemy.placement) == ({}, {})


@pytest.mark.clause("K.F17", "K.B12")
@pytest.mark.parametrize(
    ("placement", "attacker"), [({}, "D1"), ({"E1": ("D1", "")}, "E1"), ({"D1": ("E1", "")}, "D1")], ids=str
)
def test_without_a_grapple_she_attacks_who_came_upon_the_other_else_who_came_later(
    placement: dict[str, tuple[str, str]], attacker: str
) -> None:
    one, enemy = enemies()
    fight = battle(one, enemy)
    for code, (other, side) in placement.items():
        fight.ships[code].placement[other] = side
    with (played := play(4)).dice:  # type: ignore[attr-defined]
        gunnery.place_alongside(fight, played)
    assert [event.ship for event in events(played, "placing")] == [attacker]


@pytest.mark.clause("K.F17", "K.B12")
@pytest.mark.parametrize(
    "change",
    [{"side": "ENG"}, {"status": Status.SINKING}, {"placement": {"E1": "port"}}, {"pos": (1, 0)}],
    ids=str,
)
def test_friends_wrecks_and_ships_placed_already_are_not_thrown_for(change: dict[str, Any]) -> None:
    one, other = ship(id="E1"), ship(**{"id": "D1", "side": "DUT", **change})
    played = play()
    gunnery.place_alongside(battle(one, other), played)
    assert not events(played, "placing")


class _Boards:
    """A captain who boards, or does not."""

    def __init__(self, answer: bool) -> None:
        self.answer = answer

    def boards(self, view: object, ship_id: str, enemy_id: str) -> bool:
        assert (view, ship_id, enemy_id) == ("view", "E1", "D1")
        return self.answer


@pytest.mark.clause("K.B1")
@pytest.mark.parametrize("answer", [True, False])
@pytest.mark.parametrize(
    "orders",
    [None, Orders(), Orders(intents={"D2": True}), Orders(intents=defaultdict(bool))],
    ids=["none", "empty", "other", "any"],
)
def test_a_captain_is_asked_whether_she_boards_where_her_orders_do_not_name_that_enemy(
    answer: bool, orders: Orders | None
) -> None:
    one, enemy = enemies()
    captains: Any = {"ENG": _Boards(answer)}
    views: Any = {"ENG": "view"}
    asked = play(orders={} if orders is None else {"E1": orders}, captains=captains, views=views)
    assert wishes_to_board(battle(one, enemy), asked, one, enemy) is answer


@pytest.mark.clause("K.B1")
@pytest.mark.parametrize("answer", [True, False])
def test_orders_that_name_the_enemy_are_not_asked_about(answer: bool) -> None:
    one, enemy = enemies()
    captains: Any = {"ENG": _Boards(not answer)}
    views: Any = {"ENG": "view"}
    told = play(orders={"E1": Orders(intents={"D1": answer})}, captains=captains, views=views)
    assert wishes_to_board(battle(one, enemy), told, one, enemy) is answer
    alone = play(orders={"E1": Orders(intents={"D1": answer})})
    assert wishes_to_board(battle(one, enemy), alone, one, enemy) is answer
    assert wishes_to_board(battle(one, enemy), play(), one, enemy) is False


@pytest.mark.clause("K.0.5")
def test_ships_are_taken_in_list_order_however_they_came() -> None:
    ships = [ship(id=code) for code in ("E3", "E1", "E2")]
    fight = battle(*ships)
    assert in_list_order(fight, ships[::-1]) == ships
    assert in_list_order(fight, [ships[2], ships[0]]) == [ships[0], ships[2]]
    assert in_list_order(fight, ships[1:2]) == ships[1:2]
    assert in_list_order(fight, []) == []


@pytest.mark.clause("K.C2", "K.0.5")
def test_fires_lit_in_one_turn_are_rolled_in_list_order_in_the_next() -> None:
    last, one, two, first = (ship(id=code) for code in ("E4", "E1", "E2", "E3"))
    one.pos = first.pos = (3, 0)
    one.fires, two.fires = [1], [1]
    fight = battle(last, one, two, first, turn=2)
    # E1 blows up beside E3, then E2 beside E4, who stands first in the list.
    with (played := play(2, 2, 5, 5)).dice:  # type: ignore[attr-defined]
        criticals.check_and_burn(fight, played)
    assert [event.data["key"] for event in events(played, "die")] == [
        "/K.C3/2/E1/1", "/K.C3/2/E2/1", "/K.C3/2/E4/1", "/K.C3/2/E3/1",
    ]  # fmt: skip


@pytest.mark.clause("K.F14", "K.A1.4")
@pytest.mark.parametrize("upper", [False, True])
def test_no_fire_points_hit_nothing_and_no_score_falls_off_the_table(upper: bool) -> None:
    assert [tables.hits(points, 0, upper=upper) for points in (-2, -1, 0)] == [0, 0, 0]
    for points in range(1, 24):
        assert tables.hits(points, -9, upper=upper) == tables.hits(points, 0, upper=upper)
        assert tables.hits(points, 7, upper=upper) == (1 if points >= (13 if upper else 14) else 0)
        assert tables.hits(points, 8, upper=upper) == 0


def state(struct: int, board: int = 0) -> dict[str, Any]:
    return Condition(struct, board).to_dict()


@pytest.mark.clause("G.PT1", "K.G15")
@pytest.mark.parametrize(
    ("struct", "board", "hits", "after"),
    [(20, 2, 3, 20), (20, 1, 3, 21), (22, 0, 1, 22), (5, 0, 0, 5), (5, 0, -2, 5), (5, 0, 1, 6), (0, 0, 22, 22), (0, 0, 23, 22)],
)  # fmt: skip
def test_a_ship_takes_as_many_hits_as_her_hull_has_points_left(
    struct: int, board: int, hits: int, after: int
) -> None:
    assert AT_SEA.hit(ANTELOPE, state(struct, board), hits) == state(after, board)


@pytest.mark.clause("K.G18", "K.G21")
@pytest.mark.parametrize(
    ("struct", "board", "men", "left"),
    [
        (0, 11, 200, 0), (0, 11, 100, 11), (0, 11, 110, 10), (0, 11, 101, 11), (0, 11, 190, 2), (0, 11, 191, 1),
        (10, 11, 100, 6), (11, 11, 100, 6), (9, 11, 100, 7), (10, 4, 100, 4), (10, 11, 0, 11), (2, 5, 190, 1),
    ],
)  # fmt: skip
def test_recruits_take_off_boarding_hits_as_far_as_they_fill_her(
    struct: int, board: int, men: int, left: int
) -> None:
    after = AT_SEA.mend(ANTELOPE, state(struct, board), done="recruits", men=men, complement=200)
    assert after == state(struct, left)
    wanted = 22 * (1 - Fraction(men, 200)) - Fraction(struct, 2)
    assert left == board or left - 1 < wanted <= left or (wanted <= 0 and left == 0)


@pytest.mark.clause("K.G18")
@pytest.mark.parametrize(("complement", "left"), [(0, 4), (1, 0)])
def test_a_ship_without_complement_keeps_her_boarding_hits(complement: int, left: int) -> None:
    after = AT_SEA.mend(ANTELOPE, state(3, 4), done="recruits", men=complement, complement=complement)
    assert after == state(3, left)


def is_read(line: str) -> bool:
    try:
        parse(line)
    except NotationError:
        return False
    return True


@pytest.mark.clause("K.M31")
def test_every_word_of_the_written_orders_is_read() -> None:
    words = [
        "A",
        "P",
        "S",
        "TP",
        "TS",
        "X",
        "W0",
        "W1",
        "W2",
        "W3",
        "W4",
        "W5",
        "-",
        "G:D",
        "| port>D",
        "| starboard>D",
    ]
    words += [f"| {wish}:D" for wish in ("board", "avoid", "part", "keep")] + [
        "| fire",
        "| Fire",
        "A" + " " * 3_999,
    ]
    assert [word for word in words if not is_read(word)] == []


@pytest.mark.clause("K.M31")
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("unknown", "not a known order"), ("ended", "will have ended"), ("halted", "what it met"), ("not-underway", "one hex ahead"),
        ("turned", "in this hex"), ("no-tack", "tack"), ("not-still", "only in still air"), ("still", "only be towed"),
        ("tow", "cannot tow it there"), ("aground", "aground"), ("anchored", "at anchor"), ("land", "land ahead"),
        ("shoal", "shoal ahead"), ("occupied", "friendly ship"), ("wreck", "wreck"), ("irons", "too near the wind"),
        ("disabled", "cannot make sail"), ("allowance", "that far"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_stands_in_the_way(code: str, words: str) -> None:
    assert words in REFUSALS[code][1]
    (fault,) = faults(battle(ship(id="E1", facing=2)), "ENG", "E1", parse("A A A A"))
    assert REFUSALS["allowance"][1] in fault.text


@pytest.mark.clause("K.G11")
@pytest.mark.parametrize(
    ("what", "faces", "fate"),
    [
        ("hit", (3,), "killed"), ("hit", (4,), "wounded"), ("sunk", (2,), "killed"), ("sunk", (3,), "unhurt"),
        ("hit sunk", (4, 3), "wounded"), ("hit sunk", (4, 2), "killed"), ("hit sunk", (3,), "killed"), ("captured", (), "captured"),
        ("hit captured", (4,), "captured"), ("hit captured", (3,), "killed"), ("killed", (), "killed"),
    ],
)  # fmt: skip
def test_what_becomes_of_the_one_flag_officer_there_is(what: str, faces: tuple[int, ...], fate: str) -> None:
    fight = battle(ship(id="E1"), officers={"ENG-1": ("E1", what, "K.C9")})
    with (played := play(*faces)).dice:  # type: ignore[attr-defined]
        closing.settle_officers(fight, played)
    assert fight.officers == {"ENG-1": ("E1", fate, "K.G11")}
