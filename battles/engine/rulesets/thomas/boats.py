"""Ships towed by their own boats in calms and light airs. Rules: T.O1-T.O1c."""

from __future__ import annotations

from battles.engine.core.plane import turned
from battles.engine.rulesets.thomas.contact import carry, run, touches_land, wreck
from battles.engine.rulesets.thomas.play import Course, Play
from battles.engine.rulesets.thomas.state import Battle, Ship
from battles.engine.rulesets.thomas.tables import BOATS_PULL, BOATS_TURN


def pull(battle: Battle, play: Play, ship: Ship, course: Course) -> None:
    """One turn of up to 45 degrees, none if dismasted, then up to an inch straight ahead, at any angle to the wind.

    Rules: T.O1, T.O1a, T.B4b, T.B4d.
    """
    if not ship.boats_out:
        ship.boats_out = True
        play.tell("boats", "T.O1", ship.id, out=True)
    path = [[ship.x, ship.y, ship.heading]]
    most = 0 if ship.dismasted else BOATS_TURN
    ship.heading = turned(ship.heading, max(-most, min(most, course.turn1)))
    path.append([ship.x, ship.y, ship.heading])
    done = run(battle, ship, ship.heading, max(0, min(BOATS_PULL, course.distance)))
    carry(battle, ship, ship.heading, done.length)
    ship.stopped_short = done.met is not None
    path.append([ship.x, ship.y, ship.heading])
    play.tell(
        "moved", "T.O1", ship.id, path=path, stopped=done.met.id if done.met is not None else None, oars=False, boats=True
    )  # fmt: skip
    if done.ashore or touches_land(battle, ship):
        wreck(battle, play, ship)


def hoist_in(battle: Battle, play: Play, ship: Ship) -> None:
    """A move spent lying still to recover the boats. Rule: T.O1b."""
    ship.boats_out = False
    play.tell("boats", "T.O1b", ship.id, out=False)
