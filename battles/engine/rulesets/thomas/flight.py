"""The way out of the action that a worn crew must take, whoever commands her. Rule: T.O5g."""

from __future__ import annotations

from battles.engine.core import plane
from battles.engine.core.plane import Point
from battles.engine.rulesets.thomas.play import Course
from battles.engine.rulesets.thomas.sailing import boats_may_pull, oar_reach, sail_reach, turns, wind_limit
from battles.engine.rulesets.thomas.state import Battle, Ship
from battles.engine.rulesets.thomas.tables import BOATS_PULL, BOATS_TURN, ESCAPE_REACH

_TRIED = 500


def course(battle: Battle, ship: Ship) -> Course | None:
    """The turn and leg that open the range from the nearest enemy fastest, then a turn straight away from him.

    Where every way leads nearer at first, no further than she must. None when no enemy is within 32 inches: no one is to be
    fled from, and she sails as she likes. Rules: T.O5g, T.B7, T.O1.
    """
    enemies = [one for one in battle.near(ship, ESCAPE_REACH) if one.flag != ship.flag and one.fighting]
    if not enemies:
        return None
    nearest = min(enemies, key=lambda one: (plane.distance(one.position, ship.position), one.id)).position
    towed = boats_may_pull(battle, ship)
    sharp, number, legs = _means(battle, ship, towed=towed)
    limit = 0 if towed else wind_limit(battle, ship)
    tried = [0, *(by for n in range(_TRIED, sharp + 1, _TRIED) for by in (n, -n))] if number else [0]
    if number and sharp % _TRIED:
        tried += [sharp, -sharp]
    legal = [by for by in tried if battle.off_wind(plane.turned(ship.heading, by)) >= limit] or [0]
    turn1, leg = max(
        ((by, leg) for by in legal for leg in legs), key=lambda way: _opened(ship, nearest, *way)
    )
    heading = plane.turned(ship.heading, turn1)
    turn2 = 0
    if number > 1 or not turn1:
        end = plane.advance(ship.position, heading, leg)
        rest = [by for by in tried if battle.off_wind(plane.turned(heading, by)) >= limit] or [0]
        turn2 = min(rest, key=lambda by: _off(nearest, end, plane.turned(heading, by)))
    return Course(turn1, leg, 0 if towed else turn2, boats=towed)


def _means(battle: Battle, ship: Ship, *, towed: bool) -> tuple[int, int, tuple[int, int]]:
    """How sharp she turns, how often, and how far she goes at least and at most, by boats, oars or sails."""
    if towed:
        return (0 if ship.dismasted else BOATS_TURN), 1, (0, BOATS_PULL)
    sharp, number = turns(battle, ship)
    return sharp, number, (0, oar_reach(battle, ship)) if ship.under_oars else sail_reach(battle, ship)


def _opened(ship: Ship, enemy: Point, by: int, length: int) -> tuple[int, int]:
    """How far off the enemy lies after a turn and a leg; of equal ones the lesser turn."""
    x, y = plane.advance(ship.position, plane.turned(ship.heading, by), max(length, 1))
    return (x - enemy[0]) ** 2 + (y - enemy[1]) ** 2, -abs(by)


def _off(enemy: Point, here: Point, heading: int) -> int:
    """How far a heading is from the one straight away from the enemy."""
    return 0 if enemy == here else plane.angle(plane.bearing(enemy, here), heading)
