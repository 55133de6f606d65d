"""Where ships lie as the battle opens, and where squadrons come in later. Rules: A.S2, A.L2, A.G37."""

from __future__ import annotations

from itertools import groupby

from battles.engine.core.overhauled import caught
from battles.engine.core.plane import UNIT, nearest, unit
from battles.engine.core.scenario import Scenario
from battles.engine.rulesets.age_of_sail import lines, wind
from battles.engine.rulesets.age_of_sail.options import with_defaults
from battles.engine.rulesets.age_of_sail.play import Play
from battles.engine.rulesets.age_of_sail.sailing import Spot, falling_off
from battles.engine.rulesets.age_of_sail.state import Battle, Ship, Status
from battles.engine.rulesets.age_of_sail.tables import (
    CAUGHT_GAP,
    LATE_DISTANCE,
    OPENING_GAP,
    POINT,
    POINTS,
    SHIP_GAP,
    SQUADRON_GAP,
    STEP,
)


def windward(scenario: Scenario) -> str:
    """The side to windward: by the gauge, not the one surprised, else the first. Rules: A.S2, A.G37."""
    codes = [side.id for side in scenario.sides]
    if len(scenario.surprised) == 1:
        return next(code for code in codes if code != scenario.surprised[0])
    return scenario.gauge if scenario.gauge in codes else codes[0]


def spots(scenario: Scenario) -> dict[str, Spot]:
    """Where each ship lies that is there from the start: two parallel lines, or where the scenario puts her. Rules: A.S2, A.G37."""
    eye = 2 * wind.opening(scenario, with_defaults(scenario.options))[0]
    heading = (eye + POINTS // 4) % POINTS
    gap = scenario.gap if scenario.gap is not None else CAUGHT_GAP if caught(scenario) else OPENING_GAP
    upwind = windward(scenario)
    found: dict[str, Spot] = {}
    for side in scenario.sides:
        x, y = (gap * STEP[eye][0], gap * STEP[eye][1]) if side.id == upwind else (0, 0)
        back = 0
        for squadron in side.squadrons:
            if squadron.arrives:
                continue
            for ship in squadron.ships:
                h = heading if ship.heading is None else (ship.heading + POINT // 2) // POINT % POINTS
                where = ship.position or (x - back * STEP[heading][0], y - back * STEP[heading][1])
                found[ship.id] = (*where, h)
                back += SHIP_GAP
            back += SQUADRON_GAP - SHIP_GAP
    return found


def deploy(battle: Battle, scenario: Scenario) -> None:
    """Put everyone in place and form the lines. Rules: A.S2, A.L1, A.L2."""
    for code, (x, y, h) in spots(scenario).items():
        ship = battle.ships[code]
        ship.x, ship.y, ship.h = x, y, h
        battle.grid.place(ship)
    for code, rows in groupby(battle.ships.values(), key=lambda ship: ship.squadron):
        lines.form(battle, code, [ship for ship in rows if battle.able(ship)])


def tell(battle: Battle, play: Play) -> None:
    """The opening in the log."""
    play.tell(
        "opened", "A.S1", wind_from=battle.wind_from, strength=battle.wind, land=[[list(p) for p in shape] for shape in battle.land],
        shoals=[[list(p) for p in shape] for shape in battle.shoals], edges=list(battle.edges) if battle.edges else None,
    )  # fmt: skip
    for ship in battle.in_play():
        _placed(play, "placed", "A.S2", ship)


def _placed(play: Play, kind: str, clause: str, ship: Ship) -> None:
    play.tell(
        "placed" if kind == "placed" else "arrived", clause, ship.id, x=ship.x, y=ship.y, h=ship.h, port=ship.port,
        stbd=ship.stbd, units=ship.units, rig=[*ship.rig], anchored=ship.moored,
    )  # fmt: skip


def arrivals(battle: Battle, play: Play) -> None:
    """Squadrons that come in this round. Rule: A.G37."""
    for squadron in battle.squadrons.values():
        ships = [battle.ships[code] for code in squadron.ships if battle.ships[code].expected]
        if ships and squadron.arrives <= battle.turn:
            _enter(battle, play, ships, squadron.edge)


def _enter(battle: Battle, play: Play, ships: list[Ship], edge: int | None) -> None:
    """In line, the leader outside the outermost ship on this bearing, heading for the middle. Rule: A.G37."""
    there = [*battle.in_play()]
    x = sum(ship.x for ship in there) // len(there) if there else 0
    y = sum(ship.y for ship in there) // len(there) if there else 0
    bearing = 45 * battle.wind_from if edge is None else edge
    sin, cos = unit(bearing * 100)
    out = max(((ship.x - x) * sin + (ship.y - y) * cos for ship in there), default=0) + LATE_DISTANCE * UNIT
    x, y = x + nearest(out * sin, UNIT * UNIT), y + nearest(out * cos, UNIT * UNIT)
    h = (bearing * 100 + POINT // 2) // POINT % POINTS
    h = falling_off((h + POINTS // 2) % POINTS, battle.sails(ships[0]))
    for n, ship in enumerate(ships):
        ship.status = Status.AFLOAT
        ship.x, ship.y, ship.h = x - n * SHIP_GAP * STEP[h][0], y - n * SHIP_GAP * STEP[h][1], h
        battle.grid.place(ship)
        _placed(play, "arrived", "A.G37", ship)
    lines.form(battle, ships[0].squadron, [ship for ship in ships if battle.able(ship)])
