"""How battles of each rule set are shown: what a board draws of a log, and the words of its events. Pure reading of events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol, cast

from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Names:
    """Names of ships, squadrons and sides by id, for words."""

    ships: Mapping[str, str]
    squadrons: Mapping[str, str]
    sides: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, scenario: Scenario) -> Names:
        """Those of a scenario."""
        return cls(
            {ship.id: ship.name for _, _, ship in scenario.ships()},
            {squadron.id: squadron.name for side in scenario.sides for squadron in side.squadrons},
            {side.id: side.name for side in scenario.sides},
        )

    def ship(self, code: object) -> str:
        """A ship's name, or what she is called by where she has none."""
        return self.ships.get(str(code), str(code))

    def squadron(self, code: object) -> str:
        """A squadron's name."""
        return self.squadrons.get(str(code), str(code))

    def side(self, code: object) -> str:
        """A side's name."""
        return self.sides.get(str(code), str(code))


@dataclass(frozen=True, slots=True)
class Standing:
    """How a ship was at the end, as far as the reader may know.

    steps: damage steps lost of `of_steps`; left, whole: hull points, None where they are the enemy's secret. holder: side whose
    colours she flies at the end. word: afloat, or what became of her.
    """

    ship: str
    side: str
    holder: str
    steps: int
    of_steps: int
    left: int | None
    whole: int | None
    word: str
    alight: bool


class Board(Protocol):
    """What the pages ask of a rule set's board. SIGNS: what its drawing has beside ships, flagships, fires and wrecks, in words."""

    SIGNS: tuple[str, ...]

    def words(self, event: Event, names: Names) -> str:
        """An event in words; "" for one that is not worth a line."""
        ...

    def replay(
        self, scenario: Scenario, events: Iterable[Event], own: frozenset[str] | None
    ) -> dict[str, Any]:
        """What the replay draws. own: sides whose ships are shown whole, None for all."""
        ...

    def standings(
        self, scenario: Scenario, events: Sequence[Event], own: frozenset[str] | None
    ) -> list[Standing]:
        """Every ship that the reader knows of at the end, in list order."""
        ...


_BOARDS = {"kohler": "battles.boards.kohler", "thomas": "battles.boards.thomas"}


def board(rule_set: str) -> Board:
    """The board of a rule set. Raises KeyError for one that has none."""
    return cast(Board, import_module(_BOARDS[rule_set]))
