"""The set-up of a battle on the table, all of it thrown, named or placed by the automatic choices AA16 and AA21.

Both wishes are known before either is told (P.Z07); characters and mines come before (P.S33).
Rules: P.S22-P.S34, P.S29, P.S30, P.T01-P.T04, P.W01-P.W04, P.N01, P.N02, P.K44.
"""

from __future__ import annotations

from battles.engine.core.dice import Dice
from battles.engine.core.log import Log
from battles.engine.core.plane import RIGHT, STRAIGHT
from battles.engine.core.scenario import Scenario, Stance
from battles.engine.rulesets.barker import clock, light, weather_dice
from battles.engine.rulesets.barker.kinds import KINDS
from battles.engine.rulesets.barker.layout import CELL, table
from battles.engine.rulesets.barker.state import Bank, Battle, Cell, Status, Unit
from battles.engine.rulesets.barker.tables import TORPEDO_CRAFT, YARD, Phase, Type

# Side of an island or shoal: 150 mm in cruising scale, in squares of 500 yd. Rules: P.S26, P.S27, P.S29.
_FEATURE = 12
# Between a feature and the edges beside it, in squares.
_INSHORE = 2
# A neutral keeps so far from the middle of the long edge, so that two of them do not meet. Rule: P.N02.
_LANE = 2_000 * YARD


def lay(battle: Battle, scenario: Scenario, dice: Dice, log: Log | None) -> None:
    """Edges, features, the hour, wind and weather, neutrals; everybody waits outside his entry edge. Rules: P.S22-P.S31, P.Z05."""
    second = battle.other(battle.initiative)
    battle.table = table(scenario, 0, battle.options["table_mm"], {})
    # The admiral with the initiative calls his own edge South. Rule: P.S23.
    battle.parties[battle.initiative].edge, battle.parties[second].edge = STRAIGHT, 0
    if not battle.land and not battle.shoal:
        for side in (second, battle.initiative):
            _feature(battle, side)
    throw_time(battle, scenario, dice)
    wind = dice.d6(clause="P.W02", subjects=(0, "WIND", second), reason="wind")
    weather = dice.d6(clause="P.W01", subjects=(0, "WEATHER", second), reason="weather")
    corner, battle.weather, strength = weather_dice.thrown(wind, weather)
    battle.wind = weather_dice.axis(corner, battle.table)
    battle.towards, battle.strength = (corner + 180) % 360, strength.value
    if battle.weather == "fog":
        battle.banks.append(light.rolling(battle, "fog", 0))
    elif battle.weather == "calm" and battle.phase is Phase.NIGHT:
        for side in (battle.initiative, second):
            _mist(battle, side)
    for side in (battle.initiative, second):
        _neutral(battle, side, dice)


def throw_time(battle: Battle, scenario: Scenario, dice: Dice) -> None:
    """The TIME die and both sides' adjustments; the sun sets the switch's hours after it rises. Rules: P.T01-P.T04, P.T11, AA16."""
    die = dice.d6(clause="P.T01", subjects=(0, "TIME", battle.initiative), reason="time of day")
    first, second = (
        _hour_wish(battle, side) for side in (battle.initiative, battle.other(battle.initiative))
    )
    if "nightfall" not in scenario.options:
        battle.sunset = (battle.sunrise + battle.options["sunset_after_sunrise_h"] * clock.HOUR) % clock.DAY
    name, until = clock.open_clock(die, first, second)
    battle.opened = ((battle.sunrise if name == "sunrise" else battle.sunset) - until) % clock.DAY
    battle.phase = clock.phase_at(battle, 0)


def _hour_wish(battle: Battle, side: str) -> int:
    """The side with the larger share of torpedo craft wants darkness, the other daylight. Rules: P.T02, AA16."""
    own, other = _share(battle, side), _share(battle, battle.other(side))
    return (own < other) - (own > other)


def _share(battle: Battle, side: str) -> int:
    """Thousandths of a side's points that are torpedo craft."""
    own = [unit for unit in battle.units.values() if unit.side == side]
    craft = sum(unit.sp2 for unit in own if unit.type in TORPEDO_CRAFT)
    return 1_000 * craft // max(1, sum(unit.sp2 for unit in own))


def _feature(battle: Battle, side: str) -> None:
    """Who avoids battle puts a shoal beside his way home, the other an island in the far corner. Rules: P.S24, P.S26, P.S27, AA16."""
    west, south, east, north = (n // CELL for n in battle.table)
    home = battle.sides[side].doctrine.stance is Stance.AVOID
    up = (battle.parties[side].edge == 0) is home
    right = up is not home
    i = east - _INSHORE - _FEATURE if right else west + _INSHORE
    j = north - _INSHORE - _FEATURE if up else south + _INSHORE
    cells: frozenset[Cell] = frozenset((i + di, j + dj) for di in range(_FEATURE) for dj in range(_FEATURE))
    if home:
        battle.shoal |= cells
    else:
        battle.land |= cells


def _mist(battle: Battle, side: str) -> None:
    """A bank before the weaker side's entry, outside the third of the table that is nearest to the enemy's. Rules: P.W04, P.W10, AA16."""
    _, south, _, north = battle.table
    sp = {code: party.opening2 for code, party in battle.parties.items()}
    weaker = sp[side] < sp[battle.other(side)]
    up = battle.parties[side].edge == 0
    far = (north - south) // 3 if weaker else (north - south) // 6
    length, beam = light.size(battle)
    battle.banks.append(
        Bank("mist", 0, far if up else -far, (battle.wind + STRAIGHT) % 36_000, length, beam, 0, placer=side)
    )


def _neutral(battle: Battle, side: str, dice: Dice) -> None:
    """A tramp that crosses from the middle of a long edge, where the die allows it and no disguise does. Rules: P.N01, P.N02, P.R01."""
    if any(unit.disguised and unit.side == side for unit in battle.units.values()):
        return
    die = dice.d6(clause="P.N01", subjects=(0, "NEUTRAL", side), reason="neutral shipping")
    if die < battle.options["neutral_presence_min"]:
        return
    west, _, east, _ = battle.table
    first = side == battle.initiative
    name, row = f"Neutral tramp {side}", KINDS[Type.TRAMP]
    battle.units[name] = Unit(
        id=name, name=name, side="", squadron="", group="", nation="", type=Type.TRAMP, hulls=(), sp2=row.sp2, moves=row.moves,
        extra_free=False, obsolete=False, signal_miles=row.signal_miles, rank=row.rank, wt=False, searchlight=False, deep=False,
        x=west if first else east, y=_LANE if first else -_LANE, h=RIGHT if first else STRAIGHT + RIGHT, status=Status.IN_PLAY,
        neutral=True, contact=name,
    )  # fmt: skip
