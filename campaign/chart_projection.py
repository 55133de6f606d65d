"""The chart's projection: Mercator, so that a course of one heading is a straight line on the paper."""

from __future__ import annotations

import math
from dataclasses import dataclass

Box = tuple[float, float, float, float]

LATITUDE_LIMIT = 85.0  # degrees; Mercator runs off the paper at the poles


@dataclass(frozen=True, slots=True)
class Projection:
    """Latitude and longitude to chart units and back.

    box: west, south, east, north in degrees, north and east positive.  width: of the chart, in chart units;
    x runs east from the west edge and y runs south from the north edge.  No chart crosses the 180th meridian.
    Raises ValueError for a box that is empty, upside down or too near a pole, and for a width not positive.
    """

    box: Box
    width: float = 1600

    def __post_init__(self) -> None:
        west, south, east, north = self.box
        if not -180 <= west < east <= 180:
            raise ValueError(f"a chart runs from west to east within 180 degrees, not from {west} to {east}")
        if not -LATITUDE_LIMIT <= south < north <= LATITUDE_LIMIT:
            raise ValueError(
                f"a chart runs from south to north within 85 degrees, not from {south} to {north}"
            )
        if self.width <= 0:
            raise ValueError(f"a chart has a positive width, not {self.width}")

    @property
    def units_per_degree(self) -> float:
        """Chart units in a degree of longitude, the same everywhere on the chart."""
        return self.width / (self.box[2] - self.box[0])

    @property
    def height(self) -> float:
        """Height of the chart in chart units."""
        return (_stretched(self.box[3]) - _stretched(self.box[1])) * self.units_per_degree

    def to_xy(self, lat: float, lon: float) -> tuple[float, float]:
        """Where a position stands on the chart, in chart units; it may lie outside the paper.

        Raises ValueError for a latitude nearer to a pole than 5 degrees.
        """
        if abs(lat) > LATITUDE_LIMIT:
            raise ValueError(f"latitude {lat} is too near a pole for this chart")
        x = (lon - self.box[0]) * self.units_per_degree
        y = (_stretched(self.box[3]) - _stretched(lat)) * self.units_per_degree
        return x, y

    def to_latlon(self, x: float, y: float) -> tuple[float, float]:
        """Latitude and longitude, in degrees, of a point of the chart in chart units."""
        lon = self.box[0] + x / self.units_per_degree
        stretched = _stretched(self.box[3]) - y / self.units_per_degree
        lat = math.degrees(2 * math.atan(math.exp(math.radians(stretched))) - math.pi / 2)
        return lat, lon

    def holds(self, lat: float, lon: float) -> bool:
        """Whether a position lies on the paper, its edges included."""
        west, south, east, north = self.box
        return west <= lon <= east and south <= lat <= north


def _stretched(lat: float) -> float:
    """Mercator's stretched latitude (meridional parts), in degrees of longitude."""
    return math.degrees(math.asinh(math.tan(math.radians(lat))))
