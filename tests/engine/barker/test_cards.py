"""Cards from register entries, and what the registers of the period give. Rules: P.S02-P.S13, P.G12, P.K25, P.K26, P.K34, P.K37, P.K41."""

from __future__ import annotations

from typing import Any

import pytest

from battles.data.scenarios.build import rows
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.barker.card import OVERRIDES, Card, card, card_faults, explain
from battles.engine.rulesets.barker.kinds import KINDS
from battles.engine.rulesets.barker.tables import Type
from tests.support.answers import flawless, unerring


def facts(kind: str = "battleship", **over: Any) -> ShipFacts:
    return ShipFacts(**{"nation": "A", "built_by": "A", "ship_type": kind, "year_built": 1900, **over})


@unerring
def made(kind: str = "battleship", **over: Any) -> Card:
    return card(facts(kind, **over))


# type: twice the SP, when obsolete, from, moves, extra free, signals, rank, wireless, searchlight
TABLE_1 = {
    "BB": (24, 12, 0, 2, False, 10, 6, 1900, True), "C1": (16, 8, 0, 3, True, 10, 5, 1900, True),
    "C2": (12, 6, 0, 3, True, 10, 4, 1903, True), "C3": (8, 4, 0, 2, False, 10, 3, 1903, True),
    "SC": (8, 8, 1905, 4, False, 4, 2, 1903, True), "TBD": (2, 1, 1895, 4, False, 4, 1, 1907, True),
    "TB": (1, 1, 0, 4, False, 4, 1, 0, False), "SUB": (12, 12, 1900, 1, False, 4, 1, 0, False),
    "LINER": (6, 6, 0, 3, True, 4, 4, 0, False), "TRANSPORT": (6, 6, 0, 2, False, 4, 3, 0, False),
    "TRAMP": (4, 4, 0, 1, False, 4, 3, 0, False), "SAIL": (2, 2, 0, 1, False, 4, 2, 0, False),
    "FISH": (2, 2, 0, 0, False, 4, 0, 0, False), "AMC": (12, 12, 0, 3, True, 4, 4, 1903, True),
    "RAIDER_L": (12, 12, 0, 3, True, 4, 4, 0, True), "RAIDER_T": (8, 8, 0, 2, False, 4, 3, 0, True),
    "MINELAYER": (4, 4, 0, 1, False, 4, 3, 0, False),
}  # fmt: skip


@pytest.mark.clause(
    "P.S02",
    "P.S03",
    "P.S04",
    "P.S05",
    "P.S06",
    "P.S07",
    "P.S08",
    "P.S09",
    "P.S10",
    "P.S13",
    "P.M03",
    "P.M05",
    "P.G01",
    "P.G12",
    "P.A07",
)
@pytest.mark.parametrize("kind", TABLE_1)
def test_every_type_has_its_line_in_table_1(kind: str) -> None:
    sp2, obsolete, first, *rest = TABLE_1[kind]
    one = made(overrides={"type": kind})
    assert [one.moves, one.extra_free, one.signal_nm, one.size_rank, one.wt_from, one.searchlight] == rest
    assert (one.sp2, KINDS[Type(kind)].first) == (sp2, first)
    aged = made(overrides={"type": kind}, year_built=1870)
    assert (aged.sp2, aged.obsolete) == (
        obsolete if kind != "TBD" else 2,
        kind in ("BB", "C1", "C2", "C3", "TB"),
    )


@pytest.mark.clause("P.S13")
def test_shore_works_have_points_of_their_own() -> None:
    assert (KINDS[Type.BATTERY].sp2, KINDS[Type.INSTALLATION].sp2) == (12, 4)


@pytest.mark.clause("P.S08", "P.S10", "P.K41", "P.EX35")
@pytest.mark.parametrize(
    ("kind", "year", "tons", "wanted"),
    [
        ("battleship", 1887, 9_000, True), ("battleship", 1888, 9_000, False), ("battleship", None, 9_000, False),
        ("battleship", 1900, 5_999, True), ("battleship", 1900, 6_000, False), ("battleship", 1894, 4_438, True),
        ("battleship", 1889, 9_594, False), ("battleship", 1900, None, False), ("cruiser_3", 1883, 2_920, True),
        ("cruiser_3", 1888, 2_920, False), ("cruiser_1", 1887, 7_000, True), ("gunboat", 1880, 600, True), ("destroyer", 1880, 300, False),
        ("torpedo_boat", 1904, 150, True), ("transport", 1870, 3_000, False), ("cruiser_2", 1900, 3_000, False),
    ],
)  # fmt: skip
def test_old_ships_are_obsolete(kind: str, year: int | None, tons: int | None, wanted: bool) -> None:
    assert made(kind, year_built=year, displacement_tons=tons).obsolete is wanted


