"""Who fires at whom: declaring, and what is wrong with a shot. Rules: C.S2, C.S6, C.G1-C.G9, C.G15, C.T1-C.T4, C.T9."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from battles.engine.core import squares
from battles.engine.rulesets.cordery import arms
from battles.engine.rulesets.cordery.play import WEAPONS, Play
from battles.engine.rulesets.cordery.state import Battle, Ship

GUNS = WEAPONS[:3]
# Refusals by code: the clause and what it means for a shot.
REFUSALS: Mapping[str, tuple[str, str]] = {
    "order/silent": ("C.H2", "it may not fire, its bridge is hit"),
    "order/prize": ("C.K36", "a prize does not fire"),
    "order/surprised": ("C.K36", "its side is surprised and declares nothing"),
    "order/no-target": ("C.G7", "the target is not an enemy on the board"),
    "order/out-of-arc": ("C.G4", "nothing that bears on the target can reach it"),
    "order/no-torpedo": ("C.T1", "no torpedo is left"),
    "order/no-sight": ("C.G9", "something is in the way"),
}


def shot_fault(battle: Battle, ship: Ship, weapon: str, code: str, able: frozenset[str]) -> str:
    """Why a ship cannot fire a weapon at a target, as a code of `REFUSALS`; "" when it can.

    able: turrets and batteries with which she fires. Rules: C.G1-C.G9, C.T1-C.T4.
    """
    target = battle.ships.get(code)
    if target is None or not target.afloat or target.side == ship.side:
        return "order/no-target"
    if weapon == "torpedo" and ship.torpedoes <= 0:
        return "order/no-torpedo"
    if weapon not in arms.weapons(ship, able, ship.pos, ship.h, target.pos, battle.options):
        return "order/out-of-arc"
    return "" if battle.sees(ship.pos, target.pos) else "order/no-sight"


def ship_fault(battle: Battle, ship: Ship, turn: int) -> str:
    """Why a ship does not fire at all in a turn, as a code of `REFUSALS`; "" when she may. Rules: C.G15, C.T9, C.K36."""
    if ship.prize:
        return "order/prize"
    if turn == 1 and ship.side in battle.surprised:
        return "order/surprised"
    return "order/silent" if ship.no_fire else ""


def begin(battle: Battle, play: Play) -> None:
    """What every ship fires with this turn: the systems that she has now. Rules: C.S6, C.G15."""
    for ship in battle.in_play():
        if ship.no_fire:
            play.silent.add(ship.id)
        mute = ship_fault(battle, ship, battle.turn)
        play.able[ship.id] = frozenset() if mute else ship.standing


def declare(battle: Battle, play: Play, weapons: tuple[str, ...]) -> None:
    """Settle the targets of these weapons, of both sides, before any die of theirs: as ordered, else as the captains wish.

    Rules: C.S2, C.G7, C.G8, C.G12.
    """
    for side in battle.sides:
        ships = list(battle.in_play(side))
        given = {ship.id: dict(_ordered(battle, play, ship, weapons)) for ship in ships}
        captain = play.captains.get(side)
        wished = captain.targets(play.views[side], weapons, given) if captain is not None else {}
        for ship in ships:
            for weapon in weapons:
                code = given[ship.id].get(weapon)
                if code is None:
                    code = wished.get(ship.id, {}).get(weapon, "")
                if code and not _against(battle, play, ship, weapon, code):
                    play.shots.setdefault(ship.id, {})[weapon] = code


def _against(battle: Battle, play: Play, ship: Ship, weapon: str, code: str) -> str:
    return ship_fault(battle, ship, battle.turn) or shot_fault(battle, ship, weapon, code, play.able[ship.id])


def _ordered(battle: Battle, play: Play, ship: Ship, weapons: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Orders for these weapons that can be carried out, "" to hold fire; the others are logged and left to the captain."""
    orders = play.orders.get(ship.id)
    for weapon, code in orders.targets.items() if orders is not None else ():
        if weapon not in weapons:
            continue
        against = _against(battle, play, ship, weapon, code) if code else ""
        if not against:
            yield weapon, code
        else:
            play.tell("refused", REFUSALS[against][0], ship.id, token=f"{weapon}>{code}", code=against)


def shots(battle: Battle, play: Play, weapons: tuple[str, ...]) -> Iterator[tuple[Ship, str, Ship, int, int]]:
    """Declared shots in the order of dice: ship, weapon, target, dice, range. Rules: C.P8, C.G11."""
    for ship in list(battle.in_play()):
        for weapon in weapons:
            code = play.shots.get(ship.id, {}).get(weapon)
            if code:
                target = battle.ships[code]
                found = arms.weapons(ship, play.able[ship.id], ship.pos, ship.h, target.pos, battle.options)
                yield ship, weapon, target, found[weapon], squares.distance(ship.pos, target.pos)
