"""Ships spared from the fight: who takes a crippled ship in tow, who goes to secure which prize. Rules: T.O3, T.O6d-T.O6f. Section 12."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from battles.engine.core import plane
from battles.engine.core.plane import Point, advance
from battles.engine.rulesets.thomas.captain.plan import Mode, Plan, can_sail
from battles.engine.rulesets.thomas.captain.scene import Scene
from battles.engine.rulesets.thomas.sailing import sailing_crew
from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.tables import Kind

# An enemy nearer than this keeps a ship from her duties; how far she goes to do one; water between a tower and her tow.
BUSY = 8_000
_ERRAND = 26_000
_TOW_AHEAD = 450


@dataclass(slots=True)
class Duties:
    """place: where a ship is wanted, by her id. tow: the cripple she is to take in tow; prize: the prize she is to secure."""

    place: dict[str, Point] = field(default_factory=dict)
    tow: dict[str, str] = field(default_factory=dict)
    prize: dict[str, str] = field(default_factory=dict)


def told_off(scene: Scene, plans: Mapping[str, Plan], *, towing: bool) -> Duties:
    """Send the nearest idle ship to each prize and each cripple that no enemy is near, small craft rather than ships of the line."""
    duties = Duties()
    idle = {ship.id: ship for ship in scene.own if _idle(ship, scene, plans)}
    for struck in sorted(scene.struck.values(), key=lambda one: one.id):
        able = [
            ship for ship in idle.values() if ship.crew // 5 * 5 >= struck.seen.tons // 10 and _whole(ship)
        ]
        ship = _nearest(able, (struck.x, struck.y))
        if ship is not None:
            del idle[ship.id]
            duties.place[ship.id] = struck.x, struck.y
            duties.prize[ship.id] = struck.id
    if not towing:
        return duties
    for cripple in scene.own:
        if not _wants_a_tow(cripple, scene):
            continue
        able = [ship for ship in idle.values() if may_tow(ship, cripple)]
        ship = _nearest(able, cripple.position)
        if ship is not None:
            del idle[ship.id]
            ahead = (cripple.length + ship.length) // 2 + _TOW_AHEAD
            duties.place[ship.id] = advance(cripple.position, cripple.heading, ahead)
            duties.tow[ship.id] = cripple.id
    return duties


def _idle(ship: Ship, scene: Scene, plans: Mapping[str, Plan]) -> bool:
    plan = plans.get(ship.squadron)
    if plan is None or plan.mode is Mode.AWAY or not ship.fighting or not can_sail(ship) or ship.towing:
        return False
    return not ship.breaking_off and not _near_enemy(ship, scene)


def _near_enemy(ship: Ship, scene: Scene) -> bool:
    row = scene.near.get(ship.id)
    return bool(row) and row is not None and row[0][0] < BUSY


def _whole(ship: Ship) -> bool:
    """Less than half damaged, as boats need, with men to spare. Rule: T.O6f."""
    return 2 * ship.lost < ship.flot_max and ship.crew > 2 * sailing_crew(ship)


def _wants_a_tow(ship: Ship, scene: Scene) -> bool:
    """A friend who cannot sail by herself and whom no enemy is near. Section 12."""
    if not ship.dismasted or ship.grapples or ship.on_fire or ship.towed_by or ship.under_oars:
        return False
    return not (ship.struck and not ship.secured) and not _near_enemy(ship, scene)


def may_tow(tower: Ship, tow: Ship) -> bool:
    """Whether the tons allow it: twice her own, a frigate a ship of the line or a frigate of any size. Rules: T.O3, T.O3a."""
    if tower.kind is Kind.FRIGATE and tow.kind in (Kind.LINE, Kind.FRIGATE):
        return True
    return tow.tons <= 2 * tower.tons


def _nearest(ships: list[Ship], point: Point) -> Ship | None:
    near = [ship for ship in ships if plane.within(ship.position, point, _ERRAND)]
    # Small craft first: 8 inches of way are better sailed by a frigate than by a ship whose broadside is wanted.
    return min(
        near,
        key=lambda ship: (
            plane.distance(ship.position, point) + (BUSY if ship.kind is Kind.LINE else 0),
            ship.id,
        ),
        default=None,
    )
