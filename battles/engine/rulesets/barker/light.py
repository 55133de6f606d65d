"""The first step of a spell: the light of the hour, banks on the move, and who is in sight. Rules: P.T10, P.W10, P.W11, P.C02."""

from __future__ import annotations

from battles.engine.core.plane import STRAIGHT, UNIT, Point, advance, turned, unit
from battles.engine.rulesets.barker import clock, modes, sight
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import Bank, Battle
from battles.engine.rulesets.barker.tables import BASE_LENGTH, MOVE, Mode

# Moves of a spell by which a bank drifts. Rules: P.W06, P.W07.
DRIFT = {"mist": 0, "fog": 1, "squall": 2}
SIGNAL = "signal"


def begin_spell(battle: Battle, play: Play) -> None:
    """Light, weather and sight for a spell of the speller; what lasted one spell is over. Rules: P.T10, P.W11, P.C02."""
    battle.parties[battle.speller].spells += 1
    battle.tallies = {}
    play.paths.clear()
    play.forced.clear()
    play.touch.clear()
    play.sent.clear()
    play.mined.clear()
    play.swaths.clear()
    play.frozen = False
    for one in battle.units.values():
        one.no_more, one.sweeps, one.made = False, True, ()
        if one.light == SIGNAL:
            one.light = ""
    phase = clock.phase_at(battle, battle.clock)
    if phase is not battle.phase:
        battle.phase = phase
        play.tell("phase", "P.T10", phase=phase.value)
    drift(battle, play)
    sight.refresh(battle, play)
    modes.change(battle, play)
    play.began = battle.mode
    play.combat = battle.mode is Mode.COMBAT


def drift(battle: Battle, play: Play) -> None:
    """Banks move down the wind; one whose trailing edge has passed the downwind corner is gone. Rules: P.W06, P.W07, P.W11."""
    moved = False
    for bank in list(battle.banks):
        moves = DRIFT[bank.kind]
        if not moves or bank.since > battle.spell:
            continue
        bank.x, bank.y = advance((bank.x, bank.y), bank.h, moves * MOVE[battle.mode])
        moved = True
        if _past(bank, corner(battle, turned(battle.wind, STRAIGHT))):
            battle.banks.remove(bank)
    if moved:
        tell_banks(battle, play, "P.W11")


def _past(bank: Bank, end: Point) -> bool:
    """Whether a bank's trailing edge lies beyond a point."""
    sin, cos = unit(bank.h)
    ahead = (bank.x - end[0]) * sin + (bank.y - end[1]) * cos
    return ahead > bank.length // 2 * UNIT


def corner(battle: Battle, bearing: int) -> Point:
    """The corner of the table that lies on a bearing from its middle. Rule: P.W03."""
    west, south, east, north = battle.table
    sin, cos = unit(bearing)
    return (east if sin > 0 else west), (north if cos > 0 else south)


def rolling(battle: Battle, kind: str, since: int) -> Bank:
    """A fog bank or squall, the middle of its leading edge on the upwind corner. since: spell of its first move. Rules: P.W10, P.W11."""
    towards = turned(battle.wind, STRAIGHT)
    length, beam = size(battle)
    x, y = advance(corner(battle, battle.wind), battle.wind, length // 2)
    return Bank(kind, x, y, towards, length, beam, DRIFT[kind], since=since)


def size(battle: Battle) -> tuple[int, int]:
    """Length along the wind and breadth across it, in the scale in which the battle opened. Rule: P.W10."""
    scale = 10 if battle.opened_cruising else 1
    across, along = battle.options["bank_size_bases"]
    return along * BASE_LENGTH * scale, across * BASE_LENGTH * scale


def tell_banks(battle: Battle, play: Play, clause: str) -> None:
    """Say where all banks are now."""
    rows = [[bank.kind, bank.x, bank.y, bank.h, bank.length, bank.beam] for bank in battle.banks]
    play.tell("banks", clause, banks=rows)
