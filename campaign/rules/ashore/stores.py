"""Upkeep at sea: provisions and coal where the campaign counts them, jury masts, the ship's own carpenters.

Rules: G.RP1, G.RP4, G.NE1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from battles.engine.core.scenario import Stance
from campaign.rules.ashore.recruits import come_aboard
from campaign.rules.ashore.yards import own_port
from campaign.rules.chart.types import OnArrival, PlaceKind
from campaign.rules.contact.contact import company_of
from campaign.rules.sailing.coal import bunkers_of, coal_left, hold, keep_coal
from campaign.rules.state.clock import DAY
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart


def upkeep_step(chart: Chart) -> None:
    """At 06:00 ships at sea mend what they can and eat a day's provisions; own ports and colliers fill them up. Rules: G.RP1, G.RP4."""
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
                _fill(chart, ships)
            continue
        quiet = not fleet.off_until or fleet.off_until <= chart.hour - DAY
        if quiet and fleet.code not in engaged:
            for ship in ships:
                _mend_at_sea(chart, ship)
        if counted:
            _eat(chart, fleet)
            if fleet.code not in engaged:
                _coal_from_colliers(chart, fleet)
            _look_into_bunkers(chart, fleet)


def _fill(chart: Chart, ships: Iterable[ShipState]) -> None:
    """Full stores for ships in an own port: coal for steamers, provisions for the others. Rule: G.RP4."""
    for ship in ships:
        if chart.steamer(ship):
            keep_coal(chart, ship, bunkers_of(chart, ship) + hold(chart, ship))
        else:
            chart.state.economy.stores[ship.code] = chart.facts.settings.stores_days


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
        if chart.steamer(ship):
            continue
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
    chart.tell(
        "hunger", "G.RP4", fleet.side, fleet=fleet.code, place=_send_in(chart, fleet), thrown=hungry,
        men=sum(gone for _, gone in hungry),
    )  # fmt: skip


def _send_in(chart: Chart, fleet: FleetState) -> str:
    """Order a fleet to the nearest port of its own, unless that is where it is bound; the port, "" for none. Rule: G.RP4."""
    port = chart.nearest_own_port(fleet.position, fleet.side)
    if port and (not fleet.order.route or fleet.order.route[-1] != port):
        route = chart.geometry.way(fleet.position, port, chart.closed[fleet.side])
        order = replace(fleet.order, route=route, stance=Stance.AVOID, on_arrival=OnArrival.ANCHOR)
        chart.alter(fleet, order=order, path=())
    return port


def _coal_from_colliers(chart: Chart, fleet: FleetState) -> None:
    """Fill the bunkers of a fleet that lies still at an anchorage or in a port from colliers in company, day for day. Rule: G.RP4."""
    here = chart.facts.theatre.places[fleet.position.at].kind
    if fleet.under_way or fleet.position.to or here not in (PlaceKind.ANCHORAGE, PlaceKind.PORT):
        return
    company = [
        other for other in company_of(chart, fleet) if other.side == fleet.side and not other.under_way
    ]
    ships = [ship for other in company for ship in chart.ships_of(other.code) if chart.steamer(ship)]
    colliers = sorted((ship for ship in ships if hold(chart, ship)), key=lambda ship: ship.code)
    taken: dict[str, int] = {}
    for ship in chart.ships_of(fleet.code):
        if not chart.steamer(ship) or ship in colliers:
            continue
        for collier in colliers:
            hours = min(-_spare(chart, ship), _spare(chart, collier))
            if hours > 0:
                keep_coal(chart, collier, coal_left(chart, collier) - hours)
                keep_coal(chart, ship, coal_left(chart, ship) + hours)
                taken[ship.code] = taken.get(ship.code, 0) + hours
    if taken:
        days = -(-sum(taken.values()) // DAY)
        chart.tell("coaled", "G.RP4", fleet.side, fleet=fleet.code, ships=list(taken), days=days)


def _spare(chart: Chart, ship: ShipState) -> int:
    """Hours of coal that a steamer has beyond full bunkers, below 0 for one that wants some. Rule: G.RP4."""
    return coal_left(chart, ship) - bunkers_of(chart, ship)


def _look_into_bunkers(chart: Chart, fleet: FleetState) -> None:
    """A fleet with a steamer that has no coal left makes for a port, at a crawl; it is told as it turns for it. Rule: G.RP4."""
    empty = [ship.code for ship in chart.ships_of(fleet.code) if chart.state.economy.coal.get(ship.code) == 0]
    bound = fleet.order.route[-1:]
    if empty and (port := _send_in(chart, fleet)) not in bound:
        chart.tell("out_of_coal", "G.RP4", fleet.side, fleet=fleet.code, place=port, ships=empty)
