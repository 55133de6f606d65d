"""Submarines: their move, diving, surfacing, bubble markers and nets. Rules: P.U01-P.U11, P.M25."""

from __future__ import annotations

from battles.engine.core import bases, plane
from battles.engine.core.plane import Box, Point
from battles.engine.rulesets.barker import alone, bubbles, coming, land, mines, modes, nets
from battles.engine.rulesets.barker.play import Orders, Plan, Play, Token
from battles.engine.rulesets.barker.state import Battle, Marker, Unit
from battles.engine.rulesets.barker.tables import FREE_MOVE, LAP, MOVE, SLACK, YARD, Type

# Moves from her marker within which a boat comes up. Rule: P.U05.
RISE = 2
# What a turn in her one move costs. Rule: P.M25.
TURN_PRICE, MOST_TURN = 1, 9_000
# Fake markers: from when, how many, and how far from an enemy. Rule: P.U08.
FAKES_FROM, FAKES, FAKE_CLEAR = 1900, 2, 800 * YARD


def move(battle: Battle, play: Play, unit: Unit, orders: Orders | None) -> None:
    """One boat's movement phase, for submerged boats too: the first of its plans that can be carried out.

    Rules: P.U02-P.U07, P.M25, P.K48.
    """
    for plan in orders.plans if orders is not None else ():
        if _possible(battle, unit, plan):
            for token in plan:
                _do(battle, play, unit, token)
            return


def _possible(battle: Battle, unit: Unit, plan: Plan) -> bool:
    """Whether a boat may do all of a plan: surface and nothing else, or a move, a dive, or a dive after the move. Rules: P.U02, P.U07."""
    kinds = "".join(token.kind for token in plan)
    if unit.submerged:
        return kinds == "" or (kinds == "U" and may_surface(battle, unit, plan[0]))
    if kinds not in ("", "O", "D", "OD"):
        return False
    if kinds.startswith("O"):
        turn = plan[0].turn
        if abs(turn) > MOST_TURN or (turn and _points(battle, unit) < TURN_PRICE):
            return False
        return not unit.no_more and alone.clear(battle, unit, turn, FREE_MOVE[battle.mode])
    return True


def _points(battle: Battle, unit: Unit) -> int:
    group = battle.groups.get(unit.group)
    return group.left if group is not None else 0


def _do(battle: Battle, play: Play, unit: Unit, token: Token) -> None:
    """One step of a plan; what cannot be done any more is left out."""
    if token.kind == "U":
        _surface(battle, play, unit, token)
    elif not unit.under_way or play.frozen:
        return
    elif token.kind == "D":
        if unit.on_table:
            bubbles.dive(battle, play, unit, "P.U02")
    else:
        if token.turn:
            battle.groups[unit.group].left -= TURN_PRICE
        alone.steam(battle, play, unit, token.turn, FREE_MOVE[battle.mode])


def may_surface(battle: Battle, unit: Unit, token: Token) -> bool:
    """Whether a boat may come up at a point: not before its time, near its marker, on the table, clear of land and of all bases.

    A fishing fleet does not hinder it, to its cost. Rules: P.U04, P.U05, P.U10, P.Z03.
    """
    marker = _marker(battle, unit)
    if token.at is None or marker is None or battle.parties[unit.side].spells < unit.earliest:
        return False
    place = Box(*token.at, token.turn % plane.FULL, unit.length, unit.beam)
    if not plane.within(token.at, (marker.x, marker.y), RISE * MOVE[battle.mode] + SLACK):
        return False
    if not coming.inside(battle.table, token.at) or land.aground(battle, place):
        return False
    return not any(
        plane.overlap(place, other, LAP) for other in battle.on_table() if other.type is not Type.FISH
    )


def _marker(battle: Battle, unit: Unit) -> Marker | None:
    return next((marker for marker in battle.markers if marker.real == unit.id), None)


def _surface(battle: Battle, play: Play, unit: Unit, token: Token) -> None:
    """A boat comes up, and her marker goes. Rules: P.U05, P.U10, P.X06, P.C02."""
    marker = _marker(battle, unit)
    assert token.at is not None and marker is not None
    bubbles.lift(battle, play, marker)
    (unit.x, unit.y), unit.h, unit.submerged = token.at, token.turn % plane.FULL, False
    play.tell("surfaced", "P.U05", unit.id, x=unit.x, y=unit.y, h=unit.h)
    nets.foul(battle, play, unit, unit)
    if unit.on_table:
        mines.surfaced(battle, play, unit)
    modes.under_way(battle, play)


def _spot(at: Point) -> Box:
    return Box(*at, 0, 0, 0)


def fakes(battle: Battle, play: Play, side: str) -> None:
    """Put, shift or take up fake markers as ordered. Rule: P.U08."""
    for unit in list(battle.units.values()):
        order = play.ordered(unit.id) if unit.side == side else None
        for number, at in (order.fakes if order is not None else {}).items():
            if at is None or may_fake(battle, side, number, at):
                _fake(battle, play, side, number, at)


def may_fake(battle: Battle, side: str, number: int, at: Point) -> bool:
    """Whether a side may put a fake marker at a point: on the table and not within 800 yd of an enemy base. Rule: P.U08."""
    most = battle.options.get("fakes", FAKES)
    if battle.year < FAKES_FROM or not 1 <= number <= most or not coming.inside(battle.table, at):
        return False
    return all(
        bases.gap(_spot(at), foe) > FAKE_CLEAR + SLACK
        for foe in battle.on_table(battle.other(side))
        if not foe.neutral
    )


def _fake(battle: Battle, play: Play, side: str, number: int, at: Point | None) -> None:
    code = f"fake/{side}/{number}"
    old = next((marker for marker in battle.markers if marker.id == code), None)
    if old is not None:
        bubbles.lift(battle, play, old)
    if at is not None:
        bubbles.put(battle, play, Marker(code, side, *at))
