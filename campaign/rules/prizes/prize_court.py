"""A prize's way: taken, brought in, judged, and disposed of by her captor's choice; prize money. Rules: G.PR1, G.PR3, G.PR4, G.NE1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from battles.engine.core.fates import Fate
from campaign.rules.ashore.yards import port_of
from campaign.rules.chart.side_orders import PrizeAct, PrizeChoice
from campaign.rules.chart.types import FleetOrder, PlaceKind, Position
from campaign.rules.losses.losses import end_if_empty
from campaign.rules.sailing.parting import new_code
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import EIGHTHS, OPEN_STAGES, PrizeCase, Stage
from campaign.rules.state.state import FleetState, ShipState
from campaign.rules.state.world import Chart


def note_capture(chart: Chart, before: ShipState, *, captor: str, by: str, hour: int) -> None:
    """Open the case of a ship that has been taken. before: as she was when the action began. Rule: G.PR1."""
    chart.state.economy.prizes[before.code] = PrizeCase(
        before.code, captor, before.side, by, hour, before.men if not before.prize else 0
    )


def note_recapture(chart: Chart, ship: str, *, side: str) -> None:
    """Close the case of a prize that is her old side's again; who retook her has salvage, not prize money. Rule: G.PR3."""
    close_case(chart, ship)
    now = chart.state.ships[ship]
    value = chart.at_sea.pounds(chart.facts.ships[ship].card, now.condition)
    reward = value * chart.facts.settings.salvage_eighths // 8
    _earn(chart, side, reward)
    chart.tell("salvage", "G.PR3", side, ship=ship, side=side, pounds=reward, ships=[ship])


def close_case(chart: Chart, ship: str, stage: Stage = Stage.RETAKEN) -> None:
    """A prize is her old side's again, or has been burnt: nothing is left to judge. Rules: G.PR2, G.PR3, G.MV5."""
    case = chart.state.economy.prizes.get(ship)
    if case is not None and case.stage in OPEN_STAGES:
        chart.state.economy.prizes[ship] = replace(case, stage=stage)


def imprison(chart: Chart, ship: str, of: str, men: int) -> None:
    """Hold people of a side aboard a ship until she comes into a port of her own. Rules: G.PR1, G.PR5."""
    captives = chart.state.economy.captives
    was, held = captives.get(ship, (of, 0))
    if men or held:
        captives[ship] = (was if held else of, held + men)


def court_step(chart: Chart) -> None:
    """At 06:00 prizes in port come before the court, are condemned, and go the way their captor chose. Rule: G.PR4."""
    if chart.hour % DAY:
        return
    economy = chart.state.economy
    for code in sorted(economy.prizes):
        case = economy.prizes[code]
        if case.stage not in OPEN_STAGES:
            continue
        ship = chart.state.ships.get(code)
        if ship is None or ship.fate is not Fate.AFLOAT or ship.side != case.captor or not ship.fleet:
            burnt = ship is not None and ship.fate is Fate.BURNT
            economy.prizes[code] = replace(case, stage=Stage.BURNT if burnt else Stage.LOST)
            continue
        _further(chart, case, ship)


