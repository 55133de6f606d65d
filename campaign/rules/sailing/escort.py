"""Escorts: fleets that keep company with another of their side. Rules: G.MV2, G.MV4."""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.chart.points import bearing_between, miles_between
from campaign.rules.chart.types import MILLI, OnArrival
from campaign.rules.sailing.movement import fleet_speed, sail, stay
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart


def follows(fleet: FleetState) -> bool:
    """Whether a fleet has come to the end of its own route and goes where its charge goes. Rule: G.MV2."""
    return fleet.order.on_arrival is OnArrival.ESCORT and not fleet.order.route


def follow(chart: Chart, fleet: FleetState) -> None:
    """Sail an escort for an hour after its charge, which has been moved already; where that is gone, it lies to. Rule: G.MV2."""
    charge = chart.state.fleets.get(fleet.order.target)
    if charge is None or charge.ended or charge.side != fleet.side or not chart.on_chart(charge):
        stay(chart, fleet)
        return
    here, there = chart.point(fleet.position), chart.point(charge.position)
    apart = miles_between(here, there)
    if apart and apart > fleet_speed(chart, fleet, bearing_between(here, there)):
        _make_sail_after(chart, fleet, charge)
        return
    moved = charge.position != fleet.position
    if moved and not charge.position.to:
        chart.entered.append((fleet.code, charge.position.at))
    chart.tracks[fleet.code] = [(0, here), (MILLI, there)] if moved else [(0, here)]
    chart.alter(fleet, position=charge.position, under_way=moved)


def _make_sail_after(chart: Chart, fleet: FleetState, charge: FleetState) -> None:
    place = charge.position.to or charge.position.at
    way = chart.geometry.way(fleet.position, place, chart.closed[fleet.side])
    sail(chart, chart.alter(fleet, order=replace(fleet.order, route=way)))
    now = chart.state.fleets[fleet.code]
    chart.alter(now, order=replace(now.order, route=()))
