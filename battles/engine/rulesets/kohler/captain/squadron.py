"""The captain of a squadron: keeps a line ahead, holds the range that suits the guns, rakes, boards with odds, gets away in time.

He weighs every move open to a ship by what her guns may do from where it ends, what comes back, and how she keeps her station.
All weights are whole numbers, so that he decides alike on every machine. Guidance: K.AI1-K.AI8, K.AI11, K.AI12.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt

from battles.engine.core.hexes import STEPS, Hex, distance, nearest_direction, step
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.kohler.captain import prey
from battles.engine.rulesets.kohler.captain.fire import paths, to_be_fired
from battles.engine.rulesets.kohler.captain.moves import Move, moves, on_the_spot
from battles.engine.rulesets.kohler.captain.odds import PORT, STARBOARD
from battles.engine.rulesets.kohler.captain.plan import STRAY, Band, Mode, Plan, make_plans
from battles.engine.rulesets.kohler.captain.scene import Foe, foes_near, guns_from
from battles.engine.rulesets.kohler.captain.targets import best_targets
from battles.engine.rulesets.kohler.passage import ALLOWANCES
from battles.engine.rulesets.kohler.state import Ship, Status, Strength
from battles.engine.rulesets.kohler.view import BARRED, FREE, Seen, View

# Weights, in the same unit: one sixth of a hit on a sound enemy is 8.
TAKEN = 3
STATION = 24
HEADING = 14
COURSE = 16
CLOSE, KEPT_OFF = 1, 3
# The lee broadside by attitude. Rule: K.M2.
LEE = (-1, STARBOARD, STARBOARD, -1, PORT, PORT)
COMMAND = 12
STEER = 10
IRONS = 160
DRIFT_FOUL = 120
FIERY = 300
NO_CELLS: frozenset[Hex] = frozenset()
OFF_RANGE = 24
TOO_CLOSE = 150
RANGE = 4
# Hexes a plain sound ship runs in a turn, by strength of wind and attitude.
PACE = tuple(ALLOWANCES[strength][0][0] for strength in Strength)


class SquadronCaptain:
    """The captain that plays by default. See the module."""

    name = "squadron"

    def __init__(self, doctrine: Doctrine) -> None:
        self.doctrine = doctrine
        self._plans: dict[str, Plan] = {}
        self._turn = -1
        self._burning: list[Ship | Seen] = []

    def begin_turn(self, view: View) -> None:
        """Make the plans of all squadrons. Guidance: K.AI1, K.AI11."""
        self._plans = make_plans(view)
        self._turn = view.turn
        self._burning = view.burning()

    def fire_ships(self, view: View) -> tuple[str, ...]:
        """Those that strike at once; until then fire ships sail as small ships of their squadron. Guidance: K.AI9."""
        return to_be_fired(view)

    def ship_order(self, view: View, squadron: str, ships: tuple[str, ...]) -> tuple[str, ...]:
        """Head of the line first, so that followers enter hexes that have been left. Guidance: K.AI2."""
        plan = self._plan(view, squadron)
        if plan is None:
            return ships
        place = {code: n for n, code in enumerate(plan.line)}
        return tuple(sorted(ships, key=lambda code: place.get(code, len(place))))

    def tokens(self, view: View, ship: str) -> tuple[str, ...]:
        """The move that weighs best. Rule: K.M31."""
        mine = view.own(ship)
        open_moves = moves(view, mine)
        if len(open_moves) > 1:
            open_moves += on_the_spot(view, mine)
        if len(open_moves) == 1:
            return open_moves[0].tokens
        plan = self._plan(view, mine.squadron)
        return choose(view, mine, open_moves, plan, paths(self._burning) if self._burning else NO_CELLS)

    def boards(self, view: View, ship: str, enemy: str) -> bool:
        """With a lead of four hull points or more. Guidance: K.AI8."""
        mine = view.own(ship)
        plan = self._plan(view, mine.squadron)
        return plan is not None and plan.board and prey.worth_it(view, mine, enemy)

    def parts(self, view: View, ship: str, enemy: str) -> bool:
        """When the lead is gone. Guidance: K.AI8."""
        return not prey.still_ahead(view, view.own(ship), enemy)

    def targets(self, view: View, ship: str) -> Mapping[str, str]:
        """The most useful target of each broadside. Guidance: K.AI7."""
        return best_targets(view, view.own(ship))

    def _plan(self, view: View, squadron: str) -> Plan | None:
        if self._turn != view.turn:
            self.begin_turn(view)
        return self._plans.get(squadron)


def choose(
    view: View, ship: Ship, open_moves: tuple[Move, ...], plan: Plan | None, fiery: frozenset[Hex]
) -> tuple[str, ...]:
    """The tokens of the best of the moves whose hexes are free. fiery: hexes in the way of fire ships.

    Guidance: K.AI3, K.AI4, K.AI5, K.AI10.
    """
    near = plan.near if plan is not None and distance(ship.pos, plan.centre) <= STRAY else None
    foes = foes_near(view, ship, RANGE + max(move.enters for move in open_moves), near)
    away = flees(ship) or (plan is not None and plan.mode is Mode.AWAY)
    steer = _goal(view, ship, plan, foes, away=away)
    free: dict[Hex, int] = {}
    best, best_value = open_moves[0].tokens, -(10**9)
    pq, pr = ship.pos
    boards = plan is not None and plan.board and not away
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
            chance = prey.best_prey(view, ship, (pq + cell[0], pr + cell[1]))
            if chance is None:
                continue
            value, code = chance
            if value > best_value:
                best_value, best = value, (*move.tokens, f"G:{code}")
            continue
        value = _value(view, ship, move, foes, steer, plan, away=away)
        if fiery and (pq + move.end[0], pr + move.end[1]) in fiery:
            value -= FIERY
        if value > best_value:
            best_value, best = value, move.tokens
    return best


def flees(ship: Ship) -> bool:
    """Whether a ship is so hurt that she should leave the fight while she can still sail. Guidance: K.AI11, K.AI12."""
    return (
        bool(ship.prize_of)
        or (ship.n_steps > 2 and ship.steps_lost >= ship.n_steps - 2)
        or (ship.n_steps == 2 and ship.steps_lost >= 1)
    )


@dataclass(slots=True)
class Goal:
    """Where a ship should be.

    cell: the hex, facing: how she should lie there, or -1; weight: per hex of distance, 0 for a place in the line next astern of
    the ship in that hex; away: flee it. flagship: hers, None for the flagship herself. astern, reach: at the head of a line the
    next ship's hex and how near the head must stay for her to keep up.
    """

    cell: Hex | None
    facing: int = -1
    weight: int = 0
    flagship: Hex | None = None
    away: bool = False
    astern: Hex | None = None
    reach: int = 0


def _goal(view: View, ship: Ship, plan: Plan | None, foes: list[Foe], *, away: bool) -> Goal:
    if away and foes:
        return Goal((foes[0].q, foes[0].r), weight=STEER, away=True)
    if plan is None:
        return Goal(None, away=away)
    if away:
        return Goal(plan.aim, weight=STEER, away=True)
    flagship = None if ship.id == plan.flagship else view.own(plan.flagship).pos
    leader = plan.ahead.get(ship.id)
    if leader is not None:
        ahead = view.own(leader)
        if ahead.status is Status.AFLOAT and not ahead.disabled and not ahead.locks:
            return Goal(ahead.pos, ahead.facing, flagship=flagship)
    if plan.mode is Mode.HOLD:
        return Goal(None, ship.facing, flagship=flagship)
    cell = plan.aim
    if plan.band is not None and cell == plan.band.centre:
        cell = _alongside(view, ship, plan.band, KEPT_OFF if plan.keep_off else CLOSE)
    goal = Goal(cell, plan.course if foes else -1, STEER, flagship)
    if len(plan.line) > 1 and plan.line[0] == ship.id:
        second = view.own(plan.line[1])
        if second.afloat and not second.locks and not second.disabled:
            pace = PACE[view.strength][(second.facing - view.upwind) % 6]
            goal.astern, goal.reach = second.pos, 1 + pace
    return goal


def _alongside(view: View, ship: Ship, band: Band, gap: int) -> Hex:
    """The hex so far off the nearest ship of an enemy squadron, on our side of her."""
    live = [s.pos for s in band.ships if s.afloat and s.flag != view.side]
    if not live:
        return band.centre
    near = min(live, key=lambda cell: _apart(cell, ship.pos))
    if near == ship.pos:
        return near
    return step(near, nearest_direction(near, ship.pos), gap)


def _apart(a: Hex, b: Hex) -> int:
    """Square of the distance as the crow flies: it tells courses apart that are equally many hexes long."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return dq * dq + dr * dr + dq * dr


