"""Age of Sail as the engine's rule set: the faces that the command line, the campaign and the pages know. See rules.md."""

from __future__ import annotations

from typing import Any

from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.age_of_sail import card as cards
from battles.engine.rulesets.age_of_sail import (
    closing,
    events,
    log_view,
    notation,
    record,
    refusals,
    seen,
    setup,
    turn,
    wind,
)
from battles.engine.rulesets.age_of_sail.at_sea import AT_SEA
from battles.engine.rulesets.age_of_sail.captain import CAPTAINS
from battles.engine.rulesets.age_of_sail.play import Play
from battles.engine.rulesets.age_of_sail.state import Battle
from battles.engine.rulesets.age_of_sail.tables import LAST_ROUND, MINUTES
from battles.engine.rulesets.age_of_sail.view import View


class AgeOfSail(RuleSet[Battle]):
    """The rule set object. Stateless: one serves every battle. Rules: A.G8, A.G34."""

    name = "age_of_sail"
    title = "Age of Sail, 1600–1815"
    schema = record.SCHEMA
    steps = turn.STEPS
    turn_limit = LAST_ROUND
    minutes = MINUTES
    at_sea = AT_SEA
    captains = CAPTAINS
    override_fields = cards.WORDS
    kinds = events.KINDS
    clauses = refusals.CLAUSES
    table_type = Play
    view = View
    log_view = log_view.LogView

    explain = staticmethod(cards.explain)
    setup_faults = staticmethod(setup.faults)
    place = staticmethod(setup.begin)
    play_turn = staticmethod(turn.play_round)
    result = staticmethod(closing.outcome)
    parse = staticmethod(notation.parse)
    standing_faults = staticmethod(refusals.standing)
    order_faults = staticmethod(refusals.faults)
    to_dict = staticmethod(record.to_dict)
    from_dict = staticmethod(record.from_dict)
    copy = staticmethod(record.copy)
    seen_by = staticmethod(seen.seen_by)
    weather_in = staticmethod(wind.weather_in)
    weather_out = staticmethod(wind.weather_out)

    def card(self, facts: ShipFacts) -> dict[str, Any]:
        """The derived ship card as JSON. Raises ValueError when none can be made. Rules: A.C1-A.C15."""
        return cards.card(facts).to_dict()

    def turns_played(self, state: Battle) -> int:
        """How many rounds are over."""
        return state.turn


RULES = AgeOfSail()
