"""What a commander adds to the plans of its squadrons: who stays out of the line, the wind, the convoy, the crippled ships, the time to go.

The plan itself (opponent, line, course) is `plan.make_plans`. Guidance: K.AI1, K.AI2, K.AI6, K.AI9, K.AI11, K.AI12. Rule: G.MV5.
"""

from __future__ import annotations

from collections.abc import Iterable

from battles.engine.core.hexes import Hex, distance
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.kohler.captain.fleet import draw_off, form_fleet
from battles.engine.rulesets.kohler.captain.line import as_it_lies, drawn_out
from battles.engine.rulesets.kohler.captain.odds import own_points
from battles.engine.rulesets.kohler.captain.plan import (
    OPENING,
    Band,
    Mode,
    Plan,
    bands,
    make_plans,
    middle,
    side_of,
)
from battles.engine.rulesets.kohler.captain.weights import Weights
from battles.engine.rulesets.kohler.state import LockKind, Ship, SquadronState, WindForce
from battles.engine.rulesets.kohler.view import View

# How far off an enemy squadron still counts as being upon ours.
UPON = 12
# Hits short of her second step at which a ship hauls out of the line.
HAULS_OUT = 5
# Turns before night in which a side draws off that has lost so many-th of the hull its instructions bear.
DUSK, SUFFERED = 6, 5
# Hexes from the nearest enemy to which the instructions bind. Rule: G.MV5.
AT = {"close": (0, 1), "long": (3, 4)}


def make_strategy(view: View, weights: Weights) -> dict[str, Plan]:
    """The plans of all own squadrons, by id, with all that a commander sees to."""
    enemy = bands(view)
    plans = make_plans(view, enemy, beaten=weights.beaten)
    squadrons = view.squadrons()
    covered = frozenset(code for squadron in squadrons for code in squadron.doctrine.protect)
    fleet = view.own_ships()
    crews: dict[str, list[Ship]] = {}
    for ship in fleet:
        if not ship.prize_of:
            crews.setdefault(ship.squadron, []).append(ship)
    hurt = [ship.pos for ship in fleet if ship.prize_of or (not ship.fired and _is_cripple(ship))]
    for squadron in squadrons:
        plan = plans.get(squadron.id)
        if plan is None:
            continue
        _clear_the_line(plan, crews.get(squadron.id, []), covered, weights)
        _form(view, plan, crews.get(squadron.id, []))
        plan.cripples = [cell for cell in hurt if distance(cell, plan.centre) <= UPON]
        if plan.mode is not Mode.AWAY and _is_beaten(view, squadron, plan, fleet, enemy):
            _get_away(plan)
        if plan.mode is Mode.FIGHT and plan.band is not None:
            _guard(view, plan, squadron.doctrine, plan.band)
            plan.windward = _side_of_the_wind(view, squadron.doctrine)
            if _awaits_help(view, squadrons, fleet, enemy):
                plan.keep_off = True
                plan.least, plan.most = 3, 5
            elif squadron.doctrine.fight_at in AT:
                plan.least, plan.most = AT[squadron.doctrine.fight_at]
                plan.bound = True
    form_fleet(view, plans, squadrons, enemy)
    _part_at_dusk(view, plans, squadrons)
    return plans


def _part_at_dusk(view: View, plans: dict[str, Plan], squadrons: Iterable[SquadronState]) -> None:
    """Draw off before night if the side has been in action and has suffered, to be out of gunshot by then. Guidance: K.AI11."""
    if view.last_turn - view.turn >= DUSK:
        return
    lost, *_, in_action = side_of(view, [])
    if not in_action:
        return
    for squadron in squadrons:
        plan, bears = plans.get(squadron.id), squadron.doctrine.break_off
        if plan is None or plan.mode is not Mode.FIGHT or bears >= 100 or SUFFERED * lost < bears:
            continue
        if plan.in_line:
            draw_off(plan)
        else:
            _get_away(plan)


def _get_away(plan: Plan) -> None:
    plan.mode, plan.board = Mode.AWAY, False
    plan.aim = plan.band.centre if plan.band is not None else None


def _is_cripple(ship: Ship) -> bool:
    return ship.afloat and (ship.disabled or ship.move_level == 2)


