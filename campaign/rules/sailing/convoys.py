"""Convoys: merchants with a cargo and a destination, and what they pay on arrival. Rules: G.CV1, G.VP1."""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.chart.types import ShipKind
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart


def convoy_step(chart: Chart) -> None:
    """Cargoes that have come to their destination are delivered, once. Rule: G.CV1."""
    cargoes, ships = chart.state.duties.cargoes, chart.state.ships
    landed: dict[str, list[str]] = {}
    for code in sorted(cargoes):
        if code not in ships or ships[code].fate.lost:
            del cargoes[code]
        elif _arrived(chart, code):
            landed.setdefault(ships[code].fleet, []).append(code)
    for fleet, delivered in landed.items():
        worth = {code: cargoes.pop(code).value for code in delivered}
        value = sum(worth.values())
        _enter(chart, worth)
        now = chart.state.fleets[fleet]
        chart.tell(
            "convoy_delivered", "G.CV1", now.side, fleet=fleet, side=now.side, place=now.position.at,
            ships=delivered, value=value,
        )  # fmt: skip


def _enter(chart: Chart, worth: dict[str, int]) -> None:
    """Enter what has arrived with the convoys that brought it, whichever fleet the ships sailed with. Rule: G.OB1."""
    convoys = chart.state.duties.convoys
    for code, convoy in convoys.items():
        value = sum(worth.get(ship, 0) for ship in convoy.ships)
        if value:
            convoys[code] = replace(convoy, delivered=convoy.delivered + value)


def _arrived(chart: Chart, code: str) -> bool:
    """Whether a ship with a cargo lies where it is bound for, under her own colours."""
    ship, cargo = chart.state.ships[code], chart.state.duties.cargoes[code]
    if ship.side != cargo.side or ship.prize or not ship.fleet:
        return False
    fleet = chart.state.fleets[ship.fleet]
    return chart.on_chart(fleet) and not fleet.position.to and fleet.position.at == cargo.destination


def laden(chart: Chart, fleets: list[FleetState]) -> tuple[str, ...]:
    """Ships of some fleets that carry a cargo still, or soldiers, which the others cover in battle. Rules: G.CV1, G.LD1, G.MV5.

    A ship of war with soldiers aboard fights as she would without them.
    """
    cargoes, aboard = chart.state.duties.cargoes, chart.state.troops.aboard
    ships = [ship for fleet in fleets for ship in chart.ships_of(fleet.code)]
    return tuple(
        ship.code
        for ship in ships
        if ship.code in cargoes
        or (ship.code in aboard and chart.facts.ships[ship.code].kind is ShipKind.MERCHANT)
    )
