"""The enemies round one ship at the moment she acts or fires, as rows of small numbers that her captain can weigh quickly."""

from __future__ import annotations

from typing import NamedTuple

from battles.engine.rulesets.kohler.captain.odds import (
    ASTERN,
    BEARS,
    CENTRE,
    DISCS,
    DISTANCE,
    STARBOARD,
    WIDTH,
    by_range,
    own_points,
    their_hull,
    their_points,
)
from battles.engine.rulesets.kohler.state import Ship, WindForce
from battles.engine.rulesets.kohler.view import Seen, View

# Worth of one sixth of a hit: on a sound ship, and more on one that is about to be lost.
SOUND, WOUNDED, DYING = 8, 10, 13


class Foe(NamedTuple):
    """One enemy near: where she lies (as one number), heads, what I do to her by range and what she does to me."""

    ship: Seen
    q: int
    r: int
    facing: int
    astern: int
    mine: tuple[int, ...]
    hers: tuple[int, ...]
    settled: bool
    worth: int
    hull: int


def foes_near(
    view: View,
    ship: Ship,
    radius: int,
    among: list[Seen] | None = None,
    *,
    spares: bool = False,
) -> list[Foe]:
    """Enemies within a radius of an own ship, in the order of their distance.

    among: all enemies that can be so near, where a plan has them at hand; else the sea round her is searched. spares: an enemy
    with one of ours in her hex is no target for anybody else. Rule: K.F6.
    """
    strong = 1 if view.strength is WindForce.STRONG else 0
    points = own_points(ship)
    burning = 2 if ship.fires else 0
    small = 1 if ship.small else 0
    foes = []
    for seen in (
        view.enemies_near(ship.pos, DISCS[radius]) if among is None else _within(view, ship, radius, among)
    ):
        hull = their_hull(seen)
        shift = strong + (1 if seen.small else 0)
        back = strong + small + (2 if seen.alight else 0)
        worth = DYING if hull <= 4 else WOUNDED if seen.steps_lost else SOUND
        if seen.prize:
            worth = SOUND // 2
        q, r = seen.pos
        f = seen.facing
        able = 0 if spares and seen.locked and view.friend_at(seen.pos) else points
        foes.append(
            Foe(
                seen, q, r, f, ASTERN[f], by_range(able, shift + burning),
                by_range(0 if seen.locked else their_points(seen), back), seen.acted or seen.locked or seen.disabled, worth, hull,
            )
        )  # fmt: skip
    return foes


def _within(view: View, ship: Ship, radius: int, among: list[Seen]) -> list[Seen]:
    found = view.within(among, ship.pos, radius)
    found.sort(key=_first)
    return [seen for _, seen in found]


def _first(row: tuple[int, Seen]) -> int:
    return row[0]


class Berth(NamedTuple):
    """A hex among the enemies, whichever way she heads there.

    gains: the hexes of enemies in range (as relative numbers) and what a broadside that bears on each is worth. taken: what comes
    back, in sixths, doubled where it is sure; rakes: how much more by her stern, by the relative hex from which it would come.
    nearest: the distance of the nearest enemy.
    """

    gains: list[tuple[int, int]]
    taken: int
    rakes: list[tuple[int, int]]
    nearest: int


def berth(foes: list[Foe], q: int, r: int, looming: int = 0) -> Berth:
    """The guns round a hex. looming: eighths of the fire of enemies who may yet turn their guns on it. Guidance: K.AI3, K.AI6."""
    gains: list[tuple[int, int]] = []
    rakes: list[tuple[int, int]] = []
    taken = 0
    nearest = 99
    here = CENTRE - q * WIDTH - r
    # Unpacked in one go: reading the fields by name costs more than all the sums.
    for _, fq, fr, heads, stern, mine, hers, settled, worth, _ in foes:
        rel = here + fq * WIDTH + fr
        apart = DISTANCE[rel]
        if apart < nearest:
            nearest = apart
        if apart > 4:
            continue
        gain = worth * (mine[5] if apart == 1 and CENTRE - rel == stern else mine[apart])
        if gain:
            gains.append((rel, gain))
        if BEARS[heads][2 * CENTRE - rel]:
            taken += 2 * hers[apart] if settled else hers[apart]
            if apart == 1:
                rakes.append((rel - CENTRE, (hers[5] - hers[1]) * (2 if settled else 1)))
        elif looming and not settled:
            taken += hers[apart] * looming // 8
    return Berth(gains, taken, rakes, nearest)


def broadsides(place: Berth, facing: int, lee: int = -1) -> tuple[int, int]:
    """What both broadsides may do from a berth on a heading (weighed), and what comes back (in sixths).

    lee: the broadside that a strong wind spoils, PORT or STARBOARD, -1 for none. Guidance: K.AI6.
    """
    gains, taken, rakes, _ = place
    port = starboard = 0
    bears = BEARS[facing]
    for rel, gain in gains:
        bearing = bears[rel]
        if bearing:
            if bearing & STARBOARD:
                if gain > starboard:
                    starboard = gain
            elif gain > port:
                port = gain
    for rel, more in rakes:
        if rel == ASTERN[facing]:
            taken += more
    if lee >= 0:
        # The lee guns drop a step or two (K.F12): half is near enough for all ships.
        if lee == STARBOARD:
            starboard //= 2
        else:
            port //= 2
    return port + starboard, taken


def guns_from(
    foes: list[Foe], q: int, r: int, facing: int, lee: int = -1, looming: int = 0
) -> tuple[int, int, int]:
    """What both broadsides may do from a hex and facing, what comes back, and the distance of the nearest enemy."""
    place = berth(foes, q, r, looming)
    return *broadsides(place, facing, lee), place.nearest
