"""What an admiral needs to plot a route: where their fleet may go next, how far it is and about how long it takes. Rules: G.MV1, G.MV2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from battles.engine import registry
from campaign.accounts import listed
from campaign.models import Campaign, Order, Side, Station, Turn
from campaign.rules.chart import types as t
from campaign.rules.chart.points import miles_between
from campaign.rules.chart.speeds import sailing_knots, steaming_knots
from campaign.rules.chart.theatre import Geometry, geometry
from campaign.rules.turn.snapshots import settings_from
from campaign.selectors.sea.places import short_name
from campaign.selectors.turn.facts import theatre_of
from campaign.selectors.turn.sheets import ship_kind

if TYPE_CHECKING:
    from fleets.models import Ship

ENEMY_PORTS = "Enemy ports to blockade or attack"


@dataclass(frozen=True, slots=True)
class Leg:
    """A leg of a route. miles: of the leg; total: from where the fleet is now; bearing: degrees."""

    code: str
    name: str
    miles: int
    total: int
    bearing: int


@dataclass(frozen=True, slots=True)
class RoutePlan:
    """A route with its legs, and the places that join its end. miles 0 and days "" for a fleet that stays."""

    route: tuple[str, ...]
    legs: tuple[Leg, ...]
    miles: int
    days: str
    joining: tuple[tuple[str, str], ...]


def route_plan(campaign: Campaign, side: Side, station: Station, route: Iterable[str]) -> RoutePlan:
    """A route as far as it can be sailed: what follows the first place that does not join is left off. Rule: G.CH1."""
    theatre = theatre_of(campaign)
    way = geometry(theatre)
    position = t.Position(station.at, station.to, station.run)
    legs: list[Leg] = []
    total = 0
    end = ""
    for code in route:
        if not legs and not station.to and code == station.at:
            continue  # where she lies already, which an order may name first
        length, bearing = _leg(way, position, end, code)
        if length < 0:
            break
        total += length
        end = code
        legs.append(Leg(code, short_name(theatre.places[code].name), _miles(length), _miles(total), bearing))
    barred = enemy_ports(campaign, side)
    return RoutePlan(
        route=tuple(leg.code for leg in legs),
        legs=tuple(legs),
        miles=_miles(total),
        days=days_in_words(total, *cruising_speed(campaign, station)),
        joining=tuple(_joining(theatre, way, position, end, barred)),
    )


def _leg(way: Geometry, position: t.Position, end: str, code: str) -> tuple[int, int]:
    """Length in thousandths of a mile and bearing of the next leg; -1 when the place does not join."""
    if end or not position.to:
        leg = way.legs.get((end or position.at, code))
        return (leg.length, leg.bearing) if leg else (-1, 0)
    length = way.legs[position.at, position.to].length
    if code == position.to:
        return length - position.run, way.legs[position.at, position.to].bearing
    if code == position.at:
        return position.run, way.legs[position.to, position.at].bearing
    return -1, 0


def _joining(
    theatre: t.Theatre, way: Geometry, position: t.Position, end: str, barred: frozenset[str]
) -> Iterable[tuple[str, str]]:
    if not end and position.to:
        codes: tuple[str, ...] = (position.to, position.at)
    else:
        codes = way.neighbours[end or position.at]
    for code in sorted(codes, key=lambda c: short_name(theatre.places[c].name)):
        length, _ = _leg(way, position, end, code)
        whose = ", the enemy's" if code in barred else ""
        yield code, f"{short_name(theatre.places[code].name)}{whose} ({_miles(length)} nm)"


def way_to(campaign: Campaign, side: Side, station: Station, route: list[str], goal: str) -> list[str]:
    """A route with the shortest way from its end to a place added, through no enemy's port.

    Raises KeyError for a place that is not on the chart.
    """
    theatre = theatre_of(campaign)
    way, barred = geometry(theatre), enemy_ports(campaign, side)
    if goal not in theatre.places:
        raise KeyError(goal)
    if route:
        return [*route, *way.route(route[-1], goal, barred)]
    return list(way.way(t.Position(station.at, station.to, station.run), goal, barred))


def enemy_ports(campaign: Campaign, side: Side) -> frozenset[str]:
    """Codes of the ports of nations with which a side is at war: a route leads there only to blockade or attack. Rule: G.PT1."""
    foes = {code for pair in campaign.hostility if side.code in pair for code in pair} - {side.code}
    nations = {
        nation
        for other in campaign.sides.select_related("navy")
        if other.code in foes
        for nation in other.nations
    }
    places = theatre_of(campaign).places.values()
    return frozenset(p.code for p in places if p.kind is t.PlaceKind.PORT and p.owner in nations)


def goals(campaign: Campaign, side: Side) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every place that a side's fleets may be sent to, by kind, for one list to pick from; enemies' ports last."""
    barred = enemy_ports(campaign, side)
    groups: dict[str, list[tuple[str, str]]] = {}
    for place in sorted(theatre_of(campaign).places.values(), key=lambda p: short_name(p.name)):
        group = ENEMY_PORTS if place.code in barred else _group(place, side)
        groups.setdefault(group, []).append((place.code, short_name(place.name)))
    order = ("Your ports", "Anchorages and other ports", "Sea areas and straits", "Shoal coasts", ENEMY_PORTS)
    return [(name, groups[name]) for name in order if name in groups]