def _value(
    view: View, ship: Ship, move: Move, foes: list[Foe], goal: Goal, plan: Plan | None, *, away: bool
) -> int:
    q, r = ship.pos[0] + move.end[0], ship.pos[1] + move.end[1]
    value = 0
    rel = (move.facing - view.upwind) % 6
    if foes:
        lee = LEE[rel] if view.strength is Strength.STRONG else -1
        given, taken, nearest = guns_from(foes, q, r, move.facing, lee)
        value += (given if not away else given // 3) - TAKEN * taken * (2 if away else 1)
        value += _range_value(nearest, keep_off=plan is not None and plan.keep_off, away=away)
        if rel == 0:
            value -= IRONS
    elif rel == 0:
        value -= IRONS // 2
    if move.drifts:
        value -= 20
        if view.entry((q, r), ship) == BARRED:
            value -= DRIFT_FOUL
    if goal.cell is not None:
        if goal.weight:
            value += _steering(view, goal, q, r, move.facing)
            if goal.facing >= 0:
                turn = (move.facing - goal.facing) % 6
                value -= COURSE * min(turn, 6 - turn)
        else:
            value -= _out_of_station(goal, q, r, move.facing)
    if goal.astern is not None:
        dq, dr = goal.astern[0] - q, goal.astern[1] - r
        value -= STATION * max(0, max(abs(dq), abs(dr), abs(dq + dr)) - goal.reach)
    if goal.flagship is not None:
        dq, dr = goal.flagship[0] - q, goal.flagship[1] - r
        off = max(abs(dq), abs(dr), abs(dq + dr))
        if off > 4:
            value -= COMMAND * (off - 4)
    return value


def _out_of_station(goal: Goal, q: int, r: int, facing: int) -> int:
    """How far a ship would be from her place next astern of the ship ahead of her, heading for her stern or lying as she does."""
    assert goal.cell is not None
    dq, dr = goal.cell[0] - q, goal.cell[1] - r
    apart = max(abs(dq), abs(dr), abs(dq + dr))
    off = STATION * abs(apart - 1)
    if apart == 1 and STEPS[facing] == (dq, dr):
        return off
    turn = (facing - goal.facing) % 6
    return off + HEADING * min(turn, 6 - turn)


def _range_value(nearest: int, *, keep_off: bool, away: bool) -> int:
    """What the distance of the nearest enemy is worth. Guidance: K.AI1."""
    if away:
        return OFF_RANGE * min(nearest, 8)
    if keep_off:
        return -TOO_CLOSE * (2 - nearest) if nearest < 2 else -OFF_RANGE * max(0, nearest - 4)
    return -OFF_RANGE * max(0, nearest - 2)


def _steering(view: View, goal: Goal, q: int, r: int, facing: int) -> int:
    """Nearness to the goal, now and after one more run on this course, so that a good heading counts as well as a good hex."""
    cell = goal.cell
    assert cell is not None
    run = PACE[view.strength][(facing - view.upwind) % 6]
    step = STEPS[facing]
    dq, dr = cell[0] - q, cell[1] - r
    nq, nr = dq - run * step[0], dr - run * step[1]
    now = dq * dq + dr * dr + dq * dr
    then = nq * nq + nr * nr + nq * nr
    if goal.away:
        return min(_root(now) + _root(then), 160) * goal.weight // 8
    return -(2 * _root(now) + _root(min(then, now + 400))) * goal.weight // 8


_ROOTS = tuple(isqrt(64 * n) for n in range(4096))


def _root(square: int) -> int:
    """Eight times the square root, whole; exact far beyond any range that matters."""
    return _ROOTS[square] if square < 4096 else 512 + (square - 4096) // 128
