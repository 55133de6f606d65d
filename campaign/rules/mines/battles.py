"""Mines of the chart in a battle, and what a battle leaves of them. Rule: G.MN4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battles.engine.core.outcome import MinesLeft, Outcome
from campaign.rules.chart.types import MILLI, BattleCall, PlaceKind, Position
from campaign.rules.mines.laying import minable, stock
from campaign.rules.mines.waters import knows
from campaign.rules.state.minefields import Minefield
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart


def mines_told(
    chart: Chart, code: str, position: Position, groups: dict[str, list[FleetState]]
) -> dict[str, Any]:
    """The switches by which a battle at a place learns of its mines, and of those aboard the ships that fight. Rules: G.MN4, P.K12.

    A field of a side that does not fight, or that both sides know, is kept clear of.
    """
    if not chart.at_sea.lays_mines:
        return {}
    there = chart.state.mines.at(chart.geometry.nearest(position)) if near(chart, position) else []
    rows = [row for row in there if _unknown_to_one(chart, row, groups)]
    rows.sort(key=lambda row: (_party(chart, row, groups), row.code))
    sown: dict[str, list[int]] = {}
    for row in rows:
        sown.setdefault(_party(chart, row, groups), []).append(row.sections)
    unsown: dict[str, dict[str, int]] = {}
    for side, fleets in groups.items():
        ships = [ship for fleet in fleets for ship in chart.ships_of(fleet.code)]
        aboard = {ship.code: stock(chart, ship) for ship in ships if stock(chart, ship)}
        if aboard:
            unsown[side] = aboard
    if not sown and not unsown:
        return {}
    chart.state.mines.fought[code] = tuple(row.code for row in rows)
    towards = (chart.weather(next(iter(groups.values()))[0]).wind_from + 180) % 360
    return chart.rules.mines_in(towards, sown, unsown)


def near(chart: Chart, position: Position) -> bool:
    """Whether a battle at a position is fought among the mines of the place nearest to it: no farther off than a blockader lies."""
    if not position.to:
        return True
    leg = chart.geometry.legs[position.at, position.to]
    return min(position.run, leg.length - position.run) <= chart.facts.settings.blockade_miles * MILLI


def _party(chart: Chart, row: Minefield, groups: dict[str, list[FleetState]]) -> str:
    """The side of a battle to which a field belongs, its own or its ally's; "" for neither. Rule: G.MN4."""
    return next(
        (
            side
            for side in sorted(groups)
            if row.side == side or frozenset((row.side, side)) in chart.facts.allied
        ),
        "",
    )


def _unknown_to_one(chart: Chart, row: Minefield, groups: dict[str, list[FleetState]]) -> bool:
    """Whether a field belongs to a side of the battle and the other does not know of it. Rule: G.MN4."""
    party = _party(chart, row, groups)
    return bool(party) and any(not knows(chart, side, row) for side in groups if side != party)


def mines_back(chart: Chart, call: BattleCall, outcome: Outcome) -> None:
    """What is left of the fields, who has seen them, and fields that were laid in the battle. Rules: G.MN4, P.K12, P.K14."""
    mines = chart.state.mines
    told = mines.fought.pop(call.code, ())
    if not outcome.mines:
        return
    there = [row for row in outcome.mines if not row.carrier]
    for code, row in zip(told, there, strict=False):
        if code in mines.fields:
            mines.leave(code, row.sections)
            for side in row.known:
                if code in mines.fields:
                    mines.find(code, side)
    _laid(chart, call, [row for row in outcome.mines if row.carrier])


def _laid(chart: Chart, call: BattleCall, rows: Sequence[MinesLeft]) -> None:
    """Mines laid in a battle stay where it was fought, unless that is the open sea; what is not laid stays aboard. Rule: G.MN4."""
    kind: PlaceKind = chart.facts.theatre.places[call.place].kind
    for row in rows:
        chart.state.mines.aboard[row.carrier] = row.unlaid
        if row.sections and minable(kind):
            chart.state.mines.lay(row.side, call.place, row.sections, row.known)
