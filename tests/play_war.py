"""One opening played headless to its end: both sides automatic, default switches, battles of the engine. Makes the record of G.AA7.

The war runs through the services, and its turns are then played again from what was stored: so the record has every morning, and the
bench finds out at once when a war cannot be proved. Import this when Django is set up; `tests.study_war` gives every war a database of
its own.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from django.core.management import call_command

from battles.engine.core.dice import FastDice
from battles.engine.core.outcome import Outcome
from battles.models import Battle
from campaign.measures import Fight, FleetThen, Morning, Passage, War
from campaign.models import AdmiralPlan, Campaign, Turn
from campaign.rules.aims.bodies import fighters
from campaign.rules.battle.writeback import bloodless
from campaign.rules.chart import types as t
from campaign.rules.chart.types import FleetOrder
from campaign.rules.contact.staff import told_once
from campaign.rules.orders.orders import order_faults, what_holds
from campaign.rules.state.clock import DAY
from campaign.rules.state.state import FleetState, TurnState
from campaign.rules.state.world import Chart
from campaign.rules.turn import turn as rules
from campaign.selectors.reports.every_event import day_number
from campaign.selectors.reports.reports import all_names
from campaign.selectors.sea.places import place_in_words
from campaign.selectors.turn.facts import objectives_of, pure_theatre
from campaign.selectors.turn.ongoing import call_code
from campaign.selectors.turn.stored import facts_of
from campaign.services.turn.ending import grade_of
from campaign.services.turn.playing import turn_play
from campaign.services.turn.turns import battles_of
from campaign.services.turn.verify import turn_stops


def fought(theatre: str, seed: str, days: int = 0) -> Campaign:
    """A demo campaign played to its end, or so many days and to the end of that turn. Raises CommandError, TurnFailed."""
    call_command("campaign_demo", theatre=theatre, seed=seed, turns=1, quiet=True, stdout=io.StringIO())
    campaign = Campaign.objects.select_related("book", "theatre").latest("pk")
    while not days or campaign.calendar_day < days:
        turn = campaign.turns.filter(phase=Turn.Phase.OPEN).first()
        if turn is None:
            break
        turn_play(turn=turn)
        campaign.refresh_from_db()
    return campaign


def plans_of(campaign: Campaign) -> Iterator[str]:
    """The admirals' plans, turn by turn, as their umpire reads them, with where each fleet is; what has not changed is left out."""
    names, theatre = all_names(campaign), pure_theatre(campaign.theatre)
    places = theatre.places
    plans = AdmiralPlan.objects.filter(turn__campaign=campaign).select_related("turn", "side__navy")
    last: dict[str, str] = {}
    for plan in plans.order_by("turn__number", "side__name"):
        yield f"Turn {plan.turn.number}, {plan.side.name}"
        if plan.turn.snapshot is None:
            continue
        fleets = facts_of(plan.turn, theatre)[0].fleets
        for row in plan.decisions:
            at = place_in_words(theatre, fleets[row["fleet"]].position)
            where = places[row["place"]].name if row["place"] in places else row["place"]
            told = f"{names.get(row['fleet'], row['fleet'])}, {at}: {row['verb']} {where}. {row['why']}"
            if last.get(row["fleet"]) != told:
                yield f"  {told}"
            last[row["fleet"]] = told


def record(campaign: Campaign, seed: str) -> War:
    """What is counted of a war that is over, or as far as it was played. Rule: G.AA7."""
    log = Log()
    for turn in campaign.turns.filter(phase=Turn.Phase.CLOSED).order_by("number"):
        turn.campaign = campaign
        log.turn(turn)
    decisive = {row.id for row in objectives_of(campaign) if row.decisive}
    grade = grade_of(campaign)
    return War(
        theatre=campaign.theatre.code, seed=seed, days=campaign.calendar_day, opening=log.opening,
        mornings=tuple(log.mornings), fights=tuple(log.fights), lines=tuple(log.lines),
        passages=tuple(log.passages), orders=log.orders, refused=log.refused, achieved=log.achieved,
        decisive=not decisive.isdisjoint(log.achieved), lead=grade.lead if grade else 0,
        result=f"{grade.degree.value} {' and '.join(grade.winners)}".strip() if grade else "",
    )  # fmt: skip


