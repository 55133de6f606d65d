"""The plain captain: every ship alone straight for the nearest enemy, and no ramming by choice. Rule: C.Q12."""

from __future__ import annotations

from collections.abc import Mapping

from battles.engine.core import squares
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.cordery import steering
from battles.engine.rulesets.cordery.captain import targets
from battles.engine.rulesets.cordery.captain.scene import Scene, withdraws
from battles.engine.rulesets.cordery.play import Move, Targets
from battles.engine.rulesets.cordery.steering import after, rank
from battles.engine.rulesets.cordery.view import Seen, View

RANGE = 3


class Plain:
    """Knows nothing of lines; obeys no more of his instructions than when to break off."""

    name = "plain"

    def __init__(self, doctrine: Doctrine) -> None:
        self.doctrine = doctrine

    def targets(self, view: View, weapons: tuple[str, ...], given: Targets) -> Targets:
        """The nearest target of each weapon. Rules: C.Q1-C.Q3."""
        return targets.choose(view, weapons, given, nearest=True)

    def moves(self, view: View, given: Mapping[str, str]) -> list[Move]:
        """Straight for the nearest enemy, in list order. Rules: C.Q4, C.Q5, C.Q7, C.Q8."""
        scene = Scene(view)
        away = withdraws(view)
        return [advance(scene, ship, _choice(scene, ship, given, away)) for ship in scene.own]


def advance(scene: Scene, ship: Seen, actions: str) -> Move:
    """Plan a move and go on with the plan from there."""
    scene.go(ship, actions)
    return Move(ship.id, actions)


def _choice(scene: Scene, ship: Seen, given: Mapping[str, str], away: bool) -> str:
    forced = forced_move(scene, ship, given, away or ship.prize)
    if forced is not None:
        return forced
    open_ = scene.clear(ship, steering.legal(ship)) or [""]
    foes = [foe.pos for foe in scene.foes]

    def key(actions: str) -> tuple[int, int, tuple[int, str]]:
        pose = after(scene.poses[ship.id], actions)
        off = abs(scene.nearest(pose.at, foes) - RANGE)
        ahead = squares.step(pose.at, pose.heading)
        return off, abs(scene.nearest(ahead, foes) - RANGE), rank(actions)

    return min(open_, key=key)


def forced_move(scene: Scene, ship: Seen, given: Mapping[str, str], away: bool) -> str | None:
    """What is not the captain's to choose: an order, a locked course, the way to safety. None where he chooses. Rules: C.M6, C.D3, C.Q7."""
    held = steering.held(ship)
    if held is not None:
        return held
    if ship.id in given:
        return given[ship.id]
    if ship.breaking_off or away:
        found = scene.view.to_safety(ship, scene.taken)
        return found[0] if found else ""
    return None
