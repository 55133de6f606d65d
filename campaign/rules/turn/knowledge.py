"""What one side knows: its own fleets and ships exactly, the enemy through its own sighting reports alone.

Made for pages and for the automatic admiral. Rules: G.SI2, G.SI3, G.IN1.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from battles.engine.core.dice import ScriptedDice
from campaign.rules.ashore.yards import refit_of
from campaign.rules.chart.points import SCALE
from campaign.rules.chart.types import (
    FleetOrder,
    OnArrival,
    Position,
    ShipKind,
    ShipSheet,
    SightingReport,
    Theatre,
    TurnFacts,
)
from campaign.rules.contact.contact import mean_value
from campaign.rules.contact.sighting import course_of
from campaign.rules.contact.staff import latest
from campaign.rules.groups.courses import best_yard
from campaign.rules.groups.kinds import badly_hurt, in_groups, sails_by_itself, worst_loss
from campaign.rules.landing.stowage import capacity
from campaign.rules.mines.laying import stock
from campaign.rules.state.documents import event_doc
from campaign.rules.state.state import FleetState, TurnState, ZoneWeather
from campaign.rules.state.world import Chart
from campaign.rules.turn.turn import standing
from campaign.rules.turn.war_known import War, war_known

# Knots at which an admiral reckons what a fleet can do in a day, its own or the enemy's, under sail and under steam. Rule: G.AA3.
SAILING_PACE, STEAMING_PACE = 4, 8


@dataclass(frozen=True, slots=True)
class OwnShip:
    """A ship of one's own. hull_lost: share of her hull, 0 to 1; of a cripple that of her value, if it is more. value: undamaged.

    yard: the own port that has her repaired first, of a ship that is hurt (G.AA5). slowed: whether damage costs her speed (G.MV1).
    """

    code: str
    name: str
    fleet: str
    squadron: str
    kind: ShipKind
    men: int
    complement: int
    captain: str
    prize: bool
    hull_lost: Fraction
    value: Fraction = Fraction(0)
    yard: str = ""
    slowed: bool = False


@dataclass(frozen=True, slots=True)
class OwnFleet:
    """A fleet of one's own. latitude, longitude: hundredths of a degree; course: degrees or None. value: of ships that can fight.

    weather: where it is, None before the first weather is known. off_until: hour at which it comes back from a battle. bound_for:
    destination of a convoy's cargo, "" for other fleets. merchants: no ship of it is of the navy. needs: least class of yard that can
    make all its ships whole (G.RP2). group: it sails by itself, and takes no orders (G.KT2). troops: soldiers aboard,
    room: for how many it has room in all (G.LD1). line, shallow: its ships of the line, and those that are not deep; prizes are neither.
    craft: orders that all its fighting ships are made for: mine, torpedo and trade (G.AA8).
    """

    code: str
    name: str
    position: Position
    latitude: int
    longitude: int
    course: int | None
    order: FleetOrder
    scout: bool
    sail: int
    value: Fraction
    hull_lost: Fraction
    weather: ZoneWeather | None
    off_until: int
    held_by: str
    rejoins: str = ""
    bound_for: str = ""
    merchants: bool = False
    needs: int = 0
    group: bool = False
    troops: int = 0
    room: int = 0
    line: int = 0
    shallow: int = 0
    craft: frozenset[OnArrival] = frozenset()


@dataclass(frozen=True, slots=True)
class KnownReport:
    """A sighting report and how many hours old it is. The umpire's field of it is blank."""

    report: SightingReport
    age: int


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything one side may know. reports: the last of each contact, newest first. worth: mean value of own ships.

    own_ports, enemy_ports: codes. war: what it is about. pace: knots at which passages are reckoned, the enemy's too. groups:
    whether cripples and prizes sail by themselves, by standing orders (G.KT2). Rule: G.IN1.
    """

    side: str
    campaign: str
    turn: int
    hour: int
    theatre: Theatre
    fleets: Mapping[str, OwnFleet]
    ships: Mapping[str, OwnShip]
    reports: tuple[KnownReport, ...]
    own_ports: frozenset[str]
    enemy_ports: frozenset[str]
    worth: Fraction
    war: War = field(default_factory=War)
    pace: int = SAILING_PACE
    groups: bool = True


def knowledge_of(facts: TurnFacts, state: TurnState | None, side: str) -> Knowledge:
    """What a side knows in a state of the turn; before the turn begins, without a state. Raises KeyError for an unknown side."""
    nations = facts.sides[side].nations
    chart = Chart(facts, state or standing(facts), ScriptedDice(()))
    fleets = [fleet for fleet in chart.fleets() if fleet.side == side and chart.ships_of(fleet.code)]
    places = chart.facts.theatre.places.values()
    return Knowledge(
        side=side,
        campaign=facts.campaign,
        turn=facts.turn,
        hour=chart.hour,
        theatre=chart.facts.theatre,
        fleets={fleet.code: _fleet(chart, fleet) for fleet in fleets},
        ships={ship.code: ship for fleet in fleets for ship in _ships(chart, fleet)},
        reports=_reports(chart, side),
        own_ports=frozenset(place.code for place in places if place.dockyard and place.owner in nations),
        enemy_ports=chart.closed[side],
        worth=mean_value(chart, side, ()),
        war=war_known(chart, side),
        groups=in_groups(chart),
        pace=STEAMING_PACE if all(chart.steams(fleet.code) for fleet in fleets) else SAILING_PACE,
    )


def events_for(state: TurnState, side: str) -> list[list[Any]]:
    """The events of a turn that a side may know, as documents in which no code of another side's fleet stands. Rule: G.IN1."""
    others = {fleet.code for fleet in state.fleets.values() if fleet.side != side}
    return [
        # who else knows it is itself a secret
        [event.hour, event.kind, event.clause, [], _without(event_doc(event)[4], others)]
        for event in state.events
        if side in event.knows
    ]


