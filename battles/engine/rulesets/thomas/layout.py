"""Where ships lie before the first move, and where reinforcements come in. Rules: T.S20, T.S21, T.S22."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battles.engine.core import plane, shore
from battles.engine.core.log import Log
from battles.engine.core.overhauled import caught
from battles.engine.core.plane import FULL, RIGHT, STRAIGHT, Box, Point, advance, turned
from battles.engine.core.scenario import Scenario, ScenarioShip
from battles.engine.rulesets.thomas.initiative import higher
from battles.engine.rulesets.thomas.play import Play
from battles.engine.rulesets.thomas.state import Battle, Ship, SquadronState, Status
from battles.engine.rulesets.thomas.tables import WindForce

GAP = 24_000
# Between the lines in a campaign, whose chart has brought them within the reach of long guns; where one side has been overhauled; and in a
# calm or light airs, in which no one comes nearer by an inch a move than the reach of medium guns. Rule: T.S20.
MET_GAP, CAUGHT_GAP, QUIET_GAP = 16_000, 12_000, 8_000
# Water between ships of a line, and more of it between squadrons.
INTERVAL, BETWEEN_SQUADRONS = 500, 1_500
_STEP, _RINGS, _POINTS = 600, 200, 24


def reach_heading(wind_from: int) -> int:
    """The heading of a port-tack reach, wind abeam. Rule: T.S20."""
    return turned(wind_from, RIGHT)


def heading_of(entry: ScenarioShip, scenario: Scenario) -> int:
    """The heading a ship is given, else a reach on the port tack. Rule: T.S20."""
    if entry.heading is not None:
        return entry.heading
    return reach_heading((scenario.wind_towards * 100 + STRAIGHT) % FULL)


def deploy(battle: Battle, scenario: Scenario, play: Play) -> None:
    """Ships that the scenario places, then everyone else in line ahead, nearest ships 24 inches apart or less. Rules: T.S20, T.S22."""
    waiting = False
    for _, squadron, entry in scenario.ships():
        if squadron.arrives:
            continue
        if entry.position is None:
            waiting = True
            continue
        ship = battle.ships[entry.id]
        heading = entry.heading if entry.heading is not None else reach_heading(battle.wind_from)
        battle.place(ship, entry.position, heading)
        ship.anchored = "anchored" in entry.facts.tags
    if waiting:
        fleets = [
            [battle.squadrons[one.id] for side in scenario.sides if side.id == code for one in side.squadrons]
            for code in _to_windward(scenario, battle, play)
        ]
        lines = [[one for one in row if not one.arrives] for row in fleets]
        lay_lines(battle, lines, scenario.gap or _usual_gap(battle, scenario))


def _usual_gap(battle: Battle, scenario: Scenario) -> int:
    """Thousandths of an inch between the lines where the scenario does not say. Rule: T.S20."""
    if battle.strength in (WindForce.CALM, WindForce.LIGHT):
        return QUIET_GAP
    if caught(scenario):
        return CAUGHT_GAP
    return MET_GAP if battle.options["campaign"] else GAP


def _to_windward(scenario: Scenario, battle: Battle, play: Play) -> list[str]:
    """Side ids, the one to windward first: the scenario's, the one not surprised, else by two dice a side. Rule: T.S20."""
    codes = list(battle.sides)
    ready = [code for code in codes if code not in scenario.surprised]
    if scenario.gauge:
        first = scenario.gauge
    elif len(ready) == 1:
        first = ready[0]
    else:
        first = higher(play, 0, codes, clause="T.S20")
    return [first, *(code for code in codes if code != first)]


