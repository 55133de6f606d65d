"""One sight, one report: companies look for bodies, and what one side sees in an hour is told as one contact. Rule: G.IG1.

A body is made of fleets of one side, or of allied ones, each in company with another of them. Touch is kept by fleets, as G.SI1 has
it: all fleets of a company have touch with all of the body that they look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from campaign.rules.chart.points import miles_between, near_pairs
from campaign.rules.chart.types import MILLI
from campaign.rules.contact.contact_reports import Look, write_reports
from campaign.rules.contact.sighting import (
    FAR_MILES,
    barred,
    held_contact,
    land_between,
    least_to_sight,
    may_be_seen,
    nearest,
    point_of,
    sighting_step,
    track_of,
)
from campaign.rules.sailing.weather import sight_range
from campaign.rules.state.clock import WATCH, is_day
from campaign.rules.state.state import FleetState, Pair, Touch
from campaign.rules.state.world import Chart

# Fleets of a body, the greatest first.
Body = tuple[FleetState, ...]


def look_out_step(chart: Chart) -> None:
    """Look for hostile fleets and write the reports: by bodies, or fleet by fleet where the switch is off. Rules: G.SI1, G.IG1."""
    if chart.facts.settings.one_report != "on":
        sighting_step(chart)
        return
    fleets = [fleet for fleet in chart.fleets() if chart.on_chart(fleet)]
    there = {fleet.code for fleet in fleets}
    before = chart.state.touches
    # Fleets that are off the chart together, in a battle, keep what they know of each other.
    gone = {fleet.code for fleet in chart.fleets()} - there
    away = {pair: touch for pair, touch in before.items() if gone.issuperset(pair)}
    chart.state.touches = dict(away)
    looks = _looks(chart, bodies_of(chart, fleets), before)
    write_reports(chart, looks, before, away)


def bodies_of(chart: Chart, fleets: Sequence[FleetState]) -> list[Body]:
    """Fleets by the bodies that they make, each in the order of size, then of codes. Rules: G.IG1, G.MV4."""
    miles = chart.facts.settings.company_miles * MILLI
    points = [chart.point(fleet.position) for fleet in fleets]
    ports = [chart.in_port(fleet) for fleet in fleets]
    head = list(range(len(fleets)))

    def first(n: int) -> int:
        while head[n] != n:
            n = head[n]
        return n

    for a, b in near_pairs(points, miles):
        one, other = first(a), first(b)
        if one == other or ports[a] != ports[b] or not chart.friends(fleets[a], fleets[b]):
            continue
        if miles_between(points[a], points[b]) <= miles:
            head[max(one, other)] = min(one, other)
    found: dict[int, list[FleetState]] = {}
    for n, fleet in enumerate(fleets):
        found.setdefault(first(n), []).append(fleet)
    return [
        tuple(sorted(body, key=lambda f: (-len(chart.ships_of(f.code)), f.code))) for body in found.values()
    ]


@dataclass
class _Meeting:
    """Two bodies near each other in this hour. approach: least distance of each hostile pair of their fleets, thousandths of a mile."""

    chart: Chart
    bodies: tuple[Body, Body]
    approach: dict[Pair, int] = field(default_factory=dict)
    moments: dict[Pair, int] = field(default_factory=dict)
    hidden: dict[Pair, bool] = field(default_factory=dict)
    held: bool = False

    def __post_init__(self) -> None:
        chart, contacts = self.chart, self.chart.state.contacts
        for a in self.bodies[0]:
            for b in self.bodies[1]:
                if not chart.at_war(a, b):
                    continue
                contact = contacts.get((a.code, b.code)) or contacts.get((b.code, a.code))
                if contact is not None:
                    self.held = self.held or held_contact(chart, a, b)
                    self.approach[a.code, b.code] = contact.range
                    continue
                least, moment = nearest(track_of(chart, a), track_of(chart, b))
                self.approach[a.code, b.code], self.moments[a.code, b.code] = least, moment

    def pairs(self, company: Body) -> Iterator[tuple[FleetState, FleetState, int]]:
        """Each fleet of a company with each enemy in the other body, and how near they came."""
        turned = company is not self.bodies[0]
        for a in self.bodies[0]:
            for b in self.bodies[1]:
                least = self.approach.get((a.code, b.code))
                if least is not None:
                    yield (b, a, least) if turned else (a, b, least)

    def clear(self, one: FleetState, other: FleetState) -> bool:
        """Whether no land lies between two fleets when they are nearest; in a chase none is asked for. Rule: G.SI1."""
        a, b = (one, other) if (one.code, other.code) in self.approach else (other, one)
        key = (a.code, b.code)
        if key not in self.moments:
            return True
        if key not in self.hidden:
            there = [(fleet, point_of(track_of(self.chart, fleet), self.moments[key])) for fleet in (a, b)]
            self.hidden[key] = land_between(self.chart, there[0], there[1])
        return not self.hidden[key]


def _looks(chart: Chart, bodies: list[Body], before: dict[Pair, Touch]) -> list[Look]:
    """What every company has touch with; the touches themselves are written down. Rules: G.SI1, G.IG1."""
    body_of = {fleet.code: n for n, body in enumerate(bodies) for fleet in body}
    reach = {fleet.code: sight_range(chart, fleet) for body in bodies for fleet in body}
    looks = []
    for a, b in sorted(_near(chart, bodies, body_of)):
        meeting = _Meeting(chart, (bodies[a], bodies[b]))
        for company, body in ((bodies[a], bodies[b]), (bodies[b], bodies[a])):
            look = (
                _kept(chart, meeting, company, body, before)
                if meeting.held
                else _look(chart, meeting, company, body, reach, before)
            )
            if look is not None:
                looks.append(look)
    return looks


def _near(chart: Chart, bodies: list[Body], body_of: dict[str, int]) -> set[tuple[int, int]]:
    """The bodies that are near enough to each other for a closer look, and those whose fleets are in a chase."""
    fleets = [fleet for body in bodies for fleet in body]
    pairs = near_pairs([track_of(chart, fleet)[0][1] for fleet in fleets], FAR_MILES)
    codes: Iterable[Pair] = [
        (fleets[a].code, fleets[b].code) for a, b in pairs if chart.at_war(fleets[a], fleets[b])
    ]
    chased = [pair for pair in chart.state.contacts if set(pair) <= body_of.keys()]
    found = (sorted((body_of[a], body_of[b])) for a, b in (*codes, *chased))
    return {(a, b) for a, b in found}


def _kept(
    chart: Chart, meeting: _Meeting, company: Body, body: Body, before: dict[Pair, Touch]
) -> Look | None:
    """What a company keeps without a look: in the dusk before nightfall, and once the night's dice are thrown. Rule: G.CO3."""
    pairs = {}
    for observer, fleet, approach in meeting.pairs(company):
        touch = before.get((observer.code, fleet.code))
        if touch is not None:
            chart.state.touches[observer.code, fleet.code] = touch
            if touch.seen:
                pairs[observer.code, fleet.code] = approach
    return Look(company, body, pairs, kept=True) if pairs else None


