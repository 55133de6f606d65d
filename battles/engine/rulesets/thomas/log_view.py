"""What one side may read of a battle's log: its own ships whole, of the enemy what is to be seen on the water.

Moves, broadsides, hits, masts, fires, fights and flags are everyone's to see; how much flotation, how many men and which guns an
enemy has left, what his magazines threatened and who commands whom, and the dice that tell as much, are his alone.
Rules: G.IN1, T.S18, TS-9.
"""

from __future__ import annotations

from battles.engine.core import log_view
from battles.engine.core.log import Event
from battles.engine.core.log_view import without
from battles.engine.core.scenario import Scenario
from battles.engine.rulesets.thomas.events import KINDS

# Throws whose number or outcome tells what an enemy has left: guns, magazines, worn crews, men who board, his officers.
SECRET_DICE = frozenset({"T.B9", "T.S5", "T.N2", "T.O5g", "T.B12d", "G.AF1"})


class LogView(log_view.LogView):
    """Reads a log for one side. Rule: G.IN1."""

    kinds = KINDS
    secret_dice = SECRET_DICE

    def __init__(self, scenario: Scenario, side: str) -> None:
        super().__init__(scenario, side)
        self._at_once = scenario.options.get("opt_surrender", True) is False

    def hands(self, event: Event) -> bool | None:
        """A prize is her captor's to read from when his men are aboard. Rules: T.O6g, T.B12p."""
        if event.kind == "secured" or (self._at_once and event.kind == "struck" and event.data["by"]):
            return event.data["by"] in self.own
        return event.data["side"] == self.side if event.kind == "retaken" else None

    def shown(self, event: Event) -> Event | None:
        """What the side reads of an event."""
        if event.kind == "round":
            return self._round(event)
        if event.kind == "secured":
            # The men sent are the captor's to count, the captives both know.
            return event if event.data["by"] in self.own else without(event, "men")
        if event.kind == "jury" and event.ship not in self.own and not event.data["up"]:
            return None
        return super().shown(event)

    def _round(self, event: Event) -> Event:
        """Of a round each side counts its own fighters, and sees who falls. Rule: T.B12n."""
        data = dict(event.data)
        for party in ("attackers", "defenders"):
            data[party] = [[code, men if code in self.own else None] for code, men in data[party]]
        return event._replace(data=data)


log_seen_by = LogView.log_seen_by
