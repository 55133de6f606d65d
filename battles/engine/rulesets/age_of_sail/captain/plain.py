"""The simple captain: every ship alone, straight for the nearest enemy. Rule: A.Q15."""

from __future__ import annotations

from math import isqrt

from battles.engine.core.plane import within
from battles.engine.core.scenario import Doctrine
from battles.engine.rulesets.age_of_sail.bearing import band, bears
from battles.engine.rulesets.age_of_sail.captain.goals import Goals
from battles.engine.rulesets.age_of_sail.captain.weighing import ALONE, CLOSE, fan, hazards, path_of
from battles.engine.rulesets.age_of_sail.play import Course, Shot
from battles.engine.rulesets.age_of_sail.sailing import Spot
from battles.engine.rulesets.age_of_sail.state import Line, Ship
from battles.engine.rulesets.age_of_sail.tables import AWAY, CM, RANGE, SIDES
from battles.engine.rulesets.age_of_sail.view import View


class Plain(Goals):
    """Fires at the nearest enemy that bears, at the hull, and never boards by choice."""

    name = "plain"

    def __init__(self, doctrine: Doctrine) -> None:
        self.doctrine = doctrine

    def detaches(self, view: View, ship: Ship, line: Line) -> bool:
        """Nobody keeps a line."""
        return True

    def repairs(self, view: View, ship: Ship) -> bool:
        """Only out of gunshot."""
        return not any(one.owner != ship.owner for one in view.near(ship.position, RANGE))

    def course(self, view: View, ship: Ship) -> Course:
        """The path that ends nearest to 3 cm from the nearest enemy, or farthest from her."""
        foes = view.enemies
        if not foes:
            return Course((0,))
        fleeing = view.flees(ship)
        paths = fan(ship.h, view.sails(ship), ALONE, full=False)
        # who is far off now cannot be the nearest anywhere on a path
        most = 2 * CM * max(len(way.turns) for way in paths.ways)
        nearest = isqrt(min((one.x - ship.x) ** 2 + (one.y - ship.y) ** 2 for one in foes))
        foes = [one for one in foes if within(one.position, ship.position, nearest + most + CM)]
        best: tuple[tuple[int, int, int, int], tuple[int, ...]] | None = None
        for way in paths.ways:
            path = path_of(ship, way, paths)
            x, y, _ = path[-1]
            square = min((one.x - x) ** 2 + (one.y - y) ** 2 for one in foes)
            away = isqrt(square)
            against = -min(away, AWAY) if fleeing else abs(away - CLOSE)
            key = (against + hazards(view, path), way.turned, len(way.turns), -sum(way.turns))
            if best is None or key < best[0]:
                best = key, way.turns
        return Course(best[1] if best is not None else (0,))

    def shots(self, view: View, ship: Ship, path: list[Spot]) -> list[Shot]:
        """Each side at the nearest enemy that bears on the way, the earliest step of equals."""
        foes = [
            one
            for one in view.near(ship.position, RANGE + len(path) * CM)
            if one.owner != ship.owner and not one.held
        ]
        found = []
        for side in SIDES:
            if not view.dice(ship, side):
                continue
            rows = [
                (dx * dx + dy * dy, step, one.number, one.id)
                for step, (x, y, h) in enumerate(path)
                for one in foes
                if band(dx := one.x - x, dy := one.y - y) >= 0 and bears(h, dx, dy) == side
            ]
            for _, step, _, code in sorted(rows):
                if not view.masked(path[step][:2], view.ship(code).position, (ship.id, code)):
                    found.append(Shot(side, step, code, "hull"))
                    break
        return found
