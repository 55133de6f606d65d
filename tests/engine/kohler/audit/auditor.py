"""Reads the log of a battle as an umpire with the rule book would, and says what does not follow from dice and positions.

Nothing of the engine is asked but the ships' cards: tables, arcs, allowances and modifiers are written down here once more, from
the rules. The auditor keeps its own board from the events alone, so it also shows that a log is enough to redraw a battle.
"""

from __future__ import annotations

from collections.abc import Iterable

from battles.engine.core.log import Event
from tests.engine.kohler.audit import rule_book as book
from tests.engine.kohler.audit.board import Hull
from tests.engine.kohler.audit.fights import Criticals, Fights
from tests.engine.kohler.audit.moves import Moves
from tests.engine.kohler.audit.phases import Phases


class Auditor(Phases, Moves, Fights, Criticals):
    """Goes through a log event by event."""

    def read(self, events: Iterable[Event]) -> Auditor:
        """Check all events in order."""
        for event in events:
            if event.turn != self.turn:
                self._end_turn()
                self.turn = event.turn
            if event.step != self.step:
                self._end_step(event.step)
                self.step = event.step
            if self.lot and event.kind != "drifted":
                for ship in self.lot:
                    self._forget(ship)
                self.lot.clear()
            if event.kind == "die":
                self.dice[event.data["key"].removeprefix(f"{self.code}/")] = event.data["faces"]
                continue
            check = getattr(self, f"_on_{event.kind}", None)
            if check is not None:
                self.seen[event.kind] += 1
                check(event, event.data)
        return self

    def _end_turn(self) -> None:
        for ship in self.ships.values():
            ship.was_in_irons = ship.afloat and self._rel(ship.facing) == 0
            ship.caught = False
            if self.turn and ship.afloat:
                self._burnt_and_checked(ship)
            ship.unchecked.clear()
        self.rolled.clear()

    def _burnt_and_checked(self, ship: Hull) -> None:
        """At the end of a turn every step lost has been checked, every fire thrown for, every fired fire ship has burnt."""
        if ship.fired:
            self.expect(ship.id, "points burnt", self.rolled[ship.id], 1)
            return
        self.expect(ship.id, "fires thrown for", self.rolled[ship.id], ship.fires)
        if ship.unchecked and not ship.prize:
            self.wrong(ship.id, f"no critical check for steps {ship.unchecked}")

    def _end_step(self, to: str) -> None:
        if to == "1d" and self.strength == book.STRONG:
            self.taken = {}
        if self.step == "1d":
            for ship in self.ships.values():
                if (
                    ship.state in ("afloat", "wreck")
                    and ship.id not in self.taken
                    and not self._holds_fast(ship)
                ):
                    self.wrong(ship.id, "was not carried by the strong wind")
        if to == "4a":
            self.hits.clear()
            self.fired_sides.clear()
        if self.step in ("3a", "3b") and self.due:
            self.wrong("", f"no throw for {self.due}")
            self.due.clear()
        if self.step == "4a" and self.hits:
            self.wrong("", f"hits never crossed off: {dict(self.hits)}")
