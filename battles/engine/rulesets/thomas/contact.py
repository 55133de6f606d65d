"""Hulls that meet: how far a ship goes before she touches another or the shore, and who is alongside whom.

Rules: T.B4d, T.B4e, T.B4g, T.B6, T.B6c, T.B12a, T.S21.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from battles.engine.core import plane, shore
from battles.engine.core.plane import Box, advance
from battles.engine.core.ruleset import Table
from battles.engine.rulesets.thomas.state import Battle, Ship, Status
from battles.engine.rulesets.thomas.tables import CONTACT

_LONGEST = 4_000


class Run(NamedTuple):
    """How a straight run went: how far, and whose hull, or what shore, stopped it."""

    length: int
    met: Ship | None = None
    ashore: bool = False


def run(
    battle: Battle,
    ship: Ship,
    towards: int,
    length: int,
    *,
    ignoring: Collection[str] = (),
    beam_on: bool = False,
) -> Run:
    """How far a ship goes on a bearing before her hull first touches another or land.

    ignoring: ids of ships that go with her. beam_on: she is carried sideways and her heading stays; else it is her bearing.
    Of a hull and a shore met at one moment the hull counts. Rules: T.B4d, T.B4e, T.B4g, T.B6, T.S21.
    """
    heading = ship.heading if beam_on else towards
    hull = Box(ship.x, ship.y, heading, ship.length, ship.beam)
    best, met = length, None
    for other in battle.near(ship, length + _LONGEST):
        if other.id in ignoring or plane.passes_clear(hull, towards, length, other):
            continue
        if plane.touching(hull, other):
            at = 0 if length and plane.deepens(hull, towards, other) else None
        else:
            at = plane.first_touch(hull, towards, length, other)
        if at is not None and (at < best or met is None):
            best, met = at, other
    aground = [
        at for land in battle.land if (at := shore.first_ashore(hull, towards, length, land)) is not None
    ]
    if aground and min(aground) < best:
        return Run(min(aground), None, True)
    if aground and met is None:
        return Run(min(aground), None, True)
    return Run(best, met)


def carry(battle: Battle, ship: Ship, towards: int, length: int) -> None:
    """Put a ship so far on along a bearing and keep the index."""
    battle.shift(ship, advance(ship.position, towards, length))


def wreck(battle: Battle, play: Table, ship: Ship) -> None:
    """A ship driven ashore is lost; her people reach land. Rules: T.B4e, T.B6, T.C21."""
    play.tell("wrecked", "T.B6", ship.id, x=ship.x, y=ship.y)
    battle.remove(ship, Status.WRECKED, "driven ashore")


def touches_land(battle: Battle, ship: Ship) -> bool:
    """Whether any part of her hull lies ashore, as after a turn on the spot. Rules: T.S21, T.B4e."""
    return any(shore.ashore(ship, land) for land in battle.land)


def alongside(battle: Battle, ship: Ship) -> list[Ship]:
    """Ships whose hulls she is in contact with, in ascending order. Rule: T.B12a."""
    near = battle.near(ship, _LONGEST)
    return [
        other
        for other in near
        if not plane.passes_clear(ship, ship.heading, 0, other, CONTACT)
        and plane.gap_within(ship, other, CONTACT)
    ]
