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

    steps: damage steps lost of `of_steps`; left, whole: points of the measure, None where they are the enemy's secret. holder: side whose
    colours it flies at the end. word: afloat, or what became of it. measure: hull or flotation.
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
    measure: str = "hull"


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
class OrderSlip:
    """What its players write down for a battle turn, on paper.

    ship: heads of the columns that each ship has in a turn; the first is wide. squadron: what is written once for all its ships.
    how: the signs that are written, as `clause` has them. turns: how many fit beside each other on a sheet of A4.
    """

    ship: tuple[str, ...]
    how: str
    clause: str
    squadron: tuple[str, ...] = ("Signals",)
    turns: int = 3


@dataclass(frozen=True, slots=True)
class Presentation:
    """How one rule set is shown.

    module: its board. card: template of its card page. letter: with which the ids of its clauses begin. scenarios: the folder of those
    that come with it. slip: what orders are written on at the table. wishes: its own labels of battle instructions, by name, where it
    means something else by them. off_table: how the titles of those of its tables begin that no one needs while playing: what cards
    are made of, and samples.
    """

    module: str
    card: str
    letter: str
    scenarios: Path
    slip: OrderSlip
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
        OrderSlip(
            ("Plot", "Port guns at", "Starboard guns at"),
            "Plot: A ahead, P and S one hexside, TP and TS tack, G grapple, X fire the fire ship.",
            "K.M31",
        ),
        off_table=("T6", "T7", "T10"),
    ),
    "thomas": Presentation(
        "battles.boards.thomas",
        "fleets/cards/thomas.html",
        "T",
        _SCENARIOS / "thomas",
        OrderSlip(
            ("Helm", "Sails", "Port guns at", "Starboard guns at", "Bow or stern guns at", "Board"),
            "Helm: degrees to port (P) or starboard (S), inches ahead, degrees again. Sails: heave to, sail, boats, cut the cable.",
            "T.B4",
            turns=2,
        ),
        off_table=("TS-1 ", "TS-2", "TS-3", "TS-5"),
    ),
    "age_of_sail": Presentation(
        "battles.boards.age_of_sail",
        "fleets/cards/age_of_sail.html",
        "A",
        _SCENARIOS / "age_of_sail",
        OrderSlip(
            ("Path", "Port guns at", "Starboard guns at", "Board"),
            "Path: A centimetres ahead, P and S points to port and starboard. After a target: at the hull or at the sails.",
            "A.M9",
        ),
    ),
    "cordery": Presentation(
        "battles.boards.cordery",
        "fleets/cards/cordery.html",
        "C",
        _SCENARIOS / "cordery",
        OrderSlip(
            ("Move", "Main guns at", "Port guns at", "Starboard guns at", "Torpedo", "Ram"),
            "Move: F one area ahead, L and R turn to port and starboard, no more than the speed allows.",
            "C.M3",
            turns=2,
        ),
        {"board": "Ram"},
    ),
    "barker": Presentation(
        "battles.boards.barker",
        "fleets/cards/barker.html",
        "P",
        _SCENARIOS / "barker",
        OrderSlip(
            ("Main guns at", "Other at", "Torpedo"),
            "Moves: C compulsory, X free, P paid for, with the degrees of a turn. Points: what the moves cost, and how many are left.",
            "P.K47",
            squadron=("Moves", "Points", "Signals"),
        ),
        off_table=("Table 1.", "Table 3."),
    ),
}


def board(rule_set: str) -> Board:
    """The board of a rule set. Raises KeyError for one that has none."""
    return PRESENTATIONS[rule_set].board
