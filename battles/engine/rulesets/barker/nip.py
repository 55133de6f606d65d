"""Naval initiative points: the throw of each group, what it stirs in the weather, and what a move costs.

There is nothing else to buy: damage control is in the throw itself (P.I18).

Rules: P.I01-P.I12, P.I17, P.W05, P.W07, P.K42, P.Z06.
"""

from __future__ import annotations

from battles.engine.rulesets.barker import coming, light
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Battle
from battles.engine.rulesets.barker.tables import BOATS, Type

# In this order the groups of a side throw. Rule: P.Z06.
_ORDER = {"squadron": 0, "flotilla": 0, "merchants": 1, "submarines": 2, "single": 3}
# What a move costs by its number, before surcharges. Rule: P.I07.
_MOVES = {1: 0, 2: 1, 3: 2, 4: 2}
STOP, RESTART = 2, 2
# A turn in succession or a wheel, for the formation; any other turn, for each ship. Rule: P.I13.
TURN = 1
# Of a turn that a gallant or a cautious commander dislikes. Rules: P.I16, P.L05, P.L06.
DISLIKED = 1
# A NIP die of a senior Flag that lifts his side's mist, and one that sends a squall. Rules: P.W05, P.W07.
_LIFTS, _SENDS = 6, 1


def throw(battle: Battle, play: Play) -> None:
    """Every group of the speller with a unit on the table or coming on throws its die; points left from before are gone.

    A surprised side throws none in its first own spell. Rules: P.I01, P.I02, P.I03, P.I04, P.I05, P.K42, P.Z04.
    """
    coming.come_on(battle, play)
    side = battle.speller
    own = [group for group in battle.groups.values() if group.side == side]
    for group in own:
        group.nip = group.left = 0
    if side in battle.surprised and battle.parties[side].spells <= 1:
        return
    there = {
        unit.group
        for unit in battle.units.values()
        if unit.side == side and unit.under_way and not (unit.neutral or unit.disguised)
    }
    for group in sorted(own, key=lambda one: (_ORDER[one.kind], one.id)):
        if group.id in there:
            group.nip = group.left = play.dice.d6(
                clause="P.I01",
                subjects=(battle.spell, "NIP", group.id, ""),
                reason="initiative points",
            )
    _stir(battle, play, side)


def _stir(battle: Battle, play: Play, side: str) -> None:
    """The die of the side's senior Flag may lift its mist or send a squall. Rules: P.W05, P.W07, P.S15."""
    senior = battle.groups.get(battle.parties[side].cinc)
    if senior is None:
        return
    if senior.nip == _LIFTS:
        left = [bank for bank in battle.banks if bank.kind != "mist" or bank.placer != side]
        if len(left) < len(battle.banks):
            battle.banks[:] = left
            light.tell_banks(battle, play, "P.W05")
    if senior.nip == _SENDS and battle.weather == "squalls" and side == battle.initiative:
        battle.banks.append(light.rolling(battle, "squall", battle.spell + 1))
        light.tell_banks(battle, play, "P.W07")


def price(
    number: int,
    kind: Type,
    *,
    extra_free: bool = False,
    rough: bool = False,
    obsolete: bool = False,
    flag_lost: bool = False,
) -> int:
    """Points for a unit's move of this number, 1 being the compulsory one. extra_free: taken as the second free move.

    flag_lost: its Flag is gone or out of touch. Rules: P.I07, P.I08, P.I09, P.I10, P.I11, P.I12, P.I17.
    """
    points = 0 if extra_free else _MOVES[number]
    if rough and number > 1:
        points += 2 if kind in BOATS else 1
    return points + obsolete + flag_lost if points else 0
