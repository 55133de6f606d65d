"""The ships about a captain, laid out for quick reckoning. Rules: A.Q1, A.Q3, A.Q4."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from battles.engine.rulesets.age_of_sail.bearing import STERN, aspect, band, bears
from battles.engine.rulesets.age_of_sail.captain.odds import volley
from battles.engine.rulesets.age_of_sail.play import Shot
from battles.engine.rulesets.age_of_sail.sailing import Sails, Spot, headings, lawful, track
from battles.engine.rulesets.age_of_sail.state import Ship
from battles.engine.rulesets.age_of_sail.tables import PORT, RANGE, SLACK, STARBOARD, TAN, TAN_45, WAY
from battles.engine.rulesets.age_of_sail.view import View

_NEAR = RANGE**2
# By fire stage. Rules: A.X3, A.X4.
_SPARED = (18, 8, 3)
# The square of the farthest distance at which anything hits. Rules: A.F8, A.P6.
REACH = (RANGE + SLACK) ** 2


class Target(NamedTuple):
    """A ship as one who fires at her has to know her.

    sails, fire: as `odds.volley` has them. next: where her last move would bring her. guns: decks a side that she can man.
    spared: chance in eighteenths that a fire aboard will not blow her up.
    """

    ship: Ship
    x: int
    y: int
    h: int
    port: int
    stbd: int
    units: int
    standing: int
    sails: int
    fire: int
    next: Spot
    guns: tuple[int, int]
    spared: int


def target(
    view: View, ship: Ship, friends: Sequence[Ship], *, long_range: bool, moves: bool = True
) -> Target:
    """An enemy. friends: ships of ours that may lie near; moves: whether she will move before it matters. Rules: A.Q1, A.Q4."""
    sails = 1 if ship.standing <= 1 else 3 if long_range or view.flees(ship) else 2
    fire = 0
    if not ship.fire_stage:
        # the ship that fires is one of those who lie near, or will be
        near = 0
        for one in friends:
            dx, dy = one.x - ship.x, one.y - ship.y
            near += dx * dx + dy * dy <= _NEAR
        fire = 1 if near > 1 else 2
    port, stbd, crew = ship.port, ship.stbd, ship.manned
    return Target(
        ship, ship.x, ship.y, ship.h, port, stbd, ship.units, ship.standing, sails, fire,
        foreseen(view, ship) if moves else (ship.x, ship.y, ship.h),
        (port, stbd) if crew is None else (min(port, crew), min(stbd, crew)),
        _SPARED[ship.fire_stage],
    )  # fmt: skip


def foreseen(view: View, ship: Ship) -> Spot:
    """Where her last move, made once more, would bring a ship, if it is lawful; else where she lies. Rule: A.Q4."""
    if not ship.path or not view.able(ship):
        return ship.x, ship.y, ship.h
    x, y, h = _repeated(ship.h, tuple(ship.path), view.sails(ship))
    return ship.x + x, ship.y + y, h


@lru_cache(maxsize=4096)
def _repeated(h: int, turns: tuple[int, ...], sails: Sails) -> Spot:
    """How far a path brings a ship on this heading, if it is lawful."""
    course = headings(h, turns)
    return track((0, 0, h), turns if lawful(course, h, sails) == len(course) else ())[-1]


def dice(view: View, ship: Ship) -> tuple[int, int]:
    """Dice of both broadsides that are still to be fired."""
    return view.dice(ship, PORT), view.dice(ship, STARBOARD)


def best_shots(view: View, ship: Ship, path: Sequence[Spot], targets: Sequence[Target]) -> list[Shot]:
    """The best volley of each side along a path: the highest, then the nearest, then the earliest. Rules: A.Q2, A.Q3."""
    guns = dice(view, ship)
    if not any(guns):
        return []
    narrow = view.narrow
    found: dict[str, list[tuple[int, int, int, int, Shot]]] = {PORT: [], STARBOARD: []}
    reach = RANGE + SLACK
    for step, (x, y, h) in enumerate(path):
        for row in targets:
            dx, dy = row.x - x, row.y - y
            if dx > reach or dx < -reach or dy > reach or dy < -reach:
                continue
            far = band(dx, dy)
            side = bears(h, dx, dy) if far >= 0 else ""
            count = guns[side == STARBOARD] if side else 0
            if count:
                worth = volley(
                    count, far, aspect(row.h, -dx, -dy, narrow=narrow), row.port, row.stbd, row.units, row.standing,
                    row.sails, row.fire,
                )  # fmt: skip
                if worth.value > 0:
                    found[side].append(
                        (
                            -worth.value * row.spared,
                            dx * dx + dy * dy,
                            step,
                            row.ship.number,
                            Shot(side, step, row.ship.id, worth.aim),
                        )
                    )
    chosen = []
    for side in (PORT, STARBOARD):
        for _, _, step, _, shot in sorted(found[side]):
            x, y, _ = path[step]
            enemy = view.ship(shot.target)
            if not view.masked((x, y), enemy.position, (ship.id, shot.target)):
                chosen.append(shot)
                break
    return chosen


def salvo(
    x: int, y: int, h: int, guns: tuple[int, int], targets: Sequence[Target], *, narrow: bool
) -> tuple[int, int]:
    """What the best volley of each side from a place is worth; who lies between is left out of account. Rule: A.Q4."""
    best = [0, 0]
    sin, cos = WAY[h]
    for row in targets:
        dx, dy = row.x - x, row.y - y
        square = dx * dx + dy * dy
        if square > REACH:
            continue
        right = dx * cos - dy * sin
        if TAN * abs(dx * sin + dy * cos) > TAN_45 * abs(right):
            continue
        n = right > 0
        if guns[n]:
            value = volley(
                guns[n], band(dx, dy), aspect(row.h, -dx, -dy, narrow=narrow), row.port, row.stbd, row.units,
                row.standing, row.sails, row.fire,
            ).value  # fmt: skip
            if row.spared < 18:
                value = value * row.spared // 18
            if value > best[n]:
                best[n] = value
    return best[0], best[1]


def suffered(spot: Spot, ship: Ship, targets: Iterable[Target], *, narrow: bool) -> tuple[int, int]:
    """What enemies would do to a ship there from where they will be, and how many rake her from near. Rules: A.Q4, A.Q14."""
    x, y, h = spot
    value = rakes = 0
    for row in targets:
        ex, ey, eh = row.next
        dx, dy = x - ex, y - ey
        if dx * dx + dy * dy > REACH:
            continue
        sin, cos = WAY[eh]
        right = dx * cos - dy * sin
        if TAN * abs(dx * sin + dy * cos) > TAN_45 * abs(right):
            continue
        guns = row.guns[right > 0]
        if guns:
            far = band(dx, dy)
            where = aspect(h, -dx, -dy, narrow=narrow)
            rakes += far < 2 and where == STERN
            value += volley(guns, far, where, ship.port, ship.stbd, ship.units, ship.standing, 2, 2).value
    return value, rakes
