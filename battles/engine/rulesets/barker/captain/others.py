"""Cripples, merchants and submarines, and where an enemy is looked for. Rules: AA13, AA17, AA18, AA22, AA23."""

from __future__ import annotations

from collections.abc import Sequence

from battles.engine.core import plane
from battles.engine.core.plane import Box, Point
from battles.engine.rulesets.barker.captain.scene import Scene
from battles.engine.rulesets.barker.play import Orders, Token
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import BASE_LENGTH, BASE_WIDTH, YARD, Type
from battles.engine.rulesets.barker.view import View

C, X, P, O = Token("C"), Token("X"), Token("P"), Token("O")  # noqa: E741
_FAR = 1_000_000
_TRUE = 1_000
# A ship so far astern of a cripple would run into her. Rules: AA06, P.M26.
_ASTERN = 900 * YARD
# Merchants scatter from an enemy so near. Rule: AA23.
_SCATTER = 8_000 * YARD
# A target near enough to surface for, and worth it, in half SP. Rule: AA18.
_STRIKE, _WORTH2 = 800 * YARD, 12


def search(view: View, unit: Unit) -> Point:
    """Where an enemy is looked for: his last place, else his anchorage, his port, and last straight over to the far edge. Rule: AA22."""
    before = view.seen_before()
    if before:
        row = max(before, key=lambda row: (row.spell, -abs(row.x - unit.x) - abs(row.y - unit.y)))
        return row.x, row.y
    roads = view.roads()
    if roads is not None:
        return roads
    forts = view.forts()
    if forts:
        return min(forts, key=lambda at: (plane.distance(at, unit.at), at))
    west, south, east, north = view.table
    return plane.advance(
        ((west + east) // 2, (south + north) // 2), (view.party.edge + plane.STRAIGHT) % plane.FULL, _FAR
    )


def cripples(scene: Scene, lame: Sequence[Unit]) -> dict[str, Orders]:
    """A cripple with a friend close astern moves on first; the others limp home, but never nearer to an enemy. Rules: AA06, AA13."""
    found: dict[str, Orders] = {}
    for unit in lame:
        if unit.aground:
            continue
        if any(_runs_into(mate, unit) for mate in scene.own):
            found[unit.id] = Orders(plans=((P,), ()), pay=1)
            x, y = plane.advance(unit.at, unit.h, BASE_LENGTH)
            scene.rests[unit.id] = Box(x, y, unit.h, BASE_LENGTH, BASE_WIDTH)
            continue
        home = scene.refuge(unit)
        by = plane.swing(unit.h, plane.bearing(unit.at, home)) if home != unit.at else 0
        by = max(-plane.RIGHT, min(plane.RIGHT, by))
        token = Token("P", by) if abs(by) > _TRUE else P
        end = plane.advance(unit.at, plane.turned(unit.h, token.turn), BASE_LENGTH)
        if _nearest(scene, end) >= _nearest(scene, unit.at):
            found[unit.id] = Orders(plans=((token,), ()), pay=9)
        else:
            found[unit.id] = Orders(plans=((),))
    return found


def _runs_into(mate: Unit, lame: Unit) -> bool:
    """Whether a friend's compulsory move would ram a cripple. Rules: P.A05, P.M26."""
    if (
        mate is lame
        or mate.crippled
        or mate.stopped
        or mate.aground
        or mate.torpedo_craft
        and mate.type is Type.SUB
    ):
        return False
    ahead, right = plane.frame(mate, lame.at)
    return 0 < ahead < _ASTERN * plane.UNIT and abs(right) < 25_000 * plane.UNIT


def _nearest(scene: Scene, at: Point) -> int:
    """Distance to the nearest enemy with guns, a very great one when none is in sight."""
    return min((plane.distance(at, foe.at) for foe in scene.foes if not foe.crippled), default=10**9)


def of_train(scene: Scene, unit: Unit) -> dict[str, Orders]:
    """A merchant keeps away from the nearest enemy, with all its free moves. Rule: AA23."""
    if unit.type is Type.SUB:
        return _surfaced(scene, unit)
    if unit.type is Type.FISH:
        return {}
    free = O if unit.type in (Type.TRAMP, Type.SAIL) else C
    straight = (free, X) if unit.extra_free else (free,)
    guns = [foe for foe in scene.foes if foe.warship]
    if not guns or unit.type is Type.SAIL:
        return {unit.id: Orders(plans=(straight,))}
    foe = min(guns, key=lambda one: plane.distance(one.at, unit.at))
    if (
        plane.within(foe.at, unit.at, _SCATTER)
        or plane.angle(unit.h, _bearing(unit.at, foe.at)) < plane.RIGHT
    ):
        by = plane.swing(unit.h, _bearing(foe.at, unit.at))
        by = max(-plane.RIGHT, min(plane.RIGHT, by))
        if abs(by) > _TRUE:
            turn = Token("O" if free is O else "P", by)
            turned = (turn,) if free is O else (turn, C)
            return {unit.id: Orders(plans=(turned, straight))}
    if unit.type is Type.LINER:
        return {unit.id: Orders(plans=((C, X, P), (C, X)))}
    if unit.type is Type.TRANSPORT:
        return {unit.id: Orders(plans=((C, P), (C,)))}
    return {unit.id: Orders(plans=(straight,))}


def _bearing(a: Point, b: Point) -> int:
    return plane.bearing(a, b) if a != b else 0


def _prey(scene: Scene, unit: Unit) -> Unit | None:
    """The nearest enemy worth a torpedo. Rule: AA18."""
    worth = [foe for foe in scene.foes if foe.sp2 >= _WORTH2 and not foe.ashore and not foe.torpedo_craft]
    return min(worth, key=lambda foe: (plane.distance(foe.at, unit.at), foe.id), default=None)


def _surfaced(scene: Scene, boat: Unit) -> dict[str, Orders]:
    """A boat on the surface makes for its prey; after it has fired, or with an enemy near, it dives. Rule: AA18."""
    prey = _prey(scene, boat)
    if prey is None:
        return {}
    if boat.fired or plane.within(boat.at, prey.at, 3 * _STRIKE):
        return {boat.id: Orders(plans=((Token("D"),), ()))}
    by = plane.swing(boat.h, _bearing(boat.at, prey.at))
    by = max(-plane.RIGHT, min(plane.RIGHT, by))
    return {boat.id: Orders(plans=((Token("O", by),), (O,)))}


def boats_below(scene: Scene) -> dict[str, Orders]:
    """Boats below come up when an enemy worth it lies within a torpedo's reach of where they may. Rule: AA18."""
    found: dict[str, Orders] = {}
    view = scene.view
    for boat in view.all_own():
        if not boat.submerged or view.party.spells < boat.earliest:
            continue
        prey = _prey(scene, boat)
        if prey is None or not plane.within(boat.at, prey.at, _STRIKE + 700 * YARD):
            continue
        gap = plane.distance(boat.at, prey.at)
        h = _bearing(boat.at, prey.at)
        at = plane.advance(boat.at, h, max(0, min(_STRIKE, gap - 700 * YARD)))
        found[boat.id] = Orders(plans=((Token("U", h, at=at),), ()))
    return found
