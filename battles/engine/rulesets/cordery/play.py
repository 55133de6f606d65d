"""What a turn is played with: dice, log, orders and captains; and the face of a Cordery captain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from battles.engine.core.ruleset import Table

if TYPE_CHECKING:
    from battles.engine.rulesets.cordery.view import View

WEAPONS = ("main", "port", "stbd", "torpedo")
Targets = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Orders:
    """One ship's orders for one turn, read from the one-line notation (see notation.py).

    move: actions F, L, R in their order, None = left to the captain. targets: ship id by weapon, "" = hold fire, absent = left to the
    captain. ram: go on into an occupied area (C.R1).
    """

    move: str | None = None
    targets: Mapping[str, str] = field(default_factory=dict)
    ram: bool = False


class Move(NamedTuple):
    """A ship's movement: actions F, L, R, and whether she goes on into an occupied area. Rules: C.M2, C.M3, C.R1."""

    ship: str
    actions: str
    ram: bool = False


class CorderyCaptain(Protocol):
    """Decides for the ships of one side, from a view of that side only."""

    name: str

    def targets(self, view: View, weapons: tuple[str, ...], given: Targets) -> Targets:
        """Target id by weapon for his ships, "" or none to hold fire. given: what has been ordered already. Rules: C.G12, C.Q1-C.Q3."""
        ...

    def moves(self, view: View, given: Mapping[str, str]) -> list[Move]:
        """The movement of his ships in the order in which they move. given: actions ordered already, by ship. Rule: C.S8."""
        ...


@dataclass(slots=True)
class Play(Table):
    """Everything a step needs besides the battle itself.

    able: turrets and batteries with which each ship fires this turn, none for a silent one (C.S6). silent: ships that may not fire. shots:
    target by weapon that stands for each ship. bridges: ships whose bridge was hit this turn. moved: ships that have moved. struck: ships
    rammed. fired: whether a shot was fired or a ship rammed.
    """

    orders: Mapping[str, Orders] = field(default_factory=dict)
    captains: Mapping[str, CorderyCaptain] = field(default_factory=dict)
    views: Mapping[str, View] = field(default_factory=dict)
    able: dict[str, frozenset[str]] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    shots: dict[str, dict[str, str]] = field(default_factory=dict)
    fp_at_start: dict[str, int] = field(default_factory=dict)
    bridges: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    fired: bool = False
