"""Fleets under way: speed, wind, routes and what is done at their end. Rules: G.CH2, G.MV1, G.MV2, G.ST1, G.ST2.

Distances are thousandths of a mile and speeds thousandths of a knot, whole numbers rounded down; a fleet's track within an hour is
a list of (thousandth of the hour, point).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from battles.engine.core.scenario import Strength
from campaign.rules.chart.types import MILLI, OnArrival, Position
from campaign.rules.sailing.beaches import AGAINST_PORTS, BEFORE_PORTS
from campaign.rules.sailing.ports import standing_off
from campaign.rules.sailing.shoals import waits_outside
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart, Hull

WIND = {
    Strength.STILL: Fraction(0),
    Strength.LIGHT: Fraction(2, 5),
    Strength.MODERATE: Fraction(1),
    Strength.STRONG: Fraction(6, 5),
    Strength.GALE: Fraction(3, 5),
}
_BEATING = Fraction(7, 20)
_CLOSE = Fraction(7, 10)
_REACHING = Fraction(1)
_RUNNING = Fraction(17, 20)


def off_wind(bearing: int, wind_from: int) -> int:
    """Angle between a course and the wind's eye, 0 to 180 degrees."""
    angle = abs(bearing - wind_from) % 360
    return min(angle, 360 - angle)


def sail_factor(angle: int, no_go: int) -> Fraction:
    """Share of her cruising speed that a ship makes good at an angle off the wind.

    A ship that cannot lay her course within 90 degrees of the wind gains nothing by tacking. Rule: G.MV1.
    """
    if angle < no_go:
        return Fraction(0) if no_go >= 90 else _BEATING
    if angle <= 80:
        return _CLOSE
    return _REACHING if angle <= 150 else _RUNNING


def speed_of(
    hulls: tuple[Hull, ...],
    angle: int,
    strength: Strength,
    *,
    full: bool = False,
    alike: Collection[Hull] = (),
) -> int:
    """Speed of ships in company, thousandths of a knot: the slowest sets it, and one that makes nothing is taken in tow.

    A tug is at least half as great as her tow; both make half the speed of the greater, and no more than the tug alone. With no tug
    left the fleet waits. The wind is nothing to steamers, who tow others through a calm. full: they are in a chase. alike: of the
    ships that are alike, whatever their sizes, one each, where that is known.
    Rules: G.MV1, G.ST1, G.ST2, G.ST3.
    """
    if not hulls:
        return 0

    def driven(hull: Hull) -> Fraction:
        """The share of her sound speed that the wind gives her, all of it to a steamer."""
        return Fraction(1) if hull.full else sail_factor(angle, hull.no_go) * WIND[strength]

    def sound(hull: Hull) -> int:
        return hull.full if full and hull.full else hull.knots

    def alone(hull: Hull) -> Fraction:
        return sound(hull) * hull.factor * driven(hull)

    slowest = min(map(alone, alike or set(hulls)))
    if slowest > 0:
        return int(slowest)
    tows = sorted((hull for hull in hulls if not alone(hull)), key=lambda hull: -hull.size)
    tugs = sorted((hull for hull in hulls if alone(hull)), key=lambda hull: hull.size)
    speeds = []
    for tow in tows:
        n = _tug(tow, tugs)
        if n is None:
            return 0
        tug = tugs.pop(n)
        greater = tow if tow.size > tug.size else tug
        speeds.append(min(Fraction(sound(greater), 2), Fraction(sound(tug))) * driven(tug))
    return int(min([*speeds, *map(alone, tugs)]))


def _tug(tow: Hull, tugs: Sequence[Hull]) -> int | None:
    """Which of some ships, the smallest first, tows another: the first of at least half her size. Rule: G.MV1."""
    return next((n for n, tug in enumerate(tugs) if 2 * tug.size >= tow.size), None)


def untowed(hulls: Sequence[Hull]) -> list[int]:
    """Places in a list of the ships that make nothing and find no tug. Rule: G.MV1."""
    tugs = sorted((hull for hull in hulls if hull.factor), key=lambda hull: hull.size)
    left = []
    for n in sorted((n for n, hull in enumerate(hulls) if not hull.factor), key=lambda n: -hulls[n].size):
        tug = _tug(hulls[n], tugs)
        if tug is None:
            left.append(n)
        else:
            tugs.pop(tug)
    return sorted(left)


def fleet_speed(chart: Chart, fleet: FleetState, bearing: int, *, full: bool = False) -> int:
    """Speed of a fleet on a bearing in the weather where it is, thousandths of a knot. full: in a chase. Rules: G.MV1, G.ST2."""
    weather = chart.weather(fleet)
    angle = off_wind(bearing, weather.wind_from)
    key = (fleet.code, angle, weather.strength.value, full)
    speed = chart.speeds.get(key)
    if speed is None:
        hulls = chart.hulls(fleet.code)
        alike = chart.alike(fleet.code)
        speed = chart.speeds[key] = speed_of(hulls, angle, weather.strength, full=full, alike=alike)
    return speed


