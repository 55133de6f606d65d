"""The first automatic admiral, kept for the present one to be measured against. Rules: G.MV2, G.MV5, G.CO1.

He keeps the fleet together, goes for an enemy that is reported near and not too strong, falls back on his own ports before a
stronger one, waits on the ground between both sides' ports when nothing is reported, and brings a crippled fleet home.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from battles.engine.core.scenario import Stance
from campaign.rules.chart.points import Point, miles_between
from campaign.rules.chart.theatre import Geometry, geometry
from campaign.rules.chart.types import MILLI, FleetOrder, Instructions, OnArrival, PlaceKind
from campaign.rules.contact.contact import MIDDLES
from campaign.rules.turn.knowledge import Knowledge, KnownReport, OwnFleet

CRIPPLED = Fraction(1, 3)
REFITTED = Fraction(1, 10)
FRESH_HOURS = 48
# A report is worth a voyage when its place can be reached while it still means something: a day and a half at four knots.
WORTH_A_VOYAGE = 150 * MILLI
# Squadrons and bases farther from each other than this, as the crow flies, have wars of their own: no orders reach them in time.
ONE_WAR = 600 * MILLI
GREAT_YARD = 2
AT_SEA = (PlaceKind.SEA_AREA, PlaceKind.STRAIT)


def admiral_orders(
    knowledge: Knowledge,
    instructions: Instructions | None = None,
    bound: Mapping[str, FleetOrder] | None = None,
) -> dict[str, FleetOrder]:
    """Orders for every fleet of a side that is not held, by code.

    instructions: battle instructions to fight under, the defaults when not given. bound: orders that fleets had before he was
    asked, by code; such a fleet goes where it was told unless it needs a yard, and stays or keeps its beat until an enemy is near.
    Rule: G.MV2.
    """
    fleets = [knowledge.fleets[code] for code in sorted(knowledge.fleets)]
    free = [fleet for fleet in fleets if not fleet.held_by]
    if not free:
        return {}
    plan = _Plan(knowledge, instructions or Instructions())
    fit = [fleet for fleet in free if not plan.refits(fleet) and fleet.rejoins not in knowledge.fleets]
    orders: dict[str, FleetOrder] = {}
    for fleet in free:
        main = plan.main_of(fleet, fit)
        if bound and fleet.code in bound and plan.is_bound(fleet, bound[fleet.code]):
            orders[fleet.code] = bound[fleet.code]
        elif main is None or plan.refits(fleet):
            orders[fleet.code] = plan.home(fleet)
        elif fleet.rejoins in knowledge.fleets:
            orders[fleet.code] = plan.rejoin(fleet, knowledge.fleets[fleet.rejoins])
        elif fleet.code == main.code:
            orders[fleet.code] = plan.lead(fleet)
        else:
            orders[fleet.code] = plan.join(fleet, main)
    return orders


class _Plan:
    """One side's plan for a turn."""

    def __init__(self, knowledge: Knowledge, instructions: Instructions) -> None:
        self.known = knowledge
        self.instructions = instructions
        self.geometry: Geometry = geometry(knowledge.theatre)
        self.closed = knowledge.enemy_ports
        self.own_bases = self._bases(knowledge.own_ports)
        self.enemy_bases = self._bases(knowledge.enemy_ports)

    def _bases(self, ports: frozenset[str]) -> list[str]:
        """Ports where fleets lie: those with a great yard, or whatever there is."""
        great = [code for code in ports if self.known.theatre.places[code].dockyard >= GREAT_YARD]
        return sorted(great or ports)

    def refits(self, fleet: OwnFleet) -> bool:
        """Whether a fleet goes home, or stays in its yard until it is whole again."""
        in_yard = not fleet.position.to and fleet.position.at in self.known.own_ports
        return fleet.hull_lost > (REFITTED if in_yard else CRIPPLED) or not fleet.value

    def is_bound(self, fleet: OwnFleet, order: FleetOrder) -> bool:
        """Whether a fleet is still to carry out an order that it had before."""
        bound_away = bool(order.route) and order.on_arrival is not OnArrival.PATROL
        return not self.refits(fleet) and (bound_away or not self.reports_near(fleet))

    def main_of(self, fleet: OwnFleet, fit: list[OwnFleet]) -> OwnFleet | None:
        """The greatest fleet of those in one war with this one: an ocean away every squadron has its own. None without any."""
        here = self._point(fleet)
        company = [one for one in fit if miles_between(here, self._point(one)) <= ONE_WAR]
        return max(company or fit, key=lambda one: (one.value, one.code), default=None)

    def home(self, fleet: OwnFleet) -> FleetOrder:
        """To the nearest own port whose yard can make it whole, else to the best yard, out of every enemy's way. Rule: G.RP2."""
        if not self.known.own_ports:
            return self._order(fleet, (), Stance.AVOID)
        places = self.known.theatre.places
        best = max(places[code].dockyard for code in self.known.own_ports)
        fit = [code for code in self.known.own_ports if places[code].dockyard >= min(fleet.needs, best)]
        port = min(sorted(fit), key=lambda code: self._miles(fleet, code))
        return self._order(fleet, self._way(fleet, port), Stance.AVOID)

    def join(self, fleet: OwnFleet, main: OwnFleet) -> FleetOrder:
        """To the main fleet, where it is now or is bound for."""
        target = self.goal(main)[0]
        return self._order(fleet, self._way(fleet, target), Stance.HOLD if fleet.scout else Stance.SEEK)

    def rejoin(self, fleet: OwnFleet, parent: OwnFleet) -> FleetOrder:
        """After the fleet that it has parted from, to be one with it again. Rule: G.MV4."""
        target = self.goal(parent)[0]
        return self._order(fleet, self._way(fleet, target), Stance.AVOID, OnArrival.JOIN)

    def lead(self, fleet: OwnFleet) -> FleetOrder:
        """What the main fleet does."""
        target, stance = self.goal(fleet)
        route = self._way(fleet, target)
        if stance is Stance.SEEK and not route:
            beat = self._beat(fleet, target)
            if beat:
                return self._order(fleet, (beat,), stance, OnArrival.PATROL)
        return self._order(fleet, route, stance)

    def goal(self, main: OwnFleet) -> tuple[str, Stance]:
        """Where the main fleet goes, and whether it seeks or avoids."""
        reports = self.reports_near(main)
        if not reports:
            return self.meeting_ground(main), Stance.SEEK
        newest = reports[0].report.hour
        # Reports of one hour may be of one fleet or of several: the greatest of them counts.
        latest = [known.report for known in reports if known.report.hour == newest]
        report = max(latest, key=lambda r: (MIDDLES[r.band], r.number))
        own = sum((f.value for f in self.known.fleets.values() if self._together(main, f)), Fraction(0))
        strength = MIDDLES[report.band] * self.known.worth
        if strength <= own * Fraction(self.instructions.greatest_odds):
            point = Point(report.latitude * MILLI, report.longitude * MILLI)
            return self._nearest(point), Stance.SEEK
        return self.covering_place(main), Stance.AVOID

    def reports_near(self, fleet: OwnFleet) -> list[KnownReport]:
        """What is known of enemies that a fleet could come up with, newest first."""
        return [
            known for known in self.known.reports if known.age <= FRESH_HOURS and self._near(fleet, known)
        ]

    def _together(self, main: OwnFleet, fleet: OwnFleet) -> bool:
        here, there = self._point(main), self._point(fleet)
        return miles_between(here, there) <= 3 * MILLI

    def _near(self, fleet: OwnFleet, known: KnownReport) -> bool:
        there = Point(known.report.latitude * MILLI, known.report.longitude * MILLI)
        return miles_between(self._point(fleet), there) <= WORTH_A_VOYAGE

    def meeting_ground(self, fleet: OwnFleet) -> str:
        """The open water that lies as evenly and as near as can be between both sides' bases; own waters when there is no enemy.

        Only bases in one war with the fleet count, as long as there are any.
        """
        seas = self._seas()
        own, enemy = self._in_one_war(fleet, self.own_bases), self._in_one_war(fleet, self.enemy_bases)
        if not own:
            return seas[0]
        if not enemy:
            return min(seas, key=lambda code: (self._to(code, own), code))
        return min(seas, key=lambda code: (self._unevenness(code, own, enemy), code))

    def _in_one_war(self, fleet: OwnFleet, bases: list[str]) -> list[str]:
        here = self._point(fleet)
        near = [code for code in bases if miles_between(here, self.geometry.places[code]) <= ONE_WAR]
        return near or bases

    def _unevenness(self, code: str, own_bases: list[str], enemy_bases: list[str]) -> int:
        own, enemy = self._to(code, own_bases), self._to(code, enemy_bases)
        return abs(own - enemy) + max(own, enemy)

    def covering_place(self, fleet: OwnFleet) -> str:
        """The road or open water off the nearest own base."""
        if not self.own_bases:
            return self.geometry.nearest(fleet.position)
        base = min(self.own_bases, key=lambda code: (self._miles(fleet, code), code))
        return min(self._open(), key=lambda code: (self._to(code, [base]), code))

    def _beat(self, fleet: OwnFleet, target: str) -> str:
        """The neighbour of a cruising ground that is the best ground after it."""
        seas = set(self._seas())
        near = [code for code in self.geometry.neighbours[target] if code in seas]
        own, enemy = self._in_one_war(fleet, self.own_bases), self._in_one_war(fleet, self.enemy_bases)
        if not own or not enemy:
            return min(near, default="")
        return min(near, key=lambda code: (self._unevenness(code, own, enemy), code), default="")

    def _seas(self) -> list[str]:
        """Open water, in the order of codes; any place when a theatre has none."""
        places = self.known.theatre.places
        return sorted(code for code, p in places.items() if p.kind in AT_SEA) or sorted(places)

    def _nearest(self, point: Point) -> str:
        """The place on the chart nearest to a report that a fleet can sail to."""
        return min(self._open(), key=lambda code: miles_between(self.geometry.places[code], point))

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

    def _point(self, fleet: OwnFleet) -> Point:
        return Point(fleet.latitude * MILLI, fleet.longitude * MILLI)

    def _miles(self, fleet: OwnFleet, code: str) -> int:
        return self.geometry.distance(self.geometry.nearest(fleet.position), code, self.closed)

    def _way(self, fleet: OwnFleet, target: str) -> tuple[str, ...]:
        """The route from where a fleet is, by the nearer way round when it is on a passage."""
        return self.geometry.way(fleet.position, target, self.closed)

    def _order(
        self,
        fleet: OwnFleet,
        route: tuple[str, ...],
        stance: Stance,
        on_arrival: OnArrival = OnArrival.ANCHOR,
    ) -> FleetOrder:
        doctrine = replace(self.instructions.doctrine, stance=stance)
        return FleetOrder(
            fleet=fleet.code,
            route=route,
            stance=stance,
            on_arrival=on_arrival,
            instructions=replace(self.instructions, doctrine=doctrine, cripples_to=self._sick_bay(fleet)),
        )

    def _sick_bay(self, fleet: OwnFleet) -> str:
        """Where a fleet sends its prizes and cripples: the port told, else the nearest of the best yards. Rules: G.MV5, G.RP2."""
        places = self.known.theatre.places
        best = max((places[code].dockyard for code in self.own_bases), default=0)
        yards = [code for code in self.own_bases if places[code].dockyard == best and best]
        near = min(yards, key=lambda code: (self._miles(fleet, code), code), default="")
        return self.instructions.cripples_to or near
