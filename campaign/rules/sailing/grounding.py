"""Ships that take the ground on a shoal coast, and the tide that floats them off. Rule: G.CH4."""

from __future__ import annotations

from campaign.rules.chart.types import Position
from campaign.rules.sailing.parting import group_of, make_for_rendezvous, part
from campaign.rules.sailing.shoals import channel_is_safe, deep_ships, is_shoal
from campaign.rules.state.clock import clock
from campaign.rules.state.state import AGROUND, FleetState
from campaign.rules.state.world import Chart

TIDES = (0, 12)


def shoal_step(chart: Chart) -> None:
    """Throws of the hour: who has come in among the shoals outside the channel, and whom the tide floats off. Rule: G.CH4."""
    for code, place in sorted(chart.entered):
        fleet = chart.state.fleets[code]
        if not fleet.ended and is_shoal(chart, place) and not channel_is_safe(chart, fleet, place):
            take_the_ground(chart, fleet, place)
    chart.entered.clear()
    if clock(chart.hour) in TIDES:
        _refloat(chart)


def take_the_ground(chart: Chart, fleet: FleetState, place: str) -> None:
    """Each deep ship of a fleet throws; who is aground stays there, and the others sail on. Rule: G.CH4."""
    least = chart.facts.settings.aground_at
    aground = [
        ship
        for ship in deep_ships(chart, fleet)
        if not chart.state.marked(ship.code, AGROUND)
        and chart.dice.d6(clause="G.CH4", subjects=(chart.hour, place, ship.code), reason="shoals") <= least
    ]
    if not aground:
        return
    for ship in aground:
        chart.state.mark(ship.code, AGROUND)
    if len(aground) == len(chart.ships_of(fleet.code)):
        stranded = fleet
    else:
        first, *others = aground
        name = group_of(chart, "Aground", fleet) if others else chart.facts.ships[first.code].name
        stranded = part(chart, fleet, aground, name=name, home="" if others else first.squadron)
    chart.alter(stranded, position=Position(place), under_way=False)
    chart.tell(
        "aground", "G.CH4", fleet.side, fleet=stranded.code, parent=fleet.code, place=place, name=stranded.name,
        ships=[ship.code for ship in aground],
    )  # fmt: skip


def _refloat(chart: Chart) -> None:
    """One throw a tide for every ship aground. Rule: G.CH4."""
    for code in sorted(chart.state.marks):
        ship = chart.state.ships.get(code)
        if ship is None or not ship.fleet or not chart.state.marked(code, AGROUND):
            continue
        fleet = chart.state.fleets[ship.fleet]
        if not chart.on_chart(fleet):
            continue
        face = chart.dice.d6(clause="G.CH4", subjects=(chart.hour, code, "tide"), reason="refloating")
        if face < chart.facts.settings.refloat_at:
            continue
        chart.state.unmark(code, AGROUND)
        chart.tell(
            "refloated", "G.CH4", fleet.side, fleet=fleet.code, ship=code, ships=[code],
            place=chart.geometry.nearest(fleet.position),
        )  # fmt: skip
        parent = chart.state.fleets.get(fleet.rejoins)
        if parent is not None and not parent.ended and not chart.aground(fleet):
            make_for_rendezvous(chart, fleet, parent)
