"""Ships that leave their fleet by order at 06:00: for a fleet of their own, or for another in company. Rule: G.MV4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from campaign.rules.chart.types import FleetOrder, Part
from campaign.rules.contact.contact import company_of
from campaign.rules.orders.orders import path_of, with_port
from campaign.rules.prizes.prizes import PRIZES
from campaign.rules.sailing.parting import new_code
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart


def detach_by_order(chart: Chart, fleet: FleetState) -> FleetState:
    """Carry out what a fleet's order says of ships that are to leave it; ships that are gone meanwhile are passed over. Rule: G.MV4."""
    parts = fleet.order.parts
    if not parts:
        return fleet
    fleet = chart.alter(fleet, order=replace(fleet.order, parts=()))
    for part in parts:
        there = {ship.code: ship for ship in chart.ships_of(fleet.code)}
        ships = [there[code] for code in part.ships if code in there]
        if not ships or all(ship in ships or ship.prize for ship in there.values()):
            continue
        if part.to:
            _give(chart, fleet, part, ships)
        else:
            _detach(chart, fleet, part, ships)
    return chart.state.fleets[fleet.code]


def _detach(chart: Chart, fleet: FleetState, part: Part, ships: Sequence[ShipState]) -> None:
    """A fleet of its own under its own route, and its parent's battle instructions."""
    state, code = chart.state, new_code(chart, fleet.side)
    order = FleetOrder(
        code, part.route, part.stance, part.on_arrival, fleet.order.instructions, target=part.target
    )
    new = replace(
        fleet, code=code, name=part.name, order=with_port(order), under_way=False, free_until=0, free_from=(),
        path=path_of(fleet.position, part.route, ()), rejoins="", home="", homes=(), group="",
    )  # fmt: skip
    state.fleets[code] = new
    _move(chart, fleet, new, ships, alone=code)
    chart.tell(
        "detached", "G.MV4", fleet.side, fleet=code, parent=fleet.code, name=part.name,
        ships=[ship.code for ship in ships], place=chart.geometry.nearest(fleet.position),
    )  # fmt: skip


def _give(chart: Chart, fleet: FleetState, part: Part, ships: Sequence[ShipState]) -> None:
    """Over to a fleet in company, into its leading squadron; where it is in company no more, the order is refused."""
    near = {other.code for other in company_of(chart, fleet) if other.side == fleet.side}
    engaged = {code for key in chart.state.contacts for code in key}
    if part.to not in near or part.to in engaged or not chart.ships_of(part.to):
        fault = [
            "order/not-in-company",
            "G.MV4",
            "The fleet that was to receive our ships is not in company.",
        ]
        chart.tell("order_refused", "G.MV3", fleet.side, fleet=fleet.code, faults=[fault])
        return
    other = chart.state.fleets[part.to]
    _move(chart, fleet, other, ships, alone=_leading(chart, other))
    chart.tell(
        "transferred", "G.MV4", fleet.side, fleet=other.code, giver=fleet.code, ships=[s.code for s in ships]
    )


def _leading(chart: Chart, fleet: FleetState) -> str:
    """The squadron at the head of a fleet's order of sailing."""
    return chart.ships_of(fleet.code)[0].squadron


def _move(chart: Chart, old: FleetState, new: FleetState, ships: Sequence[ShipState], *, alone: str) -> None:
    """Put ships into another fleet: whole squadrons as they are, single ships into the squadron `alone`."""
    leaving = {ship.code for ship in ships}
    split = {ship.squadron for ship in chart.ships_of(old.code) if ship.code not in leaving}
    for ship in ships:
        single = ship.squadron in split and ship.squadron != PRIZES
        squadron = alone if single and not ship.prize else ship.squadron
        chart.state.ships[ship.code] = replace(ship, fleet=new.code, squadron=squadron)
    chart.ships_changed()
