"""The wind: how it opens, how it shifts, and the chart's terms. Rules: A.W1-A.W9, A.G10, A.G22."""

from __future__ import annotations

from typing import Any

from battles.engine.core.scenario import Scenario, Strength
from battles.engine.rulesets.age_of_sail.play import Play
from battles.engine.rulesets.age_of_sail.state import Battle
from battles.engine.rulesets.age_of_sail.tables import WIND_LEAST, WIND_MOST, WIND_START, WINDS

_IN = {
    Strength.STILL: 1,
    Strength.LIGHT: 3,
    Strength.MODERATE: 4,
    Strength.STRONG: 6,
    Strength.GALE: 7,
}
# Least strength of each step of the chart's, the strongest first.
_OUT = ((6, Strength.STRONG), (4, Strength.MODERATE), (2, Strength.LIGHT), (1, Strength.STILL))
_WEST, _EAST = 6, 2
_THEATRES = {"atlantic": _WEST, "mediterranean": _WEST, "caribbean": _EAST}
_BACKS, _VEERS = 1, 6


def from_chart(towards: int, strength: Strength) -> tuple[int, int]:
    """Point the wind comes from, and its strength, from the chart's degrees towards. Rules: A.G22, A.W1, A.W2."""
    return (2 * ((towards + 180) % 360) + 45) // 90 % WINDS, _IN[strength]


def to_chart(wind_from: int, wind: int) -> tuple[int, Strength]:
    """Degrees towards, and the chart's strength. Rule: A.G22."""
    return (45 * wind_from + 180) % 360, next(name for least, name in _OUT if wind >= least)


def opening(scenario: Scenario, options: dict[str, Any]) -> tuple[int, int]:
    """The wind as the battle begins. Rules: A.S1, A.W3, A.W4."""
    if options["wind_start"] == "set":
        return _THEATRES.get(options["theatre"], _WEST), WIND_START
    return from_chart(scenario.wind_towards, scenario.strength)


def weather_in(towards: int, strength: Strength) -> dict[str, Any]:
    """The chart's wind in the set's own terms, as a JSON document. Rule: A.G22."""
    wind_from, wind = from_chart(towards, strength)
    return {"wind_from": wind_from, "strength": wind}


def weather_out(battle: Battle) -> tuple[int, Strength]:
    """The wind at the end in chart terms. Rule: A.G22."""
    return to_chart(battle.wind_from, battle.wind)


def shifted(wind_from: int, wind: int, direction: int, strength: int) -> tuple[int, int]:
    """The wind after a throw of two dice. Rules: A.W5, A.W6, A.W7."""

    def by(face: int) -> int:
        return -1 if face == _BACKS else 1 if face == _VEERS else 0

    return (wind_from + by(direction)) % WINDS, min(WIND_MOST, max(WIND_LEAST, wind + by(strength)))


def change(battle: Battle, play: Play) -> None:
    """The end of a round: direction die, then strength die. Rules: A.S12, A.W5, A.W6, A.W9."""
    if battle.options["wind_dice"]:
        before = battle.wind_from, battle.wind
        direction = play.dice.d6(clause="A.W5", subjects=(battle.turn,), reason="the wind's direction")
        strength = play.dice.d6(clause="A.W6", subjects=(battle.turn,), reason="the wind's strength")
        battle.wind_from, battle.wind = shifted(*before, direction, strength)
        if (battle.wind_from, battle.wind) != before:
            play.tell("wind", "A.W5", was=before[0], wind_from=battle.wind_from, strength=battle.wind)
    battle.history.append((battle.wind_from, battle.wind))
