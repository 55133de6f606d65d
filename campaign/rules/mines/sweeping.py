"""Sweepers: they look for mines where they lie, and take them up section by section. Rule: G.MN3."""

from __future__ import annotations

from battles.engine.core.fates import Fate
from battles.engine.core.scenario import Strength
from campaign.rules.chart.types import OnArrival
from campaign.rules.losses.losses import lose
from campaign.rules.mines.striking import attacked
from campaign.rules.mines.waters import friends_know, knows
from campaign.rules.sailing.ports import lies_off
from campaign.rules.state.clock import DAY, is_day, moment
from campaign.rules.state.minefields import Minefield
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart

# Hours after 06:00 at which a day's sweeping is done.
SWEEPING_HOUR = 3


def sweepers(chart: Chart, fleet: FleetState) -> list[ShipState]:
    """Ships of a fleet that can sweep, in the order of codes. Rules: G.MN3, P.X09."""
    year = moment(chart.facts.start_date, chart.hour).year
    ships = sorted(chart.ships_of(fleet.code), key=lambda ship: ship.code)
    return [s for s in ships if not s.prize and chart.at_sea.sweeps(chart.facts.ships[s.code].card, year)]


def sweep(chart: Chart) -> None:
    """Once a day, by daylight and in no gale, fleets look for mines and sweep those that they know of. Rule: G.MN3."""
    if chart.hour % DAY != SWEEPING_HOUR or not is_day(chart.facts, chart.hour):
        return
    for code in [fleet.code for fleet in chart.fleets()]:
        fleet = chart.state.fleets[code]
        if fleet.order.on_arrival is not OnArrival.SWEEP or not chart.on_chart(fleet):
            continue
        place = lies_off(chart, fleet) or (
            "" if fleet.position.to or fleet.order.route else fleet.position.at
        )
        if place and chart.weather(fleet).strength is not Strength.GALE:
            _sweep(chart, fleet, place)


def _sweep(chart: Chart, fleet: FleetState, place: str) -> None:
    settings, found, swept, lost = chart.facts.settings, 0, 0, []
    able = sweepers(chart, fleet)
    if not able:
        return
    for row in chart.state.mines.at(place):
        if row.side in friends_know(chart, fleet.side):
            continue
        if not knows(chart, fleet.side, row):
            faces = [
                chart.dice.d6(
                    clause="G.MN3", subjects=(chart.hour, row.code, ship.code, "look"), reason="looking"
                )
                for ship in able
            ]
            if max(faces) < settings.mine_found_at:
                continue
            chart.state.mines.find(row.code, fleet.side)
            found += 1
        for ship in list(able):
            if row.code not in chart.state.mines.fields:
                break
            if _harmed(chart, ship, row):
                able.remove(ship)
                lost.append(ship.code)
                continue
            chart.state.mines.leave(row.code, chart.state.mines.fields[row.code].sections - 1)
            swept += 1
    if found or swept or lost:
        left = sum(r.sections for r in chart.state.mines.at(place) if knows(chart, fleet.side, r))
        chart.tell(
            "mines_swept", "G.MN3", fleet.side, fleet=fleet.code, place=place, found=found, sections=swept,
            left=left, hurt=lost,
        )  # fmt: skip


def _harmed(chart: Chart, ship: ShipState, row: Minefield) -> bool:
    """Whether the field, which attacks a sweeper first, has hurt it; then it sweeps nothing. Rules: G.MN3, P.X10."""
    now = attacked(chart, ship, row)
    if now.condition == ship.condition:
        return False
    if not chart.at_sea.afloat(chart.facts.ships[ship.code].card, now.condition):
        lose(chart, now, Fate.SUNK, clause="G.MN3", cause="mined")
    return True
