"""The few legs a ship may choose from: on which heading, how far, and what lies in the way. Rules: T.B2, T.B4, T.B4d, T.B7."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from battles.engine.core import plane, shore
from battles.engine.core.plane import Box, Point, angle, swing, turned, unit
from battles.engine.core.shore import Polygon
from battles.engine.rulesets.thomas.captain.helm import Helm
from battles.engine.rulesets.thomas.captain.scene import THOUSANDTH, Foe
from battles.engine.rulesets.thomas.state import Ship

# Water kept between hulls that mean to go clear of each other.
ROOM = 150
DOUBT = 1_000
_ALONG_SHORE = 3_000


class Leg(NamedTuple):
    """A turn and a run: where it ends, on what heading, and whose hull stops it ("" for no one)."""

    turn: int
    distance: int
    x: int
    y: int
    heading: int
    stopped: str = ""
    friend: bool = False


class Lying(NamedTuple):
    """A hull that may be in the way. ahead, across: half of it, along her own keel and abeam."""

    id: str
    x: int
    y: int
    sin: int
    cos: int
    ahead: int
    across: int
    friend: bool


def hulls(friends: Iterable[Ship], foes: Iterable[Foe]) -> list[Lying]:
    """The hulls round a ship."""
    found = []
    for ship in friends:
        sin, cos = unit(ship.heading)
        found.append(
            Lying(
                ship.id,
                ship.x,
                ship.y,
                sin // THOUSANDTH,
                cos // THOUSANDTH,
                ship.length // 2,
                ship.beam // 2,
                True,
            )
        )
    found += [
        Lying(foe.id, foe.x, foe.y, foe.sin, foe.cos, foe.length // 2, foe.beam // 2, False) for foe in foes
    ]
    return found


def legs(ship: Ship, rig: Helm, goal: Point | None, around: Sequence[Lying], *, fine: bool) -> list[Leg]:
    """The legs open to a ship: up to seven headings, up to three distances on each. goal: where she would rather be.

    fine: an enemy is near, so that every distance is tried. A ship that no turn lets sail bears away as far as she can (T.B2g).
    """
    found: list[Leg] = []
    for turn in _turns(ship, rig, goal):
        heading = turned(ship.heading, turn)
        sin, cos = unit(heading)
        sin, cos = sin // THOUSANDTH, cos // THOUSANDTH
        clear, stopped, friend = _clear_run(ship, sin, cos, rig.most, around)
        most = min(rig.most, clear)
        for distance in _distances(ship, rig, goal, most, sin, cos, fine=fine):
            at_hull = stopped and distance >= most
            x, y = ship.x + distance * sin // 1_000, ship.y + distance * cos // 1_000
            # A run that ends at a hull is ordered longer than it seems to be: she was judged by eye.
            ordered = min(rig.most, max(rig.least, distance + (DOUBT if at_hull and not friend else 0)))
            found.append(
                Leg(turn, ordered, x, y, heading, stopped if at_hull else "", friend and bool(at_hull))
            )
    return found


def _turns(ship: Ship, rig: Helm, goal: Point | None) -> list[int]:
    if not rig.number:
        return [0]
    half = rig.sharp // 2
    tried = [0, half, -half, rig.sharp, -rig.sharp]
    if goal is not None and goal != ship.position:
        tried.append(rig.turn_towards(ship.heading, plane.bearing(ship.position, goal)))
    allowed = [turn for turn in dict.fromkeys(tried) if rig.allowed(turned(ship.heading, turn))]
    if allowed:
        return allowed
    least = rig.turn_towards(ship.heading, turned(rig.wind_from, plane.STRAIGHT))
    if rig.allowed(turned(ship.heading, least)):
        return [least]
    return [rig.sharp if swing(rig.wind_from, ship.heading) >= 0 else -rig.sharp]


def _clear_run(ship: Ship, sin: int, cos: int, most: int, around: Sequence[Lying]) -> tuple[int, str, bool]:
    """How far she goes on a bearing before a hull stops her, and whose."""
    length, beam = ship.length // 2, ship.beam // 2
    best, stopped, friend = most + 1, "", False
    for one in around:
        dx, dy = one.x - ship.x, one.y - ship.y
        along = (dx * sin + dy * cos) // 1_000
        if along <= 0 or along - 1_000 > most + length:
            continue
        across = abs(dx * cos - dy * sin) // 1_000
        lying = abs(one.sin * sin + one.cos * cos) // 1_000
        lying_across = abs(one.sin * cos - one.cos * sin) // 1_000
        wide = beam + (one.ahead * lying_across + one.across * lying) // 1_000 + (ROOM if one.friend else 0)
        if across >= wide:
            continue
        at = max(0, along - length - (one.ahead * lying + one.across * lying_across) // 1_000)
        if at < best:
            best, stopped, friend = at, one.id, one.friend
    if friend:
        # She is ordered to stop short of a friend, not against it.
        best = max(0, best - ROOM)
    return (best, stopped, friend) if best <= most else (most, "", False)


def _distances(
    ship: Ship, rig: Helm, goal: Point | None, most: int, sin: int, cos: int, *, fine: bool
) -> list[int]:
    least = min(rig.least, most)
    tried = {least, most}
    if goal is not None:
        along = ((goal[0] - ship.x) * sin + (goal[1] - ship.y) * cos) // 1_000
        if least < along < most:
            tried.add(along)
    if fine and most - least > 1_500:
        tried.add((least + most) // 2)
    return sorted(tried)


def closing_turns(rig: Helm, leg: Leg, mark: int = -1) -> list[int]:
    """The turns she may make at the end of a leg without coming to lie in irons; none when a hull has stopped her.

    mark: bearing of an enemy to be brought abeam, on one side and on the other, -1 for none. Rules: T.B4d, T.B7.
    """
    if leg.stopped or rig.boats or not rig.number or (rig.number < 2 and leg.turn):
        return [0]
    half = rig.sharp // 2
    tried = [0, half, -half, rig.sharp, -rig.sharp]
    if mark >= 0:
        for side in (plane.RIGHT, -plane.RIGHT):
            tried.append(max(-rig.sharp, min(rig.sharp, swing(leg.heading, turned(mark, side)))))
    return [turn for turn in dict.fromkeys(tried) if not turn or rig.allowed(turned(leg.heading, turn))]


def near_land(ship: Ship, reach: int, land: Sequence[Polygon]) -> list[Polygon]:
    """The shores a ship could come near this move."""
    room = reach + _ALONG_SHORE
    return [
        one
        for one in land
        if min(x for x, _ in one) - room <= ship.x <= max(x for x, _ in one) + room
        and min(y for _, y in one) - room <= ship.y <= max(y for _, y in one) + room
    ]


def runs_ashore(ship: Ship, leg: Leg, land: Sequence[Polygon]) -> bool:
    """Whether a leg, run on for the length of a drift or two, touches land. Rules: T.B4e, T.B6."""
    hull = Box(ship.x, ship.y, leg.heading, ship.length, ship.beam)
    end = Box(leg.x, leg.y, leg.heading, 2 * _ALONG_SHORE, 2 * _ALONG_SHORE)
    return any(
        shore.first_ashore(hull, leg.heading, leg.distance, one) is not None or shore.ashore(end, one)
        for one in land
    )


def off_course(heading: int, course: int) -> int:
    """How far a heading is from another, in hundredths of 45 degrees."""
    return angle(heading, course) // 45
