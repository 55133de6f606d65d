"""Who moves and fires first this move. Rules: T.B3, T.B3a."""

from __future__ import annotations

from battles.engine.core.dice import Die
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle


def throw(battle: Battle, play: Play) -> None:
    """Step P3: two dice a side, ties again; the higher side moves and fires first. Then captains make their plans.

    Rules: T.B3, T.S23.
    """
    battle.first = higher(play, battle.move, list(battle.sides), clause="T.B3")
    for side, captain in play.captains.items():
        captain.begin_move(play.views[side])


def higher(play: Play, move: int, sides: list[str], *, clause: str) -> str:
    """The side with the higher throw of two dice, thrown until they differ. Rules: T.B3, T.S20."""
    again = 0
    while True:
        totals = {
            side: sum(
                play.dice.throw(Die.D6, 2, clause=clause, subjects=(move, side, again), reason="initiative")
            )
            for side in sides
        }
        first = max(sides, key=lambda side: totals[side])
        if len(set(totals.values())) == len(sides):
            play.tell("initiative", clause, "", totals=totals, first=first)
            return first
        again += 1
