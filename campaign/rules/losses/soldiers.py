"""Soldiers in ships that are lost or taken: who drowns, who is saved, who is a prisoner. Rules: G.LD1, G.PR1, T.C21."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from campaign.rules.chart.types import Position
from campaign.rules.losses.castaways import Shore, landing
from campaign.rules.state.state import ShipState
from campaign.rules.state.world import Chart

A_MARK = 1000  # men


def drown(
    chart: Chart, ship: ShipState, saved: int, rescuers: Sequence[str], *, hour: int | None = None
) -> None:
    """The soldiers of a ship that goes down are lost with her, but for the share of her crew that is saved.

    saved: of her people, out of ship.men. rescuers: ships that have those; the soldiers go where the crew goes. Rule: G.LD1.
    """
    troops = chart.state.troops
    men = troops.aboard.pop(ship.code, 0)
    troops.boats.pop(ship.code, None)
    if not men:
        return
    kept = men * min(saved, ship.men) // ship.men if rescuers and ship.men else 0
    if kept:
        troops.load(rescuers[0], kept)
    tell_lost(chart, ship, men - kept, taken=False, hour=hour)


def cast_up(chart: Chart, ship: ShipState, position: Position, *, hour: int | None = None) -> None:
    """The soldiers of a wreck come ashore with her crew: prisoners on a hostile coast, an army on any other. Rules: G.LD1, T.C21."""
    men = chart.state.troops.aboard.pop(ship.code, 0)
    chart.state.troops.boats.pop(ship.code, None)
    if not men:
        return
    shore, holder = landing(chart, ship.side, position)
    port = chart.nearest_own_port(position, holder or ship.side)
    if shore is Shore.HOSTILE and port:
        chart.state.economy.hold(holder, port, ship.side, men)
        tell_lost(chart, ship, men, taken=True, hour=hour)
    elif port:
        chart.state.troops.gather(ship.side, port, men)
    else:
        tell_lost(chart, ship, men, taken=False, hour=hour)


def surrender(chart: Chart, ship: ShipState, *, hour: int | None = None) -> int:
    """The soldiers in a ship that is taken lay down their arms; returns how many, for who holds them. Rules: G.LD1, G.PR1."""
    men = chart.state.troops.aboard.pop(ship.code, 0)
    chart.state.troops.boats.pop(ship.code, None)
    if men:
        tell_lost(chart, ship, men, taken=True, hour=hour)
    return men


def marines_again(chart: Chart, code: str) -> None:
    """Of the people who are free again in a ship, those beyond her complement are soldiers aboard her. Rule: G.LD1."""
    ship, most = chart.state.ships[code], chart.facts.ships[code].complement
    if chart.facts.settings.landings != "on" or ship.prize or ship.men <= most:
        return
    chart.state.troops.load(code, ship.men - most)
    chart.state.ships[code] = replace(ship, men=most)


def tell_lost(chart: Chart, ship: ShipState, men: int, *, taken: bool, hour: int | None = None) -> None:
    """Men lost or taken at sea cost their side a mark a thousand. Rules: G.LD1, G.VP1."""
    if men:
        marks = str(Fraction(men, A_MARK))
        chart.tell(
            "soldiers_lost", "G.LD1", ship.side, hour=hour, ship=ship.code, side=ship.side, men=men, taken=taken,
            marks=marks, ships=[ship.code],
        )  # fmt: skip


def gained(before: Mapping[str, ShipState], now: Mapping[str, ShipState], side: str) -> dict[str, int]:
    """Ships of a side whose crews are greater than before a battle, and by how much: they have saved people of others. Rule: T.O5h."""
    grown = {
        code: now[code].men - ship.men
        for code, ship in before.items()
        if ship.side == side == now[code].side and now[code].men > ship.men and not now[code].prize
    }
    return dict(sorted(grown.items(), key=lambda row: (-row[1], row[0])))