def _without(value: Any, codes: Set[str]) -> Any:
    """A document without some codes: as values they are blank, in lists and as names of fields they are left out."""
    if isinstance(value, str):
        return "" if value in codes else value
    if isinstance(value, dict):
        return {name: _without(row, codes) for name, row in value.items() if name not in codes}
    if isinstance(value, list | tuple):
        kept = (row for row in value if not (isinstance(row, str) and row in codes))
        # a row that begins with a code is about that fleet
        return [
            _without(row, codes)
            for row in kept
            if not (isinstance(row, list | tuple) and row and isinstance(row[0], str) and row[0] in codes)
        ]
    return value


def _fleet(chart: Chart, fleet: FleetState) -> OwnFleet:
    point = chart.point(fleet.position)
    return OwnFleet(
        code=fleet.code,
        name=chart.name_of(fleet),
        position=fleet.position,
        latitude=round(point.latitude * 100 / SCALE),
        longitude=round(point.longitude * 100 / SCALE),
        course=course_of(chart, fleet),
        order=fleet.order,
        scout=chart.scouts(fleet),
        sail=len(chart.ships_of(fleet.code)),
        value=chart.value(fleet.code),
        hull_lost=chart.hull_lost(fleet.code),
        weather=chart.state.weather.get(chart.geometry.zone(fleet.position)),
        off_until=fleet.off_until,
        held_by=fleet.held_by,
        rejoins=fleet.rejoins,
        bound_for=_bound_for(chart, fleet),
        merchants=all(
            chart.facts.ships[ship.code].kind is ShipKind.MERCHANT for ship in chart.ships_of(fleet.code)
        ),
        needs=max((refit_of(chart, ship).needs for ship in chart.ships_of(fleet.code)), default=0),
        group=sails_by_itself(chart, fleet),
        troops=sum(chart.state.troops.aboard.get(ship.code, 0) for ship in chart.ships_of(fleet.code)),
        room=sum(capacity(chart, ship) for ship in chart.ships_of(fleet.code)),
        line=sum(sheet.kind is ShipKind.LINE for sheet in _fighting(chart, fleet)),
        craft=_craft(chart, fleet),
        shallow=sum(not chart.at_sea.deep(sheet.card) for sheet in _fighting(chart, fleet)),
    )


def _fighting(chart: Chart, fleet: FleetState) -> list[ShipSheet]:
    return [chart.facts.ships[ship.code] for ship in chart.ships_of(fleet.code) if not ship.prize]


def _craft(chart: Chart, fleet: FleetState) -> frozenset[OnArrival]:
    """What all the fighting ships of a fleet are made for, and the rule set knows of. Rules: G.AA8, G.MN1, G.NC1, G.NT1."""
    at_sea, ships = chart.at_sea, [ship for ship in chart.ships_of(fleet.code) if not ship.prize]
    cards = [chart.facts.ships[ship.code].card for ship in ships]
    found = {
        OnArrival.MINE: at_sea.lays_mines and all(stock(chart, ship) for ship in ships),
        OnArrival.TORPEDO: at_sea.strikes_by_night and all(map(at_sea.torpedo_craft, cards)),
        OnArrival.TRADE: at_sea.trade is not None and all(map(at_sea.stops_trade, cards)),
    }
    return frozenset(deed for deed, fits in found.items() if ships and fits)


def _bound_for(chart: Chart, fleet: FleetState) -> str:
    """Where a fleet's cargo is to go; "" unless most of its ships carry one. Rule: G.CV1."""
    cargoes = chart.state.duties.cargoes
    ships = chart.ships_of(fleet.code)
    bound = [
        cargoes[ship.code].destination
        for ship in ships
        if ship.code in cargoes and cargoes[ship.code].side == fleet.side and not ship.prize
    ]
    return bound[0] if 2 * len(bound) > len(ships) else ""


def _ships(chart: Chart, fleet: FleetState) -> list[OwnShip]:
    rows = []
    for ship, hull in zip(chart.ships_of(fleet.code), chart.hulls(fleet.code), strict=True):
        sheet = chart.facts.ships[ship.code]
        lost = chart.at_sea.hull_fraction(sheet.card, ship.condition)
        lost = worst_loss(chart, ship) if badly_hurt(chart, ship) else lost
        rows.append(
            OwnShip(
                ship.code, sheet.name, ship.fleet, ship.squadron, sheet.kind, ship.men, sheet.complement,
                ship.captain, ship.prize, lost, chart.at_sea.whole_value(sheet.card),
                best_yard(chart, fleet.position, fleet.side, (ship,)) if lost and not ship.prize else "",
                hull.factor < 1,
            )
        )  # fmt: skip
    return rows


def _reports(chart: Chart, side: str) -> tuple[KnownReport, ...]:
    """The last report of each contact of a side, without the name of what was seen. Rules: G.SI3, G.IN1."""
    last = latest((*chart.earlier_reports(), *chart.state.reports), side)
    newest = sorted(last, key=lambda report: (-report.hour, -report.number))
    return tuple(
        KnownReport(replace(report, fleet=""), max(0, chart.hour - report.hour)) for report in newest
    )
