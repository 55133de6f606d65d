"""What every rule set is made from: the faces that the engine, the campaign and the pages know, and what all sets do alike.

None of them knows which rule set it is talking to. A set says how its ships are placed, what a turn does and how orders are read;
checking scenarios, reading orders, playing turn after turn are the same everywhere and stand here once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from battles.engine.core.at_sea import AtSea
from battles.engine.core.dice import Dice
from battles.engine.core.errors import Fault, NotationError, OrderFault, ScenarioFaults
from battles.engine.core.log import Event, Log
from battles.engine.core.log_view import LogView
from battles.engine.core.orders import Refusals, lost, standing
from battles.engine.core.outcome import Outcome
from battles.engine.core.scenario import Doctrine, Scenario, ShipFacts, Strength
from battles.engine.core.sequence import Step
from battles.engine.core.telling import Kinds, Names, Teller, words


class BattleState(Protocol):
    """What is the same in the state of every set's battle. ended: why it is over, "" while it goes on. sides, ships: by id."""

    ended: str

    @property
    def sides(self) -> Mapping[str, Any]:
        """The sides, by id, as `parties.sides_of` makes them."""
        ...

    @property
    def ships(self) -> Mapping[str, Any]:
        """The ships, by id; `flag` of each is the side whose colours she flies.

        Each has `name`, `afloat` (neither lost nor gone) and `expected` (yet to come) too: orders are refused by them.
        """
        ...


State = TypeVar("State", bound=BattleState)
# Thousandths of a nautical mile: where fleets under sail meet, and as far as their guns reach. Rules: G.CO2, G.KT5.
GUNSHOT = 1_000


@dataclass(frozen=True, slots=True)
class ShipOrder:
    """Orders of one ship for one turn, in the rule set's one-line notation. `ship` is her id in the scenario."""

    ship: str
    text: str


class Card(Protocol):
    """A derived ship card. `to_dict` gives what a page shows and what is stored with a ship."""

    def to_dict(self) -> dict[str, Any]:
        """As a JSON document with a schema number."""
        ...


class Captain(Protocol):
    """An automatic captain. What it decides is the rule set's own affair; it gets a view of one side, never the state."""

    name: str


class CaptainMaker(Protocol):
    """Makes the captain of a side, who obeys its doctrine."""

    def __call__(self, doctrine: Doctrine) -> Captain:
        """A new captain with no memory of earlier battles."""
        ...


@dataclass(slots=True)
class Table:
    """What a turn is played with besides the battle itself. orders: by ship id. captains, views: by side.

    Every die goes through `dice`, with its clause, whose it is and why.
    """

    dice: Dice
    log: Log | None = None
    orders: Mapping[str, Any] = field(default_factory=dict)
    captains: Mapping[str, Any] = field(default_factory=dict)
    views: Mapping[str, Any] = field(default_factory=dict)

    def tell(self, kind: str, clause: str, ship: str = "", /, **data: object) -> None:
        """Log an event, when a log is kept."""
        if self.log is not None:
            self.log.add(kind, clause, ship, **data)


