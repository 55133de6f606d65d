"""Fire ships: when to let one go, and how to keep out of the way of one that burns. Guidance: K.AI9, K.AI10."""

from __future__ import annotations

from battles.engine.core.hexes import STEPS, Hex, step
from battles.engine.rulesets.kohler.captain.odds import their_hull
from battles.engine.rulesets.kohler.passage import ALLOWANCES
from battles.engine.rulesets.kohler.state import Ship
from battles.engine.rulesets.kohler.view import BARRED, Seen, View

# An enemy with fewer hull points left than this is not worth a fire ship.
LEAST_PREY = 8
PATH = 4


def to_be_fired(view: View) -> tuple[str, ...]:
    """Own fire ships that will run into an enemy this very turn, before anybody else moves, with no friend in between.

    Rules: K.X4, K.X5, K.X6. Guidance: K.AI9.
    """
    if not view.doctrine.fire_ships:
        return ()
    return tuple(
        ship.id
        for ship in view.own_ships()
        if ship.is_fireship and not ship.fired and not ship.prize_of and _strikes(view, ship)
    )


def _strikes(view: View, ship: Ship) -> bool:
    pace = ALLOWANCES[view.strength][ship.move_level][False][(ship.facing - view.upwind) % 6]
    for count in range(1, pace + 1):
        cell = step(ship.pos, ship.facing, count)
        if view.entry(cell, ship) == BARRED:
            return False
        prey = [seen for seen in view.enemies_at(cell) if not seen.fired]
        if prey:
            return any(not seen.prize and their_hull(seen) >= LEAST_PREY for seen in prey)
    return False


def paths(burning: list[Ship | Seen]) -> frozenset[Hex]:
    """The hexes that burning fire ships will run through next, and their own: no place for any ship. Rule: K.X6, K.X8."""
    cells = set()
    for ship in burning:
        if ship.afloat:
            dq, dr = STEPS[ship.facing]
            cells |= {(ship.pos[0] + n * dq, ship.pos[1] + n * dr) for n in range(PATH)}
    return frozenset(cells)
