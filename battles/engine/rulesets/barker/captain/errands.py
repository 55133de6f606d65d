"""Where a body goes besides to its range: ahead as scouts, beside the flag, between the enemy and a cripple or a ship to be covered.

Rules: AA13, AA17, AA19, AA22, P.K49.
"""

from __future__ import annotations

from collections.abc import Sequence

from battles.engine.core import plane
from battles.engine.core.plane import Point
from battles.engine.rulesets.barker.captain import others
from battles.engine.rulesets.barker.captain.scene import Scene
from battles.engine.rulesets.barker.mines import SWEPT_FROM
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import CRUISERS, MILE, YARD, Type
from battles.engine.rulesets.barker.view import View

# A place to make for, and within how many yards of it all is well.
Errand = tuple[Point, int]
# Scouts run so far ahead of the flag, two bodies of them so far to either side, in hundredths of a degree. Rule: AA22.
_AHEAD, _FAN, _SCOUTS_ROOM = 10 * MILE, 4_500, 2_000
# In company a squadron keeps so near the flag. Rule: P.K49.
COMPANY = 4_000
# A cripple is covered by who is so near, from an enemy so near. Rule: AA13.
_HELP, _DANGER = 8_000 * YARD, 8_000 * YARD
# So far from a cripple, and from a ship to be covered, lies the place between it and the enemy.
_SCREEN, _GUARD, _ROOM = 1_200 * YARD, 2_500 * YARD, 1_000
# Mines so near are swept. Rule: AA19.
_SWEEPS = 8 * MILE
_COVERED2 = 8


def scouting(view: View, members: Sequence[Unit], light: Sequence[Unit]) -> Errand | None:
    """For a body of scouts a place ahead of the flag, towards where the enemy is looked for. light: leaders of all such bodies."""
    flag = view.flagship()
    if flag is None or flag in members or members[0] not in light:
        return None
    at = others.search(view, flag)
    if at == flag.at:
        return None
    place = list(light).index(members[0])
    off = _FAN * ((place + 1) // 2) * (-1 if place % 2 else 1)
    course = plane.turned(plane.bearing(flag.at, at), max(-plane.RIGHT, min(plane.RIGHT, off)))
    return plane.advance(flag.at, course, _AHEAD), _SCOUTS_ROOM


def company(view: View, members: Sequence[Unit]) -> Errand | None:
    """For cruisers that fight in the line the flag's place, when they have left it behind: unless a general chase is ordered."""
    flag = view.flagship()
    if flag is None or flag in members or view.doctrine_of(members[0]).chase == "general":
        return None
    fast = any(unit.extra_free for unit in members) and not flag.extra_free
    if not fast or flag.crippled or plane.within(flag.at, members[0].at, COMPANY * YARD):
        return None
    return flag.at, COMPANY


def cover(scene: Scene, members: Sequence[Unit]) -> Errand | None:
    """The place between the nearest big ship of his that is crippled and the enemy who threatens her. Rule: AA13."""
    lame = [
        one
        for one in scene.own
        if one.crippled
        and one.warship
        and one.sp2 >= _COVERED2
        and plane.within(one.at, members[0].at, _HELP)
    ]
    if not lame:
        return None
    ward = min(lame, key=lambda one: (plane.distance(one.at, members[0].at), one.id))
    return _between(scene, ward, _SCREEN)


def wards(view: View) -> list[Unit]:
    """Ships that the instructions tell him to cover, as they lie. Rule: P.K49."""
    codes = set(view.doctrine.protect)
    return [unit for unit in view.own() if codes.intersection(unit.hulls)] if codes else []


def guard(scene: Scene, members: Sequence[Unit]) -> Errand | None:
    """The place between the nearest ship to be covered and the enemy. Rule: P.K49."""
    found = wards(scene.view)
    if not found or any(unit in found for unit in members):
        return None
    ward = min(found, key=lambda one: (plane.distance(one.at, members[0].at), one.id))
    return _between(scene, ward, _GUARD) or (ward.at, _GUARD // YARD)


def _between(scene: Scene, ward: Unit, far: int) -> Errand | None:
    foes = [foe for foe in scene.foes if foe.warship and not foe.crippled and foe.at != ward.at]
    foe = min(foes, key=lambda one: (plane.distance(one.at, ward.at), one.id), default=None)
    if foe is None or not plane.within(foe.at, ward.at, _DANGER):
        return None
    return plane.advance(ward.at, plane.bearing(ward.at, foe.at), far), _ROOM


def sweeping(scene: Scene, members: Sequence[Unit]) -> Errand | None:
    """The nearest enemy mines that destroyers may sweep, with no enemy in sight. Rules: AA19, P.X09."""
    view = scene.view
    if scene.foes or view.year < SWEPT_FROM or any(unit.type is not Type.TBD for unit in members):
        return None
    near = [at for at in view.enemy_mines() if plane.within(at, members[0].at, _SWEEPS)]
    if not near:
        return None
    return min(near, key=lambda at: (plane.distance(at, members[0].at), at)), 0


def guards_by_cruisers(bodies: Sequence[Sequence[Unit]]) -> Unit | None:
    """Leader of the one cruiser squadron that is told off to cover. Rule: P.K49."""
    found = [members[0] for members in bodies if all(unit.type in CRUISERS for unit in members)]
    return min(found, key=lambda unit: (unit.sp2, unit.id), default=None)
