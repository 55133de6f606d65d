"""Reading a theatre with all its faults, and the geometry of its passages. Rules: G.CH1, G.CH2, G.CH3, G.CL1, G.WX1.

Geometry is in whole numbers: lengths in thousandths of a nautical mile, bearings in degrees, points in hundred-thousandths of
a degree (about half a metre of latitude).
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from battles.engine.core.errors import Fault
from battles.engine.core.scenario import Strength
from campaign.rules.chart.chart import great_circle_nm, initial_bearing, point_along
from campaign.rules.chart.points import SCALE, Point
from campaign.rules.chart.types import MILLI, Place, PlaceKind, Position, Theatre, ZoneMonth

POINTS = {"N": 0, "NE": 45, "E": 90, "SE": 135, "S": 180, "SW": 225, "W": 270, "NW": 315}
_BERTHS, _GUARD = (0, 2, 4, 8), (0, 1, 2, 4)
_RECRUITS_BY_CLASS = (20, 60, 120, 240)


class TheatreFaults(ValueError):
    """A theatre that cannot be used, with all its faults."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, self.faults)))


class _Reader:
    """Collects faults while a document is read."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, path: str, text: str) -> None:
        self.faults.append(Fault(path, text))

    def number(self, row: Mapping[str, Any], name: str, path: str, low: float, high: float) -> float:
        value = row.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            self.fault(f"{path}.{name}", f"{value!r} should be a number from {low:g} to {high:g}")
            return low
        return float(value)

    def whole(self, row: Mapping[str, Any], name: str, path: str, default: int, high: int) -> int:
        value = row.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= high:
            self.fault(f"{path}.{name}", f"{value!r} should be a whole number from 0 to {high}")
            return default
        return value

    def yes_or_no(self, row: Mapping[str, Any], name: str, path: str) -> bool:
        value = row.get(name, False)
        if not isinstance(value, bool):
            self.fault(f"{path}.{name}", f"{value!r} should be true or false")
        return value is True

    def text(self, row: Mapping[str, Any], name: str, path: str) -> str:
        value = row.get(name)
        if not isinstance(value, str) or not value:
            self.fault(f"{path}.{name}" if path else name, f"{value!r} should be some text")
            return ""
        return value

    def rows(self, doc: Mapping[str, Any], name: str) -> list[Any]:
        value = doc.get(name)
        if not isinstance(value, list) or not value:
            self.fault(name, "should be a list with at least one entry")
            return []
        return value


def read_theatre(doc: object) -> Theatre:
    """Turn a theatre document into a Theatre. Raises TheatreFaults naming all its faults. Rules: G.CH1, G.CH3, G.WX1."""
    if not isinstance(doc, dict):
        raise TheatreFaults([Fault("", "a theatre must be an object")])
    reader = _Reader()
    code, title = reader.text(doc, "theatre", ""), reader.text(doc, "title", "")
    zones = _zones(reader, doc)
    places: dict[str, Place] = {}
    nodes = reader.rows(doc, "nodes")
    for n, row in enumerate(nodes):
        place = _place(reader, row, f"nodes[{n}]", zones)
        if place is None:
            continue
        if place.code in places:
            reader.fault(f"nodes[{n}].id", f"{place.code!r} is used twice; every place needs its own id")
        places[place.code] = place
    for n, row in enumerate(nodes):
        owner = row.get("channel_owner_port") if isinstance(row, dict) else None
        if owner and owner not in places:
            reader.fault(f"nodes[{n}].channel_owner_port", f"{owner!r} is not a place in this theatre")
    passages = _passages(reader, doc, places)
    daylight = _daylight(reader, doc)
    if not reader.faults:
        _connected(reader, places, passages)
    if reader.faults:
        raise TheatreFaults(reader.faults)
    return Theatre(code, title, places, passages, zones, daylight)


def _place(
    reader: _Reader, row: object, path: str, zones: Mapping[str, tuple[ZoneMonth, ...]]
) -> Place | None:
    if not isinstance(row, dict):
        reader.fault(path, "a place must be an object")
        return None
    kinds = [kind.value for kind in PlaceKind]
    kind = row.get("kind")
    if kind not in kinds:
        reader.fault(f"{path}.kind", f"{kind!r} is not one of {', '.join(kinds)}")
        kind = PlaceKind.SEA_AREA
    zone = reader.text(row, "zone", path)
    if zone and zone not in zones:
        reader.fault(f"{path}.zone", f"{zone!r} is not a weather zone; use one of {', '.join(zones)}")
    port = kind == PlaceKind.PORT
    if port:
        reader.text(row, "owner", path)
    yard = reader.whole(row, "dockyard_capacity", path, 0, 3)
    return Place(
        code=reader.text(row, "id", path),
        name=reader.text(row, "name", path),
        kind=PlaceKind(kind),
        latitude=reader.number(row, "latitude", path, -90, 90),
        longitude=reader.number(row, "longitude", path, -180, 180),
        zone=zone,
        owner=str(row.get("owner") or ""),
        channel_owner=str(row.get("channel_owner_port") or ""),
        dockyard=yard,
        berths=reader.whole(row, "berths", path, _BERTHS[yard] if port else 0, 1000),
        recruits=reader.whole(row, "recruits_per_week", path, _RECRUITS_BY_CLASS[yard] if port else 0, 10**6),
        guard=reader.whole(row, "guard", path, _GUARD[max(0, yard)] if port else 0, 4),
        garrison=reader.whole(row, "garrison", path, 0, 10**6) if "garrison" in row else None,
        no_beach=reader.yes_or_no(row, "no_beach", path),
    )


def _zones(reader: _Reader, doc: Mapping[str, Any]) -> dict[str, tuple[ZoneMonth, ...]]:
    zones: dict[str, tuple[ZoneMonth, ...]] = {}
    for n, row in enumerate(reader.rows(doc, "weather_zones")):
        path = f"weather_zones[{n}]"
        if not isinstance(row, dict) or not isinstance(row.get("months"), dict):
            reader.fault(path, "a zone must be an object with months")
            continue
        months = []
        for number in range(1, 13):
            month = row["months"].get(str(number))
            here = f"{path}.months.{number}"
            if not isinstance(month, dict):
                reader.fault(here, "is missing; months 1 to 12 are needed")
                continue
            months.append(_month(reader, month, here))
        zones[reader.text(row, "id", path)] = tuple(months)
    return zones


def _month(reader: _Reader, row: Mapping[str, Any], path: str) -> ZoneMonth:
    prevailing, usual = row.get("prevailing"), row.get("usual")
    if prevailing != "none" and prevailing not in POINTS:
        reader.fault(f"{path}.prevailing", f"{prevailing!r} is not one of {', '.join(POINTS)}, none")
    usuals = [s.value for s in Strength if s is not Strength.GALE]
    if usual not in usuals:
        reader.fault(f"{path}.usual", f"{usual!r} is not one of {', '.join(usuals)}")
    haze, fog = reader.whole(row, "haze_pct", path, 0, 100), reader.whole(row, "fog_pct", path, 0, 100)
    if haze + fog > 100:
        reader.fault(path, f"haze {haze} and fog {fog} together are more than 100")
    return ZoneMonth(POINTS.get(str(prevailing)), str(usual), haze, fog)


def _passages(
    reader: _Reader, doc: Mapping[str, Any], places: Mapping[str, Place]
) -> tuple[tuple[str, str], ...]:
    passages: list[tuple[str, str]] = []
    seen: set[frozenset[str]] = set()
    for n, row in enumerate(reader.rows(doc, "edges")):
        path = f"edges[{n}]"
        if not isinstance(row, list) or len(row) != 2 or not all(isinstance(end, str) for end in row):
            reader.fault(path, "a passage must be a pair of place ids")
            continue
        for k, end in enumerate(row):
            if end not in places:
                reader.fault(f"{path}[{k}]", f"{end!r} is not a place in this theatre")
        if row[0] == row[1]:
            reader.fault(path, f"leads from {row[0]!r} to itself")
        if frozenset(row) in seen:
            reader.fault(path, f"{row[0]} and {row[1]} are joined twice")
        seen.add(frozenset(row))
        passages.append((row[0], row[1]))
    return tuple(passages)


def _daylight(reader: _Reader, doc: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    table = doc.get("daylight")
    if not isinstance(table, dict):
        reader.fault("daylight", "should be an object with months 1 to 12")
        return ()
    hours: list[tuple[int, int]] = []
    for number in range(1, 13):
        row = table.get(str(number))
        pair = row if isinstance(row, list) and len(row) == 2 and all(type(h) is int for h in row) else [0, 0]
        if 0 <= pair[0] < pair[1] <= 23:
            hours.append((pair[0], pair[1]))
        else:
            reader.fault(f"daylight.{number}", f"{row!r} should be [sunrise, sunset] in whole hours")
    return tuple(hours)


def _connected(reader: _Reader, places: Mapping[str, Place], passages: tuple[tuple[str, str], ...]) -> None:
    reached = _reach(next(iter(places)), _neighbours(places, passages), set())
    for n, code in enumerate(places):
        if code not in reached:
            reader.fault(f"nodes[{n}]", f"{code} cannot be reached from {next(iter(places))}")


def _neighbours(places: Iterable[str], passages: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    joined: dict[str, set[str]] = {code: set() for code in places}
    for a, b in passages:
        joined[a].add(b)
        joined[b].add(a)
    return {code: tuple(sorted(ends)) for code, ends in joined.items()}


def _reach(start: str, neighbours: Mapping[str, tuple[str, ...]], barred: set[str]) -> set[str]:
    reached, queue = {start}, deque([start])
    while queue:
        for end in neighbours[queue.popleft()]:
            if end not in reached and end not in barred:
                reached.add(end)
                queue.append(end)
    return reached


class Leg(NamedTuple):
    """A passage in one direction. length: thousandths of a mile; bearing: degrees from the end being left. Rule: G.CH1."""

    length: int
    bearing: int


class Geometry:
    """Lengths, bearings, joints and shortest ways of one theatre, reckoned once. Rules: G.CH1, G.CH2."""

    def __init__(
        self, points: tuple[tuple[str, float, float, str], ...], passages: tuple[tuple[str, str], ...]
    ) -> None:
        self._at = {code: (lat, lon) for code, lat, lon, _ in points}
        self.places = {code: Point(round(lat * SCALE), round(lon * SCALE)) for code, lat, lon, _ in points}
        self._zones = {code: zone for code, _, _, zone in points}
        self.neighbours = _neighbours(self._at, passages)
        self.legs: dict[tuple[str, str], Leg] = {}
        for a, b in passages:
            length = round(great_circle_nm(*self._at[a], *self._at[b]) * MILLI)
            for here, there in ((a, b), (b, a)):
                bearing = round(initial_bearing(*self._at[here], *self._at[there])) % 360
                self.legs[here, there] = Leg(length, bearing)
        self._ways: dict[tuple[str, frozenset[str]], tuple[dict[str, int], dict[str, str]]] = {}

    def point(self, position: Position) -> Point:
        """Where a fleet is. Rule: G.CH2."""
        if not position.to or not position.run:
            return self.places[position.at]
        leg = self.legs[position.at, position.to]
        lat, lon = point_along(
            *self._at[position.at], *self._at[position.to], min(1.0, position.run / leg.length)
        )
        return Point(round(lat * SCALE), round(lon * SCALE))

    def zone(self, position: Position) -> str:
        """Weather zone of a position: on a passage that of the nearer end. Rule: G.WX1."""
        return self._zones[self.nearest(position)]

    def nearest(self, position: Position) -> str:
        """The place itself, or the nearer end of the passage; half way it is the end that was left."""
        if position.to and 2 * position.run > self.legs[position.at, position.to].length:
            return position.to
        return position.at

    def distance(self, start: str, end: str, barred: frozenset[str] = frozenset()) -> int:
        """Miles by the shortest way along passages, thousandths. barred: as in `route`."""
        return self._ways_from(start, end, barred)[0][start]

    def route(self, start: str, end: str, barred: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """Places of the shortest way after `start`, `end` included; empty when they are the same.

        barred: places that are passed only where there is no way round. Raises KeyError for an unknown place.
        """
        nearer = self._ways_from(start, end, barred)[1]
        route: list[str] = []
        while start != end:
            start = nearer[start]
            route.append(start)
        return tuple(route)

    def way(self, position: Position, end: str, barred: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """The route from a position: from the middle of a passage on or back, whichever is shorter and not barred. Rule: G.CH2."""
        if not position.to:
            return self.route(position.at, end, barred)
        length = self.legs[position.at, position.to].length
        ends = ((position.to, length - position.run), (position.at, position.run))
        through, _ = min(
            ends,
            key=lambda row: (
                row[0] in barred and row[0] != end,
                row[1] + self.distance(row[0], end, barred),
            ),
        )
        return (through, *self.route(through, end, barred))

    def _ways_from(
        self, start: str, end: str, barred: frozenset[str]
    ) -> tuple[dict[str, int], dict[str, str]]:
        ways = self._from(end, barred)
        return ways if start in ways[0] else self._from(end, frozenset())

    def _from(self, end: str, barred: frozenset[str]) -> tuple[dict[str, int], dict[str, str]]:
        """Distance of every place to `end`, and the next place on the way there. A start may be barred, a way through not."""
        key = (end, barred)
        if key not in self._ways:
            miles, nearer, heap = {end: 0}, {end: end}, [(0, end)]
            while heap:
                far, code = heapq.heappop(heap)
                if far > miles[code] or (code in barred and code != end):
                    continue
                for other in self.neighbours[code]:
                    reach = far + self.legs[code, other].length
                    if reach < miles.get(other, reach + 1):
                        miles[other], nearer[other] = reach, code
                        heapq.heappush(heap, (reach, other))
            self._ways[key] = (miles, nearer)
        return self._ways[key]


@lru_cache(maxsize=16)
def _geometry(
    points: tuple[tuple[str, float, float, str], ...], passages: tuple[tuple[str, str], ...]
) -> Geometry:
    return Geometry(points, passages)


def geometry(theatre: Theatre) -> Geometry:
    """The geometry of a theatre; theatres with the same places and passages share it."""
    places = theatre.places
    points = tuple((c, places[c].latitude, places[c].longitude, places[c].zone) for c in sorted(places))
    return _geometry(points, tuple(sorted(theatre.passages)))
