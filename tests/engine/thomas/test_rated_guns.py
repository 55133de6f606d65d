"""Whose number of guns counts. Rules: T.S8, T.S27."""

from __future__ import annotations

import pytest

from battles.engine.rulesets.thomas.card import card
from tests.engine.thomas.test_card import facts


@pytest.mark.clause("T.S8", "T.S27")
@pytest.mark.parametrize(("rated", "guns"), [(60, 60), (None, 40)])
def test_her_rated_guns_count_where_they_are_known_and_those_listed_where_they_are_not(
    rated: int | None, guns: int
) -> None:
    made = card(facts(guns=rated, gun_detail="40x6pdr", year_built=1780, tons_burthen=900))
    assert made.guns == guns
