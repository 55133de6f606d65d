"""The line of battle of a whole side: one course for all its squadrons, one pace, one range, kept until it breaks off.

A side that does not board whomever it can (G.MV5) fights with its guns, and guns are served best from a line. Its squadrons lie on
one reach, wear together when the enemy has been left astern, close by edging down without altering the course that they end on,
and wait for each other. They beat up to an enemy who stays to windward, until their guns reach.
Guidance: K.AI1, K.AI2, K.AI5, K.AI6. Rule: G.MV5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from battles.engine.core.hexes import STEPS, Hex, distance
from battles.engine.rulesets.kohler.captain.odds import DISCS
from battles.engine.rulesets.kohler.captain.plan import Band, Mode, Plan, middle, side_of
from battles.engine.rulesets.kohler.passage import ALLOWANCES
from battles.engine.rulesets.kohler.state import Ship, SquadronState
from battles.engine.rulesets.kohler.view import Seen, View

# Hexes from the nearest enemy between which a line fights that was told no range: out of reach of grapnels, its guns bearing.
GUNSHOT = (3, 4)
# An enemy within so many hexes is alongside: the line does not wear before him.
ALONGSIDE = 9
# Hexes by which the middle of one line may be ahead of the other's before it shortens sail, and before it wears with no enemy near.
ABREAST, ASTERN = 3, 6
# An enemy within so many hexes of one ship in so many has closed with a squadron.
CLOSED, CLOSED_OF = 2, 4
# A squadron with no enemy so near comes up, once others are in action.
COMES_UP = 12
# How far a line keeps from the enemy that draws off before night.
APART = (7, 10)
RINGS = tuple(
    tuple(cell for cell in DISCS[radius] if distance((0, 0), cell) == radius)
    for radius in range(COMES_UP + 1)
)


def keeps_line(plan: Plan) -> bool:
    """Whether a squadron fights in the line: it does not board whom it can, and does not chase each ship for herself. Rule: G.MV5."""
    return plan.mode is not Mode.AWAY and plan.by_guns and bool(plan.ahead or len(plan.line) == 1)


def form_fleet(
    view: View, plans: Mapping[str, Plan], squadrons: Iterable[SquadronState], enemy: list[Band]
) -> None:
    """Give the squadrons that fight in the line their common course, pace and range. Guidance: K.AI1, K.AI2."""
    lines = [
        plan for squadron in squadrons if (plan := plans.get(squadron.id)) is not None and keeps_line(plan)
    ]
    ships = [view.own(code) for plan in lines for code in plan.line]
    if len(ships) < 2 or not enemy:
        return
    seen = [one for band in enemy for one in band.ships if not one.prize]
    if not seen:
        return
    # Ships at anchor are not passed in line by a side that is strong enough to go up to them, each ship for herself.
    if 2 * sum(map(view.at_anchor, seen)) > len(seen) and side_of(view, enemy).master:
        for plan in lines:
            plan.ahead, plan.formed = {}, False
        return
    foes = [one.pos for one in seen]
    course = _course(view, ships, foes)
    if any(plan.mode is Mode.FIGHT for plan in lines) and _has_to_beat(view, ships, seen):
        course = _tack_for(view, ships, foes, course)
    pace = _pace(view, ships, course, foes)
    near = {plan.squadron: _nearest(view, plan) for plan in lines}
    engaged = any(apart <= ALONGSIDE for apart in near.values())
    for plan in lines:
        # Who has no one to fire at while others fight comes up, and doubles on the end of the enemy's line.
        if _is_closed(view, plan) or (engaged and near[plan.squadron] > COMES_UP):
            continue
        plan.in_line, plan.formed, plan.course, plan.pace = True, True, course, pace
        if not plan.bound:
            plan.least, plan.most = GUNSHOT
            plan.bound = True


def draw_off(plan: Plan) -> None:
    """Turn the line one hexside away from the enemy, all together, and keep out of gunshot. Guidance: K.AI11."""
    plan.least, plan.most = APART
    if plan.band is not None:
        turns = (plan.course + 1) % 6, (plan.course - 1) % 6
        ahead = [_ahead(plan.band.centre, plan.centre, facing) for facing in turns]
        plan.course = turns[ahead[1] < ahead[0]]


def _nearest(view: View, plan: Plan) -> int:
    """How far the nearest enemy of a squadron is, looked for as far as one counts; that and one more for none."""
    for apart in range(COMES_UP + 1):
        if any(view.enemies_near(view.own(code).pos, RINGS[apart]) for code in plan.line[::2]):
            return apart
    return COMES_UP + 1


def _is_closed(view: View, plan: Plan) -> bool:
    """Whether the enemy has closed with a squadron: then every ship looks to her guns, until he is shaken off. Guidance: K.AI3."""
    near = sum(bool(view.enemies_near(view.own(code).pos, DISCS[CLOSED])) for code in plan.line)
    return CLOSED_OF * near >= len(plan.line)


def _course(view: View, ships: list[Ship], foes: list[Hex]) -> int:
    """The reach on which most of them lie nearly, the other one when the enemy is out of gunshot and astern. Guidance: K.AI2."""
    lying = Counter(ship.facing for ship in ships)
    reaches = (view.upwind + 2) % 6, (view.upwind + 4) % 6

    # A shift that sets them all running leaves either reach as near: then the tack they were on is kept.
    port = sum(n * _tack(view, facing) for facing, n in lying.items())

    def turned(course: int) -> tuple[int, int]:
        turn = sum(n * min((course - f) % 6, (f - course) % 6) for f, n in lying.items())
        return turn, -port if course == reaches[0] else port

    course = min(reaches, key=turned)
    if any(distance(ship.pos, foe) <= ALONGSIDE for ship in ships[::3] for foe in foes):
        return course
    if _ahead(middle(foes), middle([ship.pos for ship in ships]), course) < -ASTERN:
        return reaches[1] if course == reaches[0] else reaches[0]
    return course


def _has_to_beat(view: View, ships: list[Ship], foes: list[Seen]) -> bool:
    """Whether the enemy lies to windward, out of gunshot, and does not come down: a reach would only lead farther away.

    The enemy comes down while half of its ships or more reach or run. Guidance: K.AI2, K.AI5.
    """
    if _ahead(middle([foe.pos for foe in foes]), middle([ship.pos for ship in ships]), view.upwind) <= 0:
        return False
    if 2 * sum(2 <= (foe.facing - view.upwind) % 6 <= 4 for foe in foes) >= len(foes):
        return False
    return not any(view.enemies_near(ship.pos, DISCS[GUNSHOT[1]]) for ship in ships)


def _tack_for(view: View, ships: list[Ship], foes: list[Hex], reach: int) -> int:
    """Close hauled on the tack of this reach, on the other one when the enemy's middle is abeam or abaft. Guidance: K.AI5."""
    hauled = (view.upwind + (1 if reach == (view.upwind + 2) % 6 else 5)) % 6
    abaft = _ahead(middle(foes), middle([ship.pos for ship in ships]), hauled) <= 0
    return (2 * view.upwind - hauled) % 6 if abaft else hauled


def _tack(view: View, facing: int) -> int:
    """1 on the port tack, -1 on the starboard tack, by the wind before the last shift where this one is right aft; else 0."""
    for wind in (view.wind, view.wind_before):
        rel = 0 if wind is None else (facing - wind - 3) % 6
        if rel % 3:
            return 1 if rel < 3 else -1
    return 0


def _pace(view: View, ships: list[Ship], course: int, foes: list[Hex]) -> int:
    """Hexes that all go in a turn: what the slowest of the line can, less where the enemy's middle lies astern of theirs."""
    level = max(ship.move_level for ship in ships)
    run = ALLOWANCES[view.strength][min(level, 1)][False][(course - view.upwind) % 6]
    lead = -_ahead(middle(foes), middle([ship.pos for ship in ships]), course)
    return max(1, run - 1) if lead > ABREAST else max(1, run)


def _ahead(cell: Hex, of: Hex, course: int) -> int:
    """How many hexes one place lies ahead of another on a course."""
    (dq, dr), (uq, ur) = (cell[0] - of[0], cell[1] - of[1]), STEPS[course]
    return (2 * (dq * uq + dr * ur) + dq * ur + dr * uq) // 2
