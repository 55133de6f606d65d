"""What one side sees of a Kohler battle: the only thing its captain, or its player's page, is given."""

from __future__ import annotations

from battles.engine.rulesets.kohler.state import Battle


class View:
    """A live window on a battle for one side; reads through to the present state, shows nothing the side may not know."""

    def __init__(self, battle: Battle, side: str) -> None:
        self._battle = battle
        self.side = side
