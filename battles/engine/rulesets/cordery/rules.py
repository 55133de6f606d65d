"""Cordery's ironclads as the engine's rule set: the faces that the command line, the campaign and the pages know.

Rules: C.P7, C.P9, C.K8, C.K33 and, through the modules of this folder, the whole set (see rules.md).
"""

from __future__ import annotations

from typing import Any

from battles.engine.core.errors import OrderFault
from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import ShipFacts, Strength
from battles.engine.rulesets.cordery import card as cards
from battles.engine.rulesets.cordery import closing, events, log_view, notation, record, setup, tables, turn
from battles.engine.rulesets.cordery import view as view_
from battles.engine.rulesets.cordery.at_sea import AT_SEA
from battles.engine.rulesets.cordery.captain import CAPTAINS
from battles.engine.rulesets.cordery.options import LAST_TURN
from battles.engine.rulesets.cordery.play import Orders, Play
from battles.engine.rulesets.cordery.state import Battle
from battles.engine.rulesets.cordery.view import View


class Cordery(RuleSet[Battle]):
    """The rule set object. Stateless: one serves every battle."""

    name = "cordery"
    title = "Cordery, ironclads 1870–1905"
    schema = record.SCHEMA
    steps = turn.STEPS
    turn_limit = LAST_TURN
    minutes = tables.MINUTES
    at_sea = AT_SEA
    captains = CAPTAINS
    wishes = frozenset({"stance", "fight_at", "chase", "board", "break_off", "protect"})
    takes_ships = False
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

    def card(self, facts: ShipFacts) -> dict[str, Any]:
        """The derived ship card as JSON. Raises ValueError for a ship that the set cannot play. Rules: C.N7, C.N10."""
        return cards.card(facts).to_dict()

    def turns_played(self, state: Battle) -> int:
        """How many turns are over."""
        return state.turn

    def standing_faults(self, state: Battle, side: str, ship: str) -> tuple[OrderFault, ...]:
        """Why a ship takes no order at all from a side as things stand now."""
        return notation.faults(state, side, ship, Orders())

    def weather_out(self, state: Battle) -> tuple[int, Strength]:
        """The wind as it came. Rule: C.K22."""
        return state.towards, Strength(state.strength)


RULES = Cordery()
