"""What a turn is played with: dice, log, orders and captains; and the face of a Barker captain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from battles.engine.core.ruleset import Table
from battles.engine.rulesets.barker.tables import Mode

if TYPE_CHECKING:
    from battles.engine.core.plane import Box, Point
    from battles.engine.rulesets.barker.state import Unit
    from battles.engine.rulesets.barker.view import View

# Fire words of an order and the slots they mean. Rules: P.F10-P.F13, P.F15, P.K47.
SLOTS = ("main", "other", "ahead", "astern", "port", "starboard", "shot")


@dataclass(frozen=True, slots=True)
class Token:
    """One step of a plan. Rule: P.K47.

    kind: C compulsory, X extra free, P paid, T paid with a turn together, O the one free move of a submarine, tramp or sailing vessel,
    S stop, R restart, D dive, U surface. turn: hundredths of a degree, starboard positive (U: the heading). cut: hundredths of a yard of a
    shortened paid move, -1 for a whole one (P.M24). at: where a boat surfaces, None else.
    """

    kind: str
    turn: int = 0
    cut: int = -1
    at: Point | None = None


Plan = tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Orders:
    """One unit's or formation's orders for a turn, read from the one-line notation (see notation.py). Rule: P.K47.

    plans: in the order of wish; (()) is "-", only what is compulsory; none at all leaves the movement to the captain. targets: unit
    id by slot, "" to hold that fire. with_: members that go along, None for all. pay: place in the queue for the group's die, 0 for
    list order. light: unit id, "" for dark, None for the captain's choice. flag, hail: unit ids, "" for none. lay, act: None where
    nothing is said. fakes: fake markers 1 and 2 to be put at a point, or taken up (None).
    """

    plans: tuple[Plan, ...] = ()
    targets: Mapping[str, str] = field(default_factory=dict)
    with_: tuple[str, ...] | None = None
    pay: int = 0
    light: str | None = None
    flag: str = ""
    hail: str = ""
    lay: bool | None = None
    act: bool | None = None
    fakes: Mapping[int, Point | None] = field(default_factory=dict)


class BarkerCaptain(Protocol):
    """Decides for the units of one side, from a view of that side only. Every method may leave a unit out: then nothing is done."""

    name: str

    def orders(self, view: View, given: Mapping[str, Orders]) -> Mapping[str, Orders]:
        """Plans by unit id, asked for when the NIP dice of the spell have been thrown. given: what players have ordered already.

        Fire words of what comes back hold for the two shooting steps that follow; `targets` is asked for the rest.
        """
        ...

    def wish(self, view: View) -> Mapping[str, Sequence[str]]:
        """The C-in-C's order to each squadron, verb first; asked for before `orders` when signals are played. Rule: P.G13."""
        ...

    def targets(self, view: View, unit: Unit, legal: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
        """Which of the legal (slot, target id) a unit uses now, at most one a slot and a target. Rules: P.F03, P.F04, P.F09."""
        ...

    def lights(self, view: View) -> Mapping[str, str]:
        """Target id by unit that lights one. Rule: P.V14."""
        ...

    def squadrons(self, view: View, waiting: Sequence[str]) -> str:
        """Which of the waiting squadrons (ids) fires next. Rule: P.F02."""
        ...


@dataclass(slots=True)
class Play(Table):
    """Everything a step needs besides the battle itself.

    made: orders of the spell's captain with those of players, filled in step 4.
    held: (unit, target) shots that orders or captains hold. frozen: True
    when all remaining movement of the spell is forfeit (P.C03). combat: the spell's shooting step is played. began: mode in
    which the spell began, by which the clock goes (P.C03). paths: stretches made
    by each unit this spell, for the log. forced: the ship on which a raider disclosed this spell has to fire, by raider (P.R03).
    touch: units in touch by flagship, as found when first asked (P.I11). sent: share of its word limit that a unit has used (P.G08);
    a hoist as "hoist/ID", wireless messages as "wt/ID". mined: (unit, field) attacked already (P.X06); lying: those there as the movement
    began. swaths: the last straight corridor of each TBD (P.X09).
    sea: where all bases lie while a side moves, as `hazards.Sea`.
    """

    orders: Mapping[str, Orders] = field(default_factory=dict)
    captains: Mapping[str, BarkerCaptain] = field(default_factory=dict)
    views: Mapping[str, View] = field(default_factory=dict)
    made: dict[str, Orders] = field(default_factory=dict)
    frozen: bool = False
    combat: bool = False
    began: Mode = Mode.COMBAT
    paths: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)
    forced: dict[str, str] = field(default_factory=dict)
    touch: dict[str, frozenset[str]] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)
    mined: set[tuple[str, str]] = field(default_factory=set)
    lying: frozenset[tuple[str, str]] = frozenset()
    swaths: dict[str, Box] = field(default_factory=dict)
    sea: Any = None

    def ordered(self, unit: str) -> Orders | None:
        """What holds for a unit: from step 4 on a player's line, filled up by the captain; before it the line alone. Rule: P.K48."""
        return self.made.get(unit) or self.orders.get(unit)
