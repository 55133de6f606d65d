"""Stage A.S9: lines and ships move a centimetre at a time, with volleys on the way. Rules: A.M8-A.M21, A.L1-A.L8, A.T1-A.T6, A.T9, A.B1."""

from __future__ import annotations

from collections.abc import Sequence

from battles.engine.core import shore
from battles.engine.rulesets.age_of_sail import boarding, gunnery, leaving, lines
from battles.engine.rulesets.age_of_sail.bearing import point_of
from battles.engine.rulesets.age_of_sail.play import Course, Play, Shot
from battles.engine.rulesets.age_of_sail.sailing import Spot, headings, irons_turn, lawful, track
from battles.engine.rulesets.age_of_sail.state import Anchor, Battle, Line, Ship, Status
from battles.engine.rulesets.age_of_sail.tables import (
    CM,
    CONTACT,
    GROUNDS_UP_TO,
    POINTS,
    SIDES,
    SLACK,
    STATION,
    STEP,
)

_CLOSE = (CONTACT - SLACK) ** 2


def move_side(battle: Battle, play: Play) -> None:
    """The active player's ships move, lines first, each ship of a line after the one ahead of her. Rules: A.S9, A.M18."""
    side = battle.active
    lines.sort_out(battle, play)
    # A contact may break a line that has yet to move: its parts move in its stead.
    while waiting := [row for row in battle.lines_of(side) if not battle.ships[row.ships[0]].moved]:
        _line(battle, play, waiting[0])
    for ship in battle.of(side):
        if not ship.moved and not ship.fast and battle.line_of(ship) is None:
            _alone(battle, play, ship)


def _asked(battle: Battle, play: Play, ship: Ship) -> Course:
    """Where a ship goes: as ordered, else as her captain likes, else straight on."""
    order, captain = play.order(ship), play.captain(ship.owner)
    if order.turns is not None:
        return Course(order.turns, order.board or "")
    course = captain.course(play.view(ship.owner), ship) if captain is not None else Course((0,))
    return course if order.board is None else Course(course.turns, order.board)


def _alone(battle: Battle, play: Play, ship: Ship) -> None:
    """A ship that keeps no line. Rules: A.M11-A.M16, A.M21, A.T1."""
    sails = battle.sails(ship)
    order = play.order(ship)
    if not ship.power:
        _drift(battle, play, ship)
    elif sails.shut[ship.h]:
        wanted = order.turns[0] if order.turns else 0
        path = track((ship.x, ship.y, ship.h), [irons_turn(ship.h, sails, wanted)])[1:]
        _sail(battle, play, ship, path, anchor=order.anchor)
    else:
        course = _asked(battle, play, ship)
        path = _legal(play, ship, course, sails)
        _sail(battle, play, ship, path, board=course.board, anchor=order.anchor)


def _legal(play: Play, ship: Ship, course: Course, sails: object) -> list[Spot]:
    """The part of a path that may be sailed, at least a centimetre ahead. Rules: A.M7, A.M21."""
    turns = course.turns or (0,)
    count = lawful(headings(ship.h, turns), ship.h, sails)  # type: ignore[arg-type]
    if count < len(turns) and play.order(ship).turns is not None:
        play.tell("refused", "A.M21", ship.id, token=f"step {count + 1}", code="order/path-cut")
    return track((ship.x, ship.y, ship.h), turns[:count] if count else (0,))[1:]


