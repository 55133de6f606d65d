"""The wind: how it opens, how it changes before every move, whom a shift heads, and the chart's terms.

Rules: T.S10-T.S12, T.B1-T.B1h, T.B8, T.C1, T.C2, T.C34.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from battles.engine.core.dice import Dice
from battles.engine.core.plane import FULL, STRAIGHT, swing, turned
from battles.engine.core.scenario import Strength
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.sailing import falls_off, under_sail, wind_limit
from battles.engine.rulesets.thomas.state import Battle, Ship
from battles.engine.rulesets.thomas.tables import HEADED_UP_TO, PREVAILING, START_HOURS, WindForce

STEP = 4_500
_FROM_CHART = {
    Strength.STILL: WindForce.CALM,
    Strength.LIGHT: WindForce.LIGHT,
    Strength.MODERATE: WindForce.MEDIUM,
    Strength.STRONG: WindForce.STRONG,
    # No battle begins in a gale; one that the umpire forces is fought in a strong wind (T.C34).
    Strength.GALE: WindForce.STRONG,
}
_TO_CHART = {
    WindForce.CALM: Strength.STILL,
    WindForce.LIGHT: Strength.LIGHT,
    WindForce.MEDIUM: Strength.MODERATE,
    WindForce.STRONG: Strength.STRONG,
}
# Faces at which the printed tables have an entry of their own (T.B1a, wind_table = literal).
_PRINTED_RED = frozenset({1, 3, 5, 6})
_PRINTED_BLACK = frozenset({1, 4})


class Opening(NamedTuple):
    """The wind at the start: bearing it blows from, prevailing bearing or None, strength."""

    wind_from: int
    prevailing: int | None
    strength: WindForce


def from_chart(towards: int, strength: Strength) -> tuple[int, WindForce]:
    """Bearing the wind blows from and strength, from the chart's bearing it blows towards in degrees. Rule: T.C34."""
    return (towards * 100 + STRAIGHT) % FULL, _FROM_CHART[strength]


def chart_wind(battle: Battle) -> tuple[int, Strength]:
    """The wind as the chart has it: degrees towards, and strength. Rule: T.C34."""
    return battle.downwind // 100, _TO_CHART[battle.strength]


def weather_in(towards: int, strength: Strength) -> dict[str, Any]:
    """The chart's wind in the set's own terms, as a JSON document. Rule: T.C34."""
    wind_from, own = from_chart(towards, strength)
    return {"wind_from": wind_from, "strength": int(own)}


def throw_hour(dice: Dice, *, campaign: bool) -> int:
    """The hour the battle begins: one die on TS-5; in a campaign a 6 stands, elsewhere it is thrown again. Rules: T.S10, T.C1."""
    throw = 0
    while True:
        die = dice.d6(clause="T.S10", subjects=(0, throw), reason="hour at which the battle begins")
        if die < 6 or campaign:
            return START_HOURS[die - 1]
        throw += 1


def throw_opening(dice: Dice, *, variable: bool) -> Opening:
    """The wind at the start, where no one has settled it.

    Plain: one bearing that prevails and blows, medium. Variable: a 5 means that none prevails; the next die gives the bearing,
    on a 5 in a calm, whose bearing the die after that gives. Rules: T.S11, T.S11a, T.S12.
    """
    throws = 0
    prevails, strength = True, WindForce.MEDIUM
    while True:
        die = dice.d6(clause="T.S11", subjects=(0, throws), reason="wind at the start")
        throws += 1
        if die <= 4:
            bearing = PREVAILING[die - 1]
            return Opening(bearing, bearing if prevails else None, strength)
        if die == 5 and variable:
            if prevails:
                prevails = False
            else:
                strength = WindForce.CALM


