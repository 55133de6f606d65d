"""Every activation and every throw of one ship against another, as an umpire checks them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.engine.core.log import Event
from tests.engine.kohler.audit import rule_book as book
from tests.engine.kohler.audit.board import Board, Hull
from tests.engine.kohler.audit.rule_book import Cell


class Moves(Board):
    """Phase 3, and the throws of boarding and fire ships wherever they are made."""

    def _on_moved(self, event: Event, data: Mapping[str, Any]) -> None:
        ship = self.ships[event.ship]
        path = [((q, r), f) for q, r, f in data["path"]]
        if ship.helm:
            due = event.turn == ship.helm_hit + 1 and self.strength != book.STILL
            ship.helm = book.HELM[self.dice_before(ship.id, "K.C8")] if due else ""
        self.expect(ship.id, "start of her way", path[0], (ship.pos, ship.facing))
        if event.step == "3b":
            place = self.group_of.get(ship.id, -1)
            if place < self.last_group:
                self.wrong(ship.id, "acts after a later group")
            self.last_group = place
        if self._holds_fast(ship):
            self.expect(ship.id, "place of a ship held by the ground", path[-1][0], path[0][0])
        elif self.strength == book.STILL:
            self._towed(ship, path)
        else:
            self._sailed(ship, path, data)
        self._meets(ship, path, data["drift"])
        ship.pos, ship.facing = path[-1]
        if ship.pos != path[0][0]:
            self._forget(ship)

    def _allowance(self, ship: Hull, facing: int) -> int:
        return book.allowance(self._rel(facing), self.strength, ship.level, ship.fast)

    def _towed(self, ship: Hull, path: list[tuple[Cell, int]]) -> None:
        if len(path) > 2 or (len(path) == 2 and path[0][0] != path[1][0] and path[0][1] != path[1][1]):
            self.wrong(ship.id, "does more than one thing in still air")
        if len(path) == 2 and book.distance(path[0][0], path[1][0]) > 1:
            self.wrong(ship.id, "is towed more than a hex")

    def _sailed(self, ship: Hull, path: list[tuple[Cell, int]], data: Mapping[str, Any]) -> None:
        drift = data["drift"]
        forced = ship.helm in ("port", "starboard")
        held = self._rel(ship.facing) == 0 or (ship.level == 2 and self._rel(ship.facing) in (1, 5))
        jammed, ship.helm = ship.helm, ""
        entered = turns = pre = here = 0
        cap = -1
        for number, (was, now) in enumerate(zip(path, path[1:], strict=False), start=1):
            if was[0] != now[0]:
                if drift and number == len(path) - 1:
                    self.expect(ship.id, "drift", now, (book.step(was[0], self.wind), was[1]))
                    continue
                self.expect(ship.id, "hex entered", now, (book.step(was[0], was[1]), was[1]))
                if cap < 0:
                    cap = self._allowance(ship, was[1])
                if entered >= cap:
                    self.wrong(ship.id, f"enters hex {entered + 1} of {cap}")
                if (
                    (self._bars(ship, now[0]) or self._closed(ship, now[0]))
                    and not (forced and not entered)
                    and not ship.fired
                ):
                    self.wrong(ship.id, f"enters by choice what is barred to her at {now[0]}")
                entered, here = entered + 1, 0
                continue
            change = (now[1] - was[1]) % 6
            tack = change in (2, 4)
            if tack and (
                (self._rel(was[1]), self._rel(now[1])) not in ((1, 5), (5, 1)) or self.strength == book.LIGHT
            ):
                self.wrong(ship.id, "swings two hexsides without tacking")
            if change == 3:
                self.wrong(ship.id, "swings three hexsides")
            turns += 1
            if entered:
                here += 1
                if here > 1:
                    self.wrong(ship.id, "turns twice in a hex")
                cap = min(cap, self._allowance(ship, now[1]))
            else:
                pre += 1
        self._turns(ship, path, pre, turns, entered, forced=forced, held=held, jammed=jammed)
        self._drifts(ship, path, data, entered, held=held and not ship.caught, jammed=jammed)

    def _turns(
        self, ship: Hull, path: list[tuple[Cell, int]], pre: int, turns: int, entered: int, *, forced: bool,
        held: bool, jammed: str,
    ) -> None:  # fmt: skip
        if jammed == "no_turn" and turns:
            self.wrong(ship.id, "turns with her helm gone")
        if forced:
            due = (path[0][1] + (1 if jammed == "starboard" else -1)) % 6
            if len(path) > 1:
                self.expect(ship.id, "first turn of a hit helm", path[1], (path[0][0], due))
        free = 1 if ship.caught and not forced else 0
        allowed = (
            free
            + (1 if ship.handy and not forced and (not held or ship.caught) else 0)
            + (1 if forced else 0)
        )
        ahead = book.step(path[0][0], path[0][1])
        barred = self._bars(ship, ahead) or self._closed(ship, ahead)
        if ship.level == 3 or (held and not ship.caught) or (barred and not entered):
            allowed = max(allowed, 1)
            if entered and (ship.level == 3 or held):
                self.wrong(ship.id, "sails where she can only turn")
        if ship.caught and ship.level == 2:
            allowed += 1
        if pre > allowed:
            self.wrong(ship.id, f"turns {pre} times before moving, {allowed} allowed")
        if ship.card["unhandy"] and turns - free > 1:
            self.wrong(ship.id, "is unhandy and turns more than once")

    def _drifts(
        self, ship: Hull, path: list[tuple[Cell, int]], data: Mapping[str, Any], entered: int, *, held: bool, jammed: str
    ) -> None:  # fmt: skip
        blows = self.strength in (book.NORMAL, book.STRONG)
        if data["drift"] and (entered or not blows):
            self.wrong(ship.id, "drifts though she is under way or there is no wind")
        if jammed or ship.fired or ship.caught:
            return
        spared = (held and ship.level < 3 and len(path) > 1 + data["drift"]) or any(
            t[0] == "G" for t in data["tokens"]
        )
        if not entered and blows:
            self.expect(ship.id, "drift", data["drift"], not spared)

    def _meets(self, ship: Hull, path: list[tuple[Cell, int]], drift: bool) -> None:
        """Note whom she must throw against: friends and wrecks she drifts upon, and burning fire ships anywhere on her way."""
        cells = [cell for cell, _ in path]
        for cell in dict.fromkeys(cell for was, cell in zip(cells, cells[1:], strict=False) if was != cell):
            for other in self._here(cell):
                if other is ship or any(code == other.id for _, code in ship.held):
                    continue
                if ship.fired != other.fired:
                    if other.afloat:
                        self.due.add((ship.id, other.id) if ship.fired else (other.id, ship.id))
                elif (
                    drift
                    and cell == cells[-1]
                    and self._bars(ship, cell)
                    and (other.state == "wreck" or other.flag == ship.flag)
                ):
                    self.due.add((ship.id, other.id))

    def _on_helm(self, event: Event, data: Mapping[str, Any]) -> None:
        due = book.HELM[self.dice_before(event.ship, "K.C8")]
        self.expect(event.ship, "helm", data["forced"], due)

    def _on_aground(self, event: Event, data: Mapping[str, Any]) -> None:
        self.ships[event.ship].aground = True

    def _on_refloated(self, event: Event, data: Mapping[str, Any]) -> None:
        ship = self.ships[event.ship]
        if self.dice[f"K.G13/{event.turn}/{ship.id}"][0] < 5:
            self.wrong(ship.id, "floats off the shoal by less than 5")
        self._forget(ship)
        ship.aground, ship.pos = False, (data["q"], data["r"])

    def _initiative(self, ship: Hull, against: Hull) -> bool:
        if ship.fired or against.state == "wreck" or self._moored(ship):
            return False
        if against.fired:
            return True
        if ship.init != against.init:
            return ship.init > against.init
        return ship.flag != against.flag and self.wins_ties[ship.flag]

    def _modifiers(self, ship: Hull, against: Hull) -> int:
        if ship.state == "wreck":
            return 0
        helm = -1 if self._moored(ship) else int(ship.handy) - int(ship.card["unhandy"])
        smaller = ship.card["band"] < against.card["band"]
        return helm + smaller + self._initiative(ship, against) - ship.steps

    def _on_contact(self, event: Event, data: Mapping[str, Any]) -> None:
        a, b = self.ships[event.ship], self.ships[data["target"]]
        clause, turn = event.clause, event.turn
        self.due.discard((a.id, b.id))
        if clause == "K.B26":
            number = next(n for n in range(200) if f"K.B26/{turn}/part/{n}/{a.id}/{b.id}" in self.dice)
            catch = self.dice.pop(f"K.B26/{turn}/part/{number}/{a.id}/{b.id}")[0]
            clear = self.dice.pop(f"K.B26/{turn}/part/{number}/{b.id}/{a.id}")[0]
            clear -= 1 if self.rounds_lost[b.id, a.id] else 0
        elif f"{clause}/{turn}/{a.id}/{b.id}/catch" in self.dice:
            catch = self.dice[f"{clause}/{turn}/{a.id}/{b.id}/catch"][0]
            clear = self.dice[f"{clause}/{turn}/{a.id}/{b.id}/clear"][0]
        else:
            if clause == "K.B11" and not (b.held or b.prize or b.aground):
                self.wrong(b.id, "is grappled without a roll though nothing holds her")
            self.expect(a.id, "contact without dice", data["made"], True)
            return
        mine = -int(a.card["unhandy"]) if a.fired else self._modifiers(a, b)
        self.expect(a.id, "catching total", data["attacker"], catch + mine)
        self.expect(b.id, "clearing total", data["defender"], clear + self._modifiers(b, a))
        self.expect(a.id, "contest", data["made"], data["attacker"] >= data["defender"])

    def _on_locked(self, event: Event, data: Mapping[str, Any]) -> None:
        a, b = self.ships[event.ship], self.ships[data["target"]]
        self.expect(a.id, "ships that lock lie", a.pos, b.pos)
        a.held.append((data["kind"], b.id))
        b.held.append((data["kind"], a.id))
        self.rounds_lost[a.id, b.id] = self.rounds_lost[b.id, a.id] = 0

    def _on_freed(self, event: Event, data: Mapping[str, Any]) -> None:
        self._release(self.ships[event.ship], self.ships[data["target"]])
        if event.clause == "K.M26":
            keys = [
                f"K.M26/{event.turn}/{x}/{y}"
                for x, y in ((event.ship, data["target"]), (data["target"], event.ship))
            ]
            die = next(self.dice[key][0] for key in keys if key in self.dice)
            if die < 4:
                self.wrong(event.ship, f"is free of her tangle by {die}")

    def _on_placing(self, event: Event, data: Mapping[str, Any]) -> None:
        die = self.dice[f"K.B12/{event.turn}/{event.ship}/{data['target']}"][0]
        self.expect(event.ship, "side", data["side"], "port" if die % 2 else "starboard")
        self.places[event.ship, data["target"]] = data["side"]
