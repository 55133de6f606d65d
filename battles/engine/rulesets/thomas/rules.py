"""Thomas's 1500-1850 as the engine's rule set: the faces that the command line, the campaign and the pages know.

Rules: T.S19, T.C23, T.C34, T.C35 and, through the modules of this folder, the whole set (see rules.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from battles.engine.core.dice import Dice
from battles.engine.core.errors import Fault, OrderFault
from battles.engine.core.log import Event, Log
from battles.engine.core.outcome import Outcome
from battles.engine.core.ruleset import Captain, RuleSet
from battles.engine.core.scenario import Scenario, ShipFacts, Strength
from battles.engine.rulesets.thomas import (
    card,
    closing,
    events,
    log_view,
    notation,
    overrides,
    record,
    refusals,
    seen,
    setup,
    turn,
    wind,
)
from battles.engine.rulesets.thomas.at_sea import AT_SEA
from battles.engine.rulesets.thomas.captain import CAPTAINS
from battles.engine.rulesets.thomas.options import LAST_MOVE, with_defaults
from battles.engine.rulesets.thomas.play import Orders, Play, ThomasCaptain
from battles.engine.rulesets.thomas.state import Battle
from battles.engine.rulesets.thomas.view import View


class Thomas(RuleSet[Battle]):
    """The rule set object. Stateless: one serves every battle. Rules: section 9, T.C23."""

    name = "thomas"
    title = "Thomas, 1500-1850"
    version = 1
    schema = record.SCHEMA
    steps = turn.STEPS
    turn_limit = LAST_MOVE
    at_sea = AT_SEA
    captains = CAPTAINS
    override_fields = overrides.WORDS
    kinds = events.KINDS
    unreadable, over_by = "T.S19", "T.C23"

    def card(self, facts: ShipFacts) -> dict[str, Any]:
        """The derived ship card as JSON. Raises ValueError when none can be made. Rules: T.S1-T.S9, T.S26-T.S30."""
        return card.card(facts).to_dict()

    def explain(self, facts: ShipFacts) -> tuple[tuple[str, str, str], ...]:
        """How the card came about: (field, clause, sentence) for each figure. Rule: T.S29."""
        return card.explain(facts)

    def minutes_a_turn(self, options: Mapping[str, Any]) -> int:
        """An hour and a half, or what `hours_per_move` says. Rules: T.S14, T.C3, G.CO6."""
        return int(with_defaults(options)["minutes_per_move"])

    def setup_faults(self, scenario: Scenario) -> Iterable[Fault]:
        """Unknown switches, cards, conditions, headings and places that this set cannot play."""
        return setup.faults(scenario)

    def place(self, scenario: Scenario, dice: Dice, log: Log | None) -> Battle:
        """Ships placed, ready for the first turn. Rules: T.S8, T.S20."""
        return setup.begin(scenario, dice, log)

    def table(self, state: Battle, captains: Mapping[str, Captain], dice: Dice, log: Log | None) -> Play:
        """What a turn is played with."""
        own = {
            code: cast(ThomasCaptain, captain) for code, captain in captains.items() if code in state.sides
        }
        return Play(dice=dice, log=log, captains=own, views={code: View(state, code) for code in state.sides})

    def play_turn(self, state: Battle, table: Play) -> None:
        """One turn. What is more than allowed is cut to what is, when a ship's time comes. Rules: section 9, T.B4b."""
        turn.play_move(state, table)

    def turns_played(self, state: Battle) -> int:
        """How many turns are over."""
        return state.move

    def result(self, state: Battle) -> Outcome:
        """The result of a battle that is over. Rule: T.C23."""
        return closing.outcome(state)

    def parse(self, text: str) -> Orders:
        """One ship's orders from the one-line notation. Raises NotationError. Rule: T.S19."""
        return notation.parse(text)

    def standing_faults(self, state: Battle, side: str, ship: str) -> tuple[OrderFault, ...]:
        """Why a ship takes no order at all from a side as things stand now. Rule: T.S19."""
        return refusals.standing(state, side, ship)

    def order_faults(self, state: Battle, side: str, ship: str, orders: Orders) -> tuple[OrderFault, ...]:
        """Everything wrong with orders that have been read, as things stand now. Rules: T.S19, T.B4."""
        return refusals.faults(state, side, ship, orders)

    def refused(self, text: str, code: str) -> dict[str, Any]:
        """What the log keeps of an order that was dropped."""
        return {"code": code, "asked": text, "given": ""}

    def to_dict(self, state: Battle) -> dict[str, Any]:
        """The whole state as JSON with a schema number."""
        return record.to_dict(state)

    def from_dict(self, doc: Mapping[str, Any]) -> Battle:
        """Read back what `to_dict` wrote. Raises SchemaError."""
        return record.from_dict(doc)

    def copy(self, state: Battle) -> Battle:
        """A state that shares nothing changeable with the first, quicker than by its document."""
        return record.copy(state)

    def seen_by(self, state: Battle, side: str) -> dict[str, Any]:
        """What one side may know, as JSON. Rule: T.S18."""
        return seen.seen_by(state, side)

    def log_seen_by(self, scenario: Scenario, events: Iterable[Event], side: str) -> Iterator[Event]:
        """What one side may read of a log. Rule: G.IN1."""
        return log_view.log_seen_by(scenario, events, side)

    def weather_in(self, towards: int, strength: Strength) -> dict[str, Any]:
        """The chart's wind as the bearing it blows from and its strength. Rule: T.C34."""
        return wind.weather_in(towards, strength)

    def weather_out(self, state: Battle) -> tuple[int, Strength]:
        """The wind at the end in chart terms. Rule: T.C34."""
        return wind.chart_wind(state)


RULES = Thomas()
