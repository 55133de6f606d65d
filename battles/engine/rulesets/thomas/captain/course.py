"""How a ship moves: the few legs open to her, weighed. Rules: T.B4, T.O1, T.O3c, T.O4f, T.S22."""

from __future__ import annotations

from collections.abc import Sequence

from battles.engine.core import plane
from battles.engine.rulesets.thomas.captain import weighing
from battles.engine.rulesets.thomas.captain.duties import Duties
from battles.engine.rulesets.thomas.captain.goals import Goal
from battles.engine.rulesets.thomas.captain.helm import Helm, helm
from battles.engine.rulesets.thomas.captain.legs import Leg, Lying, hulls, legs, near_land, runs_ashore
from battles.engine.rulesets.thomas.captain.plan import can_sail
from battles.engine.rulesets.thomas.captain.prey import Hunt
from battles.engine.rulesets.thomas.captain.scene import Foe, Scene
from battles.engine.rulesets.thomas.captain.weights import Weights
from battles.engine.rulesets.thomas.play import Course
from battles.engine.rulesets.thomas.state import Rig, Ship
from battles.engine.rulesets.thomas.tables import Kind, WindForce
from battles.engine.rulesets.thomas.view import View

# How far beyond her run a hull may lie that she could meet, and beyond her run and gunshot an enemy that matters.
_HULLS = 2_500
HALF_RUN = {WindForce.CALM: 0, WindForce.LIGHT: 500, WindForce.MEDIUM: 2_500, WindForce.STRONG: 5_000}
_IN_SIGHT = 16_000
# So many of the nearest enemies are looked at for a hull in the line of fire.
_BETWEEN = 8


def course_of(
    view: View, ship: Ship, scene: Scene, hunt: Hunt, duties: Duties, goal: Goal, weights: Weights
) -> Course:
    """The course that weighs most for one own ship."""
    if ship.anchored:
        return Course(cut_cable=goal.flee or goal.prey is not None)
    rig = helm(view, ship)
    if not rig.most and not rig.number:
        return Course(take_in_tow=duties.tow.get(ship.id, ""))
    near = scene.near.get(ship.id, [])
    close = [row for row in near if row[0] <= rig.most + _IN_SIGHT]
    in_reach = [foe for far, foe in close if far <= rig.most + _HULLS]
    around = hulls(view.company(ship.id, rig.most + _HULLS), in_reach)
    open_legs = legs(ship, rig, goal.point, around, fine=bool(close))
    open_legs = _off_shore(view, ship, rig, open_legs)
    marks: Sequence[weighing.Prospect] = ()
    if not ship.prize_of:
        half_run = HALF_RUN[view.strength]
        marks = weighing.marks_of(ship, close, goal, weights, half_run=half_run, moves_first=view.moves_first)
    chosen = weighing.best(
        ship,
        rig,
        open_legs,
        marks,
        goal,
        weights,
        arms=weighing.arms_of(ship, nelson=view.nelson),
        burning=scene.burning if view.nelson else (),
        boarding=_prizes_in_reach(ship, hunt, weights),
        hulls=_in_the_way(view, ship, scene, rig, close) if marks else (),
    )
    return Course(
        chosen.leg.turn,
        chosen.leg.distance,
        chosen.turn,
        boats=rig.boats,
        raise_sail=_sails_up(view, ship),
        take_in_tow=duties.tow.get(ship.id, ""),
    )


def _in_the_way(
    view: View, ship: Ship, scene: Scene, rig: Helm, close: Sequence[tuple[int, Foe]]
) -> list[Lying]:
    """Hulls that will lie where they lie now when the guns speak, so that a line of fire may be shut by them. Rules: T.B3a, T.B10e."""
    friends = [one for one in view.company(ship.id, rig.most + _HULLS) if one.moved or not can_sail(one)]
    foes = [foe for _, foe in close[:_BETWEEN] if not (view.moves_first and foe.mobile)]
    return hulls(friends, foes)


def _off_shore(view: View, ship: Ship, rig: Helm, open_legs: list[Leg]) -> list[Leg]:
    """The legs that keep off the land, all of them when none does. Rule: T.B4e."""
    land = near_land(ship, rig.most, view.land) if view.land else []
    if not land:
        return open_legs
    return [leg for leg in open_legs if not runs_ashore(ship, leg, land)] or _safest(ship, open_legs, view)


def _safest(ship: Ship, open_legs: list[Leg], view: View) -> list[Leg]:
    """Where every leg runs near land, the one that ends farthest from it."""
    corners = [point for land in view.land for point in land]
    return [max(open_legs, key=lambda leg: min(plane.distance((leg.x, leg.y), one) for one in corners))]


def _prizes_in_reach(ship: Ship, hunt: Hunt, weights: Weights) -> dict[str, int]:
    """What it is worth to her to lie against each enemy whom she is to board."""
    return {
        foe: weights.board * max(1, hunt.odds[foe] - 10) // 2 + weights.contact
        for foe, party in hunt.parties.items()
        if ship.id in party
    }


def _sails_up(view: View, ship: Ship) -> bool:
    """A galleass sets sail in a medium wind, in which her oars are at half their strength; the others are told by the wind. Rule: T.O4f."""
    return ship.rig is Rig.OARS and view.strength >= WindForce.MEDIUM and ship.kind is Kind.GALLEASSE
