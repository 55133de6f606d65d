"""What one side may read of a battle's log: its own ships whole, of the enemy what is to be seen on the water. Rule: G.IN1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from battles.engine.core.log import DIE, Event
from battles.engine.core.scenario import Scenario
from battles.engine.core.telling import Kinds


class LogView:
    """Reads a log for one side, event after event. Made for one reading.

    kinds: of the set's events; what is hidden of them, and which data are secret, is left out of an enemy's. secret_dice: clauses whose
    throws tell what an enemy has left; one that cannot be laid to any ship counts as an enemy's. own: ids of the ships that the side
    reads whole, kept up to date. A set whose ships change hands, or that hides more, says so in `hands` and `shown`.
    """

    kinds: ClassVar[Kinds]
    secret_dice: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, scenario: Scenario, side: str) -> None:
        self.side = side
        self.own = {ship.id for party, _, ship in scenario.ships() if party.id == side}
        self._ships = {ship.id for _, _, ship in scenario.ships()}
        self._prefix = f"{scenario.code}/"

    @classmethod
    def log_seen_by(cls, scenario: Scenario, events: Iterable[Event], side: str) -> Iterator[Event]:
        """The events a side may read, in order, an enemy's secrets taken out. Rule: G.IN1."""
        reader = cls(scenario, side)
        for event in events:
            shown = reader._throw(event) if event.kind == DIE else reader.shown(event)
            if shown is not None:
                yield shown
            mine = reader.hands(event)
            if mine is not None:
                (reader.own.add if mine else reader.own.discard)(event.ship)

    def hands(self, event: Event) -> bool | None:
        """Whether a ship is the side's to read from now on; None when the event changes nothing about that."""
        return None

    def shown(self, event: Event) -> Event | None:
        """What the side reads of an event that is no throw, None for nothing."""
        if not event.ship or event.ship in self.own:
            return event
        kind = self.kinds.get(event.kind)
        if kind is None or kind.hidden:
            return None
        return without(event, *kind.secret) if kind.secret else event

    def _throw(self, event: Event) -> Event | None:
        if event.clause not in self.secret_dice:
            return event
        parts = str(event.data["key"]).removeprefix(self._prefix).split("/")
        thrower = next((part for part in parts if part in self._ships), "")
        return event if thrower in self.own else None


def without(event: Event, *names: str) -> Event:
    """An event without some of its data."""
    data: dict[str, Any] = {name: value for name, value in event.data.items() if name not in names}
    return event._replace(data=data)
