"""Fleets that go where another of their side goes: escorts, and those near the fleet they are to join. Rules: G.MV2, G.MV4."""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.chart.points import bearing_between, miles_between
from campaign.rules.chart.types import MILLI, OnArrival
from campaign.rules.sailing.movement import fleet_speed, sail, stay
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart


def follows(fleet: FleetState) -> bool:
    """Whether a fleet has come to the end of its own route and goes where its charge, or the fleet it is to join, goes. Rule: G.MV2."""
    return fleet.order.on_arrival in (OnArrival.ESCORT, OnArrival.JOIN) and not fleet.order.route


def follow(chart: Chart, fleet: FleetState) -> None:
    """Sail for an hour after a fleet that has been moved already; where that is gone, or off the chart, lie to. Rule: G.MV2."""
    joins = fleet.order.on_arrival is OnArrival.JOIN
    charge = _to_join(chart, fleet) if joins else chart.state.fleets.get(fleet.order.target)
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


def _to_join(chart: Chart, fleet: FleetState) -> FleetState | None:
    """The fleet that one at its route's end steers for: the one it parted from, else the greatest of its side, as far as guns are heard.

    Rule: G.MV4.
    """
    here, most = chart.point(fleet.position), chart.facts.settings.guns_heard * MILLI
    near = [
        other
        for other in chart.fleets()
        if other.side == fleet.side
        and other.code != fleet.code
        and other.order.on_arrival is not OnArrival.JOIN
        and chart.on_chart(other)
        and miles_between(here, chart.point(other.position)) <= most
    ]
    return max(
        near,
        key=lambda other: (other.code == fleet.rejoins, len(chart.ships_of(other.code)), other.code),
        default=None,
    )


def _make_sail_after(chart: Chart, fleet: FleetState, charge: FleetState) -> None:
    place = charge.position.to or charge.position.at
    way = chart.geometry.way(fleet.position, place, chart.closed[fleet.side])
    sail(chart, chart.alter(fleet, order=replace(fleet.order, route=way)))
    now = chart.state.fleets[fleet.code]
    chart.alter(now, order=replace(now.order, route=()))
