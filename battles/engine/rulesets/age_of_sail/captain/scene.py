"""The ships about a captain, laid out for quick reckoning. Rules: A.Q1, A.Q3, A.Q4."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from battles.engine.rulesets.age_of_sail.bearing import aspect, band, bears
from battles.engine.rulesets.age_of_sail.captain.odds import volley
from battles.engine.rulesets.age_of_sail.play import Shot
from battles.engine.rulesets.age_of_sail.sailing import Spot, headings, lawful, track
from battles.engine.rulesets.age_of_sail.state import Ship
from battles.engine.rulesets.age_of_sail.tables import CM, PORT, RANGE, SLACK, STARBOARD
from battles.engine.rulesets.age_of_sail.view import View

FIRE_NEAR = 12 * CM


class Target(NamedTuple):
    """A ship as one who fires at her has to know her. sails, fire: as `odds.volley` has them. next: where her last move would bring her."""

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


def target(view: View, ship: Ship, *, long_range: bool) -> Target:
    """An enemy. Rules: A.Q1, A.Q4."""
    sails = 1 if ship.standing <= 1 else 3 if long_range or view.flees(ship) else 2
    fire = 0
    if not ship.fire_stage:
        near = view.near(ship.position, FIRE_NEAR)
        fire = 1 if sum(one.owner == view.side for one in near) > 1 else 2
    return Target(
        ship, ship.x, ship.y, ship.h, ship.port, ship.stbd, ship.units, ship.standing, sails, fire, foreseen(view, ship)
    )  # fmt: skip


def foreseen(view: View, ship: Ship) -> Spot:
    """Where her last move, made once more, would bring a ship, if it is lawful; else where she lies. Rule: A.Q4."""
    here = (ship.x, ship.y, ship.h)
    if not ship.path or not view.able(ship):
        return here
    course = headings(ship.h, ship.path)
    if lawful(course, ship.h, view.sails(ship)) < len(course):
        return here
    return track(here, ship.path)[-1]


def dice(view: View, ship: Ship) -> tuple[int, int]:
    """Dice of both broadsides that are still to be fired."""
    return view.dice(ship, PORT), view.dice(ship, STARBOARD)


def best_shots(
    view: View, ship: Ship, path: Sequence[Spot], targets: Sequence[Target]
) -> list[tuple[int, Shot]]:
    """The best volley of each side along a path, with its value: the highest, then the nearest, then the earliest. Rules: A.Q2, A.Q3."""
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
                            -worth.value,
                            dx * dx + dy * dy,
                            step,
                            row.ship.number,
                            Shot(side, step, row.ship.id, worth.aim),
                        )
                    )
    chosen = []
    for side in (PORT, STARBOARD):
        for value, _, step, _, shot in sorted(found[side]):
            x, y, _ = path[step]
            enemy = view.ship(shot.target)
            if not view.masked((x, y), enemy.position, (ship.id, shot.target)):
                chosen.append((-value, shot))
                break
    return chosen


def broadsides(
    path: Iterable[Spot], guns: tuple[int, int], targets: Sequence[Target], *, narrow: bool
) -> int:
    """What the best volleys of both sides from these places are worth; who lies between is left out of account. Rule: A.Q4."""
    best = [0, 0]
    for x, y, h in path:
        for row in targets:
            dx, dy = row.x - x, row.y - y
            far = band(dx, dy)
            side = bears(h, dx, dy) if far >= 0 else ""
            if not side:
                continue
            n = side == STARBOARD
            if guns[n]:
                value = volley(
                    guns[n], far, aspect(row.h, -dx, -dy, narrow=narrow), row.port, row.stbd, row.units, row.standing,
                    row.sails, row.fire,
                ).value  # fmt: skip
                if value > best[n]:
                    best[n] = value
    return best[0] + best[1]


def suffered(spot: Spot, ship: Ship, targets: Iterable[Target], *, narrow: bool) -> tuple[int, int]:
    """What enemies would do to a ship there from where they will be, and how many rake her from near. Rules: A.Q4, A.Q14."""
    x, y, h = spot
    value = rakes = 0
    for row in targets:
        ex, ey, eh = row.next
        dx, dy = x - ex, y - ey
        far = band(dx, dy)
        if far < 0:
            continue
        side = bears(eh, dx, dy)
        if not side:
            continue
        enemy = row.ship
        guns = enemy.port if side == PORT else enemy.stbd
        if enemy.manned is not None:
            guns = min(guns, enemy.manned)
        if not guns:
            continue
        where = aspect(h, -dx, -dy, narrow=narrow)
        rakes += far < 2 and where == "stern"
        value += volley(guns, far, where, ship.port, ship.stbd, ship.units, ship.standing, 2, 2).value
    return value, rakes