def _drift(battle: Battle, play: Play, ship: Ship) -> None:
    """A dismasted ship drifts, or anchors. Rules: A.M16, A.T1."""
    order, captain = play.order(ship), play.captain(ship.owner)
    if (
        order.anchor is not None
        if play.orders.get(ship.id)
        else (captain is not None and captain.anchors(play.view(ship.owner), ship))
    ):
        _anchor(battle, play, ship)
        return
    dx, dy = STEP[(2 * battle.wind_from + POINTS // 2) % POINTS]
    _sail(battle, play, ship, [(ship.x + dx, ship.y + dy, ship.h)], forced=True)


def _anchor(battle: Battle, play: Play, ship: Ship) -> None:
    ship.anchor, ship.came = Anchor.DOWN, battle.turn
    play.tell("anchors", "A.T1", ship.id)


def _line(battle: Battle, play: Play, line: Line) -> None:
    """A line follows its leader. Rules: A.L1-A.L4, A.L8."""
    leader = battle.ships[line.ships[0]]
    lines.head(line, leader)
    followers = [battle.ships[code] for code in line.ships[1:]]
    sails = battle.sails(leader)
    turn = 0
    if sails.shut[leader.h]:
        order = play.order(leader)
        turn = irons_turn(leader.h, sails, order.turns[0] if order.turns else 0)
        path = track(line.wake[-1], [turn])[1:]
        taken = _sail(battle, play, leader, path, anchor=order.anchor)
    else:
        course = _asked(battle, play, leader)
        path = _legal(play, leader, course, sails)
        count = lines.pace(battle, line, path)
        if count < len(path):
            count = lawful([spot[2] for spot in path[:count]], leader.h, sails)
            # A tack that the line cannot follow is not begun; the leader goes ahead instead (A.M21).
            path = path[:count] or track(line.wake[-1], (0,))[1:]
        taken = _sail(
            battle, play, leader, path, board=course.board, anchor=play.order(leader).anchor
        )  # fmt: skip
    if leader.id in line.ships:
        line.wake += path[:taken]
        line.places[0] = len(line.wake) - 1
    for ship in followers:
        if battle.able(ship) and not ship.moved:
            _follower(battle, play, line, ship, turn)
    lines.keep_up(battle, line)


def _follower(battle: Battle, play: Play, line: Line, ship: Ship, turn: int) -> None:
    """A ship keeps her place, or makes for it. turn: the leader's, when she was in irons. Rules: A.L3, A.L4, A.L8."""
    sails = battle.sails(ship)
    n = line.ships.index(ship.id)
    if sails.shut[ship.h]:
        made = irons_turn(ship.h, sails, turn)
        path = track((ship.x, ship.y, ship.h), [made])[1:]
        _sail(battle, play, ship, path, anchor=play.order(ship).anchor)
        line.places[n] = -1
        return
    if line.places[n] < 0:
        lines.rejoin(line, n, ship)
    place = line.places[n]
    ahead = line.places[n - 1] if line.places[n - 1] >= 0 else len(line.wake) - 1
    order = play.order(ship)
    if order.turns is not None:
        taken = _sail(battle, play, ship, _legal(play, ship, Course(order.turns), sails), anchor=order.anchor)
        line.places[n] = -1
        return
    if place >= 0:
        room = ahead - place - STATION
        if room <= 0:
            _sail(battle, play, ship, [])
            return
        spots = line.wake[place + 1 : place + 1 + room]
        count = lines.follow(battle, ship, spots, room)
        if count:
            taken = _sail(battle, play, ship, spots[:count], anchor=order.anchor)
            line.places[n] = place + taken
            return
    goal = line.wake[max(0, ahead - STATION)]
    path = _towards(ship, goal, battle)
    _sail(battle, play, ship, path, anchor=order.anchor)
    line.places[n] = -1


def _towards(ship: Ship, goal: Spot, battle: Battle) -> list[Spot]:
    """Her own legal path that ends nearest to a place of the wake. Rule: A.L8."""
    sails = battle.sails(ship)
    start = (ship.x, ship.y, ship.h)
    most = sails.allowed[ship.h]
    rows: list[tuple[int, int, list[Spot]]] = []
    for turn in (-1, 1):
        for points in range(POINTS // 2 + 1):
            turns = [turn] * points + [0] * most
            count = lawful(headings(ship.h, turns)[:most], ship.h, sails)
            spots = track(start, turns[:count])[1:]
            for length in range(count, 0, -1):
                x, y, h = spots[length - 1]
                if not sails.shut[h]:
                    rows.append(((x - goal[0]) ** 2 + (y - goal[1]) ** 2, points, spots[:length]))
    # One centimetre ahead is always lawful.
    return min(rows, key=lambda row: row[:2])[2]


def _sail(
    battle: Battle, play: Play, ship: Ship, path: list[Spot], *, board: str = "", anchor: int | None = None,
    forced: bool = False,
) -> int:  # fmt: skip
    """Sail a path step by step; how many steps were taken. forced: a drift, which no one can stop.

    Rules: A.M19, A.F5, A.T1, A.T4, A.T9, A.B1, A.B2, A.B6.
    """
    ship.moved = True
    start = (ship.x, ship.y, ship.h)
    others = _beside(battle, ship, path) if path else []
    if anchor is not None:
        path = path[:anchor]
    if not forced:
        path = _clear(battle, ship, path, others, board)
    shots = _declared(play, ship, [start, *path], bool(board))
    taken = 0
    stopped = ""
    _fire(battle, play, ship, shots, 0)
    for spot in path:
        met = touched(ship, spot, others)
        if any(shore.inside(spot[:2], land) for land in battle.land):
            ship.aground, stopped = True, "land"
            break
        if met:
            stopped = met[0].id
            break
        taken += 1
        leaves = _beyond(battle, spot) and not _beyond(battle, ship.position)
        battle.put(ship, spot)
        if leaves:
            _moved(play, ship, start, path[:taken], "edge", forced)
            leaving.leave(
                battle,
                play,
                ship,
                Status.WITHDRAWN,
                "A.M20",
                point_of(spot[0] - start[0], spot[1] - start[1]),
            )
            return taken
        if _grounds(battle, play, ship):
            stopped = "shoal"
            break
        if shots:
            _fire(battle, play, ship, shots, taken)
    ship.path = [(b[2] - a[2] + 8) % POINTS - 8 for a, b in zip([start, *path], path[:taken], strict=False)]
    _moved(play, ship, start, path[:taken], stopped, forced)
    if stopped in ("land", "shoal"):
        play.tell("aground", "A.T9" if stopped == "land" else "A.T4", ship.id)
        lines.drop(battle, ship)
    elif stopped:
        met = touched(ship, path[taken], others)
        if forced or _may_board(battle, ship, met, board):
            boarding.contact(battle, play, ship, met)
    elif anchor is not None and anchor <= taken:
        _anchor(battle, play, ship)
        lines.drop(battle, ship)
    return taken


def _beside(battle: Battle, ship: Ship, path: Sequence[Spot]) -> list[Ship]:
    """Other ships that a path may touch."""
    near = battle.grid.near(ship.position, len(path) * CM + CONTACT + SLACK)
    xs, ys = [spot[0] for spot in path], [spot[1] for spot in path]
    left, right, low, high = min(xs) - CONTACT, max(xs) + CONTACT, min(ys) - CONTACT, max(ys) + CONTACT
    return [one for one in near if left < one.x < right and low < one.y < high and one is not ship]


def touched(ship: Ship, spot: Spot, others: Sequence[Ship]) -> list[Ship]:
    """Ships that a step would touch, the nearest first; one that she has parted from only if she goes nearer. Rules: A.B1, A.B12."""
    found = []
    for other in others:
        square = (other.x - spot[0]) ** 2 + (other.y - spot[1]) ** 2
        if square < _CLOSE and other.afloat:
            if other.id in ship.parted:
                if square >= (other.x - ship.x) ** 2 + (other.y - ship.y) ** 2:
                    continue
            found.append((square, other.number, other))
    return [row[2] for row in sorted(found, key=lambda row: row[:2])]


def _may_board(battle: Battle, ship: Ship, met: Sequence[Ship], board: str) -> bool:
    """Whether she means to run aboard one that she meets, and may. Rules: A.B2, A.B6, A.B7."""
    if not board or ship.repairing or ship.fired_port or ship.fired_stbd or not ship.strength:
        return False
    return any(other.id == board and other.owner != ship.owner for other in met)


def _clear(battle: Battle, ship: Ship, path: list[Spot], others: Sequence[Ship], board: str) -> list[Spot]:
    """A path that ends before it touches a ship that she does not mean to board, and not inside a tack. Rules: A.B2, A.M21."""
    at = (ship.x, ship.y)
    for n, spot in enumerate(path):
        met = [
            other
            for other in others
            if (other.x - spot[0]) ** 2 + (other.y - spot[1]) ** 2 < _CLOSE
            and (other.id not in ship.parted or _nearer(other, spot, path[n - 1] if n else (*at, 0)))
        ]
        if met:
            if _may_board(battle, ship, met, board):
                return path
            sails = battle.sails(ship)
            if sails.shut[ship.h]:
                return path[:n]
            return path[: lawful([one[2] for one in path[:n]], ship.h, sails)]
    return path


def _nearer(other: Ship, to: Spot, at: Spot) -> bool:
    return (other.x - to[0]) ** 2 + (other.y - to[1]) ** 2 < (other.x - at[0]) ** 2 + (other.y - at[1]) ** 2


def _declared(play: Play, ship: Ship, path: list[Spot], boards: bool) -> list[Shot]:
    """Volleys on the way: as ordered, the rest as her captain likes. Rules: A.F5, A.F7, A.B6."""
    ordered = play.order(ship).shots
    shots = [shot for shot in ordered.values() if shot.target]
    captain = play.captain(ship.owner)
    if captain is not None and len(ordered) < len(SIDES) and not boards:
        asked = captain.shots(play.view(ship.owner), ship, path)
        shots += [shot for shot in asked if shot.side not in ordered]
    return shots


def _fire(battle: Battle, play: Play, ship: Ship, shots: Sequence[Shot], step: int) -> None:
    """The volleys of one step, port first. Rule: A.P8."""
    for side in SIDES:
        for shot in shots:
            if shot.step == step and shot.side == side:
                gunnery.fire(battle, play, ship, shot)


def _grounds(battle: Battle, play: Play, ship: Ship) -> bool:
    """Whether a ship that has come into a shoal sticks fast there. Rules: A.T4, A.T6, A.T8."""
    inside = [n for n, area in enumerate(battle.shoals) if shore.inside(ship.position, area)]
    fresh = [n for n in inside if n not in ship.shoals]
    ship.shoals = inside
    for area in fresh:
        subjects = (battle.turn, ship.id, area, ship.shoal_throws)
        ship.shoal_throws += 1
        face = play.dice.d6(clause="A.T4", subjects=subjects, reason="the shoal")
        if face <= GROUNDS_UP_TO:
            ship.aground = True
            return True
    return False


def _beyond(battle: Battle, spot: Sequence[int]) -> bool:
    """Whether a place lies beyond the edges of a bounded sea. Rule: A.M20."""
    if battle.edges is None:
        return False
    left, low, right, high = battle.edges
    return not (left <= spot[0] <= right and low <= spot[1] <= high)


def _moved(play: Play, ship: Ship, start: Spot, path: list[Spot], stopped: str, forced: bool) -> None:
    if path or stopped:
        rows = [[x, y, h] for x, y, h in _corners([start, *path])]
        if forced:
            play.tell("drifted", "A.M16", ship.id, path=rows, stopped=stopped)
        else:
            play.tell("moved", "A.M9", ship.id, path=rows, steps=len(path), stopped=stopped)


def _corners(path: Sequence[Spot]) -> list[Spot]:
    """A path without the places where she goes straight on."""
    return [
        spot
        for n, spot in enumerate(path)
        if n in (0, len(path) - 1) or spot[2] != path[n - 1][2] or spot[2] != path[n + 1][2]
    ]
