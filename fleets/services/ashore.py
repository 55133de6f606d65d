"""What the chart says is ashore, written into a navy's books: yards, funds, prizes, prisoners, men, officers, names.

Rows are made to match the chart, in a few queries; a second call changes nothing. The same functions write the end of a turn and
restore everything when one is rolled back. Rules: G.RP2, G.PR4, G.PR5, G.AF1, G.SV1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from simple_history.utils import bulk_update_with_history

from fleets.auditing import PRIZES_OPEN
from fleets.models import (
    Book,
    MenAshore,
    Navy,
    Officer,
    OfficerRecord,
    PrisonersHeld,
    Prize,
    PrizeFund,
    RepairJob,
    Ship,
)
from fleets.record_words import OFFICER_KINDS

_PRIZE_FIELDS = ["status", "port", "court", "aboard", "value", "head_money", "prisoners"]


@dataclass(frozen=True, slots=True)
class JobNow:
    """A ship in a yard. berth: None while it waits. began, ready: chart time, "" when not known."""

    ship: str
    navy: str
    place: str
    berth: int | None
    hull: str
    masts: int
    batteries: int
    needs: int
    total: int
    done: int
    began: str
    ready: str


@dataclass(frozen=True, slots=True)
class PrizeNow:
    """The last capture of a ship.

    captor, taken_from: navies. taken_by: a ship. when: chart time of the capture; fresh: whether it was in the turn that is written.
    battle: its code, or that of what happened on the chart. aboard: men in it then. crew: men of the captor in it now. prisoners:
    aboard now, None to leave the row's figure. status: of Prize.Status.
    """

    ship: str
    captor: str
    taken_from: str
    taken_by: str
    when: str
    fresh: bool
    battle: str
    crew: int
    status: str
    port: str
    court: int
    aboard: int
    value: int
    head_money: int
    prisoners: int | None


@dataclass(frozen=True, slots=True)
class OfficerNow:
    """A named officer. ship: code, "" ashore."""

    navy: str
    name: str
    ship: str
    status: str
    flag_rank: bool


@dataclass(frozen=True, slots=True)
class OfficerEntry:
    """An entry for an officer's record. event: code of what caused it, once per officer."""

    navy: str
    name: str
    when: str
    kind: str
    event: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AshoreNow:
    """Everything ashore, by codes.

    funds: (pounds, earned by class) by navy. prisoners: (holder, place, of, men). ashore: (navy, place, men).
    """

    jobs: Sequence[JobNow] = ()
    funds: Mapping[str, tuple[int, Sequence[int]]] = field(default_factory=dict)
    prizes: Sequence[PrizeNow] = ()
    prisoners: Sequence[tuple[str, str, str, int]] = ()
    ashore: Sequence[tuple[str, str, int]] = ()
    officers: Sequence[OfficerNow] = ()
    names: Mapping[str, str] = field(default_factory=dict)


def ashore_apply(*, book: Book, now: AshoreNow) -> None:
    """Make the rows of a book match the chart. Raises KeyError for a ship or navy that is not in the book."""
    with transaction.atomic():
        navies = {navy.code: navy for navy in book.navies.all()}
        _jobs_write(book, navies, now.jobs)
        _funds_write(navies, now.funds)
        _people_write(navies, now)
        _prizes_write(book, navies, now.prizes)
        _officers_write(book, now.officers)
        _names_write(book, now.names)


def _jobs_write(book: Book, navies: Mapping[str, Navy], jobs: Sequence[JobNow]) -> None:
    """The books of the yards as they are now: they are few, and all rewritten when anything in them differs."""
    columns = (
        "ship__code", "navy__code", "place", "berth", "hull", "masts", "batteries", "needs", "total", "done", "began",
        "ready",
    )  # fmt: skip
    stored = [JobNow(*row) for row in book.repair_jobs.values_list(*columns)]
    wanted = sorted(jobs, key=lambda job: job.ship)
    if sorted(stored, key=lambda job: job.ship) == wanted:
        return
    book.repair_jobs.all().delete()
    keys = dict(book.ships.filter(code__in=[job.ship for job in wanted]).values_list("code", "pk"))
    RepairJob.objects.bulk_create(
        RepairJob(
            book=book, ship_id=keys[job.ship], navy=navies[job.navy], place=job.place, berth=job.berth, hull=job.hull,
            masts=job.masts, batteries=job.batteries, needs=job.needs, total=job.total, done=job.done, began=job.began,
            ready=job.ready,
        )
        for job in wanted
    )  # fmt: skip


