"""Orders in one line, and their errors in the present state. Rules: T.B4, T.B10f, T.B12b, T.O6d, T.S19."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battles.engine.core.errors import NotationError
from battles.engine.core.orders import LONGEST
from battles.engine.rulesets.thomas.notation import BOARDING, WORDS, parse, render
from battles.engine.rulesets.thomas.play import Course, Orders
from battles.engine.rulesets.thomas.refusals import faults
from battles.engine.rulesets.thomas.state import Battle, Status
from battles.engine.rulesets.thomas.tables import Arc, Kind
from tests.engine.thomas.builders import battle, revenge, ship

LINE = (
    "S45 5.5 P30 heave-to | port>S1 ahead>- board:S1 secure:S5=6 secure:S6 alongside:cut gunners:4 irons:P22.5"
    " oars:yes strike:no"
)


@pytest.mark.clause("T.B4", "T.B10f", "T.B12b", "T.O6f", "T.B7b")
def test_a_full_line_is_read_word_by_word_and_written_back() -> None:
    orders = parse(LINE)
    assert orders == Orders(
        course=Course(4_500, 5_500, -3_000, heave_to=True),
        targets={Arc.PORT: "S1", Arc.AHEAD: ""},
        board=("S1",),
        secure={"S5": 6, "S6": -1},
        alongside="cut",
        gunners=4,
        irons_turn=-2_250,
        to_oars=True,
        strike=False,
    )
    assert render(orders) == LINE


@pytest.mark.parametrize(
    ("line", "course"),
    [
        ("", None), ("| port>S1", None), ("-", Course()), ("5", Course(distance=5_000)), ("p10 0.125", Course(-1_000, 125)),
        ("0 S90", Course(turn2=9_000)), ("boats tow:S1", Course(boats=True, take_in_tow="S1")),
        ("P0.01 sail cut-cable", Course(-1, raise_sail=True, cut_cable=True)),
    ],
)  # fmt: skip
def test_an_empty_order_leaves_her_movement_to_the_captain_and_a_dash_keeps_her_as_she_is(
    line: str, course: Course | None
) -> None:
    assert parse(line).course == course


def test_every_part_of_an_order_can_be_written() -> None:
    said = {"course", "targets", "board", "secure", "alongside", "gunners", "irons_turn", *WORDS.values()}
    assert said == {field.name for field in dataclasses.fields(Orders)}


names = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=8)
turns = st.integers(-18_000, 18_000)
courses = st.builds(
    Course, turns, st.integers(0, 30_000), turns, st.booleans(), st.booleans(), st.booleans(), st.booleans(),
    st.one_of(st.just(""), names),
)  # fmt: skip
answers = {name: st.one_of(st.none(), st.booleans()) for name in WORDS.values()}
lines = st.builds(
    Orders,
    course=st.one_of(st.none(), courses),
    targets=st.dictionaries(st.sampled_from(Arc), st.one_of(st.just(""), names)),
    board=st.one_of(st.none(), st.lists(names, max_size=3, unique=True).map(tuple)),
    secure=st.one_of(st.none(), st.dictionaries(names, st.integers(-1, 9_999), max_size=3)),
    alongside=st.one_of(st.none(), st.sampled_from(BOARDING)),
    gunners=st.one_of(st.none(), st.integers(0, 9_999)),
    irons_turn=st.one_of(st.none(), turns.filter(bool)),
    **answers,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lines)
def test_orders_are_read_back_as_written(orders: Orders) -> None:
    assert parse(render(orders)) == orders


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("- 5", "'-'"), ("S45 S45 5", "'S45'"), ("5 6", "'6'"), ("X45", "'X45'"), ("S45.123", "'S45.123'"), ("-5", "'-5'"),
        ("tow:", "'tow:'"), ("| port>", "'port>'"), ("| bow>S1", "'bow>S1'"), ("| port>S1 port>S2", "port has two"),
        ("| board:S1 board:S1", "'board:S1'"), ("| board:- board:S1", "'board:S1'"), ("| board:S1 board:-", "'board:-'"),
        ("| secure:S1=many", "'secure:S1=many'"), ("| secure:=4", "'secure:=4'"), ("| secure:S1 secure:S1=2", "'secure:S1=2'"),
        ("| secure:S1 secure:-", "'secure:-'"), ("| strike:perhaps", "'strike:perhaps'"), ("| strike:yes strike:no", "'strike:no'"),
        ("| alongside:dance", "'alongside:dance'"), ("| gunners:-1", "'gunners:-1'"), ("| irons:45", "'irons:45'"),
        ("| ٣", "'٣'"), ("٣", "'٣'"),
    ],
)  # fmt: skip
def test_unreadable_words_are_named(line: str, word: str) -> None:
    with pytest.raises(NotationError, match=word.replace("|", r"\|")):
        parse(line)


def test_all_wrong_words_are_named_at_once_and_a_line_has_a_limit() -> None:
    with pytest.raises(NotationError, match=r"'Q'.*'port>'.*'what:ever'"):
        parse("Q 5 | port> what:ever")
    with pytest.raises(NotationError, match=str(LONGEST)):
        parse("5" * (LONGEST + 1))


def codes(sea: Battle, line: str, *, side: str = "ENG", code: str = "E1") -> list[str]:
    return [fault.code for fault in faults(sea, side, code, parse(line))]


@pytest.fixture
def sea() -> Battle:
    return battle(
        ship("E1"),
        ship("E2", x=3_000),
        revenge("S1", y=3_000),
        revenge("S2", y=9_000, status=Status.SUNK),
        revenge("S3", y=20_000, status=Status.EXPECTED),
        ship("E4", x=9_000, prize_of="SPA", secured=True),
        ship("E5", x=30_000, status=Status.WITHDRAWN),
        ship("E6", x=30_000, status=Status.EXPECTED),
        ship("E7", x=-9_000, kind=Kind.GALLEY, oar_speed=6_000, oar_turn=9_000),
        ship("E8", x=-19_000, struck=True, captor_side="SPA"),
    )


@pytest.mark.clause("T.S23", "T.O6g")
@pytest.mark.parametrize(
    ("side", "code", "fault"),
    [
        ("ENG", "X", "unknown-ship"), ("ENG", "S3", "unknown-ship"), ("ENG", "S1", "not-your-ship"), ("SPA", "E4", ""),
        ("ENG", "E4", "not-your-ship"), ("SPA", "S2", "lost-ship"), ("ENG", "E5", "withdrawn"), ("ENG", "E6", "not-here"),
    ],
)  # fmt: skip
def test_a_ship_obeys_the_side_whose_men_are_aboard(sea: Battle, side: str, code: str, fault: str) -> None:
    assert codes(sea, "5", side=side, code=code) == ([f"order/{fault}"] if fault else [])


@pytest.mark.clause("T.B4", "T.B4b")
def test_more_than_any_wind_allows_is_an_error_and_less_is_cut_when_the_time_comes(sea: Battle) -> None:
    assert codes(sea, "S45 10 P45") == []
    assert codes(sea, "S45.01 10.001 P46") == [
        "order/turn-too-sharp",
        "order/turn-too-sharp",
        "order/too-far",
    ]
    assert codes(sea, "P90 6 S90", code="E7") == []


@pytest.mark.clause("T.O1c", "T.O4f", "T.S22", "T.O3", "T.O6a", "T.O4e")
@pytest.mark.parametrize(
    ("line", "code", "fault"),
    [
        ("boats", "E7", "no-boats"), ("sail", "E1", "no-oars"), ("| oars:yes", "E1", "no-oars"), ("| oars:yes", "E7", ""),
        ("cut-cable", "E1", "not-at-anchor"), ("tow:E2", "E1", ""), ("tow:E1", "E1", "tow-impossible"),
        ("tow:S1", "E1", "tow-impossible"), ("tow:E9", "E1", "tow-unknown"), ("5", "E8", "struck"), ("-", "E8", ""),
    ],
)  # fmt: skip
def test_an_order_she_cannot_announce_is_refused(sea: Battle, line: str, code: str, fault: str) -> None:
    assert codes(sea, line, code=code) == ([f"order/{fault}"] if fault else [])


@pytest.mark.clause("T.B10c", "T.B12b", "T.O6d", "T.S4a")
@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("| port>S1", ""), ("| port>E2", "target-friend"), ("| port>S2", "target-lost"), ("| port>S3", "target-unknown"),
        ("| ahead>S1", "no-guns"), ("| board:S1", ""), ("| board:E4", ""), ("| board:E1", "boarding-friend"),
        ("| secure:S1", ""), ("| secure:S2", "no-prize"), ("| secure:E1", "no-prize"), ("| secure:Z", "prize-unknown"),
    ],
)  # fmt: skip
def test_enemies_must_be_afloat_and_present_and_guns_must_exist(sea: Battle, line: str, fault: str) -> None:
    assert codes(sea, line) == ([f"order/{fault}"] if fault else [])


@pytest.mark.clause("T.O6i")
def test_a_prize_neither_fires_nor_boards(sea: Battle) -> None:
    assert codes(sea, "3 | port>E1", side="SPA", code="E4") == ["order/prize"]
    assert codes(sea, "| board:E1", side="SPA", code="E4") == ["order/prize"]


@pytest.mark.clause("T.S25")
def test_nothing_is_ordered_under_a_rule_that_is_not_in_play() -> None:
    rules = ("opt_boats", "opt_towing", "opt_crews", "opt_surrender", "opt_founder")
    without = battle(
        ship("E1"), ship("E2", x=3_000), revenge("S1", y=9_000), options=dict.fromkeys(rules, False)
    )
    line = "boats tow:E2 | gunners:2 strike:yes jettison:yes"
    found = faults(without, "ENG", "E1", parse(line))
    assert {fault.code for fault in found} == {"order/no-such-rule"}
    assert {fault.clause for fault in found} == {"T.O1", "T.O3", "T.O5", "T.O6", "T.O7"}
    played = battle(ship("E1"), ship("E2", x=3_000), revenge("S1", y=9_000))
    assert faults(played, "ENG", "E1", parse(line)) == ()


@pytest.mark.parametrize(
    "line",
    [
        *(f"| {word}:{answer}" for word in WORDS for answer in ("yes", "no", "YES")),
        *(f"| alongside:{word}" for word in ("board", "cut", "hold")),
        *(f"| {place}>S1" for place in ("port", "starboard", "ahead", "astern", "PORT")),
        "boats", "heave-to", "sail", "cut-cable", "P1", "s135.25", "0", "999.999", "tow:S", "| gunners:0", "| gunners:9999",
        "| secure:S1=9999", "| irons:P1", "5" + " " * (LONGEST - 1),
    ],
)  # fmt: skip
def test_every_word_that_the_help_names_is_read(line: str) -> None:
    assert refusal(line) == ""


@pytest.mark.parametrize(
    "line", ["P1000", "P1.234", "1000", "1.2345", "| gunners:10000", "| secure:S1=10000", "T1"]
)
def test_a_number_with_too_many_digits_is_not_read(line: str) -> None:
    assert refusal(line)


def refusal(line: str) -> str:
    """Why a line is not read, "" when it is."""
    try:
        parse(line)
    except NotationError as error:
        return str(error)
    return ""
