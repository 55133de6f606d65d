"""Fleets that run into minefields. Rule: G.MN2."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.fates import Fate
from campaign.rules.losses.losses import lose
from campaign.rules.mines.waters import keeps_the_lane, mined_waters
from campaign.rules.state.minefields import Minefield
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart


def strike(chart: Chart) -> None:
    """Fleets in mined waters throw for each field that they do not keep clear of. Rule: G.MN2."""
    if not chart.state.mines.fields:
        return
    for code, place in mined_waters(chart):
        for row in chart.state.mines.at(place):
            fleet = chart.state.fleets[code]
            if fleet.ended or keeps_the_lane(chart, fleet, row):
                continue
            face = chart.dice.d6(clause="G.MN2", subjects=(chart.hour, row.code, code), reason="mines")
            if face <= -(-row.sections // chart.facts.settings.mine_sections):
                run_in(chart, fleet, row)


def run_in(chart: Chart, fleet: FleetState, row: Minefield) -> None:
    """The ships at the head of a fleet are attacked, and its side knows of the field from then on. Rules: G.MN2, P.X05, P.X08."""
    leading = chart.ships_of(fleet.code)[: chart.facts.settings.mine_ships]
    side = fleet.side
    struck: list[str] = []
    gone: list[str] = []
    for ship in leading:
        now = attacked(chart, ship, row)
        before = chart.at_sea.hull_fraction(_card(chart, ship), ship.condition)
        lost = chart.at_sea.hull_fraction(_card(chart, ship), now.condition)
        if lost > before:
            (gone if lost >= 1 else struck).append(ship.code)
    chart.state.mines.find(row.code, side)
    chart.tell(
        "mine_struck", "G.MN2", side, fleet=fleet.code, side=side, place=row.place, own=row.side == side,
        ships=[ship.code for ship in leading], hurt=struck, lost=gone,
    )  # fmt: skip
    for code in gone:
        lose(chart, chart.state.ships[code], Fate.SUNK, clause="G.MN2", cause="mined")


def attacked(chart: Chart, ship: ShipState, row: Minefield) -> ShipState:
    """One ship is attacked by a field, by the dice of the rule set. Rules: G.MN2, P.X05."""
    attack, defence = (
        chart.dice.d6(clause="G.MN2", subjects=(chart.hour, row.code, ship.code, reason), reason=reason)
        for reason in ("mine", "defence")
    )
    condition = chart.at_sea.mined(_card(chart, ship), ship.condition, attack, defence)
    changed = replace(chart.state.ships[ship.code], condition=condition)
    chart.state.ships[ship.code] = changed
    chart.ships_changed()
    return changed


def _card(chart: Chart, ship: ShipState) -> dict[str, object]:
    return dict(chart.facts.ships[ship.code].card)
