"""Orders of a boat in one line: `2 | >C03`. Rule: Y.4."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote

from battles.engine.core.errors import NotationError
from battles.engine.core.orders import Refusals, halves

CLAUSES = Refusals(unreadable="Y.4", over="Y.10", not_yours="Y.8", not_here="Y.2")


class Orders(NamedTuple):
    """go: hexes towards the enemy. target: id of the boat to fire at, "" for the nearest."""

    go: int = 0
    target: str = ""


def parse(text: str) -> Orders:
    """Read one line. Raises NotationError."""
    left, right = halves(text)
    if len(left) > 1 or any(word not in ("-2", "-1", "0", "1", "2") for word in left):
        raise NotationError(f"{' '.join(left)!r} is no movement: a whole number of hexes from -2 to 2")
    if len(right) > 1 or any(len(word) < 2 or word[0] != ">" for word in right):
        raise NotationError(f"{' '.join(right)!r} is no target: > and the id of a boat")
    return Orders(int(left[0]) if left else 0, unquote(right[0][1:]) if right else "")
