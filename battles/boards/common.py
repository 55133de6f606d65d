"""What the words of every rule set's log share: counting, and the throws of dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from battles.boards import Names

Data = Mapping[str, Any]
Teller = Callable[[str, Data, "Names"], str]


def many(count: int, one: str, plural: str = "") -> str:
    """A number of things."""
    return f"{count} {one if count == 1 else plural or one + 's'}"


def die(_: str, data: Data, names: Names) -> str:
    """What was thrown for, and by whom: the subjects stand in the key behind clause and turn."""
    parts = str(data["key"]).split("/")
    named = [names.ships.get(part) or names.squadrons.get(part) or "" for part in parts]
    sides = [part for part in parts if part in ("port", "starboard")]
    who = " and ".join(dict.fromkeys(name for name in named if name))
    reason = " ".join(names.ships.get(word, word) for word in str(data["reason"]).split())
    told = f"{who}: {reason}" if who else reason[:1].upper() + reason[1:]
    return f"{told}, {sides[0]}" if sides else told


def plain(text: str) -> Teller:
    """A sentence about the ship alone."""
    return lambda ship, data, names: text.format(ship=ship)


def with_other(text: str, field: str) -> Teller:
    """A sentence about the ship and another, whose id stands in a field of the event."""
    return lambda ship, data, names: text.format(ship=ship, other=names.ship(data[field]))
