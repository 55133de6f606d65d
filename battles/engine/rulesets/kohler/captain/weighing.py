"""What a move is worth: the guns that bear from where it ends and those that answer, the station kept, the way made good.

All weights are whole numbers, so that a captain decides alike on every machine. Guidance: K.AI1-K.AI6, K.AI10-K.AI12.
"""

from __future__ import annotations

from math import isqrt

from battles.engine.core.hexes import STEPS, Hex, distance
from battles.engine.rulesets.kohler.captain import prey
from battles.engine.rulesets.kohler.captain.goals import PACE, Goal, goal_of
from battles.engine.rulesets.kohler.captain.moves import Move
from battles.engine.rulesets.kohler.captain.odds import CENTRE, DISTANCE, PORT, STARBOARD, WIDTH
from battles.engine.rulesets.kohler.captain.plan import STRAY, Mode, Plan
from battles.engine.rulesets.kohler.captain.scene import Berth, Foe, berth, broadsides, foes_near
from battles.engine.rulesets.kohler.captain.strategy import is_hurt
from battles.engine.rulesets.kohler.captain.weights import Weights
from battles.engine.rulesets.kohler.state import Helm, Ship, WindForce
from battles.engine.rulesets.kohler.view import BARRED, FREE, View

# The lee broadside by attitude. Rule: K.M2.
LEE = (-1, STARBOARD, STARBOARD, -1, PORT, PORT)
NO_CELLS: frozenset[Hex] = frozenset()
RANGE = 4
# How much dearer a range is that the instructions fix. Rule: G.MV5.
BOUND = 4


def choose(
    view: View,
    ship: Ship,
    open_moves: tuple[Move, ...],
    plan: Plan | None,
    fiery: frozenset[Hex],
    weights: Weights,
) -> tuple[str, ...]:
    """The tokens of the best of the moves whose hexes are free. fiery: hexes in the way of fire ships.

    Guidance: K.AI3, K.AI4, K.AI5, K.AI10.
    """
    near = plan.near if plan is not None and distance(ship.pos, plan.centre) <= STRAY else None
    foes = foes_near(view, ship, RANGE + max(move.enters for move in open_moves), near, spares=weights.spares)
    away = is_hurt(ship, weights, in_line=plan is not None and plan.by_guns)
    if plan is not None:
        away = away or plan.mode is Mode.AWAY or ship.id in plan.covered
    goal = goal_of(view, ship, plan, foes, weights, away=away)
    weigh = Weighing(view, ship, foes, goal, plan, weights, away=away)
    free: dict[Hex, int] = {}
    best, best_value = open_moves[0].tokens, -(10**9)
    pq, pr = ship.pos
    boards = plan is not None and plan.board and not away
    picky = plan is not None and plan.picky
    if boards and weights.again and ship.helm is Helm.SOUND and view.strength is not WindForce.STILL:
        chance = prey.best_prey(view, ship, ship.pos, weights, picky=picky)
        if chance is not None:
            best_value, best = chance[0], (f"G:{chance[1]}",)
    for move in open_moves:
        barred = FREE
        for cell in move.cells:
            state = free.get(cell)
            if state is None:
                state = free[cell] = view.entry((pq + cell[0], pr + cell[1]), ship)
            if state:
                barred = state
                break
        if barred == BARRED:
            continue
        if barred:
            if not boards or move.cells[-1] != cell or move.tokens[-1] != "A":
                continue
            chance = prey.best_prey(view, ship, (pq + cell[0], pr + cell[1]), weights, picky=picky)
            if chance is None:
                continue
            value, code = chance
            if value > best_value:
                best_value, best = value, (*move.tokens, f"G:{code}")
            continue
        value = weigh.value(move, best_value)
        if value <= best_value:
            continue  # What is left to be asked can only take away from it.
        value -= weigh.fouling(move)
        if fiery and (pq + move.end[0], pr + move.end[1]) in fiery:
            value -= weights.fiery
        if value > best_value:
            best_value, best = value, move.tokens
    return best


