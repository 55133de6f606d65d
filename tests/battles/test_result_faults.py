"""What a battle's result sheet may contain, and the error for everything else."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.core.crews import prize_crew
from battles.engine.core.fates import Flag
from battles.roster import entered
from battles.services.fighting import canonical_json
from battles.services.outcomes import ENDED, SETTLED, blank, outcome_faults
from tests.support.table import MEN, scenario, table_battle

pytestmark = pytest.mark.clause("G.BT2", "G.BT3")

HULL = entered(table_battle())["ENG001"].card["hull_max"]
SOUND = {"schema": 1, "hits_struct": 0, "hits_board": 0, "flag_officer_ok": True}
TAKEN = {"fate": "captured", "captor": "NLD", "captor_ship": "NLD001"}
NOT_TAKEN = "Ship ENG001: a ship that was not captured has no captor, prize crew or prisoners."
FIGURES = "Ship ENG001: men and hits must be whole numbers."
MINUTES = "A battle lasts from 1 minute to 14 days. Correct the minutes."
TURNS = "The number of battle turns must be a whole number."


def sheet(lines: dict[str, dict[str, Any]] | None = None, **changes: Any) -> dict[str, Any]:
    """A result in which nothing happened but what is said, by ship."""
    good = blank(table_battle())
    ships = [{**row, **(lines or {}).get(row["ship"], {})} for row in good["ships"]]
    return {**good, "ships": ships, **changes}


def faults(document: Any) -> tuple[str, ...]:
    return outcome_faults(battle=table_battle(), document=document)


def first(**line: Any) -> tuple[str, ...]:
    """What is said of a sheet on which the first English ship has this line."""
    return faults(sheet({"ENG001": line}))


def test_an_empty_sheet_is_a_battle_in_which_nothing_happened() -> None:
    assert blank(table_battle()) == {
        "schema": 1,
        "rule_set": "kohler",
        "turns": 30,
        "minutes": 900,
        "ended": "parted",
        "held_field": "",
        "wind": {"from": 225, "strength": "moderate"},
        "ships": [
            {
                "ship": code, "side": code[:3], "fate": "afloat", "flags": [], "captor": "", "captor_ship": "",
                "prize_crew": 0, "prisoners": 0, "hits_given": 0, "hits_taken": 0, "position": None, "cause": "",
                "condition": SOUND,
            }
            for code in MEN
        ],
        "officers": [],
    }  # fmt: skip
    assert faults(blank(table_battle())) == ()


def test_an_empty_sheet_is_as_long_as_the_scenario_says() -> None:
    battle = table_battle(document=scenario(turn_limit=5, wind=None, options=None))

    assert (blank(battle)["turns"], blank(battle)["minutes"], blank(battle)["wind"]) == (5, 150, {})


@pytest.mark.clause("T.C3")
@pytest.mark.parametrize(
    ("options", "minutes"),
    [({"hours_per_move": 0.75}, 135), ({"hours_per_move": 1}, 180), ({}, 270), (None, 270)],
)
def test_an_empty_sheet_counts_time_by_the_switches_of_its_rules(options: Any, minutes: int) -> None:
    battle = table_battle(rule_set="thomas", document=scenario(turn_limit=3, options=options))

    assert blank(battle)["minutes"] == minutes


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"minutes": 0}, [MINUTES]),
        ({"minutes": 1}, []),
        ({"minutes": 20_160}, []),
        ({"minutes": 20_161}, [MINUTES]),
        ({"minutes": True}, [MINUTES]),
        ({"minutes": 90.0}, [MINUTES]),
        ({"turns": -1}, [TURNS]),
        ({"turns": 0}, []),
        ({"turns": 2.0}, [TURNS]),
        ({"turns": False}, [TURNS]),
        ({"held_field": "ENG"}, []),
        ({"held_field": "FRA"}, ["The field must be held by one of the sides or by neither."]),
        (
            {"ended": "tired"},
            [
                "'tired' is not a way in which a battle can end. Use one of parted, beaten, nightfall, limit, gale."
            ],
        ),
        (
            {"rule_set": "thomas"},
            ["This result is for rule set 'thomas', but the battle uses 'kohler'."],
        ),
        ({"minutes": 0, "turns": -1}, [MINUTES, TURNS]),
    ],
)
def test_the_whole_result_is_within_bounds(changes: dict[str, Any], said: list[str]) -> None:
    assert faults(sheet(**changes)) == tuple(said)


@pytest.mark.parametrize("end", ["parted", "beaten", "nightfall", "limit", "gale"])
def test_a_battle_ends_in_one_of_five_ways(end: str) -> None:
    assert end in ENDED
    assert faults(sheet(ended=end)) == ()


def test_a_tabletop_result_may_set_every_flag_on_a_ship_except_struck() -> None:
    assert set(SETTLED) == set(Flag) - {Flag.STRUCK}


def test_every_ship_that_goes_in_comes_out() -> None:
    rows = sheet()["ships"]
    assert faults(sheet(ships=rows[1:])) == ("The ships do not match the roster: ENG001.",)
    assert faults(sheet(ships=[*rows, rows[2]])) == ("The ships do not match the roster: NLD001.",)
    strangers = [{**rows[0], "ship": f"X{n}"} for n in range(1, 10)]
    assert faults(sheet(ships=[*rows, *strangers])) == (
        "The ships do not match the roster: X1, X2, X3, X4, X5, X6, X7, X8.",
    )


def test_a_result_file_may_have_up_to_a_million_bytes() -> None:
    room = 1_000_000 - len(canonical_json(sheet()))

    assert first(cause="x" * room) == ()
    assert first(cause="x" * (room + 1)) == (
        "This document is too long for a result. Check what you pasted.",
    )


def test_a_file_that_is_not_a_battle_result_is_refused_with_a_reason() -> None:
    for document in ([], {}, {"schema": 2}, sheet(officers=[{"rank": "captain"}]), sheet(wind={1: object()})):
        (said,) = faults(document)
        assert said.startswith("This is not a valid result document: ")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"side": "NLD"}, ["Ship ENG001: the ship fought for ENG, not for NLD."]),
        ({"hits_given": -1}, [FIGURES]),
        ({"hits_taken": -1}, [FIGURES]),
        ({"hits_given": True}, [FIGURES]),
        ({"hits_given": 1.0}, [FIGURES]),
        ({"hits_given": 3, "hits_taken": 2}, []),
        ({**TAKEN, "prize_crew": -1}, [FIGURES]),
        ({**TAKEN, "prisoners": -1}, [FIGURES]),
        ({"men": -1}, ["Ship ENG001: more men are left than the ship had."]),
        ({"men": 0}, []),
        ({"men": 200}, []),
        ({"men": 201}, ["Ship ENG001: more men are left than the ship had."]),
        ({"men": True}, ["Ship ENG001: more men are left than the ship had."]),
        ({"flags": ["withdrew", "aground", "disabled"]}, []),
        (
            {"flags": ["struck"]},
            ["Ship ENG001: the ship has struck. Enter it as captured, or as no longer struck (G.BT3)."],
        ),
        ({"captor": "NLD"}, [NOT_TAKEN]),
        ({"captor_ship": "NLD001"}, [NOT_TAKEN]),
        ({"prize_crew": 1}, [NOT_TAKEN]),
        ({"prisoners": 1}, [NOT_TAKEN]),
        ({"fate": "sunk", "prisoners": 1}, [NOT_TAKEN]),
    ],
)
def test_a_ships_line_is_within_bounds(line: dict[str, Any], said: list[str]) -> None:
    assert first(**line) == tuple(said)


@pytest.mark.parametrize(
    ("hits", "line", "said"),
    [
        (HULL - 1, {}, []),
        (HULL, {}, ["Ship ENG001: the hull is destroyed, so the ship cannot be afloat."]),
        (HULL - 1, TAKEN, []),
        (HULL, TAKEN, ["Ship ENG001: the hull is destroyed, so the ship cannot be afloat."]),
        (HULL, {"fate": "sunk"}, []),
    ],
)
def test_only_a_ship_with_some_hull_left_is_afloat(hits: int, line: dict[str, Any], said: list[str]) -> None:
    assert first(condition={**SOUND, "hits_struct": hits}, **line) == tuple(said)


@pytest.mark.parametrize(
    "condition", [{"schema": 9}, {**SOUND, "hits_board": HULL + 1}, {**SOUND, "hits_struct": "three"}]
)
def test_a_condition_unknown_to_the_rules_of_a_ship_is_refused(condition: dict[str, Any]) -> None:
    (said,) = first(condition=condition, fate="sunk")
    assert said.startswith("Ship ENG001: the condition is not valid: ")


@pytest.mark.clause("G.PR1")
@pytest.mark.parametrize(
    ("by", "said"),
    [
        ({"captor": "NLD", "captor_ship": "NLD002"}, []),
        ({}, ["Ship ENG001: a captured ship needs a captor, and a ship of that side that took it (G.PR1)."]),
        (
            {"captor": "ENG", "captor_ship": "NLD002"},
            ["Ship ENG001: a captured ship needs a captor, and a ship of that side that took it (G.PR1)."],
        ),
        (
            {"captor": "ENG", "captor_ship": "ENG002"},
            ["Ship ENG001: a ship cannot be captured by its own side."],
        ),
        (
            {"captor": "NLD", "captor_ship": "NLD001"},
            ["Ship ENG001: Ship NLD001, which took this ship, is not afloat itself."],
        ),
    ],
)
def test_a_prize_has_an_afloat_captor_from_another_side(by: dict[str, str], said: list[str]) -> None:
    document = sheet({"ENG001": {"fate": "captured", **by}, "NLD001": {"fate": "burnt"}})

    assert faults(document) == tuple(said)


@pytest.mark.clause("G.PR1")
@pytest.mark.parametrize(
    ("crews", "prisoners", "said"),
    [
        ((100, 60), (200, 180), []),
        ((100, 61), (0, 0), ["Ship NLD001 cannot send away more men than it has."]),
        ((160, 0), (0, 0), []),
        ((0, 161), (0, 0), ["Ship NLD001 cannot send away more men than it has."]),
        ((0, 0), (201, 0), ["Ship ENG001: there are more prisoners than the ship had men."]),
        ((0, 0), (0, 181), ["Ship ENG002: there are more prisoners than the ship had men."]),
    ],
)
def test_no_ship_sends_away_or_holds_more_men_than_exist(
    crews: tuple[int, int], prisoners: tuple[int, int], said: list[str]
) -> None:
    lines = {
        code: {**TAKEN, "prize_crew": crew, "prisoners": held}
        for code, crew, held in zip(("ENG001", "ENG002"), crews, prisoners, strict=True)
    }

    assert faults(sheet(lines)) == tuple(said)


def test_errors_in_the_whole_result_come_first_and_those_in_crews_last() -> None:
    bad = {"ENG001": {**TAKEN, "prize_crew": 161}, "ENG002": {"side": "NLD"}}

    assert faults(sheet(bad, minutes=0)) == (MINUTES,)
    assert faults(sheet(bad)) == ("Ship ENG002: the ship fought for ENG, not for NLD.",)


@pytest.mark.clause("G.PR1")
@pytest.mark.parametrize(
    ("men", "complement", "hands"),
    [
        (0, 0, 0),
        (1, 0, 1),
        (5, 0, 1),
        (6, 0, 2),
        (0, 10, 1),
        (0, 11, 2),
        (3, 4, 1),
        (4, 4, 2),
        (180, 200, 56),
    ],
)
def test_a_prize_takes_a_fifth_of_her_prisoners_and_a_tenth_of_her_complement_rounded_up(
    men: int, complement: int, hands: int
) -> None:
    assert prize_crew(men, complement) == hands
