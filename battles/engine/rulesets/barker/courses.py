"""How bases move on an empty sea: pivots, wheels, turns together, lines astern.

Nothing here knows what a ship meets or pays. A pose is the middle of a base and its heading.

Rules: P.M07, P.M08, P.M13-P.M15, P.Z02, P.Z13.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from battles.engine.core.plane import UNIT, Point, advance, distance, nearest, turned, unit
from battles.engine.rulesets.barker.tables import BASE_LENGTH, BASE_WIDTH

Pose = tuple[int, int, int]
# A point of a track with the heading there: two rows for a corner, before and after the pivot.
Row = tuple[int, int, int]
# A straight piece of a way: the front edge's middle at its beginning, heading, length.
Stretch = tuple[Point, int, int]

_FORE, _SIDE = BASE_LENGTH // 2, BASE_WIDTH // 2
# Rounded points may lie so much off the length that they were given: 0.1 yd.
_NEAR = 10


def front(pose: Pose) -> Point:
    """The middle of the front edge. Rule: P.Z02."""
    return advance((pose[0], pose[1]), pose[2], _FORE)


def behind_front(point: Point, heading: int) -> Pose:
    """The pose of a base whose front edge has this middle. Rule: P.Z02."""
    x, y = advance(point, heading, -_FORE)
    return x, y, heading


def pivot(pose: Pose, turn: int) -> Pose:
    """A turn on the front corner inside it; no distance is made. turn: starboard positive. Rules: P.M07, P.M08, P.Z13."""
    x, y, heading = pose
    return about(pose, _corner((x, y), heading, turn), turn)


def _corner(at: Point, heading: int, turn: int) -> tuple[int, int]:
    """The front corner inside a turn, measured from the middle in thousand-millionths of a unit."""
    sin, cos = unit(heading)
    out = _SIDE if turn > 0 else -_SIDE
    return _FORE * sin + out * cos, _FORE * cos - out * sin


def about(pose: Pose, corner: tuple[int, int], turn: int) -> Pose:
    """A base turned about a point that is given from its middle in thousand-millionths. Rules: P.M08, P.M14."""
    x, y, heading = pose
    dx, dy = corner
    sin, cos = unit(turn % 36_000)
    # The middle as the corner has it is (-dx, -dy); it turns clockwise.
    over_x, over_y = -dx * cos - dy * sin, dx * sin - dy * cos
    return (
        x + nearest(dx * UNIT + over_x, UNIT * UNIT),
        y + nearest(dy * UNIT + over_y, UNIT * UNIT),
        turned(heading, turn),
    )


def ahead(pose: Pose, length: int) -> Pose:
    """A base so far on. Rule: P.M08."""
    x, y = advance((pose[0], pose[1]), pose[2], length)
    return x, y, pose[2]


def wheel(poses: Sequence[Pose], turn: int) -> list[Pose]:
    """A line abreast, leftmost first, turned rigidly about the inner front corner of its innermost ship. Rule: P.M14."""
    inner = poses[-1] if turn > 0 else poses[0]
    dx, dy = _corner((inner[0], inner[1]), inner[2], turn)
    return [
        about(pose, (dx + (inner[0] - pose[0]) * UNIT, dy + (inner[1] - pose[1]) * UNIT), turn)
        for pose in poses
    ]


def pieces(rows: Sequence[Row], head: Row, reach: int, length: int) -> list[Stretch]:
    """The straight pieces, oldest first, of the last so much way of a ship that is so far behind the head of a track. Rule: P.M13."""
    found: list[Stretch] = []
    x, y, heading = head
    for row in reversed(rows):
        if row[2] == heading:
            long = distance((row[0], row[1]), (x, y))
            if reach < long - _NEAR:
                piece = min(long - reach, length)
                if length - piece <= _NEAR:
                    piece = length
                found.append((advance((x, y), heading, -reach - piece), heading, piece))
                length -= piece
                if not length:
                    break
            reach = max(reach - long, 0)
        x, y, heading = row
    if length:
        found.append((advance((x, y), heading, -reach - length), heading, length))
    found.reverse()
    return found


def older(rows: Sequence[Row], head: Row, reach: int) -> list[Row]:
    """The part of a track that lies behind a point so far behind its head. Rule: P.M13."""
    x, y, heading = head
    for n in range(len(rows) - 1, -1, -1):
        row = rows[n]
        if row[2] == heading:
            long = distance((row[0], row[1]), (x, y))
            if reach < long - _NEAR:
                return list(rows[: n + 1])
            reach = max(reach - long, 0)
        x, y, heading = row
    return []


def trimmed(rows: Sequence[Row], head: Row, reach: int) -> list[Row]:
    """A track as far as a last ship so far behind the head still needs it; empty when the line is straight. Rule: P.M13."""
    kept: list[Row] = []
    x, y, heading = head
    for row in reversed(rows):
        if reach < 0:
            break
        if row[2] == heading:
            reach -= distance((row[0], row[1]), (x, y))
        x, y, heading = row
        kept.append(row)
    kept.reverse()
    return kept if any(row[2] != head[2] for row in kept) else []


class Body:
    """Bases that move as one: "ahead" along the track of the first, "abreast", or "loose", each on her own heading.

    poses: as far as the body has gone, van or leftmost first; a base by herself is loose. The first base of a line ahead need not be
    there any more: the others keep their places on the track all the same. Rules: P.M12, P.M13.
    """

    __slots__ = ("head", "kind", "poses", "rows")

    def __init__(self, kind: str, poses: Iterable[Pose], rows: Iterable[Row] = ()) -> None:
        self.kind = kind
        self.poses = list(poses)
        self.rows = list(rows)
        self.head: Row = (*front(self.poses[0]), self.poses[0][2])

    def turn(self, turn: int) -> None:
        """In succession, as a wheel, or each on her own corner. Rules: P.M08, P.M13, P.M14."""
        if self.kind == "abreast":
            self._dress()
            self.poses = wheel(self.poses, turn)
        elif self.kind == "ahead":
            pose = self.poses[0] = pivot(self.poses[0], turn)
            self.rows.append(self.head)
            self.head = (*front(pose), pose[2])
            self.rows.append(self.head)
        else:
            self.turn_together(turn)

    def turn_together(self, turn: int) -> None:
        """All at once, each on her own corner; in what formation they are then their bases tell. Rule: P.M15."""
        self.kind, self.rows = "loose", []
        self.poses = [pivot(pose, turn) for pose in self.poses]

    def advance(self, length: int) -> list[list[Stretch]]:
        """All go so far: a line ahead along its track, others straight. Returns each one's way in pieces. Rules: P.M02, P.M12, P.M13."""
        if self.kind != "ahead":
            if self.kind == "abreast":
                self._dress()
            ways: list[list[Stretch]] = [[(front(pose), pose[2], length)] for pose in self.poses]
            self.poses = [ahead(pose, length) for pose in self.poses]
            return ways
        x, y, heading = self.head
        self.poses[0] = ahead(self.poses[0], length)
        self.head = (*front(self.poses[0]), heading)
        ways = [[((x, y), heading, length)]]
        for n in range(1, len(self.poses)):
            way = pieces(self.rows, self.head, n * BASE_LENGTH, length)
            ways.append(way)
            at, course, long = way[-1]
            self.poses[n] = behind_front(advance(at, course, long), course)
        return ways

    def track(self) -> list[Row]:
        """What those astern have still to follow. Rule: P.M13."""
        return (
            trimmed(self.rows, self.head, (len(self.poses) - 1) * BASE_LENGTH) if self.kind == "ahead" else []
        )

    def _dress(self) -> None:
        """A line abreast steers the course of its leftmost ship. Rule: P.M12."""
        course = self.poses[0][2]
        self.poses = [(x, y, course) for x, y, _ in self.poses]
