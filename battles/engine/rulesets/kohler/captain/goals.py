"""Where one ship should be: in her place in the line, at its head, or out of the fight. Guidance: K.AI2, K.AI4, K.AI11, K.AI12."""

from __future__ import annotations

from dataclasses import dataclass

from battles.engine.core.hexes import Hex, nearest_direction, step
from battles.engine.rulesets.kohler.captain.plan import Band, Mode, Plan
from battles.engine.rulesets.kohler.captain.scene import Foe
from battles.engine.rulesets.kohler.captain.weights import Weights
from battles.engine.rulesets.kohler.passage import ALLOWANCES
from battles.engine.rulesets.kohler.state import Ship, Status, WindForce
from battles.engine.rulesets.kohler.view import View

# Hexes a plain sound ship runs in a turn, by strength of wind and attitude.
PACE = tuple(ALLOWANCES[strength][0][0] for strength in WindForce)


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
    pace: int = 9


def goal_of(
    view: View, ship: Ship, plan: Plan | None, foes: list[Foe], weights: Weights, *, away: bool
) -> Goal:
    """The goal of one own ship under her squadron's plan. foes: the enemies near her, nearest first."""
    if away and foes:
        return Goal((foes[0].q, foes[0].r), weight=weights.steer, away=True)
    if plan is None:
        return Goal(None, away=away)
    if away:
        return Goal(plan.aim, weight=weights.steer, away=True)
    flagship = None if plan.flag_leaves or ship.id == plan.flagship else view.own(plan.flagship).pos
    leader = plan.ahead.get(ship.id)
    while leader is not None:
        ahead = view.own(leader)
        if plan.formed and (ahead.locks or ahead.disabled or not ahead.afloat):
            leader = plan.ahead.get(leader)
            continue
        if plan.in_line:
            hers = ahead.pos if ahead.acted else step(ahead.pos, plan.course, plan.pace)
            return Goal(hers, plan.course, flagship=flagship)
        if plan.formed and not ahead.acted:
            run = ALLOWANCES[view.strength][plan.level][False][(ahead.facing - view.upwind) % 6]
            return Goal(step(ahead.pos, ahead.facing, run), ahead.facing, flagship=flagship)
        if ahead.status is Status.AFLOAT and not ahead.disabled and not ahead.locks:
            return Goal(ahead.pos, ahead.facing, flagship=flagship)
        break
    if plan.mode is Mode.HOLD:
        return Goal(None, ship.facing, flagship=flagship)
    cell = plan.aim
    if plan.band is not None and cell == plan.band.centre:
        cell = _alongside(view, ship, plan.band, weights.kept_off if plan.keep_off else weights.close)
    goal = Goal(cell, plan.course if foes or plan.in_line else -1, weights.steer, flagship)
    if len(plan.line) > 1 and plan.line[0] == ship.id:
        second = view.own(plan.line[1])
        if second.afloat and not second.locks and not second.disabled:
            pace = PACE[view.strength][(second.facing - view.upwind) % 6]
            goal.astern, goal.reach = second.pos, 1 + pace
        if plan.in_line:
            goal.pace = plan.pace
        elif plan.formed:
            run = ALLOWANCES[view.strength][plan.level][False][(ship.facing - view.upwind) % 6]
            goal.pace = max(1, run - plan.slack)
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
