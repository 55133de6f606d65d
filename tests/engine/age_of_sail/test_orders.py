"""Orders in one line: what can be read, and what is wrong with it as things stand. Section Orders of the book."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.errors import NotationError
from battles.engine.core.ruleset import ShipOrder
from battles.engine.rulesets.age_of_sail.notation import AT_END, parse
from battles.engine.rulesets.age_of_sail.play import Orders, Shot
from battles.engine.rulesets.age_of_sail.rules import RULES
from battles.engine.rulesets.age_of_sail.state import Anchor, Status
from tests.engine.age_of_sail.builders import battle, ship


@pytest.mark.clause(
    "A.M9", "A.F5", "A.F7", "A.B1", "A.B11", "A.B13", "A.D6", "A.T1", "A.T2", "A.L6", "A.R1", "A.M20"
)
def test_every_order_of_the_book_is_read() -> None:
    line = (
        "A2 S P3 | port>D%201=5,sails starboard>- board:D2 part:D3 part:D4 crew:2 repair:main lose:mizzen,fore anchor:3 "
        "weigh:yes detach:no withdraw:yes"
    )
    assert parse(line) == Orders(
        turns=(0, 0, 1, -1, -1, -1), repair="main", part=("D3", "D4"), crew=2, weigh=True, anchor=3,
        shots={"port": Shot("port", 5, "D 1", "sails"), "starboard": Shot("starboard", AT_END, "", "hull")},
        board="D2", masts=("mizzen", "fore"), detach=False, withdraw=True,
    )  # fmt: skip
    assert parse("") == Orders()
    assert parse("| board:- part:- repair:-") == Orders(board="", part=(), repair="")


@pytest.mark.parametrize(
    "text",
    ["B2", "A0", "A100", "a3", "| port>", "| ahead>D1", "| port>D1 port>D2", "| port>D1=5,rudder", "| weigh:maybe",
     "| repair:jigger", "| lose:bowsprit", "| crew:x", "| board:D1 board:D2", "| hoist:yes", "A60 A1"],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_words(text: str) -> None:
    with pytest.raises(NotationError, match="\\S"):
        parse(text)


@pytest.mark.clause(
    "A.C3", "A.R1", "A.R2", "A.F7", "A.B8", "A.B13", "A.T2", "A.P1", "A.M20", "A.G37", "A.B11"
)
@pytest.mark.parametrize(
    ("code", "text", "fault"),
    [
        ("E1", "| repair:mizzen", "order/no-mast"), ("E1", "| lose:mizzen", "order/no-mast"),
        ("E1", "| repair:main", "order/mast-stands"), ("E1", "| repair:fore port>D1", "order/crew-busy"),
        ("E1", "| repair:fore board:D1", "order/crew-busy"), ("E1", "| port>E2", "order/friend"),
        ("E1", "| port>D9", "order/no-ship"), ("E1", "| board:D2", "order/gone"), ("E1", "| part:X", "order/no-ship"),
        ("E1", "| weigh:yes", "order/not-at-anchor"), ("E1", "| crew:7", "order/too-many"), ("E2", "A1", "order/unmanned"),
        ("D1", "A1", "order/not-your-ship"), ("E3", "A1", "order/withdrawn"), ("E4", "A1", "order/lost-ship"),
        ("E5", "A1", "order/not-here"), ("E1", "Q", "order/unreadable"),
    ],
)  # fmt: skip
def test_an_impossible_order_is_refused_with_the_clause_that_forbids_it(
    code: str, text: str, fault: str
) -> None:
    made = battle(
        ship("E1", masts=(1, 2), names=("fore", "main"), rig=[-2, 2]), ship("E2", 5, captor="E1", former="D"),
        ship("E3", 9, status=Status.WITHDRAWN), ship("E4", 9, status=Status.SUNK), ship("E5", status=Status.EXPECTED),
        ship("D1", 50), ship("D2", 60, status=Status.EXPLODED),
    )  # fmt: skip
    found = RULES.faults(made, "E", ShipOrder(code, text))
    assert [one.code for one in found] == [fault]
    assert found[0].clause.startswith("A.") and found[0].text


def test_an_order_that_can_be_begun_has_no_fault() -> None:
    made = battle(ship("E1"), ship("D1", 50))
    assert RULES.faults(made, "E", ShipOrder("E1", "A60 | port>D1=3 board:D1 crew:6")) == ()


@pytest.mark.clause("A.M9", "A.M10")
@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("A", (0,)), ("P", (-1,)), ("S", (1,)), ("A1", (0,)), ("P2 S3", (-1, -1, 1, 1, 1)), ("A60", (0,) * 60), ("A59 S", (0,) * 59 + (1,)),
        ("A10", (0,) * 10), ("|", None), ("| weigh:yes", None), ("", None),
    ],
)  # fmt: skip
def test_a_path_is_read_letter_by_letter(text: str, turns: tuple[int, ...] | None) -> None:
    assert parse(text).turns == turns


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A61", ["61 steps"]), ("A30 P31", ["61 steps"]), ("A0", ["'A0'"]), ("P100", ["'P100'"]), ("4A", ["'4A'"]), ("AA", ["'AA'"]),
        ("X1 | port>", ["'X1'", "'port>'"]), ("| bow>D1", ["'bow>D1'"]), ("| >D1", ["'>D1'"]), ("| port>D1=100", ["'100'"]),
        ("| port>D1=hull,mast", ["'mast'"]),
        ("| port>D1 port>-", ["'port>-'"]), ("| weigh:yes weigh:yes", ["'weigh'"]), ("| weigh:", ["'weigh:'"]), ("| board:", ["'board:'"]),
        ("| part:", ["'part:'"]), ("| crew:100", ["'crew:100'"]), ("| crew:1 crew:2", ["'crew'"]),
        ("| anchor:-1", ["'anchor:-1'"]), ("| lose:", ["'lose:'"]),
        ("| lose:fore,top", ["'lose:fore,top'"]), ("| repair:", ["'repair:'"]), ("| repair:fore repair:main", ["'repair'"]),
        ("| sing:yes", ["'sing:yes'"]),
        ("| detach:1 withdraw:maybe", ["'detach:1'", "'withdraw:maybe'"]), ("| crew:yes", ["'crew:yes'"]), ("| anchor:no", ["'anchor:no'"]),
    ],
)  # fmt: skip
def test_everything_that_cannot_be_read_is_named(text: str, words: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text)
    found = str(caught.value).split("; ")
    assert len(found) == len(words)
    assert all(word in row for word, row in zip(words, found, strict=True))


@pytest.mark.clause("A.F7", "A.F5", "A.T1", "A.B13", "A.M20", "A.L6", "A.D6", "A.R1")
@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("| port>D1", {"shots": {"port": Shot("port", AT_END, "D1", "hull")}}),
        ("| port>D1=0", {"shots": {"port": Shot("port", 0, "D1", "hull")}}),
        ("| starboard>D1=99,sails", {"shots": {"starboard": Shot("starboard", 99, "D1", "sails")}}),
        ("| starboard>D1=sails,7", {"shots": {"starboard": Shot("starboard", 7, "D1", "sails")}}), ("| anchor:0", {"anchor": 0}),
        ("| port>D1=sails", {"shots": {"port": Shot("port", AT_END, "D1", "sails")}}), ("| anchor:99 crew:0", {"anchor": 99, "crew": 0}),
        ("| weigh:no detach:yes withdraw:no", {"weigh": False, "detach": True, "withdraw": False}), ("| lose:main", {"masts": ("main",)}),
        ("| repair:mizzen", {"repair": "mizzen"}), ("| part:- part:D1", {"part": ("D1",)}), ("| board:a%20b%7C%25", {"board": "a b|%"}),
    ],
)  # fmt: skip
def test_each_order_stands_for_itself(text: str, orders: dict[str, Any]) -> None:
    assert parse(text) == Orders(**orders)


@pytest.mark.clause("A.R2", "A.F7", "A.B1", "A.B13", "A.T2", "A.B11", "A.D6")
@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("| crew:6", []), ("| crew:7", ["too-many"]), ("| port>D1 starboard>D2", ["gone"]), ("| port>- board:-", []),
        ("| port>E2 board:E2", ["friend", "friend"]),
        ("| repair:fore port>D1 starboard>D1", ["crew-busy", "crew-busy"]), ("| repair:fore port>- starboard>-", []),
        ("| repair:- port>D1", []),
        ("| repair:fore board:-", []), ("| repair:main", ["mast-stands"]), ("| repair:mizzen", ["mast-stands"]),
        ("| lose:main,mizzen,fore", []),
        ("| part:D1 part:E2 part:D2", []), ("| part:D8 part:D9", ["no-ship", "no-ship"]), ("| board:D4", ["no-ship"]), ("| weigh:no", []),
        ("| repair:fore board:D1 part:X crew:9 weigh:yes", ["crew-busy", "no-ship", "not-at-anchor", "too-many"]),
    ],
)  # fmt: skip
def test_every_order_that_is_impossible_is_named_and_nothing_else(text: str, codes: list[str]) -> None:
    made = battle(
        ship("E1", rig=[-2, 1, 2]), ship("E2", 9), ship("D1", 50), ship("D2", 60, status=Status.EXPLODED),
        ship("D4", status=Status.EXPECTED)
    )  # fmt: skip
    assert [one.code for one in RULES.faults(made, "E", ShipOrder("E1", text))] == [
        f"order/{code}" for code in codes
    ]
    made.ships["E1"].anchor = Anchor.WEIGHING
    assert RULES.faults(made, "E", ShipOrder("E1", "| weigh:yes")) == ()
