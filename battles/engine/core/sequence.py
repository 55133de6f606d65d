"""A sequence of play as data: named steps, what plays each, and what follows the battle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple


class Step(NamedTuple):
    """One step of the sequence of play: an id for the log, its clause ids, and its name on the help page."""

    id: str
    clauses: tuple[str, ...]
    name: str


# Plays a step on a battle in place. The second is what the set's turns are played with; its `log` may be None.
Played = Callable[[Any, Any], None]


class Row(NamedTuple):
    """A step of the sequence, and what plays it."""

    step: Step
    played: Played


@dataclass(frozen=True, slots=True)
class Sequence:
    """The steps of a turn in order, and the one that follows the battle's last turn."""

    rows: tuple[Row, ...]
    closing: Row

    @property
    def steps(self) -> tuple[Step, ...]:
        """All of them, the closing one last."""
        return (*(row.step for row in self.rows), self.closing.step)

    def play(self, battle: Any, table: Any, turn: int) -> None:
        """Play a turn, broken off by the step that ends the battle, and then what follows the battle."""
        for row in self.rows:
            _play(row, battle, table, turn)
            if battle.ended:
                _play(self.closing, battle, table, turn)
                return


def _play(row: Row, battle: Any, table: Any, turn: int) -> None:
    if table.log is not None:
        table.log.turn, table.log.step = turn, row.step.id
    row.played(battle, table)
