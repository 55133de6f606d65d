"""What shots, mines and collisions do to a unit, and what goes down with it. Rules: P.E01-P.E14, P.S15, P.S19, P.L09, P.U01.

Movement calls `damage_step` for a rammer, `sink` for who is rammed or lost in nets, `cripple` for who runs aground, `apply` for a mine.
"""

from __future__ import annotations

from battles.engine.rulesets.barker import bubbles
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import BarkerSquadron, Battle, Status, Unit
from battles.engine.rulesets.barker.tables import Grade, Source, Type

# Damage markers that a unit bears before it is crippled. Rules: P.E03, P.E10.
MARKERS = 2
# Rungs of the ladder by which a log counts damage: a crippling is three. Rule: P.E10.
RUNG = MARKERS + 1
GONE = 2 * RUNG
# In the set's words, by what did it. Rule: P.K16.
FATES = {Source.GUN: "fire", Source.TORPEDO: "torpedo", Source.MINE: "mine", Source.RAM: "ram"}
EXPLODED = "exploded"
# An officer lost with his ship. Rules: P.L09, P.K50.
KILLED = "killed"


def grade(attack: int, defence: int) -> Grade:
    """What an attack total does against a target total.

    The target's at least as high: nothing; exactly half of the attack's or less: GREATER; between: LESSER. An attack of 0 or less does
    nothing. Rules: P.E01, P.E02.
    """
    if attack <= 0 or defence >= attack:
        return Grade.NONE
    return Grade.GREATER if 2 * defence <= attack else Grade.LESSER


def rungs(target: Unit) -> int:
    """How far down the ladder a unit is: 0 sound, 1 and 2 damaged, 3 to 5 crippled, 6 gone. Rule: P.E10."""
    if target.status is Status.SUNK:
        return GONE
    return target.damage + RUNG * target.crippled


def apply(battle: Battle, play: Play, target: Unit, result: Grade, source: Source, by: str) -> None:
    """Let a grade take effect at once. by: id of who did it.

    Rules: P.E03-P.E09.
    """
    if result is Grade.NONE:
        return
    if target.type is Type.SUB:
        if result is Grade.LESSER and source is not Source.MINE:
            bubbles.dive(battle, play, target, "P.U01")
        else:
            sink(battle, play, target, FATES[source], by, "P.E05")
        return
    underwater = source is Source.MINE or (source is Source.TORPEDO and not target.ashore)
    if result is Grade.LESSER:
        if underwater:
            cripple(battle, play, target, source, by, "P.E03")
        else:
            damage_step(battle, play, target, source, by)
    elif target.ashore:
        sink(battle, play, target, EXPLODED, by, "P.E06")
    elif underwater:
        sink(battle, play, target, FATES[source], by, "P.E04")
    else:
        cripple(battle, play, target, source, by, "P.E04")


def damage_step(battle: Battle, play: Play, target: Unit, source: Source, by: str) -> None:
    """One rung down: a marker, or the crippling step on a unit that has two. Nothing to a submarine.

    Rules: P.E10, P.A06, P.U09.
    """
    battle.alarm()
    if target.type is Type.SUB:
        return
    if target.damage >= MARKERS:
        cripple(battle, play, target, source, by, "P.E10")
    else:
        target.damage += 1
        _tell_damage(play, target, by, "P.E10")


def cripple(battle: Battle, play: Play, target: Unit, source: Source, by: str, clause: str = "P.E08") -> None:
    """Cripple a unit: its markers go; one that is crippled already is lost. Rules: P.E08, P.E09, P.E11."""
    battle.alarm()
    if target.crippled:
        sink(battle, play, target, FATES[source], by, "P.E09")
        return
    target.crippled, target.damage = True, 0
    _tell_damage(play, target, by, clause)


def sink(battle: Battle, play: Play, target: Unit, how: str, by: str, clause: str = "P.E12") -> None:
    """Take a unit off the table at once; a Flag goes down with his ship. how: fire, torpedo, mine, ram, nets or exploded.

    Rules: P.E12, P.E13, P.S19, P.L09.
    """
    battle.alarm()
    target.status, target.fate, target.by, target.light = Status.SUNK, how, by, ""
    play.tell("sunk", clause, target.id, how=how, by=by)
    squadron = battle.squadrons.get(target.squadron)
    if squadron is not None and squadron.flagship == target.id:
        _lose_flag(battle, play, squadron, target)


def _tell_damage(play: Play, target: Unit, by: str, clause: str) -> None:
    play.tell("damage", clause, target.id, steps=rungs(target), crippled=target.crippled, by=by)


def _lose_flag(battle: Battle, play: Play, squadron: BarkerSquadron, flagship: Unit) -> None:
    """No successor is named in battle; only the command of the whole passes on. Rules: P.S15, P.S19, P.L09."""
    squadron.flag_lost = True
    squadron.character = 0
    battle.luck[squadron.id] = (flagship.id, KILLED, "P.L09")
    play.tell("flag_lost", "P.S19", flagship.id, squadron=squadron.id)
    party = battle.parties[squadron.side]
    if party.cinc == squadron.id:
        left = [other for other in battle.squadrons.values() if _has_flag(battle, other, squadron.side)]
        left.sort(key=lambda other: (-_points2(battle, other), other.id))
        if left:
            party.cinc = left[0].id


def _has_flag(battle: Battle, squadron: BarkerSquadron, side: str) -> bool:
    """Whether a squadron of a side still has a Flag in the battle. Captain (D) is none. Rules: P.S14, P.S17."""
    if squadron.side != side or squadron.flotilla or squadron.flag_lost or not squadron.flagship:
        return False
    return battle.units[squadron.flagship].status in (Status.IN_PLAY, Status.EXPECTED)


def _points2(battle: Battle, squadron: BarkerSquadron) -> int:
    """Twice the SP with which a squadron began. Rule: P.S15."""
    units = dict.fromkeys(battle.ships[code].unit for code in squadron.ships)
    return sum(unit.sp2 for unit in units)
