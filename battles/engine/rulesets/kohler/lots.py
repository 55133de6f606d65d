"""Ships that are not under sail: held together, adrift, aground, and carried by a strong wind.

Rules: K.M12, K.M13, K.M26, K.M28, K.A2.7, K.G13, K.X12.
"""

from __future__ import annotations

from battles.engine.core.hexes import Hex, step
from battles.engine.rulesets.kohler.contact import disengage, in_list_order, meet
from battles.engine.rulesets.kohler.damage import cross_off
from battles.engine.rulesets.kohler.placing import forget, meet_as, settle, shift
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.shore import at_anchor, take_ground
from battles.engine.rulesets.kohler.state import Battle, LockKind, Ship, Status, WindForce

PART = 4
REFLOAT = 5


def blows(battle: Battle) -> bool:
    """Whether the wind carries ships that make no way: in normal and strong wind. Rules: K.M12, K.A2.6, K.A2.11 (T8)."""
    return battle.strength in (WindForce.NORMAL, WindForce.STRONG)


def lot_of(battle: Battle, ship: Ship) -> list[Ship]:
    """A ship with all that are held together with her, directly or through others, in list order. Rule: K.M28."""
    found, queue = {ship.id}, [ship]
    while queue:
        here = queue.pop()
        for lock in here.locks:
            code = lock.other(here.id)
            if code not in found:
                found.add(code)
                queue.append(battle.ships[code])
    return in_list_order(battle, [battle.ships[code] for code in found])


def part(battle: Battle, play: Play, ship: Ship) -> None:
    """Her throws to get clear: one a turn for each pair fouled, and for each fire ship that holds her.

    Not in the turn the hold came about. Rules: K.M26, K.X12.
    """
    for lock in list(ship.locks):
        if lock.formed >= battle.turn or lock.parted_try >= battle.turn:
            continue
        if lock.kind is LockKind.TANGLE:
            lock.parted_try = battle.turn
            die = play.dice.d6(clause="K.M26", subjects=(battle.turn, lock.a, lock.b), reason="to cut clear")
            if die >= PART:
                battle.unlock(lock)
                if play.log is not None:
                    play.log.add("freed", "K.M26", ship.id, target=lock.other(ship.id), kind=lock.kind.value)
        elif lock.kind is LockKind.FIRE_SHIP and lock.b == ship.id:
            lock.parted_try = battle.turn
            disengage(battle, play, lock)


def drift_lot(battle: Battle, play: Play, ship: Ship) -> None:
    """Carry ships that are held together one hex down wind, once a turn.

    A lot stays put in the turn of a locking, and when one of it is aground, at anchor or a wreck. It fouls no one, but a burning fire ship
    among it strikes as ever. Rules: K.M26, K.M28, K.A2.7, K.G13, K.X8.
    """
    if not blows(battle):
        return
    lot = lot_of(battle, ship)
    locks = {id(lock): lock for one in lot for lock in one.locks}.values()
    if any(lock.formed >= battle.turn or lock.drifted >= battle.turn for lock in locks):
        return
    if any(one.aground or at_anchor(battle, one) or not one.afloat for one in lot):
        return
    for lock in locks:
        lock.drifted = battle.turn
    came_from = ship.pos
    shift(battle, step(came_from, battle.wind), *lot)
    for one in lot:
        _log_drift(play, one, "K.M28")
    for one in lot:
        take_ground(battle, play, one, came_from)
    _meet_lot(battle, play, [one for one in lot if one.afloat])


def _meet_lot(battle: Battle, play: Play, lot: list[Ship]) -> None:
    """Whom a drifting lot comes upon: fire ships strike, others merely lie in one hex. Rules: K.M28, K.X8, K.B12."""
    if not lot or len(battle.at[lot[0].pos]) == len(lot):
        return
    here = [one for one in battle.at[lot[0].pos] if one not in lot and one.afloat]
    for one in lot:
        for other in in_list_order(battle, here):
            if one.fired or other.fired:
                continue
            if one.flag != other.flag:
                meet_as(one, other)
        if one.fired or any(other.fired for other in here):
            meet(battle, play, one, fire_only=True)


def drift(battle: Battle, play: Play, ship: Ship) -> bool:
    """Carry one ship a hex down wind at the end of her activation, into whatever lies there; whether she is still free.

    A burning fire ship is kept off a wreck; a ship that takes the ground fouls and fights whom she finds there like any other.
    Rules: K.M12, K.M13, K.M24, K.X8, K.G13.
    """
    came_from = ship.pos
    cell = step(came_from, battle.wind)
    if ship.fired and any(other.status is Status.SINKING for other in battle.at.get(cell, ())):
        return True
    shift(battle, cell, ship)
    grounded = take_ground(battle, play, ship, came_from)
    if not ship.afloat:
        return False
    return not (meet(battle, play, ship, forced=True, adrift=True) or grounded)


def refloat(battle: Battle, play: Play, ship: Ship) -> None:
    """A ship aground tries to get off, into the hex she came from. Rule: K.G13."""
    die = play.dice.d6(clause="K.G13", subjects=(battle.turn, ship.id), reason="to refloat")
    if die < REFLOAT:
        return
    ship.aground = False
    if ship.came_from is not None:
        shift(battle, ship.came_from, ship)
    ship.came_from = None
    if play.log is not None:
        q, r = ship.pos
        play.log.add("refloated", "K.G13", ship.id, q=q, r=r)
    meet(battle, play, ship, forced=True, adrift=True)


def universal_drift(battle: Battle, play: Play) -> None:
    """Step 1d: in a strong wind every ship and wreck goes one hex down wind, all at once and fouling no one.

    Ships aground or at anchor, and those held to them, stay; what is aground loses a hull point. Rules: K.A2.7, K.M29, K.G13.
    """
    if battle.strength is not WindForce.STRONG:
        return
    held = {
        one.id
        for ship in battle.ships.values()
        if ship.afloat and (ship.aground or at_anchor(battle, ship))
        for one in lot_of(battle, ship)
    }
    before = {ship.id: ship.pos for group in battle.at.values() for ship in group}
    carried: dict[Hex, list[Ship]] = {}
    for cell, group in battle.at.items():
        down = step(cell, battle.wind)
        for ship in group:
            ship.pos = cell if ship.id in held else down
            carried.setdefault(ship.pos, []).append(ship)
    battle.at = carried
    for code, ship in battle.ships.items():
        if code in before and code not in held:
            _log_drift(play, ship, "K.A2.7")
            take_ground(battle, play, ship, before[code])
    for code in [code for code in battle.ships if code in held]:
        _leave_behind(battle, battle.ships[code], before)
        if battle.ships[code].aground:
            cross_off(battle, play, battle.ships[code], struct=1, clause="K.G13")


def _leave_behind(battle: Battle, ship: Ship, before: dict[str, Hex]) -> None:
    """A ship that did not drift forgets how she lay to those that did, and may lie beside others now. Rules: K.B12, K.M27."""
    old = [battle.ships[code] for code, cell in before.items() if cell == ship.pos and code != ship.id]
    forget(ship, [other for other in old if other.pos != ship.pos])
    for other in old:
        settle(battle, other.pos)
    settle(battle, ship.pos)


def _log_drift(play: Play, ship: Ship, clause: str) -> None:
    if play.log is not None:
        q, r = ship.pos
        play.log.add("drifted", clause, ship.id, q=q, r=r)
