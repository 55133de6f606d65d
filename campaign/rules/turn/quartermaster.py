"""The automatic admiral ashore: it refits what is worth it, buys good prizes in, sells the rest, and wants its people back.

It knows what its side knows, counts only money in hand, and sends the same orders that a player would.

Rules: G.AA5, G.RP2, G.RP3, G.PR4, G.PR5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from battles.engine.core.fates import Fate
from campaign.rules.ashore.side_faults import chart_of, faultless
from campaign.rules.ashore.yards import port_of, refit_of
from campaign.rules.chart.side_orders import PrizeAct, PrizeChoice, SideOrder
from campaign.rules.chart.types import ShipKind, TurnFacts
from campaign.rules.groups.kinds import CRIPPLES, badly_hurt
from campaign.rules.state.economy import OPEN_STAGES, PrizeCase, Stage
from campaign.rules.state.state import ShipState
from campaign.rules.state.world import Chart
from campaign.rules.turn.own_facts import own_facts
from campaign.rules.turn.turn import standing

WORTH_A_YARD = Fraction(1, 4)
FLEET_REFITS = Fraction(1, 10)
GOOD_PRIZE = Fraction(1, 2)
# A prize that a yard would have for longer is sold. Rule: G.AA5.
MOST_DAYS = 91


def admiral_ashore(facts: TurnFacts, side: str) -> SideOrder:
    """Shore orders of a side that no one commands, made from what that side knows and nothing else. Raises KeyError for an unknown side."""
    seen = own_facts(facts, side)
    chart = chart_of(seen, standing(seen))
    order = replace(
        chart.state.economy.order(side),
        queue=_queue(chart, side),
        choices=_choices(chart, side),
        recruits=(),
        exchange=_exchange(chart, side),
    )
    return faultless(chart, order)


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
    hurt = badly_hurt(chart, ship) or chart.state.fleets[ship.fleet].group == CRIPPLES
    return hurt or lost > WORTH_A_YARD or _fleet_lost(chart, ship.fleet) > FLEET_REFITS


def _fleet_lost(chart: Chart, fleet: str) -> Fraction:
    ships = [ship for ship in chart.ships_of(fleet) if not ship.prize]
    cards = chart.facts.ships
    lost = [chart.at_sea.hull_fraction(cards[ship.code].card, ship.condition) for ship in ships]
    return sum(lost, Fraction(0)) / len(lost) if lost else Fraction(0)


def _choices(chart: Chart, side: str) -> tuple[PrizeChoice, ...]:
    """Prizes are bought for the money in hand, the most worth having for their price first; the others are sold. Rules: G.PR4, G.AA5.

    An admiral with duties leaves a sum in the fund, buys ships of the line first, and none that a yard would have for too long.
    """
    duties = chart.facts.settings.duties == "on"
    keep = chart.facts.settings.fund_keep if duties else 0
    left, bought = chart.state.economy.funds.get(side, 0) - keep, set()
    prizes = [_Prize.of(chart, case) for case in _open_cases(chart, side)]
    for prize in sorted(prizes, key=lambda prize: prize.line_first if duties else prize.best_first):
        good = prize.days <= MOST_DAYS if duties else prize.sound >= GOOD_PRIZE
        if good and prize.pounds <= left:
            left -= prize.pounds
            bought.add(prize.code)
    return tuple(
        PrizeChoice(prize.code, PrizeAct.BUY if prize.code in bought else PrizeAct.SELL) for prize in prizes
    )


def _open_cases(chart: Chart, side: str) -> Iterator[PrizeCase]:
    """A side's prizes that have not been disposed of, in the order of codes."""
    for code, case in sorted(chart.state.economy.prizes.items()):
        ship = chart.state.ships.get(code)
        if case.captor == side and case.stage in OPEN_STAGES and ship is not None and ship.side == side:
            yield case


class _Prize(NamedTuple):
    """A prize weighed. sound: share of her hull left. pounds: her price, as condemned or as she is now. worth: present value.

    days: yard-days that would make her whole. line: whether she is a ship of the line.
    """

    code: str
    sound: Fraction
    pounds: int
    worth: Fraction
    days: int
    line: bool

    @classmethod
    def of(cls, chart: Chart, case: PrizeCase) -> _Prize:
        """A prize as she is now."""
        card, condition = chart.facts.ships[case.ship].card, chart.state.ships[case.ship].condition
        condemned = case.stage is Stage.CONDEMNED
        return cls(
            case.ship,
            1 - chart.at_sea.hull_fraction(card, condition),
            case.value if condemned else chart.at_sea.pounds(card, condition),
            chart.at_sea.value(card, condition),
            refit_of(chart, chart.state.ships[case.ship]).days,
            chart.facts.ships[case.ship].kind is ShipKind.LINE,
        )

    @property
    def best_first(self) -> tuple[Fraction, Fraction, str]:
        """The order in which prizes are bought: by value for money."""
        return (-self.worth_a_pound, -self.worth, self.code)

    @property
    def line_first(self) -> tuple[bool, Fraction, str]:
        """Line first, then by pounds for a point. Rule: G.AA5."""
        return (not self.line, -self.worth_a_pound, self.code)

    @property
    def worth_a_pound(self) -> Fraction:
        """Value for money."""
        return self.worth / max(1, self.pounds)


def _exchange(chart: Chart, side: str) -> dict[str, int]:
    """As many as both hold, as far as this side knows: all that it has itself to give. Rule: G.PR5."""
    held = {other: chart.state.economy.held(side, other) for other in chart.facts.sides if other != side}
    return {other: men for other, men in sorted(held.items()) if men}
