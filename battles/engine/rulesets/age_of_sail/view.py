"""What a captain sees. Nothing on the water is hidden in this set; squadrons that have yet to come are. Rule: A.P10."""

from __future__ import annotations

from battles.engine.core.plane import Point
from battles.engine.core.scenario import Doctrine
from battles.engine.core.shore import Polygon
from battles.engine.rulesets.age_of_sail import bearing
from battles.engine.rulesets.age_of_sail.sailing import Sails
from battles.engine.rulesets.age_of_sail.state import Battle, Line, Ship


class View:
    """A battle as one side sees it; it changes with the battle."""

    __slots__ = ("_battle", "side")

    def __init__(self, battle: Battle, side: str) -> None:
        self._battle, self.side = battle, side

    @property
    def doctrine(self) -> Doctrine:
        return self._battle.sides[self.side].doctrine

    def doctrine_of(self, ship: Ship) -> Doctrine:
        """The battle instructions of a ship's squadron; of one that came with the enemy, the side's."""
        return self._battle.squadrons[ship.squadron].doctrine if ship.side == self.side else self.doctrine

    @property
    def turn(self) -> int:
        return self._battle.turn

    @property
    def wind_from(self) -> int:
        return self._battle.wind_from

    @property
    def narrow(self) -> bool:
        """Whether only shot from dead astern rakes (switch `stern_arc`)."""
        return bool(self._battle.options["stern_arc"] == "astern")

    @property
    def own(self) -> list[Ship]:
        """Ships in play that obey the side."""
        return self._battle.of(self.side)

    @property
    def enemies(self) -> list[Ship]:
        """Enemies in play that obey theirs."""
        return self._battle.enemies(self.side)

    @property
    def shoals(self) -> tuple[Polygon, ...]:
        return self._battle.shoals

    @property
    def land(self) -> tuple[Polygon, ...]:
        return self._battle.land

    @property
    def edges(self) -> tuple[int, int, int, int] | None:
        return self._battle.edges

    @property
    def withdrawing(self) -> bool:
        """Whether the side withdraws."""
        return self.side in self._battle.withdrawing

    def flees(self, ship: Ship) -> bool:
        """Whether a ship withdraws, alone or with her side."""
        return ship.withdrawing or ship.owner in self._battle.withdrawing

    def ship(self, code: str) -> Ship:
        return self._battle.ships[code]

    def losses(self) -> tuple[int, int]:
        """Boxes that the side and the enemy have lost of those they brought, lost ships whole. Rule: A.Q11."""
        own = enemy = 0
        for ship in self._battle.ships.values():
            if ship.side == self.side:
                own += ship.damage
            else:
                enemy += ship.damage
        return own, enemy

    def brought(self) -> int:
        """Boxes that the side's ships had when they came, those still due left out."""
        return sum(
            ship.start_boxes
            for ship in self._battle.ships.values()
            if ship.side == self.side and not ship.expected
        )

    def near(self, point: Point, reach: int) -> list[Ship]:
        """Ships in play within a distance, in roster order."""
        return self._battle.near(point, reach)

    def able(self, ship: Ship) -> bool:
        """Whether a ship can move of herself."""
        return self._battle.able(ship)

    def sails(self, ship: Ship) -> Sails:
        return self._battle.sails(ship)

    def line_of(self, ship: Ship) -> Line | None:
        return self._battle.line_of(ship)

    def dice(self, ship: Ship, side: str) -> int:
        """Dice of a broadside that is still to be fired."""
        return ship.volley(side)

    def masked(self, a: Point, b: Point, but: tuple[str, str]) -> bool:
        """Whether something lies between two points. Rule: A.F10."""
        return bearing.screened(self._battle, a, b, but)
