"""At what ships fire: the commander where it does most, the plain captain at the nearest. Rules: C.Q1-C.Q3, C.Q12."""

from __future__ import annotations

from battles.engine.core import squares
from battles.engine.rulesets.cordery import arms
from battles.engine.rulesets.cordery.captain import odds
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

    given: what has been ordered. nearest: the nearest target goes before the one that is worth most. Rules: C.Q1-C.Q3, C.Q12.
    """
    own, foes = view.own(), [foe for foe in view.foes() if foe.fp > 0]
    allotted = dict.fromkeys((foe.id for foe in foes), 0)
    aims = {foe.id: odds.target(foe, view.stands_with(foe)) for foe in foes}
    found: dict[str, dict[str, str]] = {}
    bearing = {ship.id: _bearing(view, ship, foes) for ship in own}
    for weapon in weapons:
        for ship in own:
            rows = {foe.id: (foe, reach, dice) for foe, reach, dice in bearing[ship.id].get(weapon, ())}
            code = given.get(ship.id, {}).get(weapon)
            if code is None:
                if weapon == "torpedo":
                    code = _torpedoed(ship, rows, allotted)
                elif nearest:
                    code = _nearest(rows, allotted)
                else:
                    code = _worthiest(weapon, rows, allotted, aims)
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


def _open(rows: dict[str, Row], allotted: dict[str, int]) -> list[Row]:
    """Targets that are not covered by what is laid on them already. Rule: C.Q1."""
    return [row for row in rows.values() if allotted[row[0].id] < POINT * row[0].fp]


def _torpedoed(ship: Seen, rows: dict[str, Row], allotted: dict[str, int]) -> str:
    """The target of a torpedo, "" to keep it. Rule: C.Q3."""
    open_ = [row for row in _open(rows, allotted) if _worth_a_torpedo(ship, *row)]
    return min(open_, key=lambda row: (-row[2], row[0].fp))[0].id if open_ else ""


def _nearest(rows: dict[str, Row], allotted: dict[str, int]) -> str:
    """The nearest target of a plain captain's guns, "" for none. Rule: C.Q12."""

    def key(row: Row) -> tuple[int, ...]:
        foe, reach, dice = row
        return reach, -dice, foe.breaking_off, foe.fp

    among = _open(rows, allotted) or list(rows.values())
    return min(among, key=key)[0].id if among else ""


def _worthiest(
    weapon: str, rows: dict[str, Row], allotted: dict[str, int], aims: dict[str, odds.Target]
) -> str:
    """The target at which a commander's guns do most beside what is laid on it already, "" for none. Rules: C.Q1, C.Q2."""

    def key(row: Row) -> tuple[int, ...]:
        foe, reach, dice = row
        aim, laid = aims[foe.id], allotted[foe.id] // GUN_DIE
        last = (foe.fp, reach) if weapon == "main" else (reach, foe.fp)
        return (odds.worth(aim, laid) - odds.worth(aim, laid + dice), *last)

    return min(rows.values(), key=key)[0].id if rows else ""


def _worth_a_torpedo(ship: Seen, foe: Seen, reach: int, _: int) -> bool:
    """Near, or at her last points, or with torpedoes to spare. Rule: C.Q3."""
    return reach <= _SURE or foe.fp <= _FEW or ship.torpedoes >= _PLENTY
