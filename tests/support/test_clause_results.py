"""The results that `make cases` writes: sentences from the names of tests, and counts by book and clause."""

from __future__ import annotations

import pytest

from battles.clause_cases import Shown
from tests.support.clause_results import results, sentence


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ("tests/a.py::test_a_miss", "A miss"),
        ("tests/a.py::test_a_dutch_ship_fires_high[3-4]", "A Dutch ship fires high"),
        ("tests/a.py::TestFire::test_a_rake[1]", "A rake"),
        ("tests/a.py::test_the_fire_table[K.F14/half-a-point]", "The fire table: half a point"),
        ("tests/a.py::test_the_fire_table[3-K.A1.3/english-100]", "The fire table: English 100"),
        ("tests/a.py::test_a_card[K.G4/with-a-warships-qualities]", "A card: with a warship's qualities"),
        ("tests/a.py::test_a_rising[T.O6m/4/S1/after]", "A rising"),
    ],
    ids=("plain", "numbers", "in-a-class", "words", "number-and-words", "owner", "key-of-a-die"),
)
def test_the_name_of_a_test_is_its_sentence(node: str, expected: str) -> None:
    assert sentence(node) == expected


def test_cases_are_counted_by_rule_book_and_clause_and_skipped_ones_are_left_out() -> None:
    ran = {
        "a.py::test_a_rake[1]": ["K.F7", "G.FA1"],
        "a.py::test_a_rake[2]": ["K.F7"],
        "a.py::test_skipped": ["K.F7"],
        "a.py::test_lost": ["K.F8"],
        "a.py::test_of_no_book": ["P.K04"],
    }
    found = results(
        ran, {"a.py::test_a_rake[1]", "a.py::test_of_no_book"}, {"a.py::test_a_rake[2]", "a.py::test_lost"}
    )
    assert found["kohler"].tests == {"K.F7": (Shown("A rake", 2, 1),), "K.F8": (Shown("Lost", 1, 1),)}
    assert found["campaign"].tests == {"G.FA1": (Shown("A rake", 1, 0),)}
    assert found["thomas"].tests == {}
