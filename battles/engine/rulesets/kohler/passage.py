"""What a ship may do under sail: allowances, and the legality of each movement token.

A Passage is one activation as far as it has come. It reads the battle and changes nothing but itself, so that the same code
judges a player's order beforehand, lets a captain look ahead, and moves the ship. Rules: K.M3-K.M23, K.M31, K.M33, K.A2.4,
K.A2.5, K.B24.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from battles.engine.core.hexes import STEPS, Hex
from battles.engine.rulesets.kohler.shore import at_anchor, barred
from battles.engine.rulesets.kohler.state import Battle, Helm, Ship, Status, WindForce

# Hexes by attitude rel 0..5 (in irons, close hauled, reach, run, reach, close hauled). Rule: K.M3.
_BASE = (0, 1, 3, 2, 3, 1)
_CRIPPLED = (0, 0, 1, 1, 1, 0)
_NONE = (0, 0, 0, 0, 0, 0)


def _row(strength: WindForce, level: int, fast: bool) -> tuple[int, ...]:
    """One row of T2 by attitude. Rule: K.M4."""
    if strength in (WindForce.STILL, WindForce.GALE) or level >= 3:
        return _NONE
    if level == 2:
        return _CRIPPLED
    wind = {WindForce.LIGHT: -1, WindForce.NORMAL: 0, WindForce.STRONG: 1}[strength]
    free = tuple(max(1, base + fast + wind - level) for base in _BASE)
    return (0, 1, free[2], free[3], free[4], 1)


# By strength, damage level, whether fast, attitude. Table T2.
ALLOWANCES = tuple(
    tuple((_row(strength, level, False), _row(strength, level, True)) for level in range(4))
    for strength in WindForce
)


def allowance(battle: Battle, ship: Ship, facing: int) -> int:
    """Hexes a ship may enter in a turn on a facing, as she is now and in this wind. Rules: K.M3, K.M4, K.M18, K.M19, T2."""
    return ALLOWANCES[battle.strength][ship.move_level][ship.is_fast][(facing - battle.wind - 3) % 6]


class Motion(Enum):
    """What kind of activation it is."""

    SAIL = "sail"
    HELD = "held"  # in irons, or crippled and close hauled: K.M15, K.M19
    ADRIFT = "adrift"  # disabled: K.M20
    OARS = "oars"  # still air: K.A2.4
    AGROUND = "aground"  # K.G13
    ANCHORED = "anchored"  # switch at_anchor


# Why a token is refused: the clause, and a sentence for the player.
REFUSALS: dict[str, tuple[str, str]] = {
    "unknown": ("K.M31", "not a known order"),
    "ended": ("K.M31", "its movement will have ended by then"),
    "halted": ("K.B7", "its movement was ended by what it met"),
    "irons": ("K.M15", "it cannot move ahead: it is heading too near the wind"),
    "disabled": ("K.M20", "it is disabled and cannot make sail"),
    "allowance": ("K.M6", "it cannot go that far on this course"),
    "occupied": ("K.M22", "a friendly ship lies in the hex ahead"),
    "wreck": ("K.M23", "a wreck lies in the hex ahead"),
    "land": ("K.M32", "there is land ahead"),
    "shoal": ("K.G13", "the shoal ahead is too shallow for it"),
    "helm": ("K.M21", "its helm is hit"),
    "unhandy": ("K.M17", "it is unhandy and has already changed course once"),
    "not-underway": ("K.M8", "it must go one hex ahead before it can change course"),
    "turned": ("K.M8", "it has already changed course in this hex"),
    "no-tack": ("K.M9", "it can tack only through the wind, from close hauled"),
    "not-still": ("K.A2.4", "boats can tow ships only in still air"),
    "still": ("K.A2.4", "in still air it can only be towed one hex or pivot"),
    "tow": ("K.A2.4", "boats cannot tow it there"),
    "aground": ("K.G13", "it is aground"),
    "anchored": ("K.S9", "it lies at anchor"),
    "locked": ("K.M28", "it is held by another ship"),
    "no-enemy": ("K.B1", "that enemy is not in the same hex"),
    "tried": ("K.B13", "it has already tried to grapple this turn"),
    "no-boarders": ("K.B24", "a prize crew or a burning fire ship cannot board"),
    "guarded": ("K.B25", "the prize is guarded: fight its captor first"),
}


@dataclass(slots=True)
class Passage:
    """One activation as far as it has come.

    moved: hexes entered by her own movement. cap: hexes allowed this turn, -1 while no hex is entered (K.M5, K.M6). turns:
    changes of facing that count for K.M17. compulsory: a hit helm forces one hex ahead first (K.M21). free: the turn of a ship
    caught in irons is still hers (K.M14). handy: her turn before moving is (K.M16). spot: a turn without moving is (K.M15,
    K.M19, K.M20). turned: the facing change of the present hex is used. drifts: she drifts if she enters no hex.
    """

    pos: Hex
    facing: int
    motion: Motion
    moved: int = 0
    cap: int = -1
    turns: int = 0
    compulsory: bool = False
    free: bool = False
    handy: bool = False
    spot: bool = False
    turned: bool = False
    ended: bool = False
    drifts: bool = True
    helm: Helm = Helm.SOUND


def begin(battle: Battle, ship: Ship) -> Passage:
    """The passage of an unlocked ship whose activation begins, the helm's forced turn already made.

    Rules: K.M5, K.M14, K.M15, K.M16, K.M19, K.M20, K.M21, K.A2.4, K.G13.
    """
    p = Passage(ship.pos, ship.facing, Motion.SAIL, turns=ship.turns_made)
    if ship.aground:
        p.motion, p.drifts = Motion.AGROUND, False
        return p
    if at_anchor(battle, ship):
        p.motion, p.drifts = Motion.ANCHORED, False
        return p
    if battle.strength is WindForce.STILL:
        p.motion, p.drifts, p.spot = Motion.OARS, False, True
        return p
    p.helm = ship.helm
    forced = p.helm is Helm.PORT or p.helm is Helm.STARBOARD
    if forced:
        p.facing = (p.facing + (1 if p.helm is Helm.STARBOARD else -1)) % 6
        p.turns += 1
    turns_freely = p.helm is Helm.SOUND
    if ship.disabled:
        p.motion, p.spot = Motion.ADRIFT, turns_freely
    elif _held(battle, ship, ship.facing):
        if ship.caught_in_irons and battle.rel(ship.facing) == 0:
            _caught(battle, ship, p, forced)
        else:
            p.motion, p.spot = Motion.HELD, turns_freely
            p.ended, p.drifts = forced, not forced
    elif forced:
        _jammed(battle, ship, p)
    else:
        p.handy = turns_freely and ship.is_handy
    return p


def _held(battle: Battle, ship: Ship, facing: int) -> bool:
    """In irons, or crippled and close hauled. Rules: K.M15, K.M19."""
    rel = battle.rel(facing)
    return rel == 0 or (rel in (1, 5) and ship.move_level == 2)


def _caught(battle: Battle, ship: Ship, p: Passage, forced: bool) -> None:
    """Caught in irons by the wind: the free turn, or the forced one in its place. Rules: K.M14, K.M21."""
    if forced:
        _jammed(battle, ship, p)
    elif p.helm is Helm.SOUND:
        p.free = True
        p.handy = ship.is_handy


def _jammed(battle: Battle, ship: Ship, p: Passage) -> None:
    """After a forced turn: one hex ahead if she can, else she drifts. Rules: K.M19, K.M21."""
    p.compulsory = not _held(battle, ship, p.facing)
    p.ended = not p.compulsory


def carry(battle: Battle, ship: Ship, p: Passage, token: str) -> str:
    """Carry out one token on the passage, or say by a code of REFUSALS why it is illegal, leaving the passage as it was.

    Rule: K.M31.
    """
    if p.ended:
        return "ended"
    if token == "A":
        return _ahead(battle, ship, p)
    if token in _TURNS:
        return _turn(battle, ship, p, token)
    if token[:2] == "G:":
        return _grapple(battle, ship, p, token[2:])
    if len(token) == 2 and token[0] == "W" and token[1] in "012345":
        return _tow(battle, ship, p, int(token[1]))
    return "unknown"


_TURNS = {"P": -1, "S": 1, "TP": -1, "TS": 1}
_STUCK = {
    Motion.HELD: "irons",
    Motion.ADRIFT: "disabled",
    Motion.OARS: "still",
    Motion.AGROUND: "aground",
    Motion.ANCHORED: "anchored",
}


def _ahead(battle: Battle, ship: Ship, p: Passage) -> str:
    """One hex ahead. A compulsory hex is entered whatever lies there. Rules: K.M1, K.M5, K.M6, K.M7, K.M11, K.M21, K.M22."""
    if p.motion is not Motion.SAIL:
        return _STUCK[p.motion]
    cap = p.cap if p.cap >= 0 else allowance(battle, ship, p.facing)
    if p.moved >= cap:
        return "allowance" if battle.rel(p.facing) else "irons"
    (q, r), (dq, dr) = p.pos, STEPS[p.facing]
    cell = (q + dq, r + dr)
    if not p.compulsory:
        code = barred(battle, ship, cell)
        if code:
            return code
    p.pos, p.cap = cell, cap
    p.moved += 1
    p.turned = p.compulsory = False
    return ""


def _turn(battle: Battle, ship: Ship, p: Passage, token: str) -> str:
    """A facing change, a tack among them. Rules: K.M8, K.M9, K.M10, K.M14-K.M17, K.M20, K.M33, K.A2.5."""
    by = _TURNS[token]
    if p.motion is Motion.AGROUND or p.motion is Motion.ANCHORED:
        return _STUCK[p.motion]
    if p.helm is Helm.NO_TURN:
        return "helm"
    tack = len(token) == 2 and battle.strength is not WindForce.LIGHT
    if p.motion is not Motion.SAIL:
        return _turn_on_the_spot(p, by, tack)
    if ship.unhandy and p.turns >= 1 and not p.free:
        return "unhandy"
    rel = battle.rel(p.facing)
    if tack:
        if rel != (1 if by < 0 else 5):
            return "no-tack"
        by *= 2
    if p.moved:
        if p.turned:
            return "turned"
        p.turned = True
    elif p.free:
        _turn_out_of_irons(ship, p, by)
        return ""
    elif p.compulsory:
        return "helm"
    elif p.handy:
        p.handy = False
    elif tack or not _barred_ahead(battle, ship, p, rel):
        return "not-underway"
    else:
        p.ended = True
    p.turns += 1
    p.facing = (p.facing + by) % 6
    if p.moved:
        p.cap = min(p.cap, allowance(battle, ship, p.facing))
    return ""


def _turn_on_the_spot(p: Passage, by: int, tack: bool) -> str:
    """One hexside without moving: out of irons, disabled, or by boats. Rules: K.M15, K.M19, K.M20, K.A2.4."""
    if tack:
        return "no-tack"
    if not p.spot:
        return "helm" if p.helm is not Helm.SOUND else "turned"
    p.spot = False
    p.turns += 1
    p.facing = (p.facing + by) % 6
    if p.motion is not Motion.ADRIFT:
        p.ended, p.drifts = True, False
    return ""


def _turn_out_of_irons(ship: Ship, p: Passage, by: int) -> None:
    """The free turn; a crippled ship is then close hauled and held. Rules: K.M14, K.M17, K.M19."""
    p.free = False
    p.facing = (p.facing + by) % 6
    if ship.move_level == 2:
        p.motion, p.spot = Motion.HELD, True


def _barred_ahead(battle: Battle, ship: Ship, p: Passage, rel: int) -> bool:
    """Whether she may turn on the spot because her way ahead is barred. Rule: K.M33."""
    if rel == 0 or ship.caught_in_irons or ship.is_handy or not allowance(battle, ship, p.facing):
        return False
    return bool(barred(battle, ship, battle.ahead(ship)))


def _grapple(battle: Battle, ship: Ship, p: Passage, code: str) -> str:
    """An attempt to grapple a ship in the same hex, which ends the movement. Rules: K.B1, K.B13, K.B14, K.B24, K.B25."""
    if p.motion is Motion.OARS:
        return "still"
    if p.compulsory:
        return "helm"
    enemy = battle.ships.get(code)
    if enemy is None or enemy.pos != p.pos or not can_be_boarded(ship, enemy):
        return "no-enemy"
    if ship.prize_of or ship.fired:
        return "no-boarders"
    if ship.grapple_tried:
        return "tried"
    if not boards(battle, ship, enemy):
        return "guarded"
    p.ended, p.drifts = True, False
    return ""


def can_be_boarded(ship: Ship, enemy: Ship) -> bool:
    """Whether another ship is an enemy that boarders could go for. Rules: K.B1, K.M23, K.X15."""
    return enemy.status is Status.AFLOAT and not enemy.fired and enemy.flag != ship.flag


def boards(battle: Battle, ship: Ship, enemy: Ship) -> bool:
    """Whether a ship has boarders to send, and an enemy may be their aim.

    A prize crew and a burning fire ship have none. A prize is taken back by a ship of her old side while no captor ship shares
    the hex; otherwise it is the captor who must be fought. Rules: K.B24, K.B25, K.X15.
    """
    if ship.prize_of or ship.fired:
        return False
    if not is_held_prize(enemy):
        return True
    return ship.flag == enemy.side and not any(
        other is not enemy and other.flag == enemy.flag and other.afloat and not other.prize_of
        for other in battle.at.get(enemy.pos, ())
    )


def is_held_prize(ship: Ship) -> bool:
    """Whether a ship is in the hands of another side than her own; one taken back is not. Rule: K.B25."""
    return bool(ship.prize_of) and ship.prize_of != ship.side


def _tow(battle: Battle, ship: Ship, p: Passage, direction: int) -> str:
    """Towed by her boats one hex any way, her heading kept. Rule: K.A2.4."""
    if p.motion is not Motion.OARS:
        return "not-still"
    if ship.disabled or ship.prize_of:
        return "disabled" if ship.disabled else "tow"
    (q, r), (dq, dr) = p.pos, STEPS[direction]
    cell = (q + dq, r + dr)
    if battle.at.get(cell) or barred(battle, ship, cell):
        return "tow"
    p.pos = cell
    p.moved = 1
    p.ended = True
    return ""


def foresee(battle: Battle, ship: Ship, tokens: Sequence[str]) -> tuple[Passage, int, str]:
    """Where tokens would take an unlocked ship as things stand now, met by no one.

    Returns the passage, how many tokens were carried out, and the code of the refusal that stopped it or "". The compulsory
    hex of a hit helm is made first when the tokens do not make it. Rules: K.M21, K.M31.
    """
    p = begin(battle, ship)
    if p.compulsory and (not tokens or tokens[0] != "A"):
        carry(battle, ship, p, "A")
    for number, token in enumerate(tokens):
        code = carry(battle, ship, p, token)
        if code:
            return p, number, code
    return p, len(tokens), ""
