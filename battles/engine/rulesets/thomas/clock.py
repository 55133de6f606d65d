"""Steps P0 and P12: nightfall, ships that leave, and when the battle is over. Rules: T.S13, T.S14, T.S16, T.C3-T.C5."""

from __future__ import annotations

from battles.engine.core import plane
from battles.engine.core.scenario import Stance
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.sailing import enough_hands
from battles.engine.rulesets.thomas.state import Battle, Ship, Status
from battles.engine.rulesets.thomas.tables import ESCAPE_REACH, NIGHTFALL


def nightfall(battle: Battle, play: Play) -> None:
    """Step P0: whether a battle that opens at 21:00 or later opens at all; later nightfalls come as a move ends (`tick`).

    A move that is not begun is not counted. Rules: T.S13, T.C4, T.C5.
    """
    if battle.move == 1 and _night_ends_it(battle, play, battle.minute):
        battle.ended = "nightfall"
        battle.move = 0


def _night_ends_it(battle: Battle, play: Play, minute: int) -> bool:
    """Whether no move begins at this minute: at or after 21:00, unless the battle goes on by night. Rules: T.C4, T.C5."""
    if minute < NIGHTFALL * 60:
        return False
    why = _fights_on(battle, play)
    play.tell("night", "T.C5" if why else "T.C4", "", fights_on=bool(why), why=why)
    return not why


def _fights_on(battle: Battle, play: Play) -> str:
    """Why the battle goes on by night, "" when it does not. Rule: T.C5."""
    if battle.options["night_action"]:
        return "night_action"
    for side in battle.sides:
        ships = [ship for ship in battle.of(side) if ship.fighting]
        enemy = battle.enemy_of(side)
        captain = play.captains.get(enemy)
        if ships and not any(can_leave(battle, ship) for ship in ships) and captain is not None:
            if captain.fights_on(play.views[enemy]):
                return "enemy_cannot_sail"
    return ""


def can_leave(battle: Battle, ship: Ship) -> bool:
    """Whether a ship is able to sail: not at anchor, not dismasted, with hands enough. Rules: T.C5, T.C8."""
    return not ship.anchored and (ship.under_oars or (not ship.dismasted and enough_hands(battle, ship)))


def tick(battle: Battle, play: Play) -> None:
    """Step P12: ships that are clear of every enemy and wish to go leave; then whether the battle is over.

    A side with no one left to fight with, some of whom got away, has parted rather than been beaten. No one waits for a move
    that would begin by night. Rules: T.S16, T.C3, T.C4, T.C23.
    """
    for ship in list(battle.afloat()):
        if _leaves(battle, ship):
            play.tell("withdrew", "T.S16", ship.id, x=ship.x, y=ship.y)
            for one in (ship, battle.ships.get(ship.towing)):
                if one is not None:
                    battle.grid.lift(one)
                    one.status = Status.WITHDRAWN
    sides = {side: _has_ships(battle, side) for side in battle.sides}
    if not all(sides.values()):
        away = any(ship.status is Status.WITHDRAWN and not sides[ship.flag] for ship in battle.ships.values())
        battle.ended = "parted" if away else "beaten"
    elif _night_ends_it(battle, play, battle.minute + int(battle.options["minutes_per_move"])):
        battle.ended = "nightfall"
    elif battle.move >= battle.last_move:
        battle.ended = "limit"


def _has_ships(battle: Battle, side: str) -> bool:
    """Whether a side has anybody left to fight with, here or still expected."""
    return any(
        ship.flag == side and (ship.fighting or ship.status is Status.EXPECTED)
        for ship in battle.ships.values()
    )


def _leaves(battle: Battle, ship: Ship) -> bool:
    """Whether she is over 32 inches from every enemy, sailing away, and worn or told to avoid action. Rule: T.S16.

    One that has caught fire stays until it is out.
    """
    if not ship.under_sail or ship.drifted or ship.struck or ship.in_irons or ship.on_fire:
        return False
    wishes = ship.breaking_off or battle.squadrons[ship.squadron].doctrine.stance is Stance.AVOID
    if not wishes:
        return False
    if any(one.flag != ship.flag and one.fighting for one in battle.near(ship, ESCAPE_REACH)):
        return False
    enemies = [one for one in battle.afloat() if one.flag != ship.flag and one.fighting]
    nearest = min(enemies, key=lambda one: plane.distance(ship.position, one.position), default=None)
    if nearest is None:
        return False
    return plane.angle(plane.bearing(ship.position, nearest.position), ship.heading) > plane.RIGHT