def _look(
    chart: Chart,
    meeting: _Meeting,
    company: Body,
    body: Body,
    reach: dict[str, int],
    before: dict[Pair, Touch],
) -> Look | None:
    """A company looks for a body, with one die, keyed by the greatest fleet of each. Rules: G.SI1, G.IG1."""
    pairs = [row for row in meeting.pairs(company) if not barred(chart, row[0], row[1])]
    within = sorted(
        (row for row in pairs if row[2] <= reach[row[0].code] and may_be_seen(chart, *row)),
        key=lambda row: (row[2], row[0].code, row[1].code),
    )
    in_sight = next((row for row in within if meeting.clear(row[0], row[1])), None)
    if in_sight is None:
        return None
    known = [before[o.code, f.code] for o, f, _ in pairs if (o.code, f.code) in before]
    seen, day = any(touch.seen for touch in known), is_day(chart.facts, chart.hour)
    if day and any(2 * least <= reach[o.code] and meeting.clear(o, f) for o, f, least in within):
        seen = True
    elif not (seen and day) and (not known or chart.hour % WATCH == 0):
        face = chart.dice.d6(
            clause="G.SI1", subjects=(chart.hour, company[0].code, body[0].code), reason="look-out"
        )
        seen = face >= least_to_sight(chart, in_sight[0])
    for observer, fleet, approach in pairs:
        key = observer.code, fleet.code
        touch = before.get(key) or Touch(*key)
        if seen and not touch.seen:
            touch = Touch(*key)
        chart.state.touches[key] = replace(touch, seen=seen, approach=approach)
    if not seen:
        return None
    return Look(company, body, {(o.code, f.code): approach for o, f, approach in pairs})
