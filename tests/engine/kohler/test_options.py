"""The switches of the rule set: defaults, allowed values, and the error for a wrong one."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.kohler.options import LAST_TURN, OPTIONS, option_faults, with_defaults

DEFAULTS: dict[str, tuple[Any, str]] = {
    "double_six": ("shift", "K.W5"),
    "weather": (True, "K.W7"),
    "wind_mode": ("dice", "K.W8"),
    "wind_script": ([], "K.W8"),
    "wind_start": ("scenario", "K.W1"),
    "disorder": (None, "K.S8"),
    "english_disorder_bonus": (False, "K.A2.13"),
    "lof_blocking": (True, "K.F5"),
    "half_points": ("lower", "K.F15"),
    "boarding_round": ("up", "K.B18"),
    "small_target_limit": ("under_30", "K.F10"),
    "last_turn": (None, "K.G9"),
    "visibility": (None, "K.I4"),
    "at_anchor": ({}, "K.S9"),
    "initiative": ({}, "K.I1"),
}


@pytest.mark.clause("K.S8", "K.W8", "K.G9")
def test_every_option_has_its_usual_setting_and_its_clause() -> None:
    assert with_defaults({}) == {name: default for name, (default, _) in DEFAULTS.items()}
    assert {name: option.clause for name, option in OPTIONS.items()} == {
        name: clause for name, (_, clause) in DEFAULTS.items()
    }
    assert LAST_TURN == 30
    assert not list(option_faults(with_defaults({})))


def row(**over: Any) -> list[dict[str, Any]]:
    """A wind script of one row."""
    return [{"turn": 1, **over}]


RIGHT: list[tuple[str, tuple[Any, ...]]] = [
    ("double_six", ("shift", "hold")),
    ("weather", (True, False)),
    ("wind_mode", ("dice", "fixed", "scripted")),
    ("wind_start", ("scenario", "random")),
    ("disorder", (None, True, False)),
    ("english_disorder_bonus", (True, False)),
    ("lof_blocking", (True, False)),
    ("half_points", ("lower", "upper")),
    ("boarding_round", ("up", "down")),
    ("small_target_limit", ("under_30", "20_or_fewer")),
    ("last_turn", (None, 1, 500)),
    ("visibility", (None, 1, 99)),
    ("at_anchor", ({}, {"a": 1}, {"a": 500})),
    ("initiative", ({}, {"a": -9}, {"a": 20})),
    (
        "wind_script",
        (
            [],
            (),
            row(),
            row(turn=500),
            row(towards=0),
            row(towards=359, strength="strong"),
            *(row(strength=word) for word in ("still", "light", "moderate", "gale")),
        ),
    ),
]
WRONG: list[tuple[str, tuple[Any, ...]]] = [
    ("double_six", ("dice", None, True)),
    ("weather", (None, 1, 0, "yes")),
    ("wind_mode", ("calm", None)),
    ("wind_start", ("dice", 3)),
    ("disorder", (1, "yes")),
    ("english_disorder_bonus", (None, 1)),
    ("lof_blocking", (None, 0)),
    ("half_points", ("middle", None)),
    ("boarding_round", ("left", None)),
    ("small_target_limit", ("under_20", 30)),
    ("last_turn", (0, 501, -1, True, 2.0, "7")),
    ("visibility", (0, 100, True, 3.5)),
    ("at_anchor", (None, [], {"a": 0}, {"a": 501}, {"a": True}, {"a": 1, "b": "2"})),
    ("initiative", (None, [3], {"a": -10}, {"a": 21}, {"a": False}, {"a": 4, "b": None})),
    (
        "wind_script",
        (
            None,
            "calm",
            {"turn": 1},
            [1],
            [{}],
            [{"towards": 5}],
            row(turn=0),
            row(turn=501),
            row(turn=True),
            row(towards=-1),
            row(towards=360),
            row(towards=None),
            row(strength="storm"),
            row(strength=None),
            row(gusts=1),
            [*row(), {"turn": "2"}],
        ),
    ),
]


@pytest.mark.parametrize(("name", "values"), RIGHT, ids=[name for name, _ in RIGHT])
def test_a_switch_accepts_its_values(name: str, values: tuple[Any, ...]) -> None:
    for value in values:
        assert not list(option_faults({name: value})), value


@pytest.mark.parametrize(("name", "values"), WRONG, ids=[name for name, _ in WRONG])
def test_values_that_a_switch_refuses_are_named_with_the_accepted_ones_and_the_clause(
    name: str, values: tuple[Any, ...]
) -> None:
    for value in values:
        ((where, text),) = option_faults({name: value})
        assert where == name
        assert text.startswith(repr(value)) and OPTIONS[name].words in text and OPTIONS[name].clause in text


def test_an_unknown_switch_is_refused_with_the_known_ones() -> None:
    ((where, text),) = option_faults({"fog": 1})
    assert where == "fog"
    assert all(name in text for name in DEFAULTS)


def test_chosen_values_replace_the_defaults_and_are_not_shared() -> None:
    rows, values, until = row(towards=9), {"a": 4}, {"b": 5}
    given = {"wind_script": tuple(rows), "initiative": values, "at_anchor": until, "weather": False}
    chosen = with_defaults(given)
    assert chosen == {**with_defaults({}), **given, "wind_script": rows}
    chosen["wind_script"][0]["turn"] = 9
    chosen["initiative"]["a"] = chosen["at_anchor"]["b"] = 0
    assert (rows[0]["turn"], values, until) == (1, {"a": 4}, {"b": 5})


@pytest.mark.clause("K.W8")
@pytest.mark.parametrize(
    "line",
    [
        {"turn": 1, "towards": 0}, {"turn": 500, "towards": 359}, {"turn": 1, "strength": "gale"}, {"turn": 1},
        {"turn": 2, "towards": 90, "strength": "light"},
    ],
)  # fmt: skip
def test_a_line_of_the_wind_script_may_name_a_bearing_or_a_strength_or_both_or_neither(
    line: dict[str, Any],
) -> None:
    assert OPTIONS["wind_script"].allows([line])
