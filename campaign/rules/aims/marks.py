"""Marks: what objectives are paid in, so that they weigh the same in every rule set. Rule: G.OB2."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from campaign.rules.chart.types import TurnFacts

MARKS_A_MEAN = 100


def mark_of(values: Iterable[Fraction]) -> int:
    """Points of a mark: a hundredth of the mean opening value of the two greatest sides, rounded half up, at least 1. Rule: G.OB2."""
    greatest = sorted(values, reverse=True)[:2]
    mean = sum(greatest, Fraction(0)) / 2
    return max(1, math.floor(mean / MARKS_A_MEAN + Fraction(1, 2)))


def in_points(marks: int | str | Fraction, mark: int) -> Fraction:
    """Marks, which may be a part of one, in the rule set's points. mark: points of one. Rule: G.OB2."""
    return Fraction(marks) * mark


def mark_points(facts: TurnFacts, marks: int | str | Fraction) -> Fraction:
    """Points of some marks in a turn; 0 in a campaign that has no mark. Rule: G.OB2."""
    return in_points(marks, facts.opening.mark)
