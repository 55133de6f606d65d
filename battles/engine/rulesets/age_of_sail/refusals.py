"""What is wrong with a ship's orders as things stand. Rules: A.M21, A.R1, A.B6, A.B13, A.F7, A.T2.

What wind and water will not let a ship do when its time comes is no fault: the path is cut to what is allowed (A.M21). A fault is what
could not come true whatever happens in the round.
"""

from __future__ import annotations

from collections.abc import Iterator

from battles.engine.core import orders as orders_
from battles.engine.core.errors import OrderFault
from battles.engine.rulesets.age_of_sail.play import Orders
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Ship, Status

CLAUSES = orders_.Refusals(unreadable="A.M21", over="A.V1", not_yours="A.P1", not_here="A.G37")


def standing(battle: Battle, side: str, code: str) -> tuple[OrderFault, ...]:
    """Why a side cannot give a ship any order at all; empty when it can. Rules: A.M20, A.B8."""
    against = orders_.standing(battle, side, code, CLAUSES)
    if against:
        return (against,)
    ship = battle.ships[code]
    if ship.status is Status.WITHDRAWN:
        return (OrderFault("order/withdrawn", "A.M20", f"{ship.name} has left the battle."),)
    against = orders_.lost(ship, CLAUSES)
    if against:
        return (against,)
    if ship.held:
        text = f"{ship.name} has no prize crew yet and takes no orders."
        return (OrderFault("order/unmanned", "A.B8", text),)
    return ()


def faults(battle: Battle, side: str, code: str, orders: Orders) -> tuple[OrderFault, ...]:
    """Everything wrong with a ship's orders for a side, as things stand now."""
    found = standing(battle, side, code)
    return found or tuple(_faults(battle, battle.ships[code], orders))


def _faults(battle: Battle, ship: Ship, orders: Orders) -> Iterator[OrderFault]:
    for mast in filter(None, (orders.repair, *(orders.masts or ()))):
        if mast not in ship.names:
            yield OrderFault("order/no-mast", "A.C3", f"{ship.name} has no {mast}mast.")
    if orders.repair in ship.names and ship.rig[ship.names.index(orders.repair)] > 0:
        yield OrderFault("order/mast-stands", "A.R1", f"The {orders.repair}mast of {ship.name} stands.")
    for shot in orders.shots.values():
        if shot.target:
            yield from _enemy(battle, ship, shot.target, "A.F7")
            if orders.repair:
                text = f"{ship.name} raises a mast and cannot fire as well."
                yield OrderFault("order/crew-busy", "A.R2", text)
    if orders.board:
        yield from _enemy(battle, ship, orders.board, "A.B1")
        if orders.repair:
            text = f"{ship.name} raises a mast and cannot board as well."
            yield OrderFault("order/crew-busy", "A.R2", text)
    for code in orders.part or ():
        if code not in battle.ships:
            yield OrderFault("order/no-ship", "A.B11", f"There is no ship {code!r} in this battle.")
    if orders.weigh and ship.anchor is Anchor.UP:
        yield OrderFault("order/not-at-anchor", "A.T2", f"{ship.name} is not at anchor.")
    if orders.crew is not None and orders.crew > ship.all_decks:
        text = f"{ship.name} has {ship.all_decks} gun decks left to send from."
        yield OrderFault("order/too-many", "A.B13", text)


def _enemy(battle: Battle, ship: Ship, code: str, clause: str) -> Iterator[OrderFault]:
    target = battle.ships.get(code)
    if target is None or target.expected:
        yield OrderFault("order/no-ship", clause, f"There is no ship {code!r} in this battle.")
    elif target.owner == ship.owner:
        yield OrderFault("order/friend", clause, f"{target.name} is not an enemy.")
    elif not target.afloat:
        yield OrderFault("order/gone", clause, f"{target.name} is no longer in the battle.")
