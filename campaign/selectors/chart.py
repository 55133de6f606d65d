"""The chart as one reader may see it: own fleets, routes, own sightings, own battles and the wind. Rules: G.IN1, G.SI2, G.CH2.

Nothing that the reader may not know is in what these functions return, so it cannot be in the drawing either. Lengths are chart units
(1600 to the paper's width); angles are degrees clockwise from north.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db.models import Count, Q

from campaign.calendar import chart_time, spoken
from campaign.chart_projection import Projection
from campaign.data.coast import __path__ as coast_path
from campaign.models import Campaign, Contact, Membership, Order, Sighting, Turn
from campaign.rules import types as t
from campaign.rules.theatre import Geometry, geometry
from campaign.selectors.access import Role, may_know_battle, stations_for
from campaign.selectors.facts import pure_theatre
from campaign.where import latitude_longitude

REMEMBERED_HOURS = 14 * 24  # older reports are history, not news
AGES = ((6, "fresh"), (24, "day"), (72, "stale"), (REMEMBERED_HOURS, "old"))
LEAST_VIEW = 320.0  # chart units; closer in than this the coast is too coarse to read
SHOWN_AT = 720.0  # CSS pixels that the chart is drawn for before a script measures it


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """A place on the chart. tier: 1 own ports, 2 ports and anchorages, 3 the rest. crowded: its name would cover another."""

    code: str
    name: str
    title: str
    kind: str
    x: float
    y: float
    tier: int
    left: bool = False
    crowded: bool = False


@dataclass(frozen=True, slots=True)
class FleetMark:
    """A fleet of the reader's. course: degrees of the leg it is on or about to sail. route: path data of what is still to sail.

    slot: how many other marks at the same spot stand above it.
    """

    code: str
    name: str
    side: str
    colour: str
    x: float
    y: float
    ships: int
    men: int
    course: int | None
    place: str
    route: str
    destination: str
    stance: str
    given: bool
    zone: str
    slot: int = 0


@dataclass(frozen=True, slots=True)
class SightingMark:
    """A report of the reader's side. age: fresh, day, stale or old. side: whose report it is, for the umpire."""

    number: int
    x: float
    y: float
    course: int | None
    band: str
    kinds: tuple[str, ...]
    observer: str
    when: str
    hours: int
    age: str
    side: str
    turn: int
    slot: int = 0


@dataclass(frozen=True, slots=True)
class BattleMark:
    """A battle of the last turn that the reader may know of."""

    code: str
    title: str
    x: float
    y: float
    slot: int = 0


@dataclass(frozen=True, slots=True)
class WindMark:
    """The wind of a weather zone in which the reader has a fleet. wind_from: degrees."""

    zone: str
    wind_from: int
    strength: str
    visibility: str


@dataclass(frozen=True, slots=True)
class ChartPage:
    """Everything drawn. view: x, y, width, height of what is shown first. scale: chart units to a CSS pixel of that view."""

    width: float
    height: float
    land: str
    water: str
    labels: tuple[dict[str, Any], ...]
    grid: str
    edges: tuple[dict[str, Any], ...]
    passages: str
    places: tuple[PlaceMark, ...]
    fleets: tuple[FleetMark, ...]
    sightings: tuple[SightingMark, ...]
    battles: tuple[BattleMark, ...]
    winds: tuple[WindMark, ...]
    view: tuple[float, float, float, float]
    scale: float
    miles: int
    miles_length: float
    units_a_mile: float
    moment: str


@lru_cache(maxsize=8)
def coast(theatre_code: str) -> dict[str, Any]:
    """The coast of a theatre's chart as built. Raises FileNotFoundError for a theatre that has none."""
    path = Path(next(iter(coast_path))) / f"{theatre_code}.json"
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def projection_of(theatre_code: str) -> Projection:
    """The projection of a theatre's chart."""
    document = coast(theatre_code)
    west, south, east, north = document["box"]
    return Projection((west, south, east, north), document["width"])


