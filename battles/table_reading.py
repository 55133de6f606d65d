"""A battle on the tabletop as readers may see its result: their own ships in full, the enemy's as the table showed them. Rule: G.IN1."""

from __future__ import annotations

from battles.boards import Standing
from battles.engine.core.fates import Fate
from battles.engine.core.outcome import ShipOutcome
from battles.models import Battle
from battles.roster import entered
from battles.selectors import FOUGHT, Reading


def is_told(battle: Battle) -> bool:
    """Whether a battle has an accepted result from the table to read."""
    return battle.route != Battle.Route.ENGINE and battle.status in FOUGHT and hasattr(battle, "outcome")


class TableReading(Reading):
    """An accepted result for one reader. There is no log, so nothing is told turn by turn."""

    def standings(self) -> list[Standing]:
        """How every ship was at the end: hull in per cent for own ships, what could be seen for the enemy's."""
        ships = entered(self.battle)
        rows = {row.ship: row for row in self.outcome.ships}
        found = []
        for code, ship in ships.items():
            row = rows[code]
            known = self.own is None or ship.side in self.own
            lost = self.rules.at_sea.hull_fraction(ship.card, row.condition) if known else None
            word = _word(row, None if lost is None else max(0, 100 - round(lost * 100)))
            found.append(Standing(code, ship.side, row.captor or ship.side, 0, 0, None, None, word, False))
        return found


def _word(row: ShipOutcome, hull: int | None) -> str:
    """What became of a ship in words. hull: in per cent, None where the reader does not know it."""
    if row.fate is Fate.CAPTURED:
        first = "taken"
    elif row.fate is not Fate.AFLOAT:
        return row.fate.value
    elif hull is None:
        first = "still afloat"
    else:
        first = "unhurt" if hull == 100 else "afloat"
    hurt = [f"hull {hull}%"] if hull not in (None, 100) else []
    return ", ".join([first, *hurt, *row.flags])
