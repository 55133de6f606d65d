"""Ships on fire: how they are lit, the two throws, and the explosion. Rules: A.X1-A.X11."""

from __future__ import annotations

from battles.engine.rulesets.age_of_sail import bearing, leaving
from battles.engine.rulesets.age_of_sail.play import Play
from battles.engine.rulesets.age_of_sail.state import Battle, Ship, Status
from battles.engine.rulesets.age_of_sail.tables import (
    FIRST_FIRE_OUT,
    HITS_ON,
    RANGE,
    SECOND_FIRE_OUT,
    SLACK,
)


def light(battle: Battle, play: Play, ship: Ship, clause: str) -> None:
    """A ship catches fire; one that burns already burns as before. Rules: A.X2, A.X7, A.X8."""
    if not ship.fire_stage:
        ship.fire_stage, ship.fire_round = 1, battle.turn
        play.tell("alight", clause, ship.id)


def fires(battle: Battle, play: Play) -> None:
    """The throws of the active player's burning ships. Rules: A.S4, A.X3-A.X5, A.X10."""
    for ship in [one for one in battle.in_play() if one.owner == battle.active]:
        if ship.fire_stage and max(ship.fire_round, ship.fire_thrown) < battle.turn and ship.afloat:
            throw(battle, play, ship, battle.turn)


def throw(battle: Battle, play: Play, ship: Ship, when: int, *, alone: bool = False) -> None:
    """One throw against a fire. alone: nobody is near any longer. Rules: A.X3, A.X4, A.X11."""
    ship.fire_thrown = battle.turn
    first = ship.fire_stage == 1
    clause = "A.X3" if first else "A.X4"
    face = play.dice.d6(clause=clause, subjects=(when, ship.id), reason="the fire")
    if face >= (FIRST_FIRE_OUT if first else SECOND_FIRE_OUT):
        ship.fire_stage = 0
        play.tell("fire_out", clause, ship.id)
    elif first:
        ship.fire_stage = 2
        play.tell("burns", clause, ship.id)
    else:
        explode(battle, play, ship, alone=alone)


def explode(battle: Battle, play: Play, ship: Ship, *, alone: bool = False) -> None:
    """She blows up, and whoever is near may catch fire, the nearest first. Rules: A.X6, A.P8."""
    at = ship.position
    leaving.leave(battle, play, ship, Status.EXPLODED, "A.X4")
    if alone:
        return
    near = battle.near(at, RANGE + SLACK)
    near.sort(key=lambda one: ((one.x - at[0]) ** 2 + (one.y - at[1]) ** 2, one.number))
    for other in near:
        if not other.fire_stage:
            band = bearing.band(other.x - at[0], other.y - at[1])
            face = play.dice.d6(
                clause="A.X6", subjects=(battle.turn, ship.id, other.id), reason="the explosion"
            )
            if face >= HITS_ON["hull"][band]:
                light(battle, play, other, "A.X6")
