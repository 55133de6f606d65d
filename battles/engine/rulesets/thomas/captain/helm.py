"""What the helm of one's own ship allows this move: how sharp, how often and how far she goes, and how near the wind.

A captain knows its own ship and the wind exactly (T.S18), so these are the rules' own figures. Rules: T.B2, T.B4, T.O1, T.O4.
"""

from __future__ import annotations

from typing import NamedTuple

from battles.engine.core.plane import angle, swing, turned
from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.tables import BOATS_PULL, BOATS_TURN
from battles.engine.rulesets.thomas.view import View

_FINE = 500


class Helm(NamedTuple):
    """sharp: greatest turn. number: turns she has. least, most: inches of her leg. limit: least angle off the wind.

    boats: her own boats must tow her, for nothing else will move her. Thousandths of an inch, hundredths of a degree.
    """

    sharp: int
    number: int
    least: int
    most: int
    limit: int
    wind_from: int
    boats: bool = False

    def allowed(self, heading: int) -> bool:
        """Whether she may sail on a heading. Rules: T.B2c, T.B7."""
        return angle(heading, self.wind_from) >= self.limit

    def turn_towards(self, heading: int, wish: int) -> int:
        """The turn that brings her nearest to a heading and leaves her one that she may sail on; 0 when there is none."""
        if not self.number:
            return 0
        straight = max(-self.sharp, min(self.sharp, swing(heading, wish)))
        if self.allowed(turned(heading, straight)):
            return straight
        tried = (by for n in range(0, self.sharp + 1, _FINE) for by in (n, -n))
        legal = [by for by in (*tried, self.sharp, -self.sharp) if self.allowed(turned(heading, by))]
        return min(legal, key=lambda by: (angle(turned(heading, by), wish), abs(by), by), default=0)


def helm(view: View, ship: Ship) -> Helm:
    """What an own ship can do this move."""
    reach = view.reach(ship.id)
    if reach.most == 0 and view.boats_may_pull(ship.id):
        sharp = 0 if ship.dismasted else BOATS_TURN
        return Helm(sharp, 1, 0, BOATS_PULL, 0, view.wind_from, True)
    return Helm(reach.sharp, reach.number, reach.least, reach.most, reach.limit, view.wind_from)
