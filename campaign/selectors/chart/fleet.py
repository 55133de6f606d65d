"""A fleet as its own side and the umpire see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from battles.engine import registry
from campaign.accounts import counted
from campaign.models import Campaign, Order, Station, Turn
from campaign.rules.chart import types as t
from campaign.rules.sailing.coal import bunkers
from campaign.rules.state.clock import DAY
from campaign.rules.state.economy import Economy
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.ashore.trade import FleetTrade, fleet_trade
from campaign.selectors.orders.condition import ShipState, ship_state
from campaign.selectors.orders.orders import cruising_speed, order_for
from campaign.selectors.sea.places import place_in_words, short_name
from campaign.selectors.turn.facts import pure_theatre
from campaign.selectors.turn.sheets import ship_kind
from fleets.selectors.sheets import fleet_with_ships

if TYPE_CHECKING:
    from fleets.models import Fleet, Ship


@dataclass(frozen=True, slots=True)
class ShipRow:
    """A ship in a fleet's list."""

    ship: Ship
    state: ShipState
    flagship: bool


@dataclass(frozen=True, slots=True)
class SquadronRow:
    """A squadron with its ships in the order of sailing."""

    squadron: Any
    ships: tuple[ShipRow, ...]
    men: int


@dataclass(frozen=True, slots=True)
class FleetPage:
    """Everything on a fleet's page.

    speed: knots, and the wind for them, in words; "" when a ship cannot sail. route: places still to sail, by name. stores: days of
    coal and provisions in the ships with the least, in words; "" where the campaign does not count them.
    """

    fleet: Fleet
    station: Station
    place: str
    squadrons: tuple[SquadronRow, ...]
    ships: int
    men: int
    complement: int
    speed: str
    order: Order | None
    route: tuple[str, ...]
    stores: str = ""
    trade: FleetTrade | None = None


def fleet_page(campaign: Campaign, station: Station, turn: Turn | None) -> FleetPage:
    """A fleet with its squadrons, ships and standing order."""
    theatre = pure_theatre(campaign.theatre)
    sheet = fleet_with_ships(station.fleet_id)
    rows = tuple(_squadron(campaign, squadron, ships) for squadron, ships in sheet.squadrons)
    ships = [row.ship for squadron in rows for row in squadron.ships]
    order = order_for(turn, station) if turn is not None else None
    knots, wind = cruising_speed(campaign, station)
    codes = [ship.code for ship in ships]
    return FleetPage(
        fleet=station.fleet,
        station=station,
        place=place_in_words(theatre, t.Position(station.at, station.to, station.run)),
        squadrons=rows,
        ships=len(ships),
        men=sum(ship.men for ship in ships),
        complement=sum(ship.complement for ship in ships),
        speed=f"{float(knots):.1f} knots{wind}" if knots else "",
        order=order,
        route=tuple(short_name(theatre.places[code].name) for code in (order.route if order else ())),
        stores=_stores(campaign, ships),
        trade=fleet_trade(campaign, station.fleet.code, codes),
    )


def _stores(campaign: Campaign, ships: list[Any]) -> str:
    """For how many days the ships with the least have coal and provisions. Rule: G.RP4."""
    settings = settings_from(campaign.settings)
    if settings.stores != "on":
        return ""
    economy = Economy.read(campaign.carried.get("economy", {}))
    steam = registry.rule_set(campaign.book.rule_set).at_sea.steam
    coal, food = [], []
    for ship in ships:
        if steam(ship.card):
            full = bunkers(settings, ship_kind(ship.ship_type), ship.facts)
            coal.append(min(full, economy.coal.get(ship.code, full)) // DAY)
        else:
            food.append(economy.stores.get(ship.code, settings.stores_days))
    least = [
        f"{what} for {counted(min(days), 'day')}"
        for what, days in (("coal", coal), ("provisions", food))
        if days
    ]
    return ", ".join(least)


def _squadron(campaign: Campaign, squadron: Any, ships: Any) -> SquadronRow:
    rows = tuple(
        ShipRow(ship, ship_state(campaign.book.rule_set, ship), ship.pk == squadron.flagship_id)
        for ship in ships
    )
    return SquadronRow(squadron, rows, sum(row.ship.men for row in rows))


def squadron_of(station: Station, code: str) -> Any:
    """A squadron of a fleet by its code; None when it has none of that code."""
    return station.fleet.squadrons.filter(code=code).first()


def ship_of(campaign: Campaign, station: Station, code: str) -> Any:
    """A ship of a fleet by its code; None when she does not sail in it."""
    return campaign.book.ships.filter(squadron__fleet=station.fleet_id, code=code).first()
