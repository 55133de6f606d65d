"""Galleys and galleasses with no one left aboard but those at the oars: they row for the nearest shore. Rule: T.O4j."""

from __future__ import annotations

from battles.engine.core import plane, shore
from battles.engine.core.plane import Box, Point, advance
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle, Ship, Status
from battles.engine.rulesets.thomas.tables import SLAVES_ROW


def abandoned(battle: Battle, ship: Ship) -> bool:
    """Whether no one of either side commands a vessel that slaves can row still. Rules: T.O4j, T.O4h."""
    return (
        bool(battle.options["opt_oars"])
        and ship.kind in SLAVES_ROW
        and ship.has_oars
        and not ship.crew
        and not ship.prize_crew
        and not ship.three_quarters_damaged
        and not ship.grapples
        and bool(battle.land)
    )


def row_ashore(battle: Battle, play: Play, ship: Ship) -> bool:
    """Row an abandoned vessel at full oar speed, halved for damage, by the shortest line to land; True when she is one.

    Whatever the wind; on the beach she is lost to her side. Rule: T.O4j.
    """
    if not abandoned(battle, ship):
        return False
    ship.moved = True
    reach = ship.oar_speed // 2 if ship.half_damaged else ship.oar_speed
    goal = min(
        (_nearest(ship.position, a, b) for land in battle.land for a, b in shore.edges(land)),
        key=lambda point: (plane.distance(ship.position, point), point),
    )
    start = [ship.x, ship.y, ship.heading]
    if goal != ship.position:
        ship.heading = plane.bearing(ship.position, goal)
    hull = Box(ship.x, ship.y, ship.heading, ship.length, ship.beam)
    stops = [
        at for land in battle.land if (at := shore.first_ashore(hull, ship.heading, reach, land)) is not None
    ]
    battle.shift(ship, advance(ship.position, ship.heading, min(stops, default=reach)))
    play.tell(
        "moved", "T.O4j", ship.id, path=[start, [ship.x, ship.y, ship.heading]], stopped=None, oars=True, boats=False
    )  # fmt: skip
    if stops:
        play.tell("beached", "T.O4j", ship.id, x=ship.x, y=ship.y)
        battle.remove(ship, Status.BEACHED, "rowed ashore by her slaves")
    return True


def _nearest(point: Point, a: Point, b: Point) -> Point:
    """The point of a stretch of shore nearest to another, rounded."""
    (x, y), (ax, ay), (bx, by) = point, a, b
    dx, dy = bx - ax, by - ay
    whole = dx * dx + dy * dy
    if not whole:
        return a
    along = max(0, min(whole, (x - ax) * dx + (y - ay) * dy))
    return ax + plane.nearest(along * dx, whole), ay + plane.nearest(along * dy, whole)
