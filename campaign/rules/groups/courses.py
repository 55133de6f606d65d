"""Where groups go by their side's standing orders, hour by hour. Rules: G.KT1, G.KT2, G.AA5."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from battles.engine.core.scenario import Stance
from campaign.rules.ashore.yards import own_port, refit_of
from campaign.rules.chart.points import Point, miles_between
from campaign.rules.chart.types import MILLI, FleetOrder, OnArrival, PlaceKind, Position
from campaign.rules.contact.contact import company_of
from campaign.rules.groups.kinds import CRIPPLES, PRIZES, STRAGGLERS, changed_kind, sails_by_itself
from campaign.rules.groups.uniting import join
from campaign.rules.sailing.parting import rendezvous
from campaign.rules.state.clock import DAY
from campaign.rules.state.documents import report_from
from campaign.rules.state.economy import AFLOAT
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart

WATCHED_MILES = 10 * MILLI
WATCHED_HOURS = 48
# A prize goes so much farther than to the nearest port to keep clear of a watched one, and no more.
FARTHER = Fraction(1, 8)


def group_step(chart: Chart) -> None:
    """Groups of a kind unite in any hour; at 06:00 each takes the course of its side's standing orders. Rules: G.KT1, G.KT2."""
    groups = [fleet for fleet in chart.fleets() if sails_by_itself(chart, fleet) and chart.on_chart(fleet)]
    if not groups:
        return
    engaged = {code for key in chart.state.contacts for code in key}
    for group in groups:
        if group.code not in engaged:
            _unite(chart, group.code, engaged)
    if chart.hour % DAY:
        return
    for group in groups:
        now = chart.state.fleets[group.code]
        if now.ended or now.code in engaged:
            continue
        kind = changed_kind(chart, now)
        # stragglers who have no fleet to rejoin, and are safe, are a fleet like any other
        alone = kind == STRAGGLERS and not now.rejoins and bool(own_port(chart, now))
        now = chart.alter(now, group="" if alone else kind)
        if now.group:
            set_course(chart, now)


def _unite(chart: Chart, code: str, engaged: set[str]) -> None:
    """Bring a group into a greater one of its kind that is bound for the same place and in company. Rule: G.KT1."""
    group = chart.state.fleets[code]
    if group.ended:
        return
    alike = [
        other
        for other in company_of(chart, group)
        if other.code != code
        and (other.side, other.group) == (group.side, group.group)
        and sails_by_itself(chart, other)
        and other.code not in engaged
        and _goal(other) == _goal(group)
        and (group.group != STRAGGLERS or other.rejoins == group.rejoins)
        and _size(chart, other) > _size(chart, group)
    ]
    if alike:
        join(chart, group, max(alike, key=lambda other: _size(chart, other)))


def _size(chart: Chart, fleet: FleetState) -> tuple[int, str]:
    return len(chart.ships_of(fleet.code)), fleet.code


def _goal(fleet: FleetState) -> str:
    """The place that a group is bound for, or lies at."""
    return fleet.order.route[-1] if fleet.order.route else fleet.position.at


def set_course(chart: Chart, group: FleetState) -> FleetState:
    """Set a group on its way by the standing orders; it keeps its way while that still leads where it is to go. Rule: G.KT2."""
    place, on_arrival = _whither(chart, group)
    at = "" if group.position.to else group.position.at
    if place == (_goal(group) if group.order.route else at) and on_arrival is group.order.on_arrival:
        return group
    route = chart.geometry.way(group.position, place, chart.closed[group.side]) if place else ()
    order = FleetOrder(group.code, route, Stance.AVOID, on_arrival, group.order.instructions)
    return chart.alter(group, order=order, path=())


def _whither(chart: Chart, group: FleetState) -> tuple[str, OnArrival]:
    told = chart.state.economy.order(group.side).groups
    if group.group == PRIZES:
        return prize_port(chart, group), OnArrival.ANCHOR
    if group.group == CRIPPLES and told.cripples != "fleet":
        return cripples_port(chart, group, chart.ships_of(group.code)), OnArrival.ANCHOR
    if group.group == STRAGGLERS and told.stragglers == "port":
        return chart.nearest_own_port(group.position, group.side), OnArrival.ANCHOR
    if group.group == STRAGGLERS and told.stragglers == "wait":
        return chart.geometry.nearest(group.position), OnArrival.JOIN
    return _meeting_place(chart, group), OnArrival.JOIN


def _meeting_place(chart: Chart, group: FleetState) -> str:
    """Where the fleet that a group parted from is to be found; the nearest own port when there is none. Rules: G.KT2, G.MV5."""
    parent = chart.state.fleets.get(group.rejoins)
    if parent is None or parent.ended or parent.side != group.side:
        return chart.nearest_own_port(group.position, group.side)
    place = rendezvous(chart, parent)
    if place not in chart.closed[group.side]:
        return place
    beside = chart.geometry.way(parent.position, place, frozenset())[-2:-1]
    return beside[0] if beside else chart.geometry.nearest(parent.position)


