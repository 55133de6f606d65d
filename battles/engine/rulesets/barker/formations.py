"""Who is in formation with whom: line ahead and line abreast of one squadron or flotilla, found by how the bases lie.

Rules: P.M09-P.M13, P.M24.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from battles.engine.core import plane
from battles.engine.core.grid import Grid
from battles.engine.core.plane import UNIT, angle
from battles.engine.rulesets.barker.courses import Pose, Row, front, older, trimmed
from battles.engine.rulesets.barker.state import Battle, Formation, Unit
from battles.engine.rulesets.barker.tables import (
    ANGLE_SLACK,
    BASE_LENGTH,
    CONTACT,
    LEVEL,
    SLACK,
    Type,
)

AHEAD, ABREAST = "ahead", "abreast"
# Neighbours' front edges in a line abreast lie at most so far apart, the tolerance of contact included. Rule: P.M10.
APART = 400_00 + CONTACT
_NEAR = CONTACT + SLACK
# The middles of two neighbours are never farther apart.
_REACH = APART + 30_00


def able(unit: Unit) -> bool:
    """Whether a unit may be in a formation: of a squadron, on its way on the surface, neither crippled nor aground. Rule: P.M11."""
    return bool(
        unit.squadron
        and unit.group == unit.squadron
        and unit.under_way
        and not (unit.crippled or unit.aground or unit.neutral or unit.prize or unit.disguised)
        and unit.type is not Type.SUB
    )


def level(a: Pose, b: Pose) -> bool:
    """Whether two bases steer as good as one course. Rules: P.M09, P.M10, P.Z03."""
    return angle(a[2], b[2]) <= LEVEL + ANGLE_SLACK


def astern(van: Pose, rear: Pose) -> bool:
    """Whether a base lies with its whole front edge against another's rear edge. Rules: P.M09, P.Z03."""
    ahead, right = _off(van, rear)
    return abs(ahead + BASE_LENGTH * UNIT) <= _NEAR * UNIT and abs(right) <= _NEAR * UNIT and level(van, rear)


def beside(left: Pose, right: Pose) -> int:
    """How far to starboard of one front edge's middle another lies that is dressed with it; 0 when they are no neighbours.

    Rules: P.M10, P.Z03.
    """
    ahead, out = _off(left, right)
    if abs(ahead) > _NEAR * UNIT or not 0 < out <= (APART + SLACK) * UNIT or not level(left, right):
        return 0
    return out


def _off(base: Pose, other: Pose) -> tuple[int, int]:
    """How far one front edge's middle lies ahead and to starboard of another's, in thousand-millionths of a unit."""
    sin, cos = plane.unit(base[2])
    here, there = front(base), front(other)
    dx, dy = there[0] - here[0], there[1] - here[1]
    return dx * sin + dy * cos, dx * cos - dy * sin


def pose(unit: Unit) -> Pose:
    """Where a unit lies."""
    return unit.x, unit.y, unit.h


def gather(battle: Battle) -> None:
    """Bring the formations into line with how the bases lie: who is lost or fallen out parts a line, who lies in contact joins it.

    Rules: P.M09-P.M11, P.M24.
    """
    kept = [part for one in battle.formations for part in standing(battle, one)]
    placed = {code for one in kept for code in one.members}
    lines: dict[str, list[Formation]] = {}
    for one in kept:
        lines.setdefault(_family(battle.units[one.members[0]]), []).append(one)
    for unit in battle.units.values():
        if unit.squadron and unit.id not in placed and able(unit):
            lines.setdefault(_family(unit), []).append(Formation("", (unit.id,)))
    battle.formations = []
    for family in lines.values():
        for one in _abreast(battle, _columns(battle, family)):
            if len(one.members) > 1:
                battle.formations.append(one)


def _family(unit: Unit) -> str:
    """Who may form up together: of one squadron, and all stopped or none. Rules: P.M09, P.M12."""
    return f"{unit.squadron}/{unit.stopped:d}"


