"""Ships that are lost on the chart and their people, and fleets that lose their last one. Rules: G.BT3, G.CH2, G.GF1, G.GF2, T.C37."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.fates import Fate
from campaign.rules.losses.castaways import aboard, cast_ashore, rescuers_of, taken_up
from campaign.rules.losses.officers import officers_of_lost_ship
from campaign.rules.losses.soldiers import cast_up, drown
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart


def lose(
    chart: Chart, ship: ShipState, fate: Fate, *, clause: str, cause: str, hour: int | None = None
) -> None:
    """Strike a ship from her fleet, and see to her people. Her side alone is told: no one else was there to see.

    The people of a wreck come ashore; of a ship that goes down those are saved whom ships in company take up, and the others drown
    with the captives in her. Rules: G.BT3, G.IN1, T.C20, T.C21, T.C37, G.AF1.
    """
    state = chart.state
    ship = state.ships[ship.code]  # as she is now, with those whom she has taken up herself
    fleet = state.fleets[ship.fleet]
    groups = aboard(chart, ship)
    saved = 0 if fate is Fate.WRECKED else taken_up(chart, ship, hour=hour)
    rescuers = [other.code for other in rescuers_of(chart, ship)]
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
    if fate is Fate.WRECKED:
        cast_ashore(chart, ship, groups, fleet.position, hour=hour)
        cast_up(chart, ship, fleet.position, hour=hour)
    else:
        drown(chart, ship, saved, rescuers, hour=hour)
    officers_of_lost_ship(chart, ship, fleet.position, fate, hour=hour, saved=saved > 0)
    end_if_empty(chart, fleet.code)


def end_if_empty(chart: Chart, code: str) -> None:
    """A fleet without a ship is no longer a fleet."""
    fleet = chart.state.fleets[code]
    if not fleet.ended and not chart.ships_of(code):
        chart.alter(fleet, ended=True)
        chart.tell("fleet_ended", "G.BT3", fleet.side, fleet=code)


def disabled(chart: Chart, fleet: FleetState) -> list[ShipState]:
    """Ships of a fleet that make no way of their own. Rule: G.MV1."""
    hulls = chart.hulls(fleet.code)
    return [ship for ship, hull in zip(chart.ships_of(fleet.code), hulls, strict=True) if not hull.factor]
