"""Battles as readers may see them: a side sees what its ships saw, the umpire sees all. Rule: G.IN1."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from battles import rule_books
from battles.boards import Standing, board
from battles.engine import registry
from battles.engine.core.fates import Fate
from battles.engine.core.log import DIE, Event
from battles.engine.core.outcome import Outcome
from battles.engine.core.scenario import Scenario
from battles.engine.core.telling import Names, News
from battles.engine.readable import handicaps
from battles.engine.stored import stored_scenario
from battles.models import Battle

if TYPE_CHECKING:
    from fleets.models import Book

FOUGHT = (Battle.Status.FOUGHT, Battle.Status.WRITTEN)
# Grows whenever the same log would be drawn otherwise, so that no browser keeps an old drawing.
REPLAY_VERSION = 3
_NOT_STEPS = {"setup": "Before the first turn", "orders": "Orders"}


@dataclass(frozen=True, slots=True)
class LogRow:
    """A line of the log. clause: its rule; address: where that is, relative to the rules' root. faces: of a throw, else ()."""

    words: str
    clause: str
    address: str
    die: str = ""
    faces: tuple[int, ...] = ()
    ship: str = ""
    dull: bool = False


@dataclass(frozen=True, slots=True)
class LogGroup:
    """The lines of one ship in a step, "" for what is nobody's in particular."""

    name: str
    rows: tuple[LogRow, ...]


@dataclass(frozen=True, slots=True)
class LogStep:
    """A step of the sequence of play with its lines. groups: by ship, of those with a throw or news; dull: lines of all the others."""

    step: str
    name: str
    rows: tuple[LogRow, ...]
    groups: tuple[LogGroup, ...] = ()
    dull: tuple[LogRow, ...] = ()

    @property
    def dice(self) -> int:
        """How many throws there were."""
        return sum(1 for row in self.rows if row.faces)


@dataclass(frozen=True, slots=True)
class Loss:
    """A ship that a side lost. fate: in words. by: who captured or sank it, "" for no one."""

    ship: str
    name: str
    fate: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class SideResult:
    """What a battle cost one side, as far as it was seen. officers: named ones, the reader's own side only."""

    side: str
    name: str
    ships: int
    lost: tuple[Loss, ...]
    standings: tuple[tuple[Standing, str, str], ...]
    officers: tuple[tuple[str, str, str], ...]


