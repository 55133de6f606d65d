"""A battle set up by hand, outside any campaign: its hour and its wind are thrown. Rule: G.CO5."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.dice import Dice
from battles.engine.core.scenario import Scenario, Strength

CLAUSE = "G.CO5"
# Hour at which the battle begins by the face of the die; a 6 would be nightfall and is thrown again.
HOURS = (6, 9, 12, 15, 18)
# Degrees that the wind blows from by the face; 5 means no steady wind, 6 is thrown again.
WINDS_FROM = (0, 90, 180, 270)
NIGHTFALL = 21
NO_STEADY_WIND = 5


def throw_hour(dice: Dice) -> int:
    """Hour of the day at which the battle begins, 6 to 18. Rule: G.CO5."""
    throw = 0
    while (face := dice.d6(clause=CLAUSE, subjects=("hour", throw), reason="hour of the battle")) > len(
        HOURS
    ):
        throw += 1
    return HOURS[face - 1]


def throw_wind(dice: Dice) -> tuple[int, Strength]:
    """Degrees that the wind blows from, and its strength: moderate, still where a second 5 follows a first. Rule: G.CO5."""
    throw, steady, strength = 0, True, Strength.MODERATE
    while True:
        face = dice.d6(clause=CLAUSE, subjects=("wind", throw), reason="wind at the beginning")
        throw += 1
        if face <= len(WINDS_FROM):
            return WINDS_FROM[face - 1], strength
        if face == NO_STEADY_WIND:
            strength = strength if steady else Strength.STILL
            steady = False


def thrown(scenario: Scenario, dice: Dice, *, minutes_a_turn: int, most: int) -> Scenario:
    """A scenario with its hour and wind thrown, to be fought until nightfall.

    minutes_a_turn, most: the rule set's turn and the most turns that it plays. The scenario's own day stands. Rule: G.CO5.
    """
    hour = throw_hour(dice)
    wind_from, strength = throw_wind(dice)
    day = scenario.start.partition("T")[0]
    turns = max(1, min(most, (NIGHTFALL - hour) * 60 // minutes_a_turn))
    return replace(
        scenario,
        start=f"{day}T{hour:02d}:00",
        wind_towards=(wind_from + 180) % 360,
        strength=strength,
        turn_limit=min(turns, scenario.turn_limit or turns),
    )
