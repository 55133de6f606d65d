"""Ships that share a hex: who lies on which side of whom, who is in whose way, and the one way to shift ships between hexes.

Rules: K.B12 (placement), K.M27 (stacked ships).
"""

from __future__ import annotations

from collections.abc import Iterable

from battles.engine.core.hexes import Hex
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.state import Battle, Ship, Status

PORT = "port"
STARBOARD = "starboard"


def shift(battle: Battle, cell: Hex, *ships: Ship) -> None:
    """Move ships that share a hex to another one together, and forget how they lay to those they leave. Rule: K.B12."""
    old = ships[0].pos
    for ship in ships:
        battle.move(ship, cell)
    left = battle.at.get(old)
    if left is not None:
        for ship in ships:
            forget(ship, left)
        settle(battle, old)
    settle(battle, cell)


def forget(ship: Ship, others: Iterable[Ship]) -> None:
    """Drop the placement of a ship and others, at both ends: one has left, or is taken. Rule: K.B12."""
    for other in others:
        ship.placement.pop(other.id, None)
        other.placement.pop(ship.id, None)


def settle(battle: Battle, cell: Hex) -> None:
    """Flag the ships of a hex that share it with a friend or a wreck, and only those. Rules: K.M27, K.B22."""
    group = battle.at.get(cell)
    if group is None:
        return
    if len(group) == 1:
        group[0].stacked = False
        return
    for ship in group:
        ship.stacked = any(other is not ship and in_the_way(battle, ship, other) for other in group)


def in_the_way(battle: Battle, ship: Ship, other: Ship) -> bool:
    """Whether two ships may not share a hex by choice: friends, or a wreck and anybody. Rules: K.M22, K.M23, K.X15."""
    if ship.status is Status.SINKING or other.status is Status.SINKING:
        return not ship.fired and not other.fired
    return battle.friends(ship, other)


def meet_as(attacker: Ship, defender: Ship) -> None:
    """Remember who attacked whom, or who came upon whom, for the die of K.B12; a side once thrown stays."""
    if attacker.placement.get(defender.id) or defender.placement.get(attacker.id):
        return
    defender.placement.pop(attacker.id, None)
    attacker.placement[defender.id] = ""


def side_of(attacker: Ship, defender: Ship) -> str:
    """On which side of the defender the attacker lies: "port" or "starboard", "" while no die is thrown. Rule: K.B12."""
    return attacker.placement.get(defender.id, "")


def throw_side(battle: Battle, play: Play, attacker: Ship, defender: Ship) -> str:
    """On which side of the defender the attacker lies, thrown for if not yet known: DAve, odd port, even starboard.

    Rule: K.B12.
    """
    side = side_of(attacker, defender)
    if side:
        return side
    die = play.dice.average(
        clause="K.B12", subjects=(battle.turn, attacker.id, defender.id), reason="side on which they lie"
    )
    side = PORT if die % 2 else STARBOARD
    defender.placement.pop(attacker.id, None)
    attacker.placement[defender.id] = side
    if play.log is not None:
        play.log.add("placing", "K.B12", attacker.id, target=defender.id, side=side)
    return side


def place_enemies(battle: Battle, play: Play, cell: Hex) -> None:
    """Throw the sides of enemies that share a hex, have both acted and are not grappled. Rule: K.B12."""
    group = battle.at.get(cell, ())
    if len(group) < 2:
        return
    ready = [ship for ship in group if ship.acted and ship.afloat and not ship.fired]
    for number, ship in enumerate(ready):
        for other in ready[number + 1 :]:
            if ship.flag == other.flag or any(lock.other(ship.id) == other.id for lock in ship.locks):
                continue
            attacker, defender = (other, ship) if ship.id in other.placement else (ship, other)
            throw_side(battle, play, attacker, defender)
