"""Squadrons that come on over an edge of the table. Rules: P.S31, P.S34, P.K43, P.O01.

`come_on` is called at the beginning of the NIP step; movement moves who is `under_way` and calls `entered` after each move.
"""

from __future__ import annotations

from battles.engine.core.plane import FULL, STRAIGHT, Point, advance, nearest, turned, unit
from battles.engine.rulesets.barker.play import Play
from battles.engine.rulesets.barker.state import BarkerSquadron, Battle, Status, Unit
from battles.engine.rulesets.barker.tables import BASE_LENGTH, TURN_SECONDS


def is_due(battle: Battle, squadron: BarkerSquadron, clock: int) -> bool:
    """Whether a squadron still to come may come on in a spell of its side that begins at a second of the clock. Rule: P.K43."""
    return not squadron.held_back and clock >= TURN_SECONDS * (squadron.arrives - 1)


def expected(battle: Battle, squadron: BarkerSquadron) -> bool:
    """Whether a squadron is still to come."""
    return any(unit.status is Status.EXPECTED for unit in units_of(battle, squadron))


def units_of(battle: Battle, squadron: BarkerSquadron) -> list[Unit]:
    """The units of a squadron, van first, a pair once. Rule: P.K36."""
    return list(dict.fromkeys(battle.ships[code].unit for code in squadron.ships))


def due(battle: Battle, side: str) -> list[BarkerSquadron]:
    """Squadrons of a side that come on in the spell that begins now. Rules: P.S31, P.S34, P.K43."""
    return [
        squadron
        for squadron in battle.squadrons.values()
        if squadron.side == side and expected(battle, squadron) and is_due(battle, squadron, battle.clock)
    ]


def come_on(battle: Battle, play: Play) -> None:
    """Queue the speller's due squadrons outside their edge: the leader's front on it, the others astern, heading straight in.

    Called before the NIP dice. Rules: P.S31, P.S34, P.K43.
    """
    taken: dict[Point, int] = {}
    # The strongest in the middle where no bearing parts them. Rule: P.S31 as AA21 has it.
    coming = due(battle, battle.speller)
    coming.sort(key=lambda row: -sum(one.sp2 for one in units_of(battle, row)))
    for squadron in coming:
        units = units_of(battle, squadron)
        edge = squadron.edge * 100 if squadron.edge is not None else battle.parties[squadron.side].edge
        front, course = gate(battle.table, edge)
        n = taken[front] = taken.get(front, -1) + 1
        front = advance(front, turned(course, FULL // 4), ABREAST * ((n + 1) // 2) * (-1 if n % 2 else 1))
        for place, one in enumerate(units):
            one.x, one.y = advance(front, course, -BASE_LENGTH // 2 - place * BASE_LENGTH)
            one.h, one.status, one.outside = course, Status.IN_PLAY, True


# Between the queues of squadrons that come on over one edge in one spell. Rule: P.S31 as AA21 has it.
ABREAST = 5 * BASE_LENGTH


def gate(table: tuple[int, int, int, int], edge: int) -> tuple[Point, int]:
    """Where the ray from the table's middle on a bearing leaves the table, and the heading straight in. Rules: P.K43, P.S31."""
    west, south, east, north = table
    middle = (west + east) // 2, (south + north) // 2
    sin, cos = unit(edge % FULL)
    half_x, half_y = (east - west) // 2, (north - south) // 2
    if abs(sin) * half_y >= abs(cos) * half_x:
        point = middle[0] + (half_x if sin > 0 else -half_x), middle[1] + nearest(cos * half_x, abs(sin))
        return point, 27_000 if sin > 0 else 9_000
    point = middle[0] + nearest(sin * half_y, abs(cos)), middle[1] + (half_y if cos > 0 else -half_y)
    return point, STRAIGHT if cos > 0 else 0


def inside(table: tuple[int, int, int, int], at: Point) -> bool:
    """Whether a point lies on the table, its edges included. Rule: P.M23."""
    west, south, east, north = table
    return west <= at[0] <= east and south <= at[1] <= north


def entered(battle: Battle, play: Play, one: Unit) -> bool:
    """Whether a queued unit's middle has come over the edge; then it is there from now on. Rule: P.S34."""
    if not one.outside or not inside(battle.table, one.at):
        return False
    one.outside = False
    pair = one.hulls[1] if len(one.hulls) > 1 else ""
    steps = one.damage + 3 * one.crippled
    play.tell(
        "arrived", "P.S34", one.id, x=one.x, y=one.y, h=one.h, type=one.type.value, steps=steps, stopped=one.stopped, pair=pair,
        side=one.side, contact=one.contact,
    )  # fmt: skip
    return True
