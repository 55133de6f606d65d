"""Bases advance, and meet what lies in their way as it happens: mines, the shore, other ships, the edge, an enemy in sight.

Rules: P.C03, P.M21-P.M23, P.M27, P.A01, P.A03, P.A05, P.X06, P.S34.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from battles.engine.core import plane
from battles.engine.core.bases import corridor
from battles.engine.rulesets.barker import coming, hazards, land, mines, modes, nets, sight
from battles.engine.rulesets.barker.courses import Body, Stretch, behind_front
from battles.engine.rulesets.barker.formations import pose
from battles.engine.rulesets.barker.hazards import Sea
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Status, Unit
from battles.engine.rulesets.barker.tables import DAYLIGHT, Mode

# Two bases lie at most so much nearer than their middles.
_CORNERS = 2 * 22_361
# Bearings of the edges. Rule: P.M23.
NORTH, EAST, SOUTH, WEST = 0, 9_000, 18_000, 27_000


def single(
    battle: Battle, play: Play, unit: Unit, length: int, turn: int = 0, *, compulsory: bool = False
) -> None:
    """One unit by herself turns, if at all, and goes so far, with all that may befall it. Rules: P.M07, P.M25."""
    if play.frozen or not unit.under_way:
        return
    body = Body("loose", [pose(unit)])
    if turn:
        body.turn(turn)
    run(battle, play, body, [unit], length, compulsory=compulsory)


def sea_of(battle: Battle, play: Play) -> Sea:
    """Where all bases lie, from the beginning of the movement on."""
    sea: Sea = play.sea or Sea(battle)
    play.sea = sea
    return sea


def run(
    battle: Battle, play: Play, body: Body, units: list[Unit | None], length: int, *, compulsory: bool
) -> None:
    """A body goes so far. units: by place in it, None for who has fallen out; those who fall out now become None.

    Cruising, sight is tested along the way, and all movement left is forfeit at the first enemy. Rules: P.C03, P.M12, P.A03.
    """
    sea = sea_of(battle, play)
    sea.next_move()
    mates = frozenset(unit.id for unit in units if unit is not None)
    lame = frozenset(unit.id for unit in units if unit is not None and unit.crippled)
    cruising = battle.mode is Mode.CRUISING
    unseen = _unseen(battle, play, units) if cruising else 0
    done = 0
    while done < length and not play.frozen and any(unit is not None for unit in units):
        # Whole steps, so that where a move is broken off does not hang on how far off the enemy was.
        leap = (unseen - done) // modes.SIGHT_STEP * modes.SIGHT_STEP
        step = min(length - done, max(modes.SIGHT_STEP, leap)) if cruising else length
        for n, way in enumerate(body.advance(step)):
            unit = units[n]
            if unit is not None and not _along(battle, play, sea, unit, way, mates, compulsory=compulsory):
                units[n] = None
        done += step
        if cruising and done >= unseen:
            modes.under_way(battle, play)
    for n, unit in enumerate(units):
        if unit is not None and (unit.no_more or (unit.crippled and unit.id not in lame)):
            units[n] = None


def _unseen(battle: Battle, play: Play, units: Sequence[Unit | None]) -> int:
    """How far these may go before anybody could come in sight of an enemy: so far sight need not be tested. Rule: P.C03."""
    far = sight.CLEAR if battle.phase in DAYLIGHT else sight.LIT
    nearest: int | None = None
    for unit in units:
        if unit is None:
            continue
        for foe in battle.enemies(unit.side):
            square = (foe.x - unit.x) ** 2 + (foe.y - unit.y) ** 2
            if nearest is None or square < nearest:
                nearest = square
    if nearest is None:
        return 1 << 40
    return max(0, math.isqrt(nearest) - far - _CORNERS)


def _along(
    battle: Battle,
    play: Play,
    sea: Sea,
    unit: Unit,
    way: Sequence[Stretch],
    mates: Collection[str],
    *,
    compulsory: bool,
) -> bool:
    """One unit goes her way, piece by piece. False when she is gone or fast. Rules: P.A01, P.A06, P.A10, P.X06, P.X07, P.M23, P.M27."""
    rammed = False
    for start, heading, length in way:
        sea.grid.lift(unit)
        _lay(play, unit, behind_front(start, heading))
        touch = land.first_touch(battle, unit, length) if compulsory else None
        ahead = corridor(unit, length if touch is None else touch)
        victim = None if rammed or not compulsory else hazards.met(battle, sea, unit, ahead, mates)
        _lay(play, unit, behind_front(plane.advance(start, heading, ahead.length), heading))
        sea.grid.place(unit)
        if battle.fields:
            tell_way(play, unit)
            mines.run_in(battle, play, unit, ahead)
            if unit.crippled:
                sea.hurt.append(unit)
        if victim is not None and unit.on_table and victim.on_table:
            rammed = True
            tell_way(play, unit)
            hazards.ram(battle, play, unit, victim)
            sea.grid.lift(victim)
            if victim.on_table:
                sea.grid.place(victim)
            if unit.crippled:
                sea.hurt.append(unit)
        nets.foul(battle, play, unit, ahead)
        if unit.status is Status.IN_PLAY:
            coming.entered(battle, play, unit)
            _leave(battle, play, unit)
        if touch is not None and unit.status is Status.IN_PLAY:
            tell_way(play, unit)
            hazards.ground(battle, play, unit)
            sea.hurt.append(unit)
        if not unit.under_way or unit.aground:
            if not unit.under_way:
                sea.grid.lift(unit)
            return False
    return True


def _lay(play: Play, unit: Unit, at: tuple[int, int, int]) -> None:
    """Put a unit at a pose and note it for the log."""
    if play.log is not None and not unit.outside:
        path = play.paths.setdefault(unit.id, [pose(unit)])
        if path[-1] != at:
            path.append(at)
    unit.x, unit.y, unit.h = at


def tell_way(play: Play, unit: Unit) -> None:
    """Say how a unit has moved since this was said last."""
    path = play.paths.pop(unit.id, ())
    if len(path) > 1:
        play.tell("moved", "P.M02", unit.id, path=[list(row) for row in path], tokens=list(unit.made))


def _leave(battle: Battle, play: Play, unit: Unit) -> None:
    """A ship whose middle has crossed an edge has retreated and does not come back. Rule: P.M23."""
    if unit.outside or coming.inside(battle.table, unit.at):
        return
    west, south, east, north = battle.table
    over = ((unit.y - north, NORTH), (unit.x - east, EAST), (south - unit.y, SOUTH), (west - unit.x, WEST))
    unit.edge = max(over, key=lambda row: row[0])[1]
    unit.status, unit.light = Status.RETREATED, ""
    tell_way(play, unit)
    play.tell("left", "P.M23", unit.id, edge=unit.edge)
