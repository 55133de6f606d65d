"""The plain captain: straight for the nearest enemy, then its broadside to the enemy, no line, no boarding.

Every other captain is measured against it. Its ships strike only when nothing is left to hope for, as section 12 advises.
"""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.core import plane
from battles.engine.core.plane import angle, turned
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.thomas.captain.helm import Helm, helm
from battles.engine.rulesets.thomas.play import Course
from battles.engine.rulesets.thomas.state import Ship
from battles.engine.rulesets.thomas.tables import Arc, WindForce
from battles.engine.rulesets.thomas.view import Seen, View

# How near it wants to lie, how far it looks around, ring by ring, and who is near enough to strike to.
GUNSHOT = 3_000
_RINGS = (6_000, 12_000, 24_000)
_BESET = 4_000


class PlainCaptain:
    """Goes straight for the nearest enemy. See the module."""

    name = "plain"

    def __init__(self, doctrine: Doctrine) -> None:
        self.doctrine = doctrine
        self._far: dict[str, str] = {}

    def begin_move(self, view: View) -> None:
        """Forget whom the squadrons made for in the move before."""
        self._far.clear()

    def fights_on(self, view: View) -> bool:
        """By night only against an enemy who cannot leave, which is when it is asked. Rule: T.C5."""
        return True

    def ship_order(self, view: View, ships: tuple[str, ...]) -> tuple[str, ...]:
        """Ascending order. Rule: T.B4f."""
        return ships

    def under_way(self, view: View, ship: str) -> bool:
        """Always."""
        return True

    def irons_turn(self, view: View, ship: str) -> int:
        """The short way off the wind. Rule: T.B7b."""
        own = view.own(ship)
        return -own.turn if plane.swing(own.heading, view.wind_from) > 0 else own.turn

    def dishonours(self, view: View, ship: str) -> bool:
        """Never."""
        return False

    def to_oars(self, view: View, ship: str) -> bool:
        """In calms and light airs. Section 12."""
        return view.strength <= WindForce.LIGHT

    def casts_off(self, view: View, ship: str) -> bool:
        """Never."""
        return False

    def alongside(self, view: View, ship: str, enemy: str) -> str:
        """Cut loose. Rule: T.B12l."""
        return "cut"

    def course(self, view: View, ship: str) -> Course:
        """As near to the nearest enemy as suits its guns, broadside on. Rule: T.B4."""
        own = view.own(ship)
        goal = self._nearest(view, own)
        if goal is None:
            return Course(distance=own.speed)
        sight = view.look(ship, goal)
        return _towards(helm(view, own), own, sight.distance, sight.bearing)

    def boards(self, view: View, ship: str, enemies: tuple[str, ...]) -> str:
        """No one."""
        return ""

    def gunners(self, view: View, ship: str) -> int:
        """None: every man fights. Section 12."""
        return 0

    def withdraws(self, view: View, ship: str, enemy: str) -> bool:
        """It does not board, so there is nothing to break off."""
        return False

    def cuts(self, view: View, ship: str, enemy: str) -> bool:
        """Always. Rule: T.B12k."""
        return True

    def joins(self, view: View, ship: str) -> bool:
        """Never."""
        return False

    def secures(self, view: View, ship: str, prizes: tuple[str, ...]) -> Mapping[str, int]:
        """Every prize within reach, with the men it takes. Section 12."""
        return dict.fromkeys(prizes, -1)

    def detail(self, view: View, prize: str) -> str:
        """The nearest. Rule: T.O6e."""
        return ""

    def accepts(self, view: View, ship: str) -> bool:
        """Always."""
        return True

    def targets(self, view: View, ship: str) -> Mapping[Arc, str]:
        """The nearest ship that each group bears on. Rule: T.B10c."""
        return {arc: found[0] for arc, found in view.bears(ship).items()}

    def jettisons(self, view: View, ship: str) -> bool:
        """While more than two batteries stay. Section 12."""
        return len(view.own(ship).standing()) > 2

    def strikes(self, view: View, ship: str) -> bool:
        """With a tenth of her flotation left and an enemy at hand, or dismasted and beset by two. Section 12."""
        own = view.own(ship)
        if 10 * own.flot > own.flot_max and not own.dismasted:
            return False
        beset = sum(_fights(one) for one in view.near(ship, _BESET))
        return beset >= 1 if 10 * own.flot <= own.flot_max else beset >= 2

    def saves(self, view: View, ship: str, sinking: str) -> bool:
        """Never: it goes on fighting."""
        return False

    def _nearest(self, view: View, own: Ship) -> str | None:
        """The nearest enemy who fights: from the ship if one is near, else whoever is nearest to her squadron."""
        for reach in _RINGS:
            near = [one.id for one in view.near(own.id, reach) if _fights(one)]
            if near:
                return min(near, key=lambda code: (view.far(own.id, code), code))
        if own.squadron not in self._far:
            codes = [one.id for one in view.others() if _fights(one)]
            nearest = min(codes, key=lambda code: (view.far(own.id, code), code), default="")
            self._far[own.squadron] = nearest
        return self._far[own.squadron] or None


def _fights(seen: Seen) -> bool:
    return not seen.struck and not seen.prize


def _towards(rig: Helm, own: Ship, distance: int, bearing: int) -> Course:
    """Turn towards the enemy as far as the wind allows, run to gunshot, then turn to lay it abeam."""
    first = rig.turn_towards(own.heading, bearing)
    heading = turned(own.heading, first)
    ahead = angle(heading, bearing) < plane.RIGHT
    leg = max(rig.least, min(rig.most, distance - GUNSHOT)) if ahead else rig.least
    second = 0
    if rig.number > 1 or not first:
        beams = (turned(bearing, plane.RIGHT), turned(bearing, -plane.RIGHT))
        beam = min(beams, key=lambda way: (angle(heading, way), way))
        if distance - leg <= 2 * GUNSHOT:
            second = rig.turn_towards(heading, beam)
    return Course(first, leg, 0 if rig.boats else second, boats=rig.boats, cut_cable=own.anchored)
