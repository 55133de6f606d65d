"""An hour of movement: fleets in contact steer for each other or away, the others sail by their orders. Rules: G.CO2, G.MV1, G.MV2.

In a chase the range is what counts; on the chart the seeker follows in the quarry's wake. Steamers that chase, and those that run,
go at full speed (G.ST2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from campaign.rules.chart.points import cosine_ppm
from campaign.rules.chart.types import MILLI, Position
from campaign.rules.contact.contact import aware, shuns, to_windward, wills
from campaign.rules.sailing.coal import burn
from campaign.rules.sailing.escort import follow, follows
from campaign.rules.sailing.movement import fleet_speed, may_sail, off_wind, sail, stay
from campaign.rules.sailing.weather import sight_range
from campaign.rules.state.state import Contact, FleetState
from campaign.rules.state.world import Chart

STEER = "steer"
FLEE = "flee"
WAIT = "wait"


@dataclass(frozen=True, slots=True)
class _Flight:
    """A passage on which a quarry may run. opens: thousandths of a mile in an hour; own, enemy: speeds on it."""

    position: Position
    bearing: int
    own: int
    enemy: int

    @property
    def opens(self) -> int:
        return self.own - self.enemy


def movement_step(chart: Chart) -> None:
    """Move every fleet for an hour. Rules: G.MV1, G.CO2, G.RP4."""
    chases, held = chases_of(chart)
    plans = plans_of(chart, chases)
    flights: dict[str, _Flight | None] = {}
    fleets = chart.fleets()
    for fleet in sorted(fleets, key=follows):  # an escort goes where its charge has gone
        plan = plans.get(fleet.code)
        if plan == FLEE and may_sail(chart, fleet):
            flights[fleet.code] = _flee(chart, fleet, chases)
        elif plan is not None or fleet.code in held or not may_sail(chart, fleet):
            stay(chart, fleet)
        elif follows(fleet):
            follow(chart, fleet)
        else:
            sail(chart, fleet)
    for contact in chases:
        _close(chart, contact, plans, flights.get(contact.quarry))
    burn(chart, [code for code, plan in plans.items() if plan != WAIT])


def chases_of(chart: Chart) -> tuple[list[Contact], set[str]]:
    """The contacts in which fleets move in this hour, and the fleets that the night holds. Rules: G.CO2, G.CO3."""
    contacts = chart.state.contacts
    live = [contacts[key] for key in sorted(contacts) if contacts[key].not_before <= chart.hour]
    held = {code for c in live if c.night for code in (c.seeker, c.quarry)}
    return [c for c in live if not c.night and not {c.seeker, c.quarry} & held], held


def plans_of(chart: Chart, chases: list[Contact]) -> dict[str, str]:
    """What each fleet of a chase does in this hour; fleets that know of nothing carry on and are not listed."""
    plans = {contact.seeker: STEER for contact in chases}
    for contact in chases:
        if contact.quarry in plans:
            continue
        seeker, quarry = chart.state.fleets[contact.seeker], chart.state.fleets[contact.quarry]
        if wills(chart, quarry, seeker, contact):
            plans[contact.quarry] = STEER
        elif shuns(chart, quarry, seeker, contact):
            plans[contact.quarry] = FLEE
        elif aware(chart, quarry, seeker, contact):
            plans[contact.quarry] = WAIT
    return plans


def _flee(chart: Chart, quarry: FleetState, chases: list[Contact]) -> _Flight | None:
    """Run along the passage that opens most; None when the fleet is cornered. Rule: G.CO2."""
    own = [contact for contact in chases if contact.quarry == quarry.code]
    nearest = min(own, key=lambda contact: (contact.range, contact.seeker))
    flight = best_flight(chart, quarry, chart.state.fleets[nearest.seeker], nearest.bearing)
    if flight is None:
        stay(chart, quarry)
        return None
    start, position = chart.point(quarry.position), flight.position
    run = position.run + flight.own
    leg = chart.geometry.legs[position.at, position.to]
    reached = Position(position.to) if run >= leg.length else replace(position, run=run)
    if not run:
        reached = Position(position.at)
    if not reached.to and reached.at != quarry.position.at:
        chart.entered.append((quarry.code, reached.at))
    fled = chart.alter(quarry, position=reached, under_way=reached != quarry.position)
    chart.tracks[quarry.code] = [(0, start), (MILLI, chart.point(fled.position))]
    return flight


def best_flight(chart: Chart, quarry: FleetState, seeker: FleetState, bearing: int) -> _Flight | None:
    """Of the passages open to a fleet, back included, the one that opens most from a seeker. Rule: G.CO2.

    bearing: degrees from seeker to quarry; a passage that leads back towards it is not open.
    """
    geometry, position = chart.geometry, quarry.position
    if position.to:
        length = geometry.legs[position.at, position.to].length
        ways = [position, Position(position.to, position.at, length - position.run)]
    else:
        ways = [Position(position.at, end) for end in geometry.neighbours[position.at]]
    flights: list[_Flight] = []
    for way in ways:
        course = geometry.legs[way.at, way.to].bearing
        if way.to not in chart.closed[quarry.side] and off_wind(course, bearing) <= 90:
            own = fleet_speed(chart, quarry, course, full=True)
            flights.append(_Flight(way, course, own, _pursuit(chart, seeker, bearing, course)))
    return max(flights, key=lambda f: (f.opens, -off_wind(f.bearing, bearing), f.position.to), default=None)


def _pursuit(chart: Chart, seeker: FleetState, bearing: int, course: int) -> int:
    """Speed of a seeker after a quarry on a course: it has to beat up to one that is to windward and keeps the wind.

    A steamer does not beat: she goes as fast on every course. Rules: G.CO2, G.ST3.
    """
    speed = fleet_speed(chart, seeker, course, full=True)
    keeps_wind = off_wind(course, chart.weather(seeker).wind_from) <= 90
    if to_windward(chart, bearing, seeker) and keeps_wind:
        return min(speed, fleet_speed(chart, seeker, bearing, full=True))
    return speed


def _close(chart: Chart, contact: Contact, plans: dict[str, str], flight: _Flight | None) -> None:
    """Change the range of a chase by an hour's sailing; one at long shot comes no nearer than gunshot. Rules: G.CO2, G.KT4."""
    seeker, quarry = chart.state.fleets[contact.seeker], chart.state.fleets[contact.quarry]
    plan, bearing = plans.get(quarry.code), contact.bearing
    sails = may_sail(chart, seeker)
    own = fleet_speed(chart, seeker, bearing, full=True) if sails else 0
    if plan == FLEE and flight is not None:
        bearing = flight.bearing
        change = flight.own - (_pursuit(chart, seeker, contact.bearing, bearing) if sails else 0)
        if not change and flight.own and (contact.range > chart.guns_reach or not contact.long_shot):
            change = _throw_off(chart, seeker, quarry)
    elif plan == STEER and may_sail(chart, quarry):
        change = -own - fleet_speed(chart, quarry, (bearing + 180) % 360, full=True)
    elif quarry.under_way and quarry.position.to:
        course = chart.geometry.legs[quarry.position.at, quarry.position.to].bearing
        away = fleet_speed(chart, quarry, course) * cosine_ppm(100 * abs(course - bearing)) // 1_000_000
        change = away - own
    else:
        change = -own
    run = max(chart.guns_reach if contact.long_shot else 0, contact.range + change)
    hidden = contact.hidden + 1 if run > sight_range(chart, seeker) else 0
    contact = replace(contact, range=run, bearing=bearing, hidden=hidden)
    chart.state.contacts[contact.seeker, contact.quarry] = contact
    if sails and quarry.under_way and quarry.position.run:
        wake = replace(quarry.position, run=max(0, quarry.position.run - run))
        chart.alter(seeker, position=wake if wake.run else Position(wake.at), under_way=True)


def _throw_off(chart: Chart, seeker: FleetState, quarry: FleetState) -> int:
    """Equal speeds: the higher die gains a mile. Rule: G.CO2."""
    mine = chart.dice.d6(clause="G.CO2", subjects=(chart.hour, seeker.code, quarry.code), reason="chase")
    his = chart.dice.d6(clause="G.CO2", subjects=(chart.hour, quarry.code, seeker.code), reason="chased")
    return MILLI * ((his > mine) - (mine > his))
