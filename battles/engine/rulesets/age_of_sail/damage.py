"""What hits do to decks, hull and masts. Rules: A.D2-A.D8."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from battles.engine.rulesets.age_of_sail.bearing import AHEAD, BOW_PORT, BOW_STARBOARD, STERN, STERN_PORT
from battles.engine.rulesets.age_of_sail.state import Ship
from battles.engine.rulesets.age_of_sail.tables import PORT

# Names of masts in the order in which an owner gives them up, of those that are worth the same. Rule: A.D6.
_GIVEN_UP = ("mizzen", "fore", "main")


class Boxes(NamedTuple):
    """Decks of each side and hull units."""

    port: int
    stbd: int
    units: int


def hull_hits(boxes: Boxes, hits: int, aspect: str) -> Boxes:
    """What is left after so many hits from there; it is never repaired, and sinks nobody. Rules: A.D2, A.D3, A.D4, A.D5, A.D9, A.D14."""
    port, stbd, units = boxes
    for _ in range(hits):
        if aspect == STERN:
            port, units = _one(port, units)
            stbd, units = _one(stbd, units)
        elif _on_port(aspect, port, stbd):
            port, units = _one(port, units)
        else:
            stbd, units = _one(stbd, units)
    return Boxes(port, stbd, units)


def _one(decks: int, units: int) -> tuple[int, int]:
    """A deck of the side that is struck, then a hull unit, then nothing. Rules: A.D2, A.D3."""
    return (decks - 1, units) if decks else (decks, max(0, units - 1))


def _on_port(aspect: str, port: int, stbd: int) -> bool:
    """Whether a hit counts on the port side; from dead ahead on the side with more decks. Rule: A.D5."""
    return port >= stbd if aspect == AHEAD else aspect in (PORT, BOW_PORT, STERN_PORT)


def masts_down(ship: Ship, hits: int, aspect: str) -> list[int]:
    """Which masts so many hits bring down, in the order in which they fall, by number from the bow. Rules: A.D6, A.D7, A.D8."""
    standing = [n for n, state in enumerate(ship.rig) if state > 0]
    if aspect in (AHEAD, BOW_PORT, BOW_STARBOARD):
        order = standing
    elif aspect.startswith(STERN):
        order = standing[::-1]
    else:
        order = sorted(standing, key=lambda n: _choice(ship, n))
    return order[:hits]


def _choice(ship: Ship, mast: int) -> tuple[int, int, int]:
    """Where a mast stands in the order in which her owner gives them up: as ordered, else the lowest value first. Rules: A.D6, A.Q10."""
    name = ship.names[mast]
    ordered = ship.prefer.index(name) if name in ship.prefer else len(ship.prefer)
    return ordered, ship.masts[mast] * ship.rig[mast], _GIVEN_UP.index(name)


def first_given_up(names: Sequence[str], values: Sequence[int], rig: Sequence[int]) -> int | None:
    """The standing mast that goes first outside a battle: a jury mast, then the lowest value. Rules: A.G28, A.D6."""
    standing = [n for n, state in enumerate(rig) if state > 0]
    return min(standing, key=lambda n: (rig[n], values[n], _GIVEN_UP.index(names[n])), default=None)