def havens(campaign: Campaign, side: Side) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every place that a side's fleets may lie at, by kind: a rendezvous, a shelter."""
    return [(group, places) for group, places in goals(campaign, side) if group != ENEMY_PORTS]


def has_landings(campaign: Campaign) -> bool:
    """Whether a campaign is played with soldiers, landings and raids. Rule: G.LD1."""
    return settings_from(campaign.settings).landings == "on"


def arrivals_at(campaign: Campaign, side: Side, station: Station, route: Sequence[str]) -> frozenset[str]:
    """What a fleet could do at the end of a route, for a form that offers no more. The rules judge what is given.

    Rules: G.MV2, G.BL1, G.CH5, G.LD2, G.PT1, G.MN1, G.NT1, G.NC1.
    """
    theatre, hostile = theatre_of(campaign), enemy_ports(campaign, side)
    end = route[-1] if route else geometry(theatre).nearest(_position(station))
    kind = theatre.places[end].kind
    possible = {"anchor", "patrol", "return", "join", "mine", "sweep", "torpedo", "trade"}
    if charges(campaign, side, station):
        possible.add("escort")
    if end in hostile:
        possible |= {"blockade", "attack", "raid"}
    if kind is t.PlaceKind.SHOAL_COAST:
        possible.add("shelter")
    if kind in (t.PlaceKind.PORT, t.PlaceKind.ANCHORAGE, t.PlaceKind.SHOAL_COAST):
        possible |= {"embark", "disembark", "land"}
    return frozenset(possible)


def charges(campaign: Campaign, side: Side, station: Station) -> list[tuple[str, str]]:
    """The other fleets of a side, which a fleet may keep company with. Rule: G.MV2."""
    rows = side.navy.fleets.filter(ended=False).exclude(pk=station.fleet_id).order_by("code")
    return list(rows.values_list("code", "name"))


def in_company(campaign: Campaign, side: Side, station: Station) -> list[tuple[str, str]]:
    """The other fleets of a side that lie near enough to be given ships. Rule: G.MV4."""
    way, miles = geometry(theatre_of(campaign)), settings_from(campaign.settings).company_miles
    stations = Station.objects.filter(fleet__navy=side.navy_id, fleet__ended=False, held_by="")
    here = way.point(_position(station))
    return [
        (row.fleet.code, row.fleet.name)
        for row in stations.exclude(pk=station.pk).select_related("fleet").order_by("fleet__code")
        if miles_between(here, way.point(_position(row))) <= miles * t.MILLI
    ]


def _position(station: Station) -> t.Position:
    return t.Position(station.at, station.to, station.run)


