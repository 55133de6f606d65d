"""Orders in one line: what can be read, and what is wrong with it as things stand. Section Orders of the book."""

from __future__ import annotations

import pytest

from battles.engine.core.errors import NotationError
from battles.engine.core.ruleset import ShipOrder
from battles.engine.rulesets.age_of_sail.notation import AT_END, parse
from battles.engine.rulesets.age_of_sail.play import Orders, Shot
from battles.engine.rulesets.age_of_sail.rules import RULES
from battles.engine.rulesets.age_of_sail.state import Status
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
def test_an_order_that_cannot_come_true_is_refused_with_its_clause(code: str, text: str, fault: str) -> None:
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
