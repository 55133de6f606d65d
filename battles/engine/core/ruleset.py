"""The interface that every rule set implements, and the questions that the campaign asks of one.

The engine, the campaign and the pages know these faces only; none of them knows which rule set it is talking to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeVar

from battles.engine.core.dice import Dice
from battles.engine.core.errors import Fault, OrderFault
from battles.engine.core.log import Event, Log
from battles.engine.core.outcome import Outcome
from battles.engine.core.scenario import Doctrine, Scenario, ShipFacts, Strength

State = TypeVar("State")


class Step(NamedTuple):
    """One step of the sequence of play: an id for the log, its clause ids, and its name on the help page."""

    id: str
    clauses: tuple[str, ...]
    name: str


@dataclass(frozen=True, slots=True)
class ShipOrder:
    """Orders of one ship for one turn, in the rule set's one-line notation. `ship` is her id in the scenario."""

    ship: str
    text: str


@dataclass(frozen=True, slots=True)
class Work:
    """What a dockyard has to do. hull: none, light, medium, heavy or worse; masts, batteries: how many. Rule: G.RP2."""

    hull: str
    masts: int = 0
    batteries: int = 0


class Mark(NamedTuple):
    """A figure of a ship's condition that a table writes on her card. least, most: its bounds. Rule: G.BT2."""

    name: str
    label: str
    value: int
    least: int
    most: int
    clause: str

    def check(self, value: int) -> None:
        """Raises ValueError for a figure out of bounds, with a sentence."""
        if not self.least <= value <= self.most:
            raise ValueError(f"{self.label} is {value}; it may be {self.least} to {self.most}")


class Card(Protocol):
    """A derived ship card. `to_dict` gives what a page shows and what is stored with a ship."""

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        ...


class Teller(Protocol):
    """Puts the events of one battle into sentences; asked turn after turn, in order."""

    def turn(self, events: Iterable[Event]) -> list[str]:
        """The sentences of one turn, by name."""
        ...


class Captain(Protocol):
    """An automatic captain. What he decides is the rule set's own affair; he gets a view of one side, never the state."""

    name: str


class CaptainMaker(Protocol):
    """Makes the captain of a side, who obeys its doctrine."""

    def __call__(self, doctrine: Doctrine) -> Captain:
        """A new captain with no memory of earlier battles."""
        ...


