"""The chart while an hour is played: facts, state, dice and what is reckoned once from them. Rules: G.CL2, G.MV4, G.CO7."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, cast

from battles.engine import registry
from battles.engine.core.at_sea import AtSea
from battles.engine.core.dice import Dice
from battles.engine.core.fates import Fate
from campaign.rules.chart.points import Point
from campaign.rules.chart.speeds import full_knots, sailing_knots, steaming_knots
from campaign.rules.chart.theatre import Geometry, geometry
from campaign.rules.chart.types import (
    MILLI,
    ChartEvent,
    PlaceKind,
    Position,
    ShipKind,
    ShipSheet,
    SightingReport,
    TurnFacts,
)
from campaign.rules.state.calendar import facts_now
from campaign.rules.state.clock import moment
from campaign.rules.state.documents import report_from
from campaign.rules.state.economy import Stage
from campaign.rules.state.events import NEAR, check
from campaign.rules.state.holdings import theatre_now
from campaign.rules.state.remembered import Remembered, once
from campaign.rules.state.state import AGROUND, FleetState, ShipState, TurnState, ZoneWeather

# Ships that scout for others when they sail by themselves. Rule: G.WX4.
SCOUTS = frozenset({ShipKind.FRIGATE, ShipKind.SMALL})


_ANY_SIZE = Fraction(0)


class Hull(NamedTuple):
    """What a ship brings to her fleet's speed.

    knots: cruising, sound, in thousandths; factor: for damage; no_go: degrees; full: of a steamer in a chase, sound, in thousandths,
    0 for a ship that sails. Rules: G.MV1, G.ST1, G.ST2.
    """

    knots: int
    factor: Fraction
    no_go: int
    size: Fraction
    full: int = 0


class Chart:
    """One turn's chart in play. Everything is walked in the order of codes, so that rows may come in any order. Rule: G.CL2."""

    def __init__(self, facts: TurnFacts, state: TurnState, dice: Dice) -> None:
        self.facts = _as_held(facts_now(facts, state.calendar), state)
        self.state = state
        self.dice = dice
        self.rules = registry.rule_set(facts.rule_set)
        self.at_sea = cast(AtSea, Remembered(self.rules.at_sea))
        self.battle_options: dict[str, Any] = dict(facts.options.get("battle", {}))
        self.geometry: Geometry = geometry(facts.theatre)
        self.tracks: dict[str, list[tuple[int, Point]]] = {}
        self.entered: list[tuple[str, str]] = []
        self.departed: list[tuple[str, str]] = []
        self.inside: dict[str, dict[str, str]] = {}
        self._company: dict[str, tuple[ShipState, ...]] | None = None
        self._hulls: dict[str, tuple[Hull, ...]] = {}
        self._alike: dict[str, frozenset[Hull]] = {}
        self.speeds: dict[tuple[str, int, str, bool], int] = {}
        self._points: dict[Position, Point] = {}
        self._earlier: tuple[SightingReport, ...] | None = None
        self.closed = {side: enemy_ports(self.facts, side) for side in sorted(facts.sides)}

    @property
    def minutes_a_turn(self) -> int:
        """Minutes that a turn of the campaign's battles stands for. Rule: G.CO6."""
        return self.rules.minutes_a_turn(self.battle_options)

    def meets_at(self, fleet: FleetState) -> int:
        """The range at which a contact with a fleet becomes a battle by day, thousandths of a mile. Rule: G.CO2."""
        return self.rules.meets_at(self.weather(fleet).visibility.value)

    @property
    def guns_reach(self) -> int:
        """How far guns reach in a chase at long shot, thousandths of a mile. Rule: G.KT5."""
        return self.rules.guns_reach(moment(self.facts.start_date, self.hour).year)

    def owner_of(self, place: str) -> str:
        """The nation that holds a place now, "" for none. The theatre of `facts` is kept as it is held. Rule: G.LD4."""
        return self.facts.theatre.places[place].owner

    def ports_changed(self) -> None:
        """Read anew who holds what, and who may enter it, after a port has changed hands or is itself again. Rules: G.CH3, G.LD4."""
        self.facts = _as_held(self.facts, self.state)
        self.closed = {side: enemy_ports(self.facts, side) for side in sorted(self.facts.sides)}

    def earlier_reports(self) -> tuple[SightingReport, ...]:
        """The last reports of the contacts that the turns before this one left, in the order of their hours. Rule: G.SI3."""
        if self._earlier is None:
            rows = map(report_from, self.facts.carried.get("reports", ()))
            self._earlier = tuple(sorted(rows, key=lambda row: row.hour))
        return self._earlier

    @property
    def hour(self) -> int:
        """The hour that is being played."""
        return self.state.hour

    def tell(self, kind: str, clause: str, *knows: str, hour: int | None = None, **data: Any) -> None:
        """Write down an event. knows: the sides that know it at once. An event of one side notes the place it is near (G.IN2).

        Raises KeyError for a kind that EVENT_KINDS does not name, and for data that the kind does not carry.
        """
        check(kind, data)
        when = self.hour if hour is None else hour
        fleet = self.state.fleets.get(data.get("fleet", ""))
        if fleet is not None and "place" not in data and set(knows) == {fleet.side}:
            data[NEAR] = self.geometry.nearest(fleet.position)
        self.state.events.append(ChartEvent(when, kind, clause, tuple(sorted(set(knows))), data))

    def alter(self, fleet: FleetState, **changes: Any) -> FleetState:
        """Put a changed fleet in the place of the old one and return it."""
        changed = replace(fleet, **changes)
        self.state.fleets[fleet.code] = changed
        return changed

    def fleets(self) -> list[FleetState]:
        """Fleets that are not ended, in the order of codes."""
        fleets = self.state.fleets
        return [fleets[code] for code in sorted(fleets) if not fleets[code].ended]

    def on_chart(self, fleet: FleetState) -> bool:
        """Whether a fleet sails, sights and fights in this hour. Rules: G.CL2, G.BT4."""
        return not fleet.ended and not fleet.held_by and fleet.off_until <= self.hour

    def scouts(self, fleet: FleetState) -> bool:
        """Whether a fleet is a detached scout: of a fleet made in this turn every ship has to be one. Rule: G.WX4."""
        facts = self.facts.fleets.get(fleet.code)
        if facts is not None:
            return facts.scout
        return all(self.facts.ships[ship.code].kind in SCOUTS for ship in self.ships_of(fleet.code))

    def name_of(self, fleet: FleetState) -> str:
        """What a fleet is called."""
        facts = self.facts.fleets.get(fleet.code)
        return facts.name if facts is not None else fleet.name

    def moored(self, ship: ShipState) -> bool:
        """Whether a ship is in the books of a yard, or a prize before the court: she is not under way. Rules: G.RP2, G.PR4."""
        economy = self.state.economy
        if not economy.jobs and not economy.prizes:
            return False
        fleet, job, case = (
            self.state.fleets[ship.fleet],
            economy.jobs.get(ship.code),
            economy.prizes.get(ship.code),
        )
        at = "" if fleet.position.to else fleet.position.at
        if job is not None and (job.port, job.side) == (at, ship.side):
            return True
        judged = case is not None and case.stage in (Stage.COURT, Stage.CONDEMNED)
        return judged and case is not None and (case.port, case.captor) == (at, ship.side)

    def aground(self, fleet: FleetState) -> bool:
        """Whether a ship of a fleet is aground. Rule: G.CH4."""
        return bool(self.state.marks) and any(
            self.state.marked(ship.code, AGROUND) for ship in self.ships_of(fleet.code)
        )

    def at_sea_now(self, fleet: FleetState) -> bool:
        """Whether the weather reaches a fleet: it is on the chart, and not in a port."""
        return self.on_chart(fleet) and not self.in_port(fleet)

    def nearest_own_port(self, position: Position, side: str) -> str:
        """The nearest port of a side's own, "" when it has none."""
        nations, closed = self.facts.sides[side].nations, self.closed[side]
        ports = [
            place.code
            for place in self.facts.theatre.places.values()
            if place.kind is PlaceKind.PORT and place.owner in nations
        ]
        here = self.geometry.nearest(position)
        return min(ports, key=lambda code: (self.geometry.distance(here, code, closed), code), default="")

    def at_war(self, a: FleetState, b: FleetState) -> bool:
        """Whether two fleets are hostile."""
        return frozenset((a.side, b.side)) in self.facts.at_war

    def friends(self, a: FleetState, b: FleetState) -> bool:
        """Whether two fleets are of one side or of allied ones. Rule: G.CO7."""
        return a.side == b.side or frozenset((a.side, b.side)) in self.facts.allied

    def point(self, position: Position) -> Point:
        """Where a position lies."""
        if position not in self._points:
            self._points[position] = self.geometry.point(position)
        return self._points[position]

    def weather(self, fleet: FleetState) -> ZoneWeather:
        """The weather where a fleet is. Rule: G.WX1."""
        return self.state.weather[self.geometry.zone(fleet.position)]

    def in_port(self, fleet: FleetState) -> bool:
        """Whether a fleet lies in a port."""
        at = self.facts.theatre.places[fleet.position.at]
        return not fleet.position.to and at.kind is PlaceKind.PORT

    def ships_of(self, fleet: str) -> tuple[ShipState, ...]:
        """Ships afloat of a fleet in the order of sailing."""
        if self._company is None:
            company: dict[str, list[ShipState]] = {}
            for ship in self.state.ships.values():
                if ship.fleet and ship.fate is Fate.AFLOAT:
                    company.setdefault(ship.fleet, []).append(ship)
            self._company = {
                code: tuple(sorted(ships, key=self._sailing_order)) for code, ships in company.items()
            }
        return self._company.get(fleet, ())

    def _sailing_order(self, ship: ShipState) -> tuple[bool, int, str, int, str]:
        squadron = self.facts.squadrons.get(ship.squadron)
        return (ship.prize, squadron.order if squadron else 0, ship.squadron, ship.order, ship.code)

    def facts_changed(self) -> None:
        """Take in what the calendar has brought in this hour: ships that have come, wars begun or ended. Rules: G.CA2, G.CA5."""
        self.facts = facts_now(self.facts, self.state.calendar)
        self.closed = {side: enemy_ports(self.facts, side) for side in sorted(self.facts.sides)}
        self.ships_changed()

    def ships_changed(self) -> None:
        """Forget what was reckoned from ships, after a write-back."""
        self._company = None
        self._hulls.clear()
        self._alike.clear()
        self.speeds.clear()

    def hulls(self, fleet: str) -> tuple[Hull, ...]:
        """What the ships of a fleet bring to its speed. Rule: G.MV1."""
        if fleet not in self._hulls:
            self._hulls[fleet] = tuple(self._hull(ship) for ship in self.ships_of(fleet))
        return self._hulls[fleet]

    def alike(self, fleet: str) -> frozenset[Hull]:
        """The same without their sizes, ships that are alike once: a fleet of a hundred has few speeds."""
        if fleet not in self._alike:
            self._alike[fleet] = frozenset(hull._replace(size=_ANY_SIZE) for hull in self.hulls(fleet))
        return self._alike[fleet]

    def steamer(self, ship: ShipState) -> bool:
        """Whether a ship goes by steam. Rule: G.ST1."""
        return self.at_sea.steam(self.facts.ships[ship.code].card)

    def steams(self, fleet: str) -> bool:
        """Whether every ship of a fleet goes by steam: where one sails, the wind counts for all. Rule: G.ST3."""
        return all(hull.full for hull in self.hulls(fleet))

    def _hull(self, ship: ShipState) -> Hull:
        sheet, settings = self.facts.ships[ship.code], self.facts.settings
        empty = settings.stores == "on" and self.state.economy.coal.get(ship.code) == 0
        of = (self.rules.at_sea, sheet, ship, settings)
        hull: Hull = once("hull", of, (empty,), lambda: self._hull_of(sheet, ship, empty))
        return hull

    def _hull_of(self, sheet: ShipSheet, ship: ShipState, empty: bool) -> Hull:
        """empty: her bunkers, if she is a steamer."""
        factor = self.at_sea.sea_speed(sheet.card, ship.condition)
        if not ship.prize and not self.at_sea.can_sail(sheet.card, ship.men, sheet.complement):
            factor = Fraction(0)
        settings, kind, size = self.facts.settings, sheet.kind, self.at_sea.whole_value(sheet.card)
        if self.steamer(ship):
            most = settings.coal_crawl if empty else full_knots(settings, kind, sheet.facts)
            knots = min(most, steaming_knots(settings, kind, sheet.facts))
            return Hull(MILLI * knots, factor, 0, size, MILLI * most)
        no_go = self.at_sea.no_go(sheet.card, ship.condition)
        return Hull(int(MILLI * sailing_knots(settings, kind)), factor, no_go, size)

    def value(self, fleet: str) -> Fraction:
        """Present value of a fleet's fighting ships. Rule: G.CO1."""
        cards = self.facts.ships
        ships = [ship for ship in self.ships_of(fleet) if not ship.prize]
        return sum((self.at_sea.value(cards[s.code].card, s.condition) for s in ships), Fraction(0))

    def hull_lost(self, fleet: str) -> Fraction:
        """Mean share of their hulls that the fighting ships of a fleet have lost."""
        ships = [ship for ship in self.ships_of(fleet) if not ship.prize]
        lost = [self.at_sea.hull_fraction(self.facts.ships[s.code].card, s.condition) for s in ships]
        return sum(lost, Fraction(0)) / len(lost) if lost else Fraction(0)

    def can_fight(self, fleet: str) -> bool:
        """Whether a fleet has a ship that can still be handled and is no prize. Rule: G.CO6."""
        return any(
            not ship.prize and hull.factor > 0
            for ship, hull in zip(self.ships_of(fleet), self.hulls(fleet), strict=True)
        )


def _as_held(facts: TurnFacts, state: TurnState) -> TurnFacts:
    """Facts whose theatre has its ports as they are held in a state. Rule: G.LD4."""
    theatre = theatre_now(facts.theatre, state.holdings, state.hour)
    return facts if theatre is facts.theatre else replace(facts, theatre=theatre)


def enemy_ports(facts: TurnFacts, side: str) -> frozenset[str]:
    """Ports of the sides that a side is at war with: a fleet enters them only by attack. Rules: G.CH3, G.PT1."""
    nations = {
        nation
        for other in facts.sides.values()
        if frozenset((side, other.code)) in facts.at_war
        for nation in other.nations
    }
    places = facts.theatre.places.values()
    return frozenset(p.code for p in places if p.kind is PlaceKind.PORT and p.owner in nations)
