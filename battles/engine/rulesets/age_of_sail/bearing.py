"""How ships bear on each other: range bands, broadside arcs, aspects, and what lies between. Rules: A.P4-A.P6, A.F2, A.F8, A.F10, A.D1."""

from __future__ import annotations

from battles.engine.core.plane import Point
from battles.engine.core.shore import crosses_land
from battles.engine.rulesets.age_of_sail.state import Battle, Ship
from battles.engine.rulesets.age_of_sail.tables import (
    BANDS,
    BLOCK,
    POINTS,
    PORT,
    SLACK,
    STARBOARD,
    TAN,
    TAN_11,
    TAN_45,
    WAY,
)

# From where a volley strikes. `stern_port` and `stern_starboard` only where the switch `stern_arc` is `astern`.
BOW_PORT, BOW_STARBOARD, AHEAD, STERN = "bow_port", "bow_starboard", "bow", "stern"
STERN_PORT, STERN_STARBOARD = "stern_port", "stern_starboard"

_SQUARES = tuple((reach + SLACK) ** 2 for reach in BANDS)
# A point counts as dead ahead or astern within the tolerance of angles. Rule: A.P6.
_DEAD = 35


def band(dx: int, dy: int) -> int:
    """The range band of a distance, 0 to 2, or -1 beyond range. Rule: A.F8."""
    square = dx * dx + dy * dy
    if square > _SQUARES[2]:
        return -1
    return 0 if square <= _SQUARES[0] else 1 if square <= _SQUARES[1] else 2


def bears(h: int, dx: int, dy: int) -> str:
    """Which broadside of a ship on heading h bears on a point so far off: port, starboard, or "" for neither. Rules: A.F2, A.F3, A.P5."""
    sin, cos = WAY[h]
    ahead, right = dx * sin + dy * cos, dx * cos - dy * sin
    if TAN * abs(ahead) > TAN_45 * abs(right):
        return ""
    return STARBOARD if right > 0 else PORT


def aspect(h: int, dx: int, dy: int, *, narrow: bool = False) -> str:
    """From where a shooter so far off strikes a ship on heading h. narrow: the switch `stern_arc`. Rules: A.D1, A.D4, A.D5."""
    sin, cos = WAY[h]
    ahead, right = dx * sin + dy * cos, dx * cos - dy * sin
    if TAN * abs(ahead) <= TAN_45 * abs(right):
        return STARBOARD if right > 0 else PORT
    if ahead > 0:
        if TAN * abs(right) <= _DEAD * ahead:
            return AHEAD
        return BOW_STARBOARD if right > 0 else BOW_PORT
    if narrow and TAN * abs(right) > TAN_11 * -ahead:
        return STERN_STARBOARD if right > 0 else STERN_PORT
    return STERN


def blocked(battle: Battle, shooter: Ship, target: Ship) -> bool:
    """Whether a ship or land lies between two ships. Rules: A.F10, A.T9."""
    return screened(battle, shooter.position, target.position, (shooter.id, target.id))


def screened(battle: Battle, a: Point, b: Point, but: tuple[str, str]) -> bool:
    """Whether land, or a ship that is not one of two, lies between two points. Rules: A.F10, A.T9."""
    if battle.land and any(crosses_land(a, b, land) for land in battle.land):
        return True
    return bool(battle.options["block_line"]) and masked(battle, a, b, but)


def masked(battle: Battle, a: Point, b: Point, but: tuple[str, str]) -> bool:
    """Whether the centre of a ship lies within half a centimetre of the line between two points, strictly between them. Rule: A.F10."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    middle = ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)
    reach = (abs(dx) + abs(dy)) // 2 + BLOCK
    most = (BLOCK + SLACK) ** 2 * square
    for ship in battle.grid.near(middle, reach):
        x, y = ship.x - a[0], ship.y - a[1]
        along = x * dx + y * dy
        if 0 < along < square and (x * dy - y * dx) ** 2 <= most and ship.id not in but:
            return True
    return False


def point_of(dx: int, dy: int) -> int:
    """The nearest of the sixteen points to a direction, clockwise of two; 0 for none."""
    if not dx and not dy:
        return 0
    return max(range(POINTS), key=lambda h: (dx * WAY[h][0] + dy * WAY[h][1], h))
