"""Every type, year and variant, and what is set by hand: what each makes of a card, by which clause. Rules: C.N1-C.N12, C.K21, C.K29."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battles.engine.core.errors import SchemaError
from battles.engine.rulesets.cordery import tables
from battles.engine.rulesets.cordery.card import OVERRIDES, Card, card, card_faults, explain
from tests.engine.cordery.builders import facts

ALL = ("turret_fore", "turret_aft", "battery_port", "battery_stbd")


def noted(field: str, **over: Any) -> tuple[str, str]:
    """The clause that gave a figure, and its sentence."""
    (row,) = [(clause, text) for name, clause, text in explain(facts(**over)) if name == field]
    return row


def variant(name: str, **over: Any) -> Card:
    by_hand = {"variant": name, **over.pop("overrides", {})}
    return card(facts(**{"ship_type": "gunboat", **over}, overrides=by_hand))


@pytest.mark.clause("C.N7")
@pytest.mark.parametrize(
    "kind",
    ["battleship", "ironclad", "turret_ship", "barbette_ship", "central_battery_ship", "coast_defence_battleship", "pre_dreadnought"],
)  # fmt: skip
def test_every_kind_of_battleship_has_the_standard_card(kind: str) -> None:
    for year in (1870, 1877, 1905):
        one = card(facts(ship_type=kind, year_built=year))
        assert (one.fp, one.critical, one.pace, one.torpedoes) == (12, 6, 2, 0 if year < 1877 else 4)
        assert one.variant == "" and one.deep and one.ram is (year < 1900)
        assert all(getattr(one, name) for name in ALL)
    for year in (1869, 1906):
        assert [field for field, _ in card_faults(facts(ship_type=kind, year_built=year))] == ["year_built"]
        assert [
            field for field, _ in card_faults(facts(ship_type=kind, year_built=None, year_served=year))
        ] == ["year_built"]
    assert card_faults(facts(ship_type=kind, year_built=1890, year_served=1910)) == ()


@pytest.mark.clause("C.N12", "C.N9", "C.N8", "C.N5", "C.K29")
@pytest.mark.parametrize(
    ("name", "fp", "critical", "guns", "main", "secondary", "torpedoes", "paces", "rams"),
    [
        ("armoured_cruiser", 9, 4, ALL, (2, 2, 2, 1, 1, 1, 1), (2, 2, 2, 1, 1), 4, (2, 3), (False, False)),
        ("protected_cruiser", 6, 3, ALL, (1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 1), 4, (2, 3), (True, False)),
        ("gunboat", 3, 1, ALL[:1], (1, 1, 1, 1), (), 0, (2, 2), (False, False)),
        ("torpedo_craft", 2, 1, (), (), (), 2, (2, 3), (False, False)), ("transport", 3, 1, (), (), (), 0, (1, 1), (False, False)),
    ],
)  # fmt: skip
def test_a_variant_has_the_figures_of_the_table(
    name: str, fp: int, critical: int, guns: tuple[str, ...], main: tuple[int, ...], secondary: tuple[int, ...], torpedoes: int,
    paces: tuple[int, int], rams: tuple[bool, bool],
) -> None:  # fmt: skip
    one = variant(name)
    assert (one.fp, one.critical, one.main_dice, one.secondary_dice, one.variant) == (
        fp,
        critical,
        main,
        secondary,
        name,
    )
    assert tuple(system for system in ALL if getattr(one, system)) == guns
    assert [variant(name, year_built=year).torpedoes for year in (1876, 1877, None)] == [
        0,
        torpedoes,
        torpedoes,
    ]
    assert one.tubes == (("bow", "stern", "port", "stbd") if torpedoes else ())
    assert variant(name, year_built=1876).tubes == ()
    assert [variant(name, speed_knots=knots).pace for knots in (17.9, 18)] == [*paces]
    assert one.pace == paces[0]
    assert [variant(name, year_built=year).ram for year in (1899, 1900)] == [*rams]
    assert one.pounds == 1_000 * fp
    assert not card_faults(facts(ship_type="", year_built=1820, overrides={"variant": name})), (
        "any year will do for a variant"
    )


@pytest.mark.clause("C.K21")
@pytest.mark.parametrize(
    ("kind", "deep"),
    [("battleship", True), ("cruiser_1", True), ("transport", True), ("cruiser_2", False), ("gunboat", False), ("ironclad", False)],
)  # fmt: skip
def test_of_variants_only_some_types_are_deep(kind: str, deep: bool) -> None:
    assert variant("gunboat", ship_type=kind).deep is deep
    assert noted("deep", ship_type=kind, overrides={"variant": "gunboat"})[0] == "C.K21"
    assert noted("deep", ship_type=kind, overrides={"variant": "gunboat"})[1].startswith("Deep") is deep


@pytest.mark.clause("C.N12")
@pytest.mark.parametrize(
    ("tons", "fp"),
    [(0, 5), (1_999, 5), (2_000, 6), (2_999, 6), (3_000, 7), (3_999, 7), (4_000, 8), (5_000, 8), (9_000, 8)],
)
def test_a_protected_cruiser_has_a_point_for_every_thousand_tons_within_bounds(tons: int, fp: int) -> None:
    assert variant("protected_cruiser", displacement_tons=tons).fp == fp
    assert variant("armoured_cruiser", displacement_tons=tons).fp == 9
    assert card(facts(displacement_tons=tons)).fp == 12


@pytest.mark.clause("C.N12", "C.N3")
@pytest.mark.parametrize(("year", "guns"), [(1888, 1), (1889, 3), (None, 1)])
def test_quick_firers_count_as_three_guns_from_1889(year: int | None, guns: int) -> None:
    one = variant("protected_cruiser", year_built=year)
    assert (one.guns_per_battery, one.guns_per_turret) == (guns, 1)
    by_hand = {"variant": "protected_cruiser"}
    assert noted("guns_per_battery", year_built=year, overrides=by_hand)[0] == (
        "C.N12" if guns == 3 else "C.N3"
    )
    for name in ("armoured_cruiser", "gunboat", "torpedo_craft", "transport"):
        assert variant(name, year_built=1900).guns_per_battery == 1


@pytest.mark.clause("C.N1", "C.N2", "C.N4", "C.N8", "C.N9", "C.N11", "C.N12", "C.K29")
@pytest.mark.parametrize(
    ("field", "over", "clause", "words"),
    [
        ("fp", {}, "C.N1", "12 flotation points."), ("critical", {}, "C.N1", "6"), ("critical", {"overrides": {"fp": 9}}, "C.N12", "4"),
        ("fp", {"overrides": {"fp": 9}}, "C.N11", "9 flotation points, set by hand."),
        ("turret_fore", {}, "C.N2", "Main turret fore and aft."),
        ("battery_port", {}, "C.N4", "Secondary battery port and starboard."), ("guns_per_turret", {}, "C.N3", "one gun"),
        ("guns_per_battery", {"overrides": {"guns_per_battery": 2}}, "C.N11", "2, set by hand"),
        ("torpedoes", {}, "C.N9", "4 torpedoes: launched in 1895."),
        ("guns_per_turret", {"overrides": {"guns_per_turret": 3}}, "C.N11", "3, set by hand"),
        ("ram", {}, "C.N8", "A ram: launched in 1895."),
        ("torpedoes", {"overrides": {"torpedoes": 1}}, "C.N11", "1 torpedo, set by hand."),
        ("ram", {"year_built": 1900}, "C.N8", "No ram: launched in 1900."),
        ("ram", {"overrides": {"ram": True}}, "C.N11", "A ram, set by hand."),
        ("ram", {"overrides": {"ram": False}}, "C.N11", "No ram, set by hand."),
        ("ram", {"year_built": None}, "C.N8", "A ram: launch unknown (estimated)."), ("pace", {}, "C.N1", "2 areas a turn."),
        ("torpedoes", {"year_built": None, "year_served": 1876}, "C.N9", "No torpedoes: launch unknown, taken as 1876 (estimated)."),
        ("pace", {"speed_knots": 25}, "C.N1", "2 areas a turn."), ("pounds", {}, "C.K29", "12,000 tons at £40 (estimated): £480,000."),
        ("pounds", {"displacement_tons": 10}, "C.K29", "10 tons at £40: £400."),
        ("pounds", {"overrides": {"pounds": 5_000}}, "C.N11", "£5,000, set by hand."),
        ("variant", {"overrides": {"variant": "gunboat"}}, "C.N12", "The gunboat card, set by hand."),
        ("fp", {"overrides": {"variant": "gunboat"}}, "C.N12", "3 flotation"),
        ("critical", {"overrides": {"variant": "gunboat"}}, "C.N12", "1"),
        ("critical", {"overrides": {"variant": "gunboat", "fp": 12}}, "C.N12", "6"),
        ("turret_fore", {"overrides": {"variant": "gunboat"}}, "C.N12", "Main turret fore."),
        ("battery_port", {"overrides": {"variant": "gunboat"}}, "C.N12", "No secondary battery."),
        ("ram", {"overrides": {"variant": "gunboat"}}, "C.N12", "No ram."),
        ("pace", {"overrides": {"variant": "gunboat"}, "speed_knots": 19}, "C.N12", "2 areas a turn."),
        ("pace", {"overrides": {"variant": "transport"}}, "C.N12", "1 area a turn."),
        ("pounds", {"overrides": {"variant": "gunboat"}}, "C.K29", "£1,000 a point"),
        ("pace", {"overrides": {"variant": "torpedo_craft"}, "speed_knots": 18.5}, "C.N12", "18.5 knots: 3 areas a turn."),
        ("fp", {"overrides": {"variant": "protected_cruiser"}, "displacement_tons": 3_600}, "C.N12", "7 flotation points: 3,600 tons."),
        ("guns_per_battery", {"overrides": {"variant": "protected_cruiser"}}, "C.N12", "counts as 3: launched in 1895."),
    ],
)  # fmt: skip
def test_each_figure_is_told_with_its_clause(
    field: str, over: dict[str, Any], clause: str, words: str
) -> None:
    found = noted(field, **over)
    assert found[0] == clause and words in found[1]


@pytest.mark.clause("C.N11", "C.N7")
def test_what_the_register_does_not_settle_is_marked_estimated() -> None:
    assert card(facts(displacement_tons=9)).estimated == ()
    assert card(facts()).estimated == ("pounds",)
    assert card(facts(year_built=None, displacement_tons=9)).estimated == ("ram", "torpedoes")
    assert card(facts(year_built=None, year_served=1890)).estimated == ("pounds", "ram", "torpedoes")
    assert card(facts(year_built=1890, year_served=1904)).torpedoes == 4


@pytest.mark.clause("C.N11")
@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("ram", [True, False], [1, "yes", None]), ("torpedoes", [0, 4], [-1, 5, True]), ("guns_per_turret", [1, 3], [0, 4, False]),
        ("guns_per_battery", [1, 3], [0, 4]), ("fp", [1, 24], [0, 25, 1.5]), ("pounds", [1, 10**9], [0, 10**9 + 1, True]),
        ("variant", ["gunboat", "transport"], ["raft", 1, None]),
    ],
)  # fmt: skip
def test_figures_set_by_hand_are_limited(name: str, good: list[Any], bad: list[Any]) -> None:
    for value in good:
        assert card_faults(facts(overrides={name: value})) == ()
        assert getattr(card(facts(overrides={name: value})), name) == value
    for value in bad:
        (fault,) = card_faults(facts(ship_type="battleship", overrides={name: value}))
        assert fault[0] == "overrides" and OVERRIDES[name] in fault[1]
    words = {
        "ram": "yes or no", "torpedoes": "0 to 4", "guns_per_turret": "1 to 3", "guns_per_battery": "1 to 3", "fp": "1 to 24",
        "pounds": "above 0",
        "variant": "armoured_cruiser, protected_cruiser, gunboat, torpedo_craft, transport",
    }  # fmt: skip
    assert words[name] in OVERRIDES[name]
    (fault,) = card_faults(facts(overrides={"oars": 1}))
    assert fault[0] == "overrides" and "oars" in fault[1]


@pytest.mark.clause("C.N1", "C.N12", "C.D2")
@pytest.mark.parametrize(("fp", "critical"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (12, 6), (24, 12)])
def test_the_critical_point_is_half_rounded_down_and_at_least_one(fp: int, critical: int) -> None:
    assert card(facts(overrides={"fp": fp})).critical == critical


@pytest.mark.clause(
    "C.H2",
    "C.H3",
    "C.H4",
    "C.H5",
    "C.H6",
    "C.H7",
    "C.T5",
    "C.T6",
    "C.T7",
    "C.R4",
    "C.R5",
    "C.F2",
    "C.G2",
    "C.G3",
    "C.T2",
)
def test_the_tables_are_as_printed() -> None:
    assert [tables.GUN_MAJOR[die] for die in range(1, 7)] == [
        "further",
        "fire",
        "battery",
        "engines",
        "turret",
        "bridge",
    ]
    assert [tables.TORPEDO_MAJOR[die] for die in range(1, 7)] == [
        "one",
        "one",
        "two",
        "two",
        "flooded",
        "rudder",
    ]
    assert [tables.RAMMING[key] for key in ((True, True), (True, False), (False, True), (False, False))] == [
        (4, 2),
        (2, 2),
        (6, 2),
        (3, 2),
    ]
    assert (tables.MAIN, tables.SECONDARY, tables.TORPEDO) == (
        (3, 3, 3, 2, 2, 2, 1, 1, 1),
        (2, 2, 2, 1, 1),
        (3, 2, 1),
    )
    assert (
        tables.EXPLODES,
        tables.OUT,
        tables.MINOR,
        tables.MAJOR,
        tables.LOWER_HALF,
        tables.BRIDGE_TURNS,
    ) == (1, 5, 4, 6, 3, 3)


@pytest.mark.clause("C.N7")
def test_a_saved_card_is_read_back_and_one_of_another_version_is_refused() -> None:
    one = card(facts())
    doc = one.to_dict()
    assert doc["schema"] == 1 and Card.from_dict(doc) == Card.from_dict(json.loads(json.dumps(doc))) == one
    assert variant("transport") == Card.from_dict(variant("transport").to_dict())
    for schema in (0, 2, None):
        with pytest.raises(SchemaError):
            Card.from_dict({**doc, "schema": schema})
