"""Squadrons in line ahead: who is in the line, where it goes, and how the others follow. Rules: C.Q9, C.Q11."""

from __future__ import annotations

from battles.engine.core import squares
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.cordery import steering
from battles.engine.rulesets.cordery.captain.scene import REACH, Scene, Wanted
from battles.engine.rulesets.cordery.steering import Pose, after, rank
from battles.engine.rulesets.cordery.view import Seen

# Areas from the ship ahead beyond which a ship is off the wake.
_OFF_THE_WAKE = 5
# No enemy within this range: a ship out of the line makes for its tail.
_QUIET = 7
# Most ships that follow one leader: of a longer line the rear is past the turn only when the fight has moved on.
_DIVISION = 5
# What holding the course is worth for each ship of the line, in weights: a line that bends at every chance never fires whole.
_STEADY = 50
# Turns that a leader looks ahead.
_HORIZON = 4
# What it costs to be carried over an edge, in weights.
_OFF_BOARD = 10_000


def formed(scene: Scene, free: list[Seen]) -> tuple[list[Seen], int]:
    """The ships of a squadron that are in its line, van first, and the line's pace in areas a turn. Rule: C.Q9."""
    fit = [ship for ship in free if ship.allowance and not ship.locked]
    if not fit:
        return [], 0
    pace = max((p for p in (3, 2, 1) if 2 * sum(ship.allowance < p for ship in fit) <= len(fit)), default=1)
    fast = [ship for ship in fit if ship.allowance >= pace]
    chains = [_chain(scene, fast[n:] + fast[:n]) for n in range(len(fast))]
    return max(chains, key=len), pace


def _chain(scene: Scene, ships: list[Seen]) -> list[Seen]:
    """The longest row from the first ship on in which each lies near the one ahead; late ones may join at the tail."""
    found, waiting = [ships[0]], ships[1:]
    joined = True
    while joined:
        joined = False
        for ship in waiting:
            if squares.distance(scene.began[ship.id].at, scene.began[found[-1].id].at) <= _OFF_THE_WAKE:
                found.append(ship)
                waiting.remove(ship)
                joined = True
                break
    return found


def divisions(line: list[Seen]) -> list[list[Seen]]:
    """A long line in divisions of much the same length, each with a leader of its own. Rule: C.Q9."""
    count = -(-len(line) // _DIVISION)
    return [line[n * len(line) // count : (n + 1) * len(line) // count] for n in range(count)]


def rejoins(scene: Scene, ship: Seen, tail: Seen) -> bool:
    """Whether a ship out of the line makes for its tail instead of fighting alone: with no enemy near."""
    foes = [foe.pos for foe in scene.foes]
    return not ship.locked and (not foes or scene.nearest(ship.pos, foes) > _QUIET)


def follow(scene: Scene, ship: Seen, wake: Pose, pace: int) -> str:
    """The move of a follower to the pose that the ship ahead held when the turn began, or as far towards it as may be. Rule: C.Q9."""
    pose = scene.poses[ship.id]
    legal = [text for text in steering.legal(ship) if len(text) <= max(pace, 1)]
    open_ = scene.clear(ship, legal) or [""]

    def key(actions: str) -> tuple[int, tuple[int, str]]:
        end = after(pose, actions)
        if end == wake:
            return -1, rank(actions)
        far = squares.distance(end.at, wake.at)
        wanted = squares.heading_to(end.at, wake.at) if far else wake.heading
        off = (end.heading - wanted) % 8
        return 2 * far + min(off, 8 - off) + (0 if actions else 3), rank(actions)

    return min(open_, key=key)


def lead(
    scene: Scene,
    line: list[Seen],
    pace: int,
    doctrine: Doctrine,
    wanted: Wanted,
    wanted_of: frozenset[str],
) -> str:
    """The leader's move: the one after which her whole line fights best in the next turns. Rules: C.Q4, C.Q9, C.Q11."""
    leader = line[0]
    legal = [text for text in steering.legal(leader) if len(text) <= pace]
    open_ = scene.clear(leader, legal) or [""]
    open_ = [text for text in open_ if text] or open_
    if doctrine.fight_at != "close":
        dry = [text for text in open_ if not scene.in_torpedo_water(after(scene.poses[leader.id], text).at)]
        open_ = dry or open_
    return min(open_, key=lambda text: (-_worth(scene, line, text, pace, wanted, wanted_of), rank(text)))


def _worth(
    scene: Scene, line: list[Seen], first: str, pace: int, wanted: Wanted, wanted_of: frozenset[str]
) -> int:
    """What a line's next turns are worth if its leader begins with this move: the better of going straight on from it and turning on."""
    straight = steering.AHEAD * pace
    later = {straight, first}
    if pace > 1 and _comes(scene, line[0], straight, wanted_of):
        later |= {"FR", "FL"}
    steady = _STEADY * len(line) if set(first) == {steering.AHEAD} else 0
    now = [after(scene.poses[line[0].id], first), *(scene.poses[ship.id] for ship in line[:-1])]
    if not scene.view.on_board(now[0].at):
        return -_OFF_BOARD
    return (
        steady
        + _stand(scene, line, now, 0, wanted, wanted_of)
        + max(_course(scene, line, now, then, wanted, wanted_of) for then in later)
    )


def _comes(scene: Scene, leader: Seen, straight: str, wanted_of: frozenset[str]) -> bool:
    """Whether the enemy comes within reach of a leader who holds on: only then may a turn be left for later, or it is never made."""
    turns = _HORIZON - 1
    pose = after(scene.poses[leader.id], straight * turns)
    foes = [there.at for foe, _, there in scene.foes_after(turns) if foe.id in wanted_of]
    return not foes or scene.nearest(pose.at, foes) <= REACH


def _course(
    scene: Scene,
    line: list[Seen],
    poses: list[Pose],
    then: str,
    wanted: Wanted,
    wanted_of: frozenset[str],
) -> int:
    """What a line's place is worth at the end of the turns looked ahead, if its leader makes one move again and again."""
    for _ in range(_HORIZON - 1):
        poses = [after(poses[0], then), *poses[:-1]]
    if not scene.view.on_board(poses[0].at):
        return -_OFF_BOARD
    return _stand(scene, line, poses, _HORIZON - 1, wanted, wanted_of)


def _stand(
    scene: Scene,
    line: list[Seen],
    poses: list[Pose],
    turn: int,
    wanted: Wanted,
    wanted_of: frozenset[str],
) -> int:
    """What a line's place is worth after so many turns more of both sides: dice of both, and the range. Rule: C.Q4."""
    moves = turn + scene.before_fire
    foes = [pose.at for foe, _, pose in scene.foes_after(moves) if foe.id in wanted_of]
    head = poses[:_HORIZON]
    off = sum(scene.off_range(pose.at, foes, wanted) for pose in head)
    return scene.terms(line, poses, moves) - off * len(line) // len(head)
