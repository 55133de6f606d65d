"""Barker's pre-dreadnoughts as the engine's rule set: the faces that the command line, the campaign and the pages know. See rules.md.

Rules: P.K04, P.K15, P.K38, P.K40, P.K41, P.K49, P.K51 and, through the modules of this folder, the whole set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from battles.engine.core.errors import OrderFault
from battles.engine.core.ruleset import RuleSet
from battles.engine.core.scenario import ShipFacts
from battles.engine.rulesets.barker import card as cards
from battles.engine.rulesets.barker import (
    closing,
    events,
    faults,
    log_view,
    minefields,
    notation,
    record,
    seen,
    setup,
    tables,
    turn,
    weather_dice,
)
from battles.engine.rulesets.barker.arcs import reach
from battles.engine.rulesets.barker.at_sea import AT_SEA
from battles.engine.rulesets.barker.captain import CAPTAINS
from battles.engine.rulesets.barker.options import CONTACT_YARDS, OPTIONS
from battles.engine.rulesets.barker.play import Orders, Play
from battles.engine.rulesets.barker.state import Battle
from battles.engine.rulesets.barker.view import View

# Yards to a thousandth of a mile.
_YARDS = 2
_SKIES = ("clear", "haze", "fog")


class Barker(RuleSet[Battle]):
    """The rule set object. Stateless: one serves every battle."""

    name = "barker"
    title = "Barker, pre-dreadnoughts 1890–1913"
    schema = record.SCHEMA
    steps = turn.STEPS
    turn_limit = tables.LAST_TURN
    minutes = tables.MINUTES
    at_sea = AT_SEA
    captains = CAPTAINS
    wishes = frozenset({"stance", "fight_at", "chase", "fire_ships", "break_off", "protect"})
    override_fields = cards.OVERRIDES
    kinds = events.KINDS
    clauses = notation.CLAUSES
    table_type = Play
    view = View
    log_view = log_view.LogView

    explain = staticmethod(cards.explain)
    setup_faults = staticmethod(faults.faults)
    place = staticmethod(setup.begin)
    play_turn = staticmethod(turn.play_turn)
    result = staticmethod(closing.outcome)
    parse = staticmethod(notation.parse)
    order_faults = staticmethod(notation.faults)
    to_dict = staticmethod(record.to_dict)
    from_dict = staticmethod(record.from_dict)
    copy = staticmethod(record.copy)
    seen_by = staticmethod(seen.seen_by)
    weather_in = staticmethod(weather_dice.weather_in)
    weather_out = staticmethod(weather_dice.weather_out)

    def card(self, facts: ShipFacts) -> dict[str, Any]:
        """The derived ship card as JSON. Raises ValueError for a ship that the set cannot play. Rule: P.K41."""
        return cards.card(facts).to_dict()

    def turns_played(self, state: Battle) -> int:
        """How many turns are over. Rule: P.K40."""
        return state.turn

    def standing_faults(self, state: Battle, side: str, ship: str) -> tuple[OrderFault, ...]:
        """Why a ship takes no order at all from a side as things stand now."""
        return notation.faults(state, side, ship, Orders())

    def meets_at(self, visibility: str) -> int:
        """Battle is joined at sight: 12 miles, 6 in haze, 1 in fog. Rules: P.K04, P.K51."""
        return CONTACT_YARDS[_SKIES.index(visibility)] // _YARDS

    def guns_reach(self, year: int) -> int:
        """Three miles, four from 1905. Rules: P.K51, P.F06."""
        return reach(year) // tables.YARD // _YARDS

    def by_night(self, options: Mapping[str, Any]) -> bool:
        """A battle goes on in the dark, unless a scenario says otherwise. Rules: P.K15, P.K44."""
        return bool(options.get("by_night", OPTIONS["by_night"].default))

    def hour_in(self, sunrise: int, nightfall: int, visibility: str) -> dict[str, Any]:
        """The chart's daylight and visibility as switches. Rules: P.K15, P.K44."""
        return {"sunrise": f"{sunrise:02}:00", "nightfall": f"{nightfall:02}:00", "sky": visibility}

    def mines_in(
        self, towards: int, sown: Mapping[str, Sequence[int]], unsown: Mapping[str, Mapping[str, int]]
    ) -> dict[str, Any]:
        """The chart's minefields as a switch. Rules: P.X03, P.X04, P.K12."""
        return {"mines": minefields.of_chart(towards, sown, unsown)}

    def port_in(self, guard: int) -> dict[str, Any]:
        """The guns of a port as a switch. Rule: P.K38."""
        return {"guard": guard}


RULES = Barker()
