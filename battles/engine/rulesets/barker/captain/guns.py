"""What an admiral's ships fire at and light, and who fires first. Rules: AA08, AA09, AA11, AA15."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from battles.engine.core.plane import Point, within
from battles.engine.rulesets.barker import arcs
from battles.engine.rulesets.barker.arcs import Band
from battles.engine.rulesets.barker.captain import odds
from battles.engine.rulesets.barker.factors import BAD_LIGHT, NOT_FIRST, REDUCED
from battles.engine.rulesets.barker.slots import MAIN, OTHER
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import BOATS, DAYLIGHT, MILE, TORPEDO_CRAFT, YARD, Phase
from battles.engine.rulesets.barker.view import View

_ENDS = ("ahead", "astern")
_CLOSE = ("port", "starboard")
# A boat so near reaches 800 yd in its next spell: its guns of four moves. Rule: AA08.
_RUSH = arcs.CLOSE + 4 * 400 * YARD
# A first torpedo shot waits for 800 yd when that is within two spells' run. Rule: AA11.
_SOON = arcs.CLOSE + 2 * 4 * 400 * YARD
# By so much the shots of torpedo craft go before those of guns.
_BOATS_FIRST = 8
# Rule: AA15.
_LIGHT_BOATS, _LIGHT_SHIPS = MILE, 2 * MILE


def choose(
    view: View, unit: Unit, legal: Sequence[tuple[str, str]], *, hold: bool = True
) -> list[tuple[str, str]]:
    """The best target of every slot, the best shot first; main and other on different sides. hold: AA11's first shot waits.

    Rules: AA08, AA09.
    """
    mine = odds.kind(unit)
    rows = []
    for n, (slot, code) in enumerate(legal):
        foe = view.foe(code)
        if foe is not None:
            value = _value(view, unit, mine, foe, slot, hold=hold)
            if value > 0:
                rows.append((-value, n, slot, foe))
    chosen: list[tuple[str, str]] = []
    side: dict[str, arcs.Arc] = {}
    for _, _, slot, foe in sorted(rows, key=lambda row: row[:2]):
        if any(slot == other or foe.id == code for other, code in chosen):
            continue
        if slot in (MAIN, OTHER):
            where = arcs.arc(unit, foe.at)
            if where in side.values():
                continue
            side[slot] = where
        chosen.append((slot, foe.id))
    return chosen


def _value(view: View, unit: Unit, mine: odds.Kind, foe: Unit, slot: str, *, hold: bool) -> int:
    """What a shot is worth with all that bears on it. Rule: AA08."""
    gap = arcs.range_between(unit, foe)
    small = unit.torpedo_craft or foe.torpedo_craft
    band = arcs.band(gap, view.year, boats=small) or Band.CLOSE
    if slot in _ENDS or unit.ashore:
        band = max(band, Band.NORMAL)
    if hold and unit.type in BOATS and not unit.fired and band is not Band.CLOSE and not foe.torpedo_craft:
        return 0
    less = REDUCED if slot in _ENDS or slot == OTHER else 0
    if any(code != unit.id for code in view.tallies.get(foe.id, ())):
        less += NOT_FIRST
    if foe.type in BOATS and view.phase not in DAYLIGHT:
        less += BAD_LIGHT
    value = odds.worth(mine, odds.kind(foe, view.type_of(foe)), int(band), less)
    if foe.type in BOATS and not unit.torpedo_craft and not foe.fired and gap <= _RUSH:
        value *= 2
    return value


def squadron(view: View, waiting: Sequence[str]) -> str:
    """Torpedo craft about to be fired at go first, else the squadron with the most guns in reach. Rule: AA08."""
    foes = [foe.at for foe in view.foes()]
    groups: dict[str, list[Unit]] = {}
    for unit in view.own():
        groups.setdefault(unit.group if unit.group in waiting else unit.id, []).append(unit)
    best, first = -1, waiting[0]
    for code in waiting:
        units = groups.get(code, [])
        value = sum(unit.sp2 * (_BOATS_FIRST if unit.torpedo_craft else 1) for unit in units)
        if value > best and any(_reaches(unit, foes) for unit in units[:: max(1, len(units) - 1)]):
            best, first = value, code
    return first


def _reaches(unit: Unit, foes: Sequence[Point]) -> bool:
    """Whether any enemy is so near that a shot counts."""
    reach, (x, y) = arcs.CLOSE if unit.torpedo_craft else arcs.LONG, unit.at
    return any(-reach < fx - x < reach and -reach < fy - y < reach for fx, fy in foes)


def lights(view: View) -> Mapping[str, str]:
    """One beam on each torpedo craft near, and on a heavy ship at which two can fire by it. Rule: AA15."""
    found: dict[str, str] = {}
    if view.phase is not Phase.NIGHT:
        return found
    users = [unit for unit in view.own() if unit.searchlight and not unit.disguised and not unit.light]
    guns = [unit for unit in view.own() if unit.type not in TORPEDO_CRAFT]
    for foe in view.foes():
        free = [unit for unit in users if unit.id not in found]
        if foe.type in BOATS:
            near = [unit for unit in free if within(unit.at, foe.at, _LIGHT_BOATS)]
        elif (
            foe.crippled
            or foe.torpedo_craft
            or sum(within(unit.at, foe.at, _LIGHT_SHIPS) for unit in guns) < 2
        ):
            near = []
        else:
            near = [
                unit
                for unit in free
                if unit.type not in TORPEDO_CRAFT and within(unit.at, foe.at, _LIGHT_SHIPS)
            ]
        if near:
            # A ship on fire gives nothing away by her light.
            user = min(near, key=lambda unit: (not unit.crippled, -unit.rank, unit.id))
            found[user.id] = foe.id
    return found
