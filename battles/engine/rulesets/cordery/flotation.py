"""Fires aboard, and what is settled after the firing: silence, critical points, sinking. Rules: C.F1-C.F5, C.S1, C.S6, C.D1-C.D7."""

from __future__ import annotations

from battles.engine.rulesets.cordery.play import Play
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from battles.engine.rulesets.cordery.tables import BRIDGE_TURNS, EXPLODES, OUT


def throw_fires(battle: Battle, play: Play) -> None:
    """A throw for every ship that burns at the beginning of a turn. Rules: C.S1, C.F2, C.F4."""
    for ship in list(battle.in_play()):
        if ship.burning:
            throw_fire(battle, play, ship, battle.turn, "C.F2")


def throw_fire(battle: Battle, play: Play, ship: Ship, turn: int, clause: str) -> None:
    """One throw: the fire is out, burns on, or reaches a magazine. turn: notional after the battle. Rules: C.F2, C.F3, C.F5, C.D7."""
    die = play.dice.d6(clause=clause, subjects=(turn, ship.id), reason=f"fire aboard {ship.id}")
    if die >= OUT:
        ship.burning = False
        play.tell("fire_out", clause, ship.id)
    elif die <= EXPLODES:
        ship.taken += ship.fp
        ship.fp, ship.burning, ship.cause = 0, False, Status.EXPLODED.value
        battle.remove(ship, Status.EXPLODED)
        play.tell("damage", "C.F3", ship.id, left=0, steps=ship.steps)
        play.tell("exploded", "C.F3", ship.id)
    else:
        play.tell("burns", clause, ship.id)


def settle(battle: Battle, play: Play) -> None:
    """The firing takes effect: first one phase of silence is over, then bridge hits, critical points and sinking.

    Rules: C.S6, C.H2, C.D2, C.D6.
    """
    for code in play.silent:
        battle.ships[code].no_fire -= 1
    for ship in list(battle.in_play()):
        if ship.id in play.bridges:
            ship.no_fire = ship.lock_bridge = BRIDGE_TURNS
        if ship.fp < play.fp_at_start.get(ship.id, ship.fp):
            play.tell("damage", "C.S6", ship.id, left=ship.fp, steps=ship.steps)
        check(battle, play, ship, "C.D6")


def check(battle: Battle, play: Play, ship: Ship, clause: str) -> None:
    """Sink a ship without flotation points; one at her critical point breaks off. Rules: C.D2, C.D6, C.R8."""
    if ship.fp <= 0:
        status = Status(ship.cause)
        battle.remove(ship, status)
        ship.burning = False
        play.tell("sunk", clause, ship.id, by=status.value)
    elif battle.critical(ship) and not ship.breaking_off:
        ship.breaking_off = True
        play.tell("breaks_off", "C.D2", ship.id)
