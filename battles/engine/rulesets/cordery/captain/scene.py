"""A phase of movement as a captain sees it: who lies where, what a pose is worth, which moves are open. Rules: C.Q4-C.Q6, C.Q8, C.Q11."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from battles.engine.core import squares
from battles.engine.core.squares import Square
from battles.engine.rulesets.cordery import arms, steering
from battles.engine.rulesets.cordery.arms import Volleys
from battles.engine.rulesets.cordery.steering import Pose, after, areas
from battles.engine.rulesets.cordery.tables import HEAD_ON, RAMMING
from battles.engine.rulesets.cordery.view import Seen, View

# Weights in hundred-and-eightieths of a point: a gun die, a torpedo die, an area off the best range. Rule: C.Q4.
GUN_DIE, TORPEDO_DIE, AREA, AREA_IF_CHOSEN = 95, 120, 18, 54
OUT_OF_REACH = 90
# Turns without a shot after which nobody waits for the enemy to come, and what an area out of reach costs then. Rule: C.Q4.
PATIENCE, IMPATIENT = 4, 900
REACH, TORPEDO_REACH = 9, 3
# Ramming in sixths of a point: a die costs four; and the least flotation points with which it is tried. Rule: C.Q6.
_RAM_DIE, _RAM_GAIN, _RAM_FP, _LAST_RAM_FP = 4, 8, 8, 4


class Wanted(NamedTuple):
    """The range that a captain wants.

    best, reach: areas, reach that of his ships. area, beyond: weights of an area off the best range, and beyond their reach.
    """

    best: int
    area: int
    reach: int
    beyond: int = OUT_OF_REACH


class Scene:
    """Where everyone lies while a side plans its movement; own ships are moved on as they are planned.

    taken: areas with a ship. own, foes: ships on the board.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        # Moves that the enemy makes before the guns fire again.
        self.before_fire = int(view.moves_first)
        self.own = view.own()
        self.foes = view.foes()
        self.began = {ship.id: view.pose(ship) for ship in self.own}
        self.poses = dict(self.began)
        self.taken: set[Square] = {ship.pos for ship in (*self.own, *self.foes)}
        options = view.options
        self.volleys = {ship.id: arms.volleys(ship, view.stands_with(ship), options) for ship in self.own}
        self._theirs = [(foe, arms.volleys(foe, view.able(foe), options)) for foe in self.foes]
        # Ships of his that each enemy could choose among, those about to come into its reach among them.
        self.near = {
            foe.id: max(1, sum(squares.distance(ship.pos, foe.pos) <= REACH + 2 for ship in self.own))
            for foe in self.foes
        }
        self._foes_after: dict[int, list[tuple[Seen, Volleys, Pose]]] = {}
        self._foe_at = {foe.pos: foe for foe in self.foes}

    def go(self, ship: Seen, actions: str) -> None:
        """Move a ship of his on in the plan, up to the first area that is taken or the edge."""
        pose = self.poses[ship.id]
        self.taken.discard(pose.at)
        for n, action in enumerate(actions):
            then = after(pose, action)
            if action == steering.AHEAD and then.at in self.taken:
                break
            pose = then
            if not self.view.on_board(pose.at):
                del n
                return
        self.poses[ship.id] = pose
        self.taken.add(pose.at)

    def clear(self, ship: Seen, moves: Iterable[str]) -> list[str]:
        """Those of some moves that enter no occupied area, run on no land and go over no edge, now or by force next turn. Rule: C.Q5."""
        pose, closed = self.poses[ship.id], self.view.closed(ship)
        found = []
        for actions in moves:
            if all(
                at not in self.taken and at not in closed and self.view.on_board(at)
                for at in areas(pose, actions)
            ):
                found.append(actions)
        inside = [actions for actions in found if self._has_room(ship, after(pose, actions))]
        return inside or found

    def _has_room(self, ship: Seen, pose: Pose) -> bool:
        """Whether a ship on a pose can stay on the board and off the land next turn, and the turn after."""
        closed, on_board = self.view.closed(ship), self.view.on_board

        def open_(at: Square) -> bool:
            return on_board(at) and at not in closed

        ahead = squares.step(pose.at, pose.heading)
        if not open_(ahead):
            return False
        # A turn of 45 or 90 degrees must still be possible from the area ahead.
        return any(open_(squares.step(ahead, pose.heading + by)) for by in (0, 1, -1))

    def foes_after(self, turns: int) -> list[tuple[Seen, Volleys, Pose]]:
        """The enemies that fight, with what they fire, where they will lie when they fire after so many turns of theirs on course."""
        if turns not in self._foes_after:
            rows = []
            for foe, can in self._theirs:
                if foe.fp > 0:
                    pace = foe.allowance if foe.last_spent < 0 else min(foe.last_spent, foe.allowance)
                    rows.append((foe, can, after(Pose(foe.pos, foe.h), steering.AHEAD * pace * turns)))
            self._foes_after[turns] = rows
        return self._foes_after[turns]

    def terms(self, ships: Sequence[Seen], poses: Sequence[Pose], turns: int = 0) -> int:
        """What the dice of both sides are worth with some of his ships on these poses, in weights.

        Every weapon counts its best target. An enemy's guns are taken as laid on the one of these ships that they hurt most, and shared
        with the rest of the fleet in his reach: he fires them once. turns: of the enemy before he fires. Rules: C.Q4, C.Q9.
        """
        total = 0
        best = [[0, 0, 0, 0] for _ in ships]
        mine = [self.volleys[ship.id] for ship in ships]
        hurt = [3 if 4 * ship.fp < 3 * ship.fp_max else 2 for ship in ships]
        xs, ys = [at[0] for at, _ in poses], [at[1] for at, _ in poses]
        west, east, south, north = min(xs) - REACH, max(xs) + REACH, min(ys) - REACH, max(ys) + REACH
        for foe, their, ((fx, fy), heading) in self.foes_after(turns):
            if not (west <= fx <= east and south <= fy <= north):
                continue
            guns = torpedoes = 0
            for n, ((x, y), course) in enumerate(poses):
                dx, dy = fx - x, fy - y
                if dx > REACH or dx < -REACH or dy > REACH or dy < -REACH:
                    continue
                row = best[n]
                for k, dice in enumerate(mine[n][dx, dy, course]):
                    if dice > row[k]:
                        row[k] = dice
                main, port, stbd, torpedo = their[-dx, -dy, heading]
                laid = hurt[n] * (main + port + stbd)
                if laid > guns:
                    guns = laid
                if torpedo > torpedoes:
                    torpedoes = torpedo
            if guns or torpedoes:
                share = min(len(ships), self.near[foe.id])
                total -= (GUN_DIE * guns // 2 + TORPEDO_DIE * torpedoes) * share // self.near[foe.id]
        for main, port, stbd, torpedo in best:
            total += GUN_DIE * (main + port + stbd) + TORPEDO_DIE * torpedo
        return total

    def nearest(self, at: Square, among: Iterable[Square]) -> int:
        """Range to the nearest of some areas, 0 when there is none."""
        x, y = at
        least = -1
        for ox, oy in among:
            dx, dy = abs(ox - x), abs(oy - y)
            far = dx if dx > dy else dy
            if least < 0 or far < least:
                least = far
        return max(0, least)

    def off_range(self, at: Square, among: Iterable[Square], wanted: Wanted) -> int:
        """What an area costs by its range to the nearest of some others, in weights; beyond their own reach each one more costs much more.

        Rule: C.Q4.
        """
        reach = self.nearest(at, among)
        return wanted.area * abs(reach - wanted.best) + wanted.beyond * max(0, reach - wanted.reach)

    def in_torpedo_water(self, at: Square) -> bool:
        """Whether two enemies with torpedoes lie within their reach of an area. Rule: C.Q11."""
        near = sum(foe.torpedoes > 0 and squares.distance(at, foe.pos) <= TORPEDO_REACH for foe in self.foes)
        return near > 1

    def ramming(self, ship: Seen, *, only_stuck: bool = False) -> str | None:
        """A move by which a ship ought to ram, None for none. only_stuck: an enemy that cannot well avoid it. Rules: C.Q6, C.Q10."""
        if not ship.ram or ship.prize or ship.breaking_off:
            return None
        pose = self.poses[ship.id]
        for actions in steering.legal(ship):
            strikes = self._strikes(pose, actions)
            if strikes is not None and self._worth_ramming(ship, *strikes, only_stuck=only_stuck):
                return actions
        return None

    def _strikes(self, pose: Pose, actions: str) -> tuple[Seen, int] | None:
        """The enemy that a move runs into with its last action, and the heading at that; None when it strikes none."""
        if not actions.endswith(steering.AHEAD):
            return None
        *before, last = areas(pose, actions)
        foe = self._foe_at.get(last)
        if foe is None or any(at in self.taken or not self.view.on_board(at) for at in before):
            return None
        return foe, after(pose, actions[:-1]).heading

    def _worth_ramming(self, ship: Seen, foe: Seen, heading: int, *, only_stuck: bool) -> bool:
        hers, ours = RAMMING[(heading - foe.h) % 8 in HEAD_ON, ship.ram]
        stuck = foe.allowance <= 1 or foe.locked or foe.anchored > 0 or foe.aground
        if stuck and _RAM_DIE * (hers - ours) >= _RAM_GAIN and ship.fp >= _RAM_FP:
            return True
        return (stuck or not only_stuck) and _RAM_DIE * hers >= 6 * foe.fp and ship.fp >= _LAST_RAM_FP


def outmatched(view: View) -> bool:
    """Whether his ships that still fight have less than three quarters of the points of the enemy's that do. Rule: C.Q8."""
    own, theirs = (
        sum(ship.fp for ship in ships if not ship.breaking_off) for ships in (view.own(), view.foes())
    )
    return 4 * own < 3 * theirs


def withdraws(view: View) -> bool:
    """Whether the admiral orders all to steer for the safe edge. Rule: C.Q8."""
    limit = view.doctrine.break_off
    lost, cost, began, out, ships = view.losses()
    if limit >= 100 or lost <= cost:
        return False
    return 2 * out >= ships or 100 * lost >= limit * began
