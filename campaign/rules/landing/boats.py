"""06:00: men come aboard and go ashore, and those who are ashore eat. Rules: G.LD1, G.LD2."""

from __future__ import annotations

from battles.engine.core.scenario import Strength
from campaign.rules.chart.types import OnArrival, Position
from campaign.rules.contact.sighting import band
from campaign.rules.landing.stowage import aboard, at_place, friends, load, owners, unload
from campaign.rules.landing.watch import hindrance, landing_place
from campaign.rules.sailing.beaches import holders, is_haven, may_land
from campaign.rules.state.clock import DAY
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart

MEN_A_CLASS = 500  # that a port embarks in a morning, for each dockyard class and one more
FED_DAYS = 14
WASTED = 10  # one in so many dies a day
A_BAND = 500  # men stand for one sail of a band


def men_in_a_band(men: int) -> str:
    """The band of G.SI2 in which the other side knows of men ashore: each sail of it stands for 500. Rule: G.LD3."""
    return band(max(1, men // A_BAND))


def boats_step(chart: Chart) -> None:
    """Men land, come aboard and go ashore: so many at each place in a morning, however many fleets are there. Rules: G.LD1, G.LD2."""
    left: dict[tuple[str, str, str], int] = {}
    for code in [fleet.code for fleet in chart.fleets()]:
        fleet = chart.state.fleets[code]
        if not chart.on_chart(fleet) or any(code in key for key in chart.state.contacts):
            continue
        arrival = fleet.order.on_arrival
        if arrival is OnArrival.LAND:
            _land(chart, fleet, left)
        elif arrival is OnArrival.EMBARK:
            _embark(chart, fleet, left)
        elif arrival is OnArrival.DISEMBARK:
            _disembark(chart, fleet, left)


def rate_of_beach(chart: Chart, fleet: FleetState) -> int:
    """Men that boats carry between ships and a beach in a morning: all in a moderate wind or less, half in a strong one. Rule: G.LD2."""
    strength, rate = chart.weather(fleet).strength, chart.facts.settings.land_rate
    if strength is Strength.GALE:
        return 0
    return rate // 2 if strength is Strength.STRONG else rate


def rate_of_haven(chart: Chart, side: str, place: str) -> int:
    """Men that go aboard or ashore at a friendly place in a morning: its own number, else 500 for each class and one. Rule: G.LD1."""
    army = chart.state.troops.armies.get((side, place))
    if army is not None and army.embark:
        return army.embark
    return MEN_A_CLASS * (chart.facts.theatre.places[place].dockyard + 1)


def _land(chart: Chart, fleet: FleetState, left: dict[tuple[str, str, str], int]) -> None:
    """Put men ashore on a hostile coast; its owner knows at once. Rule: G.LD2."""
    place = landing_place(chart, fleet)
    if not place or not may_land(chart.facts, fleet.side, place) or not aboard(chart, fleet):
        return
    why = hindrance(chart, fleet, place)
    key = (fleet.side, place, "land")
    most = left.setdefault(key, rate_of_beach(chart, fleet))
    if why or not rate_of_beach(chart, fleet):
        chart.tell("landing_waits", "G.LD2", fleet.side, fleet=fleet.code, place=place, why=why or "gale")
        return
    men = unload(chart, fleet, most)
    if not men:
        return
    left[key] = most - men
    holdings = chart.state.holdings
    holdings.land(fleet.side, place, men)
    ashore = holdings.ashore[fleet.side, place]
    chart.tell(
        "landed", "G.LD2", fleet.side, fleet=fleet.code, side=fleet.side, place=place, men=men, ashore=ashore
    )
    chart.tell(
        "enemy_landed", "G.LD2", *holders(chart.facts, place), place=place, attacker=fleet.side,
        band=men_in_a_band(ashore),
    )  # fmt: skip


def _embark(chart: Chart, fleet: FleetState, left: dict[tuple[str, str, str], int]) -> None:
    """Take an army aboard, or men off a beach. Rules: G.LD1, G.LD2."""
    troops, holdings, side = chart.state.troops, chart.state.holdings, fleet.side
    here = "" if fleet.position.to or fleet.order.route else fleet.position.at
    army = troops.armies.get((side, here))
    if army is not None and is_haven(chart.facts, side, here):
        key = (side, here, "embark")
        most = left.setdefault(key, rate_of_haven(chart, side, here))
        men = load(chart, fleet, min(most, army.men))
        if men:
            left[key] = most - men
            troops.gather(side, here, -men)
            _tell_boats(chart, "embarked", fleet, here, men, army.men - men)
    beach = landing_place(chart, fleet)
    ashore = holdings.ashore.get((side, beach), 0)
    if ashore:
        key = (side, beach, "off")
        rate = rate_of_haven(chart, side, beach) if beach == here and _own(chart, side, beach) else -1
        most = left.setdefault(key, rate_of_beach(chart, fleet) if rate < 0 else rate)
        men = load(chart, fleet, min(most, ashore))
        if men:
            left[key] = most - men
            holdings.land(side, beach, -men)
            _tell_boats(chart, "embarked", fleet, beach, men, ashore - men)


def _own(chart: Chart, side: str, place: str) -> bool:
    return any(friends(chart, side, other) for other in owners(chart, place))


def _disembark(chart: Chart, fleet: FleetState, left: dict[tuple[str, str, str], int]) -> None:
    """Put men ashore among friends, where they are an army again. Rule: G.LD1."""
    here = fleet.position.at
    if fleet.position != Position(here) or fleet.order.route or not is_haven(chart.facts, fleet.side, here):
        return
    key = (fleet.side, here, "ashore")
    most = left.setdefault(key, rate_of_haven(chart, fleet.side, here))
    men = unload(chart, fleet, most)
    if men:
        left[key] = most - men
        chart.state.troops.gather(fleet.side, here, men)
        _tell_boats(chart, "disembarked", fleet, here, men, chart.state.troops.armies[fleet.side, here].men)


def _tell_boats(chart: Chart, kind: str, fleet: FleetState, place: str, men: int, ashore: int) -> None:
    chart.tell(
        kind, "G.LD1", fleet.side, fleet=fleet.code, side=fleet.side, place=place, men=men, ashore=ashore
    )


def rations_step(chart: Chart) -> None:
    """Men ashore without a fleet at the place eat for 14 days, then lose a tenth a day. Rule: G.LD2.

    A port of their own feeds them, and so does a coast that belongs to no side.
    """
    holdings = chart.state.holdings
    for side, place in sorted(holdings.ashore):
        fed = _own(chart, side, place) or not holders(chart.facts, place)
        if fed or _in_company(chart, side, place):
            holdings.hungry.pop((side, place), None)
            continue
        since = holdings.hungry.setdefault((side, place), chart.hour)
        if chart.hour - since > FED_DAYS * DAY:
            men = holdings.ashore[side, place]
            lost = -(-men // WASTED)
            holdings.land(side, place, -lost)
            chart.tell("wasted", "G.LD2", side, side=side, place=place, men=lost, ashore=men - lost)


def _in_company(chart: Chart, side: str, place: str) -> bool:
    """Whether ships of a side or its allies are at a place."""
    return any(friends(chart, side, fleet.side) and at_place(chart, fleet, place) for fleet in chart.fleets())


def days_left(chart: Chart, side: str, place: str) -> int | None:
    """Days for which men ashore have something to eat still; None while a fleet or a port of their own feeds them. Rule: G.LD2."""
    since = chart.state.holdings.hungry.get((side, place))
    return None if since is None else max(0, FED_DAYS - (chart.hour - since) // DAY)
