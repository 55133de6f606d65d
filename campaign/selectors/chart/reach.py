"""How far a fleet can sail in the turn that is open, if the wind holds as its own side knows it. Rules: G.MV1, G.WX1, G.IN1.

It is reckoned with the speeds and weather of the rules' own forecast, along passages, past no enemy's port. No dice, nothing of an enemy.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from battles.engine.pinned.rules import Use
from campaign.accounts import counted
from campaign.models import Campaign, Station, Turn
from campaign.pinned.use import rules_of
from campaign.rules.ashore.side_faults import chart_of
from campaign.rules.chart import types as t
from campaign.rules.sailing.movement import fleet_speed, may_sail
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart
from campaign.rules.turn.forecast import weather_known
from campaign.rules.turn.turn import standing
from campaign.selectors.sea.chart_paper import projection_of
from campaign.selectors.sea.places import short_name
from campaign.selectors.turn.facts import turn_facts
from campaign.where import latitude_longitude

NAMED = 12  # so many places are named, the nearest first


@dataclass(frozen=True, slots=True)
class Reach:
    """What a fleet can reach. path: path data in chart units, "" when it cannot move; words: the same for reading."""

    path: str
    words: str


def reach_of(campaign: Campaign, station: Station, turn: Turn) -> Reach:
    """The passages that a fleet can sail before the turn is over. Rules: G.MV1, G.WX1."""
    if station.held_by:
        return Reach("", "Held by a battle until its result is applied.")
    facts, _ = turn_facts(turn)
    fleet = facts.fleets[station.fleet.code]
    own = {code: ship for code, ship in facts.ships.items() if ship.fleet == fleet.code}
    alone = replace(facts, fleets={fleet.code: fleet}, ships=own, carried={})
    use = rules_of(turn)
    state = use(standing)(alone)
    state.weather = use(weather_known)(facts, fleet.side)
    hours = 24 * facts.days - max(0, fleet.free_until - facts.first_hour)
    found = Sailing(use, use(chart_of)(alone, state), state.fleets[fleet.code], max(0, hours))
    paper, theatre = projection_of(campaign.theatre.code), facts.theatre

    def spot(position: t.Position) -> str:
        latitude, longitude = latitude_longitude(theatre, position)
        x, y = paper.to_xy(latitude / 100, longitude / 100)
        return f"{x:.1f} {y:.1f}"

    path = "".join(f"M{spot(start)}L{spot(end)}" for start, end in found.stretches())
    names = [short_name(theatre.places[code].name) for code in found.places() if code != fleet.position.at]
    return Reach(path, _in_words(names, facts.days, moves=bool(path)))


def _in_words(names: list[str], days: int, *, moves: bool) -> str:
    within = f"in {counted(days, 'day')}, if the wind holds"
    if not moves:
        return f"Cannot move {within}."
    if not names:
        return f"Reaches no other place {within}."
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"Can reach {within}: {', '.join(names[:NAMED])}{more}."


class Sailing:
    """The hours in which a fleet can be at each place, and how far it gets on each passage.

    use: the rules that it sails by, and chart theirs. hours: that it has.
    """

    def __init__(self, use: Use, chart: Chart, fleet: FleetState, hours: int) -> None:
        self.speed = use(fleet_speed)
        self.chart, self.fleet, self.hours = chart, fleet, Fraction(hours)
        self.legs, self.start = chart.geometry.legs, fleet.position
        self.at: dict[str, Fraction] = {}
        self.sails = bool(hours) and use(may_sail)(chart, fleet)
        if self.sails:
            self._sail()

    def places(self) -> list[str]:
        """Codes of the places that it can reach, the nearest in time first."""
        return sorted(self.at, key=lambda code: (self.at[code], code))

    def stretches(self) -> Iterator[tuple[t.Position, t.Position]]:
        """The parts of passages that it can sail, each from one position to another."""
        if self.start.to and self.sails:
            for end in (self.start.to, self.start.at):
                yield self.start, self._last(self.start, end, self.hours)
        for code in self.places():
            for other in self.chart.geometry.neighbours[code]:
                if {code, other} != {self.start.at, self.start.to}:
                    begins = t.Position(code)
                    last = self._last(begins, other, self.hours - self.at[code])
                    if last != begins:
                        yield begins, last

    def _sail(self) -> None:
        """The least hours to every place: Dijkstra's way, with hours for lengths."""
        heap: list[tuple[Fraction, str]] = []
        if self.start.to:
            for end in (self.start.to, self.start.at):
                self._offer(heap, Fraction(0), self.start, end)
        else:
            heapq.heappush(heap, (Fraction(0), self.start.at))
        while heap:
            hour, code = heapq.heappop(heap)
            if code in self.at:
                continue
            self.at[code] = hour
            if code in self.chart.closed[self.fleet.side] and code != self.start.at:
                continue
            for other in self.chart.geometry.neighbours[code]:
                self._offer(heap, hour, t.Position(code), other)

    def _offer(self, heap: list[tuple[Fraction, str]], hour: Fraction, begins: t.Position, end: str) -> None:
        if end in self.at or end in self.chart.closed[self.fleet.side]:
            return
        halves = self._halves(begins, end)
        if all(knots for _, knots in halves):
            there = hour + sum((Fraction(miles, knots) for miles, knots in halves), Fraction(0))
            if there <= self.hours:
                heapq.heappush(heap, (there, end))

    def _halves(self, begins: t.Position, end: str) -> list[tuple[int, int]]:
        """A passage from a position to one of its ends: miles left of each half, and the speed in its weather, both in thousandths."""
        other, run, length = self._ahead(begins, end)
        bearing = self.legs[other, end].bearing
        halves = []
        for until, near in ((length // 2, other), (length, end)):
            if run < until:
                here = replace(self.fleet, position=t.Position(near))
                halves.append((until - run, self.speed(self.chart, here, bearing)))
                run = until
        return halves

    def _ahead(self, begins: t.Position, end: str) -> tuple[str, int, int]:
        """The other end of a passage, the run from there to a position on it, and its length."""
        other = begins.at if end != begins.at else begins.to
        length = self.legs[other, end].length
        if not begins.to:
            return other, 0, length
        return other, begins.run if end == begins.to else length - begins.run, length

    def _last(self, begins: t.Position, end: str, hours: Fraction) -> t.Position:
        """How far it gets from a position towards an end of its passage in so many hours."""
        if end in self.chart.closed[self.fleet.side]:
            return begins
        other, run, length = self._ahead(begins, end)
        for miles, knots in self._halves(begins, end):
            gained = min(miles, int(knots * hours))
            run += gained
            if gained < miles:
                break
            hours -= Fraction(miles, knots)
        return t.Position(end) if run >= length else t.Position(other, end, run) if run else begins
