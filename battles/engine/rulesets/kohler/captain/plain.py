"""The plain captain: straight for the nearest enemy, no line, no boarding; its gunners fire as they see fit (K.AI7).

Every other captain is measured against it.
"""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.core.hexes import Hex, distance
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.kohler.captain.moves import Move, moves, on_the_spot
from battles.engine.rulesets.kohler.captain.odds import BEARS, CENTRE, DISCS, WIDTH
from battles.engine.rulesets.kohler.captain.plan import Band, bands
from battles.engine.rulesets.kohler.state import Ship
from battles.engine.rulesets.kohler.view import FREE, View

LOOK = 6


class PlainCaptain:
    """Goes straight for the nearest enemy. See the module."""

    name = "plain"

    def __init__(self, doctrine: Doctrine) -> None:
        self.doctrine = doctrine
        self._bands: list[Band] = []

    def begin_turn(self, view: View) -> None:
        """Look where the enemy is."""
        self._bands = bands(view)

    def fire_ships(self, view: View) -> tuple[str, ...]:
        """None."""
        return ()

    def ship_order(self, view: View, squadron: str, ships: tuple[str, ...]) -> tuple[str, ...]:
        """List order. Rule: K.I17."""
        return ships

    def tokens(self, view: View, ship: str) -> tuple[str, ...]:
        """The move that ends nearest to the nearest enemy, on two equal ones the one from which a broadside bears."""
        mine = view.own(ship)
        goal = self._nearest(view, mine)
        open_moves = moves(view, mine) + on_the_spot(view, mine)
        if goal is None:
            return open_moves[0].tokens
        q, r = mine.pos
        best, best_value = open_moves[0].tokens, -(10**9)
        for move in open_moves:
            if any(view.entry((q + cell[0], r + cell[1]), mine) != FREE for cell in move.cells):
                continue
            value = _value(view, mine, move, goal)
            if value > best_value:
                best, best_value = move.tokens, value
        return best

    def boards(self, view: View, ship: str, enemy: str) -> bool:
        """Never."""
        return False

    def parts(self, view: View, ship: str, enemy: str) -> bool:
        """Always."""
        return True

    def targets(self, view: View, ship: str) -> Mapping[str, str]:
        """Left to the gunners. Guidance: K.AI7."""
        return {}

    def _nearest(self, view: View, ship: Ship) -> Hex | None:
        near = view.enemies_near(ship.pos, DISCS[LOOK])
        if near:
            return near[0].pos
        if not self._bands:
            return None
        band = min(self._bands, key=lambda b: (distance(b.centre, ship.pos), b.id))
        afloat = [seen.pos for seen in band.ships if seen.afloat and seen.flag != view.side]
        return min(afloat, key=lambda cell: distance(cell, ship.pos)) if afloat else band.centre


def _value(view: View, ship: Ship, move: Move, goal: Hex) -> int:
    q, r = ship.pos[0] + move.end[0], ship.pos[1] + move.end[1]
    dq, dr = goal[0] - q, goal[1] - r
    apart = max(abs(dq), abs(dr), abs(dq + dr))
    value = -40 * apart
    if apart <= 4 and BEARS[move.facing][CENTRE + dq * WIDTH + dr]:
        value += 15
    rel = (move.facing - view.upwind) % 6
    if rel == 0:
        value -= 30
    if apart > 4:
        # Of two ends equally near the one that heads better: as the crow flies, one hex further on.
        value -= (dq * dq + dr * dr + dq * dr) // max(1, apart)
    return value
