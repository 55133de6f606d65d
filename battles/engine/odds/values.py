"""Who came off best in a battle, by what was lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from battles.engine.core.fates import Fate
from battles.engine.core.outcome import Outcome
from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import Scenario
from battles.engine.odds.figures import NEITHER
from battles.engine.registry import rule_set


def cards_of(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """The card of every ship by its id."""
    rules: RuleSet[Any] = rule_set(scenario.rule_set)
    year = int(scenario.start[:4]) if scenario.start else None
    found = {}
    for _, _, ship in scenario.ships():
        # An old ship is judged by the year in which it fights, not by that of its launch.
        met = ship.facts.year_served if ship.facts.year_served is not None else year
        found[ship.id] = rules.card(replace(ship.facts, year_served=met))
    return found


def whole_values(scenario: Scenario) -> dict[str, Any]:
    """Whole value of every ship by its id, in the rule set's points."""
    at_sea = rule_set(scenario.rule_set).at_sea
    return {ship: at_sea.whole_value(card) for ship, card in cards_of(scenario).items()}


def winner(outcome: Outcome, values: dict[str, Any]) -> str:
    """The side whose enemies lost more by whole value than it lost itself; "" when it comes out even."""
    lost: dict[str, Any] = {}
    for entry in outcome.ships:
        gone = entry.fate.lost or entry.fate is Fate.CAPTURED
        lost[entry.side] = lost.get(entry.side, 0) + (values[entry.ship] if gone else 0)
    least = min(lost.values())
    best = [side for side, value in lost.items() if value == least]
    return best[0] if len(best) == 1 else NEITHER