def _further(chart: Chart, case: PrizeCase, ship: ShipState) -> None:
    port = port_of(chart, ship)
    economy, settings = chart.state.economy, chart.facts.settings
    if not port or not chart.on_chart(chart.state.fleets[ship.fleet]):
        if case.stage is not Stage.SAILING and case.port != port:
            economy.prizes[case.ship] = replace(case, stage=Stage.SAILING, port="", court=0)
        return
    if case.stage is Stage.SAILING:
        economy.prizes[case.ship] = replace(case, stage=Stage.COURT, port=port)
        days = -(-settings.court_days // settings.yard_days)
        chart.tell(
            "prize_in_port", "G.PR4", case.captor, ship=case.ship, side=case.captor, place=port, ships=[case.ship],
            ready=chart.hour + days * DAY, days=days,
        )  # fmt: skip
    elif case.stage is Stage.COURT:
        case = economy.prizes[case.ship] = replace(case, court=case.court + settings.yard_days)
        if case.court >= settings.court_days:
            _condemn(chart, case, ship)
    if economy.prizes[case.ship].stage is Stage.CONDEMNED:
        _choose(chart, economy.prizes[case.ship], ship)


def _condemn(chart: Chart, case: PrizeCase, ship: ShipState) -> None:
    value = chart.at_sea.pounds(chart.facts.ships[ship.code].card, ship.condition)
    head = chart.facts.settings.head_money * case.aboard
    chart.state.economy.prizes[case.ship] = replace(case, stage=Stage.CONDEMNED, value=value, head_money=head)
    chart.tell(
        "condemned", "G.PR4", case.captor, ship=case.ship, side=case.captor, place=case.port, pounds=value, head_money=head,
        ships=[case.ship],
    )  # fmt: skip


def _choose(chart: Chart, case: PrizeCase, ship: ShipState) -> None:
    """Do with a condemned prize what her captor chose, as far as the fund reaches. Rule: G.PR4."""
    order = chart.state.economy.order(case.captor)
    choice = order.choice(case.ship)
    if choice is not None and _ACTS[choice.act](chart, case, ship, choice):
        order = chart.state.economy.order(case.captor)
        chart.state.economy.orders[case.captor] = order.without(case.ship)
        chart.ships_changed()


def _buy(chart: Chart, case: PrizeCase, ship: ShipState, choice: PrizeChoice) -> bool:
    """Into service: the fund pays, her prize crew are her people, and she waits for a captain. Rules: G.PR4, G.AF1."""
    state, economy = chart.state, chart.state.economy
    if economy.funds.get(case.captor, 0) < case.value:
        return False
    economy.pay(case.captor, -case.value)
    fellows = [other for other in chart.ships_of(ship.fleet) if not other.prize]
    squadron = fellows[0].squadron if fellows else ship.fleet
    order = 1 + max((other.order for other in fellows if other.squadron == squadron), default=-1)
    sheet = chart.facts.ships[ship.code]
    condition = chart.at_sea.commissioned(
        sheet.card, ship.condition, men=ship.men, complement=sheet.complement
    )
    state.ships[ship.code] = replace(
        ship, prize=False, squadron=squadron, order=order, captain="", condition=dict(condition)
    )
    state.prizes.pop(ship.code, None)
    economy.vacant |= {ship.code}
    former = economy.names.get(ship.code, sheet.name)
    if choice.name and choice.name != former:
        economy.names[ship.code] = choice.name
    _close(chart, case, Stage.BOUGHT, case.value, name=choice.name or former, former=former, paid=True)
    return True


def _sell(chart: Chart, case: PrizeCase, ship: ShipState, choice: PrizeChoice) -> bool:
    """To the highest bidder: the fund gains her value. Rule: G.PR4."""
    chart.state.economy.pay(case.captor, case.value)
    _out_of_service(chart, case, ship)
    _close(chart, case, Stage.SOLD, case.value, paid=True)
    return True


def _hulk(chart: Chart, case: PrizeCase, ship: ShipState, choice: PrizeChoice) -> bool:
    """A hulk in the harbour: her gear and timber bring a part of her value. Rule: G.PR4."""
    gain = case.value * chart.facts.settings.hulk_percent // 100
    chart.state.economy.pay(case.captor, gain)
    _out_of_service(chart, case, ship)
    _close(chart, case, Stage.HULKED, gain)
    return True


def _burn(chart: Chart, case: PrizeCase, ship: ShipState, choice: PrizeChoice) -> bool:
    """Burnt at her moorings, and no one is the richer. Rules: G.PR4, G.BT3."""
    _out_of_service(chart, case, ship)
    chart.state.ships[ship.code] = replace(chart.state.ships[ship.code], fate=Fate.BURNT)
    _close(chart, case, Stage.BURNT, 0)
    return True


def _exchange(chart: Chart, case: PrizeCase, ship: ShipState, choice: PrizeChoice) -> bool:
    """Back to her old side for her value, when that side has offered it and can pay. Rule: G.PR4."""
    economy, old = chart.state.economy, case.taken_from
    port = greatest_port(chart, old)
    if ship.code not in economy.order(old).ransom or economy.funds.get(old, 0) < case.value or not port:
        return False
    economy.pay(old, -case.value)
    economy.pay(case.captor, case.value)
    _out_of_service(chart, case, ship)
    code = new_code(chart, old)
    chart.state.fleets[code] = FleetState(
        code=code, side=old, position=Position(port), order=FleetOrder(code), name=chart.facts.ships[ship.code].name
    )  # fmt: skip
    sheet = chart.facts.ships[ship.code]
    empty = chart.at_sea.commissioned(sheet.card, ship.condition, men=0, complement=sheet.complement)
    chart.state.ships[ship.code] = replace(
        chart.state.ships[ship.code], side=old, fleet=code, squadron=code, order=0, condition=dict(empty)
    )
    order = economy.order(old)
    economy.orders[old] = replace(order, ransom=tuple(c for c in order.ransom if c != ship.code))
    economy.vacant |= {ship.code}
    _close(chart, case, Stage.EXCHANGED, case.value, old, at=port)
    return True


_ACTS: Mapping[PrizeAct, Callable[[Chart, PrizeCase, ShipState, PrizeChoice], bool]] = {
    PrizeAct.BUY: _buy,
    PrizeAct.SELL: _sell,
    PrizeAct.HULK: _hulk,
    PrizeAct.BURN: _burn,
    PrizeAct.EXCHANGE: _exchange,
}


def _out_of_service(chart: Chart, case: PrizeCase, ship: ShipState) -> None:
    """She sails no more for her captor; her prize crew goes ashore. Rules: G.PR4, G.RP3."""
    state = chart.state
    state.economy.land(case.captor, case.port, ship.men)
    state.ships[ship.code] = replace(ship, fleet="", squadron="", men=0, captain="", prize=False)
    state.prizes.pop(ship.code, None)
    state.marks.pop(ship.code, None)
    chart.ships_changed()
    end_if_empty(chart, ship.fleet)


def _close(
    chart: Chart, case: PrizeCase, stage: Stage, pounds: int, *knows: str, paid: bool = False, **more: Any
) -> None:
    """Write the end of a case, and share out prize money where the captor has her worth. Rule: G.PR4."""
    chart.state.economy.prizes[case.ship] = replace(case, stage=stage)
    if paid:
        _earn(chart, case.captor, case.value + case.head_money)
    kind = "burnt_in_port" if stage is Stage.BURNT else f"prize_{stage.value}"
    chart.tell(
        kind, "G.PR4", case.captor, *knows, ship=case.ship, side=case.captor, place=case.port, pounds=pounds,
        ships=[case.ship], **more,
    )  # fmt: skip


def shares(pounds: int) -> tuple[int, ...]:
    """Prize money in the eighths of the Act of 1708, in the order of SHARERS; odd pounds go to the seamen. Rule: G.PR4."""
    parts = [pounds * eighths // 8 for eighths in EIGHTHS]
    return (*parts[:-1], pounds - sum(parts[:-1]))


def _earn(chart: Chart, side: str, pounds: int) -> None:
    earned = chart.state.economy.earned
    before = earned.get(side, (0,) * len(EIGHTHS))
    earned[side] = tuple(a + b for a, b in zip(before, shares(pounds), strict=True))


def greatest_port(chart: Chart, side: str) -> str:
    """A side's greatest port, where exchanged ships and people are handed over: by yard, berths, code; "" when it has none."""
    nations = chart.facts.sides[side].nations
    own = [
        place
        for place in chart.facts.theatre.places.values()
        if place.kind is PlaceKind.PORT and place.owner in nations
    ]
    best = min(own, key=lambda place: (-place.dockyard, -place.berths, place.code), default=None)
    return best.code if best else ""
