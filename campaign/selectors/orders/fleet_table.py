"""A member's fleets side by side: where, how strong, in what state, under which orders, and which of them still wait for some.

Rules: G.IN1, G.IN4, G.MV2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from battles.models import Battle
from campaign.forms import EVERY_ARRIVAL, STANCES
from campaign.models import Campaign, Membership, Order, Station, Turn
from campaign.rules.chart.theatre import geometry
from campaign.rules.chart.types import Instructions, Position, Theatre
from campaign.selectors.orders.condition import hull_words
from campaign.selectors.orders.drafts import drafted
from campaign.selectors.orders.orders import PartRow, enemy_ports
from campaign.selectors.people.access import stations_for
from campaign.selectors.people.commanding import fleets_commanded
from campaign.selectors.sea.places import goal_in_words, place_in_words, short_name
from campaign.selectors.turn.facts import theatre_of
from campaign.selectors.turn.groups import groups_now
from campaign.selectors.turn.ongoing import ongoing_battles

if TYPE_CHECKING:
    from fleets.models import Ship

STANCE_WORDS = {value: name for value, name, _ in STANCES}
ARRIVAL_WORDS = {value: name for value, name, _ in EVERY_ARRIVAL}
_DEFAULTS = Instructions()


@dataclass(frozen=True, slots=True)
class FleetLine:
    """A fleet in the table. condition: of its ships, in words. route: from the first place to the last, in words, "" to stay.

    given: a person has given its orders for this turn. held: code of the battle that holds it, "" for none. alone: it sails by
    itself. mine: the reader may give it orders. drafted: they have typed some that they have not given.
    """

    code: str
    name: str
    side: str
    colour: str
    place: str
    ships: int
    condition: str
    stance: str
    arrival: str
    route: str
    destination: str
    given: bool
    author: str
    state_no: int
    held: str
    alone: bool
    mine: bool
    drafted: bool
    parts: tuple[PartRow, ...] = ()
    instructions: tuple[str, ...] = ()

    @property
    def free(self) -> bool:
        """Whether the reader can give it orders now."""
        return self.mine and not self.held and not self.alone

    @property
    def waits(self) -> bool:
        """Whether it could be given orders, and no one has."""
        return self.free and not self.given


def holding(campaign: Campaign) -> dict[str, str]:
    """Codes in the book of the battles that hold fleets, by the code that the chart has; none whose result is accepted. Rule: G.BT4."""
    found = ongoing_battles(campaign)
    return {code: row.code for code, row in found.items() if row.status != Battle.Status.FOUGHT}


def fleet_lines(campaign: Campaign, membership: Membership, turn: Turn) -> list[FleetLine]:
    """The fleets that a member may see, the strongest first. A fixed number of queries. Rules: G.IN1, G.IN4."""
    rows = list(stations_for(membership))
    keys = [row.fleet_id for row in rows]
    orders = {order.fleet_id: order for order in Order.objects.filter(turn=turn, fleet__in=keys)}
    ships: dict[int, list[Ship]] = {}
    for ship in campaign.book.ships.filter(fate="afloat", squadron__fleet__in=keys).select_related(
        "squadron"
    ):
        ships.setdefault(ship.squadron.fleet_id, []).append(ship)  # type: ignore[union-attr]
    reader = _Reader(campaign, membership, turn, rows)
    lines = [reader.line(row, orders.get(row.fleet_id), ships.get(row.fleet_id, [])) for row in rows]
    return sorted(lines, key=lambda line: (line.side, line.alone, -line.ships, line.name))


class _Reader:
    """What all lines of one table share."""

    def __init__(
        self, campaign: Campaign, membership: Membership, turn: Turn, rows: Iterable[Station]
    ) -> None:
        self.campaign, self.rule_set = campaign, campaign.book.rule_set
        self.theatre = theatre_of(campaign)
        self.held = holding(campaign) if any(row.held_by for row in rows) else {}
        self.alone = groups_now(campaign, turn)
        self.mine = fleets_commanded(membership=membership, fleets=[row.fleet for row in rows])
        self.drafted = drafted(turn, membership)

    def line(self, row: Station, order: Order | None, ships: list[Ship]) -> FleetLine:
        """One fleet."""
        fleet = row.fleet
        return FleetLine(
            code=fleet.code,
            name=fleet.name,
            side=fleet.navy.code,
            colour=fleet.navy.colours,
            place=place_in_words(self.theatre, Position(row.at, row.to, row.run)),
            ships=len(ships),
            condition=hull_words(self.rule_set, ships),
            stance=STANCE_WORDS.get(order.stance if order else "hold", ""),
            arrival=ARRIVAL_WORDS.get(order.on_arrival if order else "anchor", ""),
            route=route_words(self.theatre, order.route if order else ()),
            destination=goal_in_words(
                self.theatre, Position(row.at, row.to, row.run), order.route if order else ()
            ),
            given=order is not None and order.source in Order.GIVEN,
            author=order.author if order is not None else "",
            state_no=order.state_no if order is not None else 0,
            held=self.held.get(row.held_by, ""),
            alone=fleet.code in self.alone,
            mine=row.fleet_id in self.mine,
            drafted=row.fleet_id in self.drafted,
        )


def route_words(theatre: Theatre, route: Iterable[str]) -> str:
    """Places of a route by their names: "The Swin – Gunfleet"; "" for a fleet that stays."""
    return " – ".join(short_name(theatre.places[code].name) for code in route if code in theatre.places)


def next_waiting(lines: list[FleetLine], after: str = "") -> FleetLine | None:
    """The next fleet that waits for orders: after a fleet of the table, then from its top; None when none waits."""
    at = next((n for n, line in enumerate(lines) if line.code == after), -1)
    around = [*lines[at + 1 :], *lines[: at + 1]]
    return next((line for line in around if line.waits and line.code != after), None)


def route_taken_up(
    campaign: Campaign, membership: Membership, station: Station, route: list[str]
) -> list[str]:
    """Another fleet's route for this one: the same from the place that it reaches first, with the shortest way there. Rule: G.CH1."""
    assert membership.side is not None  # only an admiral copies orders
    if not route:
        return []
    way, barred = geometry(theatre_of(campaign)), enemy_ports(campaign, membership.side)
    here = Position(station.at, station.to, station.run)
    nearest = way.nearest(here)
    entry = min(range(len(route)), key=lambda n: (way.distance(nearest, route[n], barred), -n))
    return [*way.way(here, route[entry], barred), *route[entry + 1 :]]
