"""The worst chart known: what `chart_page` gave the umpire of the Atlantic, 1805 (seed "sixty days"), after its sixth turn.

21 fleets and 99 contacts, more marks than any turn had in campaigns of 100 turns in the Caribbean and the Yellow Sea and of 52 in the
Narrow Seas. `written` makes the file anew from such a chart.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from campaign.selectors.chart.chart_marks import BattleMark, FleetMark, SightingMark, WindMark
from campaign.selectors.chart.drawn import ChartPage
from campaign.selectors.sea.chart_paper import PlaceMark, coast_digest

PATH = Path(__file__).parent / "worst_chart.json.gz"


def written(page: ChartPage) -> bytes:
    """A chart as the file holds it: the marks of `chart_page`, before they are lettered for another view."""
    document = asdict(page)
    for name in ("fleets", "sightings"):
        for mark in document[name]:
            del mark["words"]
    return gzip.compress(json.dumps(document, separators=(",", ":")).encode(), 9, mtime=0)


def worst_chart() -> ChartPage:
    """The chart in the file, on the coast as it is drawn now."""
    document = json.loads(gzip.decompress(PATH.read_bytes()))
    kinds = {
        "fleets": FleetMark,
        "sightings": SightingMark,
        "battles": BattleMark,
        "winds": WindMark,
        "places": PlaceMark,
    }
    for name, kind in kinds.items():
        document[name] = tuple(kind(**_tuples(row)) for row in document[name])
    document["coast"] = coast_digest(document["theatre"])
    return ChartPage(**_tuples(document))


def _tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _tuple(value) if isinstance(value, list) else value for name, value in row.items()}


def _tuple(values: list[Any]) -> tuple[Any, ...]:
    return tuple(_tuple(value) if isinstance(value, list) else value for value in values)