class AtSea(Protocol):
    """The campaign's questions about a ship, pure functions of card and condition (JSON documents as stored).

    Fractions are exact. `prize` tells that she sails under a prize crew. port_batteries: the set plays the guns of a port itself.
    """

    port_batteries: bool

    def sound(self, card: Mapping[str, Any]) -> dict[str, Any]:
        """The condition of an undamaged ship."""
        ...

    def hull_fraction(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Fraction:
        """Share of the hull lost, 0 to 1."""
        ...

    def steps_lost(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> int:
        """Damage steps lost, what G.GF1 counts."""
        ...

    def work(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Work:
        """What a yard has to do to make her whole. Rule: G.RP2."""
        ...

    def mend(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], *, done: str, men: int, complement: int
    ) -> dict[str, Any]:
        """The condition after finished work: done is "hull", "mast", "battery" or "recruits"."""
        ...

    def sea_speed(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Fraction:
        """Factor on the chart's cruising speed for damage, 0 to 1. Rule: G.MV1."""
        ...

    def no_go(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> int:
        """Degrees off the wind within which she cannot lay her course. Rule: G.MV1."""
        ...

    def men(self, card: Mapping[str, Any], condition: Mapping[str, Any], complement: int) -> int:
        """Men left of a full complement after this damage. Rule: G.CR1."""
        ...

    def can_sail(self, card: Mapping[str, Any], men: int, complement: int) -> bool:
        """Whether so many men can sail her."""
        ...

    def value(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> Fraction:
        """Her present value in the set's own points."""
        ...

    def whole_value(self, card: Mapping[str, Any]) -> Fraction:
        """Her value undamaged."""
        ...

    def pounds(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> int:
        """What a prize court values her at as she is, in whole pounds. Rule: G.PR4."""
        ...

    def commissioned(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], *, men: int, complement: int
    ) -> dict[str, Any]:
        """The condition of a prize taken into service: the men aboard are her people, nobody is a captive any more. Rule: G.PR4."""
        ...

    def carpenters(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> dict[str, Any]:
        """Her condition after her own carpenters have done what they may on a cruise: up to a tenth of the hull lost.

        Unchanged in sets that forbid mending at sea. Rules: G.0, G.RP1.
        """
        ...

    def jury_mast(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> dict[str, Any]:
        """Her condition after a quiet day at sea in which she rigged one jury mast.

        Unchanged in sets without masts, or whose own clause rigs them (in `watch_at_sea`). Rules: G.0, G.RP1.
        """
        ...

    def deep(self, card: Mapping[str, Any]) -> bool:
        """Whether she is too deep for shoals. Rule: G.CH4."""
        ...

    def steam(self, card: Mapping[str, Any]) -> bool:
        """Whether she goes by steam, which a neutral port does not shelter. Rule: G.NE1."""
        ...

    def hit(self, card: Mapping[str, Any], condition: Mapping[str, Any], hits: int) -> dict[str, Any]:
        """Her condition after so many hits in the hull, in the set's smallest unit; nothing is left at the most. Rule: G.PT1."""
        ...

    def at_anchor(self, scenario: Mapping[str, Any], side: str) -> dict[str, Any]:
        """A scenario document in which the ships of a side lie at anchor, as far as the set knows anchoring. Rule: G.PT1."""
        ...

    def watch_at_sea(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], strength: Strength, dice: Dice, ship: str
    ) -> dict[str, Any]:
        """Her condition after four hours at sea in this wind. Rule: G.GF2."""
        ...

    def marks(self, card: Mapping[str, Any], condition: Mapping[str, Any]) -> tuple[Mark, ...]:
        """What a table writes on her card, as it stands now, in the order of the result sheet. Rule: G.BT2."""
        ...

    def marked(
        self, card: Mapping[str, Any], condition: Mapping[str, Any], values: Mapping[str, int]
    ) -> dict[str, Any]:
        """Her condition with other marks, by name. Raises ValueError with a sentence for one that cannot be. Rule: G.BT2."""
        ...


class RuleSet(Protocol[State]):
    """A published set of rules, playable to the end.

    version grows whenever the same dice and orders would give another battle. steps: the sequence of play, in order.
    captains: makers by name; "plain" (straight for the nearest, no line) is always among them, and
    "commander" is the one that plays by default. override_fields: figures of a card that a register may set by hand, each with
    what will do for it, in words.
    """

    name: str
    title: str
    version: int
    schema: int
    steps: tuple[Step, ...]
    turn_limit: int
    at_sea: AtSea
    captains: Mapping[str, CaptainMaker]
    override_fields: Mapping[str, str]

    def minutes_a_turn(self, options: Mapping[str, Any]) -> int:
        """Minutes of the day that a battle turn stands for, under these switches of the set. Rule: G.CO6."""
        ...

    def card(self, facts: ShipFacts) -> dict[str, Any]:
        """The ship card derived from register facts, as a JSON document with a schema number."""
        ...

    def explain(self, facts: ShipFacts) -> tuple[tuple[str, str, str], ...]:
        """How the card came about: (field, clause, sentence) for each figure."""
        ...

    def scenario_faults(self, scenario: Scenario) -> tuple[Fault, ...]:
        """What this set cannot play in a scenario that is otherwise well formed (unknown options, ships without figures)."""
        ...

    def begin(self, scenario: Scenario, dice: Dice, log: Log | None = None) -> State:
        """Ships placed, ready for the first turn. Raises ScenarioFaults."""
        ...

    def advance(
        self,
        state: State,
        orders: Mapping[str, ShipOrder],
        captains: Mapping[str, Captain],
        dice: Dice,
        log: Log | None = None,
    ) -> State:
        """Play one battle turn and return the new state; `state` itself is left as it was.

        orders: by ship id; illegal ones are dropped, logged with their clause, and the ship carries on. captains: by side id;
        they decide for every ship without an order. The turn in which the battle ends also plays the end of the battle.
        """
        ...

    def play(self, scenario: Scenario, dice: Dice, log: Log | None = None) -> State:
        """Begin and advance to the end under the captains that the sides name. The fast path: may reuse one state throughout."""
        ...

    def over(self, state: State) -> bool:
        """Whether the battle has ended."""
        ...

    def outcome(self, state: State) -> Outcome:
        """The result of a battle that is over; ships in = ships out. Raises ValueError while it goes on."""
        ...

    def faults(self, state: State, side: str, order: ShipOrder) -> tuple[OrderFault, ...]:
        """Everything wrong with an order as things stand now; empty when it can be begun."""
        ...

    def seen_by(self, state: State, side: str) -> dict[str, Any]:
        """What one side may know, as a JSON document: the only thing its player's page is made of."""
        ...

    def log_seen_by(self, scenario: Scenario, events: Iterable[Event], side: str) -> Iterator[Event]:
        """The events of a log that one side may read, in order, the other side's secrets taken out. Rule: G.IN1."""
        ...

    def to_dict(self, state: State) -> dict[str, Any]:
        """The whole state as JSON with a schema number; holds no floats."""
        ...

    def from_dict(self, doc: Mapping[str, Any]) -> State:
        """Read back what `to_dict` wrote. Raises SchemaError."""
        ...

    def teller(self, scenario: Scenario) -> Teller:
        """Somebody to tell a battle of this scenario from its log."""
        ...

    def weather_in(self, towards: int, strength: Strength) -> dict[str, Any]:
        """The chart's wind in the set's own terms. Rule: G.WX3."""
        ...

    def weather_out(self, state: State) -> tuple[int, Strength]:
        """The wind at the end in chart terms: degrees towards, strength. Rule: G.WX3."""
        ...
