"""Distances and bearings on the globe. Rule: G.CH1.

Positions are latitude and longitude in degrees, north and east positive; distances are nautical miles, one to
a minute of arc of a great circle; bearings are degrees clockwise from true north, 0 up to but not including
360. The results are floats: round them before they are stored, so that a turn comes out the same everywhere.
"""

from __future__ import annotations

import math

NM_PER_DEGREE = 60.0
OPPOSITE = 1e-6  # radians, some 20 feet: nearer than this to the far side, the bearing is noise


def great_circle_nm(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Length in nautical miles of the shortest way between two positions.

    Raises ValueError for a latitude beyond a pole.  Rule: G.CH1.
    """
    return math.degrees(_angle(lat1, lon1, lat2, lon2)) * NM_PER_DEGREE


def initial_bearing(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Bearing, in degrees from true north, on which the shortest way leaves the first position.

    Raises ValueError for a latitude beyond a pole, and if the positions are one and the same or opposite on
    the globe, where every bearing would do.  Rule: G.CH1.
    """
    _require_one_great_circle(lat1, lon1, lat2, lon2)
    phi1, phi2, east = math.radians(lat1), math.radians(lat2), math.radians(lon2 - lon1)
    across = math.sin(east) * math.cos(phi2)
    ahead = math.cos(phi1) * math.sin(phi2) - math.sin(phi1) * math.cos(phi2) * math.cos(east)
    bearing = math.degrees(math.atan2(across, ahead)) % 360.0
    return bearing if bearing < 360.0 else 0.0  # the remainder of a tiny negative angle rounds up to 360


def point_along(lat1: float, lon1: float, lat2: float, lon2: float, fraction: float) -> tuple[float, float]:
    """Latitude and longitude of the point that lies a fraction of the shortest way from the first position.

    fraction: 0 at the first position, 1 at the second.  The longitude comes out in -180 to 180.
    Raises ValueError for a latitude beyond a pole, a fraction outside 0 to 1, or opposite positions.
    Rule: G.CH1.
    """
    if not 0.0 <= fraction <= 1.0:
        raise ValueError(f"a fraction of a passage lies between 0 and 1, not {fraction}")
    angle = _angle(lat1, lon1, lat2, lon2)
    if angle == 0.0:
        return lat1, _wrapped(lon1)
    _require_one_great_circle(lat1, lon1, lat2, lon2)
    near = math.sin((1.0 - fraction) * angle) / math.sin(angle)
    far = math.sin(fraction * angle) / math.sin(angle)
    x1, y1, z1 = _vector(lat1, lon1)
    x2, y2, z2 = _vector(lat2, lon2)
    x, y, z = near * x1 + far * x2, near * y1 + far * y2, near * z1 + far * z2
    return math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(y, x))


def _angle(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Angle in radians between two positions, seen from the centre of the globe."""
    for lat in (lat1, lat2):
        if not -90.0 <= lat <= 90.0:
            raise ValueError(f"latitude {lat} is beyond a pole")
    north = math.radians(lat2 - lat1)
    east = math.radians(lon2 - lon1)
    # the haversine keeps its accuracy for places a mile apart, where the cosine rule loses it
    half = math.sin(north / 2) ** 2
    half += math.cos(math.radians(lat1)) * math.cos(math.radians(lat2)) * math.sin(east / 2) ** 2
    return 2 * math.asin(math.sqrt(min(1.0, half)))


def _vector(lat: float, lon: float) -> tuple[float, float, float]:
    """Unit vector from the centre of the globe to a position."""
    phi, lam = math.radians(lat), math.radians(lon)
    return math.cos(phi) * math.cos(lam), math.cos(phi) * math.sin(lam), math.sin(phi)


def _wrapped(lon: float) -> float:
    """The same longitude within -180 to 180; one already there is left as it is."""
    return lon if -180.0 <= lon <= 180.0 else (lon + 180.0) % 360.0 - 180.0


def _require_one_great_circle(lat1: float, lon1: float, lat2: float, lon2: float) -> None:
    """Raise ValueError unless exactly one great circle runs through the two positions."""
    angle = _angle(lat1, lon1, lat2, lon2)
    if angle == 0.0:
        raise ValueError("the two positions are the same: there is no bearing from one to the other")
    if math.pi - angle < OPPOSITE:
        raise ValueError("the two positions are opposite on the globe: there is no one way between them")
