"""Orders of one ship in one line, and what is wrong with them as things stand.

    FR | main>D07 port>- stbd>D03 torpedo>D07 ram

Left of the bar the actions of her movement: F one area ahead, L and R an eighth to port and starboard, "-" to stand still; nothing there
leaves her movement to her captain. Right of it, in any order, a target or "-" (hold fire) for a weapon, and "ram" for a ship that is to go
on into an occupied area. In ids, spaces, bars and % signs are written %20, %7C, %25. Rules: C.M3, C.G7, C.G8, C.T1, C.R1.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from battles.engine.core.errors import NotationError, OrderFault
from battles.engine.core.orders import Refusals, halves, is_target, joined, lost, standing, written
from battles.engine.rulesets.cordery import firing, steering
from battles.engine.rulesets.cordery.play import WEAPONS, Orders
from battles.engine.rulesets.cordery.state import Battle, Ship

CLAUSES = Refusals(unreadable="C.M11", over="C.V1", not_yours="C.P1", not_here="C.K36")
ACTIONS = frozenset("FLR")
LONGEST = 3


def parse(text: str) -> Orders:
    """Read one line. Raises NotationError naming every word that cannot be read or contradicts another."""
    left, right = halves(text)
    wrong: list[str] = []
    move = "".join(left)
    if move != "-" and (set(move) - ACTIONS or len(move) > LONGEST):
        wrong.append(
            f"{' '.join(left)!r} is not a movement; use up to {LONGEST} of F, L and R, or - to stand still"
        )
    targets: dict[str, str] = {}
    ram = False
    for word in right:
        if word.lower() == "ram":
            ram = True
        else:
            _target(word, targets, wrong)
    if wrong:
        raise NotationError("; ".join(wrong))
    return Orders(None if not move else move.strip("-"), targets, ram)


def _target(word: str, targets: dict[str, str], wrong: list[str]) -> None:
    weapon, _, code = word.partition(">")
    weapon = weapon.lower()
    if not is_target(word) or weapon not in WEAPONS or not code:
        wrong.append(
            f"{word!r} is not an order; use ram, or a target for one of {', '.join(WEAPONS)}: main>ID"
        )
    elif weapon in targets:
        wrong.append(f"{weapon} has two targets")
    else:
        targets[weapon] = "" if code == "-" else unquote(code)


def render(orders: Orders) -> str:
    """Write orders in one line, so that `parse` gives the same orders back."""
    left = "" if orders.move is None else orders.move or "-"
    right = [f"{weapon}>{written(code) or '-'}" for weapon, code in orders.targets.items()]
    return joined(left, right + ["ram"] * orders.ram)


def faults(battle: Battle, side: str, code: str, orders: Orders) -> tuple[OrderFault, ...]:
    """Everything wrong with a ship's orders as things stand now; empty when they can be begun."""
    against = standing(battle, side, code, CLAUSES) or lost(battle.ships[code], CLAUSES)
    if against:
        return (against,)
    ship = battle.ships[code]
    return (*_move_faults(battle, ship, orders), *_shot_faults(battle, ship, orders))


def _move_faults(battle: Battle, ship: Ship, orders: Orders) -> Iterator[OrderFault]:
    if orders.ram and ship.breaking_off:
        yield OrderFault("order/no-aggression", "C.D4", f"{ship.name} is breaking off and may not ram.")
    if orders.move is None:
        return
    # Losses of this turn's firing may change what is legal; the movement checks again.
    if ship.lock_bridge and orders.move != steering.held(ship):
        yield OrderFault("order/locked", "C.M6", f"{ship.name} is out of control and goes straight ahead.")
    elif not ship.lock_bridge and orders.move not in steering.legal(ship):
        code, clause = ("order/locked", "C.M6") if ship.lock_rudder else ("order/illegal-move", "C.M3")
        can = ", ".join(move or "-" for move in steering.legal(ship))
        yield OrderFault(code, clause, f"{ship.name} cannot make {orders.move or '-'}; she can make {can}.")


def _shot_faults(battle: Battle, ship: Ship, orders: Orders) -> Iterator[OrderFault]:
    able = ship.standing
    for weapon, target in orders.targets.items():
        if not target:
            continue
        against = firing.ship_fault(battle, ship, battle.turn + 1) or firing.shot_fault(
            battle, ship, weapon, target, able
        )
        if against:
            clause, text = firing.REFUSALS[against]
            yield OrderFault(against, clause, f"{ship.name} cannot fire {weapon} at {target}: {text}.")