def _funds_write(navies: Mapping[str, Navy], funds: Mapping[str, tuple[int, Sequence[int]]]) -> None:
    rows = {row.navy_id: row for row in PrizeFund.objects.filter(navy__in=navies.values())}
    new, changed = [], []
    for code, (pounds, earned) in sorted(funds.items()):
        row = rows.get(navies[code].pk)
        if row is None:
            new.append(PrizeFund(navy=navies[code], pounds=pounds, earned=list(earned)))
        elif (row.pounds, row.earned) != (pounds, list(earned)):
            row.pounds, row.earned = pounds, list(earned)
            changed.append(row)
    PrizeFund.objects.bulk_create(new)
    PrizeFund.objects.bulk_update(changed, ["pounds", "earned"])


def _people_write(navies: Mapping[str, Navy], now: AshoreNow) -> None:
    held = PrisonersHeld.objects.filter(holder__in=navies.values())
    stored = sorted(held.values_list("holder__code", "place", "of__code", "men"))
    if stored != sorted(now.prisoners):
        held.delete()
        PrisonersHeld.objects.bulk_create(
            PrisonersHeld(holder=navies[holder], place=place, of=navies[of], men=men)
            for holder, place, of, men in now.prisoners
        )
    ashore = MenAshore.objects.filter(navy__in=navies.values())
    if sorted(ashore.values_list("navy__code", "place", "men")) != sorted(now.ashore):
        ashore.delete()
        MenAshore.objects.bulk_create(
            MenAshore(navy=navies[navy], place=place, men=men) for navy, place, men in now.ashore
        )


def _prizes_write(book: Book, navies: Mapping[str, Navy], prizes: Sequence[PrizeNow]) -> None:
    """Write the last capture of each ship, and settle those before it: a prize is open for its latest captor. Rules: G.PR1, G.PR3."""
    if not prizes:
        return
    codes = [prize.ship for prize in prizes]
    rows = Prize.objects.filter(ship__book=book, ship__code__in=codes, void="").select_related("ship")
    found: dict[str, list[Prize]] = defaultdict(list)
    for row in rows.order_by("when", "pk"):
        found[row.ship.code].append(row)
    new, changed = [], []
    for prize in prizes:
        captor = navies[prize.captor].pk
        mine = [
            row
            for row in found[prize.ship]
            if row.captor_id == captor and (row.when == prize.when or not prize.fresh)
        ]
        if prize.fresh and not mine:
            new.append(prize)
        for row in found[prize.ship]:
            wanted = _columns(prize, row) if row in mine[-1:] else _settled(row)
            if wanted != _columns_of(row):
                for name, value in zip(_PRIZE_FIELDS, wanted, strict=True):
                    setattr(row, name, value)
                changed.append(row)
    Prize.objects.bulk_update(changed, _PRIZE_FIELDS, batch_size=200)
    _prizes_make(book, navies, new)


def _columns_of(row: Prize) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in _PRIZE_FIELDS)


def _columns(prize: PrizeNow, row: Prize) -> tuple[Any, ...]:
    """What the row of a capture has to contain now."""
    prisoners = row.prisoners if prize.prisoners is None else prize.prisoners
    return prize.status, prize.port, prize.court, prize.aboard, prize.value, prize.head_money, prisoners


def _settled(row: Prize) -> tuple[Any, ...]:
    """What the row of an earlier capture says: the ship has been taken from that captor since."""
    status, *others = _columns_of(row)
    return (Prize.Status.RETAKEN if status in PRIZES_OPEN else status, *others)


