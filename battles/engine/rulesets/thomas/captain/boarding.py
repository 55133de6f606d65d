"""When to board, how long to stay, when to cut loose, and how many men to keep at the guns. Rules: T.B12b-T.B12q, T.O5c, T.O6j."""

from __future__ import annotations

from collections.abc import Collection

from battles.engine.rulesets.thomas.captain import guess
from battles.engine.rulesets.thomas.captain.prey import Hunt, may_lead
from battles.engine.rulesets.thomas.captain.weights import Weights
from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.view import Seen, View

_NEAR = 4_000
_ENOUGH = 15


class Boarders:
    """Decides about boarding by the odds in men that a captain asks for."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def chosen(
        self, view: View, ship: Ship, enemies: tuple[str, ...], hunt: Hunt, allowed: Collection[str]
    ) -> str:
        """Whom of those in contact to grapple: whoever is to be boarded, else the one with the best odds; a lost friend always.

        allowed: those whom instructions let her board.
        """
        best, most = "", 0
        for code in enemies:
            seen = view.other(code)
            if seen.on_fire or not (code in allowed or seen.prize):
                continue
            odds = self.odds(view, ship, seen)
            due = (
                self.weights.alone
                if hunt.boards(ship.id, code) or self._friends(view, seen)
                else self.weights.together
            )
            if odds >= due and odds > most and (may_lead(ship) or odds >= 2 * self.weights.together):
                best, most = code, odds
        return best

    def odds(self, view: View, ship: Ship, seen: Seen) -> int:
        """Men of ours who fight, or would fight, aboard an enemy, to hers, in tenths."""
        mine = self._friends(view, seen) + (0 if ship.id in seen.grappled_to else ship.hands)
        return 10 * mine // guess.men_of(seen, nelson=view.nelson)

    def _friends(self, view: View, seen: Seen) -> int:
        men = 0
        for code in seen.grappled_to:
            try:
                men += view.own(code).hands
            except KeyError:
                continue
        return men

    def alongside(self, view: View, ship: Ship, enemy: str, *, allowed: bool) -> str:
        """Made fast and idle: board at 1.3 to 1 or better, cut when outnumbered. Rule: T.B12l. Section 12."""
        odds = self.odds(view, ship, view.other(enemy))
        if odds >= self.weights.together and (allowed or view.other(enemy).prize):
            return "board"
        return "cut" if odds < self.weights.cut or ship.breaking_off or not allowed else "hold"

    def withdraws(self, view: View, ship: Ship, enemy: str) -> bool:
        """With less than 0.7 men to one of hers, or worn and with less than two to one. Rules: T.B12j, T.O5g. Section 12."""
        odds = self.odds(view, ship, view.other(enemy))
        return odds < self.weights.stay or (not may_lead(ship) and odds < 2 * self.weights.cut)

    def cuts(self, view: View, ship: Ship, enemy: str, *, allowed: bool) -> bool:
        """Having beaten boarders off: cut loose unless she has the odds to board, 1.3 to 1. Rule: T.B12k. Section 12."""
        return not allowed or self.odds(view, ship, view.other(enemy)) < self.weights.together

    def joins(self, view: View, ship: Ship) -> bool:
        """Taken, not yet secured, and friends board: with them if together they outnumber the captors. Rule: T.O6j."""
        mine, theirs = ship.hands, 0
        for one in ship.grapples:
            code = one.other(ship.id)
            try:
                mine += view.own(code).hands
            except KeyError:
                seen = view.other(code)
                theirs += guess.men_of(seen, nelson=view.nelson)
                mine += self._friends(view, seen)
        return mine > theirs

    def gunners(self, view: View, ship: Ship) -> int:
        """Men kept at the guns: one for each battery that bears on a fresh enemy near by, if there are plenty. Rule: T.O5c."""
        fast = {one.other(ship.id) for one in ship.grapples}
        fresh = [seen for seen in view.near(ship.id, _NEAR) if seen.id not in fast and not seen.struck]
        if not fresh:
            return 0
        codes = {seen.id for seen in fresh}
        batteries = sum(
            len(ship.standing(arc)) for arc, marks in view.bears(ship.id).items() if codes.intersection(marks)
        )
        return batteries if ship.hands >= _ENOUGH * batteries else 0
