"""The way to a ship's safe edge: which moves leave the fewest further turns to it. Rules: C.D3-C.D5."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from battles.engine.core import squares
from battles.engine.core.squares import Square
from battles.engine.rulesets.cordery.steering import AHEAD, Pose, after, areas, legal, rank, strings

if TYPE_CHECKING:
    from battles.engine.rulesets.cordery.state import Battle, Ship

NORMAL = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
# Turns beyond which a way is taken to be none.
_FAR = 99
Left = Callable[[Square], bool]


def steps_to(battle: Battle, edge: str, at: Square) -> int:
    """Steps that take a ship from an area over an edge of the board; `_FAR` where there is no such edge."""
    west, south, east, north = battle.board
    x, y = at
    limit = {"west": west, "south": south, "east": east, "north": north}[edge]
    if limit is None:
        return _FAR
    return {"west": x - limit, "south": y - limit, "east": limit - x, "north": limit - y}[edge] + 1


@lru_cache(maxsize=8192)
def turns_to(edge: str, steps: int, heading: int, allowance: int, last: str) -> int:
    """Turns that a ship needs over an edge so many steps away on an empty board; 0 when it is over. Rule: C.D3."""
    if steps <= 0:
        return 0
    if not allowance or steps >= _FAR:
        return _FAR
    return _search((0, steps), heading, allowance, last, lambda at: at[1] <= 0, frozenset(), edge)


def _search(
    start: Square, heading: int, allowance: int, last: str, over: Left, closed: frozenset[Square], edge: str
) -> int:
    """Turns until an area lies over, by the shortest way. With an edge areas are (0, steps to it), else those of the board."""
    away = NORMAL.get(edge)
    front = {(start, heading, last if allowance == 1 else "")}
    seen = set(front)
    for turns in range(1, _FAR):
        found = set()
        for at, towards, before in front:
            for actions in strings(allowance, before):
                now, facing, blocked = at, towards, False
                for action in actions:
                    if action != AHEAD:
                        facing = after(Pose(now, facing), action).heading
                        continue
                    dx, dy = squares.STEPS[facing]
                    x, y = now
                    now = (x, y - dx * away[0] - dy * away[1]) if away else (x + dx, y + dy)
                    if over(now):
                        return turns
                    if now in closed:
                        blocked = True
                        break
                if not blocked:
                    found.add((now, facing, actions[-1:] if allowance == 1 else ""))
        front = found - seen
        seen |= front
        if not front:
            break
    return _FAR


def turns_after(battle: Battle, ship: Ship, pose: Pose, last: str, edge: str) -> int:
    """Turns that a ship still needs to her safe edge from a pose. Rule: C.D3."""
    steps = steps_to(battle, edge, pose.at)
    closed = battle.closed(ship)
    if not closed or steps <= 0:
        return turns_to(edge, steps, pose.heading, ship.allowance, last if ship.allowance == 1 else "")
    if not ship.allowance or steps >= _FAR:
        return _FAR
    return _search(
        pose.at, pose.heading, ship.allowance, last, lambda at: steps_to(battle, edge, at) <= 0, closed, ""
    )


def moves(battle: Battle, ship: Ship, taken: Iterable[Square] | None = None) -> list[str]:
    """The moves of a ship that steers for safety, by the ties of C.D3; those that would ram or run ashore are struck out.

    taken: areas in which ships lie, those of the board unless others are given. Rules: C.D3, C.D5.
    """
    here = Pose(ship.pos, ship.h)
    edge = battle.safe[ship.side]
    full = set(battle.at if taken is None else taken) - {ship.pos}
    closed = battle.closed(ship)
    foes = [enemy.pos for enemy in battle.enemies(ship.side)]
    rows = []
    for actions in legal(ship):
        end, over = here, False
        for at in areas(here, actions):
            if not battle.on_board(at):
                over = steps_to(battle, edge, at) <= 0
                end = Pose(at, here.heading)
                break
            if at in full or at in closed:
                end = here
                break
        else:
            end = after(here, actions)
        if end is here and actions:
            continue
        if not battle.on_board(end.at) and not over:
            continue
        further = 0 if over else turns_after(battle, ship, end, actions[-1:], edge)
        near = min((squares.distance(end.at, foe) for foe in foes), default=0)
        rows.append((further, -near, len(actions) - actions.count(AHEAD), rank(actions), actions))
    rows.sort()
    return [row[-1] for row in rows if row[0] == rows[0][0]]
