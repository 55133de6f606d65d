"""The figures that the campaign asks for, at each of their bounds. Rules: C.K12-C.K32."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.at_sea import Work
from battles.engine.core.errors import SchemaError
from battles.engine.rulesets.cordery import at_sea
from battles.engine.rulesets.cordery.condition import Condition
from battles.engine.rulesets.cordery.rules import RULES
from tests.engine.cordery.builders import facts

SEA = RULES.at_sea


def now(fp: int = 12, **change: Any) -> dict[str, Any]:
    return {**SEA.sound(RULES.card(facts())), "fp": fp, **change}


CARD = RULES.card(facts(displacement_tons=10_001))


@pytest.mark.clause("C.K3", "C.K12", "C.K13", "C.K14", "C.K18", "C.K20", "C.K29")
@pytest.mark.parametrize(
    ("fp", "steps", "hull", "men", "pounds"),
    [
        (12, 0, "none", 100, 400_040), (11, 0, "light", 96, 366_703), (10, 0, "light", 92, 333_366),
        (9, 1, "light", 88, 300_030), (8, 1, "medium", 83, 266_693),
        (7, 1, "medium", 79, 233_356), (6, 2, "medium", 75, 200_020), (5, 2, "heavy", 71, 166_683),
        (4, 2, "heavy", 67, 133_346), (3, 3, "heavy", 63, 100_010),
        (2, 3, "worse", 58, 66_673), (1, 3, "worse", 54, 33_336), (0, 4, "worse", 50, 0),
    ],
)  # fmt: skip
def test_the_figures_of_each_flotation_point(fp: int, steps: int, hull: str, men: int, pounds: int) -> None:
    doc = now(fp)
    assert SEA.hull_fraction(CARD, doc) == Fraction(12 - fp, 12)
    assert (SEA.steps_lost(CARD, doc), SEA.work(CARD, doc), SEA.value(CARD, doc)) == (steps, Work(hull), fp)
    assert (SEA.men(CARD, doc, 100), SEA.pounds(CARD, doc)) == (men, pounds)


@pytest.mark.clause("C.K14", "C.K15")
@pytest.mark.parametrize(
    ("change", "units", "then"),
    [
        ({}, 0, {}), ({"engines_hit": True}, 1, {"engines_hit": False}), ({"battery_port": False}, 1, {"battery_port": True}),
        ({"battery_stbd": False}, 1, {"battery_stbd": True}),
        ({"turret_fore": False}, 2, {"turret_half": True}),
        ({"turret_fore": False, "turret_half": True}, 1, {"turret_half": False, "turret_fore": True}),
        ({"turret_aft": False, "battery_port": False}, 3, {"turret_half": True}),
        ({"turret_fore": False, "turret_aft": False, "turret_half": True}, 3, {"turret_half": False, "turret_fore": True}),
        ({"turret_aft": False, "turret_half": True}, 1, {"turret_half": False, "turret_aft": True}),
        ({"engines_hit": True, "turret_fore": False, "turret_half": True}, 2, {"engines_hit": False}),
        ({"battery_port": False, "battery_stbd": False}, 2, {"battery_port": True}),
    ],
)  # fmt: skip
def test_a_yard_repairs_in_the_right_order(
    change: dict[str, bool], units: int, then: dict[str, bool]
) -> None:
    doc = now(**change)
    assert SEA.work(CARD, doc).batteries == units
    assert SEA.mend(CARD, {**doc, "fp": 3}, done="hull", men=1, complement=1) == doc
    assert (
        SEA.mend(CARD, doc, done="mast", men=1, complement=1)
        == SEA.mend(CARD, doc, done="recruits", men=1, complement=1)
        == doc
    )
    assert SEA.sea_speed(CARD, doc) == (Fraction(1, 2) if change.get("engines_hit") else 1)
    assert SEA.mend(CARD, doc, done="battery", men=1, complement=1) == {**doc, **then}


@pytest.mark.clause("C.K15")
def test_work_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="paint"):
        SEA.mend(CARD, now(), done="paint", men=1, complement=1)


@pytest.mark.clause("C.K27", "C.K28")
def test_hits_and_long_shots_of_the_chart() -> None:
    assert [SEA.hit(CARD, now(3), hits)["fp"] for hits in range(8)] == [3, 2, 2, 1, 1, 0, 0, 0]
    assert [SEA.mast_lost(CARD, now(fp))["fp"] for fp in range(13)] == [0, 1, 1, 1, 3, 3, 3, 6, 6, 6, 9, 9, 9]
    small = RULES.card(facts(overrides={"fp": 3}))
    assert [SEA.mast_lost(small, now(fp))["fp"] for fp in range(4)] == [0, 1, 1, 2]


@pytest.mark.clause("C.K32")
def test_saved_marks_are_read_back_and_a_turret_that_works_is_no_longer_half_repaired() -> None:
    for change, values, then in (
        ({"turret_fore": False, "turret_half": True}, {"turret_fore": 1}, {"turret_fore": True, "turret_half": False}),
        ({"turret_fore": False, "turret_half": True}, {"turret_aft": 0}, {"turret_aft": False}),
        ({}, {"fp": 0, "engines_hit": 1}, {"fp": 0, "engines_hit": True}),
        ({"battery_port": False}, {"battery_port": 1, "battery_stbd": 0}, {"battery_port": True, "battery_stbd": False}),
        ({"turret_aft": False, "turret_half": True}, {"turret_fore": 1}, {}),
        ({"engines_hit": True}, {"engines_hit": 0}, {"engines_hit": False}),
    ):  # fmt: skip
        doc = now(**change)
        assert SEA.marked(CARD, doc, values) == {**doc, **then}, values
    rows = SEA.marks(CARD, now(5, turret_aft=False, engines_hit=True))
    assert [row.label for row in rows[1:5]] == [
        "Fore turret in action", "Aft turret in action", "Port battery in action", "Starboard battery in action",
    ]  # fmt: skip
    assert [(row.name, row.value, row.least, row.most, row.clause) for row in rows] == [
        ("fp", 5, 0, 12, "C.D1"), ("turret_fore", 1, 0, 1, "C.H3"), ("turret_aft", 0, 0, 1, "C.H3"), ("battery_port", 1, 0, 1, "C.H5"),
        ("battery_stbd", 1, 0, 1, "C.H5"), ("engines_hit", 1, 0, 1, "C.H4"),
    ]  # fmt: skip


@pytest.mark.clause("C.K26")
@pytest.mark.parametrize(
    "change",
    [
        {"schema": 0},
        {"schema": 2},
        {"fp": "5"},
        {"fp": None},
        {"turret_fore": 1},
        {"turret_half": None},
        {"engines_hit": "no"},
    ],
)
def test_the_condition_of_a_ship_is_read_back_only_as_it_was_saved(change: dict[str, Any]) -> None:
    assert Condition.from_dict(now(5)).to_dict() == now(5)
    with pytest.raises(SchemaError if "schema" in change else TypeError):
        Condition.from_dict({**now(5), **change})


@pytest.mark.clause("C.K32")
def test_each_system_has_its_label_and_clause() -> None:
    assert at_sea._LABELS == {
        "turret_fore": ("Fore turret in action", "C.H3"), "turret_aft": ("Aft turret in action", "C.H3"),
        "battery_port": ("Port battery in action", "C.H5"), "battery_stbd": ("Starboard battery in action", "C.H5"),
    }  # fmt: skip
