"""The battle log: typed events with numbers, clause ids and ship ids; no prose.

The log alone is enough to redraw a battle move by move, to print a dispatch and to recompute every die; text is rendered later,
from the numbers, by whoever shows it. Rule: G.FA1 (a log keeps the faces).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

DIE = "die"


class Throw(NamedTuple):
    """One throw as the log keeps it: the faces, and why they were thrown."""

    key: str
    die: str
    faces: tuple[int, ...]
    clause: str
    reason: str


class Event(NamedTuple):
    """One thing that happened.

    turn: battle turn from 1 (0 = set-up). step: id of the step of the sequence of play. kind: what happened, from the rule
    set's list of kinds, or "die". clause: the rule that made it so. ship: whose event it is, "" for the whole battle.
    data: numbers and codes only, JSON values.
    """

    turn: int
    step: str
    kind: str
    clause: str
    ship: str
    data: Mapping[str, Any]

    def to_list(self) -> list[Any]:
        """As a JSON array, in the order of the fields."""
        return [self.turn, self.step, self.kind, self.clause, self.ship, dict(self.data)]

    @classmethod
    def from_list(cls, row: list[Any]) -> Event:
        """Read back what `to_list` wrote."""
        turn, step, kind, clause, ship, data = row
        return cls(turn, step, kind, clause, ship, data)


class Log:
    """Collects the events of one battle. `turn` and `step` are set by the engine as play goes on."""

    def __init__(self) -> None:
        self.turn = 0
        self.step = ""
        self.events: list[Event] = []

    def add(self, kind: str, clause: str, ship: str = "", /, **data: Any) -> None:
        """Record an event of the present step."""
        self.events.append(Event(self.turn, self.step, kind, clause, ship, data))

    def threw(self, throw: Throw) -> None:
        """Record a throw, under the present step."""
        self.events.append(
            Event(
                self.turn,
                self.step,
                DIE,
                throw.clause,
                "",
                {"key": throw.key, "die": throw.die, "faces": list(throw.faces), "reason": throw.reason},
            )
        )

    def take(self) -> tuple[Event, ...]:
        """Hand over the events gathered so far and begin again."""
        events, self.events = tuple(self.events), []
        return events