def _prizes_make(book: Book, navies: Mapping[str, Navy], prizes: Sequence[PrizeNow]) -> None:
    if not prizes:
        return
    codes = {prize.ship for prize in prizes} | {prize.taken_by for prize in prizes}
    keys = dict(book.ships.filter(code__in=codes).values_list("code", "pk"))
    Prize.objects.bulk_create(
        Prize(
            ship_id=keys[prize.ship], captor=navies[prize.captor], taken_from=navies[prize.taken_from],
            taken_by_id=keys.get(prize.taken_by), when=prize.when, battle=prize.battle[:60], prize_crew=prize.crew,
            prisoners=prize.prisoners or 0, status=prize.status, port=prize.port, court=prize.court, aboard=prize.aboard,
            value=prize.value, head_money=prize.head_money,
        )
        for prize in prizes
    )  # fmt: skip


def _officers_write(book: Book, officers: Sequence[OfficerNow]) -> None:
    if not officers:
        return
    rows = {
        (row.navy.code, row.name): row
        for row in Officer.objects.filter(navy__book=book).select_related("navy", "ship")
    }
    wanted = {}
    for now in officers:
        row = rows.get((now.navy, now.name))
        if row is None:
            continue
        ship = row.ship.code if row.ship else ""
        if (ship, row.status, row.flag_rank) != (now.ship, now.status, now.flag_rank):
            wanted[row.pk] = (row, now)
    if not wanted:
        return
    codes = {now.ship for _, now in wanted.values() if now.ship}
    keys = dict(book.ships.filter(code__in=codes).values_list("code", "pk"))
    for row, now in wanted.values():
        row.ship_id = keys[now.ship] if now.ship else None
        row.status, row.flag_rank = now.status, now.flag_rank
    Officer.objects.bulk_update([row for row, _ in wanted.values()], ["ship", "status", "flag_rank"])


def _names_write(book: Book, names: Mapping[str, str]) -> None:
    """Names as they are now. A ship keeps its former names; one that it gets back is no longer a former one. Rule: G.PR4."""
    if not names:
        return
    stored = dict(book.ships.filter(code__in=names).values_list("code", "name"))
    differ = [code for code, name in names.items() if stored[code] != name]
    if not differ:
        return
    rows = list(book.ships.filter(code__in=differ))
    for ship in rows:
        name = names[ship.code]
        if name in ship.former_names:
            ship.former_names = ship.former_names[: ship.former_names.index(name)]
        else:
            ship.former_names = [*ship.former_names, ship.name]
        ship.name = name
    bulk_update_with_history(rows, Ship, ["name", "former_names"], default_change_reason="renamed")


def officer_records_write(*, book: Book, entries: Iterable[OfficerEntry], turn: str) -> int:
    """Write entries into officers' records; those that exist already are left. Returns how many were written.

    Raises ValueError on an unknown kind, KeyError when `data` lacks what its sentence names. Rules: G.AF1, G.SV1.
    """
    rows = list(entries)
    for entry in rows:
        if entry.kind not in OFFICER_KINDS:
            raise ValueError(
                f"no kind of officer's record {entry.kind!r}; known are {', '.join(OFFICER_KINDS)}"
            )
        OFFICER_KINDS[entry.kind].format_map(entry.data)
    if not rows:
        return 0
    names = {entry.name for entry in rows}
    officers = {
        (row.navy.code, row.name): row
        for row in Officer.objects.filter(navy__book=book, name__in=names).select_related("navy")
    }
    new = {}
    for entry in rows:
        officer = officers.get((entry.navy, entry.name))
        if officer is not None:
            new[officer.pk, entry.event] = OfficerRecord(
                officer=officer,
                when=entry.when,
                kind=entry.kind,
                data=dict(entry.data),
                turn=turn,
                event=entry.event,
            )
    events = {event for _, event in new}
    have = set(
        OfficerRecord.objects.filter(officer__in=officers.values(), event__in=events, void="").values_list(
            "officer_id", "event"
        )
    )
    missing = [row for key, row in new.items() if key not in have]
    OfficerRecord.objects.bulk_create(missing)
    return len(missing)
