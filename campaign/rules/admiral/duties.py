"""The automatic admiral's orders for the objectives of the war: how far each fleet commits itself, and why. Rules: G.AA1-G.AA6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from battles.engine.core.scenario import Stance
from battles.engine.core.telling import the_fleet
from campaign.rules.admiral.decision import Decision, cruises, goes_in
from campaign.rules.admiral.expectation import Expectation
from campaign.rules.admiral.gathering import meeting_place
from campaign.rules.admiral.irregular import errand
from campaign.rules.admiral.judgement import FRESH_HOURS, point_of
from campaign.rules.admiral.orders import CRIPPLED, REFITTED, Plan
from campaign.rules.admiral.sharing import AGAINST_DECISIVE, AGAINST_NEAR, Share, reserve, serves, shared_out
from campaign.rules.admiral.tasks import Task, Tasks, Verb, worth
from campaign.rules.chart.objectives import AimKind
from campaign.rules.chart.points import miles_between
from campaign.rules.chart.types import FleetOrder, Instructions, OnArrival, Part, PlaceKind
from campaign.rules.state.clock import DAY
from campaign.rules.turn.knowledge import Knowledge, OwnFleet, OwnShip

# Odds, enemy to own, at which each kind of task is accepted. Rule: G.AA4.
ODDS = {
    Verb.SEEK: Fraction(1), Verb.HOLD: Fraction(1), Verb.LAND: Fraction(1), Verb.RAID: Fraction(1),
}  # fmt: skip
OTHERWISE = Fraction(2, 3)
OWN_FIGURES = frozenset({"1", "0.67", "1.5", "2.5"})
# Known odds from which he changes what the opening said of a battle. Rule: G.AA6.
HOPELESS, BREAK_OFF = 2, 20
# So long a fleet in port waits for a first report before it sails for what its side wants.
LOOKING_OUT = 7 * DAY
# What a fleet that puts to sea for an objective of its side's own may have been told to do.
PUTS_TO_SEA = frozenset({Verb.GO, Verb.HOLD, Verb.RAID, Verb.LAND, "join"})
UNDER_ORDERS = "It is still carrying out the orders of the opening."
# A fleet so near a beach covers it.
COVER_HOURS = 12
# Fleets do not sail farther than this to join another unless it needs them.
JOINING = 240_000
# An enemy seen so near a port lies off it.
OFF_PORT = 24_000
# A contact seen so lately, and so near, is followed from where it was seen.
TRAIL_HOURS = 72
TRAIL_MILES = 60_000


class Duties(Plan):
    """One side's plan for a turn, by what the war is about.

    gates: where fleets wait for contacts already, by number. last: what its fleets were to do in the turn before.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        instructions: Mapping[str, Instructions],
        free: list[OwnFleet],
        bound: Mapping[str, FleetOrder],
        gates: Mapping[int, str],
        last: Sequence[Decision],
    ) -> None:
        self.cruises = cruises(knowledge, free, last)
        super().__init__(knowledge, instructions, free)
        self.expect = Expectation(self.view)
        self.tasks = Tasks(self.expect)
        self.bound = bound
        stands = {code: self._stands(code) for code in bound}
        odds = {
            fleet.code: Fraction(told.greatest_odds)
            for fleet in self.fit
            if self._bold(fleet.code, told := self.told(fleet))
        }
        self.stations = {row.fleet: row.station for row in last if row.station}
        self.shares = shared_out(self.tasks, self.fit, stands, gates, odds, self._on_its_way(last))
        self.reserve = reserve(self.tasks, self.fit, stands) - self.shares.keys()
        self.meetings: dict[Task, str] = {}
        self.decisions: dict[str, Decision] = {}

    def _on_its_way(self, last: Sequence[Decision]) -> dict[str, str]:
        """The objective of the side's own for which each fleet put to sea, by fleet. Rule: G.AA2."""
        fleets = self.known.fleets
        return {
            row.fleet: row.aim
            for row in last
            if row.verb in PUTS_TO_SEA
            and row.fleet in fleets
            and (fleets[row.fleet].position.to or fleets[row.fleet].position.at not in self.known.own_ports)
        }

    def _stands(self, code: str) -> bool:
        """Whether a fleet is still carrying out an order of the opening: on its way, on its beat or its blockade."""
        fleet = self.known.fleets.get(code)
        order = self.bound[code]
        staying = order.on_arrival in (OnArrival.PATROL, OnArrival.BLOCKADE)
        able = fleet is not None and (fleet.merchants or not self.refits(fleet))
        return able and (bool(order.route) or staying)

    def order_of(self, fleet: OwnFleet) -> FleetOrder:
        """A fleet's orders, with the reason written down."""
        if fleet.bound_for:
            return self._told(fleet, self.trade(fleet), "trade", "It carries its cargo to its port.")
        if self._carries(fleet):
            return self._carry(fleet)
        earlier = self.bound.get(fleet.code)
        if fleet.merchants and earlier is not None and self._stands(fleet.code):
            return self._told(fleet, earlier, "under orders", UNDER_ORDERS)
        lays = OnArrival.MINE in fleet.craft and not self.refits_craft(fleet)
        if lays and (order := self._errand(fleet)) is not None:
            return order
        if self.main is None or self.refits(fleet) or fleet.merchants:
            why = goes_in(self.known, fleet, self.cruises[fleet.code]) or "It is too badly damaged to fight."
            why = "Its ships are merchantmen." if fleet.merchants else why
            return self._told(fleet, self.home(fleet), "refit", why)
        if fleet.rejoins in self.known.fleets:
            parent = self.known.fleets[fleet.rejoins]
            why = f"It rejoins {the_fleet(parent.name)}."
            return self._joins(fleet, self.rejoin(fleet, parent), "rejoin", why)
        share = self.shares.get(fleet.code)
        if share is None and earlier is not None and self._stands(fleet.code):
            return self._told(fleet, earlier, "under orders", UNDER_ORDERS)
        if share is not None and (keep := self._kept(fleet, share.task)):
            why = f"{self._reason(share)} This matters more: {keep}"
            return self._told(fleet, self.in_being(fleet), "in being", why, share)
        if share is not None:
            if place := self._meeting_place(share):
                return self._gather(fleet, share, place)
            if share.lead != fleet.code and self._follows(fleet, share):
                lead = self.known.fleets[share.lead]
                why = f"It joins {the_fleet(lead.name)}, which is too weak alone. {self._reason(share)}"
                return self._joins(fleet, self._join(fleet, share), "join", why, share)
            return self._commit(fleet, share)
        if fleet.code in self.escorts:
            charge = self.known.fleets[self.escorts[fleet.code]]
            order = self.give(fleet, (), Stance.HOLD, OnArrival.ESCORT, target=charge.code)
            return self._told(fleet, order, "escort", f"It sees {the_fleet(charge.name)} home.")
        return self._spare(fleet)

    def refits(self, fleet: OwnFleet) -> bool:
        """Whether a fleet goes in whole: ships with half its value must, or are still in the yard, or its cruise is over. Rule: G.AA5."""
        ships = self.fighting(fleet)
        if not fleet.value or not ships or goes_in(self.known, fleet, self.cruises[fleet.code]):
            return True
        least = REFITTED if self.view.in_port(fleet) else CRIPPLED
        hurt = sum((ship.value for ship in ships if ship.hull_lost > least), Fraction(0))
        return 2 * hurt >= sum((ship.value for ship in ships), Fraction(0))

    def hurt(self, fleet: OwnFleet) -> tuple[Part, ...]:
        """Ships too much hurt to fight go each to the yard that has it repaired first, those for one port together.

        None puts to sea past an enemy who is too strong. Rule: G.AA5.
        """
        least = REFITTED if self.view.in_port(fleet) else CRIPPLED
        by_yard: dict[str, list[OwnShip]] = {}
        for ship in self.fighting(fleet):
            if ship.hull_lost > least and ship.yard:
                by_yard.setdefault(ship.yard, []).append(ship)
        if self._shut_in(fleet):
            by_yard = {port: ships for port, ships in by_yard.items() if port == fleet.position.at}
        return tuple(self.part_for(fleet, by_yard[port], port) for port in sorted(by_yard))

    def home(self, fleet: OwnFleet) -> FleetOrder:
        """To the yard where most of its hurt ships are repaired first; without any, as by the first part.

        It stays where it is while an enemy who is too strong lies off its port. Rule: G.AA5.
        """
        if self._shut_in(fleet):
            return self.give(fleet, (), Stance.AVOID)
        ports: dict[str, Fraction] = {}
        for ship in self.fighting(fleet):
            if ship.yard:
                ports[ship.yard] = ports.get(ship.yard, Fraction(0)) + ship.value
        if not ports:
            return super().home(fleet)
        port = max(sorted(ports), key=lambda code: ports[code])
        return self.give(fleet, self.view.way(fleet, port), Stance.AVOID)

    def _shut_in(self, fleet: OwnFleet) -> bool:
        """Whether a fleet lies in a port, and off it an enemy worth more than it has been seen in the last two days. Rule: G.AA5."""
        return self._off_port(fleet) > fleet.value

    def _off_port(self, fleet: OwnFleet) -> Fraction:
        """Value of the enemy seen in the last two days off the port where a fleet lies; 0 for one at sea."""
        if fleet.position.to or self.known.theatre.places[fleet.position.at].kind is not PlaceKind.PORT:
            return Fraction(0)
        port = self.view.geometry.places[fleet.position.at]
        off_it = [
            circle.value
            for circle in self.expect.circles
            if circle.age <= FRESH_HOURS and miles_between(port, circle.centre) <= OFF_PORT
        ]
        return sum(off_it, Fraction(0))

    def _joins(
        self, fleet: OwnFleet, order: FleetOrder, verb: str, why: str, share: Share | None = None
    ) -> FleetOrder:
        """An order to join another fleet; it stays in port while the enemy off it is stronger than all friends there. Rule: G.AA5."""
        here = point_of(fleet)
        friends = [f.value for f in self.free if miles_between(here, point_of(f)) <= OFF_PORT]
        if order.route and self._off_port(fleet) > sum(friends, Fraction(0)):
            why = f"{why} But the enemy off its port is stronger."
            return self._told(fleet, self.in_being(fleet), "in being", why, share)
        return self._told(fleet, order, verb, why, share)

    # --- tasks ---------------------------------------------------------------------------------------------

    def _commit(self, fleet: OwnFleet, share: Share) -> FleetOrder:
        """Go for the task if the odds are good enough, else keep away. Rule: G.AA4."""
        task = share.task
        own = self._together(fleet, share)
        odds = task.expected / own if own else Fraction(1_000_000)
        accepted = self._accepted(fleet, task)
        if task.own_way and self._blind(fleet):
            why = f"{self._reason(share)} It waits for news of the enemy before it puts to sea."
            return self._told(fleet, self.in_being(fleet), "in being", why, share)
        if odds > accepted:
            why = f"{self._reason(share)} The odds are {_in_words(odds)} to 1, more than the {_in_words(accepted)} it accepts."
            return self._told(fleet, self.shun(fleet), "avoid", why, share)
        barred = self._barred(fleet, share)
        if barred > accepted:
            why = f"{self._reason(share)} But the enemy bars the way at {_in_words(barred)} to 1."
            return self._told(fleet, self.in_being(fleet), "in being", why, share)
        order = self._go(fleet, share, odds, accepted)
        verb = Verb.WAIT if task.contact and share.place != task.place else task.verb
        return self._told(fleet, order, verb.value, self._reason(share), share)

    def _meeting_place(self, share: Share) -> str:
        """Where those that have one task meet before they go together, "" when they need not: their leader and those in company with it
        are strong enough, or all of them together are not, or there is no time to lose. Rule: G.AA4.
        """
        task, lead = share.task, self.known.fleets[share.lead]
        if task not in self.meetings:
            accepted, together = self._accepted(lead, task), self._together(lead, share)
            alone = self.view.company_value(lead, self.fit)
            meet = not task.near and alone * accepted < task.expected <= together * accepted
            sharers = [self.known.fleets[code] for code, other in self.shares.items() if other.task == task]
            goal, least = self.shares[share.lead].place, task.expected / accepted
            self.meetings[task] = meeting_place(self.expect, lead, sharers, goal, least) if meet else ""
        return self.meetings[task]

    def _gather(self, fleet: OwnFleet, share: Share, place: str) -> FleetOrder:
        """To where those meet that go together; the others join their leader there. Rule: G.AA4."""
        route = self.expect.quiet_way(fleet, place)
        arrival = OnArrival.ANCHOR if share.lead == fleet.code else OnArrival.JOIN
        order = self.give(fleet, route, Stance.AVOID, arrival, parts=self.hurt(fleet))
        why = f"{self._reason(share)} None of its fleets is strong enough alone: they meet at {self.name(place)}."
        return self._told(fleet, order, "gather", why, replace(share, place=place))

    def _barred(self, fleet: OwnFleet, share: Share) -> Fraction:
        """Odds, enemy to own, off the port and on the first day of the way out of it. Rule: G.AA4."""
        if fleet.position.to or fleet.position.at not in self.known.own_ports or not share.task.own_way:
            return Fraction(0)
        own = self.view.company_value(fleet, self.fit)
        way = [place for place in self.view.way(fleet, share.place) if self.expect.hours(fleet, place) <= 24]
        worst = max(self.expect.at(place) for place in (fleet.position.at, *way))
        return worst / own if own else Fraction(0)

    def _blind(self, fleet: OwnFleet) -> bool:
        """Whether a fleet lies in an own port and its side has heard nothing of the enemy yet. Rule: G.AA4."""
        known = self.known
        return (
            self.view.in_port(fleet)
            and not known.war.met
            and not self.expect.circles
            and known.hour < LOOKING_OUT
        )

    def _kept(self, fleet: OwnFleet, task: Task) -> str:
        """The objective for which a fleet stays in its port, in words: one that names it as to be kept, and pays more than the task does.

        "" when it may sail. A decisive objective of its own always calls it out. Rules: G.AA1, G.OB1.
        """
        if fleet.position.to or fleet.position.at not in self.known.own_ports or task.near:
            return ""
        aims = self.known.war.aims
        paid = max((worth(aim.row) for aim in aims if aim.row.id == task.aim), default=0)
        if task.decisive and self.tasks.is_own(task):
            return ""
        for aim in aims:
            keeps = aim.own and not aim.achieved and aim.row.kind is AimKind.KEEP
            if keeps and fleet.code in aim.row.group and worth(aim.row) > paid:
                return aim.row.words
        return ""

    def _together(self, fleet: OwnFleet, share: Share) -> Fraction:
        """Value of those that have the same task, and of fleets in company."""
        codes = {code for code, other in self.shares.items() if other.task == share.task}
        codes |= {other.code for other in self.fit if self.view.together(fleet, other)}
        return sum((self.known.fleets[code].value for code in codes), Fraction(0))

    def _accepted(self, fleet: OwnFleet, task: Task) -> Fraction:
        """Odds that a fleet accepts for a task; those that were given to it take the place of the admiral's own. Rule: G.AA4."""
        told = self.told(fleet)
        if self._bold(fleet.code, told):
            return Fraction(told.greatest_odds)
        own = ODDS.get(task.verb, OTHERWISE)
        if task.near:
            own = AGAINST_NEAR
        elif self.tasks.against_decisive(task):
            own = AGAINST_DECISIVE
        return own

    def _go(self, fleet: OwnFleet, share: Share, odds: Fraction, accepted: Fraction) -> FleetOrder:
        """The order that carries a task out. Rules: G.AA1, G.AA4, G.MV2."""
        task, place = share.task, share.place
        parts = self.hurt(fleet)
        route = self.quiet_way(fleet, place, task)
        if place in self.view.closed and task.verb in (Verb.BLOCKADE, Verb.SEEK, Verb.COVER):
            order = self.give(fleet, route, Stance.SEEK, OnArrival.BLOCKADE, parts=parts)
        elif task.verb is Verb.RAID:
            order = self.give(fleet, route, Stance.SEEK, OnArrival("raid"), target=place, parts=parts)
        elif task.verb is Verb.COVER or task.verb is Verb.GO:
            order = self.give(fleet, route, Stance.HOLD, parts=parts)
        elif task.verb is Verb.SEEK and not route and place == task.place and (beat := self.view.beat(place)):
            order = self.give(fleet, (beat,), Stance.SEEK, OnArrival.PATROL, parts=parts)
        else:
            order = self.give(fleet, route, Stance.SEEK, parts=parts)
        return replace(order, instructions=self._instructions(order.instructions, fleet, odds, accepted))

    def _instructions(
        self, told: Instructions, fleet: OwnFleet, odds: Fraction, accepted: Fraction
    ) -> Instructions:
        """What was given stands; the greatest odds are those of the task, and against double strength he breaks off early. Rule: G.AA6."""
        if not self._bold(fleet.code, told):
            told = replace(told, greatest_odds=_decimal(accepted))
        if odds >= HOPELESS and self.known.war.met:
            least = min(told.doctrine.break_off, BREAK_OFF)
            told = replace(told, doctrine=replace(told.doctrine, break_off=least), after_battle="auto")
        return told

    def _bold(self, fleet: str, told: Instructions) -> bool:
        """Whether somebody else has set how great odds a fleet accepts. Figures of his own are those of an earlier turn."""
        if fleet in self.instructions:
            return told.greatest_odds != Instructions().greatest_odds
        return told.greatest_odds not in OWN_FIGURES

    def quiet_way(self, fleet: OwnFleet, place: str, task: Task) -> tuple[str, ...]:
        """The way that crosses least of what is expected, of those a quarter longer than the shortest at most. Rule: G.AA4."""
        if task.verb in (Verb.SEEK, Verb.WAIT):
            return self._trail(fleet, place, task)
        return self.expect.quiet_way(fleet, place)

    def _trail(self, fleet: OwnFleet, place: str, task: Task) -> tuple[str, ...]:
        """The way to a place; after a contact that was seen close by not long ago, by the spot where it was seen."""
        circle = self.expect.of(task.contact) if task.contact else None
        direct = self.view.way(fleet, place)
        if circle is None or place == task.place or circle.age > TRAIL_HOURS or task.place in direct:
            return direct
        if self.view.miles(fleet, task.place) > TRAIL_MILES:
            return direct
        onward = self.view.geometry.route(task.place, place, self.view.closed)
        return (*self.view.way(fleet, task.place), *onward)

    def _carries(self, fleet: OwnFleet) -> bool:
        """Whether a fleet carries soldiers for a landing: boats and transports with an army to fetch, and whoever has men aboard."""
        if self._carry_task() is None:
            return False
        return fleet.troops > 0 or (fleet.merchants and fleet.room > 0 and bool(self._army(fleet)))

    def _carry_task(self) -> Task | None:
        return next((task for task in self.tasks.all() if task.verb is Verb.CARRY), None)

    def _army(self, fleet: OwnFleet) -> str:
        """The nearest place with men who wait to be carried, "" when there are none."""
        places = [army.place for army in self.known.war.armies if army.men]
        return min(places, key=lambda code: (self.view.miles(fleet, code), code), default="")

    def _carry(self, fleet: OwnFleet) -> FleetOrder:
        """Embark where the army is; cross when all are aboard and the way is covered; land. Rules: G.AA1, G.LD1, G.LD2."""
        task, army = self._carry_task(), self._army(fleet)
        full = fleet.troops >= fleet.room
        at_army = not fleet.position.to and fleet.position.at == army
        if army and not full and (task is None or fleet.troops == 0 or at_army):
            order = self.give(fleet, self.view.way(fleet, army), Stance.AVOID, OnArrival("embark"))
            return self._told(fleet, order, "embark", f"It takes men aboard at {self.name(army)}.")
        if task is None:
            return self._told(fleet, self.home(fleet), "refit", "There is no landing for its men.")
        why = self._not_yet(fleet, task)
        if why:
            port = army or self.view.refuge(fleet)
            order = self.give(fleet, self.view.way(fleet, port) if port else (), Stance.AVOID)
            return self._told(fleet, order, "ready", why)
        order = self.give(
            fleet,
            self.expect.quiet_way(fleet, task.place),
            Stance.AVOID,
            OnArrival("land"),
            target=task.place,
        )
        return self._told(fleet, order, "carry", f"It lands its men at {self.name(task.place)}.")

    def _not_yet(self, fleet: OwnFleet, task: Task) -> str:
        """Why a fleet does not cross with its men yet, "" when it does: too few are aboard, or nothing keeps the enemy from the beach, or
        from the port that it has to leave. Rules: G.AA1, G.LD2.
        """
        war = self.known.war
        aim = next(aim for aim in war.aims if aim.row.id == task.aim)
        ready = sum(f.troops for f in self.known.fleets.values()) + sum(war.ashore.values())
        if ready < aim.row.men and any(army.men for army in war.armies):
            return f"It waits until {aim.row.men:,} men are aboard."
        leaves = [fleet.position.at] if self.view.in_port(fleet) else []
        for place, least in (*((port, Fraction(0)) for port in leaves), (task.place, task.need)):
            near = [f for f in self.fit if self.expect.hours(f, place) <= COVER_HOURS]
            if sum((f.value for f in near), Fraction(0)) < max(2 * self.expect.at(place), least):
                return f"It waits until {self.name(place)} is covered."
        return ""

    # --- what is left ------------------------------------------------------------------------------------

    def _follows(self, fleet: OwnFleet, share: Share) -> bool:
        """Whether a fleet joins the leader first: it is much the smaller, or alone too weak for the task."""
        lead = self.known.fleets[share.lead]
        return not fleet.scout and (fleet.value < share.task.need or 2 * fleet.value < lead.value)

    def _join(self, fleet: OwnFleet, share: Share) -> FleetOrder:
        lead = self.shares[share.lead]
        target = lead.place
        if target in self.view.closed:
            target = self._beside(self.known.fleets[share.lead], target)
        return self.give(fleet, self.view.way(fleet, target), Stance.AVOID, OnArrival.JOIN)

    def _spare(self, fleet: OwnFleet) -> FleetOrder:
        """A fleet without a task: scouts look out, small ones join the nearest leader, others lie in port ready. Rules: G.AA1, G.AA2."""
        if fleet.code in self.reserve:
            return self._told(fleet, self.in_being(fleet), "reserve", "It is kept back in case it is needed.")
        if (order := self._errand(fleet)) is not None:
            return order
        if (order := self._back_on_station(fleet)) is not None:
            return order
        leads = [self.known.fleets[share.lead] for share in self.shares.values()]
        near = [lead for lead in leads if lead.code != fleet.code and self._one_war(fleet, lead)]
        if near:
            lead = min(near, key=lambda one: (self.view.miles(fleet, one.position.at), one.code))
            share = self.shares[lead.code]
            if self._kept(lead, share.task):
                return self._told(
                    fleet, self.in_being(fleet), "in being", f"It stays in port with {the_fleet(lead.name)}."
                )
            place = share.place if share.place not in self.view.closed else self._beside(lead, share.place)
            if fleet.scout:
                order = self.give(fleet, self.view.way(fleet, place), Stance.AVOID)
                return self._told(fleet, order, "scout", f"It scouts for {the_fleet(lead.name)}.")
            helps = 2 * fleet.value <= lead.value or lead.value < share.task.need
            if helps and not self.bound.get(fleet.code):
                order = self.give(fleet, self.view.way(fleet, place), Stance.AVOID, OnArrival.JOIN)
                return self._joins(fleet, order, "join", f"It joins {the_fleet(lead.name)}.")
        return self._told(fleet, self.in_being(fleet), "in being", "Nothing else is within its strength.")

    def _back_on_station(self, fleet: OwnFleet) -> FleetOrder | None:
        """A blockader that was called away goes back to its port when nothing else wants it, unless a stronger enemy lies there.

        Rule: G.AA2.
        """
        port = self.stations.get(fleet.code, "")
        if port not in self.view.closed or self.expect.at(port) > fleet.value:
            return None
        order = self.give(
            fleet, self.view.way(fleet, port), Stance.HOLD, OnArrival.BLOCKADE, parts=self.hurt(fleet)
        )
        return self._told(fleet, order, "station", f"It returns to its station off {self.name(port)}.")

    def refits_craft(self, fleet: OwnFleet) -> bool:
        """Whether a fleet without fighting ships is too badly hurt to go on an errand. Rule: G.AA8."""
        return fleet.hull_lost > REFITTED

    def _errand(self, fleet: OwnFleet) -> FleetOrder | None:
        """What minelayers, flotillas and raiders do on their own; None for all others. Rule: G.AA8."""
        found = errand(self.view, self.expect, fleet)
        leads = self.main is not None and fleet.code == self.main.code
        if found is None or (leads and found.deed is OnArrival.TRADE):
            return None
        route = self.expect.quiet_way(fleet, found.place)
        order = self.give(fleet, route, found.stance, found.deed)
        return self._told(fleet, order, found.verb, found.why)

    def _one_war(self, a: OwnFleet, b: OwnFleet) -> bool:
        return self.view.miles(a, self.view.geometry.nearest(b.position)) <= JOINING

    def in_being(self, fleet: OwnFleet) -> FleetOrder:
        """Lie in a port of one's own, where no one comes. Rule: G.AA1."""
        port = self.view.yard(fleet) or self.view.refuge(fleet)
        here = fleet.position.at if not fleet.position.to else ""
        if here and (here in self.known.own_ports or self._haven(here)):
            return self.give(fleet, (), Stance.HOLD)
        route = self.expect.quiet_way(fleet, port) if port else ()
        return self.give(fleet, route, Stance.AVOID, parts=self.hurt(fleet))

    def _haven(self, place: str) -> bool:
        """Whether a place is an anchorage of one's own country."""
        here = self.known.theatre.places[place]
        return here.kind is PlaceKind.ANCHORAGE and not self.expect.at(place)

    def shun(self, fleet: OwnFleet) -> FleetOrder:
        """Out of the way of a stronger enemy: to the nearest own port with a yard, or to the fleet that tips the odds. Rule: G.AA4."""
        friends = [
            other
            for other in self.fit
            if other.code != fleet.code and 2 * other.value >= fleet.value and self._one_war(fleet, other)
        ]
        port = self.view.yard(fleet) or self.view.refuge(fleet)
        if friends:
            friend = min(friends, key=lambda one: (self.view.miles(fleet, one.position.at), one.code))
            if not port or self.view.miles(fleet, friend.position.at) < self.view.miles(fleet, port):
                route = self.expect.quiet_way(fleet, self.view.geometry.nearest(friend.position))
                return self.give(fleet, route, Stance.AVOID)
        route = self.expect.quiet_way(fleet, port) if port else ()
        return self.give(fleet, route, Stance.AVOID, parts=self.hurt(fleet))

    def _beside(self, lead: OwnFleet, place: str) -> str:
        """The place before an enemy's port on a leader's way to it."""
        before = self.view.way(lead, place)[-2:-1]
        return before[0] if before else self.view.geometry.nearest(lead.position)

    # --- words -------------------------------------------------------------------------------------------

    def name(self, place: str) -> str:
        """A place's name for a sentence."""
        return self.known.theatre.places[place].name.split(" (")[0]

    def _reason(self, share: Share) -> str:
        task = share.task
        words = serves(self.tasks, share).rstrip(".")
        against = "" if self.tasks.is_own(task) else "Against the enemy's objective: "
        expected = (
            f" Enemy ships worth {_points(task.expected)} points are expected there." if task.expected else ""
        )
        return f"{against}{words or 'An enemy is ashore'}.{expected}"

    def _told(
        self, fleet: OwnFleet, order: FleetOrder, verb: str, why: str, share: Share | None = None
    ) -> FleetOrder:
        """Write down why. Rule: G.AA6."""
        place = share.place if share is not None else (order.route[-1] if order.route else "")
        task = share.task if share is not None else None
        station = self.stations.get(fleet.code, "")
        if verb == "under orders" and order.on_arrival is OnArrival.BLOCKADE:
            station = order.target
        cruise = self.cruises[fleet.code]
        self.decisions[fleet.code] = Decision(
            fleet.code, verb, place, task.aim if task else "", task.contact if task else 0, why, station,
            cruise.fought, cruise.back, cruise.worth,
        )  # fmt: skip
        return order


def _in_words(odds: Fraction) -> str:
    return f"{float(odds):.1f}"


def _points(value: Fraction) -> str:
    return f"{round(value):,}"


def _decimal(odds: Fraction) -> str:
    return f"{float(odds):.2f}".rstrip("0").rstrip(".")
