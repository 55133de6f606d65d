"""What a move is played with: dice, log, orders and captains; the face of a captain, and who decides what is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from battles.engine.core.ruleset import Table
from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.tables import Arc
from battles.engine.rulesets.thomas.view import View


class Course(NamedTuple):
    """How a ship moves, and what she announces while moving. Rules: T.B4, T.B6d, T.O1, T.O4f, T.S22.

    turn1, turn2: hundredths of a degree, clockwise positive. distance: thousandths of an inch. boats: her boats tow her.
    heave_to: she drifts all the next move. raise_sail: she rows this move and sails the next. cut_cable: at anchor only.
    take_in_tow: id of the ship she lies in front of, or "".
    """

    turn1: int = 0
    distance: int = 0
    turn2: int = 0
    boats: bool = False
    heave_to: bool = False
    raise_sail: bool = False
    cut_cable: bool = False
    take_in_tow: str = ""


@dataclass(frozen=True, slots=True)
class Orders:
    """One ship's orders for one move, read from the one-line notation; whatever is None is left to the captain.

    under_way: throw to sail again (T.B6e). irons_turn: the one turn out of irons (T.B7b). dishonour: T.O6n. to_oars: T.O4e.
    cast_off: T.O3g. alongside: "board", "cut" or "hold" (T.B12l). board: ids in order of preference (T.B12b). gunners: men kept
    at the guns in a boarding (T.O5c). withdraw, cut: T.B12j, T.B12k. join: T.O6j. targets: ship id by group, "" to hold fire,
    a group left out is left to the captain (T.B10f). jettison: T.O7a. strike: T.O6. secure: men by prize id, -1 for as many as
    the captain thinks right (T.O6d-T.O6f). save: lie to for survivors (T.O5h).
    """

    course: Course | None = None
    under_way: bool | None = None
    irons_turn: int | None = None
    dishonour: bool | None = None
    to_oars: bool | None = None
    cast_off: bool | None = None
    alongside: str | None = None
    board: tuple[str, ...] | None = None
    gunners: int | None = None
    withdraw: bool | None = None
    cut: bool | None = None
    join: bool | None = None
    targets: Mapping[Arc, str] = field(default_factory=dict)
    jettison: bool | None = None
    strike: bool | None = None
    secure: Mapping[str, int] | None = None
    save: bool | None = None


class ThomasCaptain(Protocol):
    """Decides for the ships of one side, from a view of that side only. Asked at the moment the rules need an answer."""

    name: str

    def begin_move(self, view: View) -> None:
        """Wind and first side are known; make the move's plan. Section 12."""
        ...

    def fights_on(self, view: View) -> bool:
        """Whether the side wishes to fight on after nightfall. Rule: T.C5."""
        ...

    def ship_order(self, view: View, ships: tuple[str, ...]) -> tuple[str, ...]:
        """The order in which ships of a side move; the same ids, rearranged. Rule: T.B4f."""
        ...

    def under_way(self, view: View, ship: str) -> bool:
        """Whether a drifter throws to get under way. Rule: T.B6e."""
        ...

    def irons_turn(self, view: View, ship: str) -> int:
        """The one turn of a ship in irons, hundredths of a degree. Rule: T.B7b."""
        ...

    def dishonours(self, view: View, ship: str) -> bool:
        """Whether a ship that struck changes her mind. Rule: T.O6n."""
        ...

    def to_oars(self, view: View, ship: str) -> bool:
        """Whether she takes this move to get her oars out. Rule: T.O4e."""
        ...

    def casts_off(self, view: View, ship: str) -> bool:
        """Whether the tower lets her tow go. Rule: T.O3g."""
        ...

    def alongside(self, view: View, ship: str, enemy: str) -> str:
        """Made fast and not fighting: "board", "cut" or "hold". Rule: T.B12l."""
        ...

    def course(self, view: View, ship: str) -> Course:
        """How a ship moves whose turn it is. Rule: T.B4."""
        ...

    def boards(self, view: View, ship: str, enemies: tuple[str, ...]) -> str:
        """Which of the ships in contact to grapple, "" for none. Rule: T.B12b."""
        ...

    def gunners(self, view: View, ship: str) -> int:
        """Men kept at the guns in a boarding. Rule: T.O5c."""
        ...

    def withdraws(self, view: View, ship: str, enemy: str) -> bool:
        """Whether the boarders break off a fight that goes on. Rule: T.B12j."""
        ...

    def cuts(self, view: View, ship: str, enemy: str) -> bool:
        """Whether to throw for the grapples after repelling boarders. Rule: T.B12k."""
        ...

    def joins(self, view: View, ship: str) -> bool:
        """Whether a crew that was just taken fights beside the friends who board. Rule: T.O6j."""
        ...

    def secures(self, view: View, ship: str, prizes: tuple[str, ...]) -> Mapping[str, int]:
        """Men to send into each struck ship within reach, by id; one left out is not secured. Rules: T.O6d, T.O6f."""
        ...

    def detail(self, view: View, prize: str) -> str:
        """The ship that is to secure a prize, "" for the nearest not engaged. Rule: T.O6e."""
        ...

    def accepts(self, view: View, ship: str) -> bool:
        """Whether the surrender of a dishonoured enemy is accepted. Rules: T.O6, T.O6n."""
        ...

    def targets(self, view: View, ship: str) -> Mapping[Arc, str]:
        """Target id by group, "" to hold fire; a group left out does not fire. Rules: T.B10c, T.B10f."""
        ...

    def jettisons(self, view: View, ship: str) -> bool:
        """Whether a battery goes overboard to save a point. Rule: T.O7a."""
        ...

    def strikes(self, view: View, ship: str) -> bool:
        """Whether she strikes as the move ends. Rule: T.O6."""
        ...

    def saves(self, view: View, ship: str, sinking: str) -> bool:
        """Whether she lies to for the people of a sinking ship. Rule: T.O5h."""
        ...