class RuleSet(ABC, Generic[State]):
    """A published set of rules, playable to the end. Stateless: one object serves every battle.

    schema: of the stored state. steps: the sequence of play, in order. captains: makers by name; "plain" (straight for the nearest, no
    line) is always among them, and "commander" is the one that plays by default. override_fields: figures of a card that a register
    may set by hand, each with what will do for it, in words.
    kinds: of the events in its log, with their data and their sentences.
    wishes: names of the battle instructions that its captains know; the others mean nothing in it. takes_ships: whether ships change hands.
    handicaps: what of a side's ships a scenario may make less of.
    clauses: by which orders are refused. minutes: of the day in a battle turn, unless switches change it. table_type: what a turn is
    played with, made of dice, log, captains and views, its `orders` filled in later. view: what a captain sees, made of the state
    and his side. log_view: what one side may read.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    schema: ClassVar[int]
    steps: ClassVar[tuple[Step, ...]]
    turn_limit: ClassVar[int]
    minutes: ClassVar[int] = 30
    table_type: ClassVar[type[Table]] = Table
    view: ClassVar[type[Any]]
    log_view: ClassVar[type[LogView]]
    at_sea: ClassVar[AtSea]
    captains: ClassVar[Mapping[str, CaptainMaker]]
    override_fields: ClassVar[Mapping[str, str]] = {}
    kinds: ClassVar[Kinds]
    clauses: ClassVar[Refusals]
    wishes: ClassVar[frozenset[str]] = frozenset(field.name for field in fields(Doctrine))
    takes_ships: ClassVar[bool] = True
    handicaps: ClassVar[frozenset[str]] = frozenset()

    # --- ships ---

    @abstractmethod
    def card(self, facts: ShipFacts) -> dict[str, Any]:
        """The ship card derived from register facts, as a JSON document with a schema number. Raises ValueError when none can be made."""

    @abstractmethod
    def explain(self, facts: ShipFacts) -> tuple[tuple[str, str, str], ...]:
        """How the card came about: (field, clause, sentence) for each figure."""

    # --- a battle ---

    def minutes_a_turn(self, options: Mapping[str, Any]) -> int:
        """Minutes of the day that a battle turn stands for, under these switches of the set. Rule: G.CO6."""
        return self.minutes

    @abstractmethod
    def setup_faults(self, scenario: Scenario) -> Iterable[Fault]:
        """What this set cannot place or sail of a scenario: unknown switches, ships without figures."""

    @abstractmethod
    def place(self, scenario: Scenario, dice: Dice, log: Log | None) -> State:
        """Ships placed, ready for the first turn. The scenario has no faults."""

    def table(self, state: State, captains: Mapping[str, Captain], dice: Dice, log: Log | None) -> Any:
        """What a turn is played with: dice, log, captains and their views; `orders` is filled in by `advance`."""
        own = {code: captain for code, captain in captains.items() if code in state.sides}
        views = {code: self.view(state, code) for code in state.sides}
        return self.table_type(dice=dice, log=log, captains=own, views=views)

    @abstractmethod
    def play_turn(self, state: State, table: Any, /) -> None:
        """Play one turn in place; the last one plays the end of the battle too. Raises ValueError when the battle is over."""

    @abstractmethod
    def turns_played(self, state: State) -> int:
        """How many turns are over."""

    @abstractmethod
    def result(self, state: State, /) -> Outcome:
        """The result of a battle that is over; ships in = ships out."""

    def scenario_faults(self, scenario: Scenario) -> tuple[Fault, ...]:
        """What this set cannot play in a scenario that is otherwise well formed: all of it, sorted."""
        return tuple(sorted(self._faults_of(scenario)))

    def _faults_of(self, scenario: Scenario) -> Iterator[Fault]:
        if scenario.rule_set != self.name:
            yield Fault("rule_set", f"{scenario.rule_set!r} is not {self.name!r}")
        for n, side in enumerate(scenario.sides):
            if side.captain not in self.captains:
                known = ", ".join(sorted(self.captains))
                yield Fault(f"sides[{n}].captain", f"no captain {side.captain!r}; known are {known}")
        for n, one in enumerate(scenario.handicaps):
            if one.what not in self.handicaps:
                yield Fault(f"handicaps[{n}].what", f"this rule set has no handicap of {one.what}; remove it")
        yield from self.setup_faults(scenario)

    def begin(self, scenario: Scenario, dice: Dice, log: Log | None = None) -> State:
        """Ships placed, ready for the first turn. Raises ScenarioFaults."""
        faults = self.scenario_faults(scenario)
        if faults:
            raise ScenarioFaults(faults)
        if log is not None:
            log.turn, log.step = 0, "setup"
        return self.place(scenario, dice, log)

    def advance(
        self,
        state: State,
        orders: Mapping[str, ShipOrder],
        captains: Mapping[str, Captain],
        dice: Dice,
        log: Log | None = None,
    ) -> State:
        """Play one battle turn and return the new state; `state` itself is left as it was.

        orders: by ship id; those that cannot be read and those for ships that take none are dropped and logged with their clause, and
        the ship carries on. captains: by side id; they decide for every ship without an order. The turn in which the battle ends also
        plays the end of the battle. Raises ValueError when it is over already.
        """
        battle = self.copy(state)
        table = self.table(battle, captains, dice, log)
        if log is not None:
            log.turn, log.step = self.turns_played(battle) + 1, "orders"
        table.orders = self._read(battle, orders, log)
        self.play_turn(battle, table)
        return battle

    def play(self, scenario: Scenario, dice: Dice, log: Log | None = None) -> State:
        """Begin and play to the end under the captains that the sides name, one state throughout. Raises ScenarioFaults."""
        battle = self.begin(scenario, dice, log)
        captains = {code: self.captains[side.captain](side.doctrine) for code, side in battle.sides.items()}
        table = self.table(battle, captains, dice, log)
        while not battle.ended:
            self.play_turn(battle, table)
        return battle

    def over(self, state: State) -> bool:
        """Whether the battle has ended."""
        return bool(state.ended)

    def outcome(self, state: State) -> Outcome:
        """The result of a battle that is over. Raises ValueError while it goes on."""
        if not state.ended:
            raise ValueError("the battle is not over")
        return self.result(state)

    # --- orders ---

    @abstractmethod
    def parse(self, text: str) -> Any:
        """One ship's orders from the one-line notation. Raises NotationError."""

    def standing_faults(self, state: State, side: str, ship: str, /) -> tuple[OrderFault, ...]:
        """Why a ship takes no order at all from a side as things stand now; empty when she does."""
        against = standing(state, side, ship, self.clauses) or lost(state.ships[ship], self.clauses)
        return (against,) if against else ()

    def order_faults(self, state: State, side: str, ship: str, orders: Any, /) -> tuple[OrderFault, ...]:
        """Everything wrong with orders that have been read, as things stand now."""
        return self.standing_faults(state, side, ship)

    def refused(self, text: str, code: str) -> dict[str, Any]:
        """What the log keeps of an order that was dropped. text: as given; code: of the fault."""
        return {"token": text, "code": code}

    def faults(self, state: State, side: str, order: ShipOrder) -> tuple[OrderFault, ...]:
        """Everything wrong with an order as things stand now; empty when it can be begun."""
        if state.ended:
            return (OrderFault("order/battle-over", self.clauses.over, "The battle is over."),)
        try:
            orders = self.parse(order.text)
        except NotationError as error:
            return (OrderFault("order/unreadable", self.clauses.unreadable, str(error)),)
        return self.order_faults(state, side, order.ship, orders)

    def _read(self, battle: State, orders: Mapping[str, ShipOrder], log: Log | None) -> dict[str, Any]:
        """Orders that can be begun, by ship id in list order; the others are logged as refused."""
        read: dict[str, Any] = {}
        for code in sorted(orders):
            text = orders[code].text
            flag = battle.ships[code].flag if code in battle.ships else ""
            found = self.standing_faults(battle, flag, code)
            if not found:
                try:
                    read[code] = self.parse(text)
                except NotationError as error:
                    found = (OrderFault("order/unreadable", self.clauses.unreadable, str(error)),)
            if log is not None:
                for fault in found:
                    log.add("refused", fault.clause, code, **self.refused(text, fault.code))
        return {code: read[code] for code in battle.ships if code in read}

    # --- what is stored, seen and told ---

    @abstractmethod
    def to_dict(self, state: State, /) -> dict[str, Any]:
        """The whole state as JSON with a schema number; holds no floats."""

    @abstractmethod
    def from_dict(self, doc: Mapping[str, Any]) -> State:
        """Read back what `to_dict` wrote. Raises SchemaError."""

    def copy(self, state: State, /) -> State:
        """A state that shares nothing changeable with the first; a set may have a quicker way than by its document."""
        return self.from_dict(self.to_dict(state))

    @abstractmethod
    def seen_by(self, state: State, side: str, /) -> dict[str, Any]:
        """What one side may know, as a JSON document: the only thing its player's page is made of.

        Each ship on the board is an object with `id` and `side`. Only a side's own squadrons name their flag officers, and only its own
        ships what a spyglass cannot see.
        """

    def log_seen_by(self, scenario: Scenario, events: Iterable[Event], side: str) -> Iterator[Event]:
        """The events of a log that one side may read, in order, the other side's secrets taken out. Rule: G.IN1."""
        return self.log_view.log_seen_by(scenario, events, side)

    def words(self, event: Event, names: Names) -> str:
        """An event of the log in words; "" for a kind that the set does not know."""
        return words(self.kinds, event, names)

    def teller(self, scenario: Scenario) -> Teller:
        """Someone to tell a battle of this scenario from its log, turn after turn."""
        return Teller(scenario, self.kinds)

    # --- the chart ---

    def meets_at(self, visibility: str) -> int:
        """How near fleets are when a contact by day becomes a battle, thousandths of a mile. visibility: clear, haze, fog. Rule: G.CO2."""
        return GUNSHOT

    def guns_reach(self, year: int) -> int:
        """How far guns reach in a chase at long shot, thousandths of a mile. Rule: G.KT5."""
        return GUNSHOT

    def by_night(self, options: Mapping[str, Any]) -> bool:
        """Whether a battle goes on after nightfall, under these switches of the set. Rule: G.CO4."""
        return False

    def hour_in(self, sunrise: int, nightfall: int, visibility: str) -> dict[str, Any]:
        """The switches by which a battle learns the chart's daylight, in hours of the day, and its visibility; none by default.

        Rules: G.CL1, G.WX4.
        """
        return {}

    def port_in(self, guard: int) -> dict[str, Any]:
        """The switches by which a battle learns of a port's guns, where the set plays them itself; none by default. Rule: G.PT1."""
        return {}

    def mines_in(
        self, towards: int, sown: Mapping[str, Sequence[int]], unsown: Mapping[str, Mapping[str, int]]
    ) -> dict[str, Any]:
        """The switches by which a battle learns of minefields, where the set plays them; none by default.

        towards: of the wind, degrees. sown: sections of each field, by its side. unsown: sections aboard, by side and ship. Rule: G.MN4.
        """
        return {}

    def weather_in(self, towards: int, strength: Strength) -> dict[str, Any]:
        """The chart's wind in the set's own terms. Rule: G.WX3."""
        return {"towards": towards, "strength": strength.value}

    @abstractmethod
    def weather_out(self, state: State, /) -> tuple[int, Strength]:
        """The wind at the end in chart terms: degrees towards, strength. Rule: G.WX3."""
