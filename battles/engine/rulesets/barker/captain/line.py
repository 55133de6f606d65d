"""The plans that a formation or a lone ship may make, each weighed, best first. Rules: AA05-AA07, AA12, AA27."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from battles.engine.core import plane
from battles.engine.core.plane import Point
from battles.engine.rulesets.barker.captain import tracks
from battles.engine.rulesets.barker.captain.scene import SHIFT, Head, Place, Scene, of
from battles.engine.rulesets.barker.play import Plan, Token
from battles.engine.rulesets.barker.state import Unit
from battles.engine.rulesets.barker.tables import BOATS, FREE_MOVE, Mode

C, X, P = Token("C"), Token("X"), Token("P")
# Turns that are weighed, in hundredths of a degree. Rule: AA05.
_TURNS = (1_500, 3_000, 4_500, 6_000, 9_000)
# While no enemy is near fewer will do.
_FEW = (1_500, 4_500, 9_000)
_SHARP = (3_000, 6_000, 9_000)
# Points for a third or fourth move. Rule: P.I07.
_DEAR = 2
# Spells of his own that an admiral looks ahead, and yards that his ships then make in each, by their moves.
_AHEAD = 2
_STRIDE = {1: 400, 2: 600, 3: 800, 4: 1_000}
_CRUISE = 10
# Weights beside the worth of shots (see `odds`): a yard off the wished range and a yard from a goal, for each ship; a turn, for each
# ship; leaving the table; running aground; ramming a friend.
_RANGE, _GOAL, _TURN, _LEAVE, _GROUND, _RAM = 2, 2, 400, 10**7, 10**9, 10**8
# And a yard beyond the reach of guns, for who means to fight. Rule: AA03.
_ENGAGE = 6
# Torpedo craft that have not fired are shunned within so many yards. Rule: AA12.
_SHUN = 2_400
_SHUN_WEIGHT = 6
_FEWEST_TOGETHER = 5
_MOST_PLANS = 8
# A base's half length, or its half beam and that of a front edge, less what the eye forgives.
_EYE = 19_500
# No shot is weighed while the nearest enemy is farther off than guns reach and a line is long.
_ROOM = 4_000
# Cripples farther off are in nobody's way.
_NEAR = 200_000


@dataclass(frozen=True, slots=True)
class Wish:
    """What a formation is to do. wanted: range in yards to the enemies `among` (indexes), 0 for as near as can be.

    engage: beyond the reach of guns is no range to keep. goal: a point to make for, or None. deal, take: weights in hundredths of
    what it deals and suffers. shun: keep clear of fresh torpedo craft. leave: over the edge if need be. station: yards from the goal
    within which all is well. range_weight: how much the range matters, share: which part of the enemy's fire it counts, in hundredths.
    sweep: known mines are run over, not shunned.
    """

    wanted: int = 3_000
    among: tuple[int, ...] = ()
    goal: Point | None = None
    deal: int = 100
    take: int = 100
    shun: bool = True
    leave: bool = False
    station: int = 0
    range_weight: int = 100
    share: int = 100
    engage: bool = False
    sweep: bool = False


@dataclass(frozen=True, slots=True)
class Body:
    """A formation, or a ship by herself, as its plans are weighed.

    kind: ahead, abreast or "" for one ship. wanted: indexes of the members that stand for all, ships: these; stride: yards that
    it makes in the spells looked ahead. near: whether guns may speak soon. lame: cripples that may lie in the way.
    """

    members: Sequence[Unit]
    kind: str
    heads: Sequence[Head]
    wanted: Sequence[int]
    ships: Sequence[Unit]
    stride: int
    near: bool
    lame: Sequence[Unit]


def body_of(scene: Scene, members: Sequence[Unit], kind: str) -> Body:
    """How a formation lies."""
    count = len(members)
    wanted = sorted({count // 5, count - 1 - count // 5})
    stride = _STRIDE[min(4, min(unit.moves for unit in members))] * (1 if scene.combat else _CRUISE)
    heads = [scene.head(unit) for unit in members]
    return Body(
        members,
        kind,
        heads,
        wanted,
        [members[n] for n in wanted],
        stride * _AHEAD,
        scene.near(of(members[0]), _ROOM + 400 * count),
        _in_the_way(scene, members, heads[0]),
    )


def plans(scene: Scene, members: Sequence[Unit], kind: str, wish: Wish, nips: int) -> tuple[Plan, ...]:
    """Plans in the order of wish, down to the first that costs nothing. kind: ahead, abreast or "" for one ship. nips: thrown."""
    moves = min(unit.moves for unit in members)
    extra = all(unit.extra_free for unit in members)
    body = body_of(scene, members, kind)
    turns = _TURNS if body.near else _FEW
    rows = [
        (-weigh(scene, body, plan, wish), n, plan)
        for n, plan in enumerate(_candidates(moves, len(members), kind, nips, turns, extra=extra))
    ]
    found: list[Plan] = []
    begin: Plan = (Token("R"),) if members[0].stopped else ()
    for _, _, plan in sorted(rows, key=lambda row: row[:2])[:_MOST_PLANS]:
        found.append((*begin, *plan))
        if all(token.kind in "CX" for token in plan):
            break
    return tuple(found)


def announce(scene: Scene, members: Sequence[Unit], plan: Plan) -> None:
    """Tell the scene where boats are going to lie, so that those planned later keep clear of them in the dark. Rule: P.A05."""
    if members[0].type in BOATS and (ran := tracks.run(scene.head(members[0]), plan, scene.view.mode)):
        scene.expect(members[0], ran[-1])


def _candidates(
    moves: int, ships: int, kind: str, nips: int, turns: Sequence[int], *, extra: bool
) -> Iterator[Plan]:
    """Everything that is weighed, simplest first; nothing that the die cannot pay even without surcharges. Rules: P.I07, P.I13."""
    yield (C,)
    if extra:
        yield C, X
        if nips > _DEAR - 1:
            yield C, X, P
    for count in range(1, moves if not extra else 1):
        if nips >= _DEAR * count - 1:
            yield (C, *(P,) * count)
    for by in turns:
        for turn in (by, -by):
            if nips > 1:
                yield Token("P", turn), C
            if moves > 2 and nips > 1 + _DEAR and by in _SHARP:
                yield Token("P", turn), C, P
    if kind and ships < _FEWEST_TOGETHER and nips > ships:
        for turn in (plane.RIGHT, -plane.RIGHT):
            yield Token("T", turn), C


def weigh(scene: Scene, body: Body, plan: Plan, wish: Wish) -> int:
    """What a plan is worth: fire given and taken now, after the enemy's next move and a while later; range, goal, dangers."""
    mode = scene.view.mode
    ships, heads, way = body.ships, body.heads, body.stride
    count = len(heads)
    ran = tracks.run(heads[0], plan, mode)
    last = ran[-1] if ran else heads[0]
    far = Head(*plane.advance((last.x, last.y), last.h, way * 100), last.h)
    if body.kind == "abreast" or any(token.kind == "T" for token in plan):
        now = tracks.shifted([heads[n] for n in body.wanted], plan, mode)
        later = [Place(x + (way * ux >> SHIFT), y + (way * uy >> SHIFT), ux, uy) for x, y, ux, uy in now]
    else:
        now = tracks.behind(heads, ran, body.wanted)
        later = tracks.behind(heads, [*ran, far], body.wanted)
    value = 0
    if body.near:
        for places, spells, times in ((now, 1, 2), (later, _AHEAD + 1, 2)):
            dealt, taken = scene.exchange(ships, places, spells)
            value += (
                times
                * (dealt * wish.deal * count // len(ships) - taken * wish.take * wish.share // 100)
                // 100
            )
    value -= _off(scene, now, later, wish) * count
    value -= _TURN * count * sum(token.turn != 0 for token in plan)
    if wish.shun and body.near:
        value -= _threat(scene, ships, now) * count // len(ships)
    return value - _dangers(scene, body, ran, far, wish)


def _off(scene: Scene, now: Sequence[Place], later: Sequence[Place], wish: Wish) -> int:
    """What the wished range and the goal say of places, a ship."""
    found = 0
    spells = _AHEAD + 1 if scene.combat else 1
    if wish.among:
        gap = 0
        for x, y, _, _ in later:
            gap += scene.nearest(x, y, spells, wish.among)
        gap //= len(later)
        found += _RANGE * abs(gap - wish.wanted) * wish.range_weight // 100
        if wish.engage:
            found += _ENGAGE * max(0, gap - scene.reach)
    if wish.goal is not None:
        way = _way(later[0], wish.goal)
        if not scene.combat:
            # Moves are long there: who comes by a goal has been at it.
            way = min(way, _way(now[0], wish.goal))
        found += _GOAL * max(0, way - wish.station)
    return found


def _way(place: Place, goal: Point) -> int:
    """Roughly the way from a place to a goal, in yards."""
    dx, dy = abs(place.x - goal[0] // 100), abs(place.y - goal[1] // 100)
    return max(dx, dy) + min(dx, dy) // 2


def _threat(scene: Scene, ships: Sequence[Unit], now: Sequence[Place]) -> int:
    """What fresh torpedo craft about could do soon. Rule: AA12."""
    boats = scene.boats()
    if not boats or not scene.combat:
        return 0
    found = 0
    places = scene.foes_after(0)
    for unit, (x, y, _, _) in zip(ships, now, strict=True):
        if unit.type in BOATS:
            continue
        values = scene.values(unit)
        for n in boats:
            gap = max(abs(places[n].x - x), abs(places[n].y - y))
            if gap < _SHUN:
                found += values[n].his.full[0] * (_SHUN - gap) * _SHUN_WEIGHT // (10 * _SHUN)
    return found


def _in_the_way(scene: Scene, members: Sequence[Unit], start: Head) -> list[Unit]:
    """Cripples near whom a formation must not run into. Rules: AA06, P.M26."""
    return [
        one
        for one in scene.lame
        if one not in members
        and (one.side == scene.view.side or one.rank > members[0].rank)
        and abs(one.x - start.x) < _NEAR
        and abs(one.y - start.y) < _NEAR
    ]


def _dangers(scene: Scene, body: Body, ran: Sequence[Head], far: Head, wish: Wish) -> int:
    """The table's edge, land and mines, and cripples in the way. Rules: AA06, AA07, P.M23, P.M26."""
    view, start, lame = scene.view, body.heads[0], body.lame
    found = 0
    west, south, east, north = view.table
    if not wish.leave:
        for x, y, _ in (*ran[-1:], far):
            if not (west < x < east and south < y < north):
                found += _LEAVE
    unlit = scene.unlit(body.members)
    if not (lame or unlit or view.land or view.shoal or scene.mines):
        return found
    if not scene.combat:
        # Moves are long there, and a turn in the next spell is soon enough.
        last = ran[-1] if ran else start
        far = Head(*plane.advance((last.x, last.y), last.h, FREE_MOVE[Mode.CRUISING]), last.h)
    points = list(_points(start, [*ran, far]))
    if view.land or view.shoal:
        for x, y, h in points:
            for side in (-1, 0, 1):
                px, py = plane.advance((x, y), plane.turned(h, plane.RIGHT), side * 12_000)
                if (px // 50_000, py // 50_000) in view.land or (px // 50_000, py // 50_000) in view.shoal:
                    found += _GROUND
    mines = scene.mines
    if mines and not wish.sweep:
        found += sum(
            _RAM
            for x, y, _ in points
            if any(abs(x - mx) < 20_000 and abs(y - my) < 20_000 for mx, my in mines)
        )
    if lame:
        ways = list(_points(start, ran))
        found += sum(
            _RAM for one in lame if any(_meets(x, y, scene.rests.get(one.id, one)) for x, y, _ in ways)
        )
    if unlit:
        ways = list(_points(start, ran))
        found += sum(_RAM for one in unlit if any(_meets(x, y, one) for x, y, _ in ways))
    return found


def _points(start: Head, ran: Sequence[Head]) -> Iterator[Head]:
    """Points on a run, 100 yd apart in each straight stretch and one at its end."""
    before = start
    for head in ran:
        length = max(abs(head.x - before.x), abs(head.y - before.y))
        steps = min(40, max(1, length // 10_000))
        for n in range(1, steps + 1):
            yield Head(
                before.x + (head.x - before.x) * n // steps,
                before.y + (head.y - before.y) * n // steps,
                head.h,
            )
        before = head


def _meets(x: int, y: int, lame: plane.Hull) -> bool:
    """Whether a front edge with its middle here lies on a cripple's base, as near as an admiral's eye can tell."""
    ahead, right = plane.frame(lame, (x, y))
    return abs(ahead) < _EYE * plane.UNIT and abs(right) < _EYE * plane.UNIT