def cripples_port(chart: Chart, fleet: FleetState, ships: Sequence[ShipState]) -> str:
    """The port for hurt ships of a fleet: its instructions', else by the side's standing orders. Rules: G.KT2, G.MV5."""
    named = fleet.order.instructions.cripples_to
    if named and named not in chart.closed[fleet.side]:
        return named
    if chart.state.economy.order(fleet.side).groups.cripples == "port":
        return chart.nearest_own_port(fleet.position, fleet.side)
    return best_yard(chart, fleet.position, fleet.side, ships)


def best_yard(chart: Chart, position: Position, side: str, ships: Sequence[ShipState]) -> str:
    """The own yard fit for ships with the fewest days of sailing, queue and work; where none is fit, of the highest class. Rule: G.AA5."""
    places, closed = chart.facts.theatre.places, chart.closed[side]
    nations = chart.facts.sides[side].nations
    ports = [
        code
        for code in sorted(places)
        if places[code].kind is PlaceKind.PORT and places[code].dockyard and chart.owner_of(code) in nations
    ]
    if not ports:
        return chart.nearest_own_port(position, side)
    needs = max((refit_of(chart, ship).needs for ship in ships), default=0)
    best = max(places[code].dockyard for code in ports)
    fit = [code for code in ports if places[code].dockyard >= min(needs, best)]
    here = chart.geometry.nearest(position)
    return min(
        fit,
        key=lambda code: (
            _sailing_days(chart, here, code, ships, closed) + _yard_days(chart, side, code, ships),
            code,
        ),
    )


def _sailing_days(
    chart: Chart, here: str, there: str, ships: Sequence[ShipState], closed: frozenset[str]
) -> Fraction:
    """Days to a place at the cruising speed of the slowest ship, at two knots where one cannot say better."""
    of = {ship.code for ship in ships}
    speeds = [
        hull.knots * hull.factor
        for fleet in {ship.fleet for ship in ships}
        for ship, hull in zip(chart.ships_of(fleet), chart.hulls(fleet), strict=True)
        if ship.code in of
    ]
    knots = max(min(speeds, default=Fraction(0)), Fraction(2 * MILLI))
    return Fraction(chart.geometry.distance(here, there, closed)) / knots / DAY


def _yard_days(chart: Chart, side: str, port: str, ships: Sequence[ShipState]) -> Fraction:
    """Days until ships would be whole in a yard: what waits for its berths before them, shared out, and their own longest work."""
    settings, place = chart.facts.settings, chart.facts.theatre.places[port]
    work = [refit_of(chart, ship) for ship in ships]
    before = sum(
        job.total - job.done
        for job in chart.state.economy.jobs.values()
        if (job.port, job.side) == (port, side) and job.berth != AFLOAT
    )
    mine = sum(need.days for need in work if need.needs)
    longest = max((need.days for need in work), default=0)
    berths = max(1, place.berths)
    queue = Fraction(before, berths)
    return (queue + max(Fraction(mine, berths), Fraction(longest))) / max(1, settings.yard_days)


def prize_port(chart: Chart, fleet: FleetState) -> str:
    """The port for prizes: by the instructions, by standing orders, else the nearest own one that no enemy watches.

    No prize goes more than an eighth farther to keep clear of a watched port. Rules: G.KT2, G.PR3.
    """
    told = chart.state.economy.order(fleet.side).groups
    for named in (fleet.order.instructions.cripples_to, told.prize_port):
        if named and named not in chart.closed[fleet.side]:
            return named
    nations = chart.facts.sides[fleet.side].nations
    own = [
        code
        for code, place in sorted(chart.facts.theatre.places.items())
        if place.kind is PlaceKind.PORT and chart.owner_of(code) in nations
    ]
    watched = watched_ports(chart, fleet.side, own)
    here, closed = chart.geometry.nearest(fleet.position), chart.closed[fleet.side]
    rows = [(chart.geometry.distance(here, code, closed), code) for code in own]
    far, nearest = min(rows, default=(0, ""))
    quiet = [row for row in rows if row[1] not in watched and row[0] <= far * (1 + FARTHER)]
    return min(quiet)[1] if quiet else nearest


def watched_ports(chart: Chart, side: str, ports: Sequence[str]) -> frozenset[str]:
    """Ports off which a hostile contact was reported in the last two days. Rule: G.KT2."""
    earlier = (report_from(row) for row in chart.facts.carried.get("reports", ()))
    spots = {
        Point(report.latitude * MILLI, report.longitude * MILLI)
        for report in (*earlier, *chart.state.reports)
        if report.side == side and report.hour >= chart.hour - WATCHED_HOURS
    }
    towns = {code: chart.geometry.places[code] for code in ports}
    return frozenset(
        code
        for code, town in towns.items()
        if any(miles_between(town, spot) <= WATCHED_MILES for spot in spots)
    )
