"""Volleys and what they do: gunfire, torpedoes and their major hits. Rules: C.G10-C.G14, C.H1-C.H9, C.T1-C.T10, C.F1."""

from __future__ import annotations

from collections.abc import Callable

from battles.engine.core import squares
from battles.engine.core.dice import Die
from battles.engine.rulesets.cordery import firing
from battles.engine.rulesets.cordery.play import Play
from battles.engine.rulesets.cordery.state import Battle, Ship, Status
from battles.engine.rulesets.cordery.tables import (
    BATTERIES,
    GUN_MAJOR,
    LOWER_HALF,
    MAJOR,
    MINOR,
    TORPEDO_MAJOR,
    TURRETS,
)

_NAMES = {"main": "main guns", "port": "secondary guns", "stbd": "secondary guns", "torpedo": "torpedo"}
# Weapons as the keys of dice name them.
_KEYS = {"stbd": "starboard"}


def main(battle: Battle, play: Play) -> None:
    """Main armament of both sides. Rules: C.S3, C.G7."""
    _fire(battle, play, ("main",))


def secondary(battle: Battle, play: Play) -> None:
    """Secondary armament of both sides, port before starboard. Rules: C.S4, C.G8, C.P8."""
    _fire(battle, play, ("port", "stbd"))


def torpedoes(battle: Battle, play: Play) -> None:
    """Torpedoes of both sides. Rules: C.S5, C.T1, C.T8."""
    _fire(battle, play, ("torpedo",))


def _fire(battle: Battle, play: Play, weapons: tuple[str, ...]) -> None:
    if battle.options["declare"] == "step":
        firing.declare(battle, play, weapons)
    for shot in firing.shots(battle, play, weapons):
        _volley(battle, play, *shot)


def _volley(battle: Battle, play: Play, ship: Ship, weapon: str, target: Ship, dice: int, reach: int) -> None:
    """All dice of a weapon at one target; a target that is doomed already suffers no more. Rules: C.G11, C.G14, C.T5, C.T8, C.T10."""
    play.fired = True
    torpedo = weapon == "torpedo"
    clause = "C.T5" if torpedo else "C.G11"
    ship.torpedoes -= torpedo
    faces = play.dice.throw(
        Die.D6,
        dice,
        clause=clause,
        subjects=(battle.turn, ship.id, _KEYS.get(weapon, weapon)),
        reason=f"{_NAMES[weapon]} at {target.id}",
    )
    hits = sum(face >= MINOR for face in faces)
    if torpedo:
        play.tell("torpedo", clause, ship.id, target=target.id, range=reach, dice=dice, hits=hits)
    else:
        play.tell("fire", clause, ship.id, target=target.id, weapon=weapon, range=reach, dice=dice, hits=hits)
    if target.fp <= 0:
        return
    status = Status.SUNK_TORPEDO if torpedo else Status.SUNK_GUNFIRE
    lose(target, hits, ship, status)
    for n in range(faces.count(MAJOR)):
        _major(battle, play, ship, weapon, target, n, status)


def lose(ship: Ship, points: int, by: Ship, status: Status) -> None:
    """Take flotation points off, none below 0, and remember what brought her there. Rules: C.D1, C.D6, C.K2, C.K34."""
    lost = min(points, ship.fp)
    ship.fp -= lost
    ship.taken += lost
    if by.side != ship.side:
        by.given += lost
    if lost and not ship.fp:
        ship.cause = status.value


def _major(battle: Battle, play: Play, ship: Ship, weapon: str, target: Ship, n: int, status: Status) -> None:
    """The major-hit die of one 6, read on the table of the weapon alone. Rules: C.H1, C.H8, C.T5, C.D8."""
    torpedo = weapon == "torpedo"
    clause, table = ("C.T5", TORPEDO_MAJOR) if torpedo else ("C.H1", GUN_MAJOR)
    own = (battle.turn, ship.id, _KEYS.get(weapon, weapon))
    subjects = (*own, "major", n)
    result = table[play.dice.d6(clause=clause, subjects=subjects, reason=f"major hit on {target.id}")]

    def sub(clause: str, reason: str) -> int:
        return play.dice.d6(clause=clause, subjects=(*own, result, n), reason=reason)

    what = result
    match result:
        case "bridge":
            play.bridges.add(target.id)
        case "turret":
            what = _turret(target, sub)
        case "engines" | "flooded":
            what = "engines_again" if target.engines_hit else result
            target.engines_hit = True
        case "battery":
            what = _battery(target, ship, sub)
        case "fire":
            if target.burning:
                what = "burning"
            target.burning = True
        case "rudder":
            turns = sub("C.T6", f"turns without a rudder of {target.id}")
            target.lock_rudder = max(target.lock_rudder, turns)
        case "further" | "one":
            lose(target, 1, ship, status)
        case "two":
            lose(target, 2, ship, status)
    play.tell("major", _CLAUSES[result], target.id, by=ship.id, result=what)


_CLAUSES = {
    "bridge": "C.H2", "turret": "C.H3", "engines": "C.H4", "battery": "C.H5", "fire": "C.H6", "further": "C.H7",
    "rudder": "C.T6", "flooded": "C.T7", "two": "C.T5", "one": "C.T5",
}  # fmt: skip

Sub = Callable[[str, str], int]


def _turret(target: Ship, sub: Sub) -> str:
    """Destroy a main turret: by a die when both stand, else the one that does. Rules: C.H3, C.H9."""
    standing = [name for name in TURRETS if getattr(target, name)]
    if not standing:
        return "no_turret"
    lost = standing[0]
    if len(standing) > 1 and sub("C.H3", "turret that is hit") > LOWER_HALF:
        lost = standing[1]
    setattr(target, lost, False)
    return lost


def _battery(target: Ship, ship: Ship, sub: Sub) -> str:
    """Destroy the secondary battery nearest to the firing ship; dead ahead or astern by a die when both stand. Rule: C.H5."""
    standing = [name for name in BATTERIES if getattr(target, name)]
    _, right = squares.frame(target.pos, target.h, ship.pos)
    near = BATTERIES[right > 0] if right else (standing or BATTERIES)[0]
    if not right and len(standing) > 1 and sub("C.H5", "battery that is hit") > LOWER_HALF:
        near = standing[1]
    if near not in standing:
        return "no_battery"
    setattr(target, near, False)
    return near
