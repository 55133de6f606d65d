"""How battles of each rule set are shown: what a board draws of a log, the page of a card, the letter of its clauses.

The one place where `battles` knows the rule sets by name; the engine's registry knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from battles.engine.core.log import Event
from battles.engine.core.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Standing:
    """How a ship was at the end, as far as the reader may know.

    steps: damage steps lost of `of_steps`; left, whole: hull points, None where they are the enemy's secret. holder: side whose
    colours it flies at the end. word: afloat, or what became of it.
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
    """What the pages ask of a rule set's board. SIGNS: what its drawing has besides ships, flagships, fires and wrecks, in words."""

    SIGNS: tuple[str, ...]

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


@dataclass(frozen=True, slots=True)
class Presentation:
    """How one rule set is shown.

    module: its board. card: template of its card page. letter: with which the ids of its clauses begin. scenarios: the folder of those
    that come with it. wishes: its own labels of battle instructions, by name, where it means something else by them. off_table: how the
    titles of those of its tables begin that no one needs while playing: what cards are made of, and samples.
    """

    module: str
    card: str
    letter: str
    scenarios: Path
    wishes: Mapping[str, str] = field(default_factory=dict)
    off_table: tuple[str, ...] = ()

    @property
    def board(self) -> Board:
        """Its board, loaded when it is first asked for."""
        return cast(Board, import_module(self.module))


_SCENARIOS = Path(__file__).resolve().parent.parent / "data" / "scenarios"
# By rule set. A set from elsewhere is entered here, as it is in the engine's registry.
PRESENTATIONS: dict[str, Presentation] = {
    "kohler": Presentation(
        "battles.boards.kohler",
        "fleets/cards/kohler.html",
        "K",
        _SCENARIOS / "kohler",
        off_table=("T6", "T7", "T10"),
    ),
    "thomas": Presentation(
        "battles.boards.thomas",
        "fleets/cards/thomas.html",
        "T",
        _SCENARIOS / "thomas",
        off_table=("TS-1 ", "TS-2", "TS-3", "TS-5"),
    ),
    "age_of_sail": Presentation(
        "battles.boards.age_of_sail", "fleets/cards/age_of_sail.html", "A", _SCENARIOS / "age_of_sail"
    ),
    "cordery": Presentation(
        "battles.boards.cordery", "fleets/cards/cordery.html", "C", _SCENARIOS / "cordery", {"board": "Ram"}
    ),
    "barker": Presentation(
        "battles.boards.barker",
        "fleets/cards/barker.html",
        "P",
        _SCENARIOS / "barker",
        off_table=("Table 1.", "Table 3."),
    ),
}


def board(rule_set: str) -> Board:
    """The board of a rule set. Raises KeyError for one that has none."""
    return PRESENTATIONS[rule_set].board
