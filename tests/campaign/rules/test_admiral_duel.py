"""The automatic admiral against the first one, by points of ships kept and taken and of convoys that arrive."""

from __future__ import annotations

from fractions import Fraction

import pytest

from campaign.rules.admiral import admiral_orders
from tests.campaign.rules.duel import strengths, war
from tests.support.first_admiral import admiral_orders as first_admiral


def margin(side: str, weaker: str, seed: int) -> Fraction:
    """Points of a side under the present admiral over those of the other under the first."""
    other = {"ENG": "NLD", "NLD": "ENG"}[side]
    points = war(strengths(weaker), {side: admiral_orders, other: first_admiral}, f"duel {seed}")
    return points.get(side, Fraction(0)) - points.get(other, Fraction(0))


@pytest.mark.clause("G.VP1", "G.CO1")
def test_with_either_fleet_the_admiral_does_better_than_the_first_version() -> None:
    assert sum(margin(side, weaker, 0) for side in ("ENG", "NLD") for weaker in ("ENG", "NLD")) > 0
