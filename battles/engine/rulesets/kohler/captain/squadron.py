"""The captain of a squadron: keeps a line ahead, holds the range that suits the guns, rakes, boards with odds, gets away in time.

It weighs every move open to a ship by what her guns may do from where it ends, what comes back, and how she keeps her station.
All weights are whole numbers, so that it decides alike on every machine. Guidance: K.AI1-K.AI8, K.AI11, K.AI12.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.kohler.captain import prey
from battles.engine.rulesets.kohler.captain.fire import paths, to_be_fired
from battles.engine.rulesets.kohler.captain.moves import moves, on_the_spot
from battles.engine.rulesets.kohler.captain.plan import Mode, Plan, make_plans
from battles.engine.rulesets.kohler.captain.targets import best_targets
from battles.engine.rulesets.kohler.captain.weighing import NO_CELLS, choose
from battles.engine.rulesets.kohler.captain.weights import SQUADRON, Weights
from battles.engine.rulesets.kohler.state import Ship
from battles.engine.rulesets.kohler.view import Seen, View


class SquadronCaptain:
    """Keeps its line and the range that suits its guns. See the module."""

    name = "squadron"
    weights: ClassVar[Weights] = SQUADRON

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
        fiery = paths(self._burning) if self._burning else NO_CELLS
        return choose(view, mine, open_moves, plan, fiery, self.weights)

    def boards(self, view: View, ship: str, enemy: str) -> bool:
        """With a lead of four hull points or more. Guidance: K.AI8."""
        mine = view.own(ship)
        plan = self._plan(view, mine.squadron)
        if plan is None or not plan.board:
            return False
        return prey.worth_it(view, mine, enemy, self.weights, picky=plan.picky)

    def parts(self, view: View, ship: str, enemy: str) -> bool:
        """When the lead is gone. Guidance: K.AI8."""
        return not prey.still_ahead(view, view.own(ship), enemy)

    def targets(self, view: View, ship: str) -> Mapping[str, str]:
        """The most useful target of each broadside. Guidance: K.AI7."""
        return best_targets(view, view.own(ship))

    @property
    def breaks_off(self) -> bool:
        """Whether all its squadrons are getting away. Guidance: K.AI11."""
        return bool(self._plans) and all(plan.mode is Mode.AWAY for plan in self._plans.values())

    def _plan(self, view: View, squadron: str) -> Plan | None:
        if self._turn != view.turn:
            self.begin_turn(view)
        return self._plans.get(squadron)
