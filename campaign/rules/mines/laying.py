"""Minelayers: where they may lay, how they come there, what they have aboard. Rule: G.MN1."""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.chart.types import MILLI, OnArrival, PlaceKind, Position, Visibility
from campaign.rules.mines.waters import friends_know
from campaign.rules.sailing.ports import lies_off
from campaign.rules.state.clock import DAY, is_day
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart


def stock(chart: Chart, ship: ShipState) -> int:
    """Sections of a minefield that a ship has aboard; a prize has none. Rule: G.MN1."""
    if ship.prize:
        return 0
    aboard = chart.state.mines.aboard.get(ship.code)
    return chart.at_sea.mines_aboard(chart.facts.ships[ship.code].card) if aboard is None else aboard


def fill(chart: Chart) -> None:
    """At 06:00 ships under orders to lay mines take a field aboard in a port of their own with a dockyard. Rule: G.MN1."""
    if chart.hour % DAY:
        return
    for fleet in chart.fleets():
        if fleet.order.on_arrival is not OnArrival.MINE or not chart.on_chart(fleet):
            continue
        place = chart.facts.theatre.places[fleet.position.at]
        if not chart.in_port(fleet) or not place.dockyard or not _own(chart, fleet):
            continue
        taken = []
        for ship in chart.ships_of(fleet.code):
            room = chart.at_sea.mines(chart.facts.ships[ship.code].card)
            if not ship.prize and stock(chart, ship) < room:
                chart.state.mines.aboard[ship.code] = room
                taken.append(ship.code)
        if taken:
            chart.tell("mines_aboard", "G.MN1", fleet.side, fleet=fleet.code, place=place.code, ships=taken)


def _own(chart: Chart, fleet: FleetState) -> bool:
    return chart.owner_of(fleet.position.at) in chart.facts.sides[fleet.side].nations


def lay(chart: Chart) -> None:
    """Fleets that have come to where they are to lay mines lay them: before an enemy's port unseen, elsewhere at once. Rule: G.MN1."""
    for code in [fleet.code for fleet in chart.fleets()]:
        fleet = chart.state.fleets[code]
        if fleet.order.on_arrival is not OnArrival.MINE or not chart.on_chart(fleet):
            continue
        off = lies_off(chart, fleet)
        place = off or ("" if fleet.position.to or fleet.order.route else fleet.position.at)
        if not place or not minable(chart.facts.theatre.places[place].kind):
            continue
        if (off and not _unseen(chart, fleet)) or any(code in key for key in chart.state.contacts):
            continue
        _lay(chart, fleet, place)


def minable(kind: PlaceKind) -> bool:
    """Whether mines can be laid at a kind of place: the open sea is too deep and too wide. Rule: G.MN1."""
    return kind is not PlaceKind.SEA_AREA


def _unseen(chart: Chart, fleet: FleetState) -> bool:
    """Whether a port's lookouts cannot see who lays mines before it: by night or in fog. Rule: G.MN1."""
    return not is_day(chart.facts, chart.hour) or chart.weather(fleet).visibility is Visibility.FOG


def _lay(chart: Chart, fleet: FleetState, place: str) -> None:
    """Each ship lays one field, and the fleet goes back the way it came. Rules: G.MN1, P.X01, P.X04."""
    carriers = [ship for ship in chart.ships_of(fleet.code) if stock(chart, ship)]
    if not carriers:
        return
    sections = 0
    for ship in carriers:
        row = chart.state.mines.lay(fleet.side, place, stock(chart, ship))
        sections += row.sections
        chart.state.mines.aboard[ship.code] = 0
    chart.tell(
        "mines_laid", "G.MN1", *friends_know(chart, fleet.side), fleet=fleet.code, side=fleet.side, place=place,
        ships=[ship.code for ship in carriers], sections=sections,
    )  # fmt: skip
    go_back(chart, fleet, place)


def go_back(chart: Chart, fleet: FleetState, place: str) -> FleetState:
    """Send a fleet back the way it came, clear of an enemy's port at once. Rules: G.MN1, G.NT1, G.MV2."""
    back = tuple(code for code in reversed(fleet.path) if code != place)
    position = fleet.position
    if place and position.to == place:
        leg = chart.geometry.legs[position.at, place]
        run = max(0, leg.length - chart.facts.settings.blockade_miles * MILLI)
        position = Position(position.at, place, min(run, position.run)) if run else Position(position.at)
        if back[:1] != (position.at,):
            back = (position.at, *back)
    elif back[:1] == (position.at,):
        back = back[1:]
    home = back[-1] if back else ""
    if not home:
        home = chart.nearest_own_port(position, fleet.side)
        back = chart.geometry.way(position, home, chart.closed[fleet.side]) if home else ()
    order = replace(fleet.order, route=back, on_arrival=OnArrival.ANCHOR, target="")
    return chart.alter(fleet, position=position, order=order, path=(), under_way=False)