@dataclass(frozen=True, slots=True)
class PartRow:
    """Ships that an order sends away, in words. ships: names; whither: fleet or route; deed: stance and arrival, "" for a transfer."""

    number: int
    name: str
    ships: str
    whither: str
    deed: str


def part_rows(campaign: Campaign, side: Side, order: Order | None) -> list[PartRow]:
    """The ships that a stored order sends away, in the order in which they go. Rule: G.MV4."""
    if order is None or not order.parts:
        return []
    codes = [code for part in order.parts for code in part["ships"]]
    ships = dict(campaign.book.ships.filter(code__in=codes, navy=side.navy_id).values_list("code", "name"))
    fleets = dict(side.navy.fleets.values_list("code", "name"))
    places = theatre_of(campaign).places
    rows = []
    for number, part in enumerate(order.parts):
        route = [short_name(places[code].name) for code in part.get("route", ()) if code in places]
        whither = f"to {fleets.get(part['to'], 'another fleet')}" if part.get("to") else " – ".join(route)
        deed = "" if part.get("to") else f"{part['stance']}, then {part['on_arrival']}"
        names = listed([ships[code] for code in part["ships"] if code in ships])
        rows.append(PartRow(number, part.get("name", ""), names, whither or "stay", deed))
    return rows


def _group(place: t.Place, side: Side) -> str:
    if place.kind is t.PlaceKind.PORT and place.owner in side.nations:
        return "Your ports"
    if place.kind in (t.PlaceKind.PORT, t.PlaceKind.ANCHORAGE):
        return "Anchorages and other ports"
    return "Shoal coasts" if place.kind is t.PlaceKind.SHOAL_COAST else "Sea areas and straits"


def own_ports(campaign: Campaign, side: Side) -> list[tuple[str, str]]:
    """Ports of a side by name: where crippled ships can be sent."""
    places = theatre_of(campaign).places.values()
    own = [p for p in places if p.kind is t.PlaceKind.PORT and p.owner in side.nations]
    return sorted(((p.code, short_name(p.name)) for p in own), key=lambda pair: pair[1])


def cruising_speed(campaign: Campaign, station: Station) -> tuple[Fraction, str]:
    """Knots of a fleet's slowest ship, damage included, 0 when one cannot sail; " in a fair wind", "" where every ship steams.

    Rules: G.MV1, G.ST1, G.ST3.
    """
    settings = settings_from(campaign.settings)
    at_sea = registry.rule_set(campaign.book.rule_set).at_sea
    speeds, wind = [], ""
    for ship in ships_of(campaign, station):
        kind = ship_kind(ship.ship_type)
        steams = at_sea.steam(ship.card)
        knots = steaming_knots(settings, kind, ship.facts) if steams else sailing_knots(settings, kind)
        speeds.append(knots * at_sea.sea_speed(ship.card, ship.condition))
        wind = wind if steams else " in a fair wind"
    return min(speeds, default=Fraction(0)), wind


def ships_of(campaign: Campaign, station: Station) -> QuerySet[Ship]:
    """Ships afloat of a fleet."""
    return campaign.book.ships.filter(fate="afloat", squadron__fleet=station.fleet_id)


def days_in_words(length: int, knots: Fraction, wind: str) -> str:
    """How long a distance in thousandths of a mile takes at a speed: "about 1½ days in a fair wind"; "" when it takes none."""
    if not length:
        return ""
    if not knots:
        return "a ship that cannot sail is holding up the fleet"
    hours = Fraction(length, t.MILLI) / knots
    if hours < 20:
        whole = max(1, round(hours))
        return f"about {whole} hour{'' if whole == 1 else 's'}{wind}"
    halves = round(hours / 12)
    whole, half = divmod(halves, 2)
    return f"about {whole}{'½' if half else ''} day{'' if halves == 2 else 's'}{wind}"


def order_for(turn: Turn, station: Station) -> Order | None:
    """The order that stands for a fleet in a turn."""
    order: Order | None = Order.objects.filter(turn=turn, fleet=station.fleet_id).first()
    return order


def _miles(thousandths: int) -> int:
    return round(thousandths / t.MILLI)
