"""Raiders, armed merchant cruisers and minelayers: disguise and disclosure. Rules: P.R01-P.R08."""

from __future__ import annotations

from battles.engine.rulesets.barker import arcs, modes
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Group, Unit
from battles.engine.rulesets.barker.tables import MERCHANTS, SLACK, Type

# How near to an enemy merchant ship a disguise holds: normal range. Rules: P.R02, P.F06.
NEAR = arcs.NORMAL


def recognised(battle: Battle, play: Play) -> None:
    """Disclose whoever has come within normal range of an enemy merchant ship; after each side's movement. Rules: P.R02, P.R03."""
    for unit in list(battle.on_table()):
        if unit.disguised:
            prey = [
                (gap, other.id)
                for other in battle.enemies(unit.side)
                if shown_merchant(other) and (gap := arcs.range_between(unit, other)) <= NEAR + SLACK
            ]
            if prey:
                disclose(battle, play, unit, min(prey)[1])


def shown_merchant(unit: Unit) -> bool:
    """Whether a unit is a merchant ship as far as one can see. Rules: P.R02, P.R05."""
    return unit.type in MERCHANTS or (unit.type is Type.AMC and not unit.acting)


def disclose(battle: Battle, play: Play, unit: Unit, on: str) -> None:
    """Show a raider or minelayer for what it is, for good; it has to fire on that ship in this spell's shooting step.

    From now on it throws a die of its own and moves as a warship; it is a first sight of an enemy. Rules: P.R03, P.R04, P.C02, P.S20.
    """
    unit.disguised = unit.neutral = unit.stopped = False
    unit.challenged, unit.search_due = "", -1
    _own_group(battle, unit)
    play.forced[unit.id] = on
    play.tell("disclosed", "P.R03", unit.id, type=unit.type.value)
    modes.alarm(battle, play)


def act(battle: Battle, play: Play, unit: Unit) -> None:
    """Let an armed merchant cruiser act as one from now on: when it fires, or by choice in an own NIP phase. Rules: P.R05, P.S20."""
    if unit.type is Type.AMC and not unit.acting:
        unit.acting = True
        _own_group(battle, unit)
        play.tell("disclosed", "P.R05", unit.id, type=unit.type.value)


def _own_group(battle: Battle, unit: Unit) -> None:
    """Its own die, from its next own spell on. Rules: P.I04, P.S20."""
    unit.group = unit.id
    battle.groups.setdefault(unit.id, Group(unit.id, unit.side, "single"))
