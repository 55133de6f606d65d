"""The automatic admiral's orders, fleet by fleet. Rules: G.MV2, G.MV4, G.MV5, G.CO1, G.BL1, G.CV1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from battles.engine.core.scenario import Stance
from campaign.rules.admiral.judgement import Judgement, wars_of
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, Part
from campaign.rules.sailing.parting import group_name
from campaign.rules.turn.knowledge import Knowledge, OwnFleet, OwnShip

CRIPPLED = Fraction(1, 3)
# A fleet that is chased leaves the ships that damage slows, if no more than this share of its ships, so that the others get away.
FEW = Fraction(1, 4)
REFITTED = Fraction(1, 10)
# A fleet waits for the others while less than this share of what can fight is in company.
ENOUGH = Fraction(3, 4)
# Worth waiting for, or worth more as an escort: a share of the main fleet's value.
SMALL = Fraction(1, 5)
# A convoy turns aside for an enemy reported so near.
TOO_NEAR = 60_000


def admiral_orders(
    knowledge: Knowledge,
    instructions: Mapping[str, Instructions] | None = None,
    bound: Mapping[str, FleetOrder] | None = None,
) -> dict[str, FleetOrder]:
    """Orders for every fleet of a side that is not held and does not sail by itself, by code.

    instructions: battle instructions that someone else has given, by fleet, as at the opening; they stand, and a fleet without
    any fights under those it has, but it chooses the port of its crippled ships, and whether it leaves the slowest to pursuers.
    bound: orders that fleets had before it was asked, by code; such a fleet goes where it was told unless it needs a yard, and
    stays or keeps its beat until an enemy is near.
    Rule: G.MV2.
    """
    fleets = [knowledge.fleets[code] for code in sorted(knowledge.fleets)]
    free = [fleet for fleet in fleets if not fleet.held_by and not fleet.group]
    orders: dict[str, FleetOrder] = {}
    for group in wars_of(free):
        plan = Plan(knowledge, instructions or {}, group)
        for fleet, order in plan.orders():
            earlier = (bound or {}).get(fleet.code)
            still = earlier is not None and plan.is_bound(fleet, earlier)
            orders[fleet.code] = earlier if still and earlier is not None else order
    return {code: orders[code] for code in sorted(orders)}


class Plan:
    """One side's plan for a turn."""

    def __init__(
        self, knowledge: Knowledge, instructions: Mapping[str, Instructions], free: list[OwnFleet]
    ) -> None:
        self.view = Judgement(knowledge, free)
        self.instructions = instructions
        self.known = knowledge
        self.free = free
        self.names = {fleet.name for fleet in knowledge.fleets.values()}
        self.convoys = [fleet for fleet in free if fleet.bound_for]
        self.fit = [
            fleet
            for fleet in free
            if not (fleet.bound_for or fleet.merchants)
            and not self.refits(fleet)
            and fleet.rejoins not in knowledge.fleets
        ]
        bodies = [fleet for fleet in self.fit if not fleet.scout] or self.fit
        self.main = max(bodies, key=lambda fleet: (fleet.value, fleet.code), default=None)
        self.escorts = self._escorts()

    def orders(self) -> list[tuple[OwnFleet, FleetOrder]]:
        """Every free fleet with its orders."""
        return [(fleet, self.order_of(fleet)) for fleet in self.free]

    def order_of(self, fleet: OwnFleet) -> FleetOrder:
        """The orders of one free fleet."""
        if fleet.bound_for:
            return self.trade(fleet)
        if self.main is None or self.refits(fleet) or fleet.merchants:
            return self.home(fleet)
        if fleet.rejoins in self.known.fleets:
            return self.rejoin(fleet, self.known.fleets[fleet.rejoins])
        if fleet.code == self.main.code:
            return self.lead(fleet)
        if fleet.code in self.escorts:
            return self.give(fleet, (), Stance.HOLD, OnArrival.ESCORT, target=self.escorts[fleet.code])
        return self.support(fleet, self.main)

    def refits(self, fleet: OwnFleet) -> bool:
        """Whether a fleet goes home, or stays in its yard until it is whole again."""
        return fleet.hull_lost > (REFITTED if self.view.in_port(fleet) else CRIPPLED) or not fleet.value

    def is_bound(self, fleet: OwnFleet, order: FleetOrder) -> bool:
        """Whether a fleet is still to carry out an order that it had before."""
        away = bool(order.route) and order.on_arrival is not OnArrival.PATROL
        return not self.refits(fleet) and (away or not self.view.fresh(fleet))

    def _escorts(self) -> dict[str, str]:
        """Small fleets that lie with a convoy or near it, each with the convoy that it sees home. Rule: G.CV1."""
        if self.main is None:
            return {}
        spare = [f for f in self.fit if f is not self.main and f.value <= self.main.value * SMALL]
        found: dict[str, str] = {}
        for convoy in sorted(self.convoys, key=lambda fleet: (-fleet.sail, fleet.code)):
            near = [
                f for f in spare if f.code not in found and self.view.miles(f, convoy.position.at) <= TOO_NEAR
            ]
            if near:
                best = max(near, key=lambda fleet: (fleet.value, fleet.code))
                found[best.code] = convoy.code
        return found

    def trade(self, fleet: OwnFleet) -> FleetOrder:
        """A convoy goes where it is bound for, or into the nearest port while an enemy is reported near. Rule: G.CV1."""
        goal = fleet.bound_for
        if self.view.fresh(fleet, TOO_NEAR):
            refuge = self.view.refuge(fleet)
            if refuge and self.view.miles(fleet, refuge) < self.view.miles(fleet, goal):
                goal = refuge
        return self.give(fleet, self.view.way(fleet, goal), Stance.AVOID)

    def home(self, fleet: OwnFleet) -> FleetOrder:
        """To an own port with a yard, out of every enemy's way."""
        port = self.view.yard(fleet)
        return self.give(fleet, self.view.way(fleet, port) if port else (), Stance.AVOID)

    def rejoin(self, fleet: OwnFleet, parent: OwnFleet) -> FleetOrder:
        """After the fleet that it has parted from, to be one with it again. Rule: G.MV4."""
        return self.give(fleet, self._after(fleet, parent), Stance.AVOID, OnArrival.JOIN)

    def support(self, fleet: OwnFleet, main: OwnFleet) -> FleetOrder:
        """Scouts look out where the main fleet is or is bound for; all others join it and are one with it. Rules: G.MV4, G.WX4."""
        route = self._after(fleet, main)
        if fleet.scout:
            return self.give(fleet, route, Stance.AVOID)
        return self.give(fleet, route, Stance.AVOID, OnArrival.JOIN)

    def _after(self, fleet: OwnFleet, main: OwnFleet) -> tuple[str, ...]:
        """The way to where another fleet is bound for; before an enemy's port it ends at the place next to it."""
        target = self.goal(main)[0]
        if target not in self.view.closed:
            return self.view.way(fleet, target)
        beside = self.view.way(main, target)[-2:-1] or (self.view.geometry.nearest(main.position),)
        return self.view.way(fleet, beside[0])

    def lead(self, fleet: OwnFleet) -> FleetOrder:
        """What the main fleet does, and which of its ships it sends to a yard."""
        target, stance = self.goal(fleet)
        parts = self.hurt(fleet)
        if target in self.view.closed:
            route = self.view.way(fleet, target)
            return self.give(fleet, route, stance, OnArrival.BLOCKADE, parts=parts)
        route = self.view.way(fleet, target)
        if stance is Stance.SEEK and not route:
            beat = self.view.beat(target)
            if beat:
                return self.give(fleet, (beat,), stance, OnArrival.PATROL, parts=parts)
        return self.give(fleet, route, stance, parts=parts)

    def hurt(self, fleet: OwnFleet) -> tuple[Part, ...]:
        """Ships too much hurt to fight go to a yard, or stay in it, while most of the fleet is sound. Rules: G.MV4, G.RP2."""
        ships = self.fighting(fleet)
        least = REFITTED if self.view.in_port(fleet) else CRIPPLED
        hurt = [ship for ship in ships if ship.hull_lost > least]
        port = self.view.yard(fleet)
        if not port or not hurt or 2 * len(hurt) > len(ships):
            return ()
        return (self.part_for(fleet, hurt, port),)

    def part_for(self, fleet: OwnFleet, hurt: list[OwnShip], port: str) -> Part:
        """Hurt ships of a fleet as a detachment that makes for a port. Rule: G.MV4."""
        codes = tuple(sorted(ship.code for ship in hurt))
        if len(codes) == 1:
            return Part(codes, name=hurt[0].name, route=self.view.way(fleet, port))
        name = group_name("Damaged ships", fleet.name, self.names)
        self.names.add(name)
        return Part(codes, name=name, route=self.view.way(fleet, port))

    def goal(self, main: OwnFleet) -> tuple[str, Stance]:
        """Where the main fleet goes, and whether it seeks, waits or avoids. Rule: G.CO1."""
        view = self.view
        own = view.company_value(main, self.fit)
        reports = view.fresh(main)
        if not reports:
            if own < ENOUGH * self._worth_waiting_for(main):
                return view.covering_place(main), Stance.HOLD
            return view.meeting_ground(), Stance.SEEK
        known = view.greatest(reports)
        if view.strength(known, reports) <= own * Fraction(self.told(main).greatest_odds):
            point = view.place_of(known)
            return view.port_near(point) or view.nearest_open(point), Stance.SEEK
        return view.refuge(main) or view.covering_place(main), Stance.AVOID

    def _worth_waiting_for(self, main: OwnFleet) -> Fraction:
        """Value of all that can fight and is great enough to wait for."""
        return sum(
            (f.value for f in self.fit if f is main or not f.scout and f.value >= main.value * SMALL),
            Fraction(0),
        )

    def told(self, fleet: OwnFleet) -> Instructions:
        """The battle instructions that a fleet was given, else those under which it sails. Rule: G.MV5."""
        given = self.instructions.get(fleet.code)
        if given is not None:
            return given
        return replace(fleet.order.instructions, cripples_to="", slowest=Instructions().slowest)

    def _few_are_slowed(self, fleet: OwnFleet) -> bool:
        """Whether a few of a fleet's ships, slow through damage, would have all of them caught. Rule: G.AA6."""
        ships = self.fighting(fleet)
        return 0 < sum(ship.slowed for ship in ships) <= FEW * len(ships)

    def fighting(self, fleet: OwnFleet) -> list[OwnShip]:
        """The ships of a fleet, prizes apart."""
        return [ship for ship in self.known.ships.values() if ship.fleet == fleet.code and not ship.prize]

    def give(
        self,
        fleet: OwnFleet,
        route: tuple[str, ...],
        stance: Stance,
        on_arrival: OnArrival = OnArrival.ANCHOR,
        *,
        target: str = "",
        parts: tuple[Part, ...] = (),
    ) -> FleetOrder:
        """An order under the fleet's own battle instructions; it fills in what they leave open. Groups find their ports by standing orders.

        Rules: G.MV5, G.AA5, G.AA6.
        """
        if on_arrival is OnArrival.BLOCKADE and not route:  # it lies at the port already
            target = fleet.position.at
        told = self.told(fleet)
        told = replace(
            told,
            doctrine=replace(told.doctrine, stance=stance),
            slowest="leave" if self._few_are_slowed(fleet) else told.slowest,
            cripples_to=told.cripples_to or ("" if self.view.known.groups else self.view.yard(fleet)),
        )
        return FleetOrder(
            fleet=fleet.code,
            route=route,
            stance=stance,
            on_arrival=on_arrival,
            instructions=told,
            target=target,
            parts=parts,
        )
