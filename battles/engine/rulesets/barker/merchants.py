"""Merchant shipping: moves that nobody orders, the wind of sailing vessels, the dice of fishing fleets. Rules: P.Y01-P.Y12, P.W13."""

from __future__ import annotations

from battles.engine.core import plane
from battles.engine.rulesets.barker import alone
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Unit
from battles.engine.rulesets.barker.tables import ANGLE_SLACK, FREE_MOVE, Type

# Nearer than this to the wind's eye no sailing vessel goes. Rule: P.Y08.
NO_GO = 4_500
# What FISH says: how much the fleet turns, None to stay. Rule: P.Y09.
FISH = (None, None, 0, 0, -4_500, 4_500)


def may_steer(battle: Battle, unit: Unit, heading: int) -> bool:
    """Whether the wind lets a unit move on a heading: a sailing vessel neither in calm nor within 45 degrees of dead upwind.

    Rules: P.Y08, P.W13, P.W03.
    """
    if unit.type is not Type.SAIL:
        return True
    return battle.weather != "calm" and plane.angle(heading, battle.wind) >= NO_GO - ANGLE_SLACK


def go(battle: Battle, play: Play, unit: Unit, *, compulsory: bool = False) -> None:
    """One free move straight ahead, if the wind allows it. Rules: P.Y04, P.C07."""
    if may_steer(battle, unit, unit.h):
        alone.steam(battle, play, unit, 0, FREE_MOVE[battle.mode], compulsory=compulsory)


def fish(battle: Battle, play: Play, unit: Unit) -> None:
    """A fishing fleet throws FISH and does what it says; a belligerent one in its owner's spells. Rules: P.Y09, P.C07."""
    die = play.dice.d6(clause="P.Y09", subjects=(battle.spell, "FISH", unit.id), reason="fish")
    turn = FISH[die - 1]
    if turn is not None:
        alone.steam(battle, play, unit, turn, FREE_MOVE[battle.mode])
