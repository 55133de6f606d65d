"""Steps P5b and P6b: every ship of a side turns, runs and turns, under sail, oars or boats. Rules: T.B2-T.B4g, T.B7, T.O1, T.O4."""

from __future__ import annotations

from collections.abc import Sequence

from battles.engine.core.plane import turned
from battles.engine.rulesets.thomas import boats, flight, slaves, towing
from battles.engine.rulesets.thomas.contact import carry, run, touches_land, wreck
from battles.engine.rulesets.thomas.drift import drift_now
from battles.engine.rulesets.thomas.play import Course, Play
from battles.engine.rulesets.thomas.sailing import (
    boats_may_pull,
    oar_reach,
    sail_reach,
    sails,
    tow_reach,
    tow_turns,
    turns,
    wind_limit,
)
from battles.engine.rulesets.thomas.state import Battle, Rig, Ship
from battles.engine.rulesets.thomas.tables import WindForce

Row = list[int]
_STAY = Course()


def first_moves(battle: Battle, play: Play) -> None:
    """Step P5b: the ships of the first side move. Rules: T.B3a, T.B4f."""
    side_moves(battle, play, battle.first)


def second_moves(battle: Battle, play: Play) -> None:
    """Step P6b: the ships of the second side move. Rules: T.B3a, T.B4f."""
    side_moves(battle, play, battle.second)


def side_moves(battle: Battle, play: Play, side: str) -> None:
    """Move the ships of a side, in ascending order unless the side wishes another; a tow moves with her tower. Rule: T.B4f."""
    for code in _order(battle, play, side):
        ship = battle.ships[code]
        if ship.afloat and ship.flag == side:
            move(battle, play, ship)


def _order(battle: Battle, play: Play, side: str) -> Sequence[str]:
    ships = tuple(ship.id for ship in battle.of(side))
    captain = play.captains.get(side)
    if captain is None or len(ships) < 2:
        return ships
    wished = captain.ship_order(play.views[side], ships)
    return wished if len(wished) == len(ships) and set(wished) == set(ships) else ships


def move(battle: Battle, play: Play, ship: Ship) -> None:
    """One ship's whole move, if she has one left. Rules: T.B4, T.B4c, T.B6c, T.B6d, T.S22, T.O1, T.O4."""
    if ship.moved or ship.drifted or ship.run_into or ship.grapples or ship.towed_by:
        return
    if ship.struck and not ship.secured:
        return
    if slaves.row_ashore(battle, play, ship):
        return
    course = _course(battle, play, ship)
    ship.moved = True
    if ship.anchored:
        ship.cutting_cable = course.cut_cable
        return
    tow = battle.ships.get(ship.towing)
    if tow is not None and tow.run_into:
        return
    if course.boats and boats_may_pull(battle, ship):
        boats.pull(battle, play, ship, course)
    elif ship.boats_out:
        boats.hoist_in(battle, play, ship)
    elif ship.under_oars:
        _row(battle, play, ship, course)
    elif sails(battle, ship):
        _sail(battle, play, ship, course)
    if ship.afloat:
        _announce(battle, play, ship, course)


def _course(battle: Battle, play: Play, ship: Ship) -> Course:
    """The way out for a worn crew; else her course by orders, else her captain's, else she stands on. Rules: T.O5g, T.S19."""
    ordered = play.order(ship).course
    away = flight.course(battle, ship) if ship.breaking_off and not ship.anchored else None
    if away is not None:
        if ordered is not None:
            play.tell("refused", "T.O5g", ship.id, code="breaking-off", asked="", given="")
        return away
    if ordered is not None:
        return ordered
    asked = play.captain(ship)
    return _STAY if asked is None else asked.captain.course(asked.view, ship.id)


def _announce(battle: Battle, play: Play, ship: Ship, course: Course) -> None:
    """What is announced while moving: heaving to, sails going up, a tow to be passed. Rules: T.B6d, T.O4f, T.O3c."""
    if course.heave_to and not ship.in_irons:
        ship.heave_to_next = True
    if course.raise_sail and ship.rig is Rig.OARS:
        ship.rig = Rig.TO_SAIL
        play.tell("rig", "T.O4f", ship.id, mode=ship.rig.value)
    tow = battle.ships.get(course.take_in_tow)
    if tow is not None and towing.may_tow(battle, ship, tow) and towing.in_place(ship, tow):
        towing.wait(battle, play, ship, tow)


def clamp(play: Play, ship: Ship, what: str, asked: int, least: int, most: int) -> int:
    """An order cut to what is allowed or raised to what is due, and told when it was. Rule: T.B4b."""
    given = max(least, min(most, asked))
    if given != asked:
        play.tell("refused", "T.B4b", ship.id, code=what, asked=asked, given=given)
    return given


def _row(battle: Battle, play: Play, ship: Ship, course: Course) -> None:
    """Under oars: two turns, any heading, no least distance. Rules: T.O4a, T.O4b, T.O4c, T.O4d, T.O4i."""
    tow = battle.ships.get(ship.towing)
    sharp, number = turns(battle, ship)
    most = oar_reach(battle, ship)
    if tow is not None:
        sharp, number = tow_turns(battle, ship, tow)
        most = tow_reach(battle, ship, tow)[1]
    _go(battle, play, ship, course, sharp=sharp, number=number, least=0, most=most)


