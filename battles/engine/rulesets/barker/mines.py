"""Minefields: run into, stayed in, laid, swept and seen. A section is a square of 100 yd, its sides north and east.

Rules: P.X01-P.X11, P.V08.
"""

from __future__ import annotations

from collections.abc import Iterable

from battles.engine.core import bases, plane
from battles.engine.core.plane import UNIT, Box, Hull, Point
from battles.engine.rulesets.barker import effects, factors
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Field, Status, Unit
from battles.engine.rulesets.barker.tables import (
    BASE_LENGTH,
    BOATS,
    CABLE,
    LAP,
    SLACK,
    YARD,
    Mode,
    Source,
    Type,
)

# Side of a section. Rule: P.X01.
SECTION = 100 * YARD
# Attack factor, against boats and all else. Rule: P.X05.
AT_BOATS, AT_OTHERS = 0, 5
# How far mines are seen. Rule: P.V08.
SEEN = CABLE
# Year from which they are swept. Rule: P.X09.
SWEPT_FROM = 1904
# Who may carry unsown mines. Rule: P.X04.
CARRIERS = frozenset({Type.LINER, Type.TRAMP, Type.TRANSPORT, Type.MINELAYER})
# Whoever is farther than this from the middle of a section neither meets nor sees it: half a base and its corner, a section's, a stretch.
_FAR = SEEN + BASE_LENGTH + SECTION


def section(at: Point) -> Box:
    """A section as a square."""
    return Box(*at, 0, SECTION, SECTION)


def run_in(battle: Battle, play: Play, unit: Unit, corridor: Box) -> None:
    """What mines have to do with an advance: seen, run into, swept by a TBD, laid by a carrier. Called after each straight stretch.

    corridor: what the front edge swept (P.Z02). Rules: P.X02, P.X04-P.X10, P.V08.
    """
    if not battle.fields:
        return
    swath = _swath(play, unit, corridor) if unit.type is Type.TBD else corridor
    for field in battle.fields:
        if _near(field, corridor):
            _see(play, unit, field, (corridor, unit))
            if _meets(field, corridor):
                attack(battle, play, unit, field)
            if unit.status is not Status.IN_PLAY:
                return
            _sweep(battle, play, unit, field, swath)
    _lay(battle, play, unit, corridor)


def lying(battle: Battle, side: str) -> frozenset[tuple[str, str]]:
    """(unit, field) of a side's units that lie on a field as its movement begins; neutrals belong to the initiative side. Rule: P.X06."""
    if not battle.fields:
        return frozenset()
    return frozenset((unit.id, field.id) for unit in _movers(battle, side) for field in _under(battle, unit))


def remain(battle: Battle, play: Play, side: str) -> None:
    """Attack who lay on a field at the beginning of the side's movement and lies there still. Rule: P.X06."""
    if not play.lying:
        return
    for unit in list(_movers(battle, side)):
        for field in _under(battle, unit):
            if (unit.id, field.id) in play.lying and unit.on_table:
                attack(battle, play, unit, field)


def surfaced(battle: Battle, play: Play, unit: Unit) -> None:
    """A submarine that comes up on a section enters its field. Rule: P.X06."""
    for field in _under(battle, unit):
        attack(battle, play, unit, field)


def attack(battle: Battle, play: Play, unit: Unit, field: Field) -> None:
    """A field attacks a unit, once in a spell; a unit that it cripples completes the move it is in and makes no other.

    Rules: P.X05-P.X08, P.X10, P.Z06.
    """
    if (unit.id, field.id) in play.mined or unit.submerged:
        return
    play.mined.add((unit.id, field.id))
    _known(play, field, unit.side, unit)
    spell, lame = battle.spell, unit.crippled
    strength = AT_BOATS if unit.type in BOATS else AT_OTHERS
    strength += play.dice.d6(clause="P.X05", subjects=(spell, "MINE_F", field.id, unit.id), reason="mine")
    strong = factors.defender(unit) + play.dice.d6(
        clause="P.X05", subjects=(spell, "MINE_T", unit.id, field.id), reason="defence"
    )
    grade = effects.grade(strength, strong)
    play.tell("mined", "P.X05", unit.id, attack=strength, defence=strong, grade=grade.value)
    effects.apply(battle, play, unit, grade, Source.MINE, field.id)
    if unit.crippled and not lame:
        unit.no_more, unit.sweeps = True, False


