"""Where ships begin: in two lines, where the scenario puts them, and where squadrons that come later enter. Rules: C.S11, C.K36."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from battles.engine.core import plane, squares
from battles.engine.core.errors import Fault
from battles.engine.core.overhauled import caught
from battles.engine.core.parties import entries
from battles.engine.core.scenario import Scenario, ScenarioShip, Side, Squadron
from battles.engine.core.squares import Square
from battles.engine.rulesets.cordery.card import card, card_faults
from battles.engine.rulesets.cordery.state import Battle, Ship

Board = tuple[int | None, int | None, int | None, int | None]
# Columns of a board without edges (C.P2), and areas between the two lines on it.
COLUMNS = 24
GAP = 12
# Areas between the lines where one side has been caught: within the reach of every cruiser's main guns. Rule: C.S11.
CAUGHT_GAP = 6
# Columns where there is a chase to be fought out. Rule: C.P2.
CHASE_COLUMNS = 60
# Every second area astern. Rule: C.S11.
ASTERN = 2
LEAST_TOP = 12
# Areas from the middle of the fight at which a squadron enters. Rule: C.K36.
ENTERS_AT = 11
# How far a ship looks for a free area about the one she ought to have.
_LOOKS = 12
_COURSE = {"north": 0, "east": 2, "south": 4, "west": 6}


class Pose(NamedTuple):
    """An area and a heading."""

    at: Square
    heading: int


def board(scenario: Scenario) -> Board:
    """x least, y least, x most, y most; rows without limit where the scenario has no edges. Rule: C.P2."""
    columns = CHASE_COLUMNS if caught(scenario) else COLUMNS
    return scenario.edges if scenario.edges is not None else (0, None, columns - 1, None)


def poses(scenario: Scenario) -> dict[str, Pose]:
    """Where every ship lies that is there from the start: the scenario's places, and two lines for the others. Rules: C.S11, C.K36."""
    found: dict[str, Pose] = {}
    lines = _lines(scenario)
    for _, squadron, ship in scenario.ships():
        if squadron.arrives:
            continue
        if ship.position is None:
            found[ship.id] = lines[ship.id]
        else:
            found[ship.id] = Pose(
                ship.position, 0 if ship.heading is None else squares.nearest_heading(ship.heading)
            )
    return found


