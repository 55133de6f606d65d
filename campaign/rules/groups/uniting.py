"""How the ships of one fleet come into another of its side. Rules: G.KT1, G.KT3, G.MV4."""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart


def join(chart: Chart, fleet: FleetState, other: FleetState) -> None:
    """Bring the ships of a fleet into another of its side; a ship that had parted alone takes her old place. Rule: G.MV4."""
    state, ships = chart.state, chart.ships_of(fleet.code)
    back = fleet.rejoins == other.code
    homes = _homes(chart, fleet)
    for ship in ships:
        squadron = homes.get(ship.code, ship.squadron) if back and not ship.prize else ship.squadron
        if back:
            squadron = squadron_now(chart, squadron, other.code)
        state.ships[ship.code] = replace(ship, fleet=other.code, squadron=squadron)
    chart.alter(fleet, ended=True)
    if fleet.group and fleet.rejoins == other.rejoins:
        both = {**_homes(chart, other), **homes}
        chart.alter(state.fleets[other.code], home="", homes=tuple(sorted(both.items())))
    for follower in chart.fleets():
        if follower.rejoins == fleet.code:
            chart.alter(follower, rejoins=other.code)
        if follower.order.target == fleet.code and follower.code != other.code:
            chart.alter(chart.state.fleets[follower.code], order=replace(follower.order, target=other.code))
    chart.ships_changed()
    codes = [ship.code for ship in ships]
    chart.tell("rejoined", "G.MV4", fleet.side, fleet=other.code, parted=fleet.code, ships=codes)


def _homes(chart: Chart, fleet: FleetState) -> dict[str, str]:
    """The squadron in which each ship of a fleet belongs that left the rest of it, by ship. Rule: G.GF3."""
    if not fleet.home:
        return dict(fleet.homes)
    return {ship.code: fleet.home for ship in chart.ships_of(fleet.code) if not ship.prize}


def squadron_now(chart: Chart, squadron: str, fleet: str) -> str:
    """The squadron in which ships belong whose own may have been broken up while they were away. Rule: G.KT3."""
    there = {ship.squadron for ship in chart.ships_of(fleet)}
    seen: set[str] = set()
    while squadron not in there and squadron in chart.state.mustered and squadron not in seen:
        seen.add(squadron)
        squadron = chart.state.mustered[squadron]
    return squadron