def standing(battle: Battle, one: Formation) -> Iterator[Formation]:
    """What is left of a formation when those who are gone, crippled or of another mind are taken out. Rule: P.M11."""
    units = battle.units
    first = _family(units[one.members[0]])
    keep = [able(units[code]) and _family(units[code]) == first for code in one.members]
    yield from parts(battle, one, keep)


def parts(
    battle: Battle, one: Formation, keep: Sequence[bool], head: Row | None = None
) -> Iterator[Formation]:
    """A formation cut where members fall out; single ships that are left over are not among the parts.

    head: of its track, where the first member is not there to tell. Rules: P.M11, P.K47.
    """
    if all(keep):
        yield one
        return
    start = 0
    for n in range(len(keep) + 1):
        if n == len(keep) or not keep[n]:
            if n - start > 1:
                yield part(battle, one, start, n, head)
            start = n + 1


def part(battle: Battle, one: Formation, start: int, end: int, head: Row | None = None) -> Formation:
    """Some successive members by themselves; the foremost of them has nobody's track to follow any more. Rule: P.M13."""
    members, rows = one.members[start:end], one.track
    if rows:
        rows = older(rows, head or _head(battle.units[one.members[0]]), start * BASE_LENGTH)
        rows = trimmed(rows, _head(battle.units[members[0]]), (len(members) - 1) * BASE_LENGTH)
    return Formation(one.kind, members, list(rows))


def _head(unit: Unit) -> Row:
    return (*front(pose(unit)), unit.h)


def _columns(battle: Battle, family: list[Formation]) -> list[Formation]:
    """Lines ahead of one squadron, each as long as its bases lie in contact. Rules: P.M09, P.M24."""
    return _joined(battle, family, AHEAD, lambda van, rear: int(astern(van, rear)))


def _abreast(battle: Battle, family: list[Formation]) -> list[Formation]:
    """Lines abreast of those who are in no line ahead. Rule: P.M10."""
    columns = [one for one in family if one.kind == AHEAD]
    return columns + _joined(battle, [one for one in family if one.kind != AHEAD], ABREAST, beside)


def _joined(
    battle: Battle, family: list[Formation], kind: str, how: Callable[[Pose, Pose], int]
) -> list[Formation]:
    """Formations of a kind and single ships, put together where the last of one has the first of another next to it.

    how: 0 when two poses are no neighbours, else how far they are apart; the nearest is taken.
    """
    units = battle.units
    other = [one for one in family if one.kind not in (kind, "")]
    lines = [one for one in family if one.kind in (kind, "")]
    if len(lines) < 2:
        return family
    grid: Grid[Unit] = Grid(2 * BASE_LENGTH)
    firsts = {one.members[0]: one for one in lines}
    for code in firsts:
        grid.place(units[code])
    for one in list(lines):
        if firsts.get(one.members[0]) is not one:
            continue
        while True:
            last = units[one.members[-1]]
            found = [
                (off, unit.id)
                for unit in grid.near((last.x, last.y), _REACH)
                if unit.id != one.members[0] and unit.id in firsts and (off := how(pose(last), pose(unit)))
            ]
            if not found:
                break
            code = min(found)[1]
            after = firsts.pop(code)
            grid.lift(units[code])
            one = _linked(battle, one, after, kind)
            firsts[one.members[0]] = one
    return other + list(firsts.values())


def _linked(battle: Battle, van: Formation, rear: Formation, kind: str) -> Formation:
    """Two formations as one: those behind keep the track that they were following. Rule: P.M13."""
    rows = list(van.track)
    if rear.track:
        leader, last = battle.units[rear.members[0]], battle.units[van.members[-1]]
        x, y, heading = _head(leader)
        course = rows[0][2] if rows else last.h
        # Their leader has come up in the wake of the others: from there on the track is that of the van.
        rows = [*rear.track, (x, y, heading), *([(x, y, course)] if course != heading else []), *rows]
    return Formation(kind, (*van.members, *rear.members), rows)
