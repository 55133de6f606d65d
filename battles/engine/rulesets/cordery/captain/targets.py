"""At what ships fire: most dice, fighting ships before beaten ones, no more than a target needs. Rules: C.Q1-C.Q3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from battles.engine.core import squares
from battles.engine.rulesets.cordery import arms
from battles.engine.rulesets.cordery.play import Targets
from battles.engine.rulesets.cordery.view import Seen, View

# Points that a die costs on the average, in thirty-sixths. Rule: C.Q.
GUN_DIE, TORPEDO_DIE, POINT = 19, 24, 36
REACH = 9
_SURE, _FEW, _PLENTY = 2, 2, 3


def choose(
    view: View, weapons: tuple[str, ...], given: Targets, *, nearest: bool
) -> dict[str, dict[str, str]]:
    """Targets by weapon for the ships of a side, weapon after weapon in list order.

    given: what has been ordered. nearest: the nearest target goes before the one under most dice. Rules: C.Q1-C.Q3, C.Q12.
    """
    own, foes = view.own(), [foe for foe in view.foes() if foe.fp > 0]
    allotted = dict.fromkeys((foe.id for foe in foes), 0)
    leading = {} if nearest else _leading(view, own, foes)
    found: dict[str, dict[str, str]] = {}
    bearing = {ship.id: _bearing(view, ship, foes) for ship in own}
    for weapon in weapons:
        for ship in own:
            rows = {foe.id: (foe, reach, dice) for foe, reach, dice in bearing[ship.id].get(weapon, ())}
            code = given.get(ship.id, {}).get(weapon)
            if code is None:
                code = _wanted(view, ship, weapon, rows, allotted, leading, nearest=nearest)
            if code:
                found.setdefault(ship.id, {})[weapon] = code
                if code in rows:
                    allotted[code] += rows[code][2] * (TORPEDO_DIE if weapon == "torpedo" else GUN_DIE)
    return found


Row = tuple[Seen, int, int]


def _bearing(view: View, ship: Seen, foes: list[Seen]) -> dict[str, list[Row]]:
    """By weapon the enemies that it bears on and sees, with range and dice."""
    able = view.able(ship)
    found: dict[str, list[Row]] = {}
    if ship.prize or ship.no_fire:
        return found
    for foe in foes:
        reach = squares.distance(ship.pos, foe.pos)
        if reach > REACH:
            continue
        dice = arms.weapons(ship, able, ship.pos, ship.h, foe.pos, view.options)
        if dice and view.sees(ship.pos, foe.pos):
            for weapon, count in dice.items():
                found.setdefault(weapon, []).append((foe, reach, count))
    return found


def _wanted(
    view: View,
    ship: Seen,
    weapon: str,
    rows: dict[str, Row],
    allotted: dict[str, int],
    leading: dict[str, str],
    *,
    nearest: bool,
) -> str:
    """The target of a weapon, "" to hold fire. Rules: C.Q1, C.Q2, C.Q3."""
    open_ = [row for row in rows.values() if allotted[row[0].id] < POINT * row[0].fp]
    if weapon == "torpedo":
        open_ = [row for row in open_ if _worth_a_torpedo(ship, *row)]
        return min(open_, key=lambda row: (-row[2], row[0].fp))[0].id if open_ else ""

    def key(row: Row) -> tuple[Any, ...]:
        foe, reach, dice = row
        last = (foe.fp, reach) if weapon == "main" else (reach, foe.fp)
        return (reach * nearest, -dice, foe.breaking_off, foe.id != leading.get(ship.squadron), *last)

    among = open_ or list(rows.values())
    return min(among, key=key)[0].id if among else ""


def _worth_a_torpedo(ship: Seen, foe: Seen, reach: int, _: int) -> bool:
    """Near, or at her last points, or with torpedoes to spare. Rule: C.Q3."""
    return reach <= _SURE or foe.fp <= _FEW or ship.torpedoes >= _PLENTY


def _leading(view: View, own: list[Seen], foes: list[Seen]) -> dict[str, str]:
    """By own squadron the leading ship of the enemy's squadron that lies nearest to its first ship. Rule: C.Q1."""
    return dict(_pairs(view, own, foes))


def _pairs(view: View, own: list[Seen], foes: list[Seen]) -> Iterator[tuple[str, str]]:
    if not foes:
        return
    there = {foe.id for foe in foes}
    first: dict[str, Seen] = {}
    for ship in own:
        first.setdefault(ship.squadron, ship)
    for squadron, ship in first.items():
        near = min(foes, key=lambda foe: squares.distance(ship.pos, foe.pos))
        yield squadron, next(code for code in view.squadron_of(near) if code in there)
