"""Ships that part company, and how they find their fleet again. Rules: G.GF3, G.MV4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from battles.engine.core.scenario import Stance
from campaign.rules.clock import DAY
from campaign.rules.contact import company_of
from campaign.rules.state import FleetState, ShipState
from campaign.rules.types import FleetOrder, OnArrival
from campaign.rules.world import Chart


def part(
    chart: Chart, fleet: FleetState, ships: Sequence[ShipState], *, name: str, home: str = ""
) -> FleetState:
    """Make a fleet of ships that have parted from another, under orders to rejoin it at the rendezvous. Rules: G.GF3, G.MV5.

    home: the squadron of a ship that parts alone, "" when a squadron goes as a whole. The code tells side and turn, so that no
    fleet of the campaign has it yet.
    """
    state = chart.state
    stem = f"{fleet.side}-p{state.turn}-"
    code = f"{stem}{1 + sum(known.startswith(stem) for known in state.fleets)}"
    order = FleetOrder(
        code,
        stance=Stance.AVOID,
        on_arrival=OnArrival.ANCHOR,
        instructions=fleet.order.instructions,
    )
    detached = replace(
        fleet,
        code=code,
        order=order,
        path=(),
        under_way=False,
        still_until=0,
        free_until=0,
        free_from=(),
        name=name,
        rejoins=fleet.code,
        home=home,
    )
    state.fleets[code] = detached
    for ship in ships:
        squadron = code if home and not ship.prize else ship.squadron
        state.ships[ship.code] = replace(ship, fleet=code, squadron=squadron)
    chart.ships_changed()
    return detached


def make_for_rendezvous(chart: Chart, detached: FleetState, fleet: FleetState) -> FleetState:
    """Set a fleet that has parted on its way to where it hopes to meet the other. Rules: G.GF3, G.MV5."""
    place = rendezvous(chart, fleet)
    route = chart.geometry.way(detached.position, place, chart.closed[detached.side])
    if not detached.position.to and route[:1] == (detached.position.at,):
        route = route[1:]
    return chart.alter(detached, order=replace(detached.order, route=route), path=())


def rendezvous(chart: Chart, fleet: FleetState) -> str:
    """The place that a fleet's instructions name, else the end of its route, else the place nearest to it. Rule: G.MV5."""
    named = fleet.order.instructions.rendezvous
    if named and named not in chart.closed[fleet.side]:
        return named
    return fleet.order.route[-1] if fleet.order.route else chart.geometry.nearest(fleet.position)


def company_step(chart: Chart) -> None:
    """At 06:00 what has parted joins the fleet it belongs to, when the two are in company. Rules: G.GF3, G.MV4."""
    if chart.hour % DAY:
        return
    engaged = {code for key in chart.state.contacts for code in key}
    for fleet in chart.fleets():
        if not fleet.rejoins:
            continue
        other = chart.state.fleets.get(fleet.rejoins)
        if other is None or other.ended or other.side != fleet.side:
            chart.alter(fleet, rejoins="", home="")
        elif (
            chart.on_chart(fleet)
            and chart.on_chart(other)
            and not {fleet.code, other.code} & engaged
            and other in company_of(chart, fleet)
        ):
            join(chart, fleet, other)


def join(chart: Chart, fleet: FleetState, other: FleetState) -> None:
    """Bring the ships of a fleet into another of its side; a ship that had parted alone takes her old place. Rule: G.MV4."""
    state, ships = chart.state, chart.ships_of(fleet.code)
    for ship in ships:
        squadron = fleet.home if fleet.home and not ship.prize else ship.squadron
        state.ships[ship.code] = replace(ship, fleet=other.code, squadron=squadron)
    chart.alter(fleet, ended=True)
    for follower in chart.fleets():
        if follower.rejoins == fleet.code:
            chart.alter(follower, rejoins=other.code)
    chart.ships_changed()
    codes = [ship.code for ship in ships]
    chart.tell("rejoined", "G.MV4", fleet.side, fleet=other.code, parted=fleet.code, ships=codes)
