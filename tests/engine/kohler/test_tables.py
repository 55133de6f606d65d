"""T1 and the tables beside it."""

from __future__ import annotations

from typing import Any

import pytest

from battles.engine.rulesets.kohler import tables
from tests.support.cases import cases


@pytest.mark.parametrize("case", cases("kohler/fire_table"))
def test_hits_are_those_of_the_printed_row(case: dict[str, Any]) -> None:
    doubled = int(case["points"] * 2)
    upper = case.get("upper", False)
    assert [tables.hits(doubled, score, upper=upper) for score in range(9)] == case["hits"]


@pytest.mark.clause("K.F14")
@pytest.mark.parametrize("points", range(23))
def test_scores_beyond_the_table_use_its_first_and_last_columns(points: int) -> None:
    assert [tables.hits(points, score) for score in (-3, -1)] == [tables.hits(points, 0)] * 2
    assert [tables.hits(points, score) for score in (8, 9, 12)] == [0, 0, 0]


@pytest.mark.clause("K.F14")
def test_more_fire_never_hits_less_and_a_higher_score_never_more() -> None:
    for points in range(22):
        for score in range(-3, 12):
            assert tables.hits(points, score) <= tables.hits(points + 1, score)
            assert tables.hits(points, score) >= tables.hits(points, score + 1)


@pytest.mark.clause("K.AI1")
def test_expected_hits_reproduce_the_odds_that_the_rules_quote() -> None:
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
def test_only_english_and_dutch_are_themselves_whatever_column_others_take() -> None:
    assert tables.is_english("Great Britain") and tables.is_english("England")
    assert not tables.is_english("France") and tables.column("France") is tables.Column.ENGLISH
    assert tables.is_dutch("Dutch Republic")
    assert not tables.is_dutch("Sweden") and tables.column("Sweden") is tables.Column.DUTCH
