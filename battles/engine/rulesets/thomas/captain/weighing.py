"""What a leg and a closing turn are worth: what her guns may do from there, what comes back, and where it leaves her.

Whole numbers, so that it decides alike on every machine. The unit is an eighth of a sixth of a hit. Section 12.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

from battles.engine.core.plane import Point, bearing, turned, unit
from battles.engine.rulesets.thomas.captain import guess
from battles.engine.rulesets.thomas.captain.goals import Goal
from battles.engine.rulesets.thomas.captain.helm import Helm
from battles.engine.rulesets.thomas.captain.legs import Leg, Lying, closing_turns, off_course
from battles.engine.rulesets.thomas.captain.scene import THOUSANDTH, Foe
from battles.engine.rulesets.thomas.captain.weights import Weights
from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.tables import Arc, Kind

FAN = 268
_REACH = 16_000**2
_CLOSE, _MIDDLE = 4_000**2, 8_000**2
_BLAST = 3_300**2
_MOST = 5


class Arms(NamedTuple):
    """A ship's own fire, plain and raking: by broadside and ahead. rakes: whether the rule of raking holds. half_*: of her hull."""

    port: tuple[guess.Fire, guess.Fire]
    starboard: tuple[guess.Fire, guess.Fire]
    ahead: tuple[guess.Fire, guess.Fire]
    astern: tuple[guess.Fire, guess.Fire]
    rakes: bool
    half_length: int
    half_beam: int


class Prospect(NamedTuple):
    """An enemy at a place where she may be when the guns speak. share: in eighths. worth: of a sixth of a hit on her.

    doubt: how far from there she may be, for she was judged by eye. choice: ships of ours that she may fire on.
    """

    x: int
    y: int
    sin: int
    cos: int
    half_length: int
    half_beam: int
    fire: guess.Fire
    ahead: guess.Fire
    worth: int
    share: int
    looming: int
    doubt: int
    choice: int
    id: str


