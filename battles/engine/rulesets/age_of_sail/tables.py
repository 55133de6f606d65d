"""The set's tables and constants. Lengths are thousandths of a centimetre, headings one of sixteen points. Data tables of rules.md."""

from __future__ import annotations

from typing import Final

from battles.engine.core.plane import UNIT, nearest, unit

CM: Final = 1_000
POINTS: Final = 16
# A heading in hundredths of a degree, for whoever draws or stores one. Rule: A.P3.
POINT: Final = 2_250
WINDS: Final = 8
# Broadsides, in the order of their volleys.
PORT, STARBOARD = "port", "starboard"
SIDES: Final = (PORT, STARBOARD)

# Range bands, the nearer one first, with the least face that hits hull and sails. Rules: A.F8, A.F9.
BANDS: Final = (4 * CM, 8 * CM, 12 * CM)
HITS_ON: Final = {"hull": (3, 4, 5), "sails": (4, 5, 6)}
RANGE: Final = BANDS[-1]
# How far a limit of distance reaches beyond its figure, because positions are rounded. Rule: A.P6.
SLACK: Final = 2
# tan 45.02 and tan 11.27 degrees in hundred-thousandths: the tolerance of an angle. Rule: A.P6.
TAN: Final = 100_000
TAN_45: Final = 100_070
TAN_11: Final = 19_927

CONTACT: Final = 1 * CM
BLOCK: Final = CM // 2
STATION: Final = 5

WIND_LEAST, WIND_START, WIND_MOST = 1, 4, 7
HIGH_SEAS: Final = 6

# Faces from which, or up to which, a throw succeeds.
FIRST_FIRE_OUT, SECOND_FIRE_OUT = 5, 6
GROUNDS_UP_TO, REFLOATS_FROM = 3, 6
REPAIRS_FROM, PARTS_FROM, SINKS_UP_TO = 6, 6, 2
TAKEN_AGROUND_UP_TO: Final = 4
SIXES: Final = 2

# Change of the wind's speed by the angle off the wind, in points: 0 to 8. Close hauled -1, reaching +1, running 0. Rules: A.M2, A.M3.
SAIL: Final = (-1, -1, -1, 1, 1, 1, 1, 0, 0)
CLOSE_HAULED: Final = 2

OPENING_GAP: Final = 30
CAUGHT_GAP: Final = 8
SHIP_GAP, SQUADRON_GAP = 5, 10
LATE_DISTANCE: Final = 20 * CM
AWAY: Final = 60 * CM
PARTING: Final = 12 * CM

LAST_ROUND: Final = 30
QUIET_ROUNDS: Final = 6
MINUTES: Final = 6


def _steps() -> tuple[tuple[int, int], ...]:
    """One centimetre on each heading, to the nearest thousandth. Rules: A.P2, A.M9."""
    found = []
    for point in range(POINTS):
        sin, cos = unit(point * POINT)
        found.append((nearest(CM * sin, UNIT), nearest(CM * cos, UNIT)))
    return tuple(found)


STEP: Final = _steps()
# The same directions, fine enough to judge angles by.
WAY: Final = tuple(
    (nearest(unit(h * POINT)[0], UNIT // 100_000), nearest(unit(h * POINT)[1], UNIT // 100_000))
    for h in range(POINTS)
)
