"""Kohler's 1666 as the engine's rule set: the faces that the command line, the campaign and the pages know.

Rules: K.T1, K.G25, K.G26 and, through the modules of this folder, the whole set (see rules.md).
"""

from __future__ import annotations

from typing import Any

from battles.engine.core.errors import OrderFault
from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.kohler import card as cards
from battles.engine.rulesets.kohler import (
    closing,
    events,
    log_view,
    notation,
    record,
    setup,
    turn,
    wind,
)
from battles.engine.rulesets.kohler import view as view_
from battles.engine.rulesets.kohler.at_sea import AT_SEA
from battles.engine.rulesets.kohler.captain import CAPTAINS
from battles.engine.rulesets.kohler.options import LAST_TURN
from battles.engine.rulesets.kohler.play import Orders, Play
from battles.engine.rulesets.kohler.state import Battle
from battles.engine.rulesets.kohler.view import View


class Kohler(RuleSet[Battle]):
    """The rule set object. Stateless: one serves every battle. Rules: K.T1, K.G9, K.G26."""

    name = "kohler"
    title = "Kohler, 1666"
    schema = record.SCHEMA
    steps = turn.STEPS
    turn_limit = LAST_TURN
    at_sea = AT_SEA
    captains = CAPTAINS
    override_fields = cards.OVERRIDES
    kinds = events.KINDS
    clauses = notation.CLAUSES
    table_type = Play
    view = View
    log_view = log_view.LogView

    explain = staticmethod(cards.explain)
    setup_faults = staticmethod(setup.faults)
    place = staticmethod(setup.begin)
    play_turn = staticmethod(turn.play_turn)
    result = staticmethod(closing.outcome)
    parse = staticmethod(notation.parse)
    order_faults = staticmethod(notation.faults)
    to_dict = staticmethod(record.to_dict)
    from_dict = staticmethod(record.from_dict)
    copy = staticmethod(record.copy)
    seen_by = staticmethod(view_.seen_by)
    weather_in = staticmethod(wind.weather_in)
    weather_out = staticmethod(wind.chart_wind)

    def card(self, facts: ShipFacts) -> dict[str, Any]:
        """The derived ship card as JSON. Raises ValueError for overrides the set cannot use. Rule: K.S2."""
        return cards.card(facts).to_dict()

    def turns_played(self, state: Battle) -> int:
        """How many turns are over."""
        return state.turn

    def standing_faults(self, state: Battle, side: str, ship: str) -> tuple[OrderFault, ...]:
        """Why a ship takes no order at all from a side as things stand now. Rule: K.M31."""
        return notation.faults(state, side, ship, Orders())


RULES = Kohler()
