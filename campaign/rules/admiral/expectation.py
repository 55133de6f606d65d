"""What the automatic admiral expects of the enemy: circles that grow with the age of a report, and the gate through which he must come.

Rule: G.AA3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from campaign.rules.admiral.judgement import Judgement
from campaign.rules.chart.objectives import AimKind
from campaign.rules.chart.points import Point, miles_between
from campaign.rules.chart.types import MILLI, ShipKind
from campaign.rules.contact.contact import MIDDLES
from campaign.rules.state.clock import DAY
from campaign.rules.turn.knowledge import Knowledge, KnownReport, OwnFleet
from campaign.rules.turn.war_known import ENOUGH_MET, KnownAim

FIRST_MILES, MILES_AN_HOUR, WIDEST = 6, 4, 600
WEIGHTS = ((48, Fraction(1)), (5 * DAY, Fraction(1, 2)), (10 * DAY, Fraction(1, 4)))
# So long a fleet that was seen in its port, and not since, is taken to lie there, and what it counts for at least.
IN_PORT_HOURS, IN_PORT = 30 * DAY, Fraction(1, 2)
# A circle that has grown so wide is no place to look for anybody.
LOST_AT = 100 * MILLI
HEAD_START = 12
# A report gives a place to the hundredth of a degree.
IN_HARBOUR = 3 * MILLI // 2
STAYS_HOURS = 72
_BANDS = tuple(MIDDLES)


@dataclass(frozen=True, slots=True)
class Circle:
    """Where a contact may be by now. centre: of its last report; radius: thousandths of a mile; age: hours. value: expected of it."""

    number: int
    centre: Point
    radius: int
    age: int
    band: str
    value: Fraction


class Expectation:
    """What one side may expect, and where. Rule: G.AA3."""

    def __init__(self, view: Judgement) -> None:
        self.view = view
        self.known: Knowledge = view.known
        self.circles = circles(view)

    def at(self, place: str) -> Fraction:
        """Value of the enemy expected at a place: of all circles that reach it."""
        point = self.view.geometry.places[place]
        return sum(
            (row.value for row in self.circles if miles_between(point, row.centre) <= row.radius), Fraction(0)
        )

    @property
    def total(self) -> Fraction:
        """Value of the enemy that the side knows of: by its reports, or by the names of those it has met in battle."""
        war = self.known.war
        return max(sum((row.value for row in self.circles), Fraction(0)), war.met * war.met_worth)

    def of(self, number: int) -> Circle | None:
        """The circle of a contact, None when nothing is expected of it any more."""
        return next((row for row in self.circles if row.number == number), None)

    def in_time(self, fleet: OwnFleet, circle: Circle) -> bool:
        """Whether a fleet can be where a contact was reported before its circle has grown too wide.

        An enemy who has gathered where he meant to is looked for there for three days.
        """
        if circle.number < 0:
            return circle.age <= STAYS_HOURS
        hours = self.hours(fleet, self.view.nearest_open(circle.centre))
        return radius_at(circle.age + hours) <= LOST_AT

    def hours(self, fleet: OwnFleet, place: str) -> int:
        """Hours to a place at the pace of the age, whole."""
        return self.view.miles(fleet, place) // (self.known.pace * MILLI)

    def quiet_way(self, fleet: OwnFleet, place: str) -> tuple[str, ...]:
        """The way to a place that crosses least of what is expected, among those a quarter longer than the shortest at most.

        Ways are the shortest, and the shortest by each place beside it. Rule: G.AA4.
        """
        geometry = self.view.geometry
        direct = self.view.way(fleet, place)
        start = geometry.nearest(fleet.position)
        longest = geometry.distance(start, place, self.view.closed) * 5 // 4
        ways = [direct]
        for by in sorted(geometry.places):
            if by in direct or by in self.view.closed:
                continue
            far = geometry.distance(start, by, self.view.closed) + geometry.distance(
                by, place, self.view.closed
            )
            if far <= longest:
                ways.append((*self.view.way(fleet, by), *geometry.route(by, place, self.view.closed)))
        return min(ways, key=lambda way: (self._crossed(way), ways.index(way)))

    def _crossed(self, way: tuple[str, ...]) -> Fraction:
        """Value of the circles that a way passes through on its road, its end apart: that is the same for all."""
        points = [self.view.geometry.places[code] for code in way[:-1]]
        return sum(
            (
                row.value
                for row in self.circles
                if any(miles_between(point, row.centre) <= row.radius for point in points)
            ),
            Fraction(0),
        )

    def gate(self, circle: Circle, aims: Iterable[KnownAim], fleet: OwnFleet, kept: str = "") -> str:
        """The place where a fleet meets a contact on its way; where it would come too late everywhere, the end of that way. "" for none.

        kept: the gate that it waits at already, which stands unless another is worth a third more.
        """
        worth = self._ways(circle, aims)
        open_ = {
            place: marks
            for place, marks in worth.items()
            if self.hours(fleet, place) + HEAD_START <= self._theirs(circle, place) or place == kept
        }
        if not open_:
            return self._goal(circle, aims)
        best = max(sorted(open_), key=lambda place: (open_[place], -self._theirs(circle, place)))
        return kept if kept in open_ and 3 * open_[best] < 4 * open_[kept] else best

    def _goal(self, circle: Circle, aims: Iterable[KnownAim]) -> str:
        """Where a contact is bound for: the nearest place of an objective of the enemy's, "" when there is none.

        He lands an army last: its beaches count when he is about nothing else.
        """
        start = self.view.nearest_open(circle.centre)
        rows = [aim.row for aim in aims if not aim.own and not aim.achieved]
        first = [row for row in rows if row.kind is not AimKind.LAND and row.where]
        geometry, closed = self.view.geometry, self.view.closed
        ends = {code for row in first or rows for code in row.where if code in geometry.places}
        # where all of them are his own ports, he is met off them
        off = {near for code in ends for near in geometry.neighbours[code]}
        places = (ends - closed) or (off - closed)
        return min(sorted(places), key=lambda code: self.view.geometry.distance(start, code), default="")

    def _ways(self, circle: Circle, aims: Iterable[KnownAim]) -> dict[str, int]:
        """Marks of the enemy's public objectives whose way from a contact passes each place."""
        start = self.view.nearest_open(circle.centre)
        worth: dict[str, int] = {}
        for aim in aims:
            places = [code for code in aim.row.where if code in self.view.geometry.places]
            if aim.own or aim.achieved or not places:
                continue
            goal = min(places, key=lambda code: (self.view.geometry.distance(start, code), code))
            for place in (start, *self.view.geometry.route(start, goal)):
                if place not in self.view.closed:
                    worth[place] = worth.get(place, 0) + aim.row.marks
        return worth

    def _theirs(self, circle: Circle, place: str) -> int:
        """Hours in which a contact can be at a place, from where it may be by now."""
        start = self.view.nearest_open(circle.centre)
        return max(0, self.view.geometry.distance(start, place) // (self.known.pace * MILLI) - circle.age)


def radius_at(age: int) -> int:
    """Thousandths of a mile around its report within which a contact is after so many hours. Rule: G.AA3."""
    return min(WIDEST, FIRST_MILES + MILES_AN_HOUR * age) * MILLI


def weight_at(age: int) -> Fraction:
    """What a report of so many hours counts for. Rule: G.AA3."""
    return next((weight for hours, weight in WEIGHTS if age <= hours), Fraction(0))


def circles(view: Judgement) -> tuple[Circle, ...]:
    """Circles of the reports that still count, the latest first; of overlapping ones alike in strength only the latest. Rule: G.AA3."""
    rows = [*_gathered(view)]
    for row in view.known.reports:
        weight = weight_at(row.age)
        if row.age <= IN_PORT_HOURS and _lay_in_port(view, row):
            weight = max(weight, IN_PORT)
        value = weight * sail_of(view.known, row) * worth_of(view.known, row)
        rows.append(
            Circle(
                row.report.number,
                view.place_of(row),
                radius_at(row.age),
                row.age,
                row.report.band,
                value,
            )
        )
    found: list[Circle] = []
    for circle in sorted(rows, key=lambda circle: circle.age):
        if circle.value and not any(_same(other, circle) for other in found):
            found.append(circle)
    return tuple(found)


def _lay_in_port(view: Judgement, row: KnownReport) -> bool:
    """Whether a contact lay in an enemy's port when it was last reported, and not off it."""
    port = view.port_near(view.place_of(row))
    return (
        bool(port)
        and row.report.course is None
        and miles_between(view.geometry.places[port], view.place_of(row)) <= IN_HARBOUR
    )


def _gathered(view: Judgement) -> Iterator[Circle]:
    """What an enemy's achieved objective tells of his battle fleet: that it lay at one of those places on that morning. Rule: G.OB4.

    Numbers of such circles are below 0.
    """
    known = view.known
    for n, aim in enumerate(known.war.aims):
        if aim.own or not aim.achieved or aim.row.kind not in (AimKind.GATHER, AimKind.SEA):
            continue
        age = known.hour - aim.achieved_at
        places = [code for code in aim.row.where if code in view.geometry.places]
        if places and weight_at(age):
            fleet = max(known.war.met * known.war.met_worth, MIDDLES[_BANDS[-2]] * known.worth)
            centre = view.geometry.places[places[0]]
            yield Circle(-1 - n, centre, radius_at(age), age, _BANDS[-1], weight_at(age) * fleet)


def sail_of(known: Knowledge, row: KnownReport) -> Fraction:
    """Sail in a contact: the middle of its band; a crowd beyond counting is as many as the side has met by name. Rules: G.AA3, G.CO1."""
    if row.report.band == _BANDS[-1]:
        return max(MIDDLES[row.report.band], Fraction(known.war.met))
    return MIDDLES[row.report.band]


def worth_of(known: Knowledge, row: KnownReport) -> Fraction:
    """Mean value of a sail: of the enemies met in battle when there are enough of them, else of one's own ships; of traders nothing."""
    if set(row.report.kinds) == {ShipKind.MERCHANT.value}:
        return Fraction(0)
    return known.war.met_worth if known.war.met >= ENOUGH_MET else known.worth


def _same(later: Circle, earlier: Circle) -> bool:
    """Whether a later report may be of the fleet that an earlier one told of: where that can be by now, and no smaller.

    Close by one band smaller will do: the same fleet is often counted short. Far off a smaller one is another fleet, or a great fleet
    that has put to sea would be forgotten for a squadron that lies in port.
    """
    shorter = _BANDS.index(earlier.band) - _BANDS.index(later.band)
    far = miles_between(later.centre, earlier.centre)
    if far > max(later.radius, earlier.radius):
        return False
    return -1 <= shorter <= 0 or (shorter == 1 and far <= LOST_AT)
