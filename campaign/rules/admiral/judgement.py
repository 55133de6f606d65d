"""What the automatic admiral makes of its side's knowledge: distances, bases, how strong an enemy is. Rules: G.CO1, G.SI2."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from campaign.rules.chart.points import Point, miles_between
from campaign.rules.chart.theatre import Geometry, geometry
from campaign.rules.chart.types import MILLI, PlaceKind
from campaign.rules.contact.contact import MIDDLES
from campaign.rules.turn.knowledge import Knowledge, KnownReport, OwnFleet

FRESH_HOURS = 48
# A report is worth a voyage when its place can be reached while it still means something: a day and a half at four knots.
WORTH_A_VOYAGE = 150 * MILLI
# A fleet reported so near a port of its own lies in it, or can be in it before us.
OFF_HIS_PORT = 10 * MILLI
GREAT_YARD = 2
AT_SEA = (PlaceKind.SEA_AREA, PlaceKind.STRAIT)
COMPANY = 3 * MILLI
# Squadrons and bases farther from each other than this, as the crow flies, have wars of their own: no orders reach them in time.
ONE_WAR = 600 * MILLI
# Reports within so many hours and miles of each other tell of fleets that can help each other.
NEARLY_AT_ONCE = 4
SUPPORTING = 15 * MILLI


def point_of(fleet: OwnFleet) -> Point:
    """Where a fleet is."""
    return Point(fleet.latitude * MILLI, fleet.longitude * MILLI)


def wars_of(fleets: list[OwnFleet]) -> list[list[OwnFleet]]:
    """Fleets by the wars that they fight in: the greatest with all near enough to it, then the greatest of those left, and so on."""
    left, wars = list(fleets), list[list[OwnFleet]]()
    while left:
        main = point_of(max(left, key=lambda fleet: (fleet.value, fleet.code)))
        wars.append([fleet for fleet in left if miles_between(main, point_of(fleet)) <= ONE_WAR])
        left = [fleet for fleet in left if fleet not in wars[-1]]
    return wars


class Judgement:
    """One side's view of the chart for a turn. fleets: those of one war (`wars_of`), whose bases alone count, if it has any."""

    def __init__(self, knowledge: Knowledge, fleets: list[OwnFleet]) -> None:
        self.known = knowledge
        self.geometry: Geometry = geometry(knowledge.theatre)
        self.closed = knowledge.enemy_ports
        self.own_bases = self._bases(knowledge.own_ports)
        greatest = max(fleets, key=lambda fleet: (fleet.value, fleet.code), default=None)
        self.ours = self._in_one_war(greatest, self.own_bases)
        self.theirs = self._in_one_war(greatest, self._bases(knowledge.enemy_ports))

    def _bases(self, ports: frozenset[str]) -> list[str]:
        """Ports where fleets lie: those with a great yard, or whatever there is."""
        great = [code for code in ports if self.known.theatre.places[code].dockyard >= GREAT_YARD]
        return sorted(great or ports)

    def _in_one_war(self, fleet: OwnFleet | None, bases: list[str]) -> list[str]:
        if fleet is None:
            return bases
        here = point_of(fleet)
        return [code for code in bases if miles_between(here, self.geometry.places[code]) <= ONE_WAR] or bases

    def place_of(self, known: KnownReport) -> Point:
        """Where a contact was reported."""
        return Point(known.report.latitude * MILLI, known.report.longitude * MILLI)

    def miles(self, fleet: OwnFleet, code: str) -> int:
        """Miles by sea from a fleet to a place, thousandths."""
        return self.geometry.distance(self.geometry.nearest(fleet.position), code, self.closed)

    def way(self, fleet: OwnFleet, target: str) -> tuple[str, ...]:
        """The route from where a fleet is, by the nearer way round when it is on a passage."""
        return self.geometry.way(fleet.position, target, self.closed)

    def together(self, a: OwnFleet, b: OwnFleet) -> bool:
        """Whether two fleets are in company. Rule: G.MV4."""
        return miles_between(point_of(a), point_of(b)) <= COMPANY

    def near(self, a: OwnFleet, b: OwnFleet) -> bool:
        """Whether two fleets fight in one war: orders reach from one to the other in time."""
        return miles_between(point_of(a), point_of(b)) <= ONE_WAR

    def in_port(self, fleet: OwnFleet) -> bool:
        """Whether a fleet lies in a port of its own side."""
        return not fleet.position.to and fleet.position.at in self.known.own_ports

    def fresh(self, fleet: OwnFleet, within: int = WORTH_A_VOYAGE) -> list[KnownReport]:
        """Reports that still mean something, near enough to a fleet, newest first. Rule: G.SI3."""
        here = point_of(fleet)
        return [
            known
            for known in self.known.reports
            if known.age <= FRESH_HOURS and miles_between(here, self.place_of(known)) <= within
        ]

    def greatest(self, reports: list[KnownReport]) -> KnownReport:
        """The report to act on: those of one hour may be of one fleet or of several, and the greatest of the newest counts."""
        newest = reports[0].report.hour
        latest = [known for known in reports if known.report.hour == newest]
        return max(latest, key=lambda known: (MIDDLES[known.report.band], known.report.number))

    def strength(self, known: KnownReport, reports: list[KnownReport]) -> Fraction:
        """What an enemy may be worth with the fleets near it: middles of the bands times the mean value of own ships. Rule: G.CO1.

        Reports of about the same hour from other spots are of other fleets; two look-outs report one fleet in one spot.
        """
        here, sail = self.place_of(known), dict[Point, Fraction]()
        for other in reports:
            spot = self.place_of(other)
            soon = abs(other.report.hour - known.report.hour) <= NEARLY_AT_ONCE
            if soon and miles_between(here, spot) <= SUPPORTING:
                sail[spot] = max(sail.get(spot, Fraction(0)), MIDDLES[other.report.band])
        return sum(sail.values(), Fraction(0)) * self.known.worth

    def company_value(self, main: OwnFleet, fleets: Iterable[OwnFleet]) -> Fraction:
        """Value of the fleets in company with one of them, itself included."""
        return sum((fleet.value for fleet in fleets if self.together(main, fleet)), Fraction(0))

    def port_near(self, point: Point) -> str:
        """The enemy's port off which a contact was seen, "" for one at sea."""
        near = [
            (miles_between(self.geometry.places[code], point), code)
            for code in self.closed
            if miles_between(self.geometry.places[code], point) <= OFF_HIS_PORT
        ]
        return min(near)[1] if near else ""

    def yard(self, fleet: OwnFleet) -> str:
        """The own port where a fleet is mended: the nearest with a great yard, unless a lesser one is much nearer.

        Only yards fit for its worst ship count, where there is one; "" for none at all. Rule: G.RP2.
        """
        places, own = self.known.theatre.places, self.known.own_ports
        if not own:
            return ""
        best = max(places[code].dockyard for code in own)
        ports = sorted(code for code in own if places[code].dockyard >= min(fleet.needs, best))
        nearest = min(ports, key=lambda code: (self.miles(fleet, code), code))
        bases = [code for code in self.own_bases if code in ports] or ports
        great = min(bases, key=lambda code: (self.miles(fleet, code), code))
        far = self.miles(fleet, great) > 2 * self.miles(fleet, nearest) + WORTH_A_VOYAGE // 3
        return nearest if far else great

    def refuge(self, fleet: OwnFleet) -> str:
        """The nearest own port, where no one follows; "" when there is none."""
        ports = sorted(self.known.own_ports)
        return min(ports, key=lambda code: (self.miles(fleet, code), code), default="")

    def meeting_ground(self) -> str:
        """The open water that lies as evenly and as near as can be between both sides' bases; own waters when there is no enemy."""
        seas = self._seas()
        if not self.ours:
            return seas[0]
        if not self.theirs:
            return min(seas, key=lambda code: (self._to(code, self.ours), code))
        return min(seas, key=lambda code: (self._unevenness(code), code))

    def beat(self, target: str) -> str:
        """The neighbour of a cruising ground that is the best ground after it."""
        seas = set(self._seas())
        near = [code for code in self.geometry.neighbours[target] if code in seas]
        if not self.ours or not self.theirs:
            return min(near, default="")
        return min(near, key=lambda code: (self._unevenness(code), code), default="")

    def covering_place(self, fleet: OwnFleet) -> str:
        """The road or open water off the nearest own base."""
        if not self.own_bases:
            return self.geometry.nearest(fleet.position)
        base = min(self.own_bases, key=lambda code: (self.miles(fleet, code), code))
        return min(self._open(), key=lambda code: (self._to(code, [base]), code))

    def nearest_open(self, point: Point) -> str:
        """The place on the chart nearest to a report that a fleet can sail to."""
        return min(self._open(), key=lambda code: miles_between(self.geometry.places[code], point))

    def _unevenness(self, code: str) -> int:
        own, enemy = self._to(code, self.ours), self._to(code, self.theirs)
        return abs(own - enemy) + max(own, enemy)

    def _seas(self) -> list[str]:
        """Open water, in the order of codes; any place when a theatre has none."""
        places = self.known.theatre.places
        return sorted(code for code, p in places.items() if p.kind in AT_SEA) or sorted(places)

    def _open(self) -> list[str]:
        """Places where a fleet can cruise: no port, no shoals, no enemy's road; any place when there is none."""
        places = self.known.theatre.places
        hostile = {places[code].owner for code in self.closed}
        return sorted(
            code
            for code, place in places.items()
            if place.kind not in (PlaceKind.PORT, PlaceKind.SHOAL_COAST) and place.owner not in hostile
        ) or sorted(places)

    def _to(self, code: str, bases: list[str]) -> int:
        return min(self.geometry.distance(code, base) for base in bases)
