"""The captain that plays by default: it leads squadrons in line, falls on the enemy's rear and middle, two on one, and rakes.

It boards when the odds in men favour it, keeps from burning ships and lee shores, tows crippled ships, secures prizes, breaks off in time,
strikes when it is hopeless, and obeys its instructions. Section 12 of rules.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from battles.engine.core import plane
from battles.engine.core.scenario import Doctrine, Stance
from battles.engine.rulesets.thomas.captain import prizes
from battles.engine.rulesets.thomas.captain.boarding import Boarders
from battles.engine.rulesets.thomas.captain.course import course_of
from battles.engine.rulesets.thomas.captain.duties import BUSY, Duties, told_off
from battles.engine.rulesets.thomas.captain.goals import goal_of
from battles.engine.rulesets.thomas.captain.plan import Fleet, Mode, Plan, make_plans, standing_of
from battles.engine.rulesets.thomas.captain.prey import Hunt, share_out
from battles.engine.rulesets.thomas.captain.scene import Scene, look_about
from battles.engine.rulesets.thomas.captain.targets import targets_of
from battles.engine.rulesets.thomas.captain.weights import COMMANDER, Weights
from battles.engine.rulesets.thomas.play import Course
from battles.engine.rulesets.thomas.tables import Arc, WindForce
from battles.engine.rulesets.thomas.view import View


class CommanderCaptain:
    """The captain that plays by default. See the module."""

    name = "commander"
    weights: ClassVar[Weights] = COMMANDER

    def __init__(self, doctrine: Doctrine) -> None:
        self.doctrine = doctrine
        self.boarders = Boarders(self.weights)
        self._made = 0
        self._scene = Scene()
        self._fleet = Fleet(0, 0, 0, None)
        self._plans: dict[str, Plan] = {}
        self._hunt = Hunt()
        self._duties = Duties()
        self._laid: dict[str, int] = {}

    def begin_move(self, view: View) -> None:
        """Forget the picture of the move before: plans are made when the side moves, from where everyone lies then."""
        self._made = 0
        self._plans = {}
        self._laid = {}

    def fights_on(self, view: View) -> bool:
        """By night only when it seeks the fight and has the stronger fire left. Rule: T.C5."""
        self._plan(view)
        return self.doctrine.stance is Stance.SEEK and not self._fleet.outgunned

    def ship_order(self, view: View, ships: tuple[str, ...]) -> tuple[str, ...]:
        """Heads of lines first, so that followers move into water that has been left. Rule: T.B4f."""
        self._plan(view)
        place = {code: n for plan in self._plans.values() for n, code in enumerate(plan.line)}
        return tuple(sorted(ships, key=lambda code: place.get(code, len(ships))))

    def under_way(self, view: View, ship: str) -> bool:
        """Always. Rule: T.B6e."""
        return True

    def irons_turn(self, view: View, ship: str) -> int:
        """The short way off the wind. Rule: T.B7b."""
        own = view.own(ship)
        return own.turn if plane.swing(view.wind_from, own.heading) >= 0 else -own.turn

    def dishonours(self, view: View, ship: str) -> bool:
        """Never. Rule: T.O6n."""
        return False

    def to_oars(self, view: View, ship: str) -> bool:
        """In calms and light airs, in which they are worth more than sails. Rules: T.O4b, T.O4e."""
        return view.strength <= WindForce.LIGHT

    def casts_off(self, view: View, ship: str) -> bool:
        """When an enemy comes near, or the tow can sail again. Rule: T.O3g."""
        own = view.own(ship)
        if not view.own(own.towing).dismasted:
            return True
        return any(not seen.struck and not seen.prize for seen in view.near(ship, BUSY // 2))

    def alongside(self, view: View, ship: str, enemy: str) -> str:
        """Board with odds, cut when outnumbered. Rule: T.B12l."""
        return self.boarders.alongside(view, view.own(ship), enemy, allowed=self._may_board(view, ship))

    def course(self, view: View, ship: str) -> Course:
        """The course that weighs most. Rule: T.B4."""
        self._plan(view)
        own = view.own(ship)
        goal = goal_of(
            view, own, self._scene, self._plans.get(own.squadron), self._hunt, self._duties.place.get(ship),
            self.weights, self._fleet.centre,
        )  # fmt: skip
        return course_of(view, own, self._scene, self._hunt, self._duties, goal, self.weights)

    def boards(self, view: View, ship: str, enemies: tuple[str, ...]) -> str:
        """Whoever is to be boarded, else with odds. Rule: T.B12b."""
        allowed = self._may_board(view, ship)
        return self.boarders.chosen(view, view.own(ship), enemies, self._hunt, allowed=allowed)

    def gunners(self, view: View, ship: str) -> int:
        """Only against a fresh enemy. Rule: T.O5c."""
        return self.boarders.gunners(view, view.own(ship))

    def withdraws(self, view: View, ship: str, enemy: str) -> bool:
        """When outnumbered. Rule: T.B12j."""
        return self.boarders.withdraws(view, view.own(ship), enemy)

    def cuts(self, view: View, ship: str, enemy: str) -> bool:
        """Unless it is her turn to board. Rule: T.B12k."""
        return self.boarders.cuts(view, view.own(ship), enemy, allowed=self._may_board(view, ship))

    def joins(self, view: View, ship: str) -> bool:
        """If together they outnumber the captors. Rule: T.O6j."""
        return self.boarders.joins(view, view.own(ship))

    def secures(self, view: View, ship: str, prizes_: tuple[str, ...]) -> Mapping[str, int]:
        """Each prize for which she has men enough to hold the captives down. Rules: T.O6d, T.O6f, T.O6h, T.O6l."""
        return prizes.guards(view, view.own(ship), prizes_)

    def detail(self, view: View, prize: str) -> str:
        """The nearest ship that is not engaged. Rule: T.O6e."""
        return ""

    def accepts(self, view: View, ship: str) -> bool:
        """Always: a prize is a prize. Rule: T.O6n."""
        return True

    def targets(self, view: View, ship: str) -> Mapping[Arc, str]:
        """The most useful target of each group. Rule: T.B10c."""
        self._plan(view)
        prey = self._hunt.prey.get(ship)
        code = prey.id if prey is not None else ""
        return targets_of(view, view.own(ship), self._scene, code, self.weights, self._laid)

    def jettisons(self, view: View, ship: str) -> bool:
        """While more than two batteries stay. Rule: T.O7a."""
        return prizes.jettisons(view.own(ship))

    def strikes(self, view: View, ship: str) -> bool:
        """When it is hopeless. Rule: T.O6."""
        return prizes.hopeless(view, view.own(ship))

    def saves(self, view: View, ship: str, sinking: str) -> bool:
        """When no enemy who fights is near. Rule: T.O5h."""
        return prizes.free_to_save(view, ship)

    def _may_board(self, view: View, ship: str) -> bool:
        """Whether instructions allow it and the squadron is not getting away. Rule: G.MV5."""
        if not self._plans:
            self._look(view)
        own = view.own(ship)
        plan = self._plans.get(own.squadron)
        doctrine = plan.doctrine if plan is not None else self.doctrine
        return doctrine.boards and not own.breaking_off and (plan is None or plan.mode is not Mode.AWAY)

    def _plan(self, view: View) -> None:
        """Look about and make the plans, once a move."""
        if self._made != view.move:
            self._made = view.move
            self._look(view)

    def _look(self, view: View) -> None:
        """Look about and make the plans as things are now, for a question that comes before the side moves too."""
        self._scene = look_about(view)
        self._fleet = standing_of(view, self._scene)
        self._plans = make_plans(view, self._scene, self._fleet)
        reach = {ship.id: view.reach(ship.id).most for ship in self._scene.own if ship.fighting}
        self._hunt = share_out(self._scene, self._plans, self.weights, reach)
        self._duties = told_off(self._scene, self._plans, towing=True)
