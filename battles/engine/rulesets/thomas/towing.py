"""One ship in tow of another: who may, where, the throw, how fast, and how it ends. Rules: T.O3-T.O3g."""

from __future__ import annotations

from battles.engine.core import plane
from battles.engine.core.plane import Point, advance, turned
from battles.engine.rulesets.thomas.contact import Run, carry, run, touches_land, wreck
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Adrift, Battle, Ship
from battles.engine.rulesets.thomas.tables import TOW_FAST_FROM, TOW_GAP, TOW_REACH, Kind


def may_tow(battle: Battle, tower: Ship, tow: Ship) -> bool:
    """Whether a ship may take another in tow at all: twice her own tons, a frigate a ship of the line or a frigate of any size.

    Rules: T.O3, T.O3a, T.O3g, T.N3b, T.O1c.
    """
    if not battle.options["opt_towing"] or tower is tow or tower.flag != tow.flag:
        return False
    for ship in (tower, tow):
        if not ship.afloat or ship.grapples or ship.on_fire or ship.towing or ship.towed_by or ship.anchored:
            return False
        if ship.struck and not ship.secured:
            return False
    if tower.dismasted and not tower.under_oars:
        return False
    if tower.kind is Kind.FRIGATE and tow.kind in (Kind.LINE, Kind.FRIGATE):
        return True
    return tow.tons <= 2 * tower.tons


def in_place(tower: Ship, tow: Ship) -> bool:
    """Whether the tower lies in front: her hull within an inch of the other's bow and forward of her beam. Rule: T.O3c."""
    if plane.frame(tow, tower.position)[0] < 0:
        return False
    bow = advance(tow.position, tow.heading, tow.length // 2)
    return plane.within(plane.nearest_point(tower, bow), bow, TOW_REACH)


def wait(battle: Battle, play: Play, tower: Ship, tow: Ship) -> None:
    """The tower is in place; both drift while the line is passed. Rules: T.O3c, T.O3d."""
    tower.tow_wait = tow.id
    tower.adrift = tow.adrift = Adrift.TOW_WAIT
    play.tell("tow_waits", "T.O3c", tower.id, target=tow.id)


def pass_lines(battle: Battle, play: Play) -> None:
    """Step P2d: tows that must end, or that are let go, then the throws for tows that wait. Rules: T.O3e, T.O3f, T.O3g."""
    for ship in list(battle.afloat()):
        if ship.towing and not _holds(battle, play, ship):
            play.tell("cast_off", "T.O3g", ship.id, target=ship.towing)
            battle.cast_off(ship)
    for tower in list(battle.afloat()):
        tow = battle.ships.get(tower.tow_wait)
        if tow is None:
            continue
        battle.cast_off(tower)
        if not may_tow(battle, tower, tow) or not in_place(tower, tow):
            play.tell("cast_off", "T.O3g", tower.id, target=tow.id)
            continue
        die = play.dice.d6(clause="T.O3e", subjects=(battle.move, tower.id), reason="makes a tow fast")
        made = die >= TOW_FAST_FROM[battle.strength]
        play.tell("tow", "T.O3e", tower.id, target=tow.id, made=made)
        if made:
            tower.towing, tow.towed_by = tow.id, tower.id
        else:
            tower.tow_wait = tow.id
            tower.adrift = tow.adrift = Adrift.TOW_WAIT


def _holds(battle: Battle, play: Play, tower: Ship) -> bool:
    """Whether a tow goes on: both under one flag, no one afire, fast to another or struck, the tower not dismasted, and no one lets go.

    Rule: T.O3g.
    """
    tow = battle.ships[tower.towing]
    if tow.flag != tower.flag:
        return False
    for ship in (tower, tow):
        if not ship.afloat or ship.grapples or ship.on_fire or (ship.struck and not ship.secured):
            return False
    if tower.dismasted and not tower.under_oars:
        return False
    ordered = play.order(tower).cast_off
    if ordered is not None:
        return not ordered
    asked = play.captain(tower)
    return asked is None or not asked.captain.casts_off(asked.view, tower.id)


def follow(battle: Battle, play: Play, tower: Ship, tow: Ship) -> None:
    """The tow is drawn straight to her place astern in line, half a length of each hull and 0.2 inch behind, on the same heading.

    A hull in the way stops her, and the tow parts when the line no longer reaches; a shore in the way wrecks her.
    Rules: T.O3c, T.O3f, T.O3g, T.B4d, T.B4e.
    """
    behind = (tower.length + tow.length) // 2 + TOW_GAP
    place = advance(tower.position, turned(tower.heading, plane.STRAIGHT), behind)
    tow.heading = tower.heading
    done = _drawn(battle, tow, place, tower)
    tow.moved, tow.stopped_short = True, done.met is not None
    stopped = done.met.id if done.met is not None else None
    play.tell("towed", "T.O3f", tow.id, x=tow.x, y=tow.y, h=tow.heading, by=tower.id, stopped=stopped)
    if done.ashore or touches_land(battle, tow):
        wreck(battle, play, tow)
    elif done.met is not None and not in_place(tower, tow):
        play.tell("cast_off", "T.O3g", tower.id, target=tow.id)
        battle.cast_off(tower)


def _drawn(battle: Battle, tow: Ship, place: Point, tower: Ship) -> Run:
    """Draw a tow to her place, as far as hulls and shores allow. Rules: T.B4d, T.B4e."""
    if tow.position == place:
        return Run(0)
    towards, length = plane.bearing(tow.position, place), plane.distance(tow.position, place)
    done = run(battle, tow, towards, length, ignoring=(tower.id,), beam_on=True)
    if done.met is None and not done.ashore:
        battle.shift(tow, place)
    else:
        carry(battle, tow, towards, done.length)
    return done
