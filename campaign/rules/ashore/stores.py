"""Upkeep at sea: provisions where the campaign counts them, jury masts, the ship's own carpenters. Rules: G.RP1, G.RP4, G.NE1."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.scenario import Stance
from campaign.rules.ashore.recruits import come_aboard
from campaign.rules.ashore.yards import own_port
from campaign.rules.chart.types import OnArrival
from campaign.rules.state.clock import DAY
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart


def upkeep_step(chart: Chart) -> None:
    """At 06:00 ships at sea mend what they can and eat a day's provisions; own ports fill them up. Rules: G.RP1, G.RP4."""
    if chart.hour % DAY:
        return
    counted = chart.facts.settings.stores == "on"
    engaged = {code for key in chart.state.contacts for code in key}
    for fleet in chart.fleets():
        if not chart.on_chart(fleet):
            continue
        ships = chart.ships_of(fleet.code)
        if own_port(chart, fleet):
            codes = {ship.code for ship in ships}
            chart.state.economy.mended -= codes
            if counted:
                chart.state.economy.stores |= dict.fromkeys(codes, chart.facts.settings.stores_days)
            continue
        quiet = not fleet.off_until or fleet.off_until <= chart.hour - DAY
        if quiet and fleet.code not in engaged:
            for ship in ships:
                _mend_at_sea(chart, ship)
        if counted:
            _eat(chart, fleet)


def _mend_at_sea(chart: Chart, ship: ShipState) -> None:
    """A jury mast a day, and once in a cruise what her carpenters can mend, by her rule set. Rules: G.0, G.RP1."""
    card = chart.facts.ships[ship.code].card
    rigged = chart.at_sea.jury_mast(card, ship.condition)
    mended = rigged
    if ship.code not in chart.state.economy.mended:
        mended = chart.at_sea.carpenters(card, rigged)
        if mended != rigged:
            chart.state.economy.mended |= {ship.code}
    if mended == ship.condition:
        return
    chart.state.ships[ship.code] = replace(ship, condition=dict(mended))
    chart.ships_changed()
    chart.tell(
        "mended_at_sea", "G.RP1", ship.side, ship=ship.code, side=ship.side, ships=[ship.code], mast=rigged != ship.condition,
        hull=mended != rigged,
    )  # fmt: skip


def _eat(chart: Chart, fleet: FleetState) -> None:
    """A day's provisions; with none left her people fall away and the fleet makes for a port. Rule: G.RP4."""
    stores, settings = chart.state.economy.stores, chart.facts.settings
    hungry = []
    for ship in chart.ships_of(fleet.code):
        left = stores.get(ship.code, settings.stores_days)
        stores[ship.code] = max(0, left - 1)
        if left > 0:
            continue
        gone = -(-ship.men * settings.hunger_percent // 100)
        if gone:
            come_aboard(chart, ship, -gone)
            hungry.append([ship.code, gone])
    if not hungry:
        return
    port = chart.nearest_own_port(fleet.position, fleet.side)
    if port and (not fleet.order.route or fleet.order.route[-1] != port):
        route = chart.geometry.way(fleet.position, port, chart.closed[fleet.side])
        order = replace(fleet.order, route=route, stance=Stance.AVOID, on_arrival=OnArrival.ANCHOR)
        chart.alter(fleet, order=order, path=())
    chart.tell(
        "hunger", "G.RP4", fleet.side, fleet=fleet.code, place=port, thrown=hungry,
        men=sum(gone for _, gone in hungry),
    )  # fmt: skip