def _sail(battle: Battle, play: Play, ship: Ship, course: Course) -> None:
    """Under sail, in tow of no one. Rules: T.B2-T.B2g, T.B4, T.B7, T.O4a."""
    tow = battle.ships.get(ship.towing)
    sharp, number = turns(battle, ship)
    least, most = sail_reach(battle, ship)
    if tow is not None:
        sharp, number = tow_turns(battle, ship, tow)
        least, most = tow_reach(battle, ship, tow)
    ship.under_sail = True
    _go(battle, play, ship, course, sharp=sharp, number=number, least=least, most=most)


def _go(
    battle: Battle, play: Play, ship: Ship, course: Course, *, sharp: int, number: int, least: int, most: int
) -> None:
    """Turn, leg, turn, as far as wind, hulls and shores allow. Rules: T.B2e, T.B4, T.B4a, T.B4d, T.B4e, T.B7."""
    path: list[Row] = [[ship.x, ship.y, ship.heading]]
    turn1 = clamp(play, ship, "turn1", course.turn1, -sharp, sharp) if number else 0
    turn2 = clamp(play, ship, "turn2", course.turn2, -sharp, sharp) if number else 0
    if turn1 and turn2 and number < 2:
        turn2 = clamp(play, ship, "turn2", turn2, 0, 0)
    was, limit = ship.heading, wind_limit(battle, ship)
    ship.heading = turned(was, turn1)
    if turn1 and _stranded(battle, play, ship, path):
        return
    if ship.under_sail and limit and most and battle.off_wind(ship.heading) < limit:
        _pinched(battle, play, ship, was, limit, path)
        return
    met = _leg(battle, play, ship, course, least, most, path)
    if not ship.afloat:
        return
    if turn2 and met is None:
        ship.heading = turned(ship.heading, turn2)
        if _stranded(battle, play, ship, path):
            return
        if ship.under_sail and battle.off_wind(ship.heading) < limit:
            _in_irons(battle, play, ship)
    _tell(battle, play, ship, path, met)
    if len(path) > 1:  # who neither turned nor ran leaves her tow where it is
        _bring_the_tow(battle, play, ship)


def _leg(
    battle: Battle, play: Play, ship: Ship, course: Course, least: int, most: int, path: list[Row]
) -> str | None:
    """The straight leg; returns the id of the hull that stopped it. Rules: T.B2f, T.B4d, T.B4e, T.B4g."""
    _mark(ship, path)
    length = clamp(play, ship, "distance", course.distance, least, most)
    if not length:
        return None
    ignoring = (ship.towing,) if ship.towing else ()
    done = run(battle, ship, ship.heading, length, ignoring=ignoring)
    carry(battle, ship, ship.heading, done.length)
    _mark(ship, path)
    if done.ashore:
        _tell(battle, play, ship, path, None)
        wreck(battle, play, ship)
        return None
    if done.met is not None:
        ship.stopped_short = True
        return done.met.id
    return None


def _pinched(battle: Battle, play: Play, ship: Ship, was: int, limit: int, path: list[Row]) -> None:
    """Her opening turn leaves her too near the wind: in irons, unless she was so already and bore away as far as she could.

    Either way she drifts at once in place of her leg and makes no closing turn. Rules: T.B7, T.B2g.
    """
    already = battle.off_wind(was) < limit
    if not already or battle.off_wind(ship.heading) < battle.off_wind(was):
        _in_irons(battle, play, ship)
    _tell(battle, play, ship, path, None)
    drift_now(battle, play, ship)


def _in_irons(battle: Battle, play: Play, ship: Ship) -> None:
    """Rule: T.B7."""
    if battle.strength is WindForce.CALM:
        return
    ship.in_irons, ship.irons_since = True, battle.move
    play.tell("in_irons", "T.B7", ship.id, h=ship.heading)


def _stranded(battle: Battle, play: Play, ship: Ship, path: list[Row]) -> bool:
    """Whether a turn on the spot has put her ashore. Rules: T.B4e, T.S21."""
    if not battle.land or not touches_land(battle, ship):
        return False
    _tell(battle, play, ship, path, None)
    wreck(battle, play, ship)
    return True


def _bring_the_tow(battle: Battle, play: Play, ship: Ship) -> None:
    tow = battle.ships.get(ship.towing)
    if tow is not None and ship.afloat:
        towing.follow(battle, play, ship, tow)


def _mark(ship: Ship, path: list[Row]) -> None:
    row = [ship.x, ship.y, ship.heading]
    if path[-1] != row:
        path.append(row)


def _tell(battle: Battle, play: Play, ship: Ship, path: list[Row], met: str | None) -> None:
    _mark(ship, path)
    if play.log is not None:
        play.tell(
            "moved", "T.B4", ship.id, path=path, stopped=met, oars=ship.under_oars, boats=ship.boats_out
        )
