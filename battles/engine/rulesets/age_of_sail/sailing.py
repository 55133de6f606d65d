"""How far a ship goes on a heading, and which steps of a path she may take. Rules: A.M1-A.M14, A.M21."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from battles.engine.rulesets.age_of_sail.tables import CLOSE_HAULED, POINTS, SAIL, STEP

Spot = tuple[int, int, int]


class Sails(NamedTuple):
    """By heading: centimetres that a ship may go in a move, and whether no ship may lie on it; the wind's point of sixteen."""

    allowed: tuple[int, ...]
    shut: tuple[bool, ...]
    eye: int


def off_wind(h: int, wind_from: int) -> int:
    """The angle between a heading and the wind's eye, in points: 0 to 8. Rule: A.M1."""
    by = (h - 2 * wind_from) % POINTS
    return min(by, POINTS - by)


def allowance(power: int, wind: int, off: int) -> int:
    """Centimetres in a move. power: twice the mast total; off: points off the wind. Rules: A.M2, A.M3, A.M6, A.M7, A.G36."""
    return max(1, power * (wind + SAIL[off]) // 2)


@lru_cache(maxsize=4096)
def sails(power: int, wind: int, wind_from: int, no_sail: int) -> Sails:
    """What masts of this power give in this wind. no_sail: 45, or 22 where only dead to windward is shut. Rules: A.M4, A.M6."""
    least = CLOSE_HAULED if no_sail == 45 else CLOSE_HAULED - 1
    off = [off_wind(h, wind_from) for h in range(POINTS)]
    return Sails(
        tuple(allowance(power, wind, one) for one in off), tuple(one < least for one in off), 2 * wind_from
    )


def headings(h: int, turns: Iterable[int]) -> list[int]:
    """The heading of each step of a path. turns: of -1, 0 or 1 points. Rule: A.M9."""
    found = []
    for turn in turns:
        h = (h + turn) % POINTS
        found.append(h)
    return found


def lawful(course: Sequence[int], h: int, sails: Sails) -> int:
    """How many of these steps, each a heading, a ship may take that now lies on h.

    A tack is begun only when all of it may be sailed and is ordered. Rules: A.M11, A.M12, A.M21.
    """
    allowed, shut, _ = sails
    count = min(len(course), allowed[h])
    n = 0
    while n < count:
        on = course[n]
        if n >= allowed[on]:
            break
        if shut[on]:
            run = _tack(course, n, h, sails, count)
            if not run:
                break
            n += run
        else:
            n += 1
        h = course[n - 1]
    return n


def _tack(course: Sequence[int], n: int, h: int, sails: Sails, count: int) -> int:
    """Steps of the tack that begins here, 0 when it may not be begun. Rule: A.M12."""
    turn = (course[n] - h) % POINTS
    if turn not in (1, POINTS - 1):
        return 0
    at = n
    while at < count and course[at] == (h + turn) % POINTS and at < sails.allowed[course[at]]:
        h = course[at]
        at += 1
        if not sails.shut[h]:
            return at - n
    return 0


def irons_turn(h: int, sails: Sails, ordered: int) -> int:
    """The point that a ship in irons makes away from the wind: 1 to starboard, -1 to port. ordered: -1, 1, or 0. Rule: A.M13."""
    by = (h - sails.eye) % POINTS
    if by == 0:
        return ordered or 1
    return 1 if by < POINTS // 2 else -1


def track(start: Spot, turns: Sequence[int]) -> list[Spot]:
    """The places of a path, the first included. Rules: A.M9, A.M10."""
    x, y, h = start
    found = [start]
    for turn in turns:
        h = (h + turn) % POINTS
        dx, dy = STEP[h]
        x, y = x + dx, y + dy
        found.append((x, y, h))
    return found


def falling_off(h: int, sails: Sails) -> int:
    """The nearest heading that is not shut, to starboard of two. Rule: A.G37."""
    for by in range(POINTS):
        for side in (1, -1):
            if not sails.shut[(h + side * by) % POINTS]:
                return (h + side * by) % POINTS
    raise AssertionError
