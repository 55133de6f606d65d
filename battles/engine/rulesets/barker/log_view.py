"""What one side may read of a battle's log: its own ships whole, of the enemy what happens in its sight. Rules: P.K46, G.IN1."""

from __future__ import annotations

from typing import Any

from battles.engine.core import log_view
from battles.engine.core.log import Event
from battles.engine.core.log_view import without
from battles.engine.core.scenario import Scenario
from battles.engine.rulesets.barker.events import KINDS
from battles.engine.rulesets.barker.tables import MERCHANTS, Type

# Throws that everybody watches. Rules: P.Z05, P.K46.
_OPEN = frozenset({"INIT", "TIME", "WIND", "WEATHER", "NEUTRAL"})
# What becomes of a ship that was once seen is known in the end. Rule: P.K46.
_FATES = frozenset({"captured", "scuttled", "salvage"})
# Who signals out of sight is known by the signal alone. Rule: P.G09.
_SOMEBODY = "An enemy ship"


class LogView(log_view.LogView):
    """Reads a log for one side. It keeps whom the side has in sight, and under which number it knows a vessel in disguise."""

    kinds = KINDS

    def __init__(self, scenario: Scenario, side: str) -> None:
        super().__init__(scenario, side)
        self._squadrons = {
            row.id: (party.id, frozenset(ship.id for ship in row.ships))
            for party in scenario.sides
            for row in party.squadrons
        }
        self._contacts: dict[str, str] = {}
        self._seen: set[str] = set()
        self._masks: dict[str, str] = {}

    def shown(self, event: Event) -> Event | None:
        """What the side reads of an event that is no throw, None for nothing."""
        self._note(event)
        if event.kind in ("sighted", "lost_sight", "mine_seen"):
            return event if event.data["side"] == self.side else None
        if event.kind == "signal" and event.ship not in self.own:
            return self._signal(event) if event.data["seen"] else None
        if event.ship and event.ship not in self.own:
            if not self._in_sight(event):
                return None
            kind = self.kinds.get(event.kind)
            if kind is None or kind.hidden:
                return None
            event = without(event, *kind.secret) if kind.secret else event
        return self._masked(event)

    def _signal(self, event: Event) -> Event:
        """An enemy's signal that reached the side: what was in clear, and who made it if that was there to be seen. Rule: P.G09."""
        known = event.ship in self._contacts and event.data["means"] != "wireless"
        return without(event, "words") if known else without(event, "words")._replace(ship=_SOMEBODY)

    def _note(self, event: Event) -> None:
        """Keep who is the side's own, who is in sight, and who passes for a neutral."""
        data, ship = event.data, event.ship
        if event.kind in ("placed", "arrived"):
            if data["side"] == self.side:
                self.own.add(ship)
            elif data["contact"]:
                self._masks[ship] = data["contact"]
        elif event.kind == "searched" and data["prize"] and ship in self.own:
            self.own.add(data["target"])
        elif event.kind == "disclosed":
            self._masks.pop(ship, None)
        elif event.kind == "sighted" and data["side"] == self.side:
            self._contacts[ship] = data["type"]
            self._seen.add(ship)
        elif event.kind == "lost_sight" and data["side"] == self.side:
            self._contacts.pop(ship, None)

    def _in_sight(self, event: Event) -> bool:
        if event.ship in self._contacts or (event.kind in _FATES and event.ship in self._seen):
            return True
        return event.data.get("target") in self.own and event.kind != "shot"

    def _masked(self, event: Event) -> Event:
        """Without the name of a vessel in disguise, or of who was never seen. Rules: P.K45, P.K46."""
        data: dict[str, Any] = dict(event.data)
        for name in ("target", "by"):
            code = data.get(name, "")
            if code in self._masks:
                data[name] = self._masks[code]
            elif name == "by" and code and code not in self.own and code not in self._seen:
                data[name] = ""
        ship = self._masks.get(event.ship, event.ship)
        return event if data == event.data and ship == event.ship else event._replace(data=data, ship=ship)

    def _throw(self, event: Event) -> Event | None:
        """Its own dice, those that everybody watches, and of the enemy's those of groups and ships in sight. Rule: P.K46."""
        parts = str(event.data["key"]).removeprefix(self._prefix).split("/")
        tag, rollers = parts[2], [part for part in parts[3:] if part]
        if tag in _OPEN:
            return event
        if tag == "CHARACTER":
            return event if self._squadrons[rollers[0]][0] == self.side else None
        if tag == "NIP":
            return event if self._group_in_sight("/".join(rollers)) else None
        # A mine's die names its field first. Rule: P.X05.
        roller = rollers[1] if tag == "MINE_F" else rollers[0]
        if roller in self.own:
            return None if any(one in self._masks for one in rollers) else event
        if tag in ("SHOT_T", "MINE_F", "MINE_T"):
            return event if roller in self._contacts else None
        return event if tag == "SALVAGE" and roller in self._seen else None

    def _group_in_sight(self, group: str) -> bool:
        """Whether a group's die is the side's own to read, or one of its ships is in sight."""
        kind, _, side = group.partition("/")
        if kind in ("merchants", "submarines") and side:
            if side == self.side:
                return True
            wanted = MERCHANTS | {Type.AMC} if kind == "merchants" else {Type.SUB}
            return any(Type(one) in wanted for one in self._contacts.values())
        side, ships = self._squadrons.get(group, ("", frozenset((group,))))
        return side == self.side or group in self.own or bool(ships & set(self._contacts))
