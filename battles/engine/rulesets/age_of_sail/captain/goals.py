"""What both captains decide alike: withdrawing, parting, fighting on, anchors. Rules: A.Q6, A.Q7, A.Q9, A.Q11, A.Q12."""

from __future__ import annotations

from battles.engine.core import shore
from battles.engine.core.plane import within
from battles.engine.core.scenario import Stance
from battles.engine.rulesets.age_of_sail.captain.odds import BOX, wins
from battles.engine.rulesets.age_of_sail.state import Ship
from battles.engine.rulesets.age_of_sail.tables import AWAY, CM, POINTS, RANGE, STEP
from battles.engine.rulesets.age_of_sail.view import View

NEVER = 100
_REPAIR_CLEAR = 8 * CM
_LEE = 3


class Goals:
    """Decisions that follow from the state of ship and fleet."""

    def withdraws(self, view: View) -> bool:
        """Whether the side has had enough. Rules: A.Q11, A.Q12."""
        doctrine = view.doctrine
        if doctrine.stance is Stance.AVOID:
            return True
        own, enemy = view.losses()
        return doctrine.break_off < NEVER and own > enemy and 100 * own >= doctrine.break_off * view.brought()

    def agrees_to_part(self, view: View) -> bool:
        """Rules: A.V1, A.Q11."""
        return view.withdrawing or view.doctrine.stance is not Stance.SEEK

    def leaves(self, view: View, ship: Ship) -> bool:
        """A ship that is finished, or one that is to be protected. Rules: A.Q11, A.Q12."""
        if ship.id in view.doctrine.protect:
            return True
        if view.doctrine_of(ship).break_off >= NEVER:
            return False
        if not ship.all_decks:
            return True
        if 3 * ship.boxes_lost < 2 * ship.start_boxes:
            return False
        return not any(
            one is not ship and one.owner == ship.owner and one.acts
            for one in view.near(ship.position, RANGE)
        )

    def parts(self, view: View, ship: Ship, other: Ship) -> bool:
        """Rule: A.Q6."""
        if ship.fire_stage or other.fire_stage:
            return True
        if other.owner == ship.owner:
            return ship.all_decks > 1 if other.held else True
        return 2 * wins(ship.strength, other.strength) < BOX

    def fights_on(self, view: View, ship: Ship, foes: list[Ship]) -> str:
        """Rule: A.Q6."""
        best = max(foes, key=lambda foe: (wins(ship.strength, foe.strength), -foe.number))
        return best.id if 2 * wins(ship.strength, best.strength) >= BOX else ""

    def repairs(self, view: View, ship: Ship) -> bool:
        """When nothing is to be fired at, or she hardly moves and nobody is near. Rule: A.Q7."""
        reach = RANGE if ship.fast else RANGE + view.sails(ship).allowed[ship.h] * CM
        near = [one for one in view.near(ship.position, reach) if one.owner != ship.owner and not one.held]
        if not near or not ship.all_decks:
            return True
        return ship.power <= 2 and not any(within(ship.position, one.position, _REPAIR_CLEAR) for one in near)

    def weighs(self, view: View, ship: Ship) -> bool:
        """Rule: A.Q9."""
        if not ship.power:
            return False
        if not ship.moored or view.flees(ship):
            return True
        return not any(view.able(one) and within(ship.position, one.position, AWAY) for one in view.enemies)

    def anchors(self, view: View, ship: Ship) -> bool:
        """Whether three centimetres of drift would bring her to grief. Rule: A.Q9."""
        dx, dy = STEP[(2 * view.wind_from + POINTS // 2) % POINTS]
        for n in range(1, _LEE + 1):
            x, y = ship.x + n * dx, ship.y + n * dy
            if any(shore.inside((x, y), area) for area in (*view.shoals, *view.land)):
                return True
            if view.edges is not None:
                left, low, right, high = view.edges
                if not (left <= x <= right and low <= y <= high):
                    return True
        return False