def _lines(scenario: Scenario) -> dict[str, Pose]:
    """Two lines ahead heading north, leaders level, ships every second area astern, in list order but those without guns last.

    A side that avoids has been caught by one that does not, and begins within main range. Rule: C.S11.
    """
    columns = [[ship.id for ship in _there(side) if ship.position is None] for side in scenario.sides]
    longest = max(map(len, columns))
    west, south, east, north = board(scenario)
    usual = CAUGHT_GAP if caught(scenario) else GAP
    gap = scenario.gap if scenario.gap is not None else usual
    middle = ((west or 0) + (east or 0) + 1) // 2
    top = max(LEAST_TOP, ASTERN * longest - ASTERN)
    if south is not None and north is not None:
        top = min(north, (south + north) // 2 + longest - 1)
    first = middle - gap // 2
    return {
        code: Pose((first + n * gap, top - ASTERN * k), 0)
        for n, column in enumerate(columns)
        for k, code in enumerate(column)
    }


def _there(side: Side) -> Iterator[ScenarioShip]:
    """Ships of a side that are there from the start, squadrons without a gun last. Rule: C.S11."""
    for squadron in sorted(side.squadrons, key=_unarmed):
        if not squadron.arrives:
            yield from squadron.ships


def _unarmed(squadron: Squadron) -> bool:
    """Whether no ship of a squadron has main guns, as torpedo craft and transports have none."""
    return not any(card(ship.facts).main_dice for ship in squadron.ships if not card_faults(ship.facts))


def faults(scenario: Scenario) -> Iterator[Fault]:
    """Ships off the board, on land, or in one area; boards that are none. Rules: C.P2, C.P10, C.M10."""
    west, south, east, north = board(scenario)
    if scenario.edges is not None and (
        scenario.edges[0] > scenario.edges[2] or scenario.edges[1] > scenario.edges[3]
    ):
        yield Fault(
            "edges", "minimum and maximum are swapped; give [x minimum, y minimum, x maximum, y maximum]"
        )
        return
    placed = poses(scenario)
    taken: dict[Square, str] = {}
    land, shoal = set(scenario.land), set(scenario.shoal)
    for path, ship in entries(scenario):
        pose = placed.get(ship.id)
        if pose is None:
            continue
        (x, y), here = pose.at, f"{path}.position"
        inside = (west is None or x >= west) and (south is None or y >= south)
        inside = inside and (east is None or x <= east) and (north is None or y <= north)
        if not inside:
            yield Fault(here, f"{ship.name} lies off the board at {[x, y]} (C.P2)")
        elif pose.at in land:
            yield Fault(here, f"{ship.name} lies ashore at {[x, y]} (C.M10)")
        elif pose.at in shoal:
            yield Fault(here, f"{ship.name} lies on a shoal at {[x, y]} (C.K36)")
        if pose.at in taken:
            yield Fault(here, f"{ship.name} lies in the area of {taken[pose.at]}, {[x, y]} (C.P10)")
        taken.setdefault(pose.at, ship.name)


def safe_edges(scenario: Scenario, placed: Mapping[str, Pose]) -> dict[str, str]:
    """The edge behind each side: the scenario's, else west for the side that lies farther west. Rules: C.D3, C.S11."""
    first, second = scenario.sides
    west = _mean_x(first, placed) <= _mean_x(second, placed)
    behind = {first.id: "west" if west else "east", second.id: "east" if west else "west"}
    return {**behind, **{code: str(edge) for code, edge in scenario.options.get("safe_edges", {}).items()}}


def _mean_x(side: Side, placed: Mapping[str, Pose]) -> Fraction:
    found = [
        placed[ship.id].at[0] for squadron in side.squadrons for ship in squadron.ships if ship.id in placed
    ]
    return Fraction(sum(found), len(found))


def course(edge: str) -> int:
    """The heading straight for an edge."""
    return _COURSE[edge]


def enter(battle: Battle, squadron: str) -> list[Ship]:
    """Put a squadron on the board whose turn has come: its leader on its bearing, the others astern. Rule: C.K36."""
    row = battle.squadrons[squadron]
    ships = [battle.ships[code] for code in row.ships]
    there = list(battle.in_play())
    middle = _middle(there)
    edge = row.edge if row.edge is not None else _COURSE[battle.safe[row.side]] * 45
    leader = ships[0]
    spot = next((at for at in _outward(battle, leader, middle, edge)), _free(battle, leader, middle))
    heading = squares.heading_to(spot, middle) if spot != middle else 0
    for n, ship in enumerate(ships):
        ship.h = heading
        battle.put(ship, spot if not n else _free(battle, ship, squares.step(spot, heading, -ASTERN * n)))
    return ships


def _middle(ships: list[Ship]) -> Square:
    """The middle of the ships in play, to the nearest area, halves up."""
    count = max(1, len(ships))
    x, y = sum(ship.x for ship in ships), sum(ship.y for ship in ships)
    return (2 * x + count) // (2 * count), (2 * y + count) // (2 * count)


def _outward(battle: Battle, ship: Ship, middle: Square, edge: int) -> Iterator[Square]:
    """Free areas on a bearing, the one 11 areas off first, then outward to the board's edge, then inward. Rule: C.K36."""
    inward = range(ENTERS_AT - 1, 0, -1)
    for radius in (*range(ENTERS_AT, ENTERS_AT + _LOOKS), *inward):
        spot = _on_bearing(middle, radius, edge)
        if _is_free(battle, ship, spot):
            yield spot


def _on_bearing(middle: Square, radius: int, edge: int) -> Square:
    """The area of a ring nearest to a bearing in degrees; of two the clockwise one. Rule: C.K36."""
    sin, cos = plane.unit(edge * 100)

    def nearness(at: Square) -> tuple[Fraction, int]:
        dx, dy = at[0] - middle[0], at[1] - middle[1]
        along, across = dx * sin + dy * cos, dx * cos - dy * sin
        return Fraction(along * abs(along), dx * dx + dy * dy), int(across > 0)

    return max(squares.ring(middle, radius), key=nearness)


def _is_free(battle: Battle, ship: Ship, spot: Square) -> bool:
    return battle.on_board(spot) and spot not in battle.at and spot not in battle.closed(ship)


def _free(battle: Battle, ship: Ship, spot: Square) -> Square:
    """The nearest free area, clockwise from north. Rule: C.K36."""
    radius = 0
    while True:
        for near in squares.ring(spot, radius):
            if _is_free(battle, ship, near):
                return near
        radius += 1
