"""Torpedo craft: held on the disengaged side, let go when it pays, brought home when they have fired. Rules: AA10, AA11."""

from __future__ import annotations

from collections.abc import Sequence

from battles.engine.core import plane
from battles.engine.core.plane import Point
from battles.engine.rulesets.barker.captain import errands, others, posture
from battles.engine.rulesets.barker.captain.line import Wish
from battles.engine.rulesets.barker.captain.posture import Posture
from battles.engine.rulesets.barker.captain.scene import Scene, of
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import BOATS, CRUISERS, DAYLIGHT, YARD, Phase, Type
from battles.engine.rulesets.barker.view import View

# How far behind the line they are held, in yards; and how near a cripple has to lie. Rules: AA10, AA11.
_BEHIND = 2_000
_CRIPPLE = 6_000
# By day no boat goes in on a cripple with a sound ship so near her.
_STANDS_BY = 3_000
# By day they keep so far beyond the reach of guns.
_OUT = 500
_WORTH2 = 12
# So near a flotilla runs in, whatever else it waits for.
_RUN = 600
# A point so far away is beyond any edge.
_HOME = 100_000 * YARD


def wish(scene: Scene, members: Sequence[Unit], stands: Posture) -> Wish:
    """What a flotilla is to do. Rules: AA10, AA11, P.K49."""
    view = scene.view
    fresh = [unit for unit in members if not unit.fired]
    leader = members[0]
    prey = _prey(scene, members) if 2 * len(fresh) >= len(members) and view.doctrine.fire_ships else []
    if prey:
        return Wish(_RUN, tuple(prey), None, deal=300, take=40, shun=False, share=30, range_weight=200)
    place = _behind(scene, members)
    sweep = errands.sweeping(scene, members) if stands is not Posture.WITHDRAW else None
    if sweep is not None:
        return Wish(goal=sweep[0], shun=False, sweep=True)
    if stands is Posture.WITHDRAW or place is None and _done(scene, fresh):
        home = _clear(view, leader) or scene.refuge(leader)
        return Wish(9_000, (), home, deal=50, take=100, shun=False, leave=True)
    guard = errands.guard(scene, members)
    if guard is not None:
        return Wish(3_000, (), guard[0], deal=50, take=100, shun=False, station=guard[1])
    if not scene.foes:
        return Wish(goal=place or others.search(view, leader), station=_BEHIND, shun=False)
    heavy = tuple(scene.heavy())
    if view.phase in DAYLIGHT:
        # In danger only the way out of it counts.
        place = None if scene.near(of(leader), _OUT) else place
        return Wish(scene.reach + _OUT, heavy, place, 50, 100, shun=False, station=800, range_weight=150)
    return Wish(6_500, heavy, place, 50, 100, shun=False, station=800, range_weight=30)


def _clear(view: View, leader: Unit) -> Point | None:
    """A point straight away from the ships at anchor that a flotilla has attacked; None where there are none. Rule: AA11."""
    roads = view.roads()
    if roads is None or roads == leader.at:
        return None
    return plane.advance(leader.at, plane.bearing(roads, leader.at), _HOME)


def _done(scene: Scene, fresh: Sequence[Unit]) -> bool:
    """Whether boats that came by themselves go home: most have fired, or it grows light. Rule: AA11."""
    return not fresh or scene.view.phase in DAYLIGHT or scene.view.phase is Phase.DAWN


def _alone(scene: Scene, n: int) -> bool:
    """Whether no sound ship with guns stands by an enemy. Rule: AA11."""
    lame = scene.foes[n]
    return not any(
        foe.type is Type.BB or foe.type in CRUISERS
        for foe in scene.foes
        if foe is not lame and not foe.crippled and plane.within(foe.at, lame.at, _STANDS_BY * YARD)
    )


def _prey(scene: Scene, members: Sequence[Unit]) -> list[int]:
    """Indexes of the enemies that a flotilla attacks now; none while it waits. Rule: AA11."""
    view = scene.view
    leader = members[0]
    heavy = [
        n
        for n, foe in enumerate(scene.foes)
        if foe.sp2 >= _WORTH2 and not foe.torpedo_craft and not foe.ashore
    ]
    lame = [n for n in heavy if scene.foes[n].crippled]
    near = [n for n in lame if plane.within(leader.at, scene.foes[n].at, _CRIPPLE * YARD)]
    if view.phase not in DAYLIGHT:
        return near or lame or heavy
    return [n for n in near if _alone(scene, n)]


def _behind(scene: Scene, members: Sequence[Unit]) -> Point | None:
    """The place on the disengaged side of his line, None without one. Rule: AA10."""
    heavy = [
        unit
        for unit in scene.own
        if unit.type not in BOATS and unit.type is not Type.SUB and not unit.crippled and unit.warship
    ]
    if not heavy:
        return None
    x, y = sum(unit.x for unit in heavy) // len(heavy), sum(unit.y for unit in heavy) // len(heavy)
    foes = [foe for foe in scene.foes if not foe.torpedo_craft]
    if not foes:
        rear = heavy[-1]
        return plane.advance(rear.at, rear.h, -_BEHIND * YARD)
    fx, fy = sum(foe.x for foe in foes) // len(foes), sum(foe.y for foe in foes) // len(foes)
    if (x, y) == (fx, fy):
        return x, y
    return plane.advance((x, y), plane.bearing((fx, fy), (x, y)), _BEHIND * YARD)


def desperate(view: View, unit: Unit) -> bool:
    """Whether a boat fires its first shot at any range: crippled, or with its side breaking off. Rule: AA11."""
    return unit.crippled or posture.broken(view)
