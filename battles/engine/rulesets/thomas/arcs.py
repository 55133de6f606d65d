"""Who bears on whom, at what range, and who may be fired on. Rules: T.B9a, T.B10, T.S6, T.N1, T.N4."""

from __future__ import annotations

from collections.abc import Collection

from battles.engine.core import plane, shore
from battles.engine.rulesets.thomas.state import Battle, Ship
from battles.engine.rulesets.thomas.tables import REACH, Arc, Band, Gun, Kind

LINE_FROM, FRIGATE_BELOW = 64, 50


def may_be_fired_on(battle: Battle, firer: Ship, target: Ship) -> bool:
    """Whether the rules let one ship fire on another: an enemy who has not struck, and no silent frigate for a ship of the line.

    A ship made fast to another is a mark like any other. Rules: T.B12q, T.O6a, T.O6b, T.N4, T.N4a, T.N4b, T.N4c.
    """
    if not target.afloat or target.flag == firer.flag or (target.struck and not target.secured):
        return False
    if not battle.nelson or firer.guns < LINE_FROM or target.guns >= FRIGATE_BELOW:
        return True
    return target.has_fired or target.kind is Kind.MERCHANT


def band_between(gun: Gun, firer: Ship, target: Ship) -> Band:
    """Range band of a type of battery, mainmast to mainmast, exactly. Rules: T.S6, T.B9a."""
    close, most = REACH[gun]
    if plane.within(firer.position, target.position, close):
        return Band.CLOSE
    return Band.LONG if plane.within(firer.position, target.position, most) else Band.OUT


def covers(battle: Battle, firer: Ship, target: Ship, arc: Arc) -> bool:
    """Whether the arc of a group covers a ship, at any range. Rules: T.B10, T.B10b."""
    if arc is Arc.AHEAD or arc is Arc.ASTERN:
        return plane.keel_reaches(firer, target, astern=arc is Arc.ASTERN)
    half = int(battle.options["fan_half_angle"])
    return plane.in_fan(firer, target.position, half, starboard=arc is Arc.STARBOARD)


def covering(battle: Battle, firer: Ship, target: Ship, arcs: Collection[Arc]) -> list[Arc]:
    """Of some groups those whose arc covers a ship, at any range: `covers` of them all with one look. Rules: T.B10, T.B10b."""
    found = []
    if Arc.STARBOARD in arcs or Arc.PORT in arcs:
        side = plane.fan(firer, target.position, int(battle.options["fan_half_angle"]))
        broadside = Arc.STARBOARD if side > 0 else Arc.PORT
        if side and broadside in arcs:
            found.append(broadside)
    for arc in (Arc.AHEAD, Arc.ASTERN):
        if arc in arcs and plane.keel_reaches(firer, target, astern=arc is Arc.ASTERN):
            found.append(arc)
    return found


def masked(battle: Battle, firer: Ship, target: Ship) -> bool:
    """Whether a third hull, or land, lies across the line of fire. Rule: T.B10e."""
    if not battle.options["block_line"]:
        return False
    a, b = firer.position, target.position
    length = plane.distance(a, b)
    dx, dy = target.x - firer.x, target.y - firer.y
    middle = ((firer.x + target.x) // 2, (firer.y + target.y) // 2)
    for other in battle.grid.near(middle, length // 2 + 3_000):
        if other is firer or other is target:
            continue
        # A hull whose middle lies further from the line than she is long and wide cannot lie across it.
        off = abs(dx * (other.y - firer.y) - dy * (other.x - firer.x))
        if off <= (other.length + other.beam) * length and plane.segment_cuts(a, b, other):
            return True
    return any(shore.crosses_land(a, b, land) for land in battle.land)


def raked(battle: Battle, firer: Ship, target: Ship) -> bool:
    """Whether the target's keel line, both ways, cuts the firer's hull; the range is judged battery by battery. Rule: T.N1."""
    return battle.nelson and plane.keel_cuts(target, firer)


def marks(battle: Battle, firer: Ship, arc: Arc) -> list[Ship]:
    """Ships that a group could fire on now, nearest first: of those on the keel line only the nearest.

    Rules: T.B10, T.B10a, T.B10b, T.B10e, T.B9a.
    """
    return bearing(battle, firer, (arc,)).get(arc, [])


def bearing(battle: Battle, firer: Ship, arcs: tuple[Arc, ...] = tuple(Arc)) -> dict[Arc, list[Ship]]:
    """The same for several groups with one look round; a group without guns, or without a mark, is left out. Rule: T.B10."""
    reach: dict[Arc, int] = {}
    for gun in firer.batteries:
        if not gun.lost and gun.arc in arcs:
            reach[gun.arc] = max(reach.get(gun.arc, 0), REACH[gun.gun][1])
    if not reach:
        return {}
    here, flag = firer.position, firer.flag
    near = [
        (plane.distance(here, (one.x, one.y)), one.id, one)
        for one in battle.grid.near(here, max(reach.values()))
        if one.flag != flag and (not one.struck or one.secured)
    ]
    near.sort()
    covered: dict[Arc, list[Ship]] = {arc: [] for arc in arcs if arc in reach}
    for _, _, one in near:
        for arc in covering(battle, firer, one, reach):
            if plane.within(here, (one.x, one.y), reach[arc]):
                covered[arc].append(one)
    found: dict[Arc, list[Ship]] = {}
    for arc, mine in covered.items():
        if arc in (Arc.AHEAD, Arc.ASTERN):
            del mine[1:]
        mine = [one for one in mine if may_be_fired_on(battle, firer, one) and not masked(battle, firer, one)]
        if mine:
            found[arc] = mine
    return found


def may_take(battle: Battle, firer: Ship, target: Ship, arc: Arc) -> bool:
    """Whether one ship is a mark of a group, without looking at the others unless the keel line asks for the nearest.

    Rules: T.B10, T.B10a, T.B9a.
    """
    if arc in (Arc.AHEAD, Arc.ASTERN):
        return target in marks(battle, firer, arc)
    reach = max((REACH[one.gun][1] for one in firer.standing(arc)), default=0)
    return (
        bool(reach)
        and plane.within(firer.position, target.position, reach)
        and covers(battle, firer, target, arc)
        and may_be_fired_on(battle, firer, target)
        and not masked(battle, firer, target)
    )
