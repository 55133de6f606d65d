"""T1 and the tables beside it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.kohler import tables
from battles.engine.rulesets.kohler.at_sea import AT_SEA
from battles.engine.rulesets.kohler.card import Card, card
from battles.engine.rulesets.kohler.condition import Condition
from tests.engine.kohler.builders import ship
from tests.support.cases import cases


@pytest.mark.parametrize("case", cases("kohler/fire_table"))
def test_hits_match_the_printed_row(case: dict[str, Any]) -> None:
    doubled = int(case["points"] * 2)
    upper = case.get("upper", False)
    assert [tables.hits(doubled, score, upper=upper) for score in range(9)] == case["hits"]


@pytest.mark.clause("K.F14")
@pytest.mark.parametrize("points", range(23))
def test_scores_beyond_the_table_use_its_first_and_last_columns(points: int) -> None:
    assert [tables.hits(points, score) for score in (-3, -1)] == [tables.hits(points, 0)] * 2
    assert [tables.hits(points, score) for score in (8, 9, 12)] == [0, 0, 0]


@pytest.mark.clause("K.F14")
def test_more_fire_never_hits_less_and_a_higher_score_never_hits_more() -> None:
    for points in range(22):
        for score in range(-3, 12):
            assert tables.hits(points, score) <= tables.hits(points + 1, score)
            assert tables.hits(points, score) >= tables.hits(points, score + 1)


@pytest.mark.clause("K.AI1")
def test_expected_hits_reproduce_the_odds_in_the_rules() -> None:
    heavy, light = 15, 6
    ratios = [
        tables.expected_sixths(heavy, shift) / tables.expected_sixths(light, shift)
        for shift in (tables.SHORT_RANGE, 0, tables.LONG_RANGE)
    ]
    assert [round(ratio, 1) for ratio in ratios] == [1.9, 2.4, 3.5]


@pytest.mark.clause("K.S11")
@pytest.mark.parametrize(
    ("guns", "band"),
    [(0, 0), (19, 0), (20, 20), (29, 20), (36, 30), (52, 50), (99, 90), (100, 100), (140, 100)],
)
def test_size_bands_are_tens_of_guns_from_20_to_100(guns: int, band: int) -> None:
    assert tables.band_of(guns) == band


@pytest.mark.clause("K.A1.9", "K.0.7")
def test_only_english_and_dutch_ships_count_as_themselves_whatever_column_others_use() -> None:
    assert tables.is_english("Great Britain") and tables.is_english("England")
    assert not tables.is_english("France") and tables.column("France") is tables.Column.ENGLISH
    assert tables.is_dutch("Dutch Republic")
    assert not tables.is_dutch("Sweden") and tables.column("Sweden") is tables.Column.DUTCH


@pytest.mark.clause("K.A1.9", "K.0.7")
@pytest.mark.parametrize(
    ("names", "english", "dutch", "column"),
    [
        (("England", "ENGLISH", "Great Britain", "Britain", "British"), True, False, "english"),
        (("Dutch Republic", "Dutch", "Netherlands", "United Provinces", "Holland"), False, True, "dutch"),
        (("Sweden", "Denmark", "Denmark-Norway", "Hanse", "Hamburg", "Bremen"), False, False, "dutch"),
        (("Lubeck", "Danzig", "Brandenburg", "Poland", "Russia"), False, False, "dutch"),
        (("France", "Spain", "Portugal", "Venice", "Scotland", ""), False, False, "english"),
    ],
)
def test_every_nation_has_its_column_and_few_are_english_or_dutch(
    names: tuple[str, ...], english: bool, dutch: bool, column: str
) -> None:
    for name in names:
        assert (tables.is_english(name), tables.is_dutch(name), tables.column(name).value) == (
            english,
            dutch,
            column,
        ), name


# T6: band, English fire, Dutch fire, hull; fire points doubled.
VALUES = [
    (100, (20, 22), (12, 15), (40, 50)),
    (90, (20, 20), (12, 15), (33, 50)),
    (80, (15, 19), (12, 15), (30, 36)),
    (70, (13, 15), (11, 12), (27, 33)),
    (60, (10, 12), (8, 8), (21, 33)),
    (50, (6, 10), (5, 7), (19, 27)),
    (40, (6, 6), (5, 5), (14, 26)),
    (30, (3, 3), (3, 3), (10, 13)),
    (20, (2, 2), (2, 2), (6, 9)),
    (0, (1, 1), (1, 1), (3, 6)),
]


@pytest.mark.clause("K.A1.3", "K.A1.7", "K.A1.8")
@pytest.mark.parametrize(("band", "english", "dutch", "hull"), VALUES)
def test_every_line_of_the_points_table_is_right(
    band: int, english: tuple[int, int], dutch: tuple[int, int], hull: tuple[int, int]
) -> None:
    row = tables.row_of(band, tables.Column.ENGLISH)
    assert row.name == (str(band) if band else "small merchant")
    assert (row.fire(tables.Column.ENGLISH), row.fire(tables.Column.DUTCH), row.hull) == (
        english,
        dutch,
        hull,
    )
    assert tables.middle_fire(row, tables.Column.ENGLISH) == sum(english) // 2
    theirs = tables.row_of(band, tables.Column.DUTCH)
    assert theirs is tables.row_of(min(band, 80), tables.Column.ENGLISH)
    assert tables.middle_fire(theirs, tables.Column.DUTCH) == sum(dutch) // 2


@pytest.mark.clause("K.A1.7")
def test_a_large_merchant_has_the_figures_of_a_20_gun_ship() -> None:
    row, twenty = tables.LARGE_MERCHANT, tables.T6[20]
    assert (row.name, row[1:]) == ("large merchant", twenty[1:])
    assert tables.SMALL_MERCHANT is tables.row_of(19, tables.Column.DUTCH)


@pytest.mark.clause("K.A1.10", "K.A1.11")
@pytest.mark.parametrize(
    ("builder", "qualities"),
    [
        ("England", [(False, False)] * 8 + [(False, True)] * 2),
        ("Dutch Republic", [(False, False)] * 4 + [(False, True)] * 2 + [(True, True)] * 4),
    ],
)
def test_each_band_has_its_qualities(builder: str, qualities: list[tuple[bool, bool]]) -> None:
    found = []
    for guns in (106, 92, 84, 74, 64, 54, 44, 34, 24, 14):
        made = card(ShipFacts(nation=builder, built_by=builder, guns=guns))
        found.append((made.fast, made.handy))
        assert made.unhandy == (builder == "England" and guns > 90)
    assert found == qualities


@pytest.mark.clause("K.F15")
@pytest.mark.parametrize("upper", [False, True])
def test_fire_between_two_lines_uses_the_lower_one_or_with_the_option_the_upper_one(upper: bool) -> None:
    printed = [(1, 1), (2, 2), (3, 3), (4, 4), (6, 6), (8, 8), (10, 10), (12, 12), (14, 16), (18, 22)]
    for points in range(1, 23):
        low = max(row for row in printed if row[0] <= points)
        high = min(row for row in printed if row[1] >= points)
        wanted = high if upper else low
        for score in range(9):
            assert tables.hits(points, score, upper=upper) == tables.hits(wanted[0], score), (points, score)


@pytest.mark.clause("K.A1.4", "K.F14")
def test_no_fire_hits_nothing_and_more_than_eleven_points_count_as_eleven() -> None:
    for upper in (False, True):
        assert [tables.hits(points, 0, upper=upper) for points in (-1, 0, 1)] == [0, 0, 1]
        for score in range(9):
            assert tables.hits(23, score, upper=upper) == tables.hits(22, score, upper=upper)


@pytest.mark.clause("K.AI1")
@pytest.mark.parametrize("modifier", range(-3, 7))
def test_expected_hits_are_the_table_summed_over_the_die(modifier: int) -> None:
    for points in (-1, *range(24)):
        thrown = [tables.hits(points, die + modifier) for die in (1, 2, 3, 4, 5, 6)]
        assert tables.expected_sixths(points, modifier) == sum(thrown), points


@pytest.mark.clause("K.F4", "K.F8", "K.F9", "K.F10", "K.F11", "K.F13")
def test_the_modifiers_of_fire_match_the_printed_table() -> None:
    assert (tables.LONG_RANGE, tables.ON_FIRE, tables.SMALL_TARGET, tables.STRONG_WIND) == (2, 2, 1, 1)
    assert (tables.SHORT_RANGE, tables.STERN_RAKE) == (-1, -2)
    assert tables.BY_RANGE == (-1, -1, 0, 2, 2)
    assert tables.MOST_RANGE == 4


@pytest.mark.clause("K.S11")
@pytest.mark.parametrize("band", range(20, 101, 10))
def test_a_size_band_begins_at_its_own_ten(band: int) -> None:
    assert tables.band_of(band) == band
    assert tables.band_of(band - 1) == (band - 10 if band > 20 else 0)


@pytest.mark.clause("K.D2", "K.D3")
@pytest.mark.parametrize(("guns", "steps"), [(0, 2), (29, 2), (30, 3), (39, 3), (40, 4), (100, 4)])
def test_ships_have_two_three_or_four_steps_by_their_guns(guns: int, steps: int) -> None:
    assert tables.steps_of(guns) == steps


@pytest.mark.clause("K.D4")
@pytest.mark.parametrize(
    ("hull", "steps", "lost_at"),
    [
        (22, 4, (6, 11, 17, 22)),
        (12, 3, (4, 8, 12)),
        (13, 3, (5, 9, 13)),
        (6, 2, (3, 6)),
        (7, 2, (4, 7)),
        (3, 2, (2, 3)),
    ],
)
def test_a_step_is_lost_once_its_share_of_the_hull_is_gone(
    hull: int, steps: int, lost_at: tuple[int, ...]
) -> None:
    assert tables.thresholds(hull, steps) == lost_at


@pytest.mark.clause("K.D5", "K.0.6")
@pytest.mark.parametrize(
    ("points", "steps", "track"),
    [
        (8, 4, (8, 6, 4, 2)),
        (15, 4, (15, 11, 7, 3)),
        (5, 4, (5, 3, 2, 1)),
        (3, 4, (3, 2, 1, 1)),
        (3, 3, (3, 2, 1)),
        (2, 2, (2, 1)),
        (1, 2, (1, 1)),
    ],
)
def test_fire_falls_in_proportion_down_to_the_next_half_and_never_below_a_half(
    points: int, steps: int, track: tuple[int, ...]
) -> None:
    assert tables.fire_track(points, steps) == track


@pytest.mark.clause("K.D6", "K.D7", "K.M18", "K.M16", "K.G19", "K.G20")
@pytest.mark.parametrize(
    ("steps", "levels", "qualities"),
    [
        (2, (0, 1, 3), (True, False, False)),
        (3, (0, 1, 2, 3), (True, True, False, False)),
        (4, (0, 1, 2, 3, 3), (True, True, False, False, False)),
    ],
)
def test_lost_steps_cost_hexes_and_then_the_qualities(
    steps: int, levels: tuple[int, ...], qualities: tuple[bool, ...]
) -> None:
    made = Card(
        guns=30, band=30, hull_max=steps, n_steps=steps, thresholds=tuple(range(1, steps + 1)),
        fire_track=(1,) * steps, fast=True, handy=True, unhandy=False, merchant=False, small=False,
        is_fireship=False, deep=False,
    ).to_dict()  # fmt: skip
    speeds = (Fraction(1), Fraction(2, 3), Fraction(1, 3), Fraction(0))
    for lost, (level, keeps) in enumerate(zip(levels, qualities, strict=True)):
        one = ship(n_steps=steps, steps_lost=lost, fast=True, handy=True)
        assert (one.move_level, one.disabled) == (level, level == 3)
        assert (one.is_fast, one.is_handy) == (keeps, keeps)
        hurt = Condition(lost).to_dict()
        assert AT_SEA.no_go(made, hurt) == (90 if level >= 2 else 60)
        assert AT_SEA.sea_speed(made, hurt) == speeds[level]
        plain = ship(n_steps=steps, steps_lost=lost)
        assert not plain.is_fast and not plain.is_handy


@pytest.mark.clause("K.B24", "K.X3", "K.D7")
def test_a_prize_and_a_burning_fire_ship_have_neither_speed_nor_handiness() -> None:
    for state in ({"prize_of": "DUT"}, {"fired": True}):
        one = ship(fast=True, handy=True, **state)
        assert not one.is_fast and not one.is_handy
    levels = [ship(prize_of="DUT", steps_lost=lost).move_level for lost in range(5)]
    assert levels == [2, 2, 2, 3, 3]
