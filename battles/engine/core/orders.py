"""What the orders of a ship have alike in every rule set: a line in two halves, ids in it, and ships that take no order at all."""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import quote

from battles.engine.core.errors import NotationError, OrderFault

LONGEST = 4000


def halves(text: str) -> tuple[list[str], list[str]]:
    """The words left and right of the bar of a line of orders. Raises NotationError for one that is too long."""
    if len(text) > LONGEST:
        raise NotationError(f"the order has {len(text)} characters; up to {LONGEST} are allowed")
    left, _, right = text.partition("|")
    return left.split(), right.split()


def joined(left: str, right: list[str]) -> str:
    """A line from its halves, as `halves` reads it."""
    return f"{left} | {' '.join(right)}".strip() if right else left


def is_target(word: str) -> bool:
    """Whether ">" is the first mark of a word; an id may hold either mark."""
    mark = re.search("[:>]", word)
    return mark is not None and mark.group() == ">"


def written(code: str) -> str:
    """An id as it is written in a line: what the notation needs for itself as per cent signs with numbers."""
    return "%2D" if code == "-" else re.sub(r"[\s|%=]", lambda found: quote(found.group()), code)


class Refusals(NamedTuple):
    """The clauses by which orders are refused.

    unreadable: that cannot be read, or are for no ship that obeys. over: after the battle. not_yours: for another side's ship.
    not_here: for a ship that has yet to come.
    """

    unreadable: str
    over: str
    not_yours: str
    not_here: str


def standing(battle: Any, side: str, code: str, clauses: Refusals) -> OrderFault | None:
    """Why a side cannot give a ship any order, as far as all sets agree; None when it can."""
    ship = battle.ships.get(code)
    if ship is None or (ship.expected and ship.flag != side):
        return OrderFault(
            "order/unknown-ship", clauses.unreadable, f"There is no ship {code!r} in this battle."
        )
    if ship.flag != side:
        return OrderFault("order/not-your-ship", clauses.not_yours, f"{ship.name} is not yours to command.")
    if ship.expected:
        return OrderFault("order/not-here", clauses.not_here, f"{ship.name} has not joined the battle yet.")
    return None


def lost(ship: Any, clauses: Refusals) -> OrderFault | None:
    """The refusal of an order for a ship that is no longer afloat, None for one that is."""
    if ship.afloat:
        return None
    return OrderFault("order/lost-ship", clauses.unreadable, f"{ship.name} is lost and cannot take orders.")