def chart_page(
    campaign: Campaign, membership: Membership, turn: Turn | None, *, whole: bool = False
) -> ChartPage:
    """The chart for one reader as his turn opens. whole: show all the paper, not only where his fleets are."""
    theatre = pure_theatre(campaign.theatre)
    paper, document = projection_of(theatre.code), coast(theatre.code)
    hour = 24 * (turn.first_day if turn else campaign.calendar_day)
    fleets = fleet_marks(campaign, membership, turn)
    sightings = sighting_marks(campaign, membership, hour)
    battles = battle_marks(campaign, membership, turn, paper)
    spots = [(mark.x, mark.y) for mark in fleets] + [(mark.x, mark.y) for mark in battles]
    spots += [(mark.x, mark.y) for mark in sightings if mark.age != "old"]
    height = paper.height
    view = (0.0, 0.0, paper.width, height) if whole or not spots else focus(spots, paper.width, height)
    scale = round(view[2] / SHOWN_AT, 4)
    nations = membership.side.nations if membership.side else []
    at_fleets = [(f.x, f.y + 50 * scale * f.slot) for f in slotted(fleets, scale)]
    units = _units_a_mile(paper, view)
    miles = _scale_miles(view[2] / units)
    return ChartPage(
        width=paper.width,
        height=round(height, 1),
        land=document["land"],
        water=document["historic_water"],
        labels=_labels(theatre.code),
        grid=_grid(theatre.code)[0],
        edges=_grid(theatre.code)[1],
        passages=_passages(theatre, paper),
        places=place_marks(theatre, paper, nations, view, scale, at_fleets),
        fleets=slotted(fleets, scale),
        sightings=slotted(sightings, scale),
        battles=slotted(battles, scale),
        winds=wind_marks(campaign, theatre, fleets),
        view=view,
        scale=scale,
        miles=miles,
        miles_length=round(miles * units, 2),
        units_a_mile=round(units, 4),
        moment=spoken(chart_time(campaign.start_date, hour)),
    )


def route_chart(
    campaign: Campaign, membership: Membership, turn: Turn, mark: FleetMark, route: Iterable[str]
) -> ChartPage:
    """The chart about one fleet and the route that is being plotted for it."""
    theatre = pure_theatre(campaign.theatre)
    paper = projection_of(theatre.code)
    codes = list(route)
    drawn = replace(mark, route=route_path(theatre, paper, (mark.x, mark.y), codes))
    page = chart_page(campaign, membership, turn)
    spots = [(mark.x, mark.y)]
    spots += [paper.to_xy(theatre.places[c].latitude, theatre.places[c].longitude) for c in codes]
    view = focus(spots, page.width, page.height, least=220.0)
    scale = round(view[2] / SHOWN_AT, 4)
    units = _units_a_mile(paper, view)
    miles = _scale_miles(view[2] / units)
    nations = membership.side.nations if membership.side else []
    return replace(
        page,
        fleets=(drawn,),
        battles=(),
        places=place_marks(theatre, paper, nations, view, scale, [(mark.x, mark.y)]),
        view=view,
        scale=scale,
        miles=miles,
        miles_length=round(miles * units, 2),
        units_a_mile=round(units, 4),
    )


def fleet_marks(campaign: Campaign, membership: Membership, turn: Turn | None) -> tuple[FleetMark, ...]:
    """The reader's fleets with strength, orders and the route still to sail; all sides' for the umpire. Rule: G.IN1."""
    theatre = pure_theatre(campaign.theatre)
    paper, way = projection_of(theatre.code), geometry(theatre)
    afloat = Q(fleet__squadrons__ships__fate="afloat")
    stations = stations_for(membership).annotate(strength=Count("fleet__squadrons__ships", filter=afloat))
    rows = list(stations)
    orders: dict[int, Order] = {}
    if turn is not None:
        found = Order.objects.filter(turn=turn, fleet__in=[row.fleet_id for row in rows])
        orders = {order.fleet_id: order for order in found}
    men = men_of(rows)
    marks = []
    for row in rows:
        position = t.Position(row.at, row.to, row.run)
        latitude, longitude = latitude_longitude(theatre, position)
        x, y = paper.to_xy(latitude / 100, longitude / 100)
        order = orders.get(row.fleet_id)
        route = order.route if order is not None else []
        marks.append(
            FleetMark(
                code=row.fleet.code,
                name=row.fleet.name,
                side=row.fleet.navy.code,
                colour=row.fleet.navy.colours,
                x=round(x, 1),
                y=round(y, 1),
                ships=row.strength,
                men=men.get(row.fleet_id, 0),
                course=course_along(way, position, route),
                place=place_in_words(theatre, position),
                route=route_path(theatre, paper, (x, y), route),
                destination=theatre.places[route[-1]].name if route else "",
                stance=order.stance if order is not None else "hold",
                given=order is not None and order.source != "standing",
                zone=way.zone(position),
            )
        )
    return tuple(marks)