def change(battle: Battle, play: Play) -> None:
    """Step P1: throw for direction and strength, count calm and quiet moves, then see whom a shift has headed.

    Red, black, second red, second black. Rules: T.B1, T.B1f, T.B1g, T.B1h, T.B8.
    """
    was, strength_was = battle.wind_from, battle.strength
    red = _die(battle, play, "red", "does the wind shift")
    black = _die(battle, play, "black", "does the wind change its strength")
    if red == 6:
        battle.wind_from = _shifted(battle, _die(battle, play, "second-red", "how the wind shifts"))
    if battle.strength is WindForce.CALM:
        if black >= 4:
            battle.strength = WindForce.LIGHT
    elif black == 6:
        battle.strength = _blown(battle, _die(battle, play, "second-black", "how the strength changes"))
    _count_spells(battle)
    if (battle.wind_from, battle.strength) != (was, strength_was):
        play.tell(
            "wind", "T.B1", "", **{"from": battle.wind_from}, was=was, strength=int(battle.strength),
            strength_was=int(strength_was),
        )  # fmt: skip
    if battle.wind_from != was:
        head(battle, play, was)
    _free(battle, play)


def _die(battle: Battle, play: Play, which: str, reason: str) -> int:
    return play.dice.d6(clause="T.B1", subjects=(battle.move, which), reason=reason)


def _shifted(battle: Battle, face: int) -> int:
    """The bearing after a second red die. Rules: T.B1a, T.B1b, T.B1c, T.B1d, T.B1e."""
    by = shift_by(
        battle.wind_from, battle.prevailing, face, literal=battle.options["wind_table"] == "literal"
    )
    return turned(battle.wind_from, by)


def shift_by(wind_from: int, prevailing: int | None, face: int, *, literal: bool = False) -> int:
    """How far the wind shifts on a second red die, clockwise positive: 4 500, -4 500 or 0. Table TS-6.

    Rules: T.B1a, T.B1b, T.B1c, T.B1d, T.B1e.
    """
    if literal and face not in _PRINTED_RED:
        return 0
    if prevailing is None or wind_from == prevailing:
        return -STEP if face <= 2 else STEP if face <= 4 else 0
    if wind_from == turned(prevailing, STRAIGHT):
        return STEP if face in (3, 4, 6) else 0
    away = STEP if swing(prevailing, wind_from) > 0 else -STEP
    return away if face in (1, 2, 5) else -away


def _blown(battle: Battle, face: int) -> WindForce:
    """The strength after a second black die. Rules: T.B1a, T.B1f. Table TS-7."""
    if battle.options["wind_table"] == "literal" and face not in _PRINTED_BLACK:
        return battle.strength
    return WindForce(battle.strength - 1 if face <= 3 else min(battle.strength + 1, WindForce.STRONG))


def _count_spells(battle: Battle) -> None:
    """Moves running that have been calm, and calm or light. Rule: T.B1h."""
    battle.spell_calm = battle.spell_calm + 1 if battle.strength is WindForce.CALM else 0
    battle.spell_quiet = battle.spell_quiet + 1 if battle.strength <= WindForce.LIGHT else 0


def head(battle: Battle, play: Play, was: int) -> None:
    """A shift that leaves a ship too close to the wind puts her in irons on 1-2; else she falls off on her old tack to the limit.

    was: the bearing it blew from before. Rules: T.B8, T.B8a, T.B8b.
    """
    for ship in battle.afloat():
        limit = wind_limit(battle, ship)
        off = battle.off_wind(ship.heading)
        if not limit or off >= limit or not _can_be_headed(battle, ship):
            continue
        if off >= _off(ship.heading, was):
            continue
        die = play.dice.d6(clause="T.B8", subjects=(battle.move, ship.id), reason="headed by the wind")
        if die <= HEADED_UP_TO:
            ship.in_irons, ship.irons_since = True, battle.move
        else:
            starboard = (was - ship.heading) % FULL <= STRAIGHT
            ship.heading = falls_off(battle, limit, starboard=starboard)
        play.tell("headed", "T.B8", ship.id, irons=ship.in_irons, h=ship.heading)


def _free(battle: Battle, play: Play) -> None:
    """Irons end at once when the heading has become one she may sail on, and in a calm. Rule: T.B7b."""
    for ship in battle.afloat():
        if ship.in_irons and battle.off_wind(ship.heading) >= wind_limit(battle, ship):
            ship.in_irons = False
            play.tell("out_of_irons", "T.B7b", ship.id)


def _can_be_headed(battle: Battle, ship: Ship) -> bool:
    """Whether she is under sail, not in irons already and in no one's tow. Rule: T.B8b."""
    return under_sail(battle, ship) and not ship.in_irons and not ship.towed_by


def _off(heading: int, wind_from: int) -> int:
    return abs(swing(wind_from, heading))
