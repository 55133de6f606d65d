"""What is wrong with a side's shore orders, and how good ones are taken up. One bad line never blocks a turn.

The form, the mail and the automatic admiral ask the same function. Rules: G.MV3, G.RP2, G.RP3, G.PR4, G.PR5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from battles.engine.core.dice import ScriptedDice
from battles.engine.core.errors import OrderFault
from battles.engine.core.fates import Fate
from campaign.rules.ashore.yards import port_of, refit_of
from campaign.rules.chart.side_orders import (
    GROUP_CHOICES,
    GroupOrders,
    MenMove,
    PrizeAct,
    PrizeChoice,
    SideOrder,
)
from campaign.rules.chart.types import PlaceKind, TurnFacts
from campaign.rules.state.economy import OPEN_STAGES, PrizeCase, Stage
from campaign.rules.state.state import ShipState, TurnState
from campaign.rules.state.world import Chart

MOST_NAME = 80
MOST_MEN = 100_000
MOST_POUNDS = 1_000_000


def chart_of(facts: TurnFacts, state: TurnState) -> Chart:
    """A chart to look at, on which no die can be thrown."""
    return Chart(facts, state, ScriptedDice(()))


def side_faults(chart: Chart, order: SideOrder) -> tuple[OrderFault, ...]:
    """Everything wrong with a side's orders as things stand; empty when they can be taken up. Rules: G.MV3, G.RP2, G.RP3, G.PR4, G.PR5."""
    if order.side not in chart.facts.sides:
        return (OrderFault("side/no-such-side", "G.MV3", f"There is no side {order.side!r}."),)
    return tuple(
        dict.fromkeys(
            (
                *_queue_faults(chart, order),
                *_prize_faults(chart, order),
                *_men_faults(chart, order),
                *_exchange_faults(chart, order),
                *_group_faults(chart, order),
            )
        )
    )


def _own(chart: Chart, side: str, code: str) -> ShipState | None:
    """A ship that serves a side now; another's is not told apart from one that is not there. Rule: G.IN1."""
    ship = chart.state.ships.get(code)
    serves = ship is not None and ship.side == side and ship.fleet and ship.fate is Fate.AFLOAT
    return ship if serves else None


def _not_yours(clause: str, code: str) -> OrderFault:
    return OrderFault("side/not-your-ship", clause, f"{code} is not one of your ships.")