class Hit(NamedTuple):
    """A hit waiting for the damage step. doubled: raking (T.N1). six: takes batteries (T.B11). close: by the firing type."""

    firer: str
    target: str
    six: bool
    doubled: bool
    close: bool


class Asked(NamedTuple):
    """Who decides for a ship when her orders do not, and what he sees."""

    captain: ThomasCaptain
    view: View


@dataclass(slots=True)
class Play(Table):
    """Everything a step needs besides the battle itself.

    hits: what the side that fires has scored, in the order thrown, until the damage step (T.B3b). sinking:
    ships that went down this move with people to save, still at their last places (T.O5h). times: how often two ships have met
    in one sort of throw this move, so that the dice of a second round have keys of their own.
    """

    orders: Mapping[str, Orders] = field(default_factory=dict)
    captains: Mapping[str, ThomasCaptain] = field(default_factory=dict)
    views: Mapping[str, View] = field(default_factory=dict)
    hits: list[Hit] = field(default_factory=list)
    sinking: list[Ship] = field(default_factory=list)
    times: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def order(self, ship: Ship) -> Orders:
        """Her orders, empty ones when she has none."""
        return self.orders.get(ship.id, NO_ORDERS)

    def captain(self, ship: Ship) -> Asked | None:
        """Who decides for a ship when her orders do not, and what he sees; None when her side has no captain."""
        captain = self.captains.get(ship.flag)
        return None if captain is None else Asked(captain, self.views[ship.flag])

    def again(self, what: str, ship: str, other: str) -> int:
        """How often this throw of one ship against another has been made before in this move; counts it. Rule: G.FA1."""
        times = self.times[what, ship, other]
        self.times[what, ship, other] += 1
        return times

    def begin_move(self) -> None:
        """Forget what belonged to the move before."""
        self.hits.clear()
        self.sinking.clear()
        self.times.clear()


NO_ORDERS = Orders()
