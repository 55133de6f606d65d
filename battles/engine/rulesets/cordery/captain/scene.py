"""A phase of movement as a captain sees it: who lies where, what a pose is worth, which moves are open. Rules: C.Q4-C.Q6, C.Q8, C.Q11."""

from __future__ import annotations

from collections.abc import Iterable

from battles.engine.core import squares
from battles.engine.core.squares import Square
from battles.engine.rulesets.cordery import arms, steering
from battles.engine.rulesets.cordery.steering import Pose, after, areas
from battles.engine.rulesets.cordery.tables import HEAD_ON, RAMMING
from battles.engine.rulesets.cordery.view import Seen, View

# Weights in hundred-and-eightieths of a point: a gun die, a torpedo die, an area off the best range. Rule: C.Q4.
GUN_DIE, TORPEDO_DIE, AREA, AREA_IF_CHOSEN = 95, 120, 18, 54
REACH, TORPEDO_REACH = 9, 3
# Ramming in sixths of a point: a die costs four; and the least flotation points with which it is tried. Rule: C.Q6.
_RAM_DIE, _RAM_GAIN, _RAM_FP, _LAST_RAM_FP = 4, 8, 8, 4


class Scene:
    """Where everyone lies while a side plans its movement; own ships are moved on as they are planned.

    taken: areas with a ship. own, foes: ships on the board.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.own = view.own()
        self.foes = view.foes()
        self.began = {ship.id: view.pose(ship) for ship in self.own}
        self.poses = dict(self.began)
        self.taken: set[Square] = {ship.pos for ship in (*self.own, *self.foes)}
        self.able = {ship.id: view.stands_with(ship) for ship in self.own}
        self.foes_able = [(foe, view.able(foe)) for foe in self.foes]
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

    def terms(
        self, ship: Seen, pose: Pose, foes: list[tuple[Seen, frozenset[str], Pose]] | None = None
    ) -> int:
        """What the dice of both sides are worth with a ship on a pose, in weights. foes: enemies elsewhere than they lie. Rule: C.Q4."""
        best = {"main": 0, "port": 0, "stbd": 0, "torpedo": 0}
        theirs = torpedoes = 0
        options, able, (x, y) = self.view.options, self.able[ship.id], pose.at
        rows = foes if foes is not None else [(foe, can, Pose(foe.pos, foe.h)) for foe, can in self.foes_able]
        for foe, can, there in rows:
            dx, dy = there.at[0] - x, there.at[1] - y
            if not -REACH <= dx <= REACH or not -REACH <= dy <= REACH or foe.fp <= 0:
                continue
            for weapon, dice in arms.weapons(ship, able, pose.at, pose.heading, there.at, options).items():
                if dice > best[weapon]:
                    best[weapon] = dice
            for weapon, dice in arms.weapons(foe, can, there.at, there.heading, pose.at, options).items():
                if weapon == "torpedo":
                    torpedoes += dice
                else:
                    theirs += dice
        guns = best["main"] + best["port"] + best["stbd"]
        hurt = 3 if 4 * ship.fp < 3 * ship.fp_max else 2
        return (2 * GUN_DIE * guns - hurt * GUN_DIE * theirs) // 2 + TORPEDO_DIE * (
            best["torpedo"] - torpedoes
        )

    def nearest(self, at: Square, among: Iterable[Square]) -> int:
        """Range to the nearest of some areas, 0 when there is none."""
        return min((squares.distance(at, one) for one in among), default=0)

    def in_torpedo_water(self, at: Square) -> bool:
        """Whether two enemies with torpedoes lie within their reach of an area. Rule: C.Q11."""
        near = sum(foe.torpedoes > 0 and squares.distance(at, foe.pos) <= TORPEDO_REACH for foe in self.foes)
        return near > 1

    def ramming(self, ship: Seen) -> str | None:
        """A move by which a ship ought to ram, None for none. Rule: C.Q6."""
        if not ship.ram or ship.prize or ship.breaking_off:
            return None
        pose = self.poses[ship.id]
        for actions in steering.legal(ship):
            strikes = self._strikes(pose, actions)
            if strikes is not None and self._worth_ramming(ship, *strikes):
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

    def _worth_ramming(self, ship: Seen, foe: Seen, heading: int) -> bool:
        hers, ours = RAMMING[(heading - foe.h) % 8 in HEAD_ON, ship.ram]
        stuck = foe.allowance <= 1 or foe.locked or foe.anchored > 0 or foe.aground
        if stuck and _RAM_DIE * (hers - ours) >= _RAM_GAIN and ship.fp >= _RAM_FP:
            return True
        return _RAM_DIE * hers >= 6 * foe.fp and ship.fp >= _LAST_RAM_FP


def withdraws(view: View) -> bool:
    """Whether the admiral orders all to steer for the safe edge. Rule: C.Q8."""
    limit = view.doctrine.break_off
    lost, cost, began, out, ships = view.losses()
    if limit >= 100 or lost <= cost:
        return False
    return 2 * out >= ships or 100 * lost >= limit * began