class Weighing:
    """All that is the same for every move of one ship, so that each move is weighed quickly."""

    __slots__ = (
        "away",
        "barred_next",
        "boarders",
        "command",
        "course",
        "cripple",
        "flight",
        "foes",
        "follows",
        "gain",
        "goal",
        "heading",
        "idle",
        "least",
        "lee_spoilt",
        "most",
        "off_range",
        "places",
        "pos",
        "quarry",
        "ship",
        "station",
        "taken",
        "too_close",
        "upwind",
        "view",
        "weights",
    )

    def __init__(
        self,
        view: View,
        ship: Ship,
        foes: list[Foe],
        goal: Goal,
        plan: Plan | None,
        weights: Weights,
        *,
        away: bool,
    ) -> None:
        self.view = view
        self.ship = ship
        self.foes = foes
        self.goal = goal
        self.weights = weights
        self.away = away
        self.least, self.most = (plan.least, plan.most) if plan is not None else (0, 2)
        self.off_range = weights.off_range * (BOUND if plan is not None and plan.bound else 1)
        formed = weights.formed[bool(foes)] if plan is not None and plan.formed else 100
        self.station, self.heading = weights.station * formed // 100, weights.heading * formed // 100
        self.command = weights.command * formed // 100
        self.course = weights.course
        self.too_close = weights.too_close
        self.follows = True
        if plan is not None and plan.in_line:
            hot = bool(foes) and distance(foes[0].ship.pos, ship.pos) <= RANGE
            self.station, self.heading = weights.line_station[hot], weights.line_heading[hot]
            self.course = self.heading
            self.too_close = weights.line_close
            self.follows = False
        self.barred_next = 0 if foes or plan is None or not plan.formed else weights.barred_next
        self.pos = ship.pos
        self.flight = 20 * goal.weight if goal.away and goal.weight > 0 else 0
        self.places: dict[Hex, tuple[int, Berth | None, int]] = {}
        self.upwind = view.upwind
        self.lee_spoilt = view.strength is WindForce.STRONG
        # Enemies who have all moved will be where they are when the guns fire: a broadside that bears is sure. Guidance: K.AI3.
        self.idle = 0 if away or not all(foe.settled for foe in foes) else weights.idle
        self.boarders = _boarders(ship, foes, weights) if weights.boarded else []
        self.gain: Hex | None = None
        self.cripple: Hex | None = None
        self.quarry: Hex | None = None
        if plan is not None and weights.recover and plan.board and not away:
            self.quarry = next((foe.ship.pos for foe in foes if prey.open_prize(view, ship, foe.ship)), None)
        if plan is not None and not away:
            if weights.gauge and plan.windward >= 0:
                self.gain = STEPS[plan.windward]
            if weights.cover and view.last_turn - view.turn <= weights.dusk:
                self.cripple = _cripple_near(ship, plan.cripples)
        self.taken = weights.taken[min(3, ship.steps_lost)] * (weights.taken_away if away else 1)

    def value(self, move: Move, floor: int) -> int:
        """What one move is worth; more is better. A move that cannot be worth more than the floor is not weighed to the end."""
        place = self.places.get(move.end)
        if place is None:
            place = self.places[move.end] = self._place(move.end)
        value, guns, most = place
        if value + most <= floor:
            return floor  # guns and flight add no more than that, and all else takes away
        facing = move.facing
        weights, goal = self.weights, self.goal
        rel = (facing - self.upwind) % 6
        if guns is not None:
            given, taken = broadsides(guns, facing, LEE[rel] if self.lee_spoilt else -1)
            value += (given if not self.away else given // 3) - self.taken * taken
            if not given:
                value -= self.idle
            if rel == 0:
                value -= weights.irons
        elif rel == 0:
            value -= weights.irons // 2
        if move.drifts:
            value -= weights.drift
        if goal.cell is not None:
            q, r = self.pos[0] + move.end[0], self.pos[1] + move.end[1]
            if goal.weight:
                value += self._steering(q, r, facing)
                if goal.facing >= 0:
                    turn = (facing - goal.facing) % 6
                    value -= self.course * min(turn, 6 - turn)
            else:
                value -= self._out_of_station(q, r, facing)
        if move.enters > goal.pace:
            value -= self.station * (move.enters - goal.pace)
        return value

    def _place(self, end: Hex) -> tuple[int, Berth | None, int]:
        """What a place is worth on whatever heading, reckoned once for all the moves that end there; the guns round it; and the
        most that a heading may add."""
        q, r = self.pos[0] + end[0], self.pos[1] + end[1]
        weights, goal = self.weights, self.goal
        value = 0
        guns = None
        if self.foes:
            guns = berth(self.foes, q, r, weights.looming)
            value += self._range_value(guns.nearest)
            if self.boarders:
                value -= self._boarding_risk(q, r)
            if self.cripple is not None:
                value -= weights.cover * max(0, distance(self.cripple, (q, r)) - 2)
            if self.quarry is not None:
                value -= weights.recover * distance(self.quarry, (q, r))
        if self.gain is not None:
            (dq, dr), (uq, ur) = end, self.gain
            value += weights.gauge * (2 * (dq * uq + dr * ur) + dq * ur + dr * uq) // 2
        if goal.astern is not None:
            value -= self.station * max(0, distance(goal.astern, (q, r)) - goal.reach)
        if goal.flagship is not None:
            value -= self.command * max(0, distance(goal.flagship, (q, r)) - 4)
        most = self.flight
        if guns is not None and guns.gains:
            most += sum(
                sorted([gain for _, gain in guns.gains])[-2:]
            )  # one broadside at the best mark, one at the next
        return value, guns, most

    def fouling(self, move: Move) -> int:
        """What is to be feared of friends where a move ends: in the hex she drifts into, or right ahead of her in the line."""
        q, r = self.pos[0] + move.end[0], self.pos[1] + move.end[1]
        cost = 0
        if move.drifts and self.view.entry((q, r), self.ship) == BARRED:
            cost = self.weights.drift_foul
        if self.barred_next:
            dq, dr = STEPS[move.facing]
            ahead = q + dq, r + dr
            if ahead != self.goal.cell and ahead != self.pos and self.view.entry(ahead, self.ship) == BARRED:
                cost += self.barred_next
        return cost

    def _boarding_risk(self, q: int, r: int) -> int:
        """The worst of the enemies who would gladly board her and may reach her there."""
        worst = 0
        here = CENTRE - q * WIDTH - r
        for there, loss in self.boarders:
            apart = DISTANCE[here + there]
            if apart < 6:
                risk = loss * _REACHED[apart]
                if risk > worst:
                    worst = risk
        return worst

    def _range_value(self, nearest: int) -> int:
        """What the distance of the nearest enemy is worth. Guidance: K.AI1."""
        weights = self.weights
        if self.away:
            return weights.off_range * min(nearest, 8)
        if nearest < self.least:
            return -self.too_close * (self.least - nearest)
        return -self.off_range * max(0, nearest - self.most)

    def _out_of_station(self, q: int, r: int, facing: int) -> int:
        """How far she would be from her place next astern of the ship ahead, heading for her stern or lying as she does."""
        goal = self.goal
        assert goal.cell is not None
        dq, dr = goal.cell[0] - q, goal.cell[1] - r
        apart = max(abs(dq), abs(dr), abs(dq + dr))
        off = self.station * abs(apart - 1)
        if self.follows and apart == 1 and STEPS[facing] == (dq, dr):
            return off
        turn = (facing - goal.facing) % 6
        return off + self.heading * min(turn, 6 - turn)

    def _steering(self, q: int, r: int, facing: int) -> int:
        """Nearness to the goal, now and after one more run on this course, so that a good heading counts as well as a good hex."""
        goal = self.goal
        cell = goal.cell
        assert cell is not None
        run = PACE[self.view.strength][(facing - self.upwind) % 6]
        step = STEPS[facing]
        dq, dr = cell[0] - q, cell[1] - r
        nq, nr = dq - run * step[0], dr - run * step[1]
        now = dq * dq + dr * dr + dq * dr
        then = nq * nq + nr * nr + nq * nr
        if goal.away:
            return min(_root(now) + _root(then), 160) * goal.weight // 8
        return -(2 * _root(now) + _root(min(then, now + 400))) * goal.weight // 8


# A ship this near covers a friend in need.
COVER = 6


def _cripple_near(ship: Ship, cripples: list[Hex]) -> Hex | None:
    """The nearest friend in need, if she is near enough to be covered."""
    near = min(cripples, key=lambda cell: distance(cell, ship.pos), default=None)
    return near if near is not None and 0 < distance(near, ship.pos) <= COVER else None


# How likely an enemy so many hexes off gets alongside, in sixths.
_REACHED = (6, 6, 5, 4, 2, 1)


def _boarders(ship: Ship, foes: list[Foe], weights: Weights) -> list[tuple[int, int]]:
    """Enemies so much stronger that they would board her, with where they lie and what she stands to lose. Guidance: K.AI8."""
    found = []
    left = ship.hull_left
    for foe in foes:
        seen = foe.ship
        ahead = foe.hull - left
        if ahead >= weights.boarded_lead and not (
            seen.prize or seen.locked or seen.disabled or seen.alight or seen.fired
        ):
            loss = weights.boarded * min(ahead, 14) // 6
            found.append((foe.q * WIDTH + foe.r, loss if seen.acted else loss * 2))
    return found


_ROOTS = tuple(isqrt(64 * n) for n in range(4096))


def _root(square: int) -> int:
    """Eight times the square root, whole; exact far beyond any range that matters."""
    return _ROOTS[square] if square < 4096 else 512 + (square - 4096) // 128
