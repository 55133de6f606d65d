"""One unit's free move by itself, for those that no formation and no initiative points concern.

Rules: P.C07, P.M22, P.M23, P.A01, P.N03, P.Y09.
"""

from __future__ import annotations

from battles.engine.core.plane import Box
from battles.engine.rulesets.barker import courses, land, passage
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Unit


def clear(battle: Battle, unit: Unit, turn: int, length: int) -> bool:
    """Whether a unit's move, after a turn, meets neither land nor shoal. Rules: P.M22, P.M27."""
    return land.first_touch(battle, _turned(unit, turn), length) is None


def steam(
    battle: Battle, play: Play, unit: Unit, turn: int, length: int, *, compulsory: bool = False
) -> bool:
    """Turn and go so far, with all that is met on the way. False when land bars a move that is not compulsory: then none is made.

    A compulsory one goes aground there. When cruising, sight is tested on the way.

    Rules: P.M08, P.M22, P.M23, P.A01, P.A02, P.C03, P.U10, P.X06.
    """
    if not compulsory and not clear(battle, unit, turn, length):
        return False
    passage.single(battle, play, unit, length, turn, compulsory=compulsory)
    passage.tell_way(play, unit)
    return True


def _turned(unit: Unit, turn: int) -> Box:
    x, y, heading = courses.pivot((unit.x, unit.y, unit.h), turn) if turn else (unit.x, unit.y, unit.h)
    return Box(x, y, heading, unit.length, unit.beam)
