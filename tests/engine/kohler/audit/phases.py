"""The opening, the wind, initiative and command, as an umpire checks them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.engine.core.log import Event
from tests.engine.kohler.audit import rule_book as book
from tests.engine.kohler.audit.board import Board


class Phases(Board):
    """Set-up and phases 1 and 2, and new flagships."""

    def _on_placed(self, event: Event, data: Mapping[str, Any]) -> None:
        ship = self.ships[event.ship]
        ship.pos, ship.facing, ship.state = (data["q"], data["r"]), data["f"], "afloat"

    _on_arrived = _on_placed

    def _on_disorder(self, event: Event, data: Mapping[str, Any]) -> None:
        ship = self.ships[event.ship]
        first, second = self.dice[f"K.A2.12/0/{ship.id}"]
        cell = (data["q"], data["r"])
        if not any(key.startswith(f"K.A2.14/0/{ship.id}/") for key in self.dice):
            due = ship.pos
            for _ in range(max(1, book.DISPLACED[first])):
                due = book.step(due, self.wind + second - 1)
            self.expect(ship.id, "place after disorder", cell, due)
        ship.pos = cell

    def _on_wind(self, event: Event, data: Mapping[str, Any]) -> None:
        if event.turn == 0:
            self.wind, self.strength = data["towards"], data["strength"]
            return
        first, second = self.dice[f"K.W2/{event.turn}"]
        if event.step == "1a":
            if first != second:
                self.wrong("", "the wind shifts without a double")
            if self.before < 0:
                due = (self.wind + (1 if first % 2 else -1)) % 6
            else:
                due = (self.wind - 1) % 6 if first == 6 else self.before
            self.expect("", "wind", data["towards"], due)
            self.before, self.wind = self.wind, data["towards"]
        else:
            die = self.dice[f"K.A2.2/{event.turn}"][0]
            if (first, second) not in ((1, 1), (2, 2)):
                self.wrong("", "the strength changes without 1-1 or 2-2")
            up = die >= 4 or self.strength == book.STILL
            self.expect("", "strength", data["strength"], self.strength + (1 if up else -1))
            self.strength = data["strength"]

    def _on_caught(self, event: Event, data: Mapping[str, Any]) -> None:
        ship = self.ships[event.ship]
        ship.caught = True
        if self._rel(ship.facing) != 0 or ship.was_in_irons:
            self.wrong(ship.id, "is not caught in irons")

    def _on_drifted(self, event: Event, data: Mapping[str, Any]) -> None:
        ship = self.ships[event.ship]
        self.expect(ship.id, "drift", (data["q"], data["r"]), book.step(ship.pos, self.wind))
        if self.strength not in (book.NORMAL, book.STRONG):
            self.wrong(ship.id, "drifts without wind")
        ship.pos = (data["q"], data["r"])
        if event.step == "1d":
            self.taken[ship.id] = 1
        else:
            self.expect(ship.id, "drift of a lot: held", bool(ship.held), True)
            self.lot.append(ship)

    def _on_fired_ship(self, event: Event, data: Mapping[str, Any]) -> None:
        ship = self.ships[event.ship]
        ship.fired = True
        for kind, code in list(ship.held):
            if kind != "fireship":
                self._release(ship, self.ships[code])
        if not ship.card["is_fireship"]:
            self.wrong(ship.id, "is fired and is no fire ship")

    def _on_initiative(self, event: Event, data: Mapping[str, Any]) -> None:
        code = data["squadron"]
        die = self.dice[f"K.I1/{event.turn}/{code}"][0]
        flagship = self.ships[self.flagship[code]]
        out = code in self.flag_lost or code in self.officer_hit or not self._leads(flagship, code)
        self.expect(event.ship, "initiative", data["value"], die + data["bonus"] - (1 if out else 0))

    def _on_groups(self, event: Event, data: Mapping[str, Any]) -> None:
        self.group_of, self.last_group = {}, 0
        order = []
        for place, (squadron, value, inside, ships) in enumerate(data["groups"]):
            side = next(ship.side for ship in self.ships.values() if ship.squadron == squadron)
            order.append((value, self.wins_ties[side]))
            due = self._in_command(squadron)
            for code in ships:
                self.group_of[code], self.ships[code].init = place, value
                self.expect(code, "in command", inside, code in due)
        if order != sorted(order):
            self.wrong("", f"groups out of order: {order}")
        acting = {ship.id for ship in self.ships.values() if ship.afloat and not ship.fired}
        self.expect("", "ships in groups", set(self.group_of), acting)

    def _in_command(self, squadron: str) -> set[str]:
        flagship = self.ships[self.flagship[squadron]]
        if not self._leads(flagship, squadron):
            return set()
        own = [ship for ship in self.ships.values() if self._leads(ship, squadron)]
        reached = {ship.id for ship in own if book.distance(ship.pos, flagship.pos) <= 4}
        while True:
            more = {
                ship.id
                for ship in own
                if ship.id not in reached
                and any(book.distance(ship.pos, self.ships[code].pos) <= 1 for code in reached)
            }
            if not more:
                return reached
            reached |= more

    def _on_new_flagship(self, event: Event, data: Mapping[str, Any]) -> None:
        code = data["squadron"]
        own = [ship for ship in self.ships.values() if self._leads(ship, code)]
        self.expect(event.ship, "most guns", event.ship, max(own, key=lambda ship: ship.card["guns"]).id)
        self.flagship[code] = event.ship
        self.flag_lost.add(code)
