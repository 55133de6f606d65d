"""Ships that take the ground on a shoal coast or in a battle. Rules: G.CH4, G.SV1."""

from __future__ import annotations

from collections.abc import Sequence

from campaign.rules.chart.types import Position
from campaign.rules.sailing.parting import group_of, part
from campaign.rules.sailing.shoals import deep_ships
from campaign.rules.state.state import AGROUND, FleetState, ShipState
from campaign.rules.state.world import Chart


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
    _strand(chart, fleet, aground, place, clause="G.CH4")


def fast_after_battle(chart: Chart, ships: Sequence[str], hour: int) -> None:
    """Ships that were still fast when a battle ended stay where it was fought, and throw with the tide like others. Rules: G.SV1, P.K08.

    ships: codes, as an outcome flags them. hour: at which the fleets come back on the chart.
    """
    by_fleet: dict[str, list[ShipState]] = {}
    for code in sorted(ships):
        ship = chart.state.ships[code]
        if chart.at_sea.stays_aground and ship.fleet and not chart.state.marked(code, AGROUND):
            by_fleet.setdefault(ship.fleet, []).append(ship)
    for code, aground in sorted(by_fleet.items()):
        fleet = chart.state.fleets[code]
        place = chart.geometry.nearest(fleet.position)
        _strand(chart, fleet, aground, place, clause="G.SV1", hour=hour)


def _strand(
    chart: Chart,
    fleet: FleetState,
    aground: Sequence[ShipState],
    place: str,
    *,
    clause: str,
    hour: int | None = None,
) -> None:
    """Leave ships of a fleet aground at a place, as a fleet of their own unless they are all of it; off an enemy port they stay outside.

    hour: at which this is known, and they are on the chart; None for now. Rules: G.CH4, G.SV1.
    """
    for ship in aground:
        chart.state.mark(ship.code, AGROUND)
    if len(aground) == len(chart.ships_of(fleet.code)):
        stranded = fleet
    else:
        first, *others = aground
        name = group_of(chart, "Aground", fleet) if others else chart.facts.ships[first.code].name
        stranded = part(chart, fleet, aground, name=name, home="" if others else first.squadron)
    outside = place in chart.closed[fleet.side]
    stranded = chart.alter(
        stranded, position=stranded.position if outside else Position(place), under_way=False,
        off_until=stranded.off_until if hour is None else hour,
    )  # fmt: skip
    chart.tell(
        "aground", clause, fleet.side, hour=hour, fleet=stranded.code, parent=fleet.code, place=place, name=stranded.name,
        ships=[ship.code for ship in aground],
    )  # fmt: skip
