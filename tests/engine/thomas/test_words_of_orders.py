"""Each word of an order by itself, and each error in an order in the present state. Rules: T.B4, T.S19, T.S25, section 15."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.errors import NotationError
from battles.engine.core.orders import LONGEST
from battles.engine.rulesets.thomas.notation import parse, render
from battles.engine.rulesets.thomas.play import Course, Orders
from battles.engine.rulesets.thomas.refusals import faults
from battles.engine.rulesets.thomas.state import Status
from battles.engine.rulesets.thomas.tables import Arc, Kind
from tests.engine.thomas.builders import batteries, battle, revenge, ship


def read(line: str) -> Orders | str:
    """The orders of a line, or what is said against it."""
    try:
        return parse(line)
    except NotationError as error:
        return str(error)


WORDS: dict[str, Orders] = {
    "": Orders(),
    "-": Orders(Course()),
    "boats": Orders(Course(boats=True)),
    "heave-to": Orders(Course(heave_to=True)),
    "sail": Orders(Course(raise_sail=True)),
    "cut-cable": Orders(Course(cut_cable=True)),
    "Boats HEAVE-TO": Orders(Course(boats=True, heave_to=True)),
    "tow:S1": Orders(Course(take_in_tow="S1")),
    "TOW:x": Orders(Course(take_in_tow="x")),
    "tow:a%20b": Orders(Course(take_in_tow="a b")),
    "S1": Orders(Course(turn1=100)),
    "P1": Orders(Course(turn1=-100)),
    "s0.01": Orders(Course(turn1=1)),
    "p999.99": Orders(Course(turn1=-99_999)),
    "0.001": Orders(Course(distance=1)),
    "999.999": Orders(Course(distance=999_999)),
    "P5 2 S5": Orders(Course(-500, 2_000, 500)),
    "2 S5": Orders(Course(0, 2_000, 500)),
    "| port>S1": Orders(targets={Arc.PORT: "S1"}),
    "| STARBOARD>S1": Orders(targets={Arc.STARBOARD: "S1"}),
    "| ahead>S1 astern>-": Orders(targets={Arc.AHEAD: "S1", Arc.ASTERN: ""}),
    "| port>a:b": Orders(targets={Arc.PORT: "a:b"}),
    "| port>a%3Eb": Orders(targets={Arc.PORT: "a>b"}),
    "| board:S1": Orders(board=("S1",)),
    "| board:S1 board:S2 Board:S3": Orders(board=("S1", "S2", "S3")),
    "| board:-": Orders(board=()),
    "| board:a>b": Orders(board=("a>b",)),
    "| board:%2D": Orders(board=("-",)),
    "| secure:S1": Orders(secure={"S1": -1}),
    "| secure:S1=0": Orders(secure={"S1": 0}),
    "| secure:S1=9999 SECURE:S2": Orders(secure={"S1": 9_999, "S2": -1}),
    "| secure:-": Orders(secure={}),
    "| secure:a%3Db=2": Orders(secure={"a=b": 2}),
    "| alongside:board": Orders(alongside="board"),
    "| alongside:CUT": Orders(alongside="cut"),
    "| alongside:hold": Orders(alongside="hold"),
    "| gunners:0": Orders(gunners=0),
    "| gunners:12": Orders(gunners=12),
    "| irons:P45": Orders(irons_turn=-4_500),
    "| irons:s22.5": Orders(irons_turn=2_250),
    "| underway:yes": Orders(under_way=True),
    "| hoist:yes": Orders(dishonour=True),
    "| oars:no": Orders(to_oars=False),
    "| castoff:yes": Orders(cast_off=True),
    "| withdraw:no": Orders(withdraw=False),
    "| cut:yes": Orders(cut=True),
    "| join:YES": Orders(join=True),
    "| jettison:no": Orders(jettison=False),
    "| strike:yes": Orders(strike=True),
    "| SAVE:no": Orders(save=False),
    "5 |": Orders(Course(distance=5_000)),
}


@pytest.mark.clause("T.B4", "T.B10f", "T.B12b", "T.B12l", "T.O6d", "T.B7b")
@pytest.mark.parametrize("line", WORDS)
def test_every_word_of_an_order_is_read_and_can_be_written(line: str) -> None:
    assert read(line) == WORDS[line]
    assert read(render(WORDS[line])) == WORDS[line]


WRONG: dict[str, str] = {
    "S5 S6 2": "'S6' is one too many: there is already a first turn (put a second one after the distance) here",
    "2 S5 S6": "'S6' is one too many: there is already a second turn here",
    "2 3": "'3' is one too many: there is already a distance here",
    "tow:a tow:b": "'tow:b' is one too many: there is already a ship to tow here",
    "| gunners:1 gunners:2": "'gunners:2' is one too many: there is already a gunners here",
    "| cut:yes cut:yes": "'cut:yes' is one too many: there is already a cut here",
    "| port>S1 port>S2": "port has two targets; give each group one",
    "| board:S1 board:S1": "'board:S1' contradicts or repeats an earlier order",
    "| board:S1 board:-": "'board:-' contradicts or repeats an earlier order",
    "| board:- board:S1": "'board:S1' contradicts or repeats an earlier order",
    "| secure:S1 secure:S1": "'secure:S1' contradicts or repeats an earlier order",
    "| secure:- secure:S1": "'secure:S1' contradicts or repeats an earlier order",
    "| secure:S1 secure:-": "'secure:-' contradicts an earlier order",
    "| secure:- secure:-": "'secure:-' contradicts an earlier order",
    "| secure:=3": "'secure:=3' is not a prize to secure: use secure:ship=men, or secure:ship",
    "| secure:S1=": "'secure:S1=' is not a prize to secure: use secure:ship=men, or secure:ship",
    "| secure:S1=10000": "'secure:S1=10000' is not a prize to secure: use secure:ship=men, or secure:ship",
    "| port>": "'port>' is not a target: use port, starboard, ahead or astern > ship, or > - to hold fire",
    "| bow>S1": "'bow>S1' is not a target: use port, starboard, ahead or astern > ship, or > - to hold fire",
}


@pytest.mark.parametrize("line", WRONG)
def test_contradictions_and_repetitions_are_reported_in_words(line: str) -> None:
    assert read(line) == WRONG[line]


@pytest.mark.parametrize(
    "word",
    ["board:", "secure:", "strike:", "strike:maybe", "yes", "alongside:", "alongside:run", "gunners:", "gunners:many",
     "gunners:10000", "irons:", "irons:45", "dance:yes", "port", "S1", "X"],
)  # fmt: skip
def test_unknown_words_to_the_right_of_the_bar_are_refused(word: str) -> None:
    assert str(read(f"| {word}")).startswith(
        f"{word!r} is not known here: use group>ship, board:ship, secure:ship=men,"
    )


@pytest.mark.parametrize(
    "word", ["tow:", "port>S1", "X45", "S", "S1000", "S1.234", "1000", "1.2345", "-1", "+1", "--"]
)
def test_words_that_are_not_movement_are_refused_to_the_left_of_the_bar(word: str) -> None:
    told = read(f"{word} 1") if word != "1000" else read("1000")
    assert str(told).startswith(
        f"{word!r} is not a movement: use P or S with degrees, inches, boats, heave-to"
    )


def test_a_line_has_a_limit_of_characters() -> None:
    assert read("-" + " " * (LONGEST - 1)) == Orders(Course())
    assert read("-" + " " * LONGEST) == f"the order has {LONGEST + 1} characters; up to {LONGEST} are allowed"
    assert LONGEST == 4_000


@pytest.mark.parametrize(
    ("orders", "line"),
    [
        (Orders(Course(turn2=100)), "0 S1"), (Orders(Course(-50, 1, 0)), "P0.5 0.001"), (Orders(Course(0, 10_000)), "10"),
        (Orders(Course(100, 0, 0, True, True, True, True, "E 2")), "S1 boats heave-to sail cut-cable tow:E%202"),
        (Orders(board=()), "| board:-"), (Orders(secure={}), "| secure:-"),
        (Orders(secure={"a=b": 0, "c": -1}), "| secure:a%3Db=0 secure:c"),
        (Orders(targets={Arc.PORT: "-"}), "| port>%2D"), (Orders(irons_turn=-4_500), "| irons:P45"),
        (Orders(under_way=False, save=True), "| underway:no save:yes"), (Orders(), ""), (Orders(Course()), "-"),
        (Orders(Course(0, 120)), "0.12"), (Orders(Course(3_000, 0, 0)), "S30"),
    ],
    ids=str,
)  # fmt: skip
def test_orders_are_written_briefly(orders: Orders, line: str) -> None:
    assert render(orders) == line
    assert read(line) == orders


def found(
    line: str, *, change: dict[str, Any] | None = None, other: dict[str, Any] | None = None, **options: bool
) -> list[str]:
    one = ship("E1", **(change or {}))
    made = battle(one, ship("E2", x=3_000, **(other or {})), revenge("S1", y=3_000), options=options)
    return [f"{fault.clause} {fault.text}" for fault in faults(made, "ENG", "E1", parse(line))]


@pytest.mark.clause("T.B4", "T.B2a")
@pytest.mark.parametrize(
    ("line", "change", "told"),
    [
        ("S45 0 P45", {}, []), ("P45.01", {}, ["T.B4 Ship E1, first turn: 45.01 degrees; it can turn up to 45."]),
        ("0 S45.01", {}, ["T.B4 Ship E1, second turn: 45.01 degrees; it can turn up to 45."]),
        ("S90", {"oar_turn": 9_000}, []),
        ("S90.01", {"oar_turn": 9_000}, ["T.B4 Ship E1, first turn: 90.01 degrees; it can turn up to 90."]),
        ("10", {}, []), ("10.001", {}, ["T.B2a Ship E1: 10.001 inches; it can never sail or row more than 10."]),
        ("12", {"oar_speed": 12_000}, []),
        ("12.5", {"oar_speed": 12_000}, ["T.B2a Ship E1: 12.5 inches; it can never sail or row more than 12."]),
    ],
    ids=str,
)  # fmt: skip
def test_an_order_that_no_wind_would_allow_is_refused(
    line: str, change: dict[str, Any], told: list[str]
) -> None:
    assert found(line, change=change) == told


@pytest.mark.clause("T.O6a", "T.O1c", "T.O4f", "T.O4e", "T.S22", "T.O3", "T.S4a", "T.O6i")
@pytest.mark.parametrize(
    ("line", "change", "other", "told"),
    [
        ("1", {"struck": True}, {}, ["T.O6a Ship E1 has struck and must not move."]), ("-", {"struck": True}, {}, []),
        ("1", {"struck": True, "secured": True}, {}, []),
        ("boats", {"kind": Kind.PINNACE, "oar_speed": 1}, {}, ["T.O1c Ship E1 has oars and needs no boats to tow it."]),
        ("boats", {}, {}, []), ("sail", {}, {}, ["T.O4f Ship E1 has no oars, so it cannot change to sails."]),
        ("sail", {"kind": Kind.PINNACE, "oar_speed": 1}, {}, []), ("cut-cable", {}, {}, ["T.S22 Ship E1 is not at anchor."]),
        ("cut-cable", {"anchored": True}, {}, []), ("tow:E2", {}, {}, []),
        ("tow:E2", {}, {"status": Status.SUNK}, ["T.O3 Ship E1 cannot take Ship E2 in tow."]),
        ("tow:E2", {}, {"prize_of": "SPA"}, ["T.O3 Ship E1 cannot take Ship E2 in tow."]),
        ("tow:E2", {}, {"status": Status.EXPECTED}, ["T.O3 Ship E1, tow: there is no ship 'E2' in this battle."]),
        ("tow:E1", {}, {}, ["T.O3 Ship E1 cannot take Ship E1 in tow."]),
        ("| oars:yes", {}, {}, ["T.O4e Ship E1 has no oars."]), ("| oars:no", {}, {}, []),
        ("| oars:yes", {"kind": Kind.PINNACE, "oar_speed": 1}, {}, []),
        ("| port>-", {"batteries": []}, {}, ["T.S4a Ship E1 has no battery facing port."]),
        ("| ahead>S1", {}, {}, ["T.S4a Ship E1 has no battery facing ahead."]),
        ("| secure:E2=3 secure:S1", {}, {}, []), ("| secure:E1", {}, {}, ["T.O6d Ship E1: Ship E1 is not a prize to secure."]),
        ("| secure:E2", {}, {"status": Status.WITHDRAWN}, ["T.O6d Ship E1: Ship E2 is not a prize to secure."]),
        ("| secure:E2", {}, {"status": Status.EXPECTED}, ["T.O6d Ship E1: there is no ship 'E2' in this battle."]),
        ("| secure:X", {}, {}, ["T.O6d Ship E1: there is no ship 'X' in this battle."]),
        ("| board:S1 board:E2", {}, {}, ["T.B12b Ship E1, boarding: Ship E2 is under your flag."]),
        ("| board:E2", {}, {"prize_of": "SPA"}, []),
        ("| board:X", {}, {}, ["T.B12b Ship E1, boarding: there is no ship 'X' in this battle."]),
        ("| port>E2", {}, {"prize_of": "SPA", "status": Status.SUNK}, ["T.B10c Ship E1, target: Ship E2 is gone."]),
        ("| port>-", {}, {}, []),
    ],
    ids=str,
)  # fmt: skip
def test_every_error_names_the_ship_the_problem_and_its_clause(
    line: str, change: dict[str, Any], other: dict[str, Any], told: list[str]
) -> None:
    assert found(line, change=change, other=other) == told


@pytest.mark.clause("T.O6i")
@pytest.mark.parametrize(
    ("line", "faulty"),
    [("| port>S1", True), ("| port>-", False), ("| board:S1", True), ("| board:-", False), ("1", False)],
)
def test_a_prize_may_be_ordered_not_to_fight(line: str, faulty: bool) -> None:
    prize = revenge("S9", side="SPA", prize_of="ENG", secured=True)
    made = battle(ship("E1"), prize, revenge("S1", y=3_000))
    told = [fault.code for fault in faults(made, "ENG", "S9", parse(line))]
    assert told == (["order/prize"] if faulty else [])


@pytest.mark.clause("T.S25", "T.O1", "T.O3", "T.O4", "T.O5", "T.O6", "T.O7")
@pytest.mark.parametrize(
    ("option", "line", "told"),
    [
        ("opt_boats", "boats", "T.O1 Ship E1: nothing is towed by boats in this battle."),
        ("opt_towing", "tow:E2", "T.O3 Ship E1: nothing is taken in tow in this battle."),
        ("opt_oars", "| oars:yes", "T.O4 Ship E1: nothing is rowed in this battle."),
        ("opt_crews", "| gunners:0", "T.O5 Ship E1: nothing is held back at the guns in this battle."),
        ("opt_surrender", "| strike:yes", "T.O6 Ship E1: nothing is surrendered in this battle."),
        ("opt_founder", "| jettison:yes", "T.O7 Ship E1: nothing is thrown overboard in this battle."),
    ],
)
def test_each_optional_rule_has_its_own_refusal(option: str, line: str, told: str) -> None:
    rows = {"kind": Kind.PINNACE, "oar_speed": 1} if option == "opt_oars" else {}
    assert found(line, change=rows, **{option: False}) == [told]
    assert found(line, change=rows) == []
    for harmless in ("1", "| oars:no strike:no jettison:no"):
        assert found(harmless, change=rows, **{option: False}) == []


@pytest.mark.clause("T.S19", "T.S23", "T.S16", "T.S20")
def test_a_ship_that_takes_no_orders_at_all_has_a_reason() -> None:
    rows = {
        "E2": {"status": Status.EXPECTED}, "E3": {"status": Status.WITHDRAWN}, "E4": {"status": Status.SUNK},
        "E5": {"status": Status.BLOWN_UP}, "S2": {"status": Status.EXPECTED},
    }  # fmt: skip
    made = battle(ship("E1"), revenge("S1"), *(ship(code, **change) for code, change in rows.items()))
    told = {
        code: [f"{one.clause} {one.text}" for one in faults(made, "ENG", code, Orders())]
        for code in [*made.ships, "X"]
    }
    assert told == {
        "E1": [], "E2": ["T.S20 Ship E2 has not joined the battle yet."], "E3": ["T.S16 Ship E3 has left the battle."],
        "E4": ["T.S19 Ship E4 is lost and cannot take orders."], "E5": ["T.S19 Ship E5 is lost and cannot take orders."],
        "S1": ["T.S23 Ship S1 is not yours to command."], "S2": ["T.S19 There is no ship 'S2' in this battle."],
        "X": ["T.S19 There is no ship 'X' in this battle."],
    }  # fmt: skip


@pytest.mark.clause("T.S4a")
def test_a_group_whose_guns_are_all_lost_takes_no_target() -> None:
    lost = batteries(0, 0, 1)
    lost[0].lost = True
    assert found("| port>S1 starboard>S1", change={"batteries": lost}) == [
        "T.S4a Ship E1 has no battery facing port."
    ]
