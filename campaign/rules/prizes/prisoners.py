"""Prisoners: landed where their captors put in, and exchanged man for man by agreement of both sides. Rule: G.PR5."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from battles.engine.core.fates import Fate
from campaign.rules.ashore.yards import port_of
from campaign.rules.prizes.prize_court import greatest_port
from campaign.rules.state.clock import DAY
from campaign.rules.state.world import Chart


def prisoner_step(chart: Chart) -> None:
    """At 06:00 prisoners in own ports are landed, and sides that both want to exchange them do so. Rule: G.PR5."""
    if chart.hour % DAY:
        return
    _land(chart)
    for a, b in combinations(sorted(chart.facts.sides), 2):
        _exchange(chart, a, b)


def _land(chart: Chart) -> None:
    state, economy = chart.state, chart.state.economy
    for code in sorted(set(state.prizes) | set(economy.captives)):
        ship = state.ships.get(code)
        if ship is None or ship.fate is not Fate.AFLOAT:
            economy.captives.pop(code, None)
            continue
        port = port_of(chart, ship)
        if not port:
            continue
        hold = state.prizes.get(code)
        if hold is not None and hold.prisoners:
            _come_ashore(chart, code, ship.side, port, hold.taken_from, hold.prisoners)
            state.prizes[code] = replace(hold, prisoners=0)
        of, men = economy.captives.pop(code, ("", 0))
        if men:
            _come_ashore(chart, code, ship.side, port, of, men)


def _come_ashore(chart: Chart, ship: str, side: str, port: str, of: str, men: int) -> None:
    chart.state.economy.hold(side, port, of, men)
    chart.tell("prisoners_landed", "G.PR5", side, ship=ship, side=side, place=port, captor=of, men=men)


def _exchange(chart: Chart, a: str, b: str) -> None:
    """As many men a side as both have asked for, hold, and can pay for. Rules: G.PR4, G.PR5."""
    economy, cost = chart.state.economy, chart.facts.settings.exchange_pounds
    wishes = min(economy.order(a).exchange.get(b, 0), economy.order(b).exchange.get(a, 0))
    men = min(wishes, economy.held(a, b), economy.held(b, a))
    if cost:
        men = min(men, *(max(0, economy.funds.get(side, 0)) // cost for side in (a, b)))
    if men <= 0:
        return
    for side, other in ((a, b), (b, a)):
        _release(chart, holder=other, of=side, men=men)
        economy.land(side, greatest_port(chart, side), men)
        economy.pay(side, -cost * men)
        order = economy.order(side)
        left = {**order.exchange, other: order.exchange[other] - men}
        economy.orders[side] = replace(order, exchange={code: n for code, n in left.items() if n > 0})
    chart.tell("exchanged", "G.PR5", a, b, sides=[a, b], men=men)


def _release(chart: Chart, *, holder: str, of: str, men: int) -> None:
    """Take so many out of the prisons of a side, port by port in the order of codes."""
    economy = chart.state.economy
    for key in sorted(key for key in economy.prisoners if (key[0], key[2]) == (holder, of)):
        going = min(men, economy.prisoners[key])
        economy.hold(*key, -going)
        men -= going
