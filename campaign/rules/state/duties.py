"""What goes on from turn to turn beside fleets and ships: cargoes under way, onshore winds off blockaded ports, internments.

Rules: G.BL1, G.CV1, G.NE1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Cargo:
    """What a ship of a convoy carries. value: points that are paid on arrival; destination: a place; side: whose it is. Rule: G.CV1."""

    value: int
    destination: str
    side: str


@dataclass(frozen=True, slots=True)
class Interned:
    """A ship in a neutral port that may not leave it. hour: since when. Rule: G.NE1."""

    place: str
    hour: int
    side: str


@dataclass(frozen=True, slots=True)
class Convoy:
    """Ships that were brought together to carry something, and are no fighting ships. Rules: G.CV1, G.OB1.

    ships: codes, whatever became of them. value: points of the whole cargo. delivered: points of it that have arrived.
    """

    ships: tuple[str, ...]
    value: int = 0
    delivered: int = 0


@dataclass(slots=True)
class Duties:
    """cargoes: by ship, until they are delivered. onshore: hour since which a strong onshore wind blows on a blockading fleet.

    interned: by ship, until the umpire releases her. convoys: by the code under which they were made, delivered ones too. asked:
    fleets whose admiral has been asked about a muster (G.KT3).
    """

    cargoes: dict[str, Cargo] = field(default_factory=dict)
    onshore: dict[str, int] = field(default_factory=dict)
    interned: dict[str, Interned] = field(default_factory=dict)
    convoys: dict[str, Convoy] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()

    def copy(self) -> Duties:
        """Duties that can be changed without touching these."""
        return Duties(
            dict(self.cargoes), dict(self.onshore), dict(self.interned), dict(self.convoys), self.asked
        )

    def load(self, code: str, ships: Sequence[str], value: int, destination: str, side: str) -> None:
        """Make a convoy of ships, which share a cargo evenly, the odd points to the first. value: of the whole. Rule: G.CV1."""
        share, odd = divmod(value, len(ships))
        for n, ship in enumerate(ships):
            self.cargoes[ship] = Cargo(share + (n < odd), destination, side)
        self.convoys[code] = Convoy(tuple(ships), value)

    def traders(self) -> frozenset[str]:
        """Ships of convoys, which never count as fighting ships. Rule: G.OB1."""
        return frozenset(self.cargoes).union(*(convoy.ships for convoy in self.convoys.values()))

    def doc(self) -> dict[str, Any]:
        """As a JSON document, rows in the order of codes."""
        return {
            "cargoes": {ship: asdict(self.cargoes[ship]) for ship in sorted(self.cargoes)},
            "onshore": dict(sorted(self.onshore.items())),
            "interned": {ship: asdict(self.interned[ship]) for ship in sorted(self.interned)},
            "convoys": {
                code: {**asdict(self.convoys[code]), "ships": list(self.convoys[code].ships)}
                for code in sorted(self.convoys)
            },
            "asked": sorted(self.asked),
        }

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> Duties:
        """Read back what `doc` wrote; an empty document leaves nothing to do."""
        return cls(
            {ship: Cargo(**row) for ship, row in doc.get("cargoes", {}).items()},
            dict(doc.get("onshore", {})),
            {ship: Interned(**row) for ship, row in doc.get("interned", {}).items()},
            {
                code: Convoy(**{**row, "ships": tuple(row["ships"])})
                for code, row in doc.get("convoys", {}).items()
            },
            frozenset(doc.get("asked", ())),
        )
