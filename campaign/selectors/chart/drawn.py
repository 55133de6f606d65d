"""What the chart's page holds: everything drawn and listed, as one reader may know it, and what of it can be hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from campaign.accounts.words import KINDS_PLURAL, STEAMERS_PLURAL
from campaign.selectors.chart.chart_marks import BattleMark, FleetMark, SightingMark, WindMark
from campaign.selectors.sea.chart_paper import PlaceMark


@dataclass(frozen=True, slots=True)
class ChartPage:
    """Everything drawn. view: x, y, width, height of what is shown first. scale: chart units to a CSS pixel of that view.

    sightings: one mark for the contacts of one hour at one spot. news, old_news: contacts as rows of text, newest first; reports
    that say the same are one row. coast: the digest in the address from which the land is fetched. frame: the degrees at the paper's
    west edge and north edge, and the chart units of a degree of longitude, from which the script finds positions.
    """

    width: float
    height: float
    theatre: str
    coast: str
    frame: tuple[float, float, float]
    labels: tuple[dict[str, Any], ...]
    grid: str
    edges: tuple[dict[str, Any], ...]
    passages: str
    places: tuple[PlaceMark, ...]
    fleets: tuple[FleetMark, ...]
    sightings: tuple[SightingMark, ...]
    battles: tuple[BattleMark, ...]
    news: tuple[dict[str, Any], ...]
    old_news: tuple[dict[str, Any], ...]
    winds: tuple[WindMark, ...]
    view: tuple[float, float, float, float]
    scale: float
    miles: int
    miles_length: float
    units_a_mile: float
    moment: str

    @property
    def listed(self) -> tuple[FleetMark, ...]:
        """The fleets for a list: side by side, the strongest first."""
        return tuple(sorted(self.fleets, key=lambda mark: (mark.side, -mark.ships, mark.name)))

    @property
    def kinds(self) -> tuple[tuple[str, str], ...]:
        """Kinds of ships in the reports, each with its words, for a filter."""
        found = {kind for row in (*self.news, *self.old_news) for kind in row["kinds"]}
        words = STEAMERS_PLURAL if any(mark.steam for mark in self.sightings) else KINDS_PLURAL
        return tuple(sorted((kind, words.get(kind, kind)) for kind in found))


# What can be hidden from the chart: its name, its words, and whether it is shown to a reader who has not chosen.
LAYERS = (
    ("own", "Fleets", True),
    ("enemy", "Sightings", True),
    ("old", "Old sightings", False),
    ("winds", "Winds", True),
    ("tracks", "Tracks and routes", True),
    ("names", "Place names", True),
)