def men_of(stations: Iterable[Any]) -> dict[int, int]:
    """Heads aboard by fleet."""
    found: dict[int, int] = {}
    stations = list(stations)
    if not stations:
        return found
    ships = stations[0].fleet._meta.apps.get_model("fleets", "Ship").objects
    rows = ships.filter(fate="afloat", squadron__fleet__in=[row.fleet_id for row in stations])
    for fleet_id, men in rows.values_list("squadron__fleet", "men"):
        found[fleet_id] = found.get(fleet_id, 0) + men
    return found


def course_along(way: Geometry, position: t.Position, route: list[str]) -> int | None:
    """Degrees of the leg that a fleet sails next; None when it stays. Rule: G.CH2."""
    ahead = [code for code in route if position.to or code != position.at]
    if not ahead:
        return None
    if position.to:
        if ahead[0] == position.at:
            return way.legs[position.to, position.at].bearing
        return way.legs[position.at, position.to].bearing
    leg = way.legs.get((position.at, ahead[0]))
    return leg.bearing if leg else None


def place_in_words(theatre: t.Theatre, position: t.Position) -> str:
    """Where a fleet is: "at the Nore", or "12 nm beyond the Galloper towards Schooneveld". Rule: G.CH2."""
    here = short_name(theatre.places[position.at].name)
    if not position.to:
        return at_place(here)
    there = lower_the(short_name(theatre.places[position.to].name))
    miles = round(position.run / t.MILLI)
    if not miles:
        return f"{at_place(here)}, bound for {there}"
    return f"{miles} nm beyond {lower_the(here)} towards {there}"


def short_name(name: str) -> str:
    """A place's name without what is added in brackets."""
    return name.split(" (")[0]


def lower_the(name: str) -> str:
    """A name in the middle of a sentence."""
    first, _, rest = name.partition(" ")
    return f"{first.lower()} {rest}" if first == "The" or is_relative(name) else name


def is_relative(name: str) -> bool:
    """Whether a name says where it is by another's: off Cromer, west of the Hinder banks."""
    return name.startswith("Off ") or " of " in name[:12] and name.split(" ", 1)[0] in _QUARTERS


_QUARTERS = frozenset({"North", "South", "East", "West"})


def at_place(name: str) -> str:
    """At a place: "at the Nore", "off Cromer"."""
    return lower_the(name) if is_relative(name) else f"at {lower_the(name)}"


