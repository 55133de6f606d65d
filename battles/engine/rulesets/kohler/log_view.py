"""What one side may read of a battle's log: its own ships whole, of the enemy what is to be seen on the water.

Moves, broadsides, visible damage, fires and captures are everyone's to see; how many points an enemy has left, what his guns are
worth, what struck his helm, his gun decks or his flag officer, and the dice of those, are his alone. Rules: G.IN1, K.I3, K.C1.
"""

from __future__ import annotations

from battles.engine.core import log_view
from battles.engine.core.log import Event
from battles.engine.core.log_view import without
from battles.engine.rulesets.kohler.events import KINDS

# Kinds that tell how many fires burn aboard; from without only whether she burns is seen. Rule: K.F13.
FIRES = frozenset({"alight", "fire_out"})
# Throws that an enemy makes behind his screen: critical checks, each fire, gun decks, helm, the fate of his officers.
SECRET_DICE = frozenset({"K.C1", "K.C3", "K.C7", "K.C8", "K.C9", "K.G11"})


class LogView(log_view.LogView):
    """Reads a log for one side. Rule: G.IN1."""

    kinds = KINDS
    secret_dice = SECRET_DICE

    def hands(self, event: Event) -> bool | None:
        """A ship that is taken is her captor's to read from then on."""
        if event.kind not in ("captured", "retaken", "taken_after"):
            return None
        return event.data.get("side") == self.side or event.data.get("by") in self.own

    def shown(self, event: Event) -> Event | None:
        """What the side reads of an event."""
        if event.kind == "boarding":
            return self._boarding(event)
        seen = super().shown(event)
        if seen is not None and event.kind in FIRES and event.ship not in self.own:
            return event._replace(data={"fires": min(1, event.data["fires"])})
        return seen

    def _boarding(self, event: Event) -> Event:
        """A round's totals tell the hull left, so each side reads its own total and who won. Rule: K.B16."""
        event = event if event.ship in self.own else without(event, "own")
        return event if event.data.get("target") in self.own else without(event, "other")


log_seen_by = LogView.log_seen_by
