from collections.abc import Mapping
from typing import ClassVar

from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.kohler.captain.fire_ships import work_up
from battles.engine.rulesets.kohler.captain.moves import moves, on_the_spot
from battles.engine.rulesets.kohler.captain.squadron import SquadronCaptain
from battles.engine.rulesets.kohler.captain.strategy import make_strategy
from battles.engine.rulesets.kohler.captain.targets import best_targets, concentrated
from battles.engine.rulesets.kohler.captain.weights import Weights
from battles.engine.rulesets.kohler.view import View


class CommanderCaptain(SquadronCaptain):
    name = "commander"
    weights: ClassVar[Weights] = Weights(
        boarded=8,
        boarded_lead=3,
        taken=(5, 5, 5, 5),
        off_range=18,
        gauge=3,
        prize=80,
        lead=2,
        looming=6,
        concentrate=15,
    )

    def __init__(self, doctrine: Doctrine) -> None:
        super().__init__(doctrine)
        self._laid: dict[str, int] = {}

    def begin_turn(self, view: View) -> None:
        self._plans = make_strategy(view, self.weights)
        self._turn = view.turn
        self._burning = view.burning()
        self._laid = {}

    def tokens(self, view: View, ship: str) -> tuple[str, ...]:
        mine = view.own(ship)
        if mine.is_fireship and not mine.fired and not mine.prize_of:
            open_moves = moves(view, mine)
            if len(open_moves) == 1:
                return open_moves[0].tokens
            return work_up(view, mine, open_moves + on_the_spot(view, mine), self._plan(view, mine.squadron))
        return super().tokens(view, ship)

    def targets(self, view: View, ship: str) -> Mapping[str, str]:
        if self.weights.concentrate < 0:
            return best_targets(view, view.own(ship))
        return concentrated(view, view.own(ship), self._laid, self.weights.concentrate)
