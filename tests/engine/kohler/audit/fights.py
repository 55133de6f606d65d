"""Every broadside, boarding round, critical hit and fire, as an umpire checks them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.engine.core.log import Event
from tests.engine.kohler.audit import rule_book as book
from tests.engine.kohler.audit.board import Board, Hull


class Fights(Board):
    """Phase 4."""

    def _points(self, ship: Hull, side: str | None = None) -> int:
        drop = 0
        if side is not None and self.strength == book.STRONG and book.LEE[self._rel(ship.facing)] == side:
            drop = 2 if ship.english else 1
        over = self.step[:1] == "5" or self.step == "after"
        timers = sum(1 for t, n in ship.timers if t + n > self.turn or (t + n == self.turn and not over))
        index = ship.steps + timers + drop
        track = ship.card["fire_track"]
        return int(track[index]) if index < len(track) else 0

    def _alongside(self, ship: Hull, other: Hull) -> str | None:
        if (ship.id, other.id) in self.places:
            return book.alongside(other.facing - ship.facing, self.places[ship.id, other.id])
        return self.places.get((other.id, ship.id))

    def _bearing(self, ship: Hull, target: Hull) -> tuple[str, int, bool] | None:
        """Broadside, range, and whether the shot may be fired; None out of arc."""
        if ship.pos == target.pos:
            side = self._alongside(ship, target)
            free = not any(kind == "grapple" or code == target.id for kind, code in ship.held)
            return (side, 0, free) if side else None
        found = book.bearing(ship.pos, ship.facing, target.pos)
        if found is None:
            return None
        side, reach, lines = found
        clear = any(not any(self._here(cell) for cell in line) for line in lines)
        friend = any(one.afloat and one.flag == ship.flag and not one.fired for one in self._here(target.pos))
        engaged = {self._alongside(ship, self.ships[code]) for kind, code in ship.held if kind == "grapple"}
        burning = target.fired and any(self.ships[code].flag == ship.flag for _, code in target.held)
        return side, reach, clear and side not in engaged and (not friend or burning)

    def _may_fire(self, ship: Hull) -> bool:
        return ship.afloat and not ship.prize and not ship.fired

    def _on_fire(self, event: Event, data: Mapping[str, Any]) -> None:
        ship, target, side = self.ships[event.ship], self.ships[data["target"]], data["side"]
        die = self.dice[f"K.F8/{event.turn}/{ship.id}/{side}"][0]
        if not self._may_fire(ship) or not target.afloat or (target.flag == ship.flag and not target.fired):
            self.wrong(ship.id, f"may not fire on {target.id}")
        found = self._bearing(ship, target)
        if found is None or found[0] != side or not found[2]:
            self.wrong(ship.id, f"has no shot to {side} at {target.id}: {found}")
            return
        reach = found[1]
        points = self._points(ship, side)
        mods = {"long": 2} if reach > 2 else {"short": -1} if reach < 2 else {}
        if reach == 1 and ship.pos == book.step(target.pos, target.facing + 3):
            mods["rake"] = -2
        if ship.fires:
            mods["on_fire"] = 2
        if target.card["guns"] < 30 or target.card["small"]:
            mods["small"] = 1
        if self.strength == book.STRONG:
            mods["strong_wind"] = 1
        self.expect(ship.id, "range", data["range"], reach)
        self.expect(ship.id, "points", data["points"], points)
        self.expect(ship.id, "modifiers", dict(data["mods"]), mods)
        self.expect(ship.id, "score", data["score"], die + sum(mods.values()))
        self.expect(ship.id, "hits", data["hits"], book.hits(points, data["score"]))
        if data["hits"]:
            self.hits[target.id] += data["hits"]
        self.fired_sides.add((ship.id, side))

    def check_silent_guns(self) -> None:
        """Every broadside with a clear shot has been fired. Called before the hits are crossed off."""
        for ship in self.ships.values():
            if not self._may_fire(ship):
                continue
            for target in self.ships.values():
                if not target.afloat or target.flag == ship.flag or target is ship:
                    continue
                found = self._bearing(ship, target)
                if (
                    found
                    and found[2]
                    and self._points(ship, found[0])
                    and (ship.id, found[0]) not in self.fired_sides
                ):
                    self.wrong(ship.id, f"keeps silent to {found[0]} with {target.id} at {found[1]}")

    def _on_damage(self, event: Event, data: Mapping[str, Any]) -> None:
        ship = self.ships[event.ship]
        if event.step == "4a":
            if self.fired_sides:
                self.check_silent_guns()
                self.fired_sides.clear()
            self.expect(
                ship.id, "hits crossed off", data["struct"], min(self.hits.pop(ship.id, 0), ship.left)
            )
        if event.clause == "K.X7":
            self.rolled[ship.id] += 1
            self.expect(ship.id, "burning", (data["struct"], ship.fired), (1, True))
        ship.struct += data["struct"]
        ship.board += data["board"]
        before, ship.steps = (
            ship.steps,
            book.steps(ship.card["hull_max"], ship.card["n_steps"], ship.struct + ship.board),
        )
        self.expect(ship.id, "hull left", data["left"], ship.left)
        self.expect(ship.id, "steps", data["steps"], ship.steps)
        self.expect(ship.id, "level", data["level"], ship.level)
        self.expect(ship.id, "fire points left", data["fire"], self._points(ship))
        if not ship.fired:
            ship.unchecked += range(before + 1, min(ship.steps, ship.card["n_steps"] - 1) + 1)

    def _on_boarding(self, event: Event, data: Mapping[str, Any]) -> None:
        a, b = self.ships[event.ship], self.ships[data["target"]]
        number = next(n for n in range(200) if f"K.B16/{event.turn}/round/{n}/{a.id}/{b.id}" in self.dice)
        mine = sum(self.dice.pop(f"K.B16/{event.turn}/round/{number}/{a.id}/{b.id}")) + a.left
        hers = sum(self.dice.pop(f"K.B16/{event.turn}/round/{number}/{b.id}/{a.id}")) + b.left
        self.expect(a.id, "round", (data["own"], data["other"]), (mine, hers))
        if ("grapple", b.id) not in a.held:
            self.wrong(a.id, f"fights {b.id} without a grapple")
        winner, loser = (a, b) if mine > hers else (b, a)
        if mine == hers:
            self.expect(a.id, "a drawn round", (data["winner"], data["inflicted"], data["cost"]), ("", 0, 0))
            return
        inflicted = min(-(-abs(mine - hers) // 2), loser.left)
        cost = min(inflicted // 3, winner.left - 1)
        self.expect(
            a.id, "round won", (data["winner"], data["inflicted"], data["cost"]), (winner.id, inflicted, cost)
        )
        self.rounds_lost[loser.id, winner.id] += 1

    def _on_captured(self, event: Event, data: Mapping[str, Any]) -> None:
        self._change_flag(self.ships[event.ship], data["side"])
        self.expect(event.ship, "captor's side", data["side"], self.ships[data["captor"]].flag)

    def _on_retaken(self, event: Event, data: Mapping[str, Any]) -> None:
        self._change_flag(self.ships[event.ship], self.ships[data["by"]].flag)

    def _change_flag(self, ship: Hull, side: str) -> None:
        ship.prize, ship.board = side, 0
        ship.steps = book.steps(ship.card["hull_max"], ship.card["n_steps"], ship.struct)
        for kind, code in list(ship.held):
            if kind == "grapple":
                self._release(ship, self.ships[code])
        ship.timers.clear()
        ship.unchecked.clear()
        for pair in [pair for pair in self.places if ship.id in pair]:
            del self.places[pair]


class Criticals(Board):
    """Phase 5 and the ends of ships."""

    def _on_critical(self, event: Event, data: Mapping[str, Any]) -> None:
        ship = self.ships[event.ship]
        if not ship.unchecked:
            self.wrong(ship.id, "is checked without a step lost")
            return
        number = ship.unchecked.pop(0)
        keys = [
            key
            for key in self.dice
            if key.startswith(f"K.C1/{event.turn}/") and key.endswith(f"/{ship.id}/{number}")
        ]
        self.expect(ship.id, "critical score", data["score"], sum(self.dice[keys[-1]]))
        self.expect(ship.id, "critical result", data["result"], book.critical(data["score"]))
        if data["result"] == "helm":
            ship.helm, ship.helm_hit = "due", event.turn

    def _on_guns_out(self, event: Event, data: Mapping[str, Any]) -> None:
        self.expect(
            event.ship, "turns with a swept deck", data["turns"], self.dice_before(event.ship, "K.C7")
        )
        self.ships[event.ship].timers.append((event.turn, data["turns"]))

    def _on_alight(self, event: Event, data: Mapping[str, Any]) -> None:
        ship = self.ships[event.ship]
        ship.fires += 1
        self.expect(ship.id, "fires", data["fires"], ship.fires)

    def _fire_die(self, event: Event) -> int:
        return self.dice_before(event.ship, "K.C3")

    def _on_burns(self, event: Event, data: Mapping[str, Any]) -> None:
        self.rolled[event.ship] += 1
        if self._fire_die(event) not in (3, 4):
            self.wrong(event.ship, "burns on by a die that is not 3 or 4")

    def _on_fire_out(self, event: Event, data: Mapping[str, Any]) -> None:
        self.expect(event.ship, "die of a fire put out", self._fire_die(event), 5)
        self.ships[event.ship].fires -= 1

    def _on_exploded(self, event: Event, data: Mapping[str, Any]) -> None:
        self.expect(event.ship, "die of an explosion", self._fire_die(event), 2)
        self._gone(self.ships[event.ship], "gone")

    def _on_sunk(self, event: Event, data: Mapping[str, Any]) -> None:
        self.expect(event.ship, "hull of a sunken ship", self.ships[event.ship].left, 0)
        self._gone(self.ships[event.ship], "wreck")

    def _on_burnt_out(self, event: Event, data: Mapping[str, Any]) -> None:
        if not self.ships[event.ship].fired:
            self.wrong(event.ship, "burns out unfired")
        self._gone(self.ships[event.ship], "gone")

    def _on_gone(self, event: Event, data: Mapping[str, Any]) -> None:
        self._gone(self.ships[event.ship], "gone")

    def _on_flag_hit(self, event: Event, data: Mapping[str, Any]) -> None:
        self.officer_hit.add(self.ships[event.ship].squadron)
        if self.flagship[self.ships[event.ship].squadron] != event.ship:
            self.wrong(event.ship, "has no flag officer to lose")
