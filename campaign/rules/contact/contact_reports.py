"""What a side's companies see in an hour, told as contacts, each with one number. Rules: G.IG1, G.SI2, G.SI3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

from campaign.rules.chart.points import SCALE, Point, miles_between
from campaign.rules.chart.types import MILLI, SightingReport
from campaign.rules.contact import staff
from campaign.rules.contact.contact import odds
from campaign.rules.contact.sighting import band, course_of
from campaign.rules.state.clock import WATCH
from campaign.rules.state.state import FleetState, Pair, Touch
from campaign.rules.state.world import Chart

# Courses of one contact lie within so many degrees of each other. Rule: G.IG1.
ALIKE = 45
# Numbers are a side's own.
Name = tuple[str, int]


class Look(NamedTuple):
    """A company that has touch with a body. pairs: approach by (observer, fleet) of those that have it. kept: without a look."""

    company: tuple[FleetState, ...]
    body: tuple[FleetState, ...]
    pairs: Mapping[Pair, int]
    kept: bool = False


@dataclass(slots=True)
class Sight:
    """What the looks of one side, or of one admiral where knowledge is by ship, make one report.

    pairs: (observer, fleet) that have touch. sail: of the greatest body. seen: its greatest fleet.
    """

    side: str
    sail: int
    point: Point
    course: int | None
    seen: FleetState
    observers: list[str]
    pairs: list[Pair]
    kinds: set[str]
    kept: bool
    number: int = 0

    def alike(self, other: Sight, miles: int) -> bool:
        """Whether two looks report what lies so near, on courses so much the same, that it is one contact. Rule: G.IG1."""
        if miles_between(self.point, other.point) > miles:
            return False
        if self.course is None or other.course is None:
            return True
        apart = abs(self.course - other.course) % 360
        return min(apart, 360 - apart) <= ALIKE

    def add(self, other: Sight) -> None:
        """Take in another look at what is reported as the same."""
        self.observers += [code for code in other.observers if code not in self.observers]
        self.pairs += other.pairs
        self.kinds |= other.kinds
        self.kept = self.kept and other.kept


def write_reports(
    chart: Chart, looks: Sequence[Look], before: Mapping[Pair, Touch], away: Mapping[Pair, Touch]
) -> None:
    """Number the contacts of this hour, write their reports, and tell what was lost. Rules: G.IG1, G.SI2, G.SI3.

    before: touches before this hour; away: those among them of fleets off the chart.
    """
    contacts = _contacts(chart, looks)
    _number(chart, contacts, before)
    told = {(contact.side, contact.number) for contact in contacts}
    told |= {_name(chart, touch) for touch in away.values() if touch.seen}
    for contact in contacts:
        if contact.number or not contact.kept:
            _report(chart, contact, before, told)
    _tell_lost(chart, before, told)


def _name(chart: Chart, touch: Touch) -> Name:
    return chart.state.fleets[touch.observer].side, touch.number


def _contacts(chart: Chart, looks: Sequence[Look]) -> list[Sight]:
    """The looks of each side and admiral, those that are alike as one, the greatest first."""
    miles = chart.facts.settings.company_miles * MILLI
    parties: dict[tuple[str, str], list[Sight]] = {}
    rows = [(party, contact) for look in looks for party, contact in _parties(chart, look)]
    for party, contact in sorted(
        rows, key=lambda row: (row[0], -row[1].sail, row[1].seen.code, row[1].observers)
    ):
        found = parties.setdefault(party, [])
        same = next((other for other in found if other.alike(contact, miles)), None)
        if same is None:
            found.append(contact)
        else:
            same.add(contact)
    return [contact for party in sorted(parties) for contact in parties[party]]


def _parties(chart: Chart, look: Look) -> Iterable[tuple[tuple[str, str], Sight]]:
    """What a look is to each side and admiral that has fleets in the company."""
    parties: dict[tuple[str, str], list[FleetState]] = {}
    for fleet in look.company:
        parties.setdefault((fleet.side, _admiral(chart, fleet)), []).append(fleet)
    for party, own in parties.items():
        observers = [fleet.code for fleet in own]
        pairs = [pair for pair in look.pairs if pair[0] in observers]
        codes = {pair[1] for pair in pairs}
        there = [fleet for fleet in look.body if fleet.code in codes]
        if not there:
            continue
        yield (
            party,
            Sight(
                side=party[0],
                sail=sum(len(chart.ships_of(fleet.code)) for fleet in there),
                point=chart.point(there[0].position),
                course=course_of(chart, there[0]),
                seen=there[0],
                observers=[code for code in observers if any(pair[0] == code for pair in pairs)],
                pairs=pairs,
                kinds=_kinds(chart, look),
                kept=look.kept,
            ),
        )


def _admiral(chart: Chart, fleet: FleetState) -> str:
    """Who commands a fleet, where that decides who knows; what parted from a fleet is still its admiral's. Rule: G.IN4."""
    if chart.facts.settings.knowledge != "by ship":
        return ""
    facts = chart.facts.fleets.get(fleet.code) or chart.facts.fleets.get(fleet.rejoins)
    return facts.admiral if facts is not None else ""


def _kinds(chart: Chart, look: Look) -> set[str]:
    """Kinds of the ships that came near enough to one of the company. Rule: G.SI2."""
    near = chart.facts.settings.kinds_miles * MILLI
    fleets = {fleet for (_, fleet), approach in look.pairs.items() if approach <= near}
    return {chart.facts.ships[ship.code].kind.value for code in fleets for ship in chart.ships_of(code)}