def route_path(theatre: t.Theatre, paper: Projection, start: tuple[float, float], route: list[str]) -> str:
    """Path data of a route from where a fleet is."""
    if not route:
        return ""
    points = [start, *(paper.to_xy(theatre.places[c].latitude, theatre.places[c].longitude) for c in route)]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def sighting_marks(campaign: Campaign, membership: Membership, hour: int) -> tuple[SightingMark, ...]:
    """The newest report of every contact of the reader's side, fading with age; the umpire sees every side's. Rules: G.SI2, G.SI3."""
    reports = Sighting.objects.filter(turn__campaign=campaign, hour__gte=hour - REMEMBERED_HOURS)
    if membership.role == Role.UMPIRE:
        pass
    elif membership.side_id is not None:
        reports = reports.filter(side=membership.side_id)
    else:
        return ()
    # the code of the fleet that was really seen is never read: nothing downstream can tell it
    reports = reports.defer("fleet_code").select_related("side__navy", "turn").order_by("hour", "pk")
    paper = projection_of(campaign.theatre.code)
    names = {row.fleet.code: row.fleet.name for row in stations_for(membership, ended=True)}
    newest: dict[tuple[int, int], Sighting] = {}
    for report in reports.defer("turn__state", "turn__snapshot", "fleet_code"):
        newest[report.side_id, report.number] = report
    marks = []
    for report in newest.values():
        x, y = paper.to_xy(report.latitude / 100, report.longitude / 100)
        age = max(0, hour - report.hour)
        marks.append(
            SightingMark(
                number=report.number,
                x=round(x, 1),
                y=round(y, 1),
                course=report.course,
                band=report.band,
                kinds=tuple(report.kinds),
                observer=names.get(report.observer, ""),
                when=spoken(chart_time(campaign.start_date, report.hour)),
                hours=age,
                age=next(word for limit, word in AGES if age <= limit),
                side=report.side.name,
                turn=report.turn.number,
            )
        )
    return tuple(sorted(marks, key=lambda mark: (-mark.hours, mark.side, mark.number)))


def battle_marks(
    campaign: Campaign, membership: Membership, turn: Turn | None, paper: Projection
) -> tuple[BattleMark, ...]:
    """Battles of the last turn and of the one being played that the reader may know of. Rule: G.IN1."""
    if turn is None:
        return ()
    contacts = Contact.objects.filter(
        turn__campaign=campaign, turn__number__gte=turn.number - 1, battle__isnull=False
    ).select_related("battle")
    marks = []
    for contact in contacts.order_by("hour", "code"):
        if not may_know_battle(membership, contact.fleets) or contact.battle is None:
            continue
        x, y = paper.to_xy(contact.latitude / 100, contact.longitude / 100)
        marks.append(BattleMark(contact.battle.code, contact.battle.title, round(x, 1), round(y, 1)))
    return tuple(marks)


def slotted(marks: tuple[Any, ...], scale: float) -> tuple[Any, ...]:
    """Marks of one kind that would cover each other in the first view are put one below the other."""
    near, placed = 16 * scale, list[Any]()
    for mark in marks:
        below = sum(abs(other.x - mark.x) < near and abs(other.y - mark.y) < near for other in placed)
        placed.append(replace(mark, slot=below))
    return tuple(placed)


def wind_marks(campaign: Campaign, theatre: t.Theatre, fleets: tuple[FleetMark, ...]) -> tuple[WindMark, ...]:
    """The wind where the reader has fleets, as the last turn left it; none before the first. Rule: G.WX1."""
    zones = list(dict.fromkeys(mark.zone for mark in fleets))
    return tuple(
        WindMark(zone.replace("_", " "), now["wind_from"], now["strength"], now["visibility"])
        for zone in zones
        if (now := campaign.weather.get(zone)) and "wind_from" in now
    )


def place_marks(
    theatre: t.Theatre,
    paper: Projection,
    nations: Iterable[str],
    view: tuple[float, float, float, float],
    scale: float,
    taken: list[tuple[float, float]],
) -> tuple[PlaceMark, ...]:
    """Places with their names put where they cover neither each other nor a fleet, the weightiest first."""
    nations = set(nations)
    at = {p.code: paper.to_xy(p.latitude, p.longitude) for p in theatre.places.values()}
    boxes = [(x - 16 * scale, y - 18 * scale, x + 110 * scale, y + 14 * scale) for x, y in taken]
    marks: list[PlaceMark] = []
    for place in sorted(theatre.places.values(), key=lambda p: (_tier(p, nations), -p.dockyard, p.code)):
        x, y = at[place.code]
        name = short_name(place.name)
        length = 6.6 * len(name) * scale
        right = (x + 5 * scale, y - 8 * scale, x + 8 * scale + length, y + 6 * scale)
        left = (x - 8 * scale - length, y - 8 * scale, x - 5 * scale, y + 6 * scale)
        box = next((b for b in (right, left) if not any(_overlap(b, other) for other in boxes)), None)
        if box is not None:
            boxes.append(box)
        marks.append(
            PlaceMark(
                code=place.code,
                name=name,
                title=place.name,
                kind=place.kind.value,
                x=round(x, 1),
                y=round(y, 1),
                tier=_tier(place, nations),
                left=box is left,
                crowded=box is None,
            )
        )
    return tuple(marks)