@pytest.mark.clause("P.EX35")
def test_a_small_coast_defence_ship_and_an_old_cruiser_are_worth_half() -> None:
    assert made(displacement_tons=4_438, year_built=1894).sp2 == 12
    izumi = made("cruiser_3", year_built=1883, displacement_tons=2_920)
    assert (izumi.type, izumi.sp2) == ("C3", 4)


@pytest.mark.clause("P.K41", "P.S06")
@pytest.mark.parametrize(
    ("kind", "more", "wanted"),
    [
        ("battleship", {}, "BB"), ("monitor", {}, "BB"), ("cruiser_1", {}, "C1"), ("cruiser_2", {}, "C2"), ("cruiser_3", {}, "C3"),
        ("gunboat", {}, "C3"), ("sloop", {}, "C3"), ("destroyer", {}, "TBD"), ("torpedo_boat", {}, "TB"), ("submarine", {}, "SUB"),
        ("merchant", {}, "TRAMP"),
        ("scout", {"year_built": 1903, "displacement_tons": 4_499, "speed_knots": 24.0}, "SC"),
        ("scout", {"year_built": 1902, "displacement_tons": 4_499, "speed_knots": 24.0}, "C3"),
        ("scout", {"year_built": 1903, "displacement_tons": 4_500, "speed_knots": 24.0}, "C3"),
        ("scout", {"year_built": 1903, "displacement_tons": 4_499, "speed_knots": 23.9}, "C3"),
        ("scout", {"year_built": None, "displacement_tons": 3_000, "speed_knots": 25.0}, "C3"),
        ("scout", {"year_built": 1904, "displacement_tons": None, "speed_knots": 25.0}, "C3"),
        ("scout", {"year_built": 1904, "displacement_tons": 3_000, "speed_knots": None}, "C3"),
        ("transport", {"speed_knots": 17.0}, "LINER"), ("transport", {"speed_knots": 16.9}, "TRANSPORT"),
        ("transport", {"speed_knots": None}, "TRANSPORT"),
        ("transport", {"speed_knots": 17.5, "displacement_tons": 4_999}, "TRANSPORT"),
        ("transport", {"speed_knots": 17.5, "displacement_tons": 5_000}, "LINER"),
        ("battleship", {"tags": ("liner",)}, "LINER"), ("transport", {"tags": ("amc",)}, "AMC"), ("merchant", {"tags": ("sail",)}, "SAIL"),
        ("merchant", {"tags": ("fishing",)}, "FISH"), ("transport", {"tags": ("tramp",)}, "TRAMP"),
        ("transport", {"tags": ("raider",), "speed_knots": 18.0}, "RAIDER_L"), ("merchant", {"tags": ("raider",)}, "RAIDER_T"),
        ("merchant", {"tags": ("minelayer",)}, "MINELAYER"), ("cruiser_3", {"tags": ("submarine",)}, "SUB"),
        ("cruiser_3", {"tags": ("anchored",)}, "C3"),
    ],
)  # fmt: skip
def test_the_register_and_its_tags_give_the_type(kind: str, more: dict[str, Any], wanted: str) -> None:
    assert made(kind, **more).type == wanted


@pytest.mark.clause("P.R06")
def test_a_minelayer_moves_as_its_hull() -> None:
    slow = made("merchant", tags=("minelayer",))
    fast = made("transport", tags=("minelayer",), speed_knots=18.0)
    assert [(one.moves, one.extra_free) for one in (slow, fast)] == [(1, False), (3, True)]


@pytest.mark.clause("P.K37", "P.EX35")
@pytest.mark.parametrize(
    ("kind", "speed", "wanted"),
    [
        ("battleship", 18.0, 10), ("gunboat", 10.5, 6), ("destroyer", 31.0, 12), ("battleship", 5.0, 4), ("battleship", 20.0, 12),
        ("battleship", 19.9, 11), ("gunboat", 6.6, 4), ("gunboat", 8.4, 5),
        ("battleship", None, 10), ("cruiser_1", None, 12), ("cruiser_2", None, 12), ("cruiser_3", None, 11), ("destroyer", None, 12),
        ("torpedo_boat", None, 12), ("submarine", None, 6), ("transport", None, 8), ("merchant", None, 8),
    ],
)  # fmt: skip
def test_six_tenths_of_the_trial_speed_are_the_cruising_speed(
    kind: str, speed: float | None, wanted: int
) -> None:
    assert made(kind, speed_knots=speed).knots == wanted


@pytest.mark.clause("P.K37")
def test_types_that_no_register_knows_have_a_usual_speed() -> None:
    usual = {
        kind: made(overrides={"type": kind}, speed_knots=None).knots
        for kind in ("SC", "LINER", "SAIL", "FISH", "MINELAYER")
    }
    assert usual == {"SC": 12, "LINER": 12, "SAIL": 3, "FISH": 5, "MINELAYER": 8}
    assert made(overrides={"type": "SAIL"}, speed_knots=20.0).knots == 3


