"""What the automatic admiral could do for the objectives of the war: tasks, what each needs and is worth. Rules: G.AA1, G.AA2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from campaign.rules.admiral.expectation import Circle, Expectation
from campaign.rules.chart.objectives import AimKind, Row
from campaign.rules.chart.types import MILLI, PlaceKind
from campaign.rules.state.clock import DAY
from campaign.rules.turn.knowledge import Knowledge
from campaign.rules.turn.war_known import KnownAim

NEED = Fraction(6, 5)
LEAST_NEED = Fraction(1, 20)
DECISIVE, NEAR = 2, 6
NEAR_MORNINGS = 3
LAND_RATE = 4_000
# A contact worth less than this share of one's own strength is for scouts.
WORTH_SEEKING = Fraction(1, 20)
LOCATED_HOURS = 48
# A port that has just been raided is on its guard.
RAID_AGAIN = 30 * DAY
# A body worth so much of the enemy's keeps him from being alone. To guard a place weighs so much of seeking him out.
GUARD = Fraction(1, 2)
LESS_THAN_SEEKING = Fraction(9, 10)
# An objective is worked for from so long before its first morning.
AHEAD = 14 * DAY
# Against an enemy's from so long before: earlier nobody is there.
AHEAD_OF_THEIRS = 3 * DAY


class Verb(StrEnum):
    """What a task is. Rule: G.AA1."""

    GO = "go"
    CARRY = "carry"
    COVER = "cover"
    LAND = "land"
    RAID = "raid"
    BLOCKADE = "blockade"
    HOLD = "hold"
    SEEK = "seek"
    WAIT = "wait"
    IN_BEING = "in being"


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to do for an objective. aim: id of the objective. place: code, "" for a contact that is met at its gate.

    contact: number, 0 for none. need: value that it takes; expected: of the enemy there. marks: that it counts for. line, percent:
    of the side's ships, or opening value, that have to come. decisive: against, or for, a decisive objective; near: one of the enemy's
    that is all but achieved.
    """

    verb: Verb
    aim: str
    place: str
    need: Fraction
    expected: Fraction
    marks: Fraction
    contact: int = 0
    decisive: bool = False
    near: bool = False
    line: int = 0
    percent: int = 0

    @property
    def own_way(self) -> bool:
        """Whether it leads somewhere else than to the enemy, so that one who bars the way is to be reckoned with."""
        return self.verb in (Verb.GO, Verb.HOLD, Verb.RAID, Verb.LAND)

    @property
    def guards(self) -> bool:
        """Whether it keeps an enemy from a place for which he may be bound: what is held in reserve is there for that. Rule: G.AA2."""
        return self.verb is Verb.HOLD and self.contact > 0

    @property
    def rank(self) -> Fraction:
        """Marks for what it takes. Rule: G.AA2."""
        return self.marks / max(self.need, Fraction(1))


