"""The chart's dice counted as they are thrown, for the luck page. Rule: G.FA2."""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.core.log import Log, Throw
from battles.luck import Count, add_throw
from campaign.rules.chart import types as t


class CountedDice(Log):
    """A log that keeps counts instead of events. owners: side by code of fleet, squadron, ship or side."""

    def __init__(self, owners: Mapping[str, str]) -> None:
        super().__init__()
        self.owners = owners
        self.count: Count = {}

    @classmethod
    def of(cls, facts: t.TurnFacts) -> CountedDice:
        """For the sides of a turn."""
        owners = {code: code for code in facts.sides}
        owners |= {
            row.code: facts.fleets[row.fleet].side
            for row in facts.squadrons.values()
            if row.fleet in facts.fleets
        }
        owners |= {row.code: row.side for row in facts.ships.values()}
        for event in facts.calendar:
            owners |= {ship.code: event.side for ship in event.brings.ships}
            owners |= {squadron.code: event.side for squadron in event.brings.squadrons}
        owners |= {row.code: row.side for row in facts.fleets.values()}
        return cls(owners)

    def threw(self, throw: Throw) -> None:
        """Count a throw."""
        add_throw(
            self.count,
            clause=throw.clause,
            key=throw.key,
            die=throw.die,
            faces=throw.faces,
            owners=self.owners,
        )
