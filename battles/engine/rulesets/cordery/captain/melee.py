"""At close quarters every ship of a division finds her own place, with an eye to all that the enemy could throw at the others.

Rule: C.Q13.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from battles.engine.core.squares import Square
from battles.engine.rulesets.cordery import steering
from battles.engine.rulesets.cordery.arms import Volleys
from battles.engine.rulesets.cordery.captain.scene import GUN_DIE, REACH, TORPEDO_DIE, Scene, Wanted
from battles.engine.rulesets.cordery.steering import Pose, after
from battles.engine.rulesets.cordery.view import Seen

# An enemy that fights within this range: a division is at close quarters.
CLOSE_QUARTERS = 6
# The range that its ships want there, unless their instructions are to fight at long range.
_BEST = 3
# How often all ships look at what the others have chosen.
_ROUNDS = 2
# What a die at an enemy that breaks off is worth, in fifths.
_BROKEN_OFF = 4
# The turn after the next counts half.
_LATER = 2
# What running into a friend costs, in weights.
_COLLISION = 18_000


class Place(NamedTuple):
    """What a ship can move to. own: what her dice and her range are worth there; hers: what each enemy's dice at her cost, next turn
    and, halved, in the one after. In weights.
    """

    actions: str
    at: Square
    own: int
    hers: tuple[int, ...]


def at_close_quarters(scene: Scene, ships: Sequence[Seen]) -> bool:
    """Whether an enemy that fights is near one of these ships. Rule: C.Q13."""
    foes = [foe.pos for foe in scene.foes if not foe.breaking_off] or [foe.pos for foe in scene.foes]
    return bool(foes) and any(scene.nearest(ship.pos, foes) <= CLOSE_QUARTERS for ship in ships)


def moves(
    scene: Scene, ships: list[Seen], wanted: Wanted, among: frozenset[str]
) -> Iterator[tuple[Seen, str]]:
    """The moves of ships that fight at close quarters, in an order that frees the areas wanted; the plan goes on as they are taken.

    among: the enemies by whose range they steer. Rules: C.Q5, C.Q13.
    """
    best = wanted.best if wanted.best > REACH // 2 else min(_BEST, wanted.best)
    places = {ship.id: _places(scene, ship, wanted._replace(best=best), among) for ship in ships}
    chosen = _chosen(ships, places)
    waiting = list(ships)
    while waiting:
        ship = next((one for one in waiting if scene.clear(one, [chosen[one.id].actions])), waiting[0])
        waiting.remove(ship)
        wish = chosen[ship.id].actions
        open_ = scene.clear(ship, [wish])
        yield ship, wish if open_ else _instead(scene, ship, places[ship.id], len(ships))


def _instead(scene: Scene, ship: Seen, places: list[Place], ships: int) -> str:
    """The best move still open to a ship whose area has been taken."""
    open_ = set(scene.clear(ship, steering.legal(ship)))
    rows = [place for place in places if place.actions in open_]
    return max(rows, key=lambda place: place.own - sum(place.hers) // ships).actions if rows else ""


def _places(scene: Scene, ship: Seen, wanted: Wanted, among: frozenset[str]) -> list[Place]:
    soon, later = (scene.foes_after(turns + scene.before_fire) for turns in (0, 1))
    near = [pose.at for foe, _, pose in soon if foe.id in among]
    found = []
    for actions in scene.clear(ship, steering.legal(ship)) or [""]:
        pose = after(scene.poses[ship.id], actions)
        then = after(pose, steering.AHEAD * min(2, ship.allowance))
        own, hers = _dice(scene, ship, pose, soon)
        own_then, hers_then = _dice(scene, ship, then, later)
        off = scene.off_range(pose.at, near, wanted)
        cost = tuple(a + b // _LATER for a, b in zip(hers, hers_then, strict=True))
        found.append(Place(actions, pose.at, own + own_then // _LATER - off, cost))
    return found


def _dice(
    scene: Scene, ship: Seen, pose: Pose, foes: list[tuple[Seen, Volleys, Pose]]
) -> tuple[int, list[int]]:
    """What a ship's dice are worth on a pose, each weapon at its best target, and what each enemy's dice at her cost. Rule: C.Q4."""
    (x, y), course = pose
    mine = scene.volleys[ship.id]
    hurt = 3 if 4 * ship.fp < 3 * ship.fp_max else 2
    best = [0, 0, 0, 0]
    hers = []
    for foe, their, ((fx, fy), heading) in foes:
        dx, dy = fx - x, fy - y
        if dx > REACH or dx < -REACH or dy > REACH or dy < -REACH:
            hers.append(0)
            continue
        worth = _BROKEN_OFF if foe.breaking_off else 5
        for n, dice in enumerate(mine[dx, dy, course]):
            if dice * worth > best[n]:
                best[n] = dice * worth
        main, port, stbd, torpedo = their[-dx, -dy, heading]
        hers.append((GUN_DIE * (main + port + stbd) + TORPEDO_DIE * torpedo) * hurt // 2)
    main, port, stbd, torpedo = best
    return (GUN_DIE * (main + port + stbd) + TORPEDO_DIE * torpedo) // 5, hers


def _chosen(ships: list[Seen], places: Mapping[str, list[Place]]) -> dict[str, Place]:
    """The place of each ship: one after the other takes what is best beside the others' places. An enemy fires at the one he hurts most."""
    chosen = {
        ship.id: max(places[ship.id], key=lambda place: place.own - sum(place.hers) // len(ships))
        for ship in ships
    }
    for _ in range(_ROUNDS):
        before = dict(chosen)
        for ship in ships:
            others = [place for code, place in chosen.items() if code != ship.id]
            taken = {place.at for place in others}
            worst = [max(costs) for costs in zip(*(place.hers for place in others), strict=True)]

            def worth(place: Place, taken: set[Square] = taken, worst: list[int] = worst) -> int:
                cost = sum(map(max, place.hers, worst)) if worst else sum(place.hers)
                return place.own - cost - _COLLISION * (place.at in taken)

            chosen[ship.id] = max(places[ship.id], key=worth)
        if chosen == before:
            break
    return chosen
