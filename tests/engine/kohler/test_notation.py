from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battles.engine.core.errors import NotationError, OrderFault
from battles.engine.core.orders import LONGEST
from battles.engine.rulesets.kohler.notation import faults, parse, render
from battles.engine.rulesets.kohler.passage import REFUSALS
from battles.engine.rulesets.kohler.play import Orders
from battles.engine.rulesets.kohler.state import Battle, LockKind, Status
from tests.engine.kohler.builders import battle, ship

LINE = "A A S G:D07 | port>D03 starboard>- board:D07 avoid:D09 part:D07 fire"


def codes(sea: Battle, side: str, code: str, line: str) -> list[str]:
    return [fault.code for fault in faults(sea, side, code, parse(line))]


@pytest.mark.clause("K.M31")
def test_a_full_line_is_read_word_by_word_and_written_back() -> None:
    orders = parse(LINE)
    assert orders == Orders(
        tokens=("A", "A", "S", "G:D07"),
        targets={"port": "D03", "starboard": ""},
        intents={"D07": True, "D09": False},
        part={"D07": True},
        fire_ship=True,
    )
    assert render(orders) == LINE


@pytest.mark.clause("K.M31")
@pytest.mark.parametrize(
    ("line", "tokens"),
    [("", None), ("| port>D1", None), ("-", ()), ("a tp w3", ("A", "TP", "W3")), ("X", None)],
)
def test_an_empty_order_leaves_the_movement_to_the_captain_and_a_dash_orders_no_movement(
    line: str, tokens: tuple[str, ...] | None
) -> None:
    assert parse(line).tokens == tokens


@pytest.mark.clause("K.M31", "K.X4")
def test_the_order_x_fires_the_fire_ship() -> None:
    assert parse("X A") == Orders(tokens=("A",), fire_ship=True)


@pytest.mark.clause("K.M31")
def test_a_ships_code_may_contain_the_marks_used_in_orders() -> None:
    orders = Orders(tokens=("G:a|b c",), targets={"port": "-"}, intents={"a>b": True}, part={"50%:x": False})
    assert render(orders) == "G:a%7Cb%20c | port>%2D board:a>b keep:50%25:x"
    assert parse(render(orders)) == orders


names = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=8)
wishes = st.dictionaries(names, st.booleans(), max_size=3)
lines = st.builds(
    Orders,
    tokens=st.none()
    | st.lists(
        st.sampled_from(["A", "P", "S", "TP", "TS", "W0", "W5"]) | names.map(lambda name: f"G:{name}"),
        max_size=6,
    ).map(tuple),
    targets=st.dictionaries(st.sampled_from(["port", "starboard"]), names | st.just("")),
    intents=wishes,
    part=wishes,
    fire_ship=st.booleans(),
)


@pytest.mark.clause("K.M31")
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lines)
def test_a_written_line_of_orders_is_read_back_the_same(orders: Orders) -> None:
    assert parse(render(orders)) == orders


@pytest.mark.clause("K.M31")
def test_every_unreadable_word_is_named() -> None:
    with pytest.raises(NotationError) as caught:
        parse("A B G: W6 | bow>D1 port>D1 port>D2 board:D1 avoid:D1 ram:D1 part:")
    for word in (
        "'B'",
        "'G:'",
        "'W6'",
        "'bow>D1'",
        "port has two targets",
        "D1 already has the opposite order",
        "'ram:D1'",
        "'part:'",
    ):
        assert word in str(caught.value)
    with pytest.raises(NotationError, match="must stand alone"):
        parse("- A")
    with pytest.raises(NotationError, match=str(LONGEST)):
        parse("A " * LONGEST)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    try:
        orders = parse(text)
    except NotationError as error:
        assert str(error)
    else:
        assert parse(render(orders)) == orders


