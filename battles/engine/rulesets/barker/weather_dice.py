"""Wind and weather: by two dice on the table, by the chart's wind else. Rules: P.W01-P.W04, P.W14, P.K27."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from battles.engine.core.plane import bearing
from battles.engine.core.scenario import Strength

if TYPE_CHECKING:
    from battles.engine.rulesets.barker.state import Battle

# Corner of the table from which the wind blows, by the die. Rule: P.W02.
CORNERS = (45, 135, 225, 225, 315, 315)
# Rules: P.W04, P.W06-P.W09.
WEATHERS = ("calm", "fog", "squalls", "none", "none", "rough")
_IN = {
    Strength.STILL: "calm",
    Strength.LIGHT: "none",
    Strength.MODERATE: "none",
    Strength.STRONG: "rough",
    Strength.GALE: "rough",
}
_OUT = {"calm": Strength.STILL, "rough": Strength.STRONG}
# What the switch `sky` puts in place of the wind's own weather. Rules: P.K27, P.K44.
_SKIES = {"fog": "fog", "squalls": "squalls"}


def corner(towards: int) -> int:
    """The corner, in degrees, from which the chart's wind blows: its own, or the next one clockwise. Rule: P.K27."""
    return 45 + 90 * ((towards + 180) % 360 // 90)


def axis(degrees: int, table: tuple[int, int, int, int]) -> int:
    """The bearing of a corner from the middle of the table, hundredths of a degree: the wind blows from there. Rule: P.W03."""
    west, south, east, north = table
    x = east - west if degrees < 180 else west - east
    y = north - south if degrees in (45, 315) else south - north
    return bearing((0, 0), (x, y))


def weather(strength: Strength, sky: str) -> str:
    """The weather that a wind of the chart and the switch `sky` make. Rules: P.W14, P.K27."""
    return _SKIES.get(sky, _IN[strength])


def weather_in(towards: int, strength: Strength) -> dict[str, Any]:
    """The chart's wind in the set's own terms: the corner it blows from, and the weather. Rule: P.K27."""
    return {"corner": corner(towards), "weather": _IN[strength]}


def weather_out(battle: Battle) -> tuple[int, Strength]:
    """The wind as it came; where it was thrown, from its corner. Rule: P.K27."""
    return battle.towards, Strength(battle.strength)


def thrown(wind: int, weather_die: int) -> tuple[int, str, Strength]:
    """The corner, the weather and the chart's strength for two dice; a 4 or a 5 brings nothing. Rules: P.W01, P.W02, P.W08, P.K27."""
    word = WEATHERS[weather_die - 1]
    return CORNERS[wind - 1], word, _OUT.get(word, Strength.MODERATE)