class Tasks:
    """All tasks of a side as it sees the war. Rule: G.AA1."""

    def __init__(self, expectation: Expectation) -> None:
        self.expect = expectation
        self.view = expectation.view
        self.known: Knowledge = expectation.known
        self.own = sum((fleet.value for fleet in self.known.fleets.values()), Fraction(0))
        self.foes = [
            row for row in expectation.circles if row.value >= WORTH_SEEKING * max(self.own, Fraction(1))
        ]

    def all(self) -> list[Task]:
        """Tasks in the order of their rank; of contacts that weigh alike first the one that has least far to go. Rule: G.AA2."""
        found: list[Task] = []
        for aim in self.known.war.aims:
            if not aim.achieved and not self._over(aim):
                found += self._own(aim, aim) if aim.own else self._theirs(aim, aim)
        found += self._invaders()
        best: dict[tuple[Verb, str, int], Task] = {}
        for task in found:
            key = (task.verb, task.place, task.contact)
            if key not in best or self._weight(task) > self._weight(best[key]):
                best[key] = task
        return sorted(
            best.values(), key=lambda task: (-task.rank, self._to_go(task), -task.need, task.aim, task.place)
        )

    def _weight(self, task: Task) -> tuple[Fraction, bool]:
        """What counts of two reasons to do the same; of equals that against a decisive objective, for which more is risked. Rule: G.AA2."""
        return task.rank, self.against_decisive(task)

    def is_own(self, task: Task) -> bool:
        """Whether a task serves an objective of the side itself, a denial apart."""
        return any(aim.own and aim.row.id == task.aim for aim in self.known.war.aims)

    def against_decisive(self, task: Task) -> bool:
        """Whether a task is against a decisive objective of the enemy's: more is risked for it. Rules: G.AA2, G.AA4."""
        return task.decisive and not self.is_own(task)

    def _to_go(self, task: Task) -> int:
        """How far a contact has to go, from where it was seen, to what its side wants; 0 for all other tasks."""
        aim = next((aim for aim in self.known.war.aims if aim.row.id == task.aim), None)
        if not task.contact or aim is None:
            return 0
        geometry = self.view.geometry
        goals = [code for code in aim.row.where if code in geometry.places]
        return min((geometry.distance(task.place, code) for code in goals), default=0)

    def _over(self, aim: KnownAim) -> bool:
        """Whether nothing is to be done for an objective, or against it: its last morning is past, or its first too far off."""
        early = self.known.hour + (AHEAD if aim.own else AHEAD_OF_THEIRS) < aim.since
        return early or (aim.until is not None and aim.until < self.known.hour)

    def _own(self, aim: KnownAim, paid: KnownAim) -> Iterator[Task]:
        row = aim.row
        if row.kind is AimKind.DENY:
            other = next((a for a in self.known.war.aims if a.row.id == row.objective), None)
            if other is not None and not other.achieved:
                yield from self._theirs(other, other)
        elif row.kind is AimKind.BRING and row.number:
            yield self._task(Verb.GO, self._easiest(row.to), paid, line=row.number)
        elif row.kind is AimKind.GATHER:
            yield self._task(
                Verb.GO, self._easiest(row.at), paid, line=row.least_line, percent=row.least_percent
            )
        elif row.kind is AimKind.LAND:
            yield from self._landing(row.at, paid)
        elif row.kind is AimKind.OWN:
            for port in row.ports:
                if port not in self.known.own_ports and self._army_is_ready():
                    yield self._task(Verb.LAND, port, paid)
                elif self.expect.at(port) and self._nation_is_ours(port):
                    yield self._task(Verb.COVER, port, paid)
        elif row.kind is AimKind.CLOSE:
            yield self._task(Verb.BLOCKADE, row.port, paid)
        elif row.kind is AimKind.SEA:
            yield self._task(Verb.HOLD, self._easiest(row.places), paid)
        elif row.kind is AimKind.DESTROY:
            yield from self._seek(paid)
        elif row.kind is AimKind.RAID and self.located():
            fresh = tuple(p for p in row.ports if self.known.war.raided.get(p, RAID_AGAIN) >= RAID_AGAIN)
            if fresh:
                yield self._task(Verb.RAID, self._easiest(fresh), paid)

    def located(self) -> bool:
        """Whether the enemy's battle fleet is known to be somewhere: no one raids a coast while it may lie behind the next headland."""
        main = max((fleet.value for fleet in self.known.fleets.values()), default=Fraction(0))
        return any(2 * row.value >= main and row.age <= LOCATED_HOURS for row in self.foes)

    def _theirs(self, aim: KnownAim, paid: KnownAim) -> Iterator[Task]:
        row = aim.row
        if row.kind in (AimKind.BRING, AimKind.GATHER) or row.kind is AimKind.LAND:
            yield from self._seek(paid)
            if row.kind is AimKind.GATHER and row.alone and row.decisive:
                yield from self._guard(aim)
        elif row.kind in (AimKind.OWN, AimKind.RAID):
            for port in row.ports:
                if self.expect.at(port) and self._nation_is_ours(port):
                    yield self._task(Verb.COVER, port, paid)
        elif row.kind is AimKind.CLOSE:
            yield from self._seek(paid, off=row.port)
        elif row.kind is AimKind.SEA:
            yield self._task(Verb.HOLD, self._easiest(row.places), paid)
        elif row.kind is AimKind.KEEP:
            yield from self._seek(paid)

    def _seek(self, aim: KnownAim, off: str = "") -> Iterator[Task]:
        """After each contact that is worth it, in proportion to it; into his port no one goes: he is watched there. Rule: G.AA1."""
        rows = [row for row in self.foes if not off or self.view.port_near(row.centre) == off]
        whole = sum((row.value for row in self.foes), Fraction(0))
        for circle in rows:
            port = self.view.port_near(circle.centre)
            verb = Verb.BLOCKADE if port and not off else Verb.SEEK
            place = port if verb is Verb.BLOCKADE else self.view.nearest_open(circle.centre)
            yield self._task(verb, place, aim, circle=circle, share=circle.value / whole)
        if not rows and not off:
            yield self._task(Verb.SEEK, self.looking_place(), aim)

    def _guard(self, aim: KnownAim) -> Iterator[Task]:
        """Half of what the greatest enemy at sea is worth is kept where he may mean to be alone. Rules: G.AA1, G.OB1.

        One in a port within a day's sail of it counts as well, who can be there on any morning. Once the enemy is there it takes what beats
        it. It weighs a little less than to seek the enemy out.
        """
        place = self._easiest(aim.row.at)
        least = GUARD * aim.row.least_line * self.known.worth
        loose = [
            row
            for row in self.foes
            if row.number > 0
            and row.value >= least
            and not self._shut_up_far_off(self.view.port_near(row.centre), place)
        ]
        if not loose:
            return
        circle = max(loose, key=lambda row: (row.value, row.number))
        seek = self._task(Verb.SEEK, "", aim, circle=circle)
        hold = self._task(Verb.HOLD, place, aim)
        need = self._need(max(GUARD * circle.value, hold.expected))
        yield replace(
            hold,
            need=need,
            contact=circle.number,
            marks=LESS_THAN_SEEKING * seek.rank * max(need, Fraction(1)),
        )

    def _shut_up_far_off(self, port: str, place: str) -> bool:
        """Whether an enemy lies in a port more than a day's sail from a place. port: "" for one at sea."""
        return bool(port) and self.view.geometry.distance(port, place) > DAY * self.known.pace * MILLI

    def looking_place(self) -> str:
        """Where to look for an enemy of whom nothing is known: between the bases, or where he is to be kept from what he is about."""
        main = max(self.known.fleets.values(), key=lambda fleet: (fleet.value, fleet.code), default=None)
        places = [
            code
            for aim in self.known.war.aims
            if not aim.own
            and not aim.achieved
            and not self._over(aim)
            and (aim.row.decisive or not self._hunts())
            and aim.row.kind is not AimKind.BRING
            for code in aim.row.where
            if code in self.view.geometry.places and code not in self.view.closed
        ]
        if not places or main is None:
            return self.view.meeting_ground()
        return min(places, key=lambda code: (self.view.miles(main, code), code))

    def _landing(self, beaches: tuple[str, ...], aim: KnownAim) -> Iterator[Task]:
        """The army is carried once it is there, and covered where it is: at its port, as long as it embarks or the enemy lies off, and then
        at the beach. Rules: G.AA1, G.LD1.
        """
        carriers = [fleet for fleet in self.known.fleets.values() if fleet.troops]
        ports = [army.place for army in self.known.war.armies if army.men]
        if not carriers and not ports and not self.known.war.ashore:
            return
        beach = self.beach_for(beaches, [*ports, *(fleet.position.at for fleet in carriers)])
        yield self._task(Verb.CARRY, beach, aim)
        homes = [*ports, *(fleet.position.at for fleet in carriers if self.view.in_port(fleet))]
        watched = [port for port in homes if self.expect.at(port)]
        afloat = sum(fleet.troops for fleet in carriers)
        waiting = sum(army.men for army in self.known.war.armies if army.men)
        stays = watched or (ports if afloat < waiting else [])
        yield self._task(Verb.COVER, self._road_of(stays[0]) if stays else self._off(beach), aim)

    def _hunts(self) -> bool:
        """Whether the side is to destroy the enemy's fleet, which is more than to keep him from something."""
        return any(
            aim.own and aim.row.kind is AimKind.DESTROY and not aim.achieved for aim in self.known.war.aims
        )

    def beach_for(self, beaches: tuple[str, ...], homes: Iterable[str]) -> str:
        """The beach with least of a guard, then the nearest to the army: it does not change with every report. Rule: G.LD2."""
        places, geometry = self.known.theatre.places, self.view.geometry
        here = [code for code in beaches if code in geometry.places]
        start = sorted(set(homes))[0]
        ashore = [code for code in here if code in self.known.war.ashore]
        return min(
            ashore or here, key=lambda code: (places[code].guard, geometry.distance(start, code), code)
        )

    def _invaders(self) -> Iterator[Task]:
        """An enemy ashore in one's own country is fought where he landed. Rule: G.AA1."""
        for place in sorted(self.known.war.invaded):
            paid = [aim for aim in self.known.war.aims if not aim.own and place in aim.row.where]
            marks = Fraction(max((aim.row.marks * DECISIVE * NEAR for aim in paid), default=20))
            expected = self.expect.at(place)
            yield Task(
                Verb.COVER,
                paid[0].row.id if paid else "",
                self._road_of(place),
                self._need(expected),
                expected,
                marks,
                decisive=True,
                near=True,
            )

    def _task(
        self,
        verb: Verb,
        place: str,
        aim: KnownAim,
        *,
        circle: Circle | None = None,
        share: Fraction = Fraction(1),
        line: int = 0,
        percent: int = 0,
    ) -> Task:
        expected = circle.value if circle is not None else self.expect.at(place)
        near = not aim.own and aim.row.decisive and self.near(aim)
        marks = worth(aim.row)
        weight = NEAR if near else DECISIVE if aim.row.decisive else 1
        return Task(
            verb, aim.row.id, place, self._need(expected), expected, Fraction(marks * weight) * share,
            circle.number if circle is not None else 0, aim.row.decisive, near, line, percent,
        )  # fmt: skip

    def _need(self, expected: Fraction) -> Fraction:
        """What a task takes: a fifth more than the enemy expected, and never less than a twentieth of one's own. Rule: G.AA2."""
        return max(NEED * expected, LEAST_NEED * self.own)

    def near(self, aim: KnownAim) -> bool:
        """Whether an objective is all but achieved: when the turn is over it wants three mornings or fewer. Rule: G.AA2.

        Orders stand for the turn, so those given at its beginning have to reckon with its end.
        """
        if aim.row.kind is AimKind.LAND:
            ashore = self._ashore_at(aim.row.at)
            return ashore and aim.row.men <= (NEAR_MORNINGS + 1) * LAND_RATE
        return aim.now and aim.row.days - aim.held - self.known.war.days <= NEAR_MORNINGS

    def _ashore_at(self, places: Iterable[str]) -> bool:
        return not self.known.war.invaded.isdisjoint(places)

    def _army_is_ready(self) -> bool:
        return any(fleet.troops for fleet in self.known.fleets.values()) or any(
            army.men for army in self.known.war.armies
        )

    def _nation_is_ours(self, port: str) -> bool:
        return port in self.known.own_ports

    def _easiest(self, places: tuple[str, ...]) -> str:
        """Of several places the one where least of the enemy is expected, then the nearest to the main fleet."""
        there = [code for code in places if code in self.view.geometry.places]
        main = max(self.known.fleets.values(), key=lambda fleet: (fleet.value, fleet.code), default=None)
        return min(
            there,
            key=lambda code: (
                self.expect.at(code), self.view.miles(main, code) if main is not None else 0, code,
            ),
        )  # fmt: skip

    def _off(self, beach: str) -> str:
        """Where a fleet lies to cover a landing: off a neutral port, which would intern it; elsewhere at the beach itself. Rule: G.NE1."""
        known = self.known
        port = known.theatre.places[beach].kind is PlaceKind.PORT
        neutral = port and beach not in known.own_ports and beach not in self.view.closed
        return self._beside(beach) if neutral else beach

    def _road_of(self, port: str) -> str:
        """The water off a port where a fleet can lie: the port itself where it is one's own, else the place next to it."""
        places = self.known.theatre.places
        if places[port].kind is not PlaceKind.PORT or port not in self.view.closed:
            return port
        return self._beside(port)

    def _beside(self, port: str) -> str:
        """The open place next to a port."""
        near = [code for code in self.view.geometry.neighbours[port] if code not in self.view.closed]
        return min(near, key=lambda code: (self.view.geometry.distance(code, port), code), default=port)


def worth(row: Row) -> int:
    """Marks that an objective can pay in all. Rule: G.OB2."""
    return row.most or row.marks


def miles(thousandths: int) -> int:
    """Whole nautical miles."""
    return round(thousandths / MILLI)
