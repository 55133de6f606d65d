"""What the commander orders besides moves and shots: flags, challenges, mines, merchant cruisers. Rules: AA13, AA17, AA21, AA25."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from battles.engine.core import plane
from battles.engine.core.plane import UNIT
from battles.engine.rulesets.barker.factors import ATTACK, DEFENCE
from battles.engine.rulesets.barker.play import Orders
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import CRUISERS, MILE, YARD, Type
from battles.engine.rulesets.barker.view import View

# A flag looks for a mate so near; whether she lies alongside is settled after the movement. Rule: AA13.
_MATE = 1_000 * YARD
# A vessel is hailed where no enemy is nearer than the one, or where it lies within the other. Rule: AA17.
_NO_ENEMY, _IN_THE_WAY, _LAMP = 10 * MILE, 1 * MILE, 2 * MILE
# Mines are laid so far ahead of an enemy at most, and so far off his track. Rule: AA25.
_AHEAD, _BESIDE = 4 * MILE, 1 * MILE
# A merchant cruiser takes on an enemy so near. Rule: AA21.
_FIGHTS = 6_000 * YARD
_HAILERS = CRUISERS | {Type.SC}


def added(view: View, orders: Mapping[str, Orders]) -> dict[str, Orders]:
    """Orders with the words that fit things as they stand."""
    found = dict(orders)
    own = view.own()

    def say(unit: Unit, **words: object) -> None:
        found[unit.id] = replace(found.get(unit.id, Orders()), **words)  # type: ignore[arg-type]

    for unit, mate in _flags(view):
        say(unit, flag=mate.id)
    for unit, contact in _challenges(view):
        say(unit, hail=contact)
    for unit in own:
        if view.lays(unit) and _across(view, unit):
            say(unit, lay=True)
        elif unit.type is Type.AMC and not unit.acting and _can_fight(view, unit):
            say(unit, act=True)
    return found


def _flags(view: View) -> list[tuple[Unit, Unit]]:
    """Crippled flagships, each with the nearest sound mate. Rules: AA13, P.S18."""
    own, found = {unit.id: unit for unit in view.own()}, []
    for squadron in view.squadrons():
        flag = own.get(squadron.flagship)
        if flag is not None and flag.crippled and not squadron.flotilla:
            mates = [
                (plane.distance(flag.at, unit.at), unit.id)
                for unit in own.values()
                if unit.squadron == squadron.id
                and not unit.crippled
                and plane.within(flag.at, unit.at, _MATE)
            ]
            if mates:
                found.append((flag, own[min(mates)[1]]))
    return found


def _challenges(view: View) -> list[tuple[Unit, str]]:
    """For each neutral that still steams the nearest cruiser, if the enemy leaves her the time. Rule: AA17."""
    found = []
    for vessel in view.vessels():
        near = [
            (plane.distance(unit.at, vessel.at), unit.id)
            for unit in view.own()
            if unit.type in _HAILERS and not unit.crippled and plane.within(unit.at, vessel.at, _LAMP)
        ]
        if near and not vessel.stopped:
            far, code = min(near)
            if far <= _IN_THE_WAY or not any(
                plane.within(vessel.at, foe.at, _NO_ENEMY) for foe in view.foes()
            ):
                found.append((view.unit(code), vessel.contact))
    return found


def _across(view: View, unit: Unit) -> bool:
    """Whether a minelayer is ahead of an enemy, near his track. Rule: AA25."""
    for foe in view.foes():
        ahead, right = plane.frame(foe, unit.at)
        if 0 < ahead <= _AHEAD * UNIT and abs(right) <= _BESIDE * UNIT:
            return True
    return False


def _can_fight(view: View, unit: Unit) -> bool:
    """Whether an enemy whom a merchant cruiser can fight is near. Rules: AA21, P.R05."""
    mine = ATTACK[unit.type][1] or 0
    return any(
        plane.within(unit.at, foe.at, _FIGHTS)
        and (ATTACK.get(foe.type, (0, 0, 0, 0))[1] or 0) <= mine
        and DEFENCE[foe.type] <= DEFENCE[unit.type]
        for foe in view.foes()
    )