def _twice(codes: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    found: dict[str, None] = {}
    for code in codes:
        if code in seen:
            found[code] = None
        seen.add(code)
    return list(found)


def _name(chart: Chart, code: str) -> str:
    return chart.state.economy.names.get(code, chart.facts.ships[code].name)


def _queue_faults(chart: Chart, order: SideOrder) -> Iterator[OrderFault]:
    for code in _twice(order.queue):
        if _own(chart, order.side, code) is not None:
            yield OrderFault("yard/twice", "G.RP2", f"{_name(chart, code)} is in the queue twice.")
    for code in dict.fromkeys(order.queue):
        ship = _own(chart, order.side, code)
        if ship is None:
            yield _not_yours("G.RP2", code)
        elif ship.prize:
            text = f"{_name(chart, code)} is a prize. Buy it into service before you send it to a yard."
            yield OrderFault("yard/prize", "G.RP2", text)
        else:
            yield from _berth_faults(chart, ship)


def _berth_faults(chart: Chart, ship: ShipState) -> Iterator[OrderFault]:
    """What is wrong with the yard in which a ship lies; one at sea may be bound for any."""
    port, name = port_of(chart, ship), _name(chart, ship.code)
    if not port:
        return
    place, need = chart.facts.theatre.places[port], refit_of(chart, ship)
    title = place.name.split(" (")[0]
    if not need.days:
        yield OrderFault("yard/no-work", "G.RP2", f"{name} is undamaged. It does not need a yard.")
    elif not place.dockyard:
        yield OrderFault("yard/no-yard", "G.RP2", f"{title} has no dockyard for {name}.")
    elif place.dockyard < need.needs:
        text = (
            f"{title} has a yard of class {place.dockyard}, but the work on {name} needs a berth of class "
            f"{need.needs}."
        )
        yield OrderFault("yard/berth-class", "G.RP2", text)


def _prize_faults(chart: Chart, order: SideOrder) -> Iterator[OrderFault]:
    cases = chart.state.economy.prizes
    for code in _twice(choice.ship for choice in order.choices):
        if code in cases and _own(chart, order.side, code) is not None:
            text = f"There are two choices for {_name(chart, code)}. Give only one."
            yield OrderFault("prize/twice", "G.PR4", text)
    for choice in order.choices:
        case = cases.get(choice.ship)
        if case is None or case.captor != order.side or _own(chart, order.side, choice.ship) is None:
            yield OrderFault("prize/not-yours", "G.PR4", f"{choice.ship} is not one of your prizes.")
        elif case.stage not in OPEN_STAGES:
            text = f"{_name(chart, choice.ship)} has already been disposed of: {case.stage.value}."
            yield OrderFault("prize/closed", "G.PR4", text)
        elif choice.act is PrizeAct.BUY:
            yield from _buying_faults(chart, order, choice)
        elif choice.name:
            text = (
                f"Only a ship that you buy into service can have a new name, not {_name(chart, choice.ship)}."
            )
            yield OrderFault("prize/name", "G.PR4", text)
    yield from _fund_faults(chart, order)


def _buying_faults(chart: Chart, order: SideOrder, choice: PrizeChoice) -> Iterator[OrderFault]:
    name = choice.name
    if len(name) > MOST_NAME or name != name.strip():
        text = f"A ship's name can have up to {MOST_NAME} letters and no spaces around it."
        yield OrderFault("prize/name", "G.PR4", text)
    own = {
        _name(chart, code)
        for code, ship in chart.state.ships.items()
        if ship.side == order.side and ship.fate is Fate.AFLOAT and code != choice.ship
    }
    others = [other.name for other in order.choices if other.ship != choice.ship and other.name]
    if name and name in {*own, *others}:
        yield OrderFault(
            "prize/name-taken", "G.PR4", f"You already have a ship called {name}. Choose another name."
        )


def _fund_faults(chart: Chart, order: SideOrder) -> Iterator[OrderFault]:
    """Whether the fund reaches for the condemned prizes that are to be bought in now, with what others bring. Rule: G.PR4."""
    economy, bill, gain = chart.state.economy, 0, 0
    for choice in {choice.ship: choice for choice in order.choices}.values():
        case = economy.prizes.get(choice.ship)
        if case is None or case.captor != order.side or case.stage is not Stage.CONDEMNED:
            continue
        if choice.act is PrizeAct.BUY:
            bill += case.value
        elif choice.act in (PrizeAct.SELL, PrizeAct.EXCHANGE):
            gain += case.value
    fund = economy.funds.get(order.side, 0)
    if bill and bill > fund + gain:
        text = f"The prizes you want to buy cost £{bill:,}, but the fund has only £{fund:,}."
        yield OrderFault("prize/fund", "G.PR4", text)


def _men_faults(chart: Chart, order: SideOrder) -> Iterator[OrderFault]:
    for code in _twice(order.recruits):
        if _own(chart, order.side, code) is not None:
            yield OrderFault("men/twice", "G.RP3", f"{_name(chart, code)} is listed twice for recruits.")
    for code in dict.fromkeys(order.recruits):
        if _own(chart, order.side, code) is None:
            yield _not_yours("G.RP3", code)
    nations = chart.facts.sides[order.side].nations
    for port, men in sorted(order.bounty.items()):
        place = chart.facts.theatre.places.get(port)
        if place is None or place.kind is not PlaceKind.PORT or place.owner not in nations:
            yield OrderFault("men/not-your-port", "G.RP3", f"{port!r} is not one of your ports.")
        if not 0 <= men <= MOST_MEN:
            text = f"Men to recruit for bounty money must be a number from 0 to {MOST_MEN:,}."
            yield OrderFault("men/number", "G.RP3", text)
    for move in order.moves:
        yield from _move_faults(chart, order.side, move)


def _move_faults(chart: Chart, side: str, move: MenMove) -> Iterator[OrderFault]:
    giver, taker = _own(chart, side, move.from_ship), _own(chart, side, move.to_ship)
    for code, ship in ((move.from_ship, giver), (move.to_ship, taker)):
        if ship is None:
            yield _not_yours("G.RP3", code)
        elif ship.prize:
            text = f"{_name(chart, code)} is a prize. Its crew cannot be moved."
            yield OrderFault("men/prize", "G.RP3", text)
    if giver is None or taker is None:
        return
    if giver.code == taker.code:
        text = f"The men of {_name(chart, giver.code)} are already aboard it."
        yield OrderFault("men/same-ship", "G.RP3", text)
    if not 0 < move.men <= giver.men:
        text = f"{_name(chart, giver.code)} has {giver.men} men, so you cannot move {move.men} of them."
        yield OrderFault("men/number", "G.RP3", text)


def _exchange_faults(chart: Chart, order: SideOrder) -> Iterator[OrderFault]:
    for side, men in sorted(order.exchange.items()):
        if side not in chart.facts.sides or side == order.side:
            yield OrderFault(
                "prisoners/no-such-side", "G.PR5", f"{side!r} is not a side you can exchange prisoners with."
            )
        if not 0 <= men <= MOST_MEN:
            text = f"Prisoners to exchange must be a number from 0 to {MOST_MEN:,}."
            yield OrderFault("prisoners/number", "G.PR5", text)
    for code in order.ransom:
        case = chart.state.economy.prizes.get(code)
        if case is None or not may_ransom(case, order.side):
            yield OrderFault("prize/no-ransom", "G.PR4", f"{code} is not one of your ships in enemy hands.")


def _group_faults(chart: Chart, order: SideOrder) -> Iterator[OrderFault]:
    """What is wrong with the standing orders for groups, and with what is taken in hand or mustered. Rules: G.KT2, G.KT3."""
    told = order.groups
    for name, right in GROUP_CHOICES.items():
        if (given := getattr(told, name)) not in right:
            text = f"{name.capitalize()} must be one of {', '.join(right)}, not {given!r}."
            yield OrderFault("group/no-such-order", "G.KT2", text)
    place = chart.facts.theatre.places.get(told.prize_port)
    nations = chart.facts.sides[order.side].nations
    if told.prize_port and (
        place is None or place.kind is not PlaceKind.PORT or chart.owner_of(place.code) not in nations
    ):
        text = f"{told.prize_port!r} is not one of your ports. Send prizes to a port of your own."
        yield OrderFault("group/not-your-port", "G.KT2", text)
    if not 0 <= told.burn_under <= MOST_POUNDS:
        text = f"The value below which prizes are burnt must be £0 to £{MOST_POUNDS:,}."
        yield OrderFault("group/number", "G.KT2", text)
    for code in order.in_hand:
        fleet = chart.state.fleets.get(code)
        if fleet is None or fleet.ended or fleet.side != order.side or not fleet.group:
            yield OrderFault("group/not-yours", "G.KT2", f"{code} is not one of your groups.")
    for code in order.musters:
        fleet = chart.state.fleets.get(code)
        if fleet is None or fleet.ended or fleet.side != order.side:
            yield OrderFault("muster/not-yours", "G.KT3", f"{code} is not one of your fleets.")


def may_ransom(case: PrizeCase, side: str) -> bool:
    """Whether a side may offer for a ship that it lost; what her captor has done with her since is kept from it. Rules: G.PR4, G.IN1."""
    return case.taken_from == side and case.stage not in (Stage.RETAKEN, Stage.EXCHANGED)


def still_good(chart: Chart, order: SideOrder) -> SideOrder:
    """A standing order without what time has overtaken: ships gone or mended, prizes disposed of. Rule: G.MV3."""
    economy, side = chart.state.economy, order.side

    def serves(code: str, *, prize: bool) -> bool:
        ship = _own(chart, side, code)
        return ship is not None and ship.prize == prize

    queue = tuple(code for code in dict.fromkeys(order.queue) if serves(code, prize=False))
    queue = tuple(
        code
        for code in queue
        if code in economy.jobs or not list(_berth_faults(chart, chart.state.ships[code]))
    )
    return replace(
        order,
        queue=queue,
        choices=tuple(c for c in order.choices if not _stale_choice(chart, side, c)),
        recruits=tuple(code for code in dict.fromkeys(order.recruits) if serves(code, prize=False)),
        in_hand=tuple(code for code in order.in_hand if _still_there(chart, side, code, group=True)),
        musters=tuple(code for code in order.musters if _still_there(chart, side, code)),
        moves=tuple(
            move
            for move in order.moves
            if serves(move.from_ship, prize=False) and not list(_move_faults(chart, side, move))
        ),
        ransom=tuple(
            code for code in order.ransom if code in economy.prizes and may_ransom(economy.prizes[code], side)
        ),
    )


def _still_there(chart: Chart, side: str, code: str, *, group: bool = False) -> bool:
    fleet = chart.state.fleets.get(code)
    return fleet is not None and not fleet.ended and fleet.side == side and (bool(fleet.group) or not group)


def faultless(chart: Chart, order: SideOrder) -> SideOrder:
    """An order without the lines that would be refused, one by one; the others stay as they were. Rule: G.MV3.

    Of prizes that the fund does not reach for together, the last in the list are dropped first.
    """
    empty = SideOrder(order.side)

    def good(**line: Any) -> bool:
        return not side_faults(chart, replace(empty, **line))

    kept = still_good(chart, order)
    kept = replace(
        kept,
        queue=tuple(code for code in kept.queue if good(queue=(code,))),
        recruits=tuple(code for code in kept.recruits if good(recruits=(code,))),
        bounty={port: men for port, men in kept.bounty.items() if good(bounty={port: men})},
        moves=tuple(move for move in kept.moves if good(moves=(move,))),
        exchange={side: men for side, men in kept.exchange.items() if good(exchange={side: men})},
        ransom=tuple(code for code in kept.ransom if good(ransom=(code,))),
        groups=kept.groups if good(groups=kept.groups) else GroupOrders(),
    )
    choices: list[PrizeChoice] = []
    for choice in kept.choices:
        if good(choices=(*choices, choice)):
            choices.append(choice)
    return replace(kept, choices=tuple(choices))


def _stale_choice(chart: Chart, side: str, choice: PrizeChoice) -> bool:
    case = chart.state.economy.prizes.get(choice.ship)
    return case is None or case.captor != side or case.stage not in OPEN_STAGES


def take_side_orders(chart: Chart) -> None:
    """Take up each side's orders as the turn opens; bad ones are refused with every reason, and the last good ones stand.

    Where orders are taken part by part, the good lines of a bad one hold. Rules: G.AA6, G.MV3.
    """
    economy = chart.state.economy
    for side in sorted(chart.facts.side_orders):
        order = chart.facts.side_orders[side]
        if side not in chart.facts.sides or order == economy.orders.get(side):
            continue
        faults = side_faults(chart, order)
        if faults:
            chart.tell("side_order_refused", "G.MV3", side, side=side, faults=[list(f) for f in faults])
            if chart.facts.settings.orders_in_parts == "on":
                economy.orders[side] = faultless(chart, order)
        else:
            economy.orders[side] = order
    for side in sorted(economy.orders):
        economy.orders[side] = still_good(chart, economy.orders[side])
