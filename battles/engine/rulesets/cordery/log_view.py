"""What one side may read of a battle's log: all of it but the enemy's refused orders and its officers' fate. Rules: C.P12, G.IN1."""

from __future__ import annotations

from battles.engine.core import log_view
from battles.engine.rulesets.cordery.events import KINDS


class LogView(log_view.LogView):
    """Reads a log for one side."""

    kinds = KINDS
