"""Phase 1: how the wind shifts and freshens, who is caught in irons, and the wind in the chart's terms.

Rules: K.W1-K.W9, K.A2.1-K.A2.3, K.A2.8-K.A2.10, K.M14, K.G25.
"""

from __future__ import annotations

from typing import Any

from battles.engine.core.dice import Dice, Die
from battles.engine.core.scenario import Strength
from battles.engine.rulesets.kohler.play import Play
from battles.engine.rulesets.kohler.shore import at_anchor
from battles.engine.rulesets.kohler.state import Battle, Ship, Status, WindForce

_FROM_CHART = {
    Strength.STILL: WindForce.STILL,
    Strength.LIGHT: WindForce.LIGHT,
    Strength.MODERATE: WindForce.NORMAL,
    Strength.STRONG: WindForce.STRONG,
    Strength.GALE: WindForce.GALE,
}
_TO_CHART = {own: chart for chart, own in _FROM_CHART.items()}


def from_chart(towards: int, strength: Strength) -> tuple[int, int, WindForce]:
    """Wind index, bearing of index 0 in degrees, and strength, from the chart's bearing the wind blows towards.

    Rule: K.G25.
    """
    index = (towards + 30) // 60 % 6
    return index, (towards - 60 * index) % 360, _FROM_CHART[strength]


def chart_wind(battle: Battle) -> tuple[int, Strength]:
    """The wind as the chart has it: degrees towards, to the nearest 45 (halves clockwise), and strength. Rule: K.G25."""
    bearing = (battle.north + 60 * battle.wind) % 360
    return (2 * bearing + 45) // 90 * 45 % 360, _TO_CHART[battle.strength]


def weather_in(towards: int, strength: Strength) -> dict[str, Any]:
    """The chart's wind in the set's own terms, as a JSON document. Rules: K.G25, G.WX3."""
    index, north, own = from_chart(towards, strength)
    return {"wind": index, "north": north, "strength": int(own)}


def random_start(dice: Dice) -> int:
    """The direction the wind blows towards at the start, when no one has settled it: one die less one. Rule: K.W1."""
    return dice.d6(clause="K.W1", subjects=(0,), reason="direction of the wind at the start") - 1


def shift(battle: Battle, play: Play) -> None:
    """Step 1a: throw for the wind; a double shifts it.

    The first double turns it one hexside by odd or even, later ones swing it back to where it was, a later double six turns it on.
    Attitudes are read from the wind and need no second reckoning. Rules: K.W2, K.W3, K.W4, K.W5, K.W6, K.W8, K.W9, K.A2.10.
    """
    mode = battle.options.get("wind_mode", "dice")
    if mode != "dice":
        if mode == "scripted":
            _scripted(battle, play)
        return
    first, second = play.dice.throw(
        Die.D6, 2, clause="K.W2", subjects=(battle.turn,), reason="does the wind shift"
    )
    play.wind_dice = (first, second)
    if first != second:
        return
    if battle.wind_prev is None:
        _veer(battle, play, (battle.wind + (1 if first % 2 else -1)) % 6, "K.W3")
    elif first == 6:
        if battle.options.get("double_six", "shift") == "shift":
            _veer(battle, play, (battle.wind - 1) % 6, "K.W5")
    else:
        _veer(battle, play, battle.wind_prev, "K.W4")


def freshen(battle: Battle, play: Play) -> None:
    """Step 1b: double one or two changes the strength; a gale ends the battle at once.

    From still air any change brings a light breeze, whatever the die. Rules: K.W7, K.A2.1, K.A2.2, K.A2.3, K.A2.8, K.A2.9.
    """
    if play.wind_dice in ((1, 1), (2, 2)) and battle.options.get("weather", True):
        die = play.dice.d6(
            clause="K.A2.2",
            subjects=(battle.turn,),
            reason="does the wind drop or freshen",
        )
        up = battle.strength is WindForce.STILL or die >= 4
        clause = "K.A2.3" if battle.strength is WindForce.STILL else "K.A2.2"
        _blow(battle, play, WindForce(battle.strength + (1 if up else -1)), clause)
    if battle.strength is WindForce.GALE:
        battle.ended = "gale"


def catch_in_irons(battle: Battle, play: Play) -> None:
    """Step 1c: mark the ships whom this turn's shift has put in irons; those at anchor swing to the wind. Rules: K.M14, K.W9."""
    anchored = bool(battle.options.get("at_anchor"))
    for ship in battle.ships.values():
        ship.caught_in_irons = False
        if anchored and ship.status is Status.AFLOAT and at_anchor(battle, ship):
            _swing(battle, play, ship)
            continue
        if ship.status is not Status.AFLOAT or ship.fired or ship.in_irons_last_turn:
            continue
        if battle.rel(ship.facing) == 0:
            ship.caught_in_irons = True
            if play.log is not None:
                play.log.add("caught", "K.M14", ship.id)


def _swing(battle: Battle, play: Play, ship: Ship) -> None:
    """A ship at anchor lies head to wind."""
    was, ship.facing = ship.facing, battle.upwind
    if was != ship.facing and play.log is not None:
        path = [[*ship.pos, was], [*ship.pos, ship.facing]]
        play.log.add("moved", "K.W9", ship.id, path=path, tokens=[], drift=False)


def _scripted(battle: Battle, play: Play) -> None:
    """The wind that the scenario has written down for this turn, in chart terms. Rule: K.W8."""
    for row in battle.options.get("wind_script", ()):
        if row["turn"] != battle.turn:
            continue
        if "towards" in row:
            index = ((row["towards"] - battle.north) % 360 + 30) // 60 % 6
            if index != battle.wind:
                _veer(battle, play, index, "K.W8")
        if "strength" in row:
            _blow(battle, play, _FROM_CHART[Strength(row["strength"])], "K.W8")


def _veer(battle: Battle, play: Play, towards: int, clause: str) -> None:
    was, battle.wind, battle.wind_prev = battle.wind, towards, battle.wind
    _log(battle, play, clause, was, battle.strength)


def _blow(battle: Battle, play: Play, strength: WindForce, clause: str) -> None:
    was, battle.strength = battle.strength, strength
    if was is not strength:
        _log(battle, play, clause, battle.wind, was)


def _log(battle: Battle, play: Play, clause: str, was: int, strength_was: WindForce) -> None:
    if play.log is not None:
        play.log.add(
            "wind",
            clause,
            towards=battle.wind,
            was=was,
            strength=int(battle.strength),
            strength_was=int(strength_was),
        )
