"""Switches: defaults and bounds, and figures of a card set by hand. Rules: section 2, T.S8, T.S25, T.S29."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.thomas import overrides
from battles.engine.rulesets.thomas.card import Card, card
from battles.engine.rulesets.thomas.guns import Mount
from battles.engine.rulesets.thomas.options import OPTIONS, option_faults, with_defaults
from battles.engine.rulesets.thomas.tables import Arc, Gun, Kind
from tests.engine.thomas.test_card import by_type, facts

TRIANGLE = [[0, 0], [5, 0], [0, 5]]


@pytest.mark.clause("T.S25", "T.S14", "T.S15", "T.S17", "T.S24")
def test_every_option_begins_as_the_rules_say() -> None:
    assert with_defaults({}) == {
        "period": "auto", "wind_table": "bands", "wind_setup": "plain", "wind_start": "scenario", "prevailing": None,
        "campaign": False, "opt_boats": True, "opt_masts": True, "opt_towing": True, "opt_oars": True, "opt_crews": True,
        "opt_surrender": True, "opt_founder": True, "nelson_rules": None, "crew_equals_flotation": False, "six_side": "any",
        "block_line": True, "fan_half_angle": 1_500, "drift_move": 1_000, "night_action": False, "minutes_per_move": 90,
        "start_minute": None,
    }  # fmt: skip


@pytest.mark.clause("T.S14", "T.S10", "T.S15", "T.S17")
@pytest.mark.parametrize(
    ("option", "value", "name", "due"),
    [
        ("hours_per_move", 1, "minutes_per_move", 60), ("hours_per_move", 0.05, "minutes_per_move", 3),
        ("hours_per_move", 0.001, "minutes_per_move", 1), ("start_hour", 0, "start_minute", 0),
        ("start_hour", 5.99, "start_minute", 359), ("start_hour", 6.009, "start_minute", 361),
        ("fan_half_angle", 12.345, "fan_half_angle", 1_235), ("drift_move", 0.75, "drift_move", 750),
        ("drift_move", 0.7505, "drift_move", 751), ("drift_move", 0, "drift_move", 0),
    ],
)  # fmt: skip
def test_coarse_units_become_whole_fine_ones_rounded_half_up(
    option: str, value: float, name: str, due: int
) -> None:
    assert with_defaults({option: value})[name] == due


SWITCHES = (
    "campaign", "opt_boats", "opt_masts", "opt_towing", "opt_oars", "opt_crews", "opt_surrender", "opt_founder",
    "crew_equals_flotation", "block_line", "night_action",
)  # fmt: skip
WILL_DO: dict[str, tuple[Any, ...]] = {
    "period": ("auto", "armada", "nelson"),
    "hours_per_move": (0.05, 1, 12),
    "wind_table": ("bands", "literal"),
    "wind_setup": ("plain", "variable"),
    "wind_start": ("scenario", "thrown"),
    "prevailing": (None, "none", 0, 359),
    "start_hour": (None, 0, 23.99),
    "nelson_rules": (None, True, False),
    "six_side": ("any", "engaged"),
    "fan_half_angle": (1, 45, 1.5),
    "drift_move": (0, 4),
    "coast": ((), [TRIANGLE], [[[-10_000_000, 10_000_000], (0, 0), [1, 1], [2, 5]]], [TRIANGLE, TRIANGLE]),
    **dict.fromkeys(SWITCHES, (True, False)),
}
WILL_NOT_DO: dict[str, tuple[Any, ...]] = {
    "period": ("", "modern", None),
    "hours_per_move": (0.04, 12.1, "1", True, None),
    "wind_table": ("printed",),
    "wind_setup": ("none",),
    "wind_start": ("",),
    "prevailing": (-1, 360, "north", 4.5, True),
    "start_hour": (-0.1, 24, "noon", False),
    "nelson_rules": ("yes", 1),
    "six_side": ("left",),
    "fan_half_angle": (0.9, 45.1, True, "15"),
    "drift_move": (-0.1, 4.1, True, None),
    "coast": (
        None, "shore", 7, [7], [[[0, 0], [5, 0]]], [[[0, 0], [5, 0], [0, 5, 1]]], [[[0, 0], [5, 0], [0]]],
        [[[0, 0], [5, 0], [0, 0.5]]], [[[0, 0], [5, 0], [0, True]]], [[[0, 0], [5, 0], 4]], [TRIANGLE, [[0, 0]]],
        [[[0, 0], [5, 0], [0, 10_000_001]]], [[[0, 0], [5, 0], [0, -10_000_001]]],
    ),
    **dict.fromkeys(SWITCHES, ("yes", None, 1)),
}  # fmt: skip


@pytest.mark.clause("T.S25")
@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_an_option_accepts_some_settings_and_refuses_others(name: str) -> None:
    assert [value for value in WILL_DO[name] if list(option_faults({name: value}))] == []
    found = {repr(value): list(option_faults({name: value})) for value in WILL_NOT_DO[name]}
    assert [value for value, told in found.items() if not told] == []
    for value, told in found.items():
        ((field, text),) = told
        assert (field, text) == (
            name,
            f"{value} is not allowed; use {OPTIONS[name].words} ({OPTIONS[name].clause})",
        )


def test_an_unknown_switch_is_named_with_the_known_ones() -> None:
    ((name, text),) = option_faults({"wings": 1})
    assert (name, text) == (
        "wings",
        f"not an option in this rule set; use one of {', '.join(sorted(WILL_DO))}",
    )


BOUNDS: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "tons": ((1, 20_000), (0, 20_001, 1.5, True, "1")),
    "guns": ((0, 200), (-1, 201, 1.5, False)),
    "flotation": ((1, 500), (0, 501, 1.5, True)),
    "crew": ((1, 1_000), (0, 1_001, 1.5, True)),
    "speed": ((0.1, 30), (0, 30.1, -1, True, "5")),
    "turn": ((0.1, 180), (0, 180.1, True)),
    "oar_speed": ((0.1, 30), (0, 30.1, True)),
    "oar_turn": ((0.1, 180), (0, 180.1, True)),
    "length": ((0.1, 6), (0, 6.1, True)),
    "beam": ((0.1, 6), (0, 6.1, True)),
    "masts": ((1, 2, 3), (0, 4, True, 1.5)),
    "kind": (tuple(kind.value for kind in Kind), ("raft", "", None)),
    "deep": ((True, False), (1, "yes", None)),
    "batteries": (
        (
            {"short": 0}, {"short": 60, "medium": 1.5, "long": 2}, {"ahead": {"long": 1}, "astern": {"short": 0.5}},
            {"port": {"long": 3}, "starboard": {"long": 3}}, {"port": {}, "ahead": {"long": 1}},
        ),
        (
            {}, [], 4, {"short": 60.5}, {"short": -0.5}, {"short": 0.25}, {"short": True}, {"short": "2"}, {"huge": 1},
            {"port": {"long": 3}}, {"port": {"long": 3}, "starboard": {"long": 2}}, {"starboard": {"long": 2}},
            {"ahead": 3}, {"bow": {"long": 1}}, {"ahead": {"huge": 1}}, {"short": 1, "ahead": {"long": 1}},
        ),
    ),
    "batteries_percent": ((1, 50, 99), (0, 100, 0.5, True)),
}  # fmt: skip


@pytest.mark.clause("T.S8", "T.S4a")
@pytest.mark.parametrize("name", sorted(BOUNDS))
def test_a_figure_set_by_hand_may_be_anything_within_its_limits(name: str) -> None:
    assert [value for value in BOUNDS[name][0] if list(overrides.faults({name: value}))] == []


@pytest.mark.clause("T.S8", "T.S4a")
@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in sorted(BOUNDS) for value in BOUNDS[name][1]], ids=str
)
def test_a_figure_set_by_hand_cannot_go_beyond_its_limits(name: str, value: Any) -> None:
    assert list(overrides.faults({name: value})) == [
        (f"overrides.{name}", f"{name} {value!r} is not allowed; use {overrides.WORDS[name]}")
    ]


def test_an_unknown_figure_set_by_hand_is_named_with_the_known_ones() -> None:
    ((path, text),) = overrides.faults({"wings": 2})
    assert path == "overrides.wings"
    assert text == f"'wings' is not an override in this rule set; use one of {', '.join(sorted(BOUNDS))}"
    assert overrides.WORDS.keys() == BOUNDS.keys()


def by_hand(**chosen: Any) -> Card:
    return card(
        ShipFacts(
            "England", "England", "galleon", guns=30, tons_burthen=600, year_built=1590, overrides=chosen
        )
    )


@pytest.mark.clause("T.S8", "T.B5d")
@pytest.mark.parametrize(
    ("chosen", "due"),
    [
        ({"tons": 450}, {"tons": 450}), ({"guns": 0}, {"guns": 0}), ({"flotation": 7}, {"flot_max": 7}),
        ({"crew": 9}, {"crew_max": 9}), ({"speed": 5.0005}, {"speed": 5_001}), ({"turn": 45.25}, {"turn": 4_525}),
        ({"oar_speed": 4, "oar_turn": 30}, {"oar_speed": 4_000, "oar_turn": 3_000}), ({"length": 1.25}, {"length": 1_250}),
        ({"beam": 0.4}, {"beam": 400}), ({"masts": 1}, {"masts": 1, "masts_to_dismast": 1}),
        ({"masts": 2}, {"masts": 2, "masts_to_dismast": 2}), ({"masts": 3}, {"masts": 3, "masts_to_dismast": 2}),
        ({"kind": "galley"}, {"kind": Kind.GALLEY}), ({"deep": False}, {"deep": False}),
        ({"kind": "frigate"}, {"oar_speed": 0, "oar_turn": 0}),
    ],
    ids=str,
)  # fmt: skip
def test_a_figure_set_by_hand_appears_on_the_card_in_its_own_units(
    chosen: dict[str, Any], due: dict[str, Any]
) -> None:
    made = by_hand(**chosen)
    assert {name: getattr(made, name) for name in due} == due


@pytest.mark.clause("T.S8", "TS-2")
def test_a_vessel_in_the_printed_rows_keeps_her_oars_unless_she_is_made_another_kind() -> None:
    pinnace = facts("Spain", ship_type="pinnace", year_served=1588, overrides={"masts": 1})
    assert (card(pinnace).oar_speed, card(pinnace).oar_turn) == (6_000, 13_500)
    cut = facts("Spain", ship_type="pinnace", year_served=1588, overrides={"kind": "small"})
    assert (card(cut).oar_speed, card(cut).oar_turn) == (0, 0)
    both = facts("Spain", ship_type="pinnace", year_served=1588, overrides={"kind": "small", "oar_speed": 2})
    assert (card(both).oar_speed, card(both).oar_turn) == (2_000, 13_500)


@pytest.mark.clause("T.S4a", "T.S8", "T.S5", "T.O4k")
def test_batteries_set_by_hand_are_laid_out_or_stay_where_they_are_put() -> None:
    whole = by_hand(batteries={"long": 4, "short": 1.5})
    assert by_type(whole, Arc.PORT) == by_type(whole, Arc.STARBOARD) == (0, 0, 2)
    assert by_type(whole, Arc.AHEAD) == (Fraction(3, 2), 0, 0)
    bow = by_hand(batteries={"long": 4}, kind="galley")
    assert by_type(bow, Arc.AHEAD) == (0, 0, 4)
    put = by_hand(
        batteries={
            "port": {"long": 2.5},
            "starboard": {"long": 2.5},
            "astern": {"short": 1},
            "ahead": {"medium": 0.5},
        }
    )
    assert put.batteries == (
        *(Mount(Gun.LONG, Arc.PORT),) * 2, Mount(Gun.LONG, Arc.PORT, half=True),
        *(Mount(Gun.LONG, Arc.STARBOARD),) * 2, Mount(Gun.LONG, Arc.STARBOARD, half=True),
        Mount(Gun.MEDIUM, Arc.AHEAD, half=True), Mount(Gun.SHORT, Arc.ASTERN),
    )  # fmt: skip


@pytest.mark.clause("T.S25")
def test_every_option_and_figure_names_its_own_clause_and_unit() -> None:
    assert {name: option.clause for name, option in OPTIONS.items()} == {
        "period": "T.S24", "hours_per_move": "T.S14", "wind_table": "T.B1a", "wind_setup": "T.S11", "wind_start": "T.S11",
        "prevailing": "T.C2", "start_hour": "T.S10", "campaign": "T.C1", "opt_boats": "T.O1", "opt_masts": "T.O2",
        "opt_towing": "T.O3", "opt_oars": "T.O4", "opt_crews": "T.O5", "opt_surrender": "T.O6", "opt_founder": "T.O7",
        "nelson_rules": "T.S24", "crew_equals_flotation": "T.S2a", "six_side": "T.B11a", "block_line": "T.B10e",
        "fan_half_angle": "T.S15", "drift_move": "T.S17", "night_action": "T.C5", "coast": "T.S21",
    }  # fmt: skip


@pytest.mark.clause("T.S8", "T.S4a")
def test_batteries_set_by_hand_become_mounts_of_whole_and_half_batteries() -> None:
    half = Mount(Gun.LONG, Arc.PORT, half=True), Mount(Gun.LONG, Arc.STARBOARD, half=True)
    assert overrides.figures(Kind.GALLEY, (), {"batteries": {"port": {"long": 0.5}, "starboard": {"long": 0.5}}}) == {
        "batteries": half
    }  # fmt: skip
    assert overrides.figures(Kind.GALLEY, (), {"batteries": {"long": 2}}) == {
        "batteries": (Mount(Gun.LONG, Arc.AHEAD),) * 2
    }
    assert overrides.figures(Kind.GALLEY, (), {}) == {}
    assert overrides.figures(Kind.GALLEON, (), {}) == {"oar_speed": 0, "oar_turn": 0}
    assert overrides.figures(Kind.GALLEY, (), {"masts": 1}) == {"masts": 1, "masts_to_dismast": 1}


@pytest.mark.clause("T.S8", "T.S4a")
@pytest.mark.parametrize(
    ("value", "right"),
    [
        ({"short": 0}, True), ({"short": 60}, True), ({"medium": 0.5, "long": 2}, True), ({}, True), ({"short": 61}, False),
        ({"short": -0.5}, False), ({"short": 0.25}, False), ({"short": True}, False), ({"short": "2"}, False),
        ({"huge": 1}, False), ({"short": 1, "huge": 1}, False), ({"huge": 1, "short": 1}, False),
    ],
    ids=str,
)  # fmt: skip
def test_batteries_by_type_are_halves_from_0_to_60_of_known_types(value: dict[str, Any], right: bool) -> None:
    assert overrides._types(value) is right
