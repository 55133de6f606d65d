"""A side that would rather not fight and has been overhauled: the battle begins within its pursuer's reach."""

from __future__ import annotations

from battles.engine.core.scenario import Scenario, Stance


def caught(scenario: Scenario) -> bool:
    """Whether one side avoids and the other does not: it was overhauled, or there would be no battle.

    Rules: A.S2, C.P2, C.S11, K.S7, T.S20, G.KT4.
    """
    return sum(side.doctrine.stance is Stance.AVOID for side in scenario.sides) == 1
