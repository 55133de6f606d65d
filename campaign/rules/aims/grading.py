"""Who has won, and how clearly: allied sides have one score, and the lead is counted in whole marks. Rule: G.OB3."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import floor

from campaign.rules.chart.types import Settings


class Degree(StrEnum):
    """How a campaign ended. Rule: G.OB3."""

    DRAW = "draw"
    NARROW = "narrow"
    CLEAR = "clear"
    GREAT = "great"
    DECISIVE = "decisive"


@dataclass(frozen=True, slots=True)
class Grade:
    """How a campaign ended. winners: codes of a side and its allies; who leads, in a draw; () when no one does. lead: whole marks."""

    degree: Degree
    winners: tuple[str, ...]
    lead: int


def alliances(sides: Collection[str], allied: Collection[frozenset[str]]) -> list[tuple[str, ...]]:
    """Sides with all that are tied to them by alliances, in the order of codes. Rules: G.CO7, G.OB3."""
    left, found = sorted(sides), []
    while left:
        together, grown = [left.pop(0)], 0
        while grown < len(together):
            friends = [side for side in left if frozenset((together[grown], side)) in allied]
            left = [side for side in left if side not in friends]
            together += friends
            grown += 1
        found.append(tuple(sorted(together)))
    return found


def pooled(
    sums: Mapping[str, Fraction], allied: Collection[frozenset[str]]
) -> dict[tuple[str, ...], Fraction]:
    """One score for allied sides, the sum of theirs, by their codes in order. sums: points by side. Rule: G.OB3."""
    return {team: sum((sums[side] for side in team), Fraction(0)) for team in alliances(sums, allied)}


def grade(
    sums: Mapping[str, Fraction],
    mark: int,
    decisive: Collection[str],
    at_war: Collection[frozenset[str]],
    allied: Collection[frozenset[str]],
    settings: Settings,
) -> Grade:
    """How a campaign ended. sums: points by side; mark: points of one, at least 1; decisive: sides that achieved a decisive objective.

    Such a side has won when no enemy of it has achieved one; else the lead over the best enemy decides. Rule: G.OB3.
    """
    scores = pooled(sums, allied)
    teams = list(scores)
    foes = {team: [other for other in teams if _hostile(team, other, at_war)] for team in teams}
    leads = {
        team: floor((scores[team] - max(scores[other] for other in foes[team])) / max(1, mark))
        for team in teams
        if foes[team]
    }
    won = {team for team in teams if not set(team).isdisjoint(decisive)}
    alone = [team for team in won if not any(other in won for other in foes[team])]
    if alone:
        best = max(alone, key=lambda team: (scores[team], team))
        return Grade(Degree.DECISIVE, best, leads.get(best, 0))
    if not leads:
        return Grade(Degree.DRAW, (), 0)
    # the order of codes decides between sides that are level, and neither of those has won
    best = min(leads, key=lambda team: (-scores[team], team))
    lead = leads[best]
    steps = (
        (settings.grade_great, Degree.GREAT),
        (settings.grade_clear, Degree.CLEAR),
        (settings.grade_narrow, Degree.NARROW),
    )
    degree = next((name for least, name in steps if lead >= least), Degree.DRAW)
    return Grade(degree, best if lead > 0 or degree is not Degree.DRAW else (), max(0, lead))


def _hostile(a: Collection[str], b: Collection[str], at_war: Collection[frozenset[str]]) -> bool:
    """Whether a side of one alliance is at war with one of another."""
    return any(frozenset((one, other)) in at_war for one in a for other in b)
