"""Ramming: kind, dice and losses of both ships. Rules: C.R1-C.R12."""

from __future__ import annotations

from battles.engine.core.dice import Die
from battles.engine.rulesets.cordery import flotation, gunnery
from battles.engine.rulesets.cordery.play import Play
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from battles.engine.rulesets.cordery.tables import HEAD_ON, MAJOR, MINOR, RAMMING


def head_on(ship: int, target: int) -> bool:
    """Whether a ship on one heading that strikes another does so from ahead or astern. Rule: C.R3."""
    return (ship - target) % 8 in HEAD_ON


def dice(ship: Ship, target: Ship, heading: int) -> tuple[int, int]:
    """Dice of the rammed and of the ramming ship, the latter on this heading. Rules: C.R4, C.R5, C.R6."""
    return RAMMING[head_on(heading, target.h), ship.ram]


def points(faces: tuple[int, ...]) -> int:
    """Flotation points that a ship's dice cost it. Rule: C.R7."""
    return sum(2 if face >= MAJOR else face >= MINOR for face in faces)


def ram(battle: Battle, play: Play, ship: Ship, target: Ship) -> None:
    """One ship has run into another; both stay where they are and suffer at once. Rules: C.R1, C.R2, C.R8, C.R9, C.R10."""
    play.fired = True
    struck, own = dice(ship, target, ship.h)
    lost = [
        points(
            play.dice.throw(
                Die.D6, count, clause="C.R7", subjects=(battle.turn, ship.id, target.id, who), reason=reason
            )
        )
        for count, who, reason in (
            (struck, "rammed", f"{target.id} rammed"),
            (own, "ramming", f"{ship.id} ramming"),
        )
    ]
    play.tell(
        "rammed", "C.R1", ship.id, target=target.id, head_on=head_on(ship.h, target.h), ram=ship.ram, other=lost[0],
        own=lost[1],
    )  # fmt: skip
    for one, by, points_lost in ((target, ship, lost[0]), (ship, target, lost[1])):
        if points_lost:
            gunnery.lose(one, points_lost, by, Status.SUNK_RAMMING)
            play.tell("damage", "C.R7", one.id, left=one.fp, steps=one.steps)
    for one in (target, ship):
        flotation.check(battle, play, one, "C.R8")
