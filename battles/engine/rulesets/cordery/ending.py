"""When a battle is over, who has won it, and what follows. Rules: C.V1, C.V2, C.F5, C.K9, C.K24, C.K34."""

from __future__ import annotations

from fractions import Fraction

from battles.engine.core import squares
from battles.engine.rulesets.cordery import flotation
from battles.engine.rulesets.cordery.play import Play
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from battles.engine.rulesets.cordery.tables import MAIN

QUIET_TURNS = 8
# Areas within which an enemy keeps the battle going though all of a side break off: the reach of main guns. Rule: C.V1.
NEAR = len(MAIN)
SAVED_NEAR = 3
_SUNK_WORTH, _BROKEN_OFF_WORTH = 2, 6


def close(battle: Battle, play: Play) -> None:
    """Whether the battle is over, tested at the end of each turn. Rule: C.V1."""
    battle.quiet = 0 if play.fired else battle.quiet + 1
    due = {ship.side for ship in battle.ships.values() if ship.expected}
    gone = [side for side in battle.sides if side not in due and not any(battle.in_play(side))]
    if gone:
        battle.ended = "parted" if any(_left_last(battle, side) for side in gone) else "beaten"
    elif not due and (battle.quiet >= QUIET_TURNS or any(_away(battle, side) for side in battle.sides)):
        battle.ended = "parted"
    elif battle.turn >= battle.last_turn:
        battle.ended = "nightfall" if battle.own_limit else "limit"


def _left_last(battle: Battle, side: str) -> bool:
    """Whether a side that has no ship in play has got some away over an edge. Rule: C.V1."""
    return any(
        ship.side == side and ship.status in (Status.LEFT, Status.BROKE_OFF) for ship in battle.ships.values()
    )


def _away(battle: Battle, side: str) -> bool:
    """Whether every ship of a side is breaking off with no enemy near any of them. Rule: C.V1."""
    own, foes = list(battle.in_play(side)), list(battle.enemies(side))
    return all(ship.breaking_off for ship in own) and all(
        squares.distance(ship.pos, foe.pos) > NEAR for ship in own for foe in foes
    )


def score(battle: Battle, side: str) -> int:
    """Points of a side: what the enemy has lost, and more for ships sunk and broken off. Rules: C.V2, C.N12, C.K35."""
    return sum(_worth(ship) for ship in battle.ships.values() if ship.side != side)


def _worth(ship: Ship) -> int:
    lost = ship.fp_before - ship.fp
    if ship.status.lost:
        return lost - (-ship.fp_max // _SUNK_WORTH)
    if ship.breaking_off and not ship.came_critical:
        return lost - (-ship.fp_max // _BROKEN_OFF_WORTH)
    return lost


def after_battle(battle: Battle, play: Play) -> None:
    """Fires burn to their end, men of lost ships are saved, officers learn their fate, marks of the battle are wiped.

    Rules: C.F5, C.K9, C.K24, C.V2.
    """
    for ship in battle.ships.values():
        turn = battle.turn
        while ship.burning:
            turn += 1
            flotation.throw_fire(battle, play, ship, turn, "C.F5")
    for ship in battle.ships.values():
        if ship.status.lost:
            _save(battle, play, ship)
    battle.scores = {side: score(battle, side) for side in battle.sides}
    best = max(battle.scores.values())
    ahead = [side for side, points in battle.scores.items() if points == best]
    battle.winner = ahead[0] if len(ahead) == 1 else ""
    for code, squadron in battle.squadrons.items():
        if battle.ships[squadron.flagship].status is Status.EXPLODED:
            battle.luck[code] = (squadron.flagship, "killed", "C.K34")
            play.tell("officer", "C.K34", squadron.flagship, officer=squadron.officer, fate="killed")
    for ship in battle.ships.values():
        ship.no_fire = ship.lock_bridge = ship.lock_rudder = 0
    play.tell("ended", "C.V1", why=battle.ended, scores=dict(battle.scores), winner=battle.winner)


def _save(battle: Battle, play: Play, ship: Ship) -> None:
    """Men of a lost ship who are saved: one in a hundred of an explosion; else a die of tenths, half of it without a friend near.

    Rule: C.K9.
    """
    if ship.status is Status.EXPLODED:
        share = Fraction(1, 100)
    else:
        die = play.dice.d6(clause="C.K9", subjects=(battle.turn, ship.id), reason="men saved")
        near = any(squares.distance(ship.pos, one.pos) <= SAVED_NEAR for one in battle.in_play(ship.side))
        share = Fraction(die, 10 if near else 20)
    play.tell("saved", "C.K9", ship.id, men=int(ship.complement * share + Fraction(1, 2)), of=ship.complement)
