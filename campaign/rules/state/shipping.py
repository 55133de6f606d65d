"""Prizes of raiders on their way to port and through the court. Rules: G.NC1, G.NC2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Haul:
    """A merchantman that a raider has sent in. side: its captor's. due: hour at which the court has condemned it. place: where taken."""

    side: str
    due: int
    vessel: str
    pounds: int
    place: str


def hauls_doc(hauls: Iterable[Haul]) -> list[dict[str, Any]]:
    """As JSON documents, in the order in which they were taken."""
    return [asdict(haul) for haul in hauls]


def hauls_from(rows: Iterable[Mapping[str, Any]]) -> tuple[Haul, ...]:
    """Read back what `hauls_doc` wrote."""
    return tuple(Haul(**row) for row in rows)
