"""Thomas's 1500-1850 as the engine's rule set: the faces that the command line, the campaign and the pages know.

Rules: T.S19, T.C23, T.C34, T.C35 and, through the modules of this folder, the whole set (see rules.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from battles.engine.core.dice import Dice
from battles.engine.core.errors import Fault, NotationError, OrderFault, ScenarioFaults
from battles.engine.core.log import Event, Log
from battles.engine.core.outcome import Outcome
from battles.engine.core.ruleset import AtSea, Captain, CaptainMaker, ShipOrder, Step, Teller
from battles.engine.core.scenario import Scenario, ShipFacts, Strength
from battles.engine.rulesets.thomas import (
    card,
    closing,
    log_view,
    notation,
    overrides,
    record,
    refusals,
    seen,
    setup,
    telling,
    turn,
    wind,
)
from battles.engine.rulesets.thomas.at_sea import AT_SEA
from battles.engine.rulesets.thomas.captain import CAPTAINS
from battles.engine.rulesets.thomas.options import LAST_MOVE, with_defaults
from battles.engine.rulesets.thomas.play import Orders, Play, ThomasCaptain
from battles.engine.rulesets.thomas.state import Battle
from battles.engine.rulesets.thomas.view import View


class Thomas:
    """The rule set object. Stateless: one serves every battle. Rules: section 9, T.C23."""

    name = "thomas"
    title = "Thomas, 1500-1850"
    version = 1
    schema = record.SCHEMA
    steps: tuple[Step, ...] = turn.STEPS
    turn_limit = LAST_MOVE
    at_sea: AtSea = AT_SEA
    captains: Mapping[str, CaptainMaker] = CAPTAINS
    override_fields: Mapping[str, str] = overrides.WORDS

    def minutes_a_turn(self, options: Mapping[str, Any]) -> int:
        """An hour and a half, or what `hours_per_move` says. Rules: T.S14, T.C3, G.CO6."""
        return int(with_defaults(options)["minutes_per_move"])

    def card(self, facts: ShipFacts) -> dict[str, Any]:
        """The derived ship card as JSON. Raises ValueError when none can be made. Rules: T.S1-T.S9, T.S26-T.S30."""
        return card.card(facts).to_dict()

    def explain(self, facts: ShipFacts) -> tuple[tuple[str, str, str], ...]:
        """How the card came about: (field, clause, sentence) for each figure. Rule: T.S29."""
        return card.explain(facts)

    def scenario_faults(self, scenario: Scenario) -> tuple[Fault, ...]:
        """Unknown options and captains, cards, conditions, headings and places this set cannot play, all of them."""
        return tuple(sorted(self._faults_of(scenario)))

    def _faults_of(self, scenario: Scenario) -> Iterator[Fault]:
        if scenario.rule_set != self.name:
            yield Fault("rule_set", f"{scenario.rule_set!r} is not {self.name!r}")
        for n, side in enumerate(scenario.sides):
            if side.captain not in self.captains:
                known = ", ".join(sorted(self.captains))
                yield Fault(
                    f"sides[{n}].captain",
                    f"no captain {side.captain!r}; known are {known}",
                )
        yield from setup.faults(scenario)

    def begin(self, scenario: Scenario, dice: Dice, log: Log | None = None) -> Battle:
        """Ships placed, ready for the first move. Raises ScenarioFaults. Rules: T.S8, T.S20."""
        faults = self.scenario_faults(scenario)
        if faults:
            raise ScenarioFaults(faults)
        return setup.begin(scenario, dice, log)

    def advance(
        self,
        state: Battle,
        orders: Mapping[str, ShipOrder],
        captains: Mapping[str, Captain],
        dice: Dice,
        log: Log | None = None,
    ) -> Battle:
        """Play one move on a copy and return it. Unreadable orders and those for ships that take none are dropped and logged.

        What is more than allowed is cut to what is, when her time comes (T.B4b). Raises ValueError when the battle is over.
        Rules: section 9, T.S19, T.B4b.
        """
        battle = record.copy(state)
        play = _play(battle, captains, dice, log)
        if log is not None:
            log.turn, log.step = battle.move + 1, "orders"
        play.orders = _read(battle, orders, log)
        turn.play_move(battle, play)
        return battle

    def play(self, scenario: Scenario, dice: Dice, log: Log | None = None) -> Battle:
        """Begin and play to the end, one state throughout, under the captains that the sides name. Raises ScenarioFaults."""
        battle = self.begin(scenario, dice, log)
        captains = {code: self.captains[side.captain](side.doctrine) for code, side in battle.sides.items()}
        play = _play(battle, captains, dice, log)
        while not battle.ended:
            turn.play_move(battle, play)
        return battle

    def over(self, state: Battle) -> bool:
        """Whether the battle has ended. Rules: T.C4, T.C23."""
        return bool(state.ended)

    def outcome(self, state: Battle) -> Outcome:
        """The result of a battle that is over. Raises ValueError while it goes on. Rule: T.C23."""
        return closing.outcome(state)

    def faults(self, state: Battle, side: str, order: ShipOrder) -> tuple[OrderFault, ...]:
        """Everything wrong with an order as things stand now. Rules: T.S19, T.B4."""
        if state.ended:
            return (OrderFault("order/battle-over", "T.C23", "The battle is over."),)
        try:
            orders = notation.parse(order.text)
        except NotationError as error:
            return (OrderFault("order/unreadable", "T.S19", str(error)),)
        return refusals.faults(state, side, order.ship, orders)

    def seen_by(self, state: Battle, side: str) -> dict[str, Any]:
        """What one side may know, as JSON. Rule: T.S18."""
        return seen.seen_by(state, side)

    def log_seen_by(self, scenario: Scenario, events: Iterable[Event], side: str) -> Iterator[Event]:
        """What one side may read of a log. Rule: G.IN1."""
        return log_view.log_seen_by(scenario, events, side)

    def to_dict(self, state: Battle) -> dict[str, Any]:
        """The whole state as JSON with a schema number."""
        return record.to_dict(state)

    def from_dict(self, doc: Mapping[str, Any]) -> Battle:
        """Read back what `to_dict` wrote. Raises SchemaError."""
        return record.from_dict(doc)

    def teller(self, scenario: Scenario) -> Teller:
        """Tells a battle of this scenario from its log."""
        return telling.Teller(scenario)

    def weather_in(self, towards: int, strength: Strength) -> dict[str, Any]:
        """The chart's wind as the bearing it blows from and its strength. Rule: T.C34."""
        return wind.weather_in(towards, strength)

    def weather_out(self, state: Battle) -> tuple[int, Strength]:
        """The wind at the end in chart terms. Rule: T.C34."""
        return wind.chart_wind(state)


def _play(battle: Battle, captains: Mapping[str, Captain], dice: Dice, log: Log | None) -> Play:
    own = {code: cast(ThomasCaptain, captain) for code, captain in captains.items() if code in battle.sides}
    return Play(
        dice=dice,
        log=log,
        captains=own,
        views={code: View(battle, code) for code in battle.sides},
    )


def _read(battle: Battle, orders: Mapping[str, ShipOrder], log: Log | None) -> dict[str, Orders]:
    """Orders that can be begun, by ship id in list order; the others are logged as refused. Rule: T.S19."""
    read: dict[str, Orders] = {}
    for code in sorted(orders):
        text = orders[code].text
        flag = battle.ships[code].flag if code in battle.ships else ""
        found = refusals.standing(battle, flag, code)
        if not found:
            try:
                read[code] = notation.parse(text)
            except NotationError as error:
                found = (OrderFault("order/unreadable", "T.S19", str(error)),)
        if log is not None:
            for fault in found:
                log.add("refused", fault.clause, code, code=fault.code, asked=text, given="")
    return {code: read[code] for code in battle.ships if code in read}


RULES = Thomas()
