"""Orders in one line: read, written, and what of them can never be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from battles.engine.core.errors import NotationError
from battles.engine.rulesets.barker import orders as step
from battles.engine.rulesets.barker.notation import faults, parse, render
from battles.engine.rulesets.barker.play import Orders, Token
from battles.engine.rulesets.barker.state import Battle, Status
from tests.engine.barker.builders import battle, play, told, unit
from tests.support.answers import flawless, result_of, unerring


def taken(line: str) -> Orders:
    """Orders as they are read; a refusal fails the test, as a wrong answer does."""
    read = result_of(parse, line)
    assert isinstance(read, Orders), read
    return read


@pytest.mark.clause("P.K47", "P.EX36")
@pytest.mark.parametrize(
    "line",
    [
        "T+90 C / P+90 C / C P / C | main>R3 ahead>- pay:1",
        "C",
        "-",
        "- / C P",
        "C X P-22.5",
        "P+45 P:250",
        "P:0",
        "T+90:100",
        "U359@1,-1",
        "| pay:999",
        "P-1.05:400 C",
        "O+30",
        "O",
        "R C",
        "P S",
        "D",
        "O D",
        "U090@-120,640",
        "U005@0,0",
        "| main>A other>B ahead>C astern>D port>E starboard>F shot>G",
        "| with:A2,A3 pay:3 light:B1 flag:A2 hail:N1 lay:yes act:yes fake:1@-500,1200 fake:2@-",
        "| with:-",
        "| light:- lay:no",
        "| main>A%20b%7Cc%2Fd%2Ce%40f%25g other>%2D",
        "| with:a%2Cb,c hail:Vessel%201",
    ],
)
def test_a_saved_line_is_the_same_when_it_is_read_back(line: str) -> None:
    assert render(taken(line)) == line


@pytest.mark.clause("P.K47")
def test_each_word_of_an_order_has_its_meaning() -> None:
    read = taken("T+90 C / P-22.5:250 / U090@-120,640 / - | ahead>- main>R%203 pay:3 with:A,B light:-")
    assert read.plans == (
        (Token("T", 9_000), Token("C")),
        (Token("P", -2_250, 25_000),),
        (Token("U", 9_000, at=(-12_000, 64_000)),),
        (),
    )
    assert read.targets == {"ahead": "", "main": "R 3"}
    assert (read.pay, read.with_, read.light) == (3, ("A", "B"), "")
    assert taken("") == Orders()
    assert taken("| fake:1@-5,7").fakes == {1: (-500, 700)}


@pytest.mark.clause("P.K47")
def test_small_letters_and_any_order_of_words_will_do() -> None:
    assert render(taken("c p+45.50 / -|PAY:2 Main>X")) == "C P+45.5 / - | main>X pay:2"


@pytest.mark.clause("P.K47")
@pytest.mark.parametrize(
    "word",
    ["Q", "P45", "P+0.99", "P+90.01", "P+91", "T", "C+10", "S:100", "X-5", "D:3", "P+4.555", "U360@1,2", "U90@1,2", "U090", "CP"],
)  # fmt: skip
def test_a_word_that_is_not_a_move_is_named(word: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(f"C {word}")
    assert repr(word) in str(caught.value)


@pytest.mark.clause("P.K47")
@pytest.mark.parametrize("turn", ["P+1", "P-90", "T+90", "O-1"])
def test_turns_go_from_1_to_90_degrees(turn: str) -> None:
    assert render(taken(turn)) == turn


@pytest.mark.clause("P.K47")
@pytest.mark.parametrize(
    "word",
    [
        "gun>A",
        "main>",
        "pay:0",
        "pay:x",
        "pay:1000",
        "pay:٣",
        "pay:-1",
        "lay:perhaps",
        "act:no",
        "fake:3@1,2",
        "fake:1@x",
        "fly:A",
        "with:",
        "hello",
    ],
)
def test_a_word_that_is_unknown_is_named(word: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse(f"C | {word}")
    assert repr(word) in str(caught.value)


@pytest.mark.clause("P.K47")
def test_all_words_that_come_twice_or_cannot_be_read_are_named() -> None:
    with pytest.raises(NotationError) as caught:
        parse("C Z // P | main>A main>B pay:1 pay:2 fake:1@1,1 fake:1@- what")
    text = str(caught.value)
    for part in ("'Z'", "empty", "main comes twice", "pay comes twice", "fake:1 comes twice", "'what'"):
        assert part in text


# --- faults ---


@unerring
def wrong(line: str, kind: str = "BB", **over: Any) -> list[tuple[str, str]]:
    made = battle(unit("A1", kind=kind, **over), unit("A2", (400, 0)), unit("B1", (9_000, 0)))
    return [(fault.code, fault.clause) for fault in faults(made, "A", "A1", taken(line))]


@pytest.mark.clause("P.K48")
@pytest.mark.parametrize(
    ("line", "kind", "expected"),
    [
        ("C P / C P P", "BB", [("order/too-many-moves", "P.M03")]),
        ("C P P", "C2", []),
        ("C X", "BB", [("order/no-extra-free", "P.M05")]),
        ("C C", "BB", [("order/no-compulsory", "P.M04")]),
        ("O", "BB", [("order/no-such-move", "P.M25")]),
        ("O+30", "TRAMP", []),
        ("C P P P", "TB", [("order/too-dear", "P.K48")]),
        ("P+90 P+90 P", "TBD", [("order/too-dear", "P.K48")]),
        ("P+90 P P", "TBD", []),
        ("R C P", "BB", []),
        ("S", "BB", []),
        ("C | main>B1 ahead>ZZ", "BB", [("order/unknown-ship", "P.K48")]),
        ("C | with:A2,A7", "BB", [("order/unknown-ship", "P.K48")]),
        ("D", "SUB", []),
        ("U090@1,1", "SUB", []),
        ("P", "SUB", [("order/one-free-move", "P.M25")]),
    ],
)  # fmt: skip
def test_only_what_can_never_happen_is_an_error(
    line: str, kind: str, expected: Sequence[tuple[str, str]]
) -> None:
    assert wrong(line, kind) == expected


@pytest.mark.clause("P.K48", "P.M19")
def test_a_cripple_will_never_make_two_moves() -> None:
    assert wrong("P", crippled=True) == []
    assert wrong("C P", crippled=True) == [("order/no-compulsory", "P.M19")]


@pytest.mark.clause("P.K48", "P.S34", "P.K45")
def test_orders_are_for_ships_of_the_side_and_name_no_enemy_that_has_yet_to_come() -> None:
    made = battle(
        unit("A1"),
        unit("B1", (9_000, 0), status=Status.EXPECTED),
        unit("B2", (8_000, 0), kind="RAIDER_T", disguised=True, contact="Vessel 1"),
    )
    named = [fault.clause for fault in faults(made, "A", "A1", taken("| main>B1 other>B2 hail:Vessel%201"))]
    assert named == ["P.K48", "P.K48"]
    assert [fault.code for fault in faults(made, "A", "B2", Orders())] == ["order/not-your-ship"]
    assert [fault.code for fault in faults(made, "A", "B1", Orders())] == ["order/unknown-ship"]
    made.units["A1"].status = Status.SUNK
    assert [fault.code for fault in faults(made, "A", "A1", Orders())] == ["order/lost-ship"]
    made.units["A1"].status = Status.EXPECTED
    assert [fault.clause for fault in faults(made, "A", "A1", Orders())] == ["P.S34"]


@pytest.mark.clause("P.K36")
def test_orders_for_a_pair_go_to_its_first_hull() -> None:
    made = battle(unit("A1", kind="TBD", hulls=("A1", "A1x")))
    (fault,) = faults(made, "A", "A1x", Orders())
    assert (fault.code, fault.clause) == ("order/second-boat", "P.K36")
    assert not faults(made, "A", "A1", Orders())


# --- step 4 ---


class Decided:
    """A captain with these orders."""

    name = "decided"

    def __init__(self, **orders: str) -> None:
        self._orders = {code: parse(text) for code, text in orders.items()}
        self.given: Mapping[str, Orders] = {}

    def orders(self, view: object, given: Mapping[str, Orders]) -> Mapping[str, Orders]:
        self.given = given
        return self._orders


@unerring
def held(made: Battle, captain: Decided, **orders: str) -> Any:
    table = play(
        made,
        orders={code: parse(text) for code, text in orders.items()},
        captains={"A": captain, "B": captain},
    )
    step.give(made, table)
    return table


@pytest.mark.clause("P.K48", "P.K47")
def test_a_players_orders_go_before_those_of_the_captain_who_decides_what_they_leave_open() -> None:
    made = battle(unit("A1"), unit("A2", (2_000, 0)), unit("A3", (4_000, 0)), unit("B1", (9_000, 0)))
    captain = Decided(A1="C P | main>X", A2="C P | main>X other>Y light:B1", A3="C", B1="C P")
    table = held(made, captain, A1="P+90", A2="| main>Z", B1="C")
    assert render(table.ordered("A1")) == "P+90 | main>X"
    assert render(table.ordered("A2")) == "C P | main>Z other>Y light:B1"
    assert render(table.ordered("A3")) == "C"
    assert render(table.ordered("B1")) == "C"
    assert set(captain.given) == {"A1", "A2"}


@pytest.mark.clause("P.K48")
def test_a_line_with_the_compulsory_move_alone_is_an_order_too() -> None:
    made = battle(unit("A1"))
    assert render(held(made, Decided(A1="C P"), A1="-").ordered("A1")) == "-"


@pytest.mark.clause("P.R05")
def test_an_armed_merchant_cruiser_acts_when_ordered_in_its_own_spell() -> None:
    made = battle(unit("A1", kind="AMC"), unit("B1", (9_000, 0), kind="AMC"))
    table = held(made, Decided(), A1="| act:yes", B1="| act:yes")
    assert made.units["A1"].acting
    assert not made.units["B1"].acting
    assert [code for code, _ in told(table, "disclosed")] == ["A1"]


@pytest.mark.clause("P.K47")
@pytest.mark.parametrize("word", ["C", "X", "P", "P+45", "T-90", "O", "S", "R", "D", "U090@-120,640"])
def test_every_kind_of_move_is_read_by_itself(word: str) -> None:
    assert len(flawless(parse, word).plans[0]) == 1
