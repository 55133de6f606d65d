"""Which number of guns counts, and a ship of which only the men are known. Rules: T.S8, T.S27, T.S28."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.thomas.card import card, explain
from tests.engine.thomas.test_card import facts


@pytest.mark.clause("T.S8", "T.S27")
@pytest.mark.parametrize(("rated", "guns"), [(60, 60), (None, 40)])
def test_her_rated_guns_count_where_known_and_the_listed_ones_otherwise(rated: int | None, guns: int) -> None:
    made = card(facts(guns=rated, gun_detail="40x6pdr", year_built=1780, tons_burthen=900))
    assert made.guns == guns


@pytest.mark.clause("T.S28")
@pytest.mark.parametrize(
    ("year", "men", "why"),
    [
        (1588, None, "Only its 0 men are known: 0 tons."),
        (1588, 40, "Only its 40 men are known: 80 tons."),
        (1650, None, "Only its 0 men are known: 1 guns."),
        (1650, 55, "Only its 55 men are known: 10 guns."),
        (1780, 60, "Only its 60 men are known: 8 guns."),
    ],
)
def test_a_card_says_that_only_her_men_are_known(year: int, men: int | None, why: str) -> None:
    notes = explain(facts(year_built=year, crew=men, overrides={} if men else {"guns": 0}))
    assert [text for _, clause, text in notes if clause == "T.S28" and "men" in text] == [why]
