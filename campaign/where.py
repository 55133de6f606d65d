"""Where a position is on the globe, for rows and pages. Rule: G.CH2."""

from __future__ import annotations

from campaign.rules.chart import types as t
from campaign.rules.chart.chart import great_circle_nm, point_along


def latitude_longitude(theatre: t.Theatre, position: t.Position) -> tuple[int, int]:
    """Latitude and longitude in hundredths of a degree. Rule: G.CH2."""
    here = theatre.places[position.at]
    if not position.to:
        return round(here.latitude * 100), round(here.longitude * 100)
    there = theatre.places[position.to]
    ends = (here.latitude, here.longitude, there.latitude, there.longitude)
    length = great_circle_nm(*ends)
    fraction = min(1.0, position.run / t.MILLI / length) if length else 0.0
    latitude, longitude = point_along(*ends, fraction)
    return round(latitude * 100), round(longitude * 100)