class Reading:
    """A fought battle as one reader may see it. side: code of the reader's side, None for the umpire.

    Everything that it gives has gone through the rule set's `log_seen_by`; scenario and outcome are asked for names and fates
    only.
    """

    def __init__(self, battle: Battle, side: str | None) -> None:
        self.battle = battle
        self.side = side
        self.rules = registry.rule_set(battle.rule_set)
        self.own = None if side is None else frozenset({side})

    @cached_property
    def scenario(self) -> Scenario:
        """What was fought."""
        return stored_scenario(self.battle.roster.scenario)

    def handicaps(self) -> list[str]:
        """What the scenario takes from a side, and why, in words; both sides read it."""
        return list(handicaps(self.scenario))

    @cached_property
    def names(self) -> Names:
        """Names by id."""
        return Names.of(self.scenario)

    @cached_property
    def outcome(self) -> Outcome:
        """What came out; whole, so nothing of it is shown but what this class gives."""
        return Outcome.from_dict(self.battle.outcome.document)

    @cached_property
    def events(self) -> Sequence[Event]:
        """The log as this reader may read it."""
        rows = map(Event.from_list, self.battle.log.events())
        return list(rows if self.side is None else self.rules.log_seen_by(self.scenario, rows, self.side))

    def replay(self) -> dict[str, Any]:
        """What the replay draws, as JSON."""
        return board(self.battle.rule_set).replay(self.scenario, self.events, self.own)

    def signs(self) -> tuple[str, ...]:
        """What the replay of this rule set draws besides what every replay does, in words."""
        return board(self.battle.rule_set).SIGNS

    def turns(self) -> list[int]:
        """Turns that the log has, 0 for what came before the first."""
        return sorted({event.turn for event in self.events})

    def log_of(self, turn: int) -> list[LogStep]:
        """The log of one turn, step by step in the order of play, every throw and every event that has words."""
        here = (event for event in self.events if event.turn == turn)
        names = {step.id: step.name for step in self.rules.steps} | _NOT_STEPS
        steps = []
        for step, events in groupby(here, key=lambda event: event.step):
            rows = tuple(row for row in map(self._row, events) if row is not None)
            if rows:
                steps.append(LogStep(step, names.get(step, step), rows, *self._grouped(rows)))
        return steps

    def _grouped(self, rows: Sequence[LogRow]) -> tuple[tuple[LogGroup, ...], tuple[LogRow, ...]]:
        """Lines by ship, in the order in which the ships come; lines of ships of which nothing is worth reading are left together."""
        by_ship: dict[str, list[LogRow]] = {}
        for row in rows:
            by_ship.setdefault(row.ship, []).append(row)
        told = {ship: own for ship, own in by_ship.items() if any(not row.dull for row in own)}
        groups = (LogGroup(self.names.ships.get(ship, ""), tuple(own)) for ship, own in told.items())
        return tuple(groups), tuple(row for row in rows if row.ship not in told)

    def _row(self, event: Event) -> LogRow | None:
        words = self.rules.words(event, self.names)
        if not words:
            return None
        address = rule_books.clause_address(event.clause)
        if event.kind != DIE:
            kind = self.rules.kinds[event.kind]
            dull = kind.news is News.NONE and not kind.hidden and event.kind != "refused"
            return LogRow(words, event.clause, address, ship=event.ship, dull=dull)
        # a throw is its first subject's; its key ends with them
        ship = next((part for part in str(event.data["key"]).split("/") if part in self.names.ships), "")
        return LogRow(
            words,
            event.clause,
            address,
            str(event.data["die"]),
            tuple(event.data["faces"]),
            event.ship or ship,
        )

    def account(self) -> list[tuple[int, str, list[str]]]:
        """The battle in sentences: turn, clock, what happened; turns in which nothing of note happened are left out."""
        teller = self.rules.teller(self.scenario)
        told = []
        for turn, events in groupby(self.events, key=lambda event: event.turn):
            sentences = [sentence.strip() for sentence in teller.turn(list(events))]
            if sentences:
                told.append((turn, self.clock(turn), sentences))
        return told

    def clock(self, turn: int) -> str:
        """The hour at which a turn begins, "" where the scenario has none. Rule: G.CO6."""
        if not self.scenario.start:
            return ""
        start = datetime.fromisoformat(self.scenario.start)
        minutes = self.rules.minutes_a_turn(self.scenario.options)
        return f"{start + timedelta(minutes=minutes * max(0, turn - 1)):%H:%M}"

    def standings(self) -> list[Standing]:
        """How every ship that the reader knows of was at the end."""
        return board(self.battle.rule_set).standings(self.scenario, self.events, self.own)

    def results(self) -> list[SideResult]:
        """What the battle cost each side, the reader's own first."""
        by_ship = {row.ship: row for row in self.standings()}
        squadron_of = {ship.id: squadron.name for _, squadron, ship in self.scenario.ships()}
        found = []
        for side in self.scenario.sides:
            codes = [ship.id for ship in side.ships() if ship.id in by_ship]
            rows = tuple((by_ship[code], self.names.ship(code), squadron_of[code]) for code in codes)
            officers = self._officers(set(codes)) if self.own is None or side.id in self.own else ()
            lost = self._lost(side.id, set(codes))
            found.append(SideResult(side.id, side.name, len(codes), lost, rows, officers))
        return sorted(found, key=lambda result: self.own is not None and result.side not in self.own)

    def _lost(self, side: str, known: set[str]) -> tuple[Loss, ...]:
        sides = {one.id: one.name for one in self.scenario.sides}
        return tuple(
            Loss(
                row.ship,
                self.names.ship(row.ship),
                "taken" if row.fate is Fate.CAPTURED else row.fate.value,
                (self.names.ships.get(row.captor_ship) or sides.get(row.captor, "")) if row.captor else "",
            )
            for row in self.outcome.ships
            if row.side == side and row.ship in known and row.fate is not Fate.AFLOAT
        )

    def _officers(self, ships: set[str]) -> tuple[tuple[str, str, str], ...]:
        return tuple(
            (row.name, self.names.ship(row.ship), row.fate)
            for row in self.outcome.officers
            if row.ship in ships and row.name
        )

    def held_by(self) -> str:
        """The side that holds the field, by name."""
        return {side.id: side.name for side in self.scenario.sides}.get(self.outcome.held_field, "")

    def hours(self) -> str:
        """How long it took, in words."""
        hours, minutes = divmod(self.outcome.minutes, 60)
        parts = [f"{n} {what}{'s' * (n != 1)}" for n, what in ((hours, "hour"), (minutes, "minute")) if n]
        return " ".join(parts) or "no time"


def can_be_read(battle: Battle) -> bool:
    """Whether a battle has a result and a log to read: it is fought, and by the engine."""
    return battle.status in FOUGHT and hasattr(battle, "outcome") and hasattr(battle, "log")


def battle_of_book(book: Book, code: str) -> Battle:
    """A battle for its page, with roster, outcome and log where it has them. Raises Battle.DoesNotExist."""
    return Battle.objects.select_related("roster", "outcome", "log").get(
        book=book, code=code, roster__isnull=False
    )


def battle_of_book_light(book: Book, code: str) -> Battle:
    """The same without the great documents: for access and caching. Raises Battle.DoesNotExist."""
    return Battle.objects.listed().defer("seed").get(book=book, code=code, roster__isnull=False)


def replay_tag(battle: Battle, side: str | None) -> str:
    """A tag that changes whenever the replay of this battle for this reader would."""
    parts = (battle.pk, battle.roster.digest, battle.fought, battle.status, side, REPLAY_VERSION)
    return hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()[:32]