def lay_lines(battle: Battle, fleets: Sequence[Sequence[SquadronState]], gap: int) -> None:
    """Each fleet in one line ahead on a reach, their middles opposite each other along the wind.

    fleets: the squadrons of each, van first, the fleet to windward first. gap: thousandths of an inch between the lines. A
    place that is taken or ashore is changed for the nearest that is not. Rule: T.S20.
    """
    heading = reach_heading(battle.wind_from)
    centre = advance((0, 0), battle.wind_from, gap // 2)
    for squadrons in fleets:
        rows = list(_astern(battle, squadrons))
        middle = rows[-1][1] // 2 if rows else 0
        for ship, astern in rows:
            if ship.status is Status.EXPECTED:
                wish = advance(centre, heading, middle - astern)
                battle.place(ship, clear_water(battle, ship, wish, heading), heading)
        centre = advance(centre, battle.downwind, gap)


def _astern(battle: Battle, squadrons: Sequence[SquadronState]) -> Iterator[tuple[Ship, int]]:
    """Ships of a line with their distance astern of the van, mainmast to mainmast."""
    astern, last = 0, None
    for squadron in squadrons:
        for code in squadron.ships:
            ship = battle.ships[code]
            if last is not None:
                water = INTERVAL if last.squadron == ship.squadron else BETWEEN_SQUADRONS
                astern += (last.length + ship.length) // 2 + water
            last = ship
            yield ship, astern


def clear_water(battle: Battle, ship: Ship, wish: Point, heading: int) -> Point:
    """The place nearest to the one wished where her hull touches neither ship nor land. Raises ValueError when there is none.

    Rules: T.S20, T.S21.
    """
    for ring in range(_RINGS):
        points = range(_POINTS) if ring else range(1)
        for n in points:
            where = advance(wish, n * FULL // _POINTS, ring * _STEP)
            hull = Box(*where, heading, ship.length, ship.beam)
            if not any(shore.ashore(hull, land) for land in battle.land) and not _taken(battle, hull):
                return where
    raise ValueError(f"no open water for {ship.name} near {list(wish)}")


def _taken(battle: Battle, hull: Box) -> bool:
    return any(
        plane.gap_within(hull, other, INTERVAL // 4)
        for other in battle.grid.near((hull.x, hull.y), 2 * hull.length + 2_000)
    )


def arrivals(battle: Battle, play: Play) -> None:
    """Bring in the squadrons due this move, in line ahead, van first, 24 inches from the fight on their bearing.

    Rule: T.S20.
    """
    for squadron in battle.squadrons.values():
        ships = [battle.ships[code] for code in squadron.ships]
        if not 0 < squadron.arrives <= battle.move or ships[0].status is not Status.EXPECTED:
            continue
        bearing = battle.wind_from if squadron.edge is None else squadron.edge * 100
        heading = _inward(battle, bearing)
        entry = _entry(battle, bearing)
        for ship, astern in _astern(battle, [squadron]):
            where = clear_water(battle, ship, advance(entry, turned(heading, STRAIGHT), astern), heading)
            battle.place(ship, where, heading)
            play.tell("arrived", "T.S20", ship.id, x=ship.x, y=ship.y, h=ship.heading)


def _inward(battle: Battle, bearing: int) -> int:
    """The way in from a bearing, turned off the wind as far as a ship can sail. Rules: T.B2c, T.S20."""
    heading = turned(bearing, STRAIGHT)
    if battle.off_wind(heading) >= RIGHT:
        return heading
    return turned(battle.wind_from, RIGHT if plane.swing(battle.wind_from, heading) >= 0 else -RIGHT)


def _entry(battle: Battle, bearing: int) -> Point:
    ships = list(battle.afloat())
    if not ships:
        return 0, 0
    middle = sum(one.x for one in ships) // len(ships), sum(one.y for one in ships) // len(ships)
    span = max(plane.distance(middle, one.position) for one in ships)
    return advance(middle, bearing, span + GAP)


def tell(battle: Battle, play: Play) -> None:
    """The opening of the log: hour, wind, shores, every ship. Rules: T.S8, T.S10, T.S11."""
    log: Log | None = play.log
    if log is None:
        return
    log.add(
        "opened", "T.S10", minute=battle.start, minutes=battle.options["minutes_per_move"], wind_from=battle.wind_from,
        prevailing=battle.prevailing, strength=int(battle.strength), nelson=battle.nelson,
        land=[[list(point) for point in land] for land in battle.land],
    )  # fmt: skip
    for ship in battle.afloat():
        log.add(
            "placed", "T.S20", ship.id, x=ship.x, y=ship.y, h=ship.heading, side=ship.side, squadron=ship.squadron,
            kind=ship.kind.value, length=ship.length, beam=ship.beam, masts=ship.masts - ship.masts_lost,
            quarters=4 * ship.lost // ship.flot_max, flot=ship.flot, flot_max=ship.flot_max, crew=ship.crew_halves,
            crew_max=ship.crew_max, batteries=[[one.gun.value, one.arc.value, one.half, one.lost] for one in ship.batteries],
        )  # fmt: skip
