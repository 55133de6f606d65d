"""Soldiers, as a turn leaves them: armies at ports, men aboard ships, and what an army's own boats hold. Rules: G.LD1, G.CA4.

Men who have landed on a hostile shore are in `campaign.rules.state.holdings`. All numbers are whole men.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Army:
    """Men at a port or an anchorage of their own side or an ally's. embark: men a morning, 0 for what the place can do. Rule: G.LD1."""

    men: int
    embark: int = 0


@dataclass(slots=True)
class Troops:
    """Everything under arms that is not a crew.

    armies: by (side, place). aboard: men by ship, of the ship's own side. boats: men that each craft of an army's own holds, by ship,
    in place of what her tons would carry. Rules: G.LD1, G.CA4.
    """

    armies: dict[tuple[str, str], Army] = field(default_factory=dict)
    aboard: dict[str, int] = field(default_factory=dict)
    boats: dict[str, int] = field(default_factory=dict)

    def copy(self) -> Troops:
        """Troops that can be changed without touching these."""
        return Troops(dict(self.armies), dict(self.aboard), dict(self.boats))

    def gather(self, side: str, place: str, men: int, embark: int = 0) -> None:
        """Add men to an army at a place, or take some away. embark: men a morning from now on; 0 leaves it as it was."""
        army = self.armies.get((side, place), Army(0))
        left = army.men + men
        if left > 0:
            self.armies[side, place] = Army(left, embark or army.embark)
        else:
            self.armies.pop((side, place), None)

    def load(self, ship: str, men: int) -> None:
        """Add men to those aboard a ship, or take some away."""
        left = self.aboard.get(ship, 0) + men
        if left > 0:
            self.aboard[ship] = left
        else:
            self.aboard.pop(ship, None)

    def doc(self) -> dict[str, Any]:
        """As a JSON document, rows in the order of codes."""
        return {
            "armies": [[*key, army.men, army.embark] for key, army in sorted(self.armies.items())],
            "aboard": dict(sorted(self.aboard.items())),
            "boats": dict(sorted(self.boats.items())),
        }

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> Troops:
        """Read back what `doc` wrote; an empty document has nobody under arms."""
        return cls(
            {(side, place): Army(men, embark) for side, place, men, embark in doc.get("armies", ())},
            dict(doc.get("aboard", {})),
            dict(doc.get("boats", {})),
        )
