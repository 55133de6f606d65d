"""Convoys under way and ships interned, for the umpire; what a fleet carries, for its own side. Rules: G.CV1, G.NE1, G.IN1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.calendar import chart_time, spoken
from campaign.models import Campaign
from campaign.rules.state.clock import DAY
from campaign.rules.state.duties import Duties
from campaign.selectors.sea.places import short_name
from campaign.selectors.turn.facts import theatre_of


@dataclass(frozen=True, slots=True)
class FleetTrade:
    """What a fleet carries. sails: date in words, "" when it may sail already."""

    ships: int
    value: int
    destination: str
    sails: str


@dataclass(frozen=True, slots=True)
class CargoRow:
    """Laden ships of one fleet. Rule: G.CV1."""

    fleet: str
    side: str
    ships: int
    value: int
    destination: str


@dataclass(frozen=True, slots=True)
class InternedRow:
    """A ship in a neutral port. since: date in words. Rule: G.NE1."""

    code: str
    name: str
    side: str
    place: str
    since: str


def duties_of(campaign: Campaign) -> Duties:
    """Cargoes and internments as the last turn left them."""
    return Duties.read(campaign.carried.get("duties", {}))


def fleet_trade(campaign: Campaign, fleet: str, ships: Iterable[str]) -> FleetTrade | None:
    """What ships of a fleet carry; None when they carry nothing. Rule: G.CV1."""
    cargoes = duties_of(campaign).cargoes
    laden = [cargoes[code] for code in ships if code in cargoes]
    if not laden:
        return None
    places = theatre_of(campaign).places
    hour = campaign.carried.get("fleets", {}).get(fleet, {}).get("off_until", 0)
    waits = hour > campaign.calendar_day * DAY
    return FleetTrade(
        len(laden),
        sum(cargo.value for cargo in laden),
        short_name(places[laden[0].destination].name),
        spoken(chart_time(campaign.start_date, hour)) if waits else "",
    )


def cargo_rows(campaign: Campaign) -> list[CargoRow]:
    """Every cargo that is not delivered yet, fleet by fleet. For the umpire. Rule: G.CV1."""
    cargoes, places = duties_of(campaign).cargoes, theatre_of(campaign).places
    columns = ("code", "squadron__fleet__name", "navy__name")
    found: dict[tuple[str, str, str], list[int]] = {}
    for code, fleet, side in campaign.book.ships.filter(code__in=cargoes).values_list(*columns):
        key = (side, fleet or "with no fleet", short_name(places[cargoes[code].destination].name))
        found.setdefault(key, []).append(cargoes[code].value)
    return [
        CargoRow(fleet, side, len(values), sum(values), destination)
        for (side, fleet, destination), values in sorted(found.items())
    ]


def interned_rows(campaign: Campaign) -> list[InternedRow]:
    """Every ship that a neutral holds. For the umpire. Rule: G.NE1."""
    interned, places = duties_of(campaign).interned, theatre_of(campaign).places
    ships = campaign.book.ships.filter(code__in=interned).order_by("navy__code", "code")
    return [
        InternedRow(
            code, name, side, short_name(places[interned[code].place].name),
            spoken(chart_time(campaign.start_date, interned[code].hour)),
        )
        for code, name, side in ships.values_list("code", "name", "navy__name")
    ]  # fmt: skip
