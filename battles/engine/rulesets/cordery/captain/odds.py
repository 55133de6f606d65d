"""What gun dice at a target are worth: the points that they are expected to gain by C.V2, and what major hits do to her fire.

Rule: C.Q1.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from battles.engine.rulesets.cordery.view import Seen

# A point in the units of this module; chances are in parts of _SURE.
POINT, _SURE = 288, 1_000_000
# Of 36 results of a die and its major-hit die: those that cost no point, one, and two. Rules: C.G11, C.H7.
_LOSS = (18, 17, 1)
# Dice beyond which nothing more is reckoned at one target, and the most points that a card has.
_MOST, _POINTS = 80, 24
# Her fire in sixteenths: each turret, each battery. A ship that breaks off counts half.
_TURRET, _BATTERY = 6, 2
# What a die's chance of each major hit is worth: silence for a sixteenth of her fire, a turret, and a fire aboard for a point of hers that
# it may cost and for a sixteenth of her fire. Rules: C.H2, C.H3, C.H6.
_SILENCE, _TURRET_LOST, _BURNS, _BURNS_FIRE = 24, 90, 16, 6
# A ship that sinks counts half her points more, one that breaks off a sixth. Rules: C.V2, C.N12.
_SUNK, _BROKEN_OFF = 2, 6


class Target(NamedTuple):
    """A target as far as its worth goes.

    to_critical: points to the critical point, 0 when she is breaking off. each: worth of the side effects of a die.
    """

    fp: int
    fp_max: int
    to_critical: int
    each: int


def target(foe: Seen, standing: frozenset[str]) -> Target:
    """What is to be gained from a ship. standing: her turrets and batteries. Rules: C.Q1, C.H2-C.H6."""
    turrets = sum(name.startswith("turret") for name in standing)
    share = 1 if foe.breaking_off else 2
    fire = (_TURRET * turrets + _BATTERY * (len(standing) - turrets)) * share // 2
    each = 0 if foe.no_fire else _SILENCE * fire
    if turrets:
        each += _TURRET_LOST * share // 2
    if not foe.burning:
        each += _BURNS * (foe.fp - (-foe.fp_max // _SUNK)) + _BURNS_FIRE * fire
    return Target(foe.fp, foe.fp_max, 0 if foe.breaking_off else max(0, foe.fp - foe.critical), each)


@lru_cache(maxsize=16_384)
def worth(aim: Target, dice: int) -> int:
    """What so many gun dice in all at a target are worth."""
    dice = min(dice, _MOST)
    row = _chances()[dice]
    sinks = row[aim.fp]
    gained = sum(row[1 : aim.fp + 1]) - (-aim.fp_max // _SUNK) * sinks
    if aim.to_critical:
        gained -= (-aim.fp_max // _BROKEN_OFF) * row[aim.to_critical]
    # Half of what is thrown at a ship that sinks comes too late to do her more harm.
    return (POINT * gained + aim.each * dice * (_SURE - sinks // 2)) // _SURE


@lru_cache(maxsize=1)
def _chances() -> tuple[tuple[int, ...], ...]:
    """By dice the chance that they cost at least 0, 1, ... points."""
    exact = [_SURE * 36] + [0] * _POINTS
    rows = []
    for _ in range(_MOST + 1):
        rows.append(tuple(sum(exact[least:]) // 36 for least in range(_POINTS + 1)))
        following = [0] * (_POINTS + 1)
        for points, part in enumerate(exact):
            for more, ways in enumerate(_LOSS):
                following[min(points + more, _POINTS)] += part * ways
        exact = [part // 36 for part in following]
    return tuple(rows)
