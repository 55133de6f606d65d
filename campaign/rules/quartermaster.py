"""The automatic admiral ashore: he refits what is worth it, buys good prizes in, sells the rest, and wants his people back.

He knows what his side knows of itself, and sends the same orders that a player would. Rules: G.RP2, G.RP3, G.PR4, G.PR5.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from battles.engine.core.fates import Fate
from campaign.rules.economy import OPEN_STAGES, Stage
from campaign.rules.side_faults import chart_of, side_faults
from campaign.rules.side_orders import PrizeAct, PrizeChoice, SideOrder
from campaign.rules.state import ShipState
from campaign.rules.turn import standing
from campaign.rules.types import TurnFacts
from campaign.rules.world import Chart
from campaign.rules.yards import port_of, refit_of

WORTH_A_YARD = Fraction(1, 4)
FLEET_REFITS = Fraction(1, 10)
GOOD_PRIZE = Fraction(1, 2)


def admiral_ashore(facts: TurnFacts, side: str) -> SideOrder:
    """Orders ashore of a side that nobody commands. Raises KeyError for an unknown side."""
    chart = chart_of(facts, standing(facts))
    order = replace(
        chart.state.economy.order(side),
        queue=_queue(chart, side),
        choices=_choices(chart, side),
        recruits=(),
        exchange=_exchange(chart, side),
    )
    faults = side_faults(chart, order)
    return order if not faults else replace(order, choices=(), queue=())


def _queue(chart: Chart, side: str) -> tuple[str, ...]:
    """Ships that lie in a yard fit for them, the quickest work first; who is nearly sound sails with her fleet. Rule: G.RP2."""
    ships = [
        ship
        for ship in chart.state.ships.values()
        if ship.side == side and ship.fate is Fate.AFLOAT and not ship.prize and _to_yard(chart, ship)
    ]
    return tuple(
        ship.code for ship in sorted(ships, key=lambda ship: (refit_of(chart, ship).days, ship.code))
    )


def _to_yard(chart: Chart, ship: ShipState) -> bool:
    port = port_of(chart, ship)
    if not port:
        return False
    if ship.code in chart.state.economy.jobs:
        return True
    need = refit_of(chart, ship)
    dockyard = chart.facts.theatre.places[port].dockyard
    if not need.days or not dockyard or dockyard < need.needs:
        return False
    lost = chart.at_sea.hull_fraction(chart.facts.ships[ship.code].card, ship.condition)
    return lost > WORTH_A_YARD or _fleet_lost(chart, ship.fleet) > FLEET_REFITS


def _fleet_lost(chart: Chart, fleet: str) -> Fraction:
    ships = [ship for ship in chart.ships_of(fleet) if not ship.prize]
    cards = chart.facts.ships
    lost = [chart.at_sea.hull_fraction(cards[ship.code].card, ship.condition) for ship in ships]
    return sum(lost, Fraction(0)) / len(lost) if lost else Fraction(0)


def _choices(chart: Chart, side: str) -> tuple[PrizeChoice, ...]:
    """Prizes worth having are bought while the fund lasts, the others sold. Rule: G.PR4."""
    fund, chosen = chart.state.economy.funds.get(side, 0), []
    for code, case in sorted(chart.state.economy.prizes.items()):
        ship = chart.state.ships.get(code)
        if case.captor != side or case.stage not in OPEN_STAGES or ship is None or ship.side != side:
            continue
        card = chart.facts.ships[code].card
        sound = Fraction(1) - chart.at_sea.hull_fraction(card, ship.condition)
        value = case.value if case.stage is Stage.CONDEMNED else chart.at_sea.pounds(card, ship.condition)
        buys = sound >= GOOD_PRIZE and value <= fund
        fund += -value if buys else value
        chosen.append(PrizeChoice(code, PrizeAct.BUY if buys else PrizeAct.SELL))
    return tuple(chosen)


def _exchange(chart: Chart, side: str) -> dict[str, int]:
    """As many as both hold, as far as this side knows: all that it has itself to give. Rule: G.PR5."""
    held = {other: chart.state.economy.held(side, other) for other in chart.facts.sides if other != side}
    return {other: men for other, men in sorted(held.items()) if men}