def _tier(place: t.Place, nations: set[str]) -> int:
    if place.kind is t.PlaceKind.PORT and place.owner in nations:
        return 1
    return 2 if place.kind in (t.PlaceKind.PORT, t.PlaceKind.ANCHORAGE) else 3


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def focus(
    spots: list[tuple[float, float]], width: float, height: float, *, least: float = LEAST_VIEW
) -> tuple[float, float, float, float]:
    """A nearly square piece of the paper that holds all spots with room about them, and lies on the paper."""
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    side = max(least, 1.5 * (max(xs) - min(xs)), 1.5 * (max(ys) - min(ys)))
    side = min(side, width, height)
    x = min(max((min(xs) + max(xs) - side) / 2, 0.0), width - side)
    y = min(max((min(ys) + max(ys) - side) / 2, 0.0), height - side)
    return round(x, 1), round(y, 1), round(side, 1), round(side, 1)


def _units_a_mile(paper: Projection, view: tuple[float, float, float, float]) -> float:
    """Chart units in a sea mile at the middle of a view: Mercator stretches towards the poles."""
    latitude, _ = paper.to_latlon(view[0] + view[2] / 2, view[1] + view[3] / 2)
    return paper.units_per_degree / 60 / math.cos(math.radians(latitude))


def _scale_miles(width_miles: float) -> int:
    """A round number of miles, about a fifth of the width."""
    return max(n for n in (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500) if n <= max(1, width_miles / 4))


@lru_cache(maxsize=8)
def _labels(theatre_code: str) -> tuple[dict[str, Any], ...]:
    paper = projection_of(theatre_code)
    found = []
    for label in coast(theatre_code)["labels"]:
        x, y = paper.to_xy(label["lat"], label["lon"])
        found.append({**label, "x": round(x, 1), "y": round(y, 1)})
    return tuple(found)


@lru_cache(maxsize=8)
def _grid(theatre_code: str) -> tuple[str, tuple[dict[str, Any], ...]]:
    """Meridians and parallels as path data, and what is written at their ends."""
    paper = projection_of(theatre_code)
    west, south, east, north = paper.box
    step = 10 if east - west > 60 else 5 if east - west > 35 else 2 if east - west > 12 else 1
    path, marks = [], []
    for longitude in range(math.ceil(west / step) * step, math.floor(east) + 1, step):
        x, _ = paper.to_xy(south, longitude)
        path.append(f"M{x:.1f} 0V{paper.height:.1f}")
        marks.append({"axis": "x", "at": round(x, 1), "text": _degrees(longitude, "E", "W")})
    for latitude in range(math.ceil(south / step) * step, math.floor(north) + 1, step):
        _, y = paper.to_xy(latitude, west)
        path.append(f"M0 {y:.1f}H{paper.width:.1f}")
        marks.append({"axis": "y", "at": round(y, 1), "text": _degrees(latitude, "N", "S")})
    return "".join(path), tuple(marks)


def _degrees(value: int, above: str, below: str) -> str:
    return "0°" if not value else f"{abs(value)}°{above if value > 0 else below}"


def _passages(theatre: t.Theatre, paper: Projection) -> str:
    at: Mapping[str, tuple[float, float]] = {
        p.code: paper.to_xy(p.latitude, p.longitude) for p in theatre.places.values()
    }
    return "".join(
        f"M{at[a][0]:.1f} {at[a][1]:.1f}L{at[b][0]:.1f} {at[b][1]:.1f}" for a, b in theatre.passages
    )
