"""Ships that are lost on the chart, and fleets that lose their last one. Rules: G.BT3, G.CH2, G.GF1, G.GF2."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.fates import Fate
from campaign.rules.state import FleetState, ShipState
from campaign.rules.world import Chart


def lose(
    chart: Chart, ship: ShipState, fate: Fate, *, clause: str, cause: str, hour: int | None = None
) -> None:
    """Strike a ship from her fleet. Her side alone is told: nobody else was there to see. Rules: G.BT3, G.IN1."""
    state = chart.state
    fleet = state.fleets[ship.fleet]
    state.ships[ship.code] = replace(ship, fleet="", squadron="", men=0, captain="", fate=fate)
    state.marks.pop(ship.code, None)
    state.prizes.pop(ship.code, None)
    state.economy.captives.pop(ship.code, None)
    chart.ships_changed()
    place = chart.geometry.nearest(fleet.position)
    chart.tell(
        "lost", clause, ship.side, hour=hour, ship=ship.code, side=ship.side, fate=fate.value, cause=cause,
        place=place, fleet=fleet.code,
    )  # fmt: skip
    end_if_empty(chart, fleet.code)


def end_if_empty(chart: Chart, code: str) -> None:
    """A fleet without a ship is no fleet any more."""
    fleet = chart.state.fleets[code]
    if not fleet.ended and not chart.ships_of(code):
        chart.alter(fleet, ended=True)
        chart.tell("fleet_ended", "G.BT3", fleet.side, fleet=code)


def disabled(chart: Chart, fleet: FleetState) -> list[ShipState]:
    """Ships of a fleet that make no way of their own. Rule: G.MV1."""
    hulls = chart.hulls(fleet.code)
    return [ship for ship, hull in zip(chart.ships_of(fleet.code), hulls, strict=True) if not hull.factor]
