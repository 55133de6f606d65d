"""Neutral shipping: its course, challenges and stops. Rules: P.N02-P.N07, P.N10, P.Y04."""

from __future__ import annotations

from battles.engine.rulesets.barker import merchants, signals
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.signals import Means
from battles.engine.rulesets.barker.state import Battle, Unit
from battles.engine.rulesets.barker.tables import Type


def move(battle: Battle, play: Play) -> None:
    """Neutral and disguised vessels hold their course with free moves, in the initiative side's spells.

    Rules: P.N02, P.N03, P.N06, P.Y04, P.Y09, P.R01, P.S34.
    """
    if battle.speller != battle.initiative:
        return
    for vessel in list(battle.units.values()):
        if vessel.under_way and (vessel.neutral or vessel.disguised):
            hold(battle, vessel)
            if vessel.stopped:
                continue
            if vessel.type is Type.FISH:
                merchants.fish(battle, play, vessel)
            else:
                # A liner: one compulsory move and an extra free one, which would cost a point in a rough sea.
                merchants.go(battle, play, vessel, compulsory=vessel.extra_free)
                if vessel.extra_free and not battle.rough:
                    merchants.go(battle, play, vessel)


def hold(battle: Battle, vessel: Unit) -> None:
    """Let a stopped vessel go on when its challenger is no longer within lamp range. Rule: P.N06."""
    if vessel.challenged and vessel.neutral:
        challenger = battle.units.get(vessel.challenged)
        if challenger is None or not signals.carries(battle, challenger, vessel, Means.LAMP):
            release(vessel)


def release(vessel: Unit) -> None:
    """Let a vessel go on. Rules: P.N06, P.N08."""
    vessel.stopped, vessel.challenged, vessel.search_due = False, "", -1


def named(battle: Battle, code: str) -> Unit | None:
    """The vessel that an order to hail means: a neutral by its id, or one in disguise by its contact number. Rule: P.K45."""
    for unit in battle.on_table():
        if (unit.neutral or unit.disguised) and code and code in (unit.id, unit.contact):
            return unit
    return None


def may_hail(battle: Battle, ship: Unit, vessel: Unit) -> bool:
    """Whether a ship may challenge a vessel: an uncrippled surface warship whose lamp reaches it. Rules: P.N05, P.R02."""
    if (
        not ship.warship
        or ship.type is Type.SUB
        or ship.crippled
        or ship.disguised
        or ship.side == _owner(vessel)
    ):
        return False
    free = not vessel.searched and not vessel.challenged
    return free and signals.carries(battle, ship, vessel, Means.LAMP)


def _owner(vessel: Unit) -> str:
    """The side that has disguised a vessel; a genuine neutral has none."""
    return vessel.side if vessel.disguised else ""