def _form(view: View, plan: Plan, ships: list[Ship]) -> None:
    """Form the line as it lies, and see whether it is still to be kept: a melee once begun is not broken off to form it again.

    Guidance: K.AI2, K.AI8.
    """
    if not plan.ahead:
        return
    line = as_it_lies([view.own(code) for code in plan.line])
    plan.formed = not any(map(_has_closed, ships))
    plan.line = tuple(ship.id for ship in line)
    plan.ahead = dict(zip(plan.line[1:], plan.line, strict=False))
    plan.slack = drawn_out(line)
    plan.level = max(ship.move_level for ship in line)


def _has_closed(ship: Ship) -> bool:
    """Whether an enemy holds her or is held by her, or has cost her men in this battle: then it is a melee until night."""
    return ship.hits_board > ship.board_before or any(lock.kind is LockKind.GRAPPLE for lock in ship.locks)


def is_hurt(ship: Ship, weights: Weights, *, in_line: bool = False) -> bool:
    """Whether a ship has lost so much that she should leave the fight while she can still sail. Guidance: K.AI11, K.AI12.

    in_line: she fights in a line, out of which she can haul: then before the next few hits make her too slow to.
    """
    if ship.prize_of:
        return True
    if in_line and ship.steps_lost and ship.n_steps > 2:
        return ship.hits_struct + ship.hits_board + HAULS_OUT >= ship.thresholds[1]
    if ship.n_steps > 2:
        return ship.steps_lost >= ship.n_steps - weights.wounded
    return ship.steps_lost >= 1


def _clear_the_line(plan: Plan, ships: Iterable[Ship], covered: frozenset[str], weights: Weights) -> None:
    """Fire ships, ships to be covered and ships too hurt to stay leave the line, and the line closes up.

    Guidance: K.AI2, K.AI4, K.AI11.
    """
    plan.covered = covered
    hurt = {ship.id for ship in ships if is_hurt(ship, weights, in_line=plan.by_guns)}
    plan.flag_leaves = plan.flagship in hurt
    out = hurt | {ship.id for ship in ships if ship.is_fireship or ship.id in covered}
    if out and not out.issuperset(plan.line):
        plan.line = tuple(code for code in plan.line if code not in out)
        if plan.ahead:
            plan.ahead = dict(zip(plan.line[1:], plan.line, strict=False))


def _is_beaten(view: View, squadron: SquadronState, plan: Plan, fleet: list[Ship], enemy: list[Band]) -> bool:
    """Whether a squadron has had enough, though the fleet fights on.

    It has lost as much hull as the instructions bear, or half as much and its flagship is disabled, and the enemies upon it have
    three guns for two of ours around it. To leave sooner costs more ships than it saves. Guidance: K.AI11.
    """
    doctrine = squadron.doctrine
    if doctrine.break_off >= 100:
        return False
    left, whole = view.hull_of(squadron)
    lost = 100 * (whole - left) // max(1, whole)
    if lost < doctrine.break_off and (2 * lost < doctrine.break_off or not view.own(plan.flagship).disabled):
        return False
    mine = sum(own_points(ship) for ship in fleet if distance(ship.pos, plan.centre) <= UPON)
    hers = sum(band.points for band in enemy if distance(band.centre, plan.centre) <= UPON)
    return 2 * hers > 3 * mine


def _guard(view: View, plan: Plan, doctrine: Doctrine, band: Band) -> None:
    """Put the squadron between the ships it covers and the enemy, until it is upon them. Rule: G.MV5."""
    cells = [ship.pos for ship in view.own_ships() if ship.id in doctrine.protect] if doctrine.protect else []
    if not cells:
        return
    convoy = middle(cells)
    if distance(convoy, band.centre) > OPENING:
        plan.aim = _between(convoy, band.centre)


def _between(near: Hex, far: Hex) -> Hex:
    """A third of the way from one hex to another."""
    return (2 * near[0] + far[0]) // 3, (2 * near[1] + far[1]) // 3


def _side_of_the_wind(view: View, doctrine: Doctrine) -> int:
    """The direction to gain on the enemy: as instructed, else to windward, in a strong wind to leeward. Guidance: K.AI1, K.AI6."""
    if doctrine.gauge == "windward":
        return view.upwind
    if doctrine.gauge == "leeward" or view.strength is WindForce.STRONG:
        return view.wind
    return view.upwind


def _awaits_help(
    view: View, squadrons: Iterable[SquadronState], fleet: list[Ship], enemy: list[Band]
) -> bool:
    """Whether friends are still to come in while the enemy in sight is the stronger: keep off until they are here. Rule: K.G9."""
    if not any(view.turn < squadron.arrives <= view.last_turn for squadron in squadrons):
        return False
    return sum(map(own_points, fleet)) < sum(band.points for band in enemy)
