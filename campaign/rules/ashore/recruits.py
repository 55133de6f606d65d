"""Men: the ports' levies, men without a ship, bounties from the fund, and men moved between ships in company. Rules: G.RP3, G.MV4."""

from __future__ import annotations

from dataclasses import replace

from battles.engine.core.fates import Fate
from campaign.rules.ashore.yards import port_of
from campaign.rules.chart.side_orders import MenMove
from campaign.rules.contact.contact import company_of
from campaign.rules.state.clock import DAY
from campaign.rules.state.state import ShipState
from campaign.rules.state.world import Chart

WEEK = 7


def men_step(chart: Chart) -> None:
    """At 06:00 men change ships, come aboard from ashore, and are recruited. Rules: G.RP3, G.MV4."""
    if chart.hour % DAY:
        return
    for side in sorted(chart.facts.sides):
        _moves(chart, side)
        wanting: dict[str, list[str]] = {}
        for code in _in_turn(chart, side):
            port = port_of(chart, chart.state.ships[code])
            if port and _room(chart, chart.state.ships[code]):
                wanting.setdefault(port, []).append(code)
        for port in sorted(wanting):
            _man(chart, side, port, wanting[port])


def _in_turn(chart: Chart, side: str) -> list[str]:
    """A side's ships that can take men: those that the admiral names first, then the others by their codes."""
    ships = chart.state.ships
    own = [
        code
        for code, ship in ships.items()
        if ship.side == side and ship.fleet and not ship.prize and ship.fate is Fate.AFLOAT
    ]
    first = {code: n for n, code in enumerate(chart.state.economy.order(side).recruits)}
    return sorted(own, key=lambda code: (first.get(code, len(first)), code))


def _room(chart: Chart, ship: ShipState) -> int:
    return max(0, chart.facts.ships[ship.code].complement - ship.men)


def _man(chart: Chart, side: str, port: str, ships: list[str]) -> None:
    """Fill ships at a port: men ashore, the levy of the day, then what the bounty buys. Rules: G.RP3, G.PR4."""
    economy, settings = chart.state.economy, chart.facts.settings
    place = chart.facts.theatre.places[port]
    sevenths = economy.levied.get(port, 0) + place.recruits * settings.yard_days
    levy, economy.levied[port] = divmod(sevenths, WEEK)
    order = economy.order(side)
    bounty = min(order.bounty.get(port, 0), levy)
    if settings.bounty_pounds:
        bounty = min(bounty, max(0, economy.funds.get(side, 0)) // settings.bounty_pounds)
    before = {code: chart.state.ships[code].men for code in ships}
    joined = _fill(chart, ships, economy.ashore.get((side, port), 0))
    economy.land(side, port, -joined)
    recruited = _fill(chart, ships, levy)
    bought = _fill(chart, ships, bounty)
    if bought:
        economy.pay(side, -bought * settings.bounty_pounds)
        left = {**order.bounty, port: order.bounty[port] - bought}
        economy.orders[side] = replace(order, bounty={code: n for code, n in left.items() if n > 0})
    if joined or recruited or bought:
        chart.tell(
            "recruited", "G.RP3", side, side=side, place=port, men=recruited + bought, joined=joined, bought=bought,
            ships=[code for code in ships if chart.state.ships[code].men > before[code]],
        )  # fmt: skip


def _fill(chart: Chart, ships: list[str], men: int) -> int:
    """Bring men aboard, ship after ship; returns how many found a place."""
    given = 0
    for code in ships:
        ship = chart.state.ships[code]
        coming = min(men - given, _room(chart, ship))
        if coming > 0:
            come_aboard(chart, ship, coming)
            given += coming
    return given


def come_aboard(chart: Chart, ship: ShipState, men: int) -> None:
    """Change a ship's people by so many, and her condition with them as her rule set has it. Rules: G.RP3, K.G18, T.C30."""
    sheet, now = chart.facts.ships[ship.code], ship.men + men
    if ship.prize:  # a prize crew is no part of her condition
        chart.state.ships[ship.code] = replace(ship, men=now)
        return
    condition = chart.at_sea.mend(
        sheet.card, ship.condition, done="recruits", men=now, complement=sheet.complement
    )
    chart.state.ships[ship.code] = replace(ship, men=now, condition=dict(condition))
    chart.ships_changed()


def _moves(chart: Chart, side: str) -> None:
    """Men go over to other ships in company; a move that cannot be made yet waits. Rules: G.RP3, G.MV4."""
    order = chart.state.economy.order(side)
    left = tuple(move for move in order.moves if not _move(chart, side, move))
    if left != order.moves:
        chart.state.economy.orders[side] = replace(order, moves=left)


def _move(chart: Chart, side: str, move: MenMove) -> bool:
    """Whether a move is done with: made, or impossible for good."""
    ships = chart.state.ships
    giver, taker = ships.get(move.from_ship), ships.get(move.to_ship)
    if giver is None or taker is None or not _serves(giver, side) or not _serves(taker, side):
        return True
    fleet, other = chart.state.fleets[giver.fleet], chart.state.fleets[taker.fleet]
    engaged = {code for key in chart.state.contacts for code in key}
    near = fleet.code == other.code or other.code in {f.code for f in company_of(chart, fleet)}
    if not near or {fleet.code, other.code} & engaged or not chart.on_chart(fleet):
        return False
    men = min(move.men, giver.men, _room(chart, taker))
    if men > 0:
        come_aboard(chart, giver, -men)
        come_aboard(chart, chart.state.ships[taker.code], men)
        chart.tell(
            "men_moved", "G.RP3", side, ship=giver.code, other=taker.code, side=side, men=men,
            ships=[giver.code, taker.code],
        )  # fmt: skip
    return True


def _serves(ship: ShipState, side: str) -> bool:
    return ship.side == side and bool(ship.fleet) and not ship.prize and ship.fate is Fate.AFLOAT
