"""A fire ship before she is lit: kept on the disengaged side until there is prey, then worked up to windward of it. Guidance: K.AI9."""

from __future__ import annotations

from battles.engine.core.hexes import Hex, distance, nearest_direction, step
from battles.engine.rulesets.kohler.captain.fire import LEAST_PREY, PATH
from battles.engine.rulesets.kohler.captain.moves import Move
from battles.engine.rulesets.kohler.captain.odds import their_hull
from battles.engine.rulesets.kohler.captain.plan import Plan
from battles.engine.rulesets.kohler.captain.scene import Foe, foes_near, guns_from
from battles.engine.rulesets.kohler.passage import ALLOWANCES
from battles.engine.rulesets.kohler.state import Ship
from battles.engine.rulesets.kohler.view import BARRED, FREE, Seen, View

# How far off prey is looked for, how far behind her flagship she waits, and how far to windward of the prey she is brought.
HUNT, WAIT, OFFING = 8, 3, 2
# Weights, in the unit of `weights`: prey in her path that has moved this turn, that may yet move away, and per hex off her place.
SURE, LIKELY, PLACE, TAKEN, IRONS = 400, 120, 30, 4, 160
# Prey that cannot get clear is worth more.
HELPLESS = 200


def work_up(view: View, ship: Ship, open_moves: tuple[Move, ...], plan: Plan | None) -> tuple[str, ...]:
    """The tokens that bring a fire ship nearest to a strike next turn, or keep her safe while there is none to be made.

    A ship that has moved already will still be there when fire ships run, before everyone else (K.X5).
    """
    foes = foes_near(view, ship, HUNT)
    hunting = view.doctrine.fire_ships
    place = _place(view, ship, foes, plan, hunting=hunting)
    best, best_value = open_moves[0].tokens, -(10**9)
    q, r = ship.pos
    for move in open_moves:
        if any(view.entry((q + cell[0], r + cell[1]), ship) != FREE for cell in move.cells):
            continue
        end = q + move.end[0], r + move.end[1]
        _, taken, _ = guns_from(foes, end[0], end[1], move.facing)
        value = -TAKEN * taken
        if hunting:
            value += _strike(view, ship, end, move.facing)
        if place is not None:
            value -= PLACE * distance(end, place)
        if move.facing == view.upwind:
            value -= IRONS
        if value > best_value:
            best, best_value = move.tokens, value
    return best


def _strike(view: View, ship: Ship, cell: Hex, facing: int) -> int:
    """What lies in her straight path from a hex, the first ship counting; nothing with a friend before it. Rules: K.X6, K.X8."""
    pace = ALLOWANCES[view.strength][ship.move_level][False][(facing - view.upwind) % 6]
    for count in range(1, min(pace, PATH) + 1):
        ahead = step(cell, facing, count)
        if ahead != ship.pos and view.entry(ahead, ship) == BARRED:
            return 0
        prey = [seen for seen in view.enemies_at(ahead) if not seen.fired]
        if prey:
            return max(_worth(view, seen) for seen in prey)
    return 0


def _worth(view: View, seen: Seen) -> int:
    if not _is_prey(seen):
        return 0
    helpless = seen.locked or seen.disabled or seen.aground or view.at_anchor(seen)
    return (SURE if seen.acted or helpless else LIKELY) + (HELPLESS if helpless else 0)


def _is_prey(seen: Seen) -> bool:
    return not seen.prize and not seen.fired and not seen.small and their_hull(seen) >= LEAST_PREY


def _place(view: View, ship: Ship, foes: list[Foe], plan: Plan | None, *, hunting: bool) -> Hex | None:
    """Where she should be: to windward of the nearest prey, else on the far side of her flagship from the enemy."""
    if hunting:
        for foe in foes:
            if _is_prey(foe.ship):
                return step(foe.ship.pos, view.upwind, OFFING)
    if plan is None:
        return None
    flagship = view.own(plan.flagship)
    if flagship is ship:
        return None
    if plan.band is None or plan.band.centre == flagship.pos:
        return flagship.pos
    return step(flagship.pos, nearest_direction(plan.band.centre, flagship.pos), WAIT)
