"""Where a ship should be when her move is over: at her prey, in the line, beside a crippled ship or a prize, or away. Section 12."""

from __future__ import annotations

from dataclasses import dataclass

from battles.engine.core import plane
from battles.engine.core.plane import Point, advance, turned
from battles.engine.rulesets.thomas.captain import guess
from battles.engine.rulesets.thomas.captain.plan import IN_ACTION, Mode, Plan, worn_out
from battles.engine.rulesets.thomas.captain.prey import Hunt
from battles.engine.rulesets.thomas.captain.scene import Foe, Scene
from battles.engine.rulesets.thomas.captain.weights import Weights
from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.view import View

# Water between ships in line; the room attendants keep; ranges for those told to fight close or far.
INTERVAL = 600
CLEAR = 11_000
CLOSE, FAR, LEAST_FAR = 2_500, 13_000, 8_500
_REACH_OF_BOATS = 1_600


@dataclass(slots=True)
class Goal:
    """Where to. point: None to stand on. within: no nearer is called for; least: nearer than that is too near.

    weight: per inch beyond. flee: the point is one to get away from. course: heading wished for, -1 for none, with its weight
    per 45 degrees. windward: 1 to gain the wind of the point, -1 to lose it. prey: the enemy she goes for.
    """

    point: Point | None
    weight: int
    within: int = 0
    least: int = 0
    flee: bool = False
    course: int = -1
    course_weight: int = 0
    windward: int = 0
    slow: bool = False
    prey: Foe | None = None


def goal_of(
    view: View,
    ship: Ship,
    scene: Scene,
    plan: Plan | None,
    hunt: Hunt,
    duty: Point | None,
    weights: Weights,
    centre: Point | None,
) -> Goal:
    """The goal of one own ship. duty: where a crippled ship or a prize waits for her. centre: of the enemy, None when there is none."""
    near = scene.near.get(ship.id, ())
    if plan is None or ship.prize_of or ship.breaking_off or plan.mode is Mode.AWAY or spent(ship, hunt):
        point = _threat(near) or centre
        return Goal(point, weights.away, flee=True) if point is not None else Goal(None, 0)
    if duty is not None:
        return Goal(duty, weights.steer, within=_REACH_OF_BOATS)
    if plan.mode is Mode.ATTEND:
        return _attend(ship, scene, near, weights)
    prey = hunt.prey.get(ship.id)
    if prey is not None:
        return _at_prey(ship, plan, prey, weights, boards=hunt.boards(ship.id, prey.id))
    return _in_line(view, ship, plan, weights)


def spent(ship: Ship, hunt: Hunt) -> bool:
    """Whether she is of no more use in the fight: no gun left and no one to board, or a quarter afloat. Section 12."""
    if ship.dismasted or any(ship.id in party for party in hunt.parties.values()):
        return False
    return worn_out(ship)


def _threat(near: list[tuple[int, Foe]] | tuple[()]) -> Point | None:
    """The middle of the nearest enemies, the nearer ones counted more."""
    rows = [(max(1, 16 - far // 1_000), foe) for far, foe in near[:5]]
    whole = sum(weight for weight, _ in rows)
    if not whole:
        return None
    return sum(w * foe.x for w, foe in rows) // whole, sum(w * foe.y for w, foe in rows) // whole


def _at_prey(ship: Ship, plan: Plan, prey: Foe, weights: Weights, *, boards: bool) -> Goal:
    """At the range her guns like, or her orders say; hull to hull when she is to board. Rule: G.MV5."""
    within, least = guess.best_range(ship)
    weight = weights.steer
    if plan.doctrine.fight_at == "close":
        within, weight = CLOSE, weights.press
    elif plan.doctrine.fight_at == "long":
        within, least = FAR, LEAST_FAR
    if boards:
        within = least = 0
    gauge = {"windward": 1, "leeward": -1}.get(plan.doctrine.gauge, 0)
    return Goal(prey.position, weight, within=within, least=least, windward=gauge, prey=prey)


def _attend(ship: Ship, scene: Scene, near: list[tuple[int, Foe]] | tuple[()], weights: Weights) -> Goal:
    """Clear of the enemy's line, near enough to the own one to help."""
    if near and near[0][0] < CLEAR:
        return Goal(near[0][1].position, weights.away, flee=True)
    line = [one for one in scene.own if one.fighting and one.squadron != ship.squadron and not one.dismasted]
    if not line:
        return Goal(None, 0)
    friend = min(line, key=lambda one: (plane.distance(one.position, ship.position), one.id))
    return Goal(friend.position, weights.steer, within=CLEAR)


def _in_line(view: View, ship: Ship, plan: Plan, weights: Weights) -> Goal:
    """Next astern of the ship ahead; its head makes for the enemy, or stands on when it is to hold its place.

    Ships that are in no line keep their places beside the head.
    """
    leader = plan.ahead.get(ship.id)
    if leader is not None:
        ahead = view.own(leader)
        behind = (ahead.length + ship.length) // 2 + INTERVAL
        place = advance(ahead.position, turned(ahead.heading, plane.STRAIGHT), behind)
        return Goal(place, weights.station, course=ahead.heading, course_weight=weights.off_course)
    if plan.mode is Mode.HOLD or plan.aim is None:
        return Goal(None, 0, course=ship.heading, course_weight=weights.off_course, slow=True)
    head = view.own(plan.line[0]) if plan.line else ship
    aim = plan.aim[0] + ship.x - head.x, plan.aim[1] + ship.y - head.y
    return Goal(aim, weights.steer, within=IN_ACTION // 2)
