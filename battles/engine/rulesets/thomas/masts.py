"""Steps P11a and P11c: masts that fall, and jury masts. Rules: T.B5-T.B5d, T.O2-T.O2b."""

from __future__ import annotations

from battles.engine.rulesets.thomas.burning import THRESHOLDS
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle, Ship
from battles.engine.rulesets.thomas.tables import JURY_MOVES, MAST_FALLS_UP_TO


def fall(battle: Battle, play: Play) -> None:
    """Step P11a: for each threshold met this move, in ascending order, a mast may go: at three quarters it does.

    Rules: T.B5, T.B5a, T.B5b, T.B5c, T.B5d.
    """
    for ship in battle.afloat():
        due = range(ship.thresholds_met - ship.thresholds_due + 1, ship.thresholds_met + 1)
        ship.thresholds_due = 0
        for number in due:
            name = THRESHOLDS[number - 1]
            if number < 3:
                die = play.dice.d6(
                    clause="T.B5", subjects=(battle.move, ship.id, name), reason="does a mast fall"
                )
                if die > MAST_FALLS_UP_TO:
                    continue
            _lose(battle, play, ship, name)


def _lose(battle: Battle, play: Play, ship: Ship, threshold: str) -> None:
    """One mast less, never more than she has. Rules: T.B5, T.B5d, T.O2b."""
    if ship.masts_lost >= ship.masts:
        return
    was = ship.dismasted
    ship.masts_lost += 1
    if ship.jury_since < 0 and not ship.jury_used:
        ship.jury_since = battle.move
    left = ship.masts - ship.masts_lost
    play.tell("mast", "T.B5", ship.id, threshold=threshold, left=left, dismasted=ship.dismasted and not was)


def jury(battle: Battle, play: Play) -> None:
    """Step P11c: a move's work on a jury mast, unless spoiled; the fifth one raises it, once a ship.

    Spoiled by close fire at her, fire aboard or a boarding fight. Rules: T.O2, T.O2a, T.O2b, T.N3b.
    """
    if not battle.options["opt_masts"]:
        return
    for ship in battle.afloat():
        if ship.jury_used or ship.jury_since < 0 or ship.jury_since >= battle.move or not ship.masts_lost:
            continue
        if ship.fired_on_close or ship.on_fire or ship.silent or ship.in_a_fight:
            continue
        ship.jury_count += 1
        up = ship.jury_count >= JURY_MOVES
        if up:
            ship.masts_lost -= 1
            ship.jury_used, ship.jury_count, ship.jury_since = True, 0, -1
        play.tell("jury", "T.O2", ship.id, count=JURY_MOVES if up else ship.jury_count, up=up)