def test_orders_that_can_be_started_have_no_errors() -> None:
    one, enemy = ship(facing=2), ship(id="D1", side="DUT", pos=(1, 0))
    assert (
        faults(battle(one, enemy), "ENG", "E1", parse("A G:D1 | port>D1 starboard>- board:D1 part:D1")) == ()
    )
    assert faults(battle(one, enemy), "ENG", "E1", Orders()) == ()


def test_some_ships_orders_are_refused_outright() -> None:
    sea = battle(
        ship(),
        ship(id="E2", status=Status.SINKING, pos=(3, 0)),
        ship(id="E3", fired=True, pos=(4, 0)),
        ship(id="E4", status=Status.EXPECTED),
        ship(id="E5", pos=(5, 0), prize_of="DUT"),
        ship(id="D1", side="DUT", pos=(6, 0)),
        ship(id="D2", side="DUT", status=Status.EXPECTED),
    )
    refused = {code: codes(sea, "ENG", code, "| port>-") for code in (*sea.ships, "E9")}
    assert refused == {
        "E1": [],
        "E2": ["order/lost-ship"],
        "E3": ["order/burning"],
        "E4": ["order/not-here"],
        "E5": ["order/not-your-ship"],
        "D1": ["order/not-your-ship"],
        "D2": ["order/unknown-ship"],
        "E9": ["order/unknown-ship"],
    }


@pytest.mark.clause("K.M31", "K.M8", "K.M28")
def test_the_first_impossible_movement_is_named_with_its_clause() -> None:
    one, enemy = ship(facing=2), ship(id="D1", side="DUT")
    sea = battle(one, enemy)
    (fault,) = faults(sea, "ENG", "E1", parse("A S S"))
    assert (fault.code, fault.clause) == ("order/turned", "K.M8")
    assert fault.text == f"Ship E1, S (order 3): {REFUSALS['turned'][1]}."
    sea.hold(LockKind.GRAPPLE, one, enemy)
    assert codes(sea, "ENG", "E1", "A") == ["order/locked"]


@pytest.mark.clause("K.M22", "K.M31")
def test_a_friend_ahead_blocks_an_order_only_when_it_cannot_make_way() -> None:
    one, ahead = ship(facing=2), ship(id="E2", pos=(1, 0), facing=2)
    sea = battle(one, ahead)
    assert codes(sea, "ENG", "E1", "A A") == []
    assert codes(sea, "ENG", "E1", "A A A A") == ["order/allowance"]
    assert codes(sea, "ENG", "E1", "P") == []
    ahead.steps_lost = 3
    assert codes(sea, "ENG", "E1", "A A") == ["order/occupied"]


@pytest.mark.clause("K.B1", "K.M31")
def test_an_enemy_to_be_grappled_may_still_be_elsewhere_but_must_be_an_enemy() -> None:
    sea = battle(
        ship(facing=2), ship(id="E2", pos=(0, 5)), ship(id="D1", side="DUT", pos=(9, 9)),
        ship(id="D2", side="DUT", pos=(9, 8), status=Status.SINKING),
    )  # fmt: skip
    assert codes(sea, "ENG", "E1", "A G:D1") == []
    assert [codes(sea, "ENG", "E1", f"A G:{code}") for code in ("E2", "D2", "D9")] == [["order/no-enemy"]] * 3


@pytest.mark.clause("K.F1", "K.B1", "K.B26", "K.X4")
def test_all_errors_in_targets_and_grapples_are_listed() -> None:
    sea = battle(
        ship(), ship(id="E2", pos=(0, 5)), ship(id="D2", side="DUT", pos=(9, 8), status=Status.SINKING)
    )
    found = faults(sea, "ENG", "E1", parse("| port>D9 starboard>E2 board:E1 avoid:D2 part:D8 fire"))
    assert [fault.code for fault in found] == [
        "order/target-unknown",
        "order/target-friend",
        "order/boarding-friend",
        "order/boarding-lost",
        "order/parting-unknown",
        "order/no-fire-ship",
    ]
    assert all(isinstance(fault, OrderFault) and fault.text.startswith("Ship E1") for fault in found)
