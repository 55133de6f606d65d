"""The second step of a spell: what boats find aboard a stopped vessel. Rules: P.N08, P.N09."""

from __future__ import annotations

from battles.engine.core import bases
from battles.engine.rulesets.barker import neutrals
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle, Group, Unit
from battles.engine.rulesets.barker.tables import CONTACT

# SEARCH from which there is contraband aboard. Rule: P.N08.
CONTRABAND = 6


def search(battle: Battle, play: Play) -> None:
    """Throw SEARCH for every vessel alongside which the speller's challenger has lain since its last spell. Rule: P.N08."""
    own_spell = battle.parties[battle.speller].spells
    for vessel in list(battle.on_table()):
        challenger = battle.units.get(vessel.challenged)
        if challenger is None or challenger.side != battle.speller or not 0 <= vessel.search_due <= own_spell:
            continue
        vessel.search_due = -1
        if not alongside(challenger, vessel):
            continue
        subjects = (battle.spell, "SEARCH", challenger.id, vessel.id)
        prize = play.dice.d6(clause="P.N08", subjects=subjects, reason="search") >= CONTRABAND
        vessel.searched = True
        play.tell("searched", "P.N08", challenger.id, target=vessel.id, prize=prize)
        neutrals.release(vessel)
        if prize:
            seize(battle, vessel, challenger)


def alongside(challenger: Unit, vessel: Unit) -> bool:
    """Whether any part of their bases touches. Rules: P.N07, P.Z03."""
    return challenger.on_table and bases.gap(challenger, vessel) <= CONTACT


def seize(battle: Battle, vessel: Unit, by: Unit) -> None:
    """A prize joins the captor's merchants and moves as what it is. Rules: P.N09, P.K32."""
    vessel.neutral, vessel.prize_of, vessel.by = False, by.side, by.id
    vessel.side, vessel.group = by.side, f"merchants/{by.side}"
    battle.groups.setdefault(vessel.group, Group(vessel.group, by.side, "merchants"))
