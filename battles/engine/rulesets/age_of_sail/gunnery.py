"""Volleys: who may fire at whom, the dice, what they do. Rules: A.F1-A.F13, A.D10, A.X1."""

from __future__ import annotations

from math import isqrt

from battles.engine.core.dice import Die
from battles.engine.rulesets.age_of_sail import bearing, burning
from battles.engine.rulesets.age_of_sail.damage import Boxes, hull_hits, masts_down
from battles.engine.rulesets.age_of_sail.play import Play, Shot
from battles.engine.rulesets.age_of_sail.state import Battle, Ship
from battles.engine.rulesets.age_of_sail.tables import HITS_ON, PORT, SIXES


def may_fire(battle: Battle, ship: Ship, side: str, target: Ship) -> bool:
    """Whether a volley from a side may be fired at a ship now, in a tangle too. Rules: A.F2, A.F8, A.F10, A.F11, A.B8."""
    dx, dy = target.x - ship.x, target.y - ship.y
    return (
        target.afloat
        and target.owner != ship.owner
        and ship.volley(side) > 0
        and bearing.band(dx, dy) >= 0
        and bearing.bears(ship.h, dx, dy) == side
        and not bearing.blocked(battle, ship, target)
    )


def fire(battle: Battle, play: Play, ship: Ship, shot: Shot) -> bool:
    """A volley as declared; whether it could be fired. Rules: A.F7, A.F9, A.D10."""
    target = battle.ships.get(shot.target)
    if target is None or not may_fire(battle, ship, shot.side, target):
        return False
    dx, dy = target.x - ship.x, target.y - ship.y
    reach = bearing.band(dx, dy)
    where = bearing.aspect(target.h, -dx, -dy, narrow=battle.options["stern_arc"] == "astern")
    count = ship.volley(shot.side)
    if ship.manned is not None:
        ship.crew_fired += count
    if shot.side == PORT:
        ship.fired_port = True
    else:
        ship.fired_stbd = True
    battle.stirred = True
    faces = play.dice.throw(
        Die.D6, count, clause="A.F9", subjects=(battle.turn, ship.id, shot.side), reason=f"at the {shot.aim}"
    )
    least = HITS_ON[shot.aim][reach]
    hits = sum(face >= least for face in faces)
    lost = _sails(target, hits, where) if shot.aim == "sails" else _hull(target, hits, where)
    ship.hits_given += lost
    target.hits_taken += lost
    play.tell(
        "volley", "A.F7", ship.id, target=target.id, side=shot.side, aim=shot.aim, range=isqrt(dx * dx + dy * dy), where=where,
        hits=hits, dice=count, raked=where.startswith("stern"), fresh=lost,
    )  # fmt: skip
    if lost:
        play.tell(
            "damage", "A.D2" if shot.aim == "hull" else "A.D6", target.id, port=target.port, stbd=target.stbd,
            units=target.units, rig=[*target.rig], steps=target.start_boxes - boxes_left(target),
        )  # fmt: skip
        if shot.aim == "sails" and not target.power:
            play.tell("dismasted", "A.M16", target.id)
    if faces.count(6) >= SIXES:
        burning.light(battle, play, target, "A.X1")
    return True


def boxes_left(ship: Ship) -> int:
    """Decks, hull units and standing masts."""
    return ship.port + ship.stbd + ship.units + ship.standing


def _hull(target: Ship, hits: int, where: str) -> int:
    before = Boxes(target.port, target.stbd, target.units)
    after = hull_hits(before, hits, where)
    target.port, target.stbd, target.units = after
    return sum(before) - sum(after)


def _sails(target: Ship, hits: int, where: str) -> int:
    """Masts fall; a jury mast that falls is a jury mast again if it is raised. Rules: A.D6, A.D7, A.G36."""
    fallen = masts_down(target, hits, where)
    for mast in fallen:
        target.rig[mast] = -target.rig[mast]
    return len(fallen)
