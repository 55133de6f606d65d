"""What is wrong with a ship's orders as things stand. Rules: T.B4, T.B10, T.B12, T.O1, T.O3, T.O4, T.O6, T.S22.

What an order asks beyond what wind, hulls and shores will let her do when her time comes is no fault: it is cut to what is
allowed (T.B4b). A fault is what could not come true whatever happens in the move.
"""

from __future__ import annotations

from collections.abc import Iterator

from battles.engine.core import orders as orders_
from battles.engine.core.errors import OrderFault
from battles.engine.rulesets.thomas.play import Course, Orders
from battles.engine.rulesets.thomas.state import Battle, Ship, Status
from battles.engine.rulesets.thomas.tables import INCH

CLAUSES = orders_.Refusals(unreadable="T.S19", over="T.C23", not_yours="T.S23", not_here="T.S20")


def standing(battle: Battle, side: str, ship_id: str) -> tuple[OrderFault, ...]:
    """Why a side cannot give a ship any order at all; empty when it can. Rules: T.S19, T.S23, T.O6g."""
    against = orders_.standing(battle, side, ship_id, CLAUSES)
    if against:
        return (against,)
    ship = battle.ships[ship_id]
    if ship.status is Status.WITHDRAWN:
        return (OrderFault("order/withdrawn", "T.S16", f"{ship.name} has left the battle."),)
    against = orders_.lost(ship, CLAUSES)
    return (against,) if against else ()


def faults(battle: Battle, side: str, ship_id: str, orders: Orders) -> tuple[OrderFault, ...]:
    """Everything wrong with a ship's orders for a side, as things stand now; empty when they can be begun."""
    found = standing(battle, side, ship_id)
    if found:
        return found
    ship = battle.ships[ship_id]
    return (
        *(_course_faults(battle, ship, orders.course) if orders.course is not None else ()),
        *_others(battle, ship, orders),
        *_without_rule(battle, ship, orders),
    )


def _course_faults(battle: Battle, ship: Ship, course: Course) -> Iterator[OrderFault]:
    """A movement that no wind would let her make. Rules: T.B4, T.B2a, T.O1, T.O4, T.S22, T.O3."""
    if ship.struck and not ship.secured and course != Course():
        yield OrderFault("order/struck", "T.O6a", f"{ship.name} has struck and must not move.")
    sharp = max(ship.turn, ship.oar_turn)
    for number, by in (("first", course.turn1), ("second", course.turn2)):
        if abs(by) > sharp:
            text = (
                f"{ship.name}, {number} turn: {abs(by) / 100:g} degrees; it can turn up to {sharp / 100:g}."
            )
            yield OrderFault("order/turn-too-sharp", "T.B4", text)
    most = max(2 * ship.speed, ship.oar_speed)
    if course.distance > most:
        text = f"{ship.name}: {course.distance / INCH:g} inches; it can never sail or row more than {most / INCH:g}."
        yield OrderFault("order/too-far", "T.B2a", text)
    if course.boats and ship.has_oars:
        yield OrderFault("order/no-boats", "T.O1c", f"{ship.name} has oars and needs no boats to tow it.")
    if course.raise_sail and not ship.has_oars:
        yield OrderFault("order/no-oars", "T.O4f", f"{ship.name} has no oars, so it cannot change to sails.")
    if course.cut_cable and not ship.anchored:
        yield OrderFault("order/not-at-anchor", "T.S22", f"{ship.name} is not at anchor.")
    if course.take_in_tow:
        yield from _friend_faults(battle, ship, course.take_in_tow, "tow", "T.O3")


def _others(battle: Battle, ship: Ship, orders: Orders) -> Iterator[OrderFault]:
    """Faults of targets, boarding, prizes, oars. Rules: T.B10c, T.B12b, T.O4e, T.O6."""
    for arc, code in orders.targets.items():
        if code:
            yield from _enemy_faults(battle, ship, code, "target", "T.B10c")
        if not ship.standing(arc):
            text = f"{ship.name} has no battery facing {arc.value}."
            yield OrderFault("order/no-guns", "T.S4a", text)
    for code in orders.board or ():
        yield from _enemy_faults(battle, ship, code, "boarding", "T.B12b")
    for code in orders.secure or {}:
        other = battle.ships.get(code)
        if other is None or other.status is Status.EXPECTED:
            text = f"{ship.name}: there is no ship {code!r} in this battle."
            yield OrderFault("order/prize-unknown", "T.O6d", text)
        elif not other.afloat or other is ship:
            text = f"{ship.name}: {other.name} is not a prize to secure."
            yield OrderFault("order/no-prize", "T.O6d", text)
    if orders.to_oars and not ship.has_oars:
        yield OrderFault("order/no-oars", "T.O4e", f"{ship.name} has no oars.")
    if ship.prize_of and (orders.board or any(orders.targets.values())):
        yield OrderFault("order/prize", "T.O6i", f"{ship.name} is a prize and can neither fire nor board.")


def _without_rule(battle: Battle, ship: Ship, orders: Orders) -> Iterator[OrderFault]:
    """Orders under a rule that this battle is played without. Rule: T.S25."""
    asked = (
        ("opt_boats", orders.course is not None and orders.course.boats, "T.O1", "towed by boats"),
        ("opt_towing", orders.course is not None and bool(orders.course.take_in_tow), "T.O3", "taken in tow"),
        ("opt_oars", bool(orders.to_oars), "T.O4", "rowed"),
        ("opt_crews", orders.gunners is not None, "T.O5", "held back at the guns"),
        ("opt_surrender", bool(orders.strike), "T.O6", "surrendered"),
        ("opt_founder", bool(orders.jettison), "T.O7", "thrown overboard"),
    )
    for option, wanted, clause, words in asked:
        if wanted and not battle.options[option]:
            yield OrderFault("order/no-such-rule", clause, f"{ship.name}: nothing is {words} in this battle.")


def _enemy_faults(battle: Battle, ship: Ship, code: str, what: str, clause: str) -> Iterator[OrderFault]:
    """What is wrong with a ship named as an enemy."""
    other = battle.ships.get(code)
    if other is None or other.status is Status.EXPECTED:
        text = f"{ship.name}, {what}: there is no ship {code!r} in this battle."
        yield OrderFault(f"order/{what}-unknown", clause, text)
    elif other.flag == ship.flag:
        yield OrderFault(
            f"order/{what}-friend", clause, f"{ship.name}, {what}: {other.name} is under your flag."
        )
    elif not other.afloat:
        yield OrderFault(f"order/{what}-lost", clause, f"{ship.name}, {what}: {other.name} is gone.")


def _friend_faults(battle: Battle, ship: Ship, code: str, what: str, clause: str) -> Iterator[OrderFault]:
    """What is wrong with a ship named as one of her own."""
    other = battle.ships.get(code)
    if other is None or other.status is Status.EXPECTED:
        text = f"{ship.name}, {what}: there is no ship {code!r} in this battle."
        yield OrderFault(f"order/{what}-unknown", clause, text)
    elif other is ship or other.flag != ship.flag or not other.afloat:
        yield OrderFault(
            f"order/{what}-impossible", clause, f"{ship.name} cannot take {other.name} in {what}."
        )
