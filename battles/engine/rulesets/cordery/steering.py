"""Movement in areas and eighths: which strings of actions a ship may make, and where they lead. Rules: C.M1-C.M6, C.M11, C.H2, C.T6."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple, Protocol

from battles.engine.core import squares
from battles.engine.core.squares import Square

AHEAD, PORT, STARBOARD = "F", "L", "R"
TURNS = {PORT: -1, STARBOARD: 1}
# Order of otherwise equal moves; longer ones of three areas by the same first actions. Rules: C.D3, C.Q4.
ORDER = ("FF", "F", "FR", "R", "FL", "L", "")


@lru_cache(maxsize=64)
def strings(allowance: int, last: str) -> tuple[str, ...]:
    """All legal strings of actions, longest first. last: the ship's last action, which counts with an allowance of 1.

    Every turn comes directly after an ahead area, with an allowance of 1 one of the previous movement too. Rules: C.M1-C.M4.
    """
    found = [""]
    for text in found:
        if len(text) == allowance:
            continue
        before = text[-1:] or (last if allowance == 1 else "")
        found.append(text + AHEAD)
        if before == AHEAD:
            found += [text + STARBOARD, text + PORT]
    return tuple(sorted(found, key=rank))


def rank(actions: str) -> tuple[int, str]:
    """Sorting key of moves by the order of C.D3; those of three areas come first, straight ones before turns."""
    if actions in ORDER:
        return 1 + ORDER.index(actions), actions
    return 0, actions


def begun(actions: str, allowance: int, last: str) -> str:
    """As much of a string of actions as is legal. Rule: C.M11."""
    for length in range(len(actions), 0, -1):
        if actions[:length] in strings(allowance, last):
            return actions[:length]
    return ""


class Pose(NamedTuple):
    """An area and a heading."""

    at: Square
    heading: int


@lru_cache(maxsize=65_536)
def after(pose: Pose, actions: str) -> Pose:
    """Where a string of actions leads on an empty sea. Rules: C.M2, C.M3."""
    (x, y), heading = pose
    for action in actions:
        if action == AHEAD:
            dx, dy = squares.STEPS[heading]
            x, y = x + dx, y + dy
        else:
            heading = (heading + TURNS[action]) % 8
    return Pose((x, y), heading)


def areas(pose: Pose, actions: str) -> Iterator[Square]:
    """The areas that a string of actions enters, in order."""
    for n, action in enumerate(actions, 1):
        if action == AHEAD:
            yield after(pose, actions[:n]).at


def meets(pose: Pose, actions: str, taken: Collection[Square]) -> bool:
    """Whether a string of actions leads through one of these areas."""
    return any(at in taken for at in areas(pose, actions))


class Steered(Protocol):
    """A ship as far as her movement goes."""

    @property
    def allowance(self) -> int: ...
    @property
    def last_action(self) -> str: ...
    @property
    def last_spent(self) -> int: ...
    @property
    def lock_bridge(self) -> int: ...
    @property
    def lock_rudder(self) -> int: ...


def held(ship: Steered) -> str | None:
    """What a ship whose bridge is hit must do, None for one under command. Rule: C.M6."""
    if not ship.lock_bridge:
        return None
    spent = ship.allowance if ship.last_spent < 0 else ship.last_spent
    return AHEAD * min(spent, ship.allowance)


def legal(ship: Steered) -> tuple[str, ...]:
    """The strings of actions that a ship may be ordered: course locks leave ahead alone. Rules: C.M1-C.M6."""
    forced = held(ship)
    if forced is not None:
        return (forced,)
    found = strings(ship.allowance, ship.last_action)
    return tuple(text for text in found if set(text) <= {AHEAD}) if ship.lock_rudder else found
