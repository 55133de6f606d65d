"""What a calendar may name, and what is read of one. Rules: G.CA1, G.CA2, G.CA4, G.CA5."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from battles.engine.core.errors import Fault
from campaign.rules.chart.types import Place


class CalendarFaults(ValueError):
    """A calendar that cannot be used, with all its faults."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, self.faults)))


@dataclass(frozen=True, slots=True)
class Known:
    """What a calendar may name.

    passages: pairs of places. sides: codes by name. at_war: pairs of codes. register: names of the ships in a side's register, mustered:
    those of them that are in its fleets on the first day, both by code of side. fleets: (code of side, place) on the first day, by
    code. carriers: sides that have transports or merchants then. types: of ships. start, last_day: ISO dates, "" for no last day.
    """

    places: Mapping[str, Place]
    passages: Collection[frozenset[str]]
    sides: Mapping[str, str]
    at_war: Collection[frozenset[str]] = ()
    register: Mapping[str, Collection[str]] = field(default_factory=dict)
    mustered: Mapping[str, Collection[str]] = field(default_factory=dict)
    fleets: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    carriers: Collection[str] = ()
    types: Collection[str] = ()
    start: str = ""
    last_day: str = ""


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row of a calendar that has no faults.

    deed: what it does, "" for a row that is text only. side: code, "" for politics and text. first, last: ISO dates, the same but for
    a window. known: codes of sides. do: as the row has it, with codes of sides. note: how sure the fact is.
    """

    id: str
    kind: str
    deed: str
    side: str
    first: str
    last: str
    chance: int
    known: tuple[str, ...]
    announced: bool
    do: Mapping[str, Any]
    text: str
    note: str
