"""What a broadside may be expected to do: arcs and ranges as flat tables, hits in sixths of a point. Guidance: K.AI1."""

from __future__ import annotations

from functools import lru_cache

from battles.engine.core.hexes import STEPS, within
from battles.engine.rulesets.kohler import tables
from battles.engine.rulesets.kohler.damage import fire_now
from battles.engine.rulesets.kohler.state import Ship
from battles.engine.rulesets.kohler.view import Seen

# A relative hex (dq, dr) as one number, so that looking it up makes no tuple: both within -15..15.
WIDTH = 32
CENTRE = 16 * WIDTH + 16
PORT, STARBOARD = 0, 8


def _bearings(facing: int) -> tuple[int, ...]:
    """For every relative hex the range in its lowest bits, plus STARBOARD on that side; 0 out of arc. Rule: K.F3."""
    table = [0] * (2 * CENTRE + 1)
    for side, turn in ((PORT, -1), (STARBOARD, 1)):
        u, v = STEPS[(facing + turn) % 6], STEPS[(facing + 2 * turn) % 6]
        for a in range(5):
            for b in range(5 - a):
                if a + b:
                    dq, dr = a * u[0] + b * v[0], a * u[1] + b * v[1]
                    table[CENTRE + dq * WIDTH + dr] = side + a + b
    return tuple(table)


BEARS = tuple(_bearings(facing) for facing in range(6))


def _distances() -> tuple[int, ...]:
    """For every relative hex how far it is. Rule: K.0.1."""
    table = [0] * (2 * CENTRE + 1)
    for dq in range(-15, 16):
        for dr in range(-15, 16):
            table[CENTRE + dq * WIDTH + dr] = max(abs(dq), abs(dr), abs(dq + dr))
    return tuple(table)


DISTANCE = _distances()
# The hex astern of each facing, as a relative number. Rule: K.F9.
ASTERN = tuple(-(STEPS[f][0] * WIDTH + STEPS[f][1]) for f in range(6))


@lru_cache(maxsize=4096)
def by_range(points: int, modifier: int) -> tuple[int, int, int, int, int, int]:
    """Expected hits, in sixths, at ranges 0 to 4, and raking at 1 as the sixth. points doubled. Rules: K.F8, K.F14."""
    sixths = [tables.expected_sixths(points, modifier + shift) for shift in (*tables.BY_RANGE, -3)]
    return sixths[0], sixths[1], sixths[2], sixths[3], sixths[4], sixths[5]


def own_points(ship: Ship) -> int:
    """Fire points (doubled) that an own ship has now, swept guns off. Rules: K.D5, K.C7."""
    return 0 if ship.prize_of or ship.fired else fire_now(ship)


def their_points(ship: Seen) -> int:
    """Fire points (doubled) that another's ship of her size, as damaged as she looks, should have."""
    if ship.prize or ship.fired:
        return 0
    track, steps = ship.usual.fire_track, ship.steps_lost
    return track[steps] if steps < len(track) else 0


def their_hull(ship: Seen) -> int:
    """Hull points that she should have left by her size and looks: half a step is taken off for what cannot be seen."""
    return ship.usual.left[ship.steps_lost]


# Rings of offsets by radius, nearest first.
DISCS = tuple(
    tuple(sorted(within((0, 0), radius), key=lambda c: max(abs(c[0]), abs(c[1]), abs(c[0] + c[1]))))
    for radius in range(13)
)
