"""Range, band and arc of one unit from another. Rules: P.F05-P.F08."""

from __future__ import annotations

from enum import IntEnum

from battles.engine.core import plane
from battles.engine.core.bases import segment_gap
from battles.engine.core.plane import Point
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import MODEL_HALF, SLACK, YARD


class Band(IntEnum):
    """Columns of Table 5. Rule: P.F06."""

    CLOSE = 0
    NORMAL = 1
    LONG = 2
    EXTREME = 3


# Upper limits; EXTREME before and from `FAR_YEAR`. Rule: P.F06.
CLOSE, NORMAL, LONG = 800 * YARD, 1_600 * YARD, 4_800 * YARD
EXTREME, FAR = 6_000 * YARD, 8_000 * YARD
FAR_YEAR = 1905


class Arc(IntEnum):
    """Where a target lies from a ship. Rule: P.F07."""

    AHEAD = 0
    ASTERN = 1
    PORT = 2
    STARBOARD = 3


def reach(year: int) -> int:
    """How far guns carry in a year, without the slack. Rules: P.F06, P.Z11."""
    return FAR if year >= FAR_YEAR else EXTREME


def model(unit: Unit) -> tuple[Point, Point]:
    """Stern and stem of a unit's model; of an installation its position twice. Rules: P.Z02, P.F05."""
    if unit.ashore:
        return unit.at, unit.at
    return plane.advance(unit.at, unit.h, -MODEL_HALF), plane.advance(unit.at, unit.h, MODEL_HALF)


def range_between(firer: Unit, target: Unit) -> int:
    """Model to model, hundredths of a yard. Rule: P.F05."""
    return segment_gap(*model(firer), *model(target))


def band(gap: int, year: int, *, boats: bool) -> Band | None:
    """The column of a range; None beyond the reach of guns. boats: firer or target is a torpedo craft. Rules: P.F06, P.Z12."""
    gap -= SLACK
    if boats and gap <= CLOSE:
        return Band.CLOSE
    if gap <= NORMAL:
        return Band.NORMAL
    if gap <= LONG:
        return Band.LONG
    return Band.EXTREME if gap <= reach(year) else None


def arc(firer: Unit, at: Point) -> Arc:
    """The arc in which a point lies: the diagonals of the base part them, and on a diagonal it is broadside. Rule: P.F07."""
    ahead, right = plane.frame(firer, at)
    if abs(ahead) * firer.beam > abs(right) * firer.length:
        return Arc.AHEAD if ahead > 0 else Arc.ASTERN
    return Arc.STARBOARD if right > 0 else Arc.PORT


def faces(battery: Unit, at: Point) -> bool:
    """Whether a point lies before the face of an installation, like a broadside; one without a face is open all round.

    Rules: P.F08, P.F21.
    """
    if battery.face < 0:
        return True
    sin, cos = plane.unit(battery.face)
    dx, dy = at[0] - battery.x, at[1] - battery.y
    return (dx * sin + dy * cos) * battery.length >= abs(dx * cos - dy * sin) * battery.beam
