"""Coal of steamers where the campaign counts stores: how much they carry, and what an hour under way uses. Rule: G.RP4.

Coal is reckoned in hours at cruising speed. A ship whose coal no one has counted yet has all of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from campaign.rules.chart.types import Settings, ShipKind
from campaign.rules.state.clock import DAY
from campaign.rules.state.state import ShipState
from campaign.rules.state.world import Chart

_FLOTILLA = frozenset({"destroyer", "torpedo_boat"})


def bunkers(settings: Settings, kind: ShipKind, facts: Mapping[str, Any]) -> int:
    """Hours of coal in a steamer's full bunkers, by her type. facts: of her register entry. Rule: G.RP4."""
    if kind is ShipKind.MERCHANT:
        days = settings.coal_merchant
    elif facts.get("ship_type") in _FLOTILLA:
        days = settings.coal_flotilla
    else:
        days = settings.coal_line if kind is ShipKind.LINE else settings.coal_cruiser
    return days * DAY


def bunkers_of(chart: Chart, ship: ShipState) -> int:
    """Hours of coal in the full bunkers of a steamer on the chart. Rule: G.RP4."""
    sheet = chart.facts.ships[ship.code]
    return bunkers(chart.facts.settings, sheet.kind, sheet.facts)


def hold(chart: Chart, ship: ShipState) -> int:
    """Hours of coal that a collier brings for others: a merchant that carries no cargo of a convoy. Rule: G.RP4."""
    collier = (
        chart.facts.ships[ship.code].kind is ShipKind.MERCHANT and ship.code not in chart.state.duties.cargoes
    )
    return chart.facts.settings.coal_hold * DAY if collier else 0


def coal_left(chart: Chart, ship: ShipState) -> int:
    """Hours of coal in a steamer, what she brings for others included. Rule: G.RP4."""
    return chart.state.economy.coal.get(ship.code, bunkers_of(chart, ship) + hold(chart, ship))


def keep_coal(chart: Chart, ship: ShipState, hours: int) -> None:
    """Write down what coal a steamer has now; a ship that runs out or is filled up again has another speed. Rule: G.RP4."""
    coal = chart.state.economy.coal
    empty = coal.get(ship.code) == 0
    coal[ship.code] = hours
    if empty is not (hours == 0):
        chart.ships_changed()


def burn(chart: Chart, chasing: Collection[str]) -> None:
    """Use an hour's coal in every fleet that is under way, and more in those that chase or run. Rule: G.RP4.

    chasing: codes of fleets at full speed in this hour, whatever way they make.
    """
    if chart.facts.settings.stores != "on":
        return
    for fleet in chart.fleets():
        used = chart.facts.settings.coal_chase if fleet.code in chasing else int(fleet.under_way)
        if not used or not chart.on_chart(fleet):
            continue
        for ship in chart.ships_of(fleet.code):
            if chart.steamer(ship):
                keep_coal(chart, ship, max(0, coal_left(chart, ship) - used))
