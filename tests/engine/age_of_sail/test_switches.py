"""The switches of the set: what each is left alone, and what it may be. Rule: A.G38."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.age_of_sail.options import OPTIONS, option_faults, polygons, with_defaults

SQUARE = [[0, 0], [0, 9], [9, 9]]


@pytest.mark.clause("A.G38", "A.T4", "A.T9", "A.V1", "A.M4", "A.D4", "A.W3")
@pytest.mark.parametrize(
    ("name", "default", "good", "bad"),
    [
        ("wind_start", "scenario", ["set"], ["chart", None]),
        ("theatre", None, ["atlantic", "mediterranean", "caribbean", None], ["baltic", 1]),
        ("wind_dice", True, [False], [0, "no"]), ("no_sail", 45, [22, 45], [21, 23, 44, 46, True, "45"]),
        ("stern_arc", "quadrant", ["astern"], ["stern"]),
        ("block_line", True, [False], [1]), ("privateers_as_pirates", False, [True], [0]), ("first_mover", None, ["E", None], [1, True]),
        ("last_round", 30, [1, 500], [0, 501, True, 1.5]),
        (
            "coast", (), [[], [SQUARE], [SQUARE, SQUARE]],
            [1, [1], [SQUARE[:2]], [[*SQUARE[:2], [2]]], [[*SQUARE, [2, 3, 4]]], [[*SQUARE, [2, 2.5]]], [[*SQUARE, 1]], [SQUARE, 1]],
        ),
        (
            "shoals", (), [[[[-10_000_000, 0], [10_000_000, 0], [0, 1]]]],
            [[[[-10_000_001, 0], [1, 0], [0, 1]]], [[[0, 10_000_001], [1, 0], [0, 1]]]],
        ),
    ],
)  # fmt: skip
def test_each_option_has_its_usual_setting_and_its_limits(
    name: str, default: Any, good: list[Any], bad: list[Any]
) -> None:
    assert OPTIONS[name].default == default
    for value in good:
        assert [*option_faults({name: value})] == [], value
    for value in bad:
        assert [row[0] for row in option_faults({name: value})] == [name], value
    if name in ("coast", "shoals"):
        assert polygons({name: [SQUARE]}, name) == (((0, 0), (0, 9), (9, 9)),)
        assert polygons({}, name) == ()
    else:
        assert with_defaults({})[name] == default and with_defaults({name: good[0]})[name] == good[0]
    assert [row[0] for row in option_faults({"oars": 1})] == ["oars"]


@pytest.mark.clause("A.G38")
def test_each_switch_names_its_clause() -> None:
    assert {name: option.clause for name, option in OPTIONS.items()} == {
        "wind_start": "A.W3", "theatre": "A.W3", "wind_dice": "A.W5", "no_sail": "A.M4", "stern_arc": "A.D4", "block_line": "A.F10",
        "privateers_as_pirates": "A.C12", "first_mover": "A.S3", "coast": "A.T9", "shoals": "A.T4", "last_round": "A.V1",
    }  # fmt: skip
