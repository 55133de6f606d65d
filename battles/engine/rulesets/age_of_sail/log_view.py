"""What one side may read of a battle's log. Positions, damage and wind are open; orders and flag officers are not. Rules: A.P10, G.IN1."""

from __future__ import annotations

from battles.engine.core import log_view
from battles.engine.core.log import Event
from battles.engine.rulesets.age_of_sail.events import KINDS


class LogView(log_view.LogView):
    """Reads a log for one side."""

    kinds = KINDS

    def hands(self, event: Event) -> bool | None:
        """A prize is her captor's. Rules: A.B8, A.B18."""
        return event.data["side"] == self.side if event.kind in ("captured", "reverts") else None
