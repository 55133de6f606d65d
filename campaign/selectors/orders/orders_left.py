"""The order that stands for a fleet as it can be given now, and in words what fell out of it. Rules: G.MV2, G.MV4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from campaign.accounts import FATES
from campaign.calendar import spoken
from campaign.models import Order, Side, Station, Turn
from campaign.rules.chart.types import Position
from campaign.rules.orders.standing_orders import Fallen, OrderLeft, order_left
from campaign.rules.sailing.destinations import joins_route
from campaign.rules.state.documents import part_doc
from campaign.selectors.orders.orders import order_for
from campaign.selectors.people.knowing import knows_by_ship
from campaign.selectors.turn.facts import OrderColumns, pure_order, theatre_of, turn_facts
from fleets.selectors.ships import last_entries, ships_lost_to_enemies


def order_as_left(turn: Turn, side: Side, station: Station) -> tuple[Order | None, tuple[str, ...]]:
    """A fleet's stored order without what can no longer be ordered, and a sentence for everything that fell out.

    The row is changed in memory alone; it is stored when the orders are given. Rules: G.MV2, G.MV4.
    """
    order = order_for(turn, station)
    if order is None or not (order.parts or order.on_arrival == "escort" or _off_route(turn, station, order)):
        return order, ()  # nothing in it can have come to be wrong
    facts, _ = turn_facts(turn)
    stored = pure_order(station.fleet.code, OrderColumns.of(order))
    left = order_left(facts, stored)
    order.route, order.on_arrival, order.target = (
        list(left.order.route),
        left.order.on_arrival.value,
        left.order.target,
    )
    if left.order.parts != stored.parts:
        order.parts = [part_doc(part) for part in left.order.parts]
    return order, tuple(_in_words(side, station, left))


def _off_route(turn: Turn, station: Station, order: Order) -> bool:
    position = Position(station.at, station.to, station.run)
    return not joins_route(theatre_of(turn.campaign), position, tuple(order.route))


def _in_words(side: Side, station: Station, left: OrderLeft) -> Iterable[str]:
    gone = whereabouts(side, [code for fallen in left.fallen for code in fallen.ships])
    for fallen in left.fallen:
        yield _fallen_in_words(station, fallen, gone)
    if left.led_back:
        yield f"{station.fleet.name} was carried off its route. We have added the way back to the start of its route."
    if left.charge:
        name = dict(side.navy.fleets.values_list("code", "name")).get(left.charge, "The fleet")
        yield f"{name} can no longer be escorted. {station.fleet.name} anchors at the end of its route instead."


def _fallen_in_words(station: Station, fallen: Fallen, gone: Mapping[str, str]) -> str:
    name = f"the detachment “{fallen.part.name}”" if fallen.part.name else "the transfer"
    words = [gone.get(code, "A ship no longer sails with the fleet.") for code in fallen.ships]
    words = list(dict.fromkeys(words))
    if fallen.why:
        words += [fallen.why, f"We have removed {name} from these orders."]
    elif len(fallen.ships) == len(fallen.part.ships):
        words.append(f"We have removed {name} from these orders: it has no ships left.")
    else:
        words.append(f"We have removed {'it' if len(fallen.ships) == 1 else 'them'} from {name}.")
    return " ".join(words)


def whereabouts(side: Side, codes: Iterable[str]) -> dict[str, str]:
    """What has become of ships of a side that no longer sail with a fleet, a sentence for each that the side has or had.

    Where admirals know only their own fleets, only that they are gone. Rules: G.IN1, G.IN4.
    """
    codes = list(codes)
    if not codes:
        return {}
    words = {code: f"{name} is in enemy hands." for code, name in ships_lost_to_enemies(side.navy, codes)}
    own = list(side.navy.ships.filter(code__in=codes).select_related("squadron__fleet"))
    last, by_ship = last_entries(own), knows_by_ship(side.campaign)
    for ship in own:
        words[ship.code] = f"{ship.name} no longer sails with the fleet."
        if by_ship:
            continue
        if ship.fate != "afloat":
            when = f" on {spoken(last[ship.pk]).partition(',')[0]}" if ship.pk in last else ""
            _, became = FATES.get(ship.fate, ("", "was lost"))
            words[ship.code] = f"{ship.name} {became}{when}."
        elif ship.squadron is not None and not ship.squadron.fleet.ended:
            words[ship.code] = f"{ship.name} now sails with {ship.squadron.fleet.name}."
    return words
