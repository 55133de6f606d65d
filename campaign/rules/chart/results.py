"""What the chart gives back: events, sighting reports, battles to be fought, and the stops of a turn.

Units as in `campaign.rules.chart.types`. Rules: G.CL2, G.SI2, G.BT6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ChartEvent:
    """Something that happened on the chart.

    hour: when; kind: what; clause: by which rule; knows: sides that know it at once; data: codes, numbers and names.
    """

    hour: int
    kind: str
    clause: str
    knows: tuple[str, ...]
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SightingReport:
    """A dated report of the side that saw. number: the observing side's own, new after touch is lost. Rules: G.SI2, G.SI3.

    latitude, longitude: hundredths of a degree; course: degrees or None; band: "1", "2-4", "5-9", "10-19", "20-39", "40+"; kinds:
    ShipKind values if within six miles. observer: the greatest fleet that saw it; observers: all of them, where fleets in company
    report as one, and joined: the numbers of contacts that it has been seen to take in (G.IG1). perhaps: the number of an earlier
    contact that it may be, 0 for none (G.IG2). fleet: who it really was, for the umpire alone.
    """

    side: str
    number: int
    hour: int
    latitude: int
    longitude: int
    course: int | None
    band: str
    kinds: tuple[str, ...]
    observer: str
    fleet: str
    observers: tuple[str, ...] = ()
    perhaps: int = 0
    joined: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BattleCall:
    """A battle that begins now. scenario: a document for the engine. fleets: codes by side. hour: of the chart. Rules: G.CL2, G.BT6."""

    code: str
    hour: int
    place: str
    fleets: Mapping[str, tuple[str, ...]]
    scenario: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Battles:
    """The chart stops: these battles have to be fought. They stand in the order of their codes."""

    calls: tuple[BattleCall, ...]


@dataclass(frozen=True, slots=True)
class DayDone:
    """A campaign day is over; the state may be stored and play goes on with `advance`."""

    day: int


@dataclass(frozen=True, slots=True)
class TurnDone:
    """The turn is over; `early` tells why when it ended before its days were out (G.CL3)."""

    early: str = ""


Stop = Battles | DayDone | TurnDone
