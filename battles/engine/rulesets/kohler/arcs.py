"""Fields of fire: arcs, ranges and lines of fire as offsets worked out once; broadsides in a shared hex. Rules: K.F3-K.F7, T9."""

from __future__ import annotations

from typing import NamedTuple

from battles.engine.core.hexes import STEPS, Hex, step
from battles.engine.rulesets.kohler.state import Battle, Ship
from battles.engine.rulesets.kohler.tables import MOST_RANGE

SIDES = ("port", "starboard")
OTHER = {"port": "starboard", "starboard": "port"}

# Intervening hexes by arc coordinates (a, b): one line, or two where the true line runs between hexes.
_BETWEEN: dict[tuple[int, int], tuple[tuple[tuple[int, int], ...], ...]] = {
    (1, 1): (((1, 0),), ((0, 1),)),
    (2, 1): (((1, 0), (1, 1)),),
    (1, 2): (((0, 1), (1, 1)),),
    (3, 1): (((1, 0), (1, 1), (2, 1)), ((1, 0), (2, 0), (2, 1))),
    (1, 3): (((0, 1), (1, 1), (1, 2)), ((0, 1), (0, 2), (1, 2))),
    (2, 2): (((1, 0), (1, 1), (2, 1)), ((0, 1), (1, 1), (1, 2))),
}


class Bearing(NamedTuple):
    """A hex of an arc: its offset, the broadside, the range, and the offsets that the shot passes by one or two lines."""

    dq: int
    dr: int
    side: str
    range: int
    lines: tuple[tuple[Hex, ...], ...]


def _lines(a: int, b: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    if b == 0:
        return (tuple((n, 0) for n in range(1, a)),)
    if a == 0:
        return (tuple((0, n) for n in range(1, b)),)
    return _BETWEEN[a, b]


def _arc(facing: int, side: str) -> tuple[Bearing, ...]:
    turn = 1 if side == "starboard" else -1
    (uq, ur), (vq, vr) = STEPS[(facing + turn) % 6], STEPS[(facing + 2 * turn) % 6]

    def offset(a: int, b: int) -> Hex:
        return a * uq + b * vq, a * ur + b * vr

    return tuple(
        Bearing(*offset(a, reach - a), side, reach, tuple(tuple(offset(*ab) for ab in line) for line in _lines(a, reach - a)))
        for reach in range(1, MOST_RANGE + 1)
        for a in range(reach, -1, -1)
    )  # fmt: skip


# By facing, then broadside: 14 bearings each, nearest first.
ARCS: tuple[dict[str, tuple[Bearing, ...]], ...] = tuple(
    {side: _arc(facing, side) for side in SIDES} for facing in range(6)
)
_BY_OFFSET: tuple[dict[Hex, Bearing], ...] = tuple(
    {(bearing.dq, bearing.dr): bearing for side in SIDES for bearing in arcs[side]} for arcs in ARCS
)


def bearing_to(pos: Hex, facing: int, target: Hex) -> Bearing | None:
    """How a hex bears from a ship: broadside and range 1 to 4, None outside both arcs. Rules: K.F3, K.F4."""
    (q, r), (to_q, to_r) = pos, target
    return _BY_OFFSET[facing].get((to_q - q, to_r - r))


def is_clear(battle: Battle, pos: Hex, bearing: Bearing) -> bool:
    """Whether a shot from a hex passes: at least one of its lines meets no ship or wreck. Rule: K.F5."""
    at, (q, r) = battle.at, pos
    for line in bearing.lines:
        for dq, dr in line:
            if (q + dq, r + dr) in at:
                break
        else:
            return True
    return False


def rakes(firer: Hex, target: Ship) -> bool:
    """Whether a hex is the one dead astern of the target, from which a shot at Short range rakes her. Rule: K.F9."""
    return firer == step(target.pos, target.facing + 3)


# T9: broadside with which the attacker bears when she lies to port of the defender, by (defender's - attacker's facing) mod 6.
_ATTACKER_TO_PORT = ("starboard", "starboard", "port", "port", "port", "starboard")


def side_towards(ship: Ship, other: Ship) -> str | None:
    """The broadside that bears on a ship in the same hex, None while no one knows who lies where.

    The attacker keeps on which side of the defender she lies; her own side follows from the facings. Rules: K.F7, K.B12, T9.
    """
    to = ship.placement.get(other.id)
    if to:
        side = _ATTACKER_TO_PORT[(other.facing - ship.facing) % 6]
        return side if to == "port" else OTHER[side]
    return other.placement.get(ship.id) or None
