"""What a side has ashore, as its own people and the umpire see it: the chart's state as the turn opened, with its orders. Rule: G.IN1.

What is reckoned from it (dates of yards, room aboard, who musters) is reckoned by the rules that the turn is pinned to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Concatenate, ParamSpec, TypeVar

from django.http import Http404

from battles.engine.pinned.rules import Use
from campaign.calendar import chart_time
from campaign.models import Campaign, Membership, Side, SideOrder, Turn
from campaign.pinned.use import rules_of
from campaign.rules.ashore.side_faults import chart_of
from campaign.rules.chart import side_orders as pure
from campaign.rules.state.economy import Economy
from campaign.rules.state.state import ShipState
from campaign.rules.state.world import Chart
from campaign.rules.turn.turn import standing
from campaign.selectors.people.access import Role
from campaign.selectors.people.knowing import fleets_in_sight
from campaign.selectors.sea.places import short_name
from campaign.selectors.turn.facts import turn_facts

P = ParamSpec("P")
R = TypeVar("R")


def side_for_member_or_404(campaign: Campaign, membership: Membership, wanted: str = "") -> Side:
    """The side whose affairs ashore a reader sees: their own; for the umpire the one they ask for, else the first. Raises Http404."""
    if membership.role != Role.UMPIRE:
        if membership.side is None:
            raise Http404("no affairs ashore for this reader")
        return membership.side
    sides = {side.code: side for side in campaign.sides.select_related("navy")}
    if not sides or (wanted and wanted not in sides):
        raise Http404("no such side")
    return sides[wanted or min(sides)]


@dataclass
class Shore:
    """One side's affairs ashore at the opening of a turn, for one reader. Built by `shore_of`.

    use: the rules that the turn is pinned to. played: the chart that they are asked with, of their own classes. chart: the same in today's
    classes, to be read.
    """

    campaign: Campaign
    side: Side
    turn: Turn
    use: Use
    played: Chart
    chart: Chart
    row: SideOrder | None
    fleets: frozenset[str] | None

    def rules(self, function: Callable[Concatenate[Chart, P], R]) -> Callable[P, R]:
        """A function of the pinned rules, asked with the chart. Raises RulesMissing."""
        return partial(self.use(function), self.played)

    def under_orders(self, step: Callable[[Chart], None] | None = None) -> None:
        """The chart with the orders that stand in the place of those that stood, and after a step of the rules."""
        self.played.state.economy.orders[self.side.code] = self.use.there(self.order)
        if step is not None:
            self.rules(step)()
        self.chart = self._read()

    def _read(self) -> Chart:
        if self.use.crossing is None:
            return self.played
        return chart_of(self.chart.facts, self.use.here(self.played.state))

    @property
    def economy(self) -> Economy:
        """The pure state ashore."""
        return self.chart.state.economy

    @cached_property
    def order(self) -> pure.SideOrder:
        """The orders that stand: those given for this turn, else what is left of the last ones."""
        if self.row is None:
            return self.economy.order(self.side.code)
        return pure.side_order_from({**self.row.document, "side": self.side.code})

    @property
    def state_no(self) -> int:
        """Number of the orders, 0 before any."""
        return self.row.state_no if self.row is not None else 0

    def name(self, ship: str) -> str:
        """A ship's name; the code of one that no one knows now is never shown."""
        sheet = self.chart.facts.ships.get(ship)
        return sheet.name if sheet is not None else "a ship"

    def place(self, code: str) -> str:
        """A place's name, as short as it can be told."""
        return short_name(self.chart.facts.theatre.places[code].name)

    def date(self, hour: int) -> str:
        """An hour of the chart as chart time."""
        return chart_time(self.campaign.start_date, hour)

    def sees(self, ship: ShipState) -> bool:
        """Whether the reader sees a ship of the side: all where the campaign shares, else those of their own fleets. Rule: G.IN4."""
        return self.fleets is None or ship.fleet in self.fleets

    @cached_property
    def ships(self) -> list[ShipState]:
        """The side's ships that the reader sees, by name."""
        own = [s for s in self.chart.state.ships.values() if s.side == self.side.code and s.fleet]
        return sorted(
            (ship for ship in own if self.sees(ship)), key=lambda ship: (self.name(ship.code), ship.code)
        )


def shore_of(campaign: Campaign, membership: Membership, side: Side, turn: Turn) -> Shore:
    """What one reader may see of a side's affairs ashore, in a fixed number of queries. Rules: G.IN1, G.IN4."""
    facts, _ = turn_facts(turn)
    row = turn.side_orders.filter(side=side).first()
    keys = fleets_in_sight(membership)
    fleets = None
    if keys is not None:
        fleets = frozenset(side.navy.fleets.filter(pk__in=keys).values_list("code", flat=True))
    use = rules_of(turn)
    state = use(standing)(facts)
    played = use(chart_of)(facts, state)
    chart = played if use.crossing is None else chart_of(facts, state)
    return Shore(campaign, side, turn, use, played, chart, row, fleets)