class Log:
    """The record of a war in the making: its closed turns are played again, one after another."""

    def __init__(self) -> None:
        self.opening: dict[str, tuple[int, Fraction]] = {}
        self.began: dict[str, str] = {}
        self.brought: dict[str, int] = {}
        self.mornings: list[Morning] = []
        self.fights: list[Fight] = []
        self.lines: list[int] = []
        self.passages: list[Passage] = []
        self.orders = self.refused = 0
        self.achieved: dict[str, int] = {}

    def turn(self, turn: Turn) -> None:
        """Take in a turn. Raises AssertionError when it does not end in the state that was stored."""
        facts, orders = facts_of(turn, pure_theatre(turn.campaign.theatre))
        self.take_orders(turn, facts, orders)
        ready = battles_of(turn.pk).filter(status=Battle.Status.WRITTEN).select_related("roster", "outcome")
        battles = {call_code(battle): battle for battle in ready}
        before = rules.standing(facts)
        chart = Chart(facts, before, FastDice(0))
        if not self.mornings:
            self.open(chart)
        self.morning(chart)
        told = 0
        for state, stop in turn_stops(turn=turn, battles=battles):
            chart = Chart(facts, state, FastDice(0))
            self.take_events(state.events[told:], before, chart)
            told = len(state.events)
            if isinstance(stop, t.Battles):
                for call in stop.calls:
                    outcome = Outcome.from_dict(battles[call.code].outcome.document)
                    codes = frozenset(code for group in call.fleets.values() for code in group)
                    self.fights.append(Fight(call.hour, codes, not bloodless(chart, outcome, state.ships)))
            elif isinstance(stop, t.DayDone):
                self.morning(chart)
            before = state
        assert rules.state_hash(before) == turn.state_hash, f"{turn} cannot be played again"
        for report in turn.reports.exclude(side=None):
            days = [day_number(e[0]) for e in told_once(report.events) if e[1] in ("sighted", "touch_lost")]
            self.lines += [days.count(day) for day in sorted(set(days))]

    def open(self, chart: Chart) -> None:
        """The first morning: which ships sail in which fleet, and what each side has."""
        self.began = {ship.code: ship.fleet for ship in chart.state.ships.values()}
        for code, side in chart.facts.sides.items():
            fleets = [fleet for fleet in chart.fleets() if fleet.side == code]
            worth = sum((value for f in fleets for value in self.ships(chart, f).values()), Fraction(0))
            self.opening[side.name] = (len(fleets), worth)

    def ships(self, chart: Chart, fleet: FleetState) -> dict[str, Fraction]:
        """Whole value of a fleet's own fighting ships, by the fleet of the opening in which they began."""
        found: dict[str, Fraction] = {}
        for ship in fighters(chart, fleet):
            began = self.began.get(ship.code, "")
            value = chart.at_sea.whole_value(chart.facts.ships[ship.code].card)
            found[began] = found.get(began, Fraction(0)) + value
        return found

    def morning(self, chart: Chart) -> None:
        """Where every fleet lies at 06:00."""
        names = {code: side.name for code, side in chart.facts.sides.items()}
        fleets = tuple(
            FleetThen(
                fleet.code,
                names[fleet.side],
                chart.point(fleet.position),
                self.ships(chart, fleet),
                bool(fleet.group),
            )  # fmt: skip
            for fleet in chart.fleets()
        )
        brought = {names[side]: count for side, count in self.brought.items()}
        self.mornings.append(Morning(chart.hour // DAY, fleets, brought))

    def take_orders(self, turn: Turn, facts: t.TurnFacts, orders: Mapping[str, t.FleetOrder]) -> None:
        """Orders of the automatic admirals in a turn, and those of which nothing holds. Rule: G.AA6."""
        given = set(turn.orders.filter(source="admiral").values_list("fleet__code", flat=True))
        for code in sorted(given & orders.keys()):
            self.orders += 1
            last = FleetOrder(code, stance=orders[code].stance)
            if order_faults(facts, orders[code]):
                holds, _ = what_holds(facts, last, orders[code])
                self.refused += holds == last

    def take_events(self, events: Iterable[t.ChartEvent], before: TurnState, chart: Chart) -> None:
        """What came by the calendar, objectives achieved, prizes sent in from where their fleet lay at the last stop."""
        for event in events:
            data = event.data
            if event.kind in ("reinforced", "convoy_gathers", "army_ready") and data.get("fleet"):
                self.brought[data["side"]] = self.brought.get(data["side"], 0) + 1
            elif event.kind == "objective_achieved":
                self.achieved.setdefault(data["objective"], event.hour // DAY)
            elif event.kind == "sent_in":
                parent = before.fleets.get(data["parent"])
                ships = [chart.state.ships[code] for code in data["ships"]]
                # cripples that were taken on their way are the enemy's prizes now
                if parent is not None and all(ship.prize and ship.side == parent.side for ship in ships):
                    closed, here = chart.closed[parent.side], chart.geometry.nearest(parent.position)
                    ports = data["place"], chart.nearest_own_port(parent.position, parent.side)
                    self.passages.append(
                        Passage(*(chart.geometry.distance(here, port, closed) for port in ports))
                    )
