"""The plain captain: every ship alone straight for the nearest enemy, no line; he obeys when to break off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from battles.engine.core import plane
from battles.engine.core.plane import Point
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.barker import arcs
from battles.engine.rulesets.barker.captain import posture
from battles.engine.rulesets.barker.play import Orders, Plan, Token
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import BOATS, MERCHANTS, TORPEDO_CRAFT
from battles.engine.rulesets.barker.view import View

# No turn is worth its points for less.
_TRUE = 500
C, X, P = Token("C"), Token("X"), Token("P")


class Plain:
    """Knows nothing of lines and ranges."""

    name = "plain"

    def __init__(self, doctrine: Doctrine) -> None:
        self.doctrine = doctrine

    def orders(self, view: View, given: Mapping[str, Orders]) -> Mapping[str, Orders]:
        """A plan for every ship that has none."""
        away = posture.broken(view)
        foes = [foe for foe in view.foes() if not foe.ashore] or list(view.foes())
        found = {}
        for unit in view.own():
            order = given.get(unit.id)
            moved = order is not None and (bool(order.plans) or order.with_ is not None)
            if not moved and unit.type not in MERCHANTS and not unit.ashore and not unit.submerged:
                at = posture.refuge(view, unit) if away else _goal(view, unit, foes)
                found[unit.id] = Orders(plans=steer(unit, at))
        return found

    def wish(self, view: View) -> Mapping[str, Sequence[str]]:
        """He signals nothing."""
        return {}

    def targets(self, view: View, unit: Unit, legal: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
        """The nearest first."""
        foes = {foe.id: foe for foe in view.foes()}
        known = [pair for pair in legal if pair[1] in foes]
        return sorted(known, key=lambda pair: arcs.range_between(unit, foes[pair[1]]))

    def lights(self, view: View) -> Mapping[str, str]:
        """None."""
        return {}

    def squadrons(self, view: View, waiting: Sequence[str]) -> str:
        """In list order."""
        return waiting[0]


def _goal(view: View, unit: Unit, foes: Sequence[Unit]) -> Point:
    """The nearest enemy, else where one was last seen, else the middle of the table and on over it."""
    if foes:
        return min(foes, key=lambda foe: _square(unit.at, foe.at)).at
    before = view.seen_before()
    if before:
        row = min(before, key=lambda row: _square(unit.at, (row.x, row.y)))
        return row.x, row.y
    return plane.advance(unit.at, unit.h, 1_000_000)


def _square(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def steer(unit: Unit, at: Point) -> tuple[Plan, ...]:
    """Plans that bring one ship's head towards a point and on to it, dearest first."""
    if unit.at == at:
        return ((C,),)
    by = plane.swing(unit.h, plane.bearing(unit.at, at))
    by = max(-plane.RIGHT, min(plane.RIGHT, by))
    if unit.crippled:
        return ((Token("P", by) if abs(by) > _TRUE else P,), ())
    if unit.type not in BOATS and unit.type in TORPEDO_CRAFT:
        return ((Token("O", by) if abs(by) > _TRUE else Token("O"),), (Token("O"),))
    begin: Plan = (Token("R"),) if unit.stopped else ()
    if abs(by) <= _TRUE:
        if unit.moves > 3:
            return tuple((*begin, C, *(P,) * n) for n in (3, 2, 1, 0))
        if unit.extra_free:
            return (*begin, C, X, P), (*begin, C, X), (*begin, C)
        return (*begin, C, P), (*begin, C)
    turn = Token("P", by)
    if unit.moves > 3:
        return (*begin, turn, C, P, P), (*begin, turn, C, P), (*begin, turn, C), (*begin, C)
    if unit.extra_free:
        return (*begin, turn, C, P), (*begin, turn, C), (*begin, C)
    return (*begin, turn, C), (*begin, C)