def _movers(battle: Battle, side: str) -> Iterable[Unit]:
    """Who moves in a spell of a side. Rules: P.M01, P.N03."""
    return (
        unit
        for unit in battle.on_table()
        if not unit.ashore and (battle.initiative if unit.neutral or unit.disguised else unit.side) == side
    )


def _under(battle: Battle, unit: Unit) -> list[Field]:
    """The fields that a base lies on."""
    return [field for field in battle.fields if _near(field, unit) and _meets(field, unit)]


def _near(field: Field, hull: Hull) -> bool:
    reach = _FAR + hull.length
    return any(plane.within(at, (hull.x, hull.y), reach) for at in field.sections)


def _meets(field: Field, hull: Hull) -> bool:
    """Whether a rectangle overlaps a section by more than the tolerance. Rules: P.X06, P.Z03."""
    return any(plane.overlap(hull, section(at), LAP) for at in field.sections)


def _see(play: Play, unit: Unit, field: Field, hulls: Iterable[Hull]) -> None:
    """An enemy field comes to be known when a section lies within a cable of a base, whatever the light. Rules: P.V08, P.X03, P.X04."""
    if unit.neutral or unit.side == field.side or unit.side in field.known:
        return
    if any(bases.gap(hull, section(at)) <= SEEN + SLACK for hull in hulls for at in field.sections):
        _known(play, field, unit.side, unit)


def _known(play: Play, field: Field, side: str, by: Unit) -> None:
    if by.neutral or side == field.side or side in field.known:
        return
    field.known = (*field.known, side)
    for x, y in field.sections:
        play.tell("mine_seen", "P.V08", by.id, side=side, x=x, y=y)


def _swath(play: Play, unit: Unit, corridor: Box) -> Box:
    """The corridor with the stretch before it when both lie on one course end to end, so that no section falls between. Rule: P.X09."""
    last, swath = play.swaths.get(unit.id), corridor
    if last is not None and last.heading == corridor.heading:
        end = plane.advance((last.x, last.y), last.heading, last.length // 2)
        if plane.within(
            end, plane.advance((corridor.x, corridor.y), corridor.heading, -corridor.length // 2), SLACK
        ):
            length = last.length + corridor.length
            x, y = plane.advance((corridor.x, corridor.y), corridor.heading, (corridor.length - length) // 2)
            swath = Box(x, y, corridor.heading, length, corridor.beam)
    play.swaths[unit.id] = swath
    return swath


def _sweep(battle: Battle, play: Play, unit: Unit, field: Field, swath: Box) -> None:
    """A TBD that comes off unharmed removes every section that its advance covers wholly. Rules: P.X09, P.X10, P.X11."""
    if (
        unit.type is not Type.TBD
        or battle.year < SWEPT_FROM
        or battle.mode is not Mode.COMBAT
        or not unit.sweeps
    ):
        return
    for at in [at for at in field.sections if _covers(swath, at)]:
        field.sections.remove(at)
        play.tell("swept", "P.X09", unit.id, x=at[0], y=at[1])


def _covers(swath: Box, at: Point) -> bool:
    """Whether a section lies wholly inside a rectangle, within the tolerance of distances. Rules: P.X09, P.Z03."""
    half = SECTION // 2
    for corner in ((at[0] + x, at[1] + y) for x in (-half, half) for y in (-half, half)):
        ahead, right = plane.frame(swath, corner)
        if (
            2 * abs(ahead) > (swath.length + 2 * SLACK) * UNIT
            or 2 * abs(right) > (swath.beam + 2 * SLACK) * UNIT
        ):
            return False
    return True


def _lay(battle: Battle, play: Play, unit: Unit, corridor: Box) -> None:
    """A carrier under way puts a section behind her for every 100 yd, from where she is told to begin until all are laid.

    Rules: P.X04, P.R07.
    """
    if unit.type not in CARRIERS:
        return
    field = next((field for field in battle.fields if field.carrier == unit.id and field.unlaid), None)
    if field is None:
        return
    order = play.ordered(unit.id)
    field.laying = field.laying or (order is not None and bool(order.lay))
    if not field.laying:
        return
    # The rear edge goes the way of the front edge, a base length behind it.
    start = plane.advance((corridor.x, corridor.y), corridor.heading, -corridor.length // 2 - BASE_LENGTH)
    for n in range(min(corridor.length // SECTION, field.unlaid)):
        at = plane.advance(start, corridor.heading, n * SECTION + SECTION // 2)
        field.sections.append(at)
        field.unlaid -= 1
        play.tell("mine_laid", "P.X04", unit.id, x=at[0], y=at[1])
    field.laying = field.unlaid > 0
