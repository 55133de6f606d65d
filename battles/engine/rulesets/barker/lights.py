"""Searchlights: who may use one, and the declarations that open a shooting step by night. Rules: P.V13, P.V14."""

from __future__ import annotations

from battles.engine.core import bases
from battles.engine.rulesets.barker import land, sight
from battles.engine.rulesets.barker.lines import beside
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Unit
from battles.engine.rulesets.barker.tables import MILE, SLACK, Phase

# How far a beam carries. Rule: P.V14.
REACH = 2 * MILE
# What `Unit.light` says of one that has sent searchlight morse this spell. Rule: P.G02.
SIGNAL = "signal"


def declare(battle: Battle, play: Play) -> None:
    """Put the lights of the last shooting step out and, at NIGHT, let each side declare new ones, speller first. Rule: P.V14."""
    was = {unit.id: unit.light for unit in battle.on_table() if unit.light and unit.light != SIGNAL}
    for code in was:
        battle.units[code].light = ""
    if battle.phase is Phase.NIGHT:
        for side in (battle.speller, battle.other(battle.speller)):
            if not battle.unready(side):
                _of_side(battle, play, side)
        sight.refresh(battle, play)
    for unit in battle.on_table():
        if unit.light != SIGNAL and unit.light != was.get(unit.id, ""):
            play.tell("lit", "P.V14", unit.id, target=unit.light)


def _of_side(battle: Battle, play: Play, side: str) -> None:
    """Orders go before the captain; a light that cannot be is left out."""
    wished = dict(play.captains[side].lights(play.views[side])) if side in play.captains else {}
    for unit in battle.on_table(side):
        order = play.ordered(unit.id)
        wish = order.light if order is not None and order.light is not None else wished.get(unit.id, "")
        target = battle.units.get(wish)
        if target is not None and can_light(battle, unit, target):
            unit.light = target.id


def has_light(unit: Unit) -> bool:
    """Whether a unit has a searchlight that it may use as things stand. Rules: P.V13, P.V14."""
    return unit.searchlight and unit.on_table and not unit.disguised and unit.light != SIGNAL


def can_light(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether a unit may light another: an enemy within reach, no land between; it need not be in sight. Rule: P.V14."""
    if not has_light(unit) or not target.on_table or target.side == unit.side:
        return False
    if target.neutral or target.disguised or bases.gap(unit, target) > REACH + SLACK:
        return False
    return not (battle.land and land.blocks(battle, unit.at, target.at, beside(unit, target)))
