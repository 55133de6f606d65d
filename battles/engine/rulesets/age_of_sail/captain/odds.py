"""What a volley and a boarding are worth: ten-thousandths of a box, and chances in ten-thousandths. Rules: A.Q1, A.Q2, A.Q5."""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb
from typing import NamedTuple

from battles.engine.core.plane import nearest
from battles.engine.rulesets.age_of_sail.damage import Boxes, hull_hits
from battles.engine.rulesets.age_of_sail.tables import HITS_ON, SIXES

BOX = 10_000
# What a fire is worth, in boxes.
_FIRE = 4
# Chances that a ship afire blows up, by her fire stage. Rule: A.Q4.
BLOWS_UP = (0, BOX * 5 // 9, BOX * 5 // 6)


class Worth(NamedTuple):
    """The better aim of a volley, and what it is worth."""

    value: int
    aim: str


@cache
def _ways(dice: int, least: int) -> tuple[int, ...]:
    """In how many of 6 ** dice ways so many dice show a face or more, by their number."""
    made = 7 - least
    return tuple(comb(dice, k) * made**k * (6 - made) ** (dice - k) for k in range(dice + 1))


@lru_cache(maxsize=1 << 16)
def volley(
    dice: int, band: int, where: str, port: int, stbd: int, units: int, standing: int, sails: int, fire: int
) -> Worth:
    """A volley at a ship with these boxes. sails: twice what a mast is worth; fire: halves of a fire's worth. Rules: A.Q1, A.Q2."""
    all_ways = 6**dice
    boxes = Boxes(port, stbd, units)
    whole = sum(boxes)
    hull = sum(
        ways * (whole - sum(hull_hits(boxes, k, where)))
        for k, ways in enumerate(_ways(dice, HITS_ON["hull"][band]))
    )
    masts = sum(ways * min(k, standing) for k, ways in enumerate(_ways(dice, HITS_ON["sails"][band])))
    lit = sum(_ways(dice, 6)[SIXES:]) * _FIRE * fire
    by_hull = nearest(BOX * (2 * hull + lit), 2 * all_ways)
    by_sails = nearest(BOX * (sails * masts + lit), 2 * all_ways)
    return Worth(by_hull, "hull") if by_hull >= by_sails else Worth(by_sails, "sails")


@cache
def _totals(dice: int) -> tuple[int, ...]:
    """In how many ways so many dice add up to each total."""
    found = [1]
    for _ in range(dice):
        longer = [0] * (len(found) + 6)
        for total, ways in enumerate(found):
            for face in range(1, 7):
                longer[total + face] += ways
        found = longer
    return tuple(found)


@cache
def wins(attack: int, defence: int) -> int:
    """Chance that so many dice add up to more than so many others. Rules: A.Q5, A.B3."""
    own, other = _totals(attack), _totals(defence)
    below = 0
    found = 0
    for total, ways in enumerate(own):
        found += ways * below
        below += other[total] if total < len(other) else 0
    return int(BOX * found // 6 ** (attack + defence))
