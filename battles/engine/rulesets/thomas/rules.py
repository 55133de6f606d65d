"""Thomas's 1500-1850 as the engine's rule set: the faces that the command line, the campaign and the pages know.

Rules: T.S19, T.C23, T.C34, T.C35 and, through the modules of this folder, the whole set (see rules.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.thomas import card as cards
from battles.engine.rulesets.thomas import (
    closing,
    events,
    handicap,
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
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle
from battles.engine.rulesets.thomas.view import View


class Thomas(RuleSet[Battle]):
    """The rule set object. Stateless: one serves every battle. Rules: section 9, T.C23."""

    name = "thomas"
    title = "Thomas, 1500–1850"
    schema = record.SCHEMA
    steps = turn.STEPS
    turn_limit = LAST_MOVE
    at_sea = AT_SEA
    captains = CAPTAINS
    override_fields = overrides.WORDS
    kinds = events.KINDS
    clauses = refusals.CLAUSES
    handicaps = handicap.KINDS
    table_type = Play
    view = View
    log_view = log_view.LogView

    explain = staticmethod(cards.explain)
    setup_faults = staticmethod(setup.faults)
    place = staticmethod(setup.begin)
    play_turn = staticmethod(turn.play_move)
    result = staticmethod(closing.outcome)
    parse = staticmethod(notation.parse)
    standing_faults = staticmethod(refusals.standing)
    order_faults = staticmethod(refusals.faults)
    to_dict = staticmethod(record.to_dict)
    from_dict = staticmethod(record.from_dict)
    copy = staticmethod(record.copy)
    seen_by = staticmethod(seen.seen_by)
    weather_in = staticmethod(wind.weather_in)
    weather_out = staticmethod(wind.chart_wind)

    def card(self, facts: ShipFacts) -> dict[str, Any]:
        """The derived ship card as JSON. Raises ValueError when none can be made. Rules: T.S1-T.S9, T.S26-T.S30."""
        return cards.card(facts).to_dict()

    def hour_in(self, sunrise: int, nightfall: int, visibility: str) -> dict[str, Any]:
        """That the battle is one of a campaign, whose chart has brought the fleets within gunshot. Rules: T.C1, T.S20."""
        return {"campaign": True}

    def minutes_a_turn(self, options: Mapping[str, Any]) -> int:
        """An hour and a half, or what `hours_per_move` says. Rules: T.S14, T.C3, G.CO6."""
        return int(with_defaults(options)["minutes_per_move"])

    def turns_played(self, state: Battle) -> int:
        """How many turns are over."""
        return state.move

    def refused(self, text: str, code: str) -> dict[str, Any]:
        """What the log keeps of an order that was dropped."""
        return {"code": code, "asked": text, "given": ""}


RULES = Thomas()
