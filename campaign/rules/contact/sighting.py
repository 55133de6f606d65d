"""Who sees whom, and what is reported. Rules: G.SI1, G.SI2, G.SI3.

Distances are thousandths of a mile; within an hour both tracks are straight between their corners.
"""

from __future__ import annotations

from dataclasses import replace
from math import isqrt

from campaign.rules.chart.points import SCALE, Point, miles_between, offset
from campaign.rules.chart.types import MILLI, PlaceKind, SightingReport, Visibility
from campaign.rules.contact.contact import odds
from campaign.rules.sailing.weather import sight_range
from campaign.rules.state.clock import WATCH, is_day, is_night
from campaign.rules.state.state import FleetState, Touch
from campaign.rules.state.world import Chart

BANDS = ((1, "1"), (4, "2-4"), (9, "5-9"), (19, "10-19"), (39, "20-39"))
Track = list[tuple[int, Point]]
# A blockader's station is reckoned along the passage, the distance on a flat chart: so much may they differ.
_SLACK = MILLI // 10
# A fleet makes well under 20 miles in an hour and sees no farther than 40: beyond this no pair is looked at closely.
FAR_MILES = 80 * MILLI
_FAR = FAR_MILES * SCALE // (60 * MILLI)
# Ports stand at their towns, and passages lead to them over drawn land: so near to one, none is asked for.
_HARBOUR = 6 * MILLI


def band(sail: int) -> str:
    """The band in which a number of sail is reported. Rule: G.SI2."""
    return next((name for most, name in BANDS if sail <= most), "40+")


def nearest(a: Track, b: Track) -> tuple[int, int]:
    """Least distance of two tracks within the hour, thousandths of a mile, and the thousandth of the hour when they are so near.

    Rule: G.SI1.
    """
    times = sorted({time for time, _ in a} | {time for time, _ in b} | {0, MILLI})
    origin = a[0][1]
    apart = [_apart(_place(a, time, origin), _place(b, time, origin)) for time in times]
    spans = zip(times, times[1:], apart, apart[1:], strict=False)
    return min(_least(start, end, begins, ends) for begins, ends, start, end in spans)


def _place(track: Track, time: int, origin: Point) -> tuple[int, int]:
    """Where a track is at a thousandth of the hour, miles east and north of a point."""
    before, after = _corners(track, time)
    east, north = offset(origin, before[1])
    span = after[0] - before[0]
    if span <= 0 or time <= before[0]:
        return east, north
    far_east, far_north = offset(origin, after[1])
    gone = time - before[0]
    return east + (far_east - east) * gone // span, north + (far_north - north) * gone // span


def _corners(track: Track, time: int) -> Track:
    """The corners of a track before and after a thousandth of the hour."""
    before, after = track[0], track[-1]
    for corner in track:
        if corner[0] <= time:
            before = corner
        if corner[0] >= time:
            after = corner
            break
    return [before, after]


