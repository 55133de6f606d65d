"""Fleets that raid trade: what they meet each morning, and what becomes of it. Rules: G.NC1, G.NC2."""

from __future__ import annotations

from fractions import Fraction

from battles.engine.core.at_sea import Trade, Vessel
from battles.engine.core.scenario import Strength
from campaign.rules.chart.types import MILLI, OnArrival, PlaceKind, Visibility
from campaign.rules.contact.contact import company_of
from campaign.rules.state.clock import DAY
from campaign.rules.state.shipping import Haul
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart

# Places where merchantmen pass. Rule: G.NC1.
LANES = frozenset({PlaceKind.SEA_AREA, PlaceKind.STRAIT})
# Knots of a prize on its way in, thousandths.
PRIZE_KNOTS = 8 * MILLI


def shipping_step(chart: Chart) -> None:
    """At 06:00 raiders meet merchantmen, one throw for each company, and the court condemns what has come in. Rules: G.NC1, G.NC2."""
    trade = chart.at_sea.trade
    if trade is None or chart.hour % DAY:
        return
    _condemn(chart)
    met: set[str] = set()
    for fleet in chart.fleets():
        if fleet.code not in met and raids_now(chart, fleet):
            met |= {one.code for one in company_of(chart, fleet)}
            _neutral(chart, fleet, trade)
            for owner in sorted(chart.facts.sides):
                if frozenset((fleet.side, owner)) in chart.facts.at_war and _in_waters(chart, fleet, owner):
                    _belligerent(chart, fleet, trade, owner)


def raids_now(chart: Chart, fleet: FleetState) -> bool:
    """Whether a fleet can stop merchantmen: on its station, on a lane, in no contact, fog or gale, with a ship that may. Rule: G.NC1."""
    if fleet.order.on_arrival is not OnArrival.TRADE or not chart.on_chart(fleet) or fleet.order.route:
        return False
    kind = chart.facts.theatre.places[fleet.position.at].kind
    weather = chart.weather(fleet)
    return (
        (bool(fleet.position.to) or kind in LANES)
        and not any(fleet.code in key for key in chart.state.contacts)
        and weather.strength is not Strength.GALE
        and weather.visibility is not Visibility.FOG
        and any(
            not ship.prize
            and chart.at_sea.stops_trade(chart.facts.ships[ship.code].card)
            and chart.at_sea.sea_speed(chart.facts.ships[ship.code].card, ship.condition) == 1
            for ship in chart.ships_of(fleet.code)
        )
    )


def _in_waters(chart: Chart, fleet: FleetState, owner: str) -> bool:
    """Whether a side's own merchantmen pass where a fleet is: within the setting's miles of one of its ports. Rule: G.NC2."""
    here, nations = chart.geometry.nearest(fleet.position), chart.facts.sides[owner].nations
    most = chart.facts.settings.trade_miles * MILLI
    return any(
        place.kind is PlaceKind.PORT
        and place.owner in nations
        and chart.geometry.distance(here, place.code) <= most
        for place in chart.facts.theatre.places.values()
    )


def _throw(chart: Chart, fleet: FleetState, clause: str, *what: str) -> int:
    return chart.dice.d6(clause=clause, subjects=(chart.hour, fleet.code, *what), reason=what[0])


def _neutral(chart: Chart, fleet: FleetState, trade: Trade) -> None:
    """A neutral is about by the set's chance; it is stopped and searched, and is a prize if it carries contraband.

    Rules: G.NC1, P.N01, P.N08.
    """
    if _throw(chart, fleet, "G.NC1", "neutral") < trade.present_at:
        return
    vessel = _vessel(trade, _throw(chart, fleet, "G.NC1", "neutral's kind"))
    place = chart.geometry.nearest(fleet.position)
    if _throw(chart, fleet, "G.NC1", "search") < trade.contraband_at:
        chart.tell("neutral_searched", "G.NC1", fleet.side, fleet=fleet.code, place=place, vessel=vessel.name)
        return
    _take(chart, fleet, vessel, place, owner="", clause="G.NC1")


def _belligerent(chart: Chart, fleet: FleetState, trade: Trade, owner: str) -> None:
    """A merchantman of an enemy strikes, and is sent in or sunk as the fleet's instructions for prizes say. Rules: G.NC2, G.MV5, P.Y10."""
    if _warned(chart, fleet, owner):
        return
    if _throw(chart, fleet, "G.NC2", "enemy shipping", owner) < chart.facts.settings.raid_at:
        return
    vessel = _vessel(trade, _throw(chart, fleet, "G.NC2", "its kind", owner))
    if fleet.order.instructions.prizes != "release":
        _take(chart, fleet, vessel, chart.geometry.nearest(fleet.position), owner=owner, clause="G.NC2")


def _warned(chart: Chart, fleet: FleetState, owner: str) -> bool:
    """Whether a side's merchantmen keep to port because a raider has been about where a fleet is. Rule: G.NC2."""
    here, most = chart.geometry.nearest(fleet.position), chart.facts.settings.trade_miles * MILLI
    return any(
        of == owner and until > chart.hour and chart.geometry.distance(here, place) <= most
        for (of, place), until in chart.state.warned.items()
    )


def _vessel(trade: Trade, face: int) -> Vessel:
    return next(row for row in trade.vessels if face >= row.least)


def _take(chart: Chart, fleet: FleetState, vessel: Vessel, place: str, *, owner: str, clause: str) -> None:
    """Send a merchantman in, or sink an enemy's where prizes are burnt; a neutral's owner is no side. Rules: G.NC1, G.NC2, P.K07."""
    sunk = bool(owner) and fleet.order.instructions.prizes == "burn"
    home = chart.nearest_own_port(fleet.position, fleet.side)
    if not sunk and not home:
        return
    points = str(Fraction(vessel.points))
    chart.tell(
        "shipping_taken", clause, fleet.side, fleet=fleet.code, side=fleet.side, place=place,
        vessel=vessel.name, owner=owner, points=points, sunk=sunk,
    )  # fmt: skip
    if owner:
        days = chart.facts.settings.trade_warned_days
        chart.state.warned[owner, place] = chart.hour + DAY * days
        chart.tell(
            "shipping_lost", clause, owner, side=owner, attacker=fleet.side, place=place, vessel=vessel.name,
            points=points, sunk=sunk,
        )  # fmt: skip
    if not sunk:
        settings = chart.facts.settings
        miles = chart.geometry.distance(
            chart.geometry.nearest(fleet.position), home, chart.closed[fleet.side]
        )
        sailing = -(-miles // PRIZE_KNOTS)
        due = chart.hour + sailing + DAY * -(-settings.court_days // settings.yard_days)
        chart.state.hauls = (*chart.state.hauls, Haul(fleet.side, due, vessel.name, vessel.pounds, place))


def _condemn(chart: Chart) -> None:
    """The court condemns what has come in, and its value goes to the prize fund. Rules: G.NC1, G.PR4."""
    waiting = []
    for haul in chart.state.hauls:
        if haul.due > chart.hour:
            waiting.append(haul)
            continue
        chart.state.economy.pay(haul.side, haul.pounds)
        chart.tell(
            "shipping_condemned", "G.PR4", haul.side, side=haul.side, place=haul.place, vessel=haul.vessel,
            pounds=haul.pounds,
        )  # fmt: skip
    chart.state.hauls = tuple(waiting)
