"""How an admiral stands: strength against strength, when he breaks off, and where safety lies. Rules: AA01, AA02, AA14, P.K49."""

from __future__ import annotations

from enum import IntEnum

from battles.engine.core import plane
from battles.engine.core.plane import Point
from battles.engine.core.scenario import Stance
from battles.engine.rulesets.barker.captain import odds
from battles.engine.rulesets.barker.factors import ATTACK
from battles.engine.rulesets.barker.state import Status, Unit
from battles.engine.rulesets.barker.tables import YARD
from battles.engine.rulesets.barker.view import View

# Shares of hull lost in twentieths, by damage markers, and for a cripple. Rules: P.K17, P.K49.
_LOST = (0, 3, 6)
_LOST_CRIPPLED = (12, 14, 16)
_TWENTIETHS = 20
# So far beyond the edge lies the point for which who leaves steers.
_BEYOND = 20_000 * YARD
# What a hundredth of a degree of turning counts in way; how wide and how far an enemy bars a way.
_ROUND, _GETS_BY = 200, 700
_CONE, _BARS = 4_500, 16_000 * YARD


class Posture(IntEnum):
    """Rule: AA02."""

    WITHDRAW = 0
    EDGE_HOME = 1
    EVEN = 2
    ATTACK = 3


def broken(view: View) -> bool:
    """Whether so much of the side's hulls is lost that its instructions tell it to break off. Rule: P.K49."""
    limit = view.doctrine.break_off
    if limit >= 100 or not view.party.opening2:
        return False
    lost = sum(unit.sp2 * lost_twentieths(unit) for unit in view.all_own() if unit.type in ATTACK)
    return 100 * lost >= limit * view.party.opening2 * _TWENTIETHS


def lost_twentieths(unit: Unit) -> int:
    """What of a unit's hull this battle has cost. Rule: P.K17."""
    if unit.status is Status.SUNK:
        return _TWENTIETHS
    now = _LOST_CRIPPLED[unit.damage] if unit.crippled else _LOST[unit.damage]
    came = _LOST_CRIPPLED[unit.came_damage] if unit.came_crippled else _LOST[unit.came_damage]
    return max(0, now - came)


def of(view: View) -> Posture:
    """By instructions, then by strength in sight. Rules: AA01, AA02, P.K49."""
    doctrine = view.doctrine
    if doctrine.stance is Stance.AVOID or broken(view):
        return Posture.WITHDRAW
    own = sum(odds.strength(unit) for unit in view.own() if unit.warship or unit.ashore)
    theirs = sum(odds.strength(foe) for foe in view.foes() if foe.warship or foe.ashore)
    if 5 * own >= 6 * theirs:
        return Posture.ATTACK
    if 5 * own >= 4 * theirs:
        return (
            Posture.ATTACK
            if doctrine.stance is Stance.SEEK and doctrine.fight_at == "close"
            else Posture.EVEN
        )
    if doctrine.stance is Stance.HOLD or 2 * own >= theirs:
        return Posture.EDGE_HOME
    return Posture.WITHDRAW


def refuge(view: View, unit: Unit) -> Point:
    """A point beyond the edge for which who leaves steers, one course for the whole side. Rules: AA14, AA26."""
    course = way_out(view, view.flagship() or unit)
    return beyond(view, unit, course)


def beyond(view: View, unit: Unit, course: int) -> Point:
    """A point beyond the edge that lies on a course."""
    return plane.advance(unit.at, course, _to_edge(view, unit.at, course) + _BEYOND)


def way_out(view: View, leads: Unit) -> int:
    """The edge that is near, not far round, and with no enemy on the way.

    Beaten, he favours his own edge. Who avoids battle from the first and is strong enough hardly leaves his course: he wants to get by.
    """
    foes = [foe for foe in view.foes() if foe.warship and not foe.crippled]
    beaten = broken(view) or view.doctrine.stance is not Stance.AVOID
    by = not beaten and 5 * sum(map(odds.strength, view.own())) >= 3 * sum(map(odds.strength, foes))
    best, course = None, 0
    for bearing in (0, 9_000, 18_000, 27_000):
        barred = sum(_bars(leads.at, bearing, foe) for foe in foes)
        cost = _to_edge(view, leads.at, bearing) + plane.angle(leads.h, bearing) * (
            _GETS_BY if by else _ROUND
        )
        cost *= 2 + (min(1, barred) if by else barred)
        if not by and bearing == view.party.edge:
            cost //= 2
        if best is None or cost < best:
            best, course = cost, bearing
    return course


def _to_edge(view: View, at: Point, bearing: int) -> int:
    """The way to an edge, never less than nothing."""
    west, south, east, north = view.table
    ways = {0: north - at[1], 9_000: east - at[0], 18_000: at[1] - south, 27_000: at[0] - west}
    return max(0, ways[bearing])


def _bars(start: Point, bearing: int, foe: Unit) -> int:
    """Whether an enemy lies on the way: within 45 degrees of it, and near enough to fight over it."""
    if start == foe.at:
        return 1
    return int(
        plane.angle(bearing, plane.bearing(start, foe.at)) <= _CONE and plane.within(start, foe.at, _BARS)
    )
