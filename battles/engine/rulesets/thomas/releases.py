"""Throws and changes at the start of a move: irons, getting under way, cables, oars and sails, boats hoisted in.

Rules: T.B7b, T.B6d, T.B6e, T.S22, T.O1b, T.O4e, T.O4f, T.O4g.
"""

from __future__ import annotations

from battles.engine.core.plane import turned
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.sailing import can_use_oars, wind_limit
from battles.engine.rulesets.thomas.state import Adrift, Battle, Rig, Ship
from battles.engine.rulesets.thomas.tables import IRONS_TURN_FROM, UNDER_WAY_FROM, WindForce

# Causes that end by a throw of their own; the others carry their own release (T.B6f).
_THROWN_FOR = frozenset({Adrift.HOVE_TO, Adrift.COLLISION, Adrift.RESCUING, Adrift.CABLE_CUT})


def irons(battle: Battle, play: Play) -> None:
    """Step P2b: a ship in irons since an earlier move may make one turn on 5-6; a legal heading frees her after this move.

    Rule: T.B7b.
    """
    for ship in battle.afloat():
        if not ship.in_irons or ship.irons_since >= battle.move or _held(ship):
            continue
        die = play.dice.d6(clause="T.B7b", subjects=(battle.move, ship.id), reason="a turn out of irons")
        made = die >= IRONS_TURN_FROM
        if made:
            by = max(-ship.turn, min(ship.turn, _irons_turn(battle, play, ship)))
            ship.heading = turned(ship.heading, by)
        play.tell("irons_turn", "T.B7b", ship.id, made=made, h=ship.heading)
        if battle.off_wind(ship.heading) >= wind_limit(battle, ship):
            ship.in_irons, ship.drifts_now = False, True
            play.tell("out_of_irons", "T.B7b", ship.id)


def _held(ship: Ship) -> bool:
    """Whether she makes no turn of any kind. Rule: T.B4c."""
    return bool(ship.grapples) or ship.struck or ship.dismasted or ship.silent or ship.anchored


def _irons_turn(battle: Battle, play: Play, ship: Ship) -> int:
    """The turn that is ordered, that the captain wishes, or the shorter way off the wind."""
    ordered = play.order(ship).irons_turn
    if ordered is not None:
        return ordered
    asked = play.captain(ship)
    if asked is not None:
        return asked.captain.irons_turn(asked.view, ship.id)
    return -ship.turn if battle.on_starboard_tack(ship.heading) else ship.turn


def under_way(battle: Battle, play: Play) -> None:
    """Step P2c: ships hove to, struck by a drifter, saving men or with a cut cable throw to sail again: 4-6.

    Who announced it in the move before drifts the whole of this one first. A cable cut is thrown for at once.
    Rules: T.B6d, T.B6e, T.S22, T.O5h.
    """
    for ship in battle.afloat():
        if ship.heave_to_next or ship.rescue_next:
            ship.adrift = Adrift.RESCUING if ship.rescue_next else Adrift.HOVE_TO
            ship.heave_to_next = ship.rescue_next = False
            play.tell("adrift", "T.B6d", ship.id, why=ship.adrift.value)
            continue
        if ship.cutting_cable:
            ship.anchored = ship.cutting_cable = False
            ship.adrift = Adrift.CABLE_CUT
            play.tell("anchored", "T.S22", ship.id, cut=True, torn=False)
        if ship.adrift in _THROWN_FOR and not ship.struck and _tries(play, ship):
            die = play.dice.d6(clause="T.B6e", subjects=(battle.move, ship.id), reason="gets under way")
            if die >= UNDER_WAY_FROM:
                ship.adrift = Adrift.NONE
            play.tell("under_way", "T.B6e", ship.id, made=die >= UNDER_WAY_FROM)


def _tries(play: Play, ship: Ship) -> bool:
    """A captain may decline to throw. Rule: T.B6e."""
    ordered = play.order(ship).under_way
    if ordered is not None:
        return ordered
    asked = play.captain(ship)
    return asked is None or asked.captain.under_way(asked.view, ship.id)


def rigs(battle: Battle, play: Play) -> None:
    """Step P2e: sails and oars that are ready now, oars the wind forbids, orders to row, boats in a rising wind.

    Rules: T.O1b, T.O4e, T.O4f, T.O4g.
    """
    for ship in battle.afloat():
        was = ship.rig
        _ready(ship)
        if ship.rig is Rig.OARS and not can_use_oars(battle, ship):
            ship.rig, ship.drifts_now = Rig.SAIL, True
        elif ship.rig is Rig.SAIL and _to_oars(battle, play, ship):
            ship.rig = Rig.TO_OARS
        if ship.rig is not was:
            play.tell("rig", "T.O4e", ship.id, mode=ship.rig.value)
        if ship.boats_out and battle.strength >= WindForce.MEDIUM:
            ship.boats_out, ship.drifts_now = False, True
            play.tell("boats", "T.O1b", ship.id, out=False)


def _ready(ship: Ship) -> None:
    """Conversions that the move before was spent on. Rules: T.O4e, T.O4f."""
    if ship.rig is Rig.TO_OARS:
        ship.rig = Rig.OARS
    elif ship.rig is Rig.TO_SAIL:
        ship.rig = Rig.SAIL


def _to_oars(battle: Battle, play: Play, ship: Ship) -> bool:
    """Whether she takes this move to get her oars out. Rules: T.O4e, T.O4i."""
    if not can_use_oars(battle, ship) or ship.grapples or ship.struck or ship.silent or ship.anchored:
        return False
    if ship.towed_by or ship.towing:
        return False
    ordered = play.order(ship).to_oars
    if ordered is not None:
        return ordered
    asked = play.captain(ship)
    return asked is not None and asked.captain.to_oars(asked.view, ship.id)
