"""Where a line, or a ship by herself, comes by a plan. Rules: P.M07, P.M08, P.M13-P.M15 as an admiral reckons with them.

Followers are taken along their leader's path of front edges, 400 yd apart; corners of it are cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt

from battles.engine.core import plane
from battles.engine.core.plane import Point
from battles.engine.rulesets.barker.captain.scene import SHIFT, Head, Place, vector
from battles.engine.rulesets.barker.play import Plan
from battles.engine.rulesets.barker.tables import BASE_LENGTH, FREE_MOVE, MOVE, YARD, Mode

_SIDE = 100 * YARD
# Kinds of token that bring a ship on.
_MOVES = frozenset("CXPTO")


def run(start: Head, plan: Plan, mode: Mode) -> list[Head]:
    """The heads after each step of a plan. Rules: P.M02, P.M07, P.M08, P.C07."""
    found = []
    x, y, heading = start
    for token in plan:
        if token.kind in _MOVES:
            length = MOVE[mode] if token.kind in "PT" else FREE_MOVE[mode]
            dx, dy, heading = _step(heading, token.turn, length)
            x, y = x + dx, y + dy
            found.append(Head(x, y, heading))
    return found


@lru_cache(maxsize=65_536)
def _step(heading: int, turn: int, length: int) -> Head:
    """How far one move, with a turn on the inner corner before it, brings a front edge, and the heading after it."""
    h = plane.turned(heading, turn)
    at: Point = (0, 0)
    if turn:
        side = plane.RIGHT if turn > 0 else -plane.RIGHT
        corner = plane.advance(at, plane.turned(heading, side), _SIDE)
        at = plane.advance(corner, plane.turned(h, -side), _SIDE)
    return Head(*plane.advance(at, h, length), h)


def behind(members: Sequence[Head], ran: Sequence[Head], wanted: Sequence[int]) -> list[Place]:
    """Places of some members, by index from the van, when the leader has made a run and the others follow in her track."""
    path = [*reversed(members), *ran]
    found: list[Place] = []
    at = len(path) - 1
    left = 0
    x, y = path[at].x, path[at].y
    for n in wanted:
        need = n * BASE_LENGTH - left
        while need > 0 and at > 0:
            back = path[at - 1]
            dx, dy = back.x - x, back.y - y
            step = isqrt(dx * dx + dy * dy)
            if step > need:
                x, y = x + dx * need // step, y + dy * need // step
                need = 0
            else:
                x, y, at, need = back.x, back.y, at - 1, need - step
        left = n * BASE_LENGTH
        found.append(_middle(x, y, path[at].h))
    return found


def shifted(heads: Sequence[Head], plan: Plan, mode: Mode) -> list[Place]:
    """Places of ships that all make the same plan, each for herself."""
    found = []
    for start in heads:
        ran = run(start, plan, mode)
        found.append(_middle(*(ran[-1] if ran else start)))
    return found


def _middle(x: int, y: int, heading: int) -> Place:
    """The middle of a base from the middle of its front edge, in yards."""
    ux, uy = vector(heading)
    return Place(x // YARD - (200 * ux >> SHIFT), y // YARD - (200 * uy >> SHIFT), ux, uy)
