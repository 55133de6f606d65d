"""What landings and raids have changed on the chart: who owns a port now, and whose men are ashore where. Rules: G.LD2, G.LD4, G.LD5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Raid:
    """A raid that was whole or half. side: who raided; port: code; hour: of the chart. Rule: G.LD5."""

    side: str
    port: str
    hour: int
    whole: bool


@dataclass(slots=True)
class Holdings:
    """owners: nation that holds a port in place of the theatre's owner, by code. ashore: men ashore, by (side, place). raids: in order."""

    owners: dict[str, str] = field(default_factory=dict)
    ashore: dict[tuple[str, str], int] = field(default_factory=dict)
    raids: tuple[Raid, ...] = ()

    def copy(self) -> Holdings:
        """Holdings that can be changed without touching these."""
        return Holdings(dict(self.owners), dict(self.ashore), self.raids)

    def doc(self) -> dict[str, Any]:
        """As a JSON document, rows in the order of codes."""
        return {
            "owners": dict(sorted(self.owners.items())),
            "ashore": [[*key, self.ashore[key]] for key in sorted(self.ashore)],
            "raids": [asdict(raid) for raid in self.raids],
        }

    @classmethod
    def read(cls, doc: Mapping[str, Any]) -> Holdings:
        """Read back what `doc` wrote; an empty document changes nothing."""
        return cls(
            dict(doc.get("owners", {})),
            {(side, place): men for side, place, men in doc.get("ashore", ())},
            tuple(Raid(**row) for row in doc.get("raids", ())),
        )
