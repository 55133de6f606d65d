"""Fleets that join others in company at 06:00. Rules: G.MV1, G.MV4, G.GF3."""

from __future__ import annotations

from campaign.rules.chart.types import OnArrival
from campaign.rules.contact.contact import company_of
from campaign.rules.groups.courses import group_step
from campaign.rules.groups.uniting import join
from campaign.rules.sailing.parting import leave_behind
from campaign.rules.state.clock import DAY
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart
from campaign.rules.turn.detaching import detach_by_order
from campaign.rules.turn.muster import muster_step, rejoined


def company_step(chart: Chart) -> None:
    """At 06:00 ships leave by order, fleets that mean to join others do, and some leave what no one can tow; groups go their way.

    Rules: G.GF3, G.KT1, G.KT2, G.KT3, G.MV1, G.MV4.
    """
    if chart.hour % DAY == 0:
        _join_and_leave(chart)
    group_step(chart)
    muster_step(chart)


def _join_and_leave(chart: Chart) -> None:
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
            if fleet.group:
                rejoined(chart, chart.state.fleets[other.code])
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