def may_sail(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet moves of its own will in this hour: who lies in a yard does not. Rules: G.CL2, G.CO3, G.CH4, G.RP2."""
    if not chart.on_chart(fleet) or fleet.still_until > chart.hour or chart.aground(fleet):
        return False
    return not chart.in_port(fleet) or not any(chart.moored(ship) for ship in chart.ships_of(fleet.code))


def stay(chart: Chart, fleet: FleetState) -> None:
    """Keep a fleet where it is for an hour."""
    chart.tracks[fleet.code] = [(0, chart.point(fleet.position))]
    if fleet.under_way:
        chart.alter(fleet, under_way=False)


def sail(chart: Chart, fleet: FleetState) -> None:
    """Sail a fleet for an hour along its route. Rules: G.MV1, G.MV2."""
    track = [(0, chart.point(fleet.position))]
    left: Fraction | int = 1
    was_under_way = fleet.under_way
    start = fleet
    for _ in range(64):  # more places than any fleet passes in an hour: no route can hold the chart up
        fleet = _next_leg(chart, turned_away(chart, fleet))
        position = fleet.position
        if not position.to or not fleet.order.route:
            break
        leg = chart.geometry.legs[position.at, position.to]
        knots = fleet_speed(chart, fleet, leg.bearing)
        if not knots:
            if not position.run:
                fleet = chart.alter(fleet, position=Position(position.at))
            break
        off = standing_off(chart, fleet, position.to)
        if off and position.run >= leg.length - off:
            if not position.run:
                fleet = chart.alter(fleet, position=Position(position.at))
            break
        if not was_under_way and not start.position.to:
            chart.tell("sailed", "G.MV2", fleet.side, fleet=fleet.code, place=position.at, to=position.to)
            was_under_way = True
        miles = leg.length - off - position.run
        if miles > knots * left:
            fleet = chart.alter(fleet, position=replace(position, run=position.run + int(knots * left)))
            track.append((MILLI, chart.point(fleet.position)))
            break
        needed = Fraction(miles, knots)
        if off:
            fleet = chart.alter(fleet, position=replace(position, run=leg.length - off))
            track.append((int((1 - left + needed) * MILLI), chart.point(fleet.position)))
            chart.tell("lies_off", "G.BL1", fleet.side, fleet=fleet.code, place=position.to)
            break
        if waits_outside(chart, fleet, position.to):
            fleet = chart.alter(fleet, position=replace(position, run=max(position.run, leg.length - 1)))
            track.append((MILLI, chart.point(fleet.position)))
            break
        left -= needed
        chart.entered.append((fleet.code, position.to))
        fleet = _reach(chart, fleet)
        track.append((int((1 - left) * MILLI), chart.point(fleet.position)))
    chart.tracks[fleet.code] = track
    moved = fleet.position != start.position
    if moved != fleet.under_way:
        chart.alter(fleet, under_way=moved)
    if moved and chart.in_port(start):
        chart.departed.append((fleet.code, start.position.at))


def turned_away(chart: Chart, fleet: FleetState) -> FleetState:
    """End before it a route that leads into a port which has fallen to the enemy; who is nearly there turns back. Rules: G.CH3, G.LD4."""
    route, position = fleet.order.route, fleet.position
    lost = [
        place for place in route if place in chart.state.holdings.owners and place in chart.closed[fleet.side]
    ]
    if not lost or (
        route[-1:] == (lost[0],)
        and fleet.order.on_arrival in AGAINST_PORTS | BEFORE_PORTS | {OnArrival.EMBARK}
    ):
        return fleet
    left = route[: route.index(lost[0])]
    if not left and position.to == lost[0]:
        left = (position.at,)
    chart.tell("turned_away", "G.LD4", fleet.side, fleet=fleet.code, place=lost[0])
    order = replace(fleet.order, route=left, on_arrival=OnArrival.ANCHOR, target="")
    return chart.alter(fleet, order=order, path=())


def _next_leg(chart: Chart, fleet: FleetState) -> FleetState:
    """Set a fleet on the passage to the next place of its route, by the shortest way when it has been carried off it."""
    position, route = fleet.position, sailed_from_place(fleet)
    if not route:
        return fleet if route == fleet.order.route else _with_route(chart, fleet, route)
    legs, closed = chart.geometry.legs, chart.closed[fleet.side]
    first, *later = route
    if not position.to:
        if (position.at, first) not in legs:
            first, *later = (*chart.geometry.route(position.at, first, closed), *later)
        fleet = _with_route(chart, fleet, (first, *later))
        return chart.alter(fleet, position=Position(position.at, first))
    if first == position.to:
        return fleet
    length = legs[position.at, position.to].length
    if first != position.at:
        first, *later = (*chart.geometry.way(position, first, closed), *later)
        fleet = _with_route(chart, fleet, (first, *later))
    if first == position.at:
        turned = Position(position.to, position.at, length - position.run)
        return chart.alter(fleet, position=turned)
    return fleet


def sailed_from_place(fleet: FleetState) -> tuple[str, ...]:
    """The route still to sail, without places that the fleet is at."""
    route = fleet.order.route
    while route and not fleet.position.to and route[0] == fleet.position.at:
        route = route[1:]
    return route


def _with_route(chart: Chart, fleet: FleetState, route: tuple[str, ...]) -> FleetState:
    return chart.alter(fleet, order=replace(fleet.order, route=route))


def _reach(chart: Chart, fleet: FleetState) -> FleetState:
    """Bring a fleet to the place at the end of its passage, and to what it does there. Rule: G.MV2."""
    place, route = fleet.position.to, fleet.order.route[1:]
    fleet = chart.alter(fleet, position=Position(place), order=replace(fleet.order, route=route))
    if route:
        chart.tell("passed", "G.MV2", fleet.side, fleet=fleet.code, place=place)
        return fleet
    back = tuple(reversed(fleet.path))
    back = back[1:] if back[:1] == (place,) else back
    if fleet.order.on_arrival not in (OnArrival.PATROL, OnArrival.RETURN) or not back:
        chart.tell("arrived", "G.MV2", fleet.side, fleet=fleet.code, place=place)
        return fleet
    chart.tell("passed", "G.MV2", fleet.side, fleet=fleet.code, place=place)
    order = replace(fleet.order, route=back)
    if fleet.order.on_arrival is OnArrival.RETURN:
        order = replace(order, on_arrival=OnArrival.ANCHOR)
    return chart.alter(fleet, order=order, path=(place, *back))
