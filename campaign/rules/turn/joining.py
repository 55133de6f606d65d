"""Fleets that join others in company at 06:00. Rules: G.MV1, G.MV4, G.GF3."""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.chart.types import OnArrival
from campaign.rules.contact.contact import company_of
from campaign.rules.sailing.parting import leave_behind
from campaign.rules.state.clock import DAY
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart
from campaign.rules.turn.detaching import detach_by_order


def company_step(chart: Chart) -> None:
    """At 06:00 ships leave by order, fleets that mean to join others do, and some leave what no one can tow. Rules: G.GF3, G.MV1, G.MV4."""
    if chart.hour % DAY:
        return
    engaged = {code for key in chart.state.contacts for code in key}
    for code in [fleet.code for fleet in chart.fleets()]:
        fleet = chart.state.fleets[code]
        if fleet.ended or code in engaged or not chart.on_chart(fleet):
            continue
        fleet = detach_by_order(chart, fleet)
        parent = chart.state.fleets.get(fleet.rejoins)
        if fleet.rejoins and (parent is None or parent.ended or parent.side != fleet.side):
            fleet = chart.alter(fleet, rejoins="", home="", homes=())
        other = _to_join(chart, fleet)
        if other is not None and _in_yard(chart, fleet, other):
            continue
        if other is not None and other.code not in engaged:
            join(chart, fleet, other)
        elif fleet.order.route and fleet.order.instructions.disabled == "leave":
            leave_behind(chart, fleet)


def _in_yard(chart: Chart, fleet: FleetState, other: FleetState) -> bool:
    """Whether a fleet has ships in a yard and would leave it by joining another. Rule: G.RP2."""
    away = fleet.position != other.position
    return away and any(chart.moored(ship) for ship in chart.ships_of(fleet.code))


def _to_join(chart: Chart, fleet: FleetState) -> FleetState | None:
    """The fleet in company that another joins now: the one it parted from, else at its journey's end the greatest. Rule: G.MV4."""
    if fleet.order.on_arrival is not OnArrival.JOIN:
        return None
    near = [other for other in company_of(chart, fleet) if other.side == fleet.side]
    own = next((other for other in near if other.code == fleet.rejoins), None)
    if own is not None or fleet.order.route:
        return own
    bodies = [other for other in near if other.order.on_arrival is not OnArrival.JOIN]
    return max(bodies, key=lambda other: (len(chart.ships_of(other.code)), other.code), default=None)


def join(chart: Chart, fleet: FleetState, other: FleetState) -> None:
    """Bring the ships of a fleet into another of its side; a ship that had parted alone takes her old place. Rule: G.MV4."""
    state, ships = chart.state, chart.ships_of(fleet.code)
    homes = dict(fleet.homes) if fleet.rejoins == other.code else {}
    old_place = fleet.home and fleet.rejoins == other.code
    for ship in ships:
        squadron = fleet.home if old_place and not ship.prize else homes.get(ship.code, ship.squadron)
        state.ships[ship.code] = replace(ship, fleet=other.code, squadron=squadron)
    chart.alter(fleet, ended=True)
    for follower in chart.fleets():
        if follower.rejoins == fleet.code:
            chart.alter(follower, rejoins=other.code)
        if follower.order.target == fleet.code and follower.code != other.code:
            chart.alter(chart.state.fleets[follower.code], order=replace(follower.order, target=other.code))
    chart.ships_changed()
    codes = [ship.code for ship in ships]
    chart.tell("rejoined", "G.MV4", fleet.side, fleet=other.code, parted=fleet.code, ships=codes)
