"""Ships of a register placed on the plane, for rule sets that are measured on a table. Lengths in thousandths of an inch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from battles.data.scenarios.build.rows import Document, Row, facts
from battles.engine.core.plane import STRAIGHT, Point, advance, turned

_FLAGS = ("flagship", "vice_flag", "rear_flag")
# Rigs that the registers tell in their notes; a rule set looks for them among a ship's tags.
_RIGS = ("brig", "cutter", "schooner")
Spot = tuple[int, int]


class Roll:
    """Numbers the ships of one side, and tells ships of one name in the two fleets apart.

    code: what the ids begin with. shared: names that the enemy has too, and the word that is added to ours.
    """

    def __init__(self, code: str, shared: Sequence[str] = (), word: str = "") -> None:
        self.code = code
        self._shared = frozenset(shared)
        self._word = word
        self._ships = self._squadrons = 0

    def squadron(
        self, name: str, rows: Sequence[Row], spots: Sequence[Spot], heading: int, **more: Any
    ) -> Document:
        """A squadron of these ships, van first, each at her spot; its flagship is the highest flag, else the first ship."""
        ships = [self._ship(row, spot, heading) for row, spot in zip(rows, spots, strict=True)]
        self._squadrons += 1
        flags = [n for role in _FLAGS for n, row in enumerate(rows) if row["role"] == role]
        leader = flags[0] if flags else 0
        body: Document = {
            "id": f"{self.code}-{self._squadrons}",
            "name": name,
            "flagship": ships[leader]["id"],
            **more,
        }
        if flags and rows[leader]["commander"]:
            body["flag_officer"] = rows[leader]["commander"].split(";")[0]
        return {**body, "ships": ships}

    def _ship(self, row: Row, spot: Spot, heading: int) -> Document:
        self._ships += 1
        name = f"{row['name']} ({self._word})" if row["name"] in self._shared else row["name"]
        known = facts(row, "rate", "gun_detail")
        rig = row["fate_or_note"].split(";")[0].casefold()
        if rig in _RIGS:
            known["tags"] = [rig]
        found: Document = {"id": f"{self.code}{self._ships:02}", "name": name, "facts": known}
        captain = row["commander"].split(";")[-1].strip()
        if captain:
            found["captain"] = captain
        return found | {"position": list(spot), "heading": heading}


def line_ahead(head: Spot, heading: int, count: int, gap: int) -> list[Spot]:
    """So many spots astern of one another, the first at the head of the line."""
    return [_off(head, turned(heading, STRAIGHT), n * gap) for n in range(count)]


def _off(start: Point, bearing: int, length: int) -> Spot:
    x, y = advance(start, bearing, length)
    # To the nearest hundredth of an inch: nobody places a model more exactly.
    return round(x, -1), round(y, -1)


def beside(spots: Sequence[Spot], bearing: int, lengths: Sequence[int]) -> Iterator[Spot]:
    """Spots moved on a bearing, each by its own length: ships to leeward of their place, or a line that is bent."""
    for spot, length in zip(spots, lengths, strict=True):
        yield _off(spot, bearing, length)
