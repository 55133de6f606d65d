"""Units that move as one in a spell, and what bears on the price of their plans. Rules: P.M11, P.M12, P.I11, P.L04."""

from __future__ import annotations

from dataclasses import dataclass, field

from battles.engine.rulesets.barker.courses import Body, Row
from battles.engine.rulesets.barker.formations import pose
from battles.engine.rulesets.barker.play import Orders
from battles.engine.rulesets.barker.state import Unit


@dataclass(slots=True)
class Mover:
    """Units that move as one, or one alone. kind: ahead, abreast or loose. units: van or leftmost first. rows: the track of a bend.

    out_of_touch: P.I11. character: of their commander. turn_off: bearing of the boat that a torpedophobe must turn from, -1 none.
    """

    kind: str
    units: list[Unit]
    rows: list[Row] = field(default_factory=list)
    orders: Orders | None = None
    out_of_touch: bool = False
    character: int = 0
    turn_off: int = -1

    @property
    def lead(self) -> Unit:
        """To whom orders are addressed. Rule: P.K47."""
        return self.units[0]

    def body(self) -> Body:
        """As it lies now."""
        return Body(self.kind, [pose(unit) for unit in self.units], self.rows)
