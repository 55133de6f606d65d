"""What a round is played with: dice, log, orders and captains; the face of a captain, and who decides what is asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from battles.engine.core.ruleset import Table
from battles.engine.rulesets.age_of_sail.state import Line, Ship

if TYPE_CHECKING:
    from battles.engine.rulesets.age_of_sail.view import View


class Shot(NamedTuple):
    """A volley as it is declared: broadside, step of her move, target, "hull" or "sails". step -1: at the end. Rules: A.F5, A.F7."""

    side: str
    step: int
    target: str
    aim: str = ""


class Course(NamedTuple):
    """How a ship or the leader of a line moves. turns: of -1, 0 or 1 points, each a centimetre. board: enemy that she may run aboard."""

    turns: tuple[int, ...] = ()
    board: str = ""


@dataclass(frozen=True, slots=True)
class Orders:
    """One ship's orders for one round, read from the one-line notation; what is None is left to the captain.

    turns: her path. repair: name of a mast, "" for none (A.R1). part: ids that she tries to part from (A.B11). crew: decks of a prize
    crew (A.B13). weigh: A.T2. anchor: step at which she drops anchor (A.T1). shots: volley by side, target "" to hold fire (A.F7).
    board: enemy to run aboard or to fight on with, "" for none (A.B2, A.B9). masts: which she gives up first (A.D6). detach: A.L6.
    withdraw: A.M20.
    """

    turns: tuple[int, ...] | None = None
    repair: str | None = None
    part: tuple[str, ...] | None = None
    crew: int | None = None
    weigh: bool | None = None
    anchor: int | None = None
    shots: dict[str, Shot] = field(default_factory=dict)
    board: str | None = None
    masts: tuple[str, ...] | None = None
    detach: bool | None = None
    withdraw: bool | None = None


class Sailor(Protocol):
    """Decides for the ships of one side, at the moment the rules need an answer. It draws no dice. Rules: A.P7, A.Q1-A.Q15."""

    name: str

    def withdraws(self, view: View) -> bool:
        """Whether the side withdraws. Rule: A.Q11."""
        ...

    def agrees_to_part(self, view: View) -> bool:
        """Whether the admiral would end the battle. Rules: A.V1, A.Q11."""
        ...

    def leaves(self, view: View, ship: Ship) -> bool:
        """Whether a ship withdraws by herself. Rules: A.Q11, A.Q12."""
        ...

    def detaches(self, view: View, ship: Ship, line: Line) -> bool:
        """Whether a ship leaves her line. Rule: A.Q8."""
        ...

    def parts(self, view: View, ship: Ship, other: Ship) -> bool:
        """Whether a ship tries to part from another. Rule: A.Q6."""
        ...

    def repairs(self, view: View, ship: Ship) -> bool:
        """Whether a ship tries to raise a mast. Rule: A.Q7."""
        ...

    def weighs(self, view: View, ship: Ship) -> bool:
        """Whether a ship at anchor weighs. Rule: A.Q9."""
        ...

    def anchors(self, view: View, ship: Ship) -> bool:
        """Whether a dismasted ship drops anchor. Rule: A.Q9."""
        ...

    def course(self, view: View, ship: Ship) -> Course:
        """How a ship alone or the leader of a line moves. Rules: A.Q4, A.Q5, A.Q13."""
        ...

    def shots(self, view: View, ship: Ship, path: list[tuple[int, int, int]]) -> list[Shot]:
        """The volleys of a ship along her path. Rules: A.Q1-A.Q3."""
        ...

    def fights_on(self, view: View, ship: Ship, foes: list[Ship]) -> str:
        """The entangled enemy that she fights again, "" for none. Rule: A.Q6."""
        ...


_NOTHING = Orders()


@dataclass(slots=True)
class Play(Table):
    """The table of this set. fought: ships of the active player that have started a fight this turn (A.B9)."""

    fought: set[str] = field(default_factory=set)

    def order(self, ship: Ship) -> Orders:
        """What a ship is ordered. Orders are for the side that gave them, so a prize obeys those of her new owner only."""
        given: Orders = self.orders.get(ship.id, _NOTHING)
        return given

    def captain(self, side: str) -> Sailor | None:
        """The captain of a side, None where it has none."""
        found: Sailor | None = self.captains.get(side)
        return found

    def view(self, side: str) -> View:
        """What the captain of a side sees."""
        found: View = self.views[side]
        return found
