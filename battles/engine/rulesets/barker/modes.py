"""Cruising and combat: what changes the one into the other. Rules: P.C01-P.C03, P.C10."""

from __future__ import annotations

from battles.engine.rulesets.barker import sight
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle
from battles.engine.rulesets.barker.tables import Mode

# Sight is tested along every step of a cruising move of at most so much. Rule: P.C03.
SIGHT_STEP = 500_00


def in_contact(battle: Battle) -> bool:
    """Whether either side has an enemy in sight. Rule: P.C02."""
    return any(party.contacts for party in battle.parties.values())


def change(battle: Battle, play: Play) -> bool:
    """First sight of an enemy puts everybody in COMBAT. True when that has happened now. Rules: P.C01, P.C02."""
    return in_contact(battle) and to_combat(battle, play)


def to_combat(battle: Battle, play: Play) -> bool:
    """Put everybody in COMBAT: an enemy is in sight, or his signal. Nobody is laid anew. True when they were cruising.

    Rules: P.C02, P.C08, P.G02, P.G03.
    """
    if battle.mode is Mode.COMBAT:
        return False
    battle.mode, battle.unseen, battle.cruising_unseen = Mode.COMBAT, 0, 0
    if battle.contact < 0:
        battle.contact = battle.clock
    play.tell("mode", "P.C02", mode=battle.mode.value)
    return True


def under_way(battle: Battle, play: Play) -> bool:
    """Sight along a cruising move: at the first enemy all movement left is forfeit, and the shooting is played in combat. Rule: P.C03.

    True when the movement of the spell is over.
    """
    if battle.mode is Mode.CRUISING:
        sight.refresh(battle, play)
        if change(battle, play):
            play.frozen = play.combat = True
    return play.frozen


def alarm(battle: Battle, play: Play) -> None:
    """An enemy shows himself otherwise than by a move: look again, and fight out the spell in combat. Rules: P.C02, P.R03."""
    sight.refresh(battle, play)
    if to_combat(battle, play):
        play.combat = True


def revert(battle: Battle, play: Play) -> None:
    """After so many combat spells in which nobody saw an enemy both sides cruise again. Rules: P.C10, P.K09."""
    if in_contact(battle):
        battle.unseen = battle.cruising_unseen = 0
    elif battle.mode is Mode.COMBAT:
        battle.unseen += 1
        if battle.unseen >= battle.options["revert_after_spells"]:
            battle.mode, battle.unseen = Mode.CRUISING, 0
            play.tell("mode", "P.C10", mode=battle.mode.value)
    else:
        battle.cruising_unseen += 1