def arms_of(ship: Ship, *, nelson: bool) -> Arms:
    """What she can do, as she is now."""
    fires = [guess.own_fire(ship, arc) for arc in (Arc.PORT, Arc.STARBOARD, Arc.AHEAD, Arc.ASTERN)]
    return Arms(fires[0], fires[1], fires[2], fires[3], nelson, ship.length // 2, ship.beam // 2)


def marks_of(
    ship: Ship,
    near: Sequence[tuple[int, Foe]],
    goal: Goal,
    weights: Weights,
    *,
    half_run: int,
    moves_first: bool,
) -> list[Prospect]:
    """The nearest enemies; one who has still to move is taken to be half where she is and half a run further on.

    half_run: in this wind. Rule: T.B3a.
    """
    found = []
    for _, foe in near[:_MOST]:
        worth = weights.worth[foe.quarters]
        if goal.prey is not None and goal.prey.id == foe.id:
            worth += worth * weights.prey // 100
        if foe.seen.prize or (foe.seen.kind is Kind.FRIGATE and ship.guns >= 64 and not foe.seen.has_fired):
            worth = 0
        half_length, half_beam = foe.length // 2, foe.beam // 2
        waits = moves_first and foe.mobile
        if waits:
            worth = worth * 3 // 4
        row = (foe.sin, foe.cos, half_length, half_beam, foe.fire, foe.ahead, worth)
        looming = weights.looming if waits else 0
        found.append(
            Prospect(foe.x, foe.y, *row, 4 if waits else 8, looming, foe.doubt, max(1, foe.choice), foe.id)
        )
        if waits:
            x, y = foe.x + half_run * foe.sin // 1_000, foe.y + half_run * foe.cos // 1_000
            found.append(Prospect(x, y, *row, 4, looming, foe.doubt, max(1, foe.choice), foe.id))
    return found


class Sight(NamedTuple):
    """A mark as seen from the end of a leg. gains: port, starboard, ahead, astern; hurt: what she does, doubled when it rakes.

    near: within 8 inches.
    """

    dx: int
    dy: int
    gains: tuple[int, int, int, int]
    hurt: int
    width: int
    doubt: int
    id: str
    near: bool


def sights(
    leg: Leg, marks: Sequence[Prospect], arms: Arms, speaks: guess.Fire
) -> tuple[list[Sight], int, int]:
    """The marks within gunshot of a place; what they may do to a ship there whichever way she lies, and what she can do at most.

    speaks: what it is worth that a broadside bears at all, within 4, 8 and 16 inches.
    """
    found: list[Sight] = []
    taken = most_port = most_starboard = most_ahead = most_astern = 0
    for mark in marks:
        dx, dy = mark.x - leg.x, mark.y - leg.y
        square = dx * dx + dy * dy
        if square > _REACH:
            continue
        band = 0 if square <= _CLOSE else 1 if square <= _MIDDLE else 2
        along = -(dx * mark.sin + dy * mark.cos) // 1_000
        abeam = abs(dx * mark.cos - dy * mark.sin) // 1_000
        out = abeam - mark.half_beam
        hurt = 0
        if out >= 0 and abs(along) <= mark.half_length + out * FAN // 1_000:
            hurt = mark.fire[band]
        elif along > 0 and abeam <= arms.half_length:
            hurt = mark.ahead[band]
        if mark.looming:
            hurt = max(hurt, (mark.fire[band] + mark.ahead[band]) * mark.looming // 8)
        # One whom many may be fired on by the same guns gets her share of it.
        hurt = hurt * mark.share * 2 // (8 * (1 + mark.choice))
        taken += hurt
        # On her keel line, and in action broadside on to it.
        rakes = int(arms.rakes and abeam <= arms.half_length * 9 // 10)
        port, starboard = arms.port[rakes][band] * mark.worth, arms.starboard[rakes][band] * mark.worth
        bonus = speaks[band]
        if port:
            port += bonus
            if port > most_port:
                most_port = port
        if starboard:
            starboard += bonus
            if starboard > most_starboard:
                most_starboard = starboard
        ahead, astern = arms.ahead[0][band] * mark.worth, arms.astern[0][band] * mark.worth
        if ahead > most_ahead:
            most_ahead = ahead
        if astern > most_astern:
            most_astern = astern
        found.append(
            Sight(
                dx,
                dy,
                (port, starboard, ahead, astern),
                hurt if band < 2 and arms.rakes else 0,
                mark.half_length,
                mark.doubt,
                mark.id,
                band < 2,
            )
        )
    if len(found) == 1:  # she lies on one side of her
        return found, taken, max(most_port, most_starboard) + max(most_ahead, most_astern)
    return found, taken, most_port + most_starboard + most_ahead + most_astern


def broadsides(seen: Sequence[Sight], heading: int, arms: Arms) -> tuple[int, int]:
    """What all her groups may do on a heading, each at its best mark, and how much more comes back because she is raked."""
    sin, cos = unit(heading)
    sin, cos = sin // THOUSANDTH, cos // THOUSANDTH
    port = starboard = ahead = astern = raked = 0
    for dx, dy, gains, hurt, width, doubt, _, _ in seen:
        along = (dx * sin + dy * cos) // 1_000
        abeam = (dx * cos - dy * sin) // 1_000
        out = (abeam if abeam > 0 else -abeam) - arms.half_beam
        fan = arms.half_length + out * FAN // 1_000
        off = along if along > 0 else -along
        if out >= 0 and off < fan + doubt:
            gain = gains[1] if abeam > 0 else gains[0]
            if off > fan - doubt:
                # She may not be in the fan at all.
                gain = gain * (fan + doubt - off) // (2 * doubt)
            if abeam > 0:
                if gain > starboard:
                    starboard = gain
            elif gain > port:
                port = gain
        if -width <= abeam <= width:
            raked += hurt
            if along > 0:
                ahead = max(ahead, gains[2])
            else:
                astern = max(astern, gains[3])
    return port + starboard + ahead + astern, raked


def place_value(
    ship: Ship,
    leg: Leg,
    goal: Goal,
    weights: Weights,
    burning: Sequence[Point],
    upwind: Point,
    *,
    action: bool,
) -> int:
    """What the end of a leg is worth apart from the guns: how near the goal, on which side of the wind, how far from fires."""
    value = 0
    if goal.point is not None:
        dx, dy = goal.point[0] - leg.x, goal.point[1] - leg.y
        far = isqrt(dx * dx + dy * dy)
        if goal.flee:
            value += goal.weight * min(far, 60_000) // 1_000
        else:
            value -= goal.weight * max(0, far - goal.within) // 1_000
            value -= 4 * goal.weight * max(0, goal.least - far) // 1_000
        if goal.windward:
            gained = -goal.windward * (dx * upwind[0] + dy * upwind[1]) // 1_000
            value += 4 * max(-4_000, min(4_000, gained)) // 1_000
    if goal.slow:
        value -= leg.distance // 250
    for x, y in burning:
        dx, dy = x - leg.x, y - leg.y
        if dx * dx + dy * dy <= _BLAST and (x, y) != ship.position:
            value -= weights.fiery
    if leg.stopped:
        value -= weights.fouled if leg.friend else weights.contact
    return value * weights.in_action // 8 if action and goal.course >= 0 else value


def facing(leg: Leg, goal: Goal, weights: Weights) -> tuple[int, int]:
    """The heading wished for at the end of a leg, towards the goal or on the line's course, and what lying 45 degrees off it costs."""
    if goal.course >= 0:
        return goal.course, goal.course_weight
    if goal.point is None or goal.point == (leg.x, leg.y):
        return 0, 0
    wish = bearing((leg.x, leg.y), goal.point)
    return turned(wish, 18_000) if goal.flee or _too_near(leg, goal) else wish, weights.facing


def _too_near(leg: Leg, goal: Goal) -> bool:
    """Whether a place is nearer to the goal than she is to come."""
    if goal.point is None or not goal.least:
        return False
    dx, dy = goal.point[0] - leg.x, goal.point[1] - leg.y
    return dx * dx + dy * dy < goal.least * goal.least


class Choice(NamedTuple):
    """A leg, its closing turn, and what they are worth."""

    value: int
    leg: Leg
    turn: int


class Stand(NamedTuple):
    """The end of a leg before anyone has looked which guns bear there.

    bound: more than it can be worth. value: what it is worth but for the guns, for being raked and for the last heading.
    """

    bound: int
    number: int
    value: int
    leg: Leg
    seen: Sequence[Sight]


def best(
    ship: Ship,
    rig: Helm,
    open_legs: Sequence[Leg],
    marks: Sequence[Prospect],
    goal: Goal,
    weights: Weights,
    *,
    arms: Arms,
    burning: Sequence[Point],
    boarding: dict[str, int],
    hulls: Sequence[Lying] = (),
) -> Choice:
    """The leg and the turn that weigh most; of equals the first.

    boarding: what it is worth to lie against an enemy, by her id. hulls: those that will not move before the guns speak.
    """
    sin, cos = unit(rig.wind_from)
    upwind = sin // THOUSANDTH, cos // THOUSANDTH
    own_quarter = min(3, 4 * ship.lost // ship.flot_max)
    dear = weights.taken[own_quarter] * (2 if goal.flee else 1)
    speaks = _speaks(goal, weights)
    stands: list[Stand] = []
    for leg in open_legs:
        seen, taken, most = sights(leg, marks, arms, speaks) if marks else ([], 0, 0)
        value = (
            place_value(ship, leg, goal, weights, burning, upwind, action=any(one.near for one in seen))
            - dear * taken
        )
        if leg.stopped and not leg.friend:
            value += boarding.get(leg.stopped, 0)
        stands.append(Stand(value + most, len(stands), value, leg, seen))
    stands.sort(key=lambda one: (-one.bound, one.number))
    return _weightiest(stands, rig, goal, weights, arms, hulls, dear)


def _speaks(goal: Goal, weights: Weights) -> guess.Fire:
    """What it is worth that a broadside bears at all, by range: near by, or for one told to keep off far off. None to one in flight."""
    if goal.flee:
        return guess.NO_FIRE
    return (0, 0, weights.speaks) if goal.least else (weights.speaks, weights.speaks, 0)


def _abeam(seen: Sequence[Sight]) -> int:
    """The bearing of the mark on which a broadside does most, from the end of a leg; -1 when there is none."""
    if not seen:
        return -1
    mark = max(seen, key=lambda one: one.gains[0] + one.gains[1])
    return bearing((0, 0), (mark.dx, mark.dy)) if mark.dx or mark.dy else -1


def _weightiest(
    stands: Sequence[Stand],
    rig: Helm,
    goal: Goal,
    weights: Weights,
    arms: Arms,
    hulls: Sequence[Lying],
    dear: int,
) -> Choice:
    """The leg and the turn that weigh most when marks behind another hull are left out: a hull only takes away.

    Of equals the one that would weigh most without hulls, and then the first. The guns are reckoned only where they could still
    tell, so the most promising legs are looked at first. stands: by their bounds. dear: what a hit on her weighs. Rule: T.B10e.
    """
    best: tuple[int, int, int, int] | None = None
    chosen = stands[0].leg, 0
    for stand in stands:
        if best is not None and stand.bound < best[0]:
            break
        leg, seen = stand.leg, stand.seen
        wish, steady = facing(leg, goal, weights)
        open_marks: list[Sight] | None = None
        for n, turn in enumerate(closing_turns(rig, leg, _abeam(seen))):
            heading = turned(leg.heading, turn)
            rest = stand.value - steady * off_course(heading, wish) // 100
            if best is not None and rest + stand.bound - stand.value < best[0]:
                continue
            fire, raked = broadsides(seen, heading, arms) if seen else (0, 0)
            rest -= dear * raked
            value = rest + fire
            if best is not None and value < best[0]:
                continue
            if seen and hulls:
                if open_marks is None:
                    open_marks = [mark for mark in seen if not masked(leg, mark, hulls)]
                if len(open_marks) < len(seen):
                    value = broadsides(open_marks, heading, arms)[0] + rest
            key = value, rest + fire, -stand.number, -n
            if best is None or key > best:
                best, chosen = key, (leg, turn)
    assert best is not None
    return Choice(best[0], *chosen)


def masked(leg: Leg, mark: Sight, hulls: Sequence[Lying]) -> bool:
    """Whether a third hull seems to lie across the line from the end of a leg to a mark. Rule: T.B10e."""
    for one in hulls:
        if one.id == mark.id:
            continue
        dx, dy = one.x - leg.x, one.y - leg.y
        if dx * mark.dx + dy * mark.dy <= 0:
            continue
        # Her corners on both sides of the line, and she is nearer than the mark.
        ends = (
            (dx + one.ahead * one.sin // 1_000, dy + one.ahead * one.cos // 1_000),
            (
                dx - one.ahead * one.sin // 1_000,
                dy - one.ahead * one.cos // 1_000,
            ),
        )
        sides = [x * mark.dy - y * mark.dx for x, y in ends]
        if (sides[0] > 0) == (sides[1] > 0):
            continue
        if dx * dx + dy * dy < mark.dx * mark.dx + mark.dy * mark.dy:
            return True
    return False
