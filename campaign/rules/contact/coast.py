"""What is seen from the shore: hostile bodies off a side's own ports and anchorages, by day. Rule: G.SI4.

Distances are thousandths of a mile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from campaign.rules.chart.points import SCALE, Point, miles_between, miles_north
from campaign.rules.chart.types import MILLI, Place, PlaceKind, SightingReport, Visibility
from campaign.rules.contact import staff
from campaign.rules.contact.bodies import Body, bodies_of
from campaign.rules.contact.sighting import band, course_of
from campaign.rules.state.clock import WATCH, is_day
from campaign.rules.state.state import FleetState, FromShore, Pair
from campaign.rules.state.world import Chart

_POSTS = frozenset({PlaceKind.PORT, PlaceKind.ANCHORAGE})


class Seen(NamedTuple):
    """A body, of the fleets hostile to the side, in sight of one of its posts. miles: from there to the nearest of its fleets."""

    miles: int
    post: str
    body: Body


def coast_step(chart: Chart) -> None:
    """At each watch of the day the shore looks out, and what it sees goes into its side's reports. Rule: G.SI4."""
    if chart.hour % WATCH or not chart.facts.settings.coast_miles:
        return
    before, chart.state.watched = chart.state.watched, {}
    if not is_day(chart.facts, chart.hour):
        return
    at_sea = [fleet for fleet in chart.fleets() if chart.at_sea_now(fleet)]
    bodies = bodies_of(chart, at_sea)
    for side in sorted(chart.facts.sides):
        posts = _posts(chart, side)
        for body in bodies:
            hostile = tuple(f for f in body if frozenset((side, f.side)) in chart.facts.at_war)
            if hostile and not _in_touch(chart, side, hostile):
                sights = list(_from(chart, posts, hostile))
                if sights:
                    _report(chart, side, min(sights), before)


def _posts(chart: Chart, side: str) -> list[Place]:
    """Ports and anchorages of a side's own, in the order of codes."""
    places, nations = chart.facts.theatre.places, chart.facts.sides[side].nations
    return [
        places[code]
        for code in sorted(places)
        if places[code].kind in _POSTS and places[code].owner in nations
    ]


def _in_touch(chart: Chart, side: str, body: Body) -> bool:
    """Whether a fleet of a side has touch with a body, and reports it itself."""
    codes, fleets = {fleet.code for fleet in body}, chart.state.fleets
    return any(
        touch.seen and touch.fleet in codes and fleets[touch.observer].side == side
        for touch in chart.state.touches.values()
    )


def _from(chart: Chart, posts: list[Place], body: Body) -> Iterator[Seen]:
    """The posts that see a body. The coast on either hand belongs to them, so no land hides it. Rule: G.SI4."""
    rows = [(chart.point(fleet.position), _reach(chart, fleet), fleet.code) for fleet in body]
    for post in posts:
        there = chart.geometry.places[post.code]
        near = [
            (miles, code)
            for here, reach, code in rows
            if miles_north(there, here) <= reach and (miles := miles_between(there, here)) <= reach
        ]
        if near:
            yield Seen(min(near)[0], post.code, body)


def _reach(chart: Chart, fleet: FleetState) -> int:
    """How far a fleet is seen from the shore by day: not at all in fog, in haze as far as from a masthead, half as far in a gale."""
    settings, weather = chart.facts.settings, chart.weather(fleet)
    miles = {
        Visibility.CLEAR: settings.coast_miles,
        Visibility.HAZE: min(settings.coast_miles, settings.see_haze),
        Visibility.FOG: 0,
    }[weather.visibility]
    return miles * MILLI // (2 if weather.strength.value == "gale" else 1)


def _report(chart: Chart, side: str, seen: Seen, before: dict[Pair, FromShore]) -> None:
    """A report of what a post sees: when it is new, when its numbers are another band, and when it has moved. Rule: G.SI4."""
    lead, settings = seen.body[0], chart.facts.settings
    sail = band(sum(len(chart.ships_of(fleet.code)) for fleet in seen.body))
    here = chart.point(lead.position)
    known = before.get((side, lead.code))
    if known is None:
        chart.state.numbers[side] = chart.state.numbers.get(side, 0) + 1
    elif known.band == sail and miles_between(Point(*known.point), here) <= settings.company_miles * MILLI:
        chart.state.watched[side, lead.code] = known
        return
    number = known.number if known is not None else chart.state.numbers[side]
    kinds: set[str] = set()
    if seen.miles <= settings.kinds_miles * MILLI:
        ships = (ship for fleet in seen.body for ship in chart.ships_of(fleet.code))
        kinds = {chart.facts.ships[ship.code].kind.value for ship in ships}
    report = SightingReport(
        side=side,
        number=number,
        hour=chart.hour + 1,
        latitude=round(here.latitude * 100 / SCALE),
        longitude=round(here.longitude * 100 / SCALE),
        course=course_of(chart, lead),
        band=sail,
        kinds=tuple(sorted(kinds)),
        observer=seen.post,
        fleet=lead.code,
        observers=(seen.post,),
    )
    if known is None:
        report = replace(report, perhaps=_perhaps(chart, report))
        _tell(chart, report)
    chart.state.reports.append(report)
    chart.state.watched[side, lead.code] = FromShore(number, sail, (here.latitude, here.longitude))


def _perhaps(chart: Chart, report: SightingReport) -> int:
    """The lost contact that the staff takes a new one for; 0 for none. Rule: G.IG2."""
    fleets, side = chart.state.fleets, report.side
    held = {
        touch.number
        for touch in chart.state.touches.values()
        if touch.seen and fleets[touch.observer].side == side
    }
    held |= {row.number for (of, _), row in chart.state.watched.items() if of == side}
    earlier = (*chart.earlier_reports(), *chart.state.reports)
    return staff.perhaps(report, (row for row in earlier if row.side == side), held)


def _tell(chart: Chart, report: SightingReport) -> None:
    remark = {"perhaps": report.perhaps} if report.perhaps else {}
    chart.tell(
        "sighted", "G.SI4", report.side, hour=report.hour, place=report.observer, number=report.number,
        latitude=report.latitude, longitude=report.longitude, course=report.course, band=report.band,
        kinds=list(report.kinds), equal=False, **remark,
    )  # fmt: skip