def _number(chart: Chart, contacts: list[Sight], before: Mapping[Pair, Touch]) -> None:
    """A contact keeps its number while one observer has touch; of parts of a body the greatest keeps it. Rules: G.IG1, G.SI3."""
    numbers, taken = chart.state.numbers, set[Name]()
    for contact in sorted(contacts, key=lambda row: (-row.sail, row.seen.code, row.observers)):
        had = {before[pair].number for pair in contact.pairs if pair in before and before[pair].seen}
        free = sorted(number for number in had if number and (contact.side, number) not in taken)
        if not free and contact.kept:
            continue
        if not free:
            numbers[contact.side] = numbers.get(contact.side, 0) + 1
        contact.number = free[0] if free else numbers[contact.side]
        taken.add((contact.side, contact.number))


def _report(chart: Chart, contact: Sight, before: Mapping[Pair, Touch], told: set[Name]) -> None:
    """Write a report of a contact when one is due, and bring the touches up to date. Rules: G.SI2, G.IG1."""
    had = {pair: before[pair] for pair in contact.pairs if pair in before and before[pair].seen}
    same = [touch for touch in had.values() if touch.number == contact.number]
    last = max(same, key=lambda touch: touch.reported, default=None)
    first = last is None or last.reported < 0
    kinds = tuple(sorted(contact.kinds))
    joined = {pair[1] for pair in contact.pairs} - {touch.fleet for touch in same}
    due = (
        first
        or chart.hour % WATCH == 0
        or bool(joined)
        or bool(kinds and last is not None and not last.kinds)
    )
    if contact.kept or not due:
        now = (last.reported, last.band, last.kinds) if last is not None else (-1, "", ())
    else:
        now = (chart.hour, band(contact.sail), kinds or (last.kinds if last is not None else ()))
    for pair in contact.pairs:
        touch = chart.state.touches[pair]
        chart.state.touches[pair] = replace(
            touch, number=contact.number, reported=now[0], band=now[1] or touch.band, kinds=now[2]
        )
    if due and not contact.kept:
        others = {touch.number for touch in had.values()} - {contact.number, 0}
        ended = tuple(sorted(number for number in others if (contact.side, number) not in told))
        _write(chart, contact, (now[1], now[2]), told, first=first, joined=ended)


def _write(
    chart: Chart,
    contact: Sight,
    seen: tuple[str, tuple[str, ...]],
    told: set[Name],
    *,
    first: bool,
    joined: tuple[int, ...],
) -> None:
    """The report itself; of a new contact it is told, with what the staff thinks. Rules: G.SI2, G.IG1, G.IG2.

    seen: band and kinds. joined: numbers of the contacts that it has taken in.
    """
    lead = contact.observers[0]
    report = SightingReport(
        side=contact.side,
        number=contact.number,
        hour=chart.hour + 1,
        latitude=round(contact.point.latitude * 100 / SCALE),
        longitude=round(contact.point.longitude * 100 / SCALE),
        course=contact.course,
        band=seen[0],
        kinds=seen[1],
        observer=lead,
        fleet=contact.seen.code,
        observers=tuple(contact.observers),
        joined=joined,
    )
    if first:
        held = {number for side, number in told if side == contact.side}
        report = replace(report, perhaps=staff.perhaps(report, _known_to(chart, contact), held))
    chart.state.reports.append(report)
    if first:
        remark = {"perhaps": report.perhaps} if report.perhaps else {}
        own = [pair for pair in contact.pairs if pair[0] == lead]
        key = (lead, contact.seen.code)
        touch = chart.state.touches[key if key in own else own[0]]
        chart.tell(
            "sighted", "G.SI2", contact.side, hour=chart.hour + 1, fleet=lead,
            number=report.number, latitude=report.latitude, longitude=report.longitude,
            course=report.course, band=report.band, kinds=list(report.kinds),
            equal=odds(chart, chart.state.fleets[lead], touch) >= 1, **remark,
        )  # fmt: skip


def _known_to(chart: Chart, contact: Sight) -> Iterable[SightingReport]:
    """The reports that the staff has before it, of this turn and the last ones: its own admiral's where knowledge is by ship."""
    own = _admiral(chart, chart.state.fleets[contact.observers[0]])
    since = chart.hour + 1 - staff.THOUGHT_OF
    recent = [*takewhile(lambda report: report.hour >= since, reversed(chart.state.reports))]
    for report in (*chart.earlier_reports(), *reversed(recent)):
        observer = chart.state.fleets.get(report.observer)
        if report.side == contact.side and (observer is None or _admiral(chart, observer) == own):
            yield report


def _tell_lost(chart: Chart, before: Mapping[Pair, Touch], told: set[Name]) -> None:
    """Tell of the contacts that no observer has touch with now, and which other one they are in company with. Rules: G.SI1, G.IG1."""
    lost: dict[Name, list[Touch]] = {}
    for pair in sorted(before):
        touch = before[pair]
        if touch.seen and touch.number and _name(chart, touch) not in told:
            lost.setdefault(_name(chart, touch), []).append(touch)
    for (side, number), touches in sorted(lost.items()):
        now = [chart.state.touches.get((touch.observer, touch.fleet)) for touch in touches]
        into = min((touch.number for touch in now if touch is not None and touch.seen), default=0)
        chart.tell(
            "touch_lost", "G.SI1", side, fleet=touches[0].observer, number=number,
            **({"into": into} if into else {}),
        )  # fmt: skip
