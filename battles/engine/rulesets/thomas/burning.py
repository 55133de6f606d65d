"""Magazines, fires and blasts. Rules: T.N2-T.N2d, T.N3-T.N3c."""

from __future__ import annotations

from battles.engine.core import plane
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle, Ship, Status
from battles.engine.rulesets.thomas.tables import BLAST_REACH, BURNING_MOVES, FIRE_OUT_FROM

THRESHOLDS = ("quarter", "half", "three_quarters")


def magazine(battle: Battle, play: Play, ship: Ship, thresholds: tuple[int, ...]) -> None:
    """Test the magazine for each threshold newly met, 1 to 3, in ascending order, until she blows up.

    Quarter and half: a 1 calls for a second die; three quarters goes straight to it. On it a 1 blows her up, the rest set her
    afire. Rules: T.N2, T.N2a, T.N2b.
    """
    for number in thresholds:
        name = THRESHOLDS[number - 1]
        subjects = battle.move, ship.id, name
        if number < 3 and play.dice.d6(clause="T.N2", subjects=subjects, reason="magazine") != 1:
            play.tell("magazine", "T.N2", ship.id, threshold=name, result="none")
            continue
        blows = play.dice.d6(clause="T.N2", subjects=(*subjects, "second"), reason="does she blow up") == 1
        play.tell("magazine", "T.N2", ship.id, threshold=name, result="blows_up" if blows else "fire")
        if blows:
            blow_up(battle, play, ship)
            return
        set_alight(play, ship, by="magazine")


def set_alight(play: Play, ship: Ship, *, by: str, of: str = "") -> None:
    """A ship catches fire; one that burns already keeps its count. Rules: T.N2, T.N2a, T.N2c, T.N3a."""
    if ship.on_fire:
        return
    ship.on_fire, ship.fire_fails = True, 0
    play.tell("alight", "T.N2c" if of else "T.N2", ship.id, by=by, of=of)


def blow_up(battle: Battle, play: Play, ship: Ship) -> None:
    """She is gone with all aboard, and sets alight every ship whose mainmast is within 3 inches. Rules: T.N2c, T.N2d."""
    near = [
        one
        for one in battle.near(ship, BLAST_REACH)
        if plane.within(one.position, ship.position, BLAST_REACH)
    ]
    play.tell("blown_up", "T.N2d", ship.id, x=ship.x, y=ship.y)
    battle.remove(ship, Status.BLOWN_UP, "blown up")
    ship.crew_halves = ship.captive_halves = ship.guard_halves = 0
    for one in near:
        set_alight(play, one, by="blast", of=ship.id)


def burn_out(battle: Battle, play: Play) -> None:
    """After the last move: round after round of the same throws, until no ship burns. Rules: T.C17, T.N2c, T.N3."""
    again = 0
    while any(ship.on_fire for ship in battle.afloat()):
        again += 1
        put_out(battle, play, again=again)


def put_out(battle: Battle, play: Play, *, again: int = 0) -> None:
    """Step P2a: ships that burn throw: 5-6 and the fire is out; else she drifts, silent, and blows up at the fifth failure.

    Ships set alight in this step throw first at the next move. again: number of the round after the battle, else 0.
    Rules: T.N3, T.N3a, T.N3c.
    """
    for ship in [one for one in battle.afloat() if one.on_fire]:
        if not ship.afloat:
            continue
        subjects = (battle.move, ship.id, again) if again else (battle.move, ship.id)
        die = play.dice.d6(clause="T.N3", subjects=subjects, reason="puts out the fire")
        if die >= FIRE_OUT_FROM:
            ship.on_fire, ship.fire_fails = False, 0
            play.tell("fire_out", "T.N3", ship.id)
            continue
        ship.fire_fails += 1
        ship.silent = True
        play.tell("burns", "T.N3", ship.id, fails=ship.fire_fails)
        if ship.fire_fails >= BURNING_MOVES:
            blow_up(battle, play, ship)
