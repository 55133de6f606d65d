"""Whom each group fires on: the greatest effect, raking above all, then whoever is beaten down soonest. Rules: T.B10c, T.N1, T.N4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from battles.engine.core.plane import advance
from battles.engine.rulesets.thomas.arcs import FRIGATE_BELOW, LINE_FROM
from battles.engine.rulesets.thomas.captain import guess
from battles.engine.rulesets.thomas.captain.scene import Scene
from battles.engine.rulesets.thomas.captain.weights import Weights
from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.tables import Arc, Kind
from battles.engine.rulesets.thomas.view import Seen, View

_LOOK = 16_000


def targets_of(
    view: View, ship: Ship, scene: Scene, prey: str, weights: Weights, laid: dict[str, int]
) -> dict[Arc, str]:
    """A target for each group that bears. prey: whom she is to go for. laid: friends' fire already laid on each enemy, in sixths."""
    chosen: dict[Arc, str] = {}
    bearing = view.bears(ship.id)
    if not bearing:
        return chosen
    if keeps_silent(view, ship, bearing):
        return dict.fromkeys(bearing, "")
    for arc, codes in bearing.items():
        plain, raking = guess.own_fire(ship, arc)
        values = {code: _value(view, ship, scene, code, plain, raking, prey, weights, laid) for code in codes}
        code = max(codes, key=lambda one: values[one][0])
        chosen[arc] = code
        laid[code] = laid.get(code, 0) + values[code][1]
    return chosen


def _value(
    view: View,
    ship: Ship,
    scene: Scene,
    code: str,
    plain: guess.Fire,
    raking: guess.Fire,
    prey: str,
    weights: Weights,
    laid: Mapping[str, int],
) -> tuple[int, int]:
    """What a group may do to an enemy, weighed, and in sixths of a hit."""
    seen = view.other(code)
    sight = view.look(ship.id, code)
    band = 0 if sight.distance <= 4_000 else 1 if sight.distance <= 8_000 else 2
    fire = plain[band]
    if view.nelson and _rakes(ship, seen, sight.distance, sight.bearing):
        fire = raking[band]
    value = fire * weights.worth[min(3, seen.quarters_lost)]
    if code == prey:
        value += value * weights.prey // 100
    if laid.get(code):
        # Two on one: what two ships begin they finish.
        value += value // 8
    if seen.grappled_to or seen.prize:
        value //= 2
    return value, fire


def _rakes(ship: Ship, seen: Seen, distance: int, bearing: int) -> bool:
    """Whether she seems to lie across the enemy's bow or stern. Rule: T.N1."""
    dx, dy = advance((0, 0), bearing, distance)
    sin, cos = advance((0, 0), seen.heading, 1_000)
    return abs(dx * cos - dy * sin) // 1_000 <= ship.length * 2 // 5


def keeps_silent(view: View, ship: Ship, bearing: Mapping[Arc, Sequence[str]]) -> bool:
    """A frigate whom ships of the line may not fire on until she fires holds her fire while one could answer, unless the gain is clear.

    Clear: everyone she bears on is no ship of the line, or has half her flotation gone. Rule: T.N4.
    """
    if not view.nelson or ship.has_fired or ship.guns >= FRIGATE_BELOW or ship.kind is Kind.MERCHANT:
        return False
    if not any(seen.guns >= LINE_FROM and not seen.struck for seen in view.near(ship.id, _LOOK)):
        return False
    marks = [view.other(code) for codes in bearing.values() for code in codes]
    return any(seen.guns >= LINE_FROM and seen.quarters_lost < 2 for seen in marks)