def point_of(track: Track, time: int) -> Point:
    """Where a track is at a thousandth of the hour; no chart that has land crosses the 180th meridian."""
    (left, here), (reached, there) = _corners(track, time)
    span, gone = max(1, reached - left), max(0, time - left)
    ways = zip(here, there, strict=True)
    return Point(*(start + (end - start) * gone // span for start, end in ways))


def _apart(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return b[0] - a[0], b[1] - a[1]


def _least(start: tuple[int, int], end: tuple[int, int], begins: int, ends: int) -> tuple[int, int]:
    """Least length of a vector that changes evenly from one to another between two times, and when it has it."""
    x, y = start
    vx, vy = end[0] - x, end[1] - y
    square = vx * vx + vy * vy
    if not square:
        return isqrt(x * x + y * y), begins
    part = min(square, max(0, -(x * vx + y * vy)))
    least = isqrt((x * square + vx * part) ** 2 + (y * square + vy * part) ** 2) // square
    return least, begins + (ends - begins) * part // square


def sighting_step(chart: Chart) -> None:
    """Look for every pair of hostile fleets on the chart, and write the reports, fleet by fleet. Rules: G.SI1, G.SI2."""
    fleets = [fleet for fleet in chart.fleets() if chart.on_chart(fleet)]
    there = {fleet.code for fleet in fleets}
    reach = {fleet.code: sight_range(chart, fleet) for fleet in fleets}
    before = chart.state.touches
    # Fleets that are off the chart together, in a battle, keep what they know of each other.
    chart.state.touches = {
        pair: touch for pair, touch in before.items() if pair[0] not in there and pair[1] not in there
    }
    for n, a in enumerate(fleets):
        for b in fleets[n + 1 :]:
            if not chart.at_war(a, b):
                continue
            if held_contact(chart, a, b):
                for pair in ((a.code, b.code), (b.code, a.code)):
                    if pair in before:
                        chart.state.touches[pair] = before[pair]
                continue
            approach = _approach(chart, a, b, max(reach[a.code], reach[b.code]))
            if approach is not None:
                _look(chart, a, b, approach, reach[a.code], before.get((a.code, b.code)))
                _look(chart, b, a, approach, reach[b.code], before.get((b.code, a.code)))
    for pair in sorted(before):
        if before[pair].seen and not (pair in chart.state.touches and chart.state.touches[pair].seen):
            lost = chart.state.fleets[pair[0]]
            chart.tell("touch_lost", "G.SI1", lost.side, fleet=pair[0], number=before[pair].number)


def held_contact(chart: Chart, a: FleetState, b: FleetState) -> bool:
    """Whether two fleets in contact keep touch without a look: in the dusk before nightfall, and once the night's dice are thrown."""
    contacts = chart.state.contacts
    contact = contacts.get((a.code, b.code)) or contacts.get((b.code, a.code))
    if contact is None:
        return False
    dusk = not is_day(chart.facts, chart.hour) and not is_night(chart.facts, chart.hour)
    return contact.night or dusk


def _approach(chart: Chart, a: FleetState, b: FleetState, reach: int) -> int | None:
    """How near two fleets came in this hour; None when they are out of reach, or land lies between them then. Rule: G.SI1."""
    contact = chart.state.contacts.get((a.code, b.code)) or chart.state.contacts.get((b.code, a.code))
    if contact is not None:
        return contact.range
    track, other = track_of(chart, a), track_of(chart, b)
    if abs(track[0][1].latitude - other[0][1].latitude) > _FAR:
        return None
    if abs(offset(track[0][1], other[0][1])[0]) > FAR_MILES:
        return None
    least, time = nearest(track, other)
    if least > reach or land_between(chart, (a, point_of(track, time)), (b, point_of(other, time))):
        return None
    return least


def land_between(chart: Chart, a: tuple[FleetState, Point], b: tuple[FleetState, Point]) -> bool:
    """Whether land lies between two fleets at two points. On one passage, and between its ends, there is none. Rules: G.SI1, G.CH2."""
    land = chart.facts.theatre.land
    if land is None:
        return False
    ends = {code for fleet, _ in (a, b) for code in (fleet.position.at, fleet.position.to) if code}
    if len(ends) == 1 or len(ends) == 2 and tuple(ends) in chart.geometry.legs:
        return False
    return land.hides(a[1], b[1], spare=(_in_harbour(chart, *a), _in_harbour(chart, *b)))


def _in_harbour(chart: Chart, fleet: FleetState, point: Point) -> int:
    """How much of a fleet's view is over the land about a port that it lies in, leaves or makes for. Rule: G.SI1."""
    places, ends = chart.facts.theatre.places, (fleet.position.at, fleet.position.to)
    ports = [code for code in ends if code and places[code].kind is PlaceKind.PORT]
    near = any(miles_between(point, chart.geometry.places[code]) <= _HARBOUR for code in ports)
    return _HARBOUR if near else 0


def track_of(chart: Chart, fleet: FleetState) -> Track:
    """Where a fleet was in this hour; one that was made after movement, of ships gone aground, has lain where it is."""
    return chart.tracks.get(fleet.code) or [(0, chart.point(fleet.position))]


def _look(
    chart: Chart, observer: FleetState, fleet: FleetState, approach: int, reach: int, before: Touch | None
) -> None:
    """One fleet looks for another. Rule: G.SI1."""
    if approach > reach or not may_be_seen(chart, observer, fleet, approach):
        return
    day = is_day(chart.facts, chart.hour)
    touch = before or Touch(observer.code, fleet.code)
    seen = touch.seen
    if day and 2 * approach <= reach:
        seen = True
    elif not (seen and day) and (before is None or chart.hour % WATCH == 0):
        face = chart.dice.d6(
            clause="G.SI1", subjects=(chart.hour, observer.code, fleet.code), reason="look-out"
        )
        seen = face >= least_to_sight(chart, observer)
    gained = seen and not touch.seen
    touch = replace(touch, seen=seen, approach=approach)
    if gained:
        touch = replace(touch, number=0, reported=-1, band="", kinds=(), let_go=False)
    if seen:
        touch = _report(chart, observer, fleet, touch)
    chart.state.touches[observer.code, fleet.code] = touch


def least_to_sight(chart: Chart, observer: FleetState) -> int:
    """Least face of the die that sights. Rule: G.SI1."""
    settings, visibility = chart.facts.settings, chart.weather(observer).visibility
    least = settings.see_at_day if is_day(chart.facts, chart.hour) else settings.see_at_night
    if visibility is Visibility.FOG:
        return max(least, settings.see_at_fog)
    return max(least, settings.see_at_haze) if visibility is Visibility.HAZE else least


def barred(chart: Chart, observer: FleetState, fleet: FleetState) -> bool:
    """Whether a fleet may not sight one that has escaped from it in the night. Rule: G.CO3."""
    return fleet.free_until > chart.hour and observer.code in fleet.free_from


def may_be_seen(chart: Chart, observer: FleetState, fleet: FleetState, approach: int) -> bool:
    """Whether the rules let one fleet see another that is near enough. Rules: G.SI1, G.CO3."""
    if barred(chart, observer, fleet):
        return False
    if chart.in_port(fleet):
        blockader = not observer.under_way and not chart.in_port(observer)
        return blockader and approach <= chart.facts.settings.blockade_miles * MILLI + _SLACK
    return True


def _report(chart: Chart, observer: FleetState, fleet: FleetState, touch: Touch) -> Touch:
    """Write a report when touch is gained, each watch, and when kinds can first be told. Rules: G.SI2, G.SI3."""
    near = touch.approach <= chart.facts.settings.kinds_miles * MILLI
    if touch.reported >= 0 and chart.hour % WATCH and not (near and not touch.kinds):
        return touch
    ships = chart.ships_of(fleet.code)
    kinds = tuple(sorted({chart.facts.ships[ship.code].kind.value for ship in ships})) if near else ()
    numbers = chart.state.numbers
    first = not touch.number
    if first:
        numbers[observer.side] = numbers.get(observer.side, 0) + 1
    touch = replace(
        touch,
        number=touch.number or numbers[observer.side],
        reported=chart.hour,
        band=band(len(ships)),
        kinds=kinds or touch.kinds,
    )
    here = chart.point(fleet.position)
    report = SightingReport(
        side=observer.side,
        number=touch.number,
        hour=chart.hour + 1,
        latitude=round(here.latitude * 100 / SCALE),
        longitude=round(here.longitude * 100 / SCALE),
        course=course_of(chart, fleet),
        band=touch.band,
        kinds=touch.kinds,
        observer=observer.code,
        fleet=fleet.code,
    )
    chart.state.reports.append(report)
    if first:
        chart.tell(
            "sighted", "G.SI2", observer.side, hour=chart.hour + 1, fleet=observer.code,
            number=report.number, latitude=report.latitude, longitude=report.longitude,
            course=report.course, band=report.band, kinds=list(report.kinds),
            equal=odds(chart, observer, touch) >= 1,
        )  # fmt: skip
    return touch


def course_of(chart: Chart, fleet: FleetState) -> int | None:
    """Degrees that a fleet steers, None when it lies still."""
    position = fleet.position
    if not fleet.under_way or not position.to:
        return None
    return chart.geometry.legs[position.at, position.to].bearing
