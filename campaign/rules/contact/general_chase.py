"""A general chase sends the faster ships ahead; a fleet that is chased may leave its slowest behind. Rules: G.CO2, G.MV5, G.ST2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from campaign.rules.contact.chase import FLEE, best_flight, chases_of, plans_of
from campaign.rules.sailing.movement import fleet_speed, may_sail, off_wind, speed_of
from campaign.rules.sailing.parting import left_as, make_for_rendezvous, part
from campaign.rules.state.state import Contact, FleetState, ShipState
from campaign.rules.state.world import Chart


def general_chase_step(chart: Chart) -> None:
    """In every chase that one side flees: a fleet behind sends its fast ships ahead, one caught up leaves slow ones. Rule: G.CO2.

    With G.KT4 in force it leaves them only within gunshot, when it cannot get away with them.
    """
    chases, _ = chases_of(chart)
    plans = plans_of(chart, chases)
    for contact in chases:
        if (contact.seeker, contact.quarry) not in chart.state.contacts or plans.get(contact.quarry) != FLEE:
            continue
        seeker, quarry = chart.state.fleets[contact.seeker], chart.state.fleets[contact.quarry]
        if not (may_sail(chart, seeker) and may_sail(chart, quarry)):
            continue
        flight = best_flight(chart, quarry, seeker, contact.bearing)
        if flight is None:
            continue
        gains = flight.enemy > flight.own
        if gains and quarry.order.instructions.slowest == "leave" and chart.facts.settings.flight == "off":
            leave_slowest(chart, contact, quarry, flight.bearing)
        elif not gains and seeker.order.instructions.doctrine.chase == "general" and not contact.general:
            _send_ahead(chart, contact, seeker, flight.bearing)


def _speeds(chart: Chart, fleet: FleetState, bearing: int) -> list[tuple[ShipState, int]]:
    """Ships of a fleet with the speed that each makes by herself on a bearing, thousandths of a knot."""
    weather = chart.weather(fleet)
    angle = off_wind(bearing, weather.wind_from)
    hulls = zip(chart.ships_of(fleet.code), chart.hulls(fleet.code), strict=True)
    return [(ship, speed_of((hull,), angle, weather.strength, full=True)) for ship, hull in hulls]


def _send_ahead(chart: Chart, contact: Contact, seeker: FleetState, bearing: int) -> None:
    """Ships faster than their fleet are a detachment that goes on with the chase and comes back after it."""
    key = (contact.seeker, contact.quarry)
    chart.state.contacts[key] = replace(contact, general=True)
    fleet = fleet_speed(chart, seeker, bearing, full=True)
    fast = [ship for ship, own in _speeds(chart, seeker, bearing) if own > fleet and not ship.prize]
    if not fast:
        return
    ahead = _part(chart, seeker, fast, "Flying squadron of")
    ahead = chart.alter(ahead, order=replace(ahead.order, stance=seeker.order.stance))
    touch = chart.state.touches.get(key)
    if touch is not None:
        chart.state.touches[ahead.code, contact.quarry] = replace(touch, observer=ahead.code)
    chart.state.contacts[ahead.code, contact.quarry] = replace(contact, seeker=ahead.code, general=True)
    chart.tell(
        "sent_ahead", "G.CO2", seeker.side, fleet=ahead.code, parent=seeker.code, name=ahead.name,
        ships=[ship.code for ship in fast],
    )  # fmt: skip


def leave_slowest(chart: Chart, contact: Contact, quarry: FleetState, bearing: int) -> None:
    """The slowest ships are left to the pursuers, who come up with them first; never more than three in four.

    Rules: G.CO2, G.KT4.
    """
    speeds = _speeds(chart, quarry, bearing)
    least = min(own for _, own in speeds)
    slow = [ship for ship, own in speeds if own == least]
    if 4 * len(slow) > 3 * len(speeds) or all(ship.prize for ship, own in speeds if own > least):
        return
    left = left_as(chart, _part(chart, quarry, slow, "Rear of"), "stragglers")
    state = chart.state
    for key in sorted(state.contacts):
        if key[1] != quarry.code:
            continue
        met = state.contacts.pop(key)
        state.contacts[key[0], left.code] = replace(met, quarry=left.code)
        touch = state.touches.get(key)
        if touch is not None:
            state.touches[key[0], left.code] = replace(touch, fleet=left.code)
        seen = state.touches.get((quarry.code, key[0]))
        if seen is not None:
            state.touches[left.code, key[0]] = replace(seen, observer=left.code)
    chart.tell(
        "left_astern", "G.CO2", quarry.side, fleet=left.code, parent=quarry.code, name=left.name,
        ships=[ship.code for ship in slow], place=chart.geometry.nearest(quarry.position),
    )  # fmt: skip


def _part(chart: Chart, fleet: FleetState, ships: Sequence[ShipState], words: str) -> FleetState:
    first, *others = ships
    name = f"{words} {chart.name_of(fleet)}"[:80] if others else chart.facts.ships[first.code].name
    new = part(chart, fleet, ships, name=name, home="" if others else first.squadron)
    return make_for_rendezvous(chart, new, fleet)
