"""The captain that plays by default: a squadron commander that wins by keeping its own ships.

It shares plans and weighing with the squadron's captain and adds what that one lacks: it keeps weak ships out of boarders' reach,
closes the line when one falls out, does not form it again in a melee, takes prizes that no one guards, tries again for an enemy who
lies in its own hex, lays the guns of several ships on one enemy, works fire ships up to windward, sees to convoys and, when night is
near, to crippled ships, keeps to the side of the wind and the range it is told. Guidance: K.AI1-K.AI12.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.kohler.captain.fire_ships import work_up
from battles.engine.rulesets.kohler.captain.line import clear_ahead_first
from battles.engine.rulesets.kohler.captain.moves import moves, on_the_spot
from battles.engine.rulesets.kohler.captain.squadron import SquadronCaptain
from battles.engine.rulesets.kohler.captain.strategy import make_strategy
from battles.engine.rulesets.kohler.captain.targets import concentrated
from battles.engine.rulesets.kohler.captain.weights import COMMANDER, Weights
from battles.engine.rulesets.kohler.view import View


class CommanderCaptain(SquadronCaptain):
    """The captain that plays by default. See the module."""

    name = "commander"
    weights: ClassVar[Weights] = COMMANDER

    def __init__(self, doctrine: Doctrine) -> None:
        super().__init__(doctrine)
        self._laid: dict[str, int] = {}

    def begin_turn(self, view: View) -> None:
        """Make the plans of all squadrons; no gun is laid yet. Guidance: K.AI1, K.AI2, K.AI11."""
        self._plans = make_strategy(view, self.weights)
        self._turn = view.turn
        self._burning = view.burning()
        self._laid = {}

    def ship_order(self, view: View, squadron: str, ships: tuple[str, ...]) -> tuple[str, ...]:
        """Head of the line first, but no one before the ship that lies in her way. Guidance: K.AI2."""
        order = super().ship_order(view, squadron, ships)
        try:
            return tuple(ship.id for ship in clear_ahead_first([view.own(code) for code in order]))
        except KeyError:
            return order  # one of them was lost to an enemy since the groups were made up

    def tokens(self, view: View, ship: str) -> tuple[str, ...]:
        """The move that weighs best; a fire ship not yet lit has a way of her own. Rule: K.M31. Guidance: K.AI9."""
        mine = view.own(ship)
        if not mine.is_fireship or mine.fired or mine.prize_of:
            return super().tokens(view, ship)
        open_moves = moves(view, mine)
        if len(open_moves) == 1:
            return open_moves[0].tokens
        return work_up(view, mine, open_moves + on_the_spot(view, mine), self._plan(view, mine.squadron))

    def targets(self, view: View, ship: str) -> Mapping[str, str]:
        """The most useful target of each broadside, those that others have aimed at counted. Guidance: K.AI7."""
        return concentrated(view, view.own(ship), self._laid, self.weights.concentrate)