@pytest.mark.clause("P.K26")
def test_only_ships_of_deep_draught_are_stopped_by_shoals() -> None:
    assert {kind for kind in TABLE_1 if made(overrides={"type": kind}).deep} == {"BB", "C1", "TRANSPORT"}


@pytest.mark.clause("P.K34")
def test_tons_are_by_type_where_the_register_has_none() -> None:
    usual = {
        "BB": 12_000, "C1": 9_000, "C2": 4_500, "C3": 2_500, "SC": 2_500, "TBD": 350, "TB": 120, "SUB": 150, "LINER": 8_000,
        "TRANSPORT": 5_000, "TRAMP": 3_000, "MINELAYER": 3_000, "SAIL": 1_000, "FISH": 300, "AMC": 8_000, "RAIDER_L": 8_000,
        "RAIDER_T": 3_000,
    }  # fmt: skip
    found = {kind: made(overrides={"type": kind}) for kind in TABLE_1}
    assert {kind: one.tons for kind, one in found.items()} == usual
    assert all(one.estimated == ("tons",) for one in found.values())
    assert made(displacement_tons=15_140).estimated == ()


@pytest.mark.clause("P.Z08", "P.K41")
@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("dreadnought", "too modern"),
        ("battlecruiser", "too modern"),
        ("galleon", "not a ship of 1890"),
        ("ship_of_line", "ship of line"),
    ],
)
def test_ships_of_another_age_have_no_card(kind: str, word: str) -> None:
    ((field, text),) = card_faults(facts(kind))
    assert field == "ship_type" and word in text
    with pytest.raises(ValueError, match=word):
        card(facts(kind))
    with pytest.raises(ValueError, match=word):
        explain(facts(kind))


@pytest.mark.clause("P.K41")
@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("type", "C2", "BATTERY"), ("obsolete", True, 1), ("sp2", 48, 49), ("sp2", 0, -1), ("knots", 4, 3), ("knots", 12, 13),
        ("wt_from", 0, 1899), ("wt_from", 1913, 1914), ("searchlight", False, "no"), ("type", "FISH", "DREADNOUGHT"),
    ],
)  # fmt: skip
def test_figures_set_by_hand_have_limits(name: str, good: Any, bad: Any) -> None:
    assert getattr(flawless(made, overrides={name: good}), name) == good
    ((field, text),) = flawless(card_faults, facts(overrides={name: bad}))
    assert field == "overrides" and name in text and OVERRIDES[name] in text


@pytest.mark.clause("P.K41")
def test_an_unknown_figure_is_named_with_those_there_are() -> None:
    ((_, text),) = card_faults(facts(overrides={"guns": 3}))
    assert "'guns'" in text and "searchlight" in text


@pytest.mark.clause("P.K41")
def test_a_card_is_read_back_and_explained_figure_by_figure() -> None:
    one = made(year_built=1885, speed_knots=15.0, displacement_tons=9_000)
    assert Card.from_dict(one.to_dict()) == one
    assert (one.type, one.obsolete, one.sp2, one.moves, one.af, one.df) == (
        "BB",
        True,
        12,
        2,
        (3, 3, 2, 1),
        4,
    )
    assert (one.signal_nm, one.size_rank, one.wt_from, one.tons, one.knots, one.deep) == (
        10,
        6,
        1900,
        9_000,
        9,
        True,
    )
    notes = {field: (clause, text) for field, clause, text in explain(facts())}
    assert notes["type"][0] == "P.K41" and notes["points"][0] == "P.K25" and notes["knots"][0] == "P.K37"
    assert "est." in notes["tons"][1] and "est." in notes["knots"][1]
    assert "by the tag amc" in {f: t for f, _, t in explain(facts("transport", tags=("amc",)))}["type"]


@pytest.mark.clause("P.K41")
@pytest.mark.parametrize("register", ["1894_yalu", "1904_port_arthur_tsushima"])
def test_every_ship_of_the_registers_has_a_card(register: str) -> None:
    found: dict[str, Card] = {}
    for row in rows.register(register):
        speed = {"speed_knots": float(row["speed_knots"])} if row["speed_knots"] else {}
        one = ShipFacts(**{"built_by": row["nation"], **rows.facts(row), **speed})
        assert card_faults(one) == (), row["name"]
        found[row["name"]] = card(one)
    assert all(one.sp2 > 0 and one.tons > 0 and 3 <= one.knots <= 12 for one in found.values())
    if register.startswith("1904"):
        types = {
            name: found[name].type
            for name in ("Mikasa", "Rurik", "Novik", "Angara", "Amur", "Almaz", "Irtysh")
        }
        assert types == {
            "Mikasa": "BB", "Rurik": "C1", "Novik": types["Novik"], "Angara": "LINER", "Amur": "TRANSPORT", "Almaz": "C3",
            "Irtysh": "TRANSPORT",
        }  # fmt: skip
        assert (found["Mikasa"].knots, found["Mikasa"].tons) == (10, 15_140)
