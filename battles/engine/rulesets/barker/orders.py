"""Step 4: the speller's captain decides for those to whom no player has given orders, and armed merchant cruisers show themselves.

Rules: P.K48, P.R05, P.G13.
"""

from __future__ import annotations

from dataclasses import replace

from battles.engine.rulesets.barker import formations, raiders, signals
from battles.engine.rulesets.barker.play import Orders, Play
from battles.engine.rulesets.barker.state import Battle
from battles.engine.rulesets.barker.tables import Type


def give(battle: Battle, play: Play) -> None:
    """Ask the speller's captain, merge what players have ordered, and let merchant cruisers act that are told to. Rules: P.K48, P.R05.

    A player's order without a plan leaves the movement to the captain, and slots that it leaves open too.
    """
    side = battle.speller
    formations.gather(battle)
    for code in [code for code in play.made if battle.units[code].side == side]:
        del play.made[code]
    given = {code: order for code, order in play.orders.items() if _side_of(battle, code) == side}
    captain = play.captains.get(side)
    if captain is not None:
        if battle.options.get("signals") == "played":
            signals.wishes(battle, play, side, captain.wish(play.views[side]))
        for code, order in captain.orders(play.views[side], given).items():
            if _side_of(battle, code) == side:
                play.made[code] = merged(given[code], order) if code in given else order
    for unit in battle.units.values():
        if unit.type is Type.AMC and unit.side == side and unit.under_way and not unit.acting:
            wish = play.ordered(unit.id)
            if wish is not None and wish.act:
                raiders.act(battle, play, unit)


def merged(given: Orders, decided: Orders) -> Orders:
    """A player's order with what it leaves open decided by the captain: the plans, slots without a word, the light. Rules: P.K47, P.K48."""
    moves = given if given.plans or given.with_ is not None else decided
    return replace(
        given,
        plans=moves.plans,
        with_=moves.with_,
        targets={**decided.targets, **given.targets},
        pay=given.pay or decided.pay,
        light=decided.light if given.light is None else given.light,
        flag=given.flag or decided.flag,
        hail=given.hail or decided.hail,
        lay=decided.lay if given.lay is None else given.lay,
        act=decided.act if given.act is None else given.act,
        fakes={**decided.fakes, **given.fakes},
    )


def _side_of(battle: Battle, code: str) -> str:
    unit = battle.units.get(code)
    return unit.side if unit is not None else ""
