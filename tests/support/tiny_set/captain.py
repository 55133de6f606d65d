"""The captain of a side: straight for the nearest enemy, then broadside after broadside."""

from __future__ import annotations

from battles.engine.core.scenario import Doctrine
from tests.support.tiny_set.orders import Orders
from tests.support.tiny_set.state import Battle

CLOSE = 3


class View:
    """What a captain sees: how far the nearest enemy is from each of his boats."""

    def __init__(self, battle: Battle, side: str) -> None:
        self._battle, self._side = battle, side

    def nearest(self, boat: str) -> int | None:
        """Hexes between a boat of his and the nearest enemy, None when there is none."""
        found = self._battle.nearest(self._battle.ships[boat])
        return found[0] if found else None


class Straight:
    """Goes as near as he likes best."""

    name = "plain"

    def __init__(self, doctrine: Doctrine) -> None:
        self.doctrine = doctrine

    def orders(self, view: View, boat: str) -> Orders:
        """The orders of one boat for this turn."""
        far = view.nearest(boat)
        return Orders(0 if far is None else max(0, min(2, far - CLOSE)))
