"""A side's groups with where they go, its standing orders for them, and fleets with small squadrons. Rules: G.KT2, G.KT3, G.IN4."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from campaign.calendar import spoken
from campaign.rules.chart.side_orders import GROUP_CHOICES, GroupOrders
from campaign.rules.chart.types import PlaceKind
from campaign.rules.groups.kinds import sails_by_itself
from campaign.rules.state.state import FleetState
from campaign.rules.state.world import Chart
from campaign.rules.turn.muster import small_squadrons
from campaign.selectors.ashore.ashore import Shore
from campaign.selectors.sea.places import place_in_words, short_name

LABELS = {
    "stragglers": "Stragglers",
    "cripples": "Crippled ships",
    "escort": "Escort for crippled ships and prizes",
}
WORDS = {
    "stragglers": {
        "rejoin": "rejoin the fleet at its rendezvous",
        "port": "make for your nearest port",
        "wait": "wait where they are",
    },
    "cripples": {
        "yard": "go to the yard that can repair them soonest",
        "port": "make for your nearest port",
        "fleet": "stay with the fleet",
    },
    "escort": {"none": "no escort", "frigate": "a frigate or cruiser for 3 ships or more"},
}


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group. place: where it is, in words. to: where it goes; due: date in words, "" when it is there or no one can say."""

    code: str
    name: str
    kind: str
    ships: tuple[tuple[str, str], ...]
    place: str
    to: str
    due: str
    in_hand: bool


@dataclass(frozen=True, slots=True)
class MusterRow:
    """A fleet with small squadrons. told: it will muster at the next quiet morning in port."""

    code: str
    name: str
    squadrons: int
    told: bool


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A standing order. told: its value; choices: every value with its words."""

    name: str
    label: str
    told: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GroupsPage:
    """Everything on the page. told: the standing orders. ports: (code, name) of own ports. on: whether the campaign has groups."""

    groups: tuple[GroupRow, ...]
    musters: tuple[MusterRow, ...]
    told: GroupOrders
    choices: tuple[ChoiceRow, ...]
    ports: tuple[tuple[str, str], ...]
    on: bool


def groups_page(shore: Shore) -> GroupsPage:
    """A side's groups as their admiral sees them, with what they do by themselves. Rules: G.KT2, G.KT3, G.IN4."""
    shore.under_orders()
    chart, side = shore.chart, shore.side.code
    seen = {ship.fleet for ship in shore.ships}
    own = [fleet for fleet in chart.fleets() if fleet.side == side and fleet.code in seen]
    settings = chart.facts.settings
    asks = settings.muster == "ask"
    musters = [
        MusterRow(fleet.code, chart.name_of(fleet), small, fleet.code in shore.order.musters)
        for fleet in own
        if asks and not fleet.group and (small := len(shore.rules(small_squadrons)(fleet)))
    ]
    return GroupsPage(
        tuple(_row(shore, fleet) for fleet in own if fleet.group),
        tuple(musters),
        shore.order.groups,
        tuple(_choice(shore.order.groups, name) for name in LABELS),
        _ports(shore),
        settings.fragments == "one group",
    )


def _choice(told: GroupOrders, name: str) -> ChoiceRow:
    words = tuple((value, WORDS[name][value]) for value in GROUP_CHOICES[name])
    return ChoiceRow(name, LABELS[name], getattr(told, name), words)


def _ports(shore: Shore) -> tuple[tuple[str, str], ...]:
    chart, nations = shore.chart, shore.side.nations
    places = chart.facts.theatre.places.values()
    own = [
        (p.code, short_name(p.name))
        for p in places
        if p.kind is PlaceKind.PORT and chart.owner_of(p.code) in nations
    ]
    return tuple(sorted(own, key=lambda row: row[1]))


def _row(shore: Shore, fleet: FleetState) -> GroupRow:
    chart = shore.chart
    goal = fleet.order.route[-1] if fleet.order.route else ""
    return GroupRow(
        fleet.code,
        chart.name_of(fleet),
        LABELS.get(fleet.group, fleet.group).lower(),
        tuple((ship.code, shore.name(ship.code)) for ship in chart.ships_of(fleet.code)),
        place_in_words(chart.facts.theatre, fleet.position),
        shore.place(goal) if goal else "",
        _due(shore, fleet, goal) if goal else "",
        not shore.rules(sails_by_itself)(fleet),
    )


def _due(shore: Shore, fleet: FleetState, goal: str) -> str:
    """The day on which a group should be there at its cruising speed, "" while it cannot sail."""
    chart = shore.played
    hulls = shore.rules(Chart.hulls)(fleet.code)
    knots = min((hull.knots * hull.factor for hull in hulls), default=Fraction(0))
    if not knots:
        return ""
    miles = chart.geometry.distance(chart.geometry.nearest(fleet.position), goal, chart.closed[fleet.side])
    hours = int(Fraction(miles) / knots) + 1
    return spoken(shore.date(chart.hour + hours)).partition(",")[0]
