"""The ledger: what happened to every ship, in entries that are written once and never changed. Rule: G.SV1.

An entry keeps numbers and names, not prose; `sentence` makes the prose, so that a better wording reaches old entries too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from fleets.models import Book, OfficerRecord, ServiceRecord, Ship
from fleets.record_words import KINDS, names_in, sentence

__all__ = ["KINDS", "NewRecord", "record_correct", "record_write", "records_write_bulk", "sentence"]


@dataclass(frozen=True, slots=True)
class NewRecord:
    """An entry to be written. event: code of what caused it; a ship has each event once. when: chart time, YYYY-MM-DDTHH:MM."""

    ship: Ship
    when: str
    kind: str
    event: str
    data: Mapping[str, Any] = field(default_factory=dict)
    turn: str = ""
    battle: str = ""
    navy_code: str = ""


def record_write(
    *,
    ship: Ship,
    when: str,
    kind: str,
    data: Mapping[str, Any],
    event: str,
    turn: str = "",
    battle: str = "",
) -> ServiceRecord:
    """Write an entry, or find it when this event is already in the ship's record.

    Raises ValueError on an unknown kind or when `data` does not have what the kind's sentence names. Rule: G.SV1.
    """
    new = NewRecord(ship=ship, when=when, kind=kind, data=data, event=event, turn=turn, battle=battle)
    row = _row(new)
    record, _ = ServiceRecord.objects.get_or_create(
        ship=ship,
        event=event,
        void="",
        defaults={
            "when": when,
            "kind": kind,
            "data": row.data,
            "turn": turn,
            "battle": battle,
            "navy_code": row.navy_code,
        },
    )
    return record


def records_write_bulk(records: Iterable[NewRecord]) -> int:
    """Write many entries in a few queries; those that exist already are left. Returns how many were written.

    Raises ValueError as `record_write` does, before anything is written. Rule: G.SV1.
    """
    rows = [_row(new) for new in records]
    if not rows:
        return 0
    with transaction.atomic():
        events = {row.event for row in rows}
        ships = {row.ship_id for row in rows}
        have = set(
            ServiceRecord.objects.filter(ship__in=ships, event__in=events, void="").values_list(
                "ship_id", "event"
            )
        )
        missing = {(row.ship_id, row.event): row for row in rows if (row.ship_id, row.event) not in have}
        ServiceRecord.objects.bulk_create(missing.values(), batch_size=500)
    return len(missing)


def record_correct(
    *, record: ServiceRecord, data: Mapping[str, Any], reason: str, by: str, kind: str = ""
) -> ServiceRecord:
    """Correct an entry by a new one that names it; the old one stays as it is.

    data: names and numbers that change. reason: shown with the entry. by: who corrects, as a name that outlives the account.
    kind: when the entry was of the wrong kind. Raises ValueError without a reason. Rule: G.SV1.
    """
    if not reason.strip():
        raise ValueError("a correction needs a reason")
    with transaction.atomic():
        number = record.corrections.count() + 1
        new = NewRecord(
            ship=record.ship,
            when=record.when,
            kind=kind or record.kind,
            data={**record.data, **data, "reason": reason.strip(), "by": by},
            event=f"{record.event}/correction-{number}",
            turn=record.turn,
            battle=record.battle,
            navy_code=record.navy_code,
        )
        row = _row(new)
        row.corrects = record
        row.save()
    return row


def records_void(*, book: Book, since: datetime, action: str) -> int:
    """Mark what was written in a book since a moment as void by a rollback; corrections of older entries stay. Rule: G.UM3.

    Returns how many entries of ships; those of officers go with them.
    """
    officers = OfficerRecord.objects.filter(officer__navy__book=book, void="", written__gte=since)
    rows = ServiceRecord.objects.filter(ship__book=book, void="", written__gte=since)
    return rows.exclude(corrects__written__lt=since).void_by(action) + officers.void_by(action)


def records_digest(*, book: Book, turn: str) -> str:
    """SHA-256 over the ledger entries that a turn wrote, corrections left out: it tells whether one was changed since. Rule: G.SV1."""
    columns = ("ship__code", "event", "when", "kind", "data", "battle", "navy_code")
    rows = ServiceRecord.objects.filter(ship__book=book, turn=turn, corrects=None)
    told = [list(row) for row in rows.order_by("ship__code", "event", "void").values_list(*columns)]
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _row(new: NewRecord) -> ServiceRecord:
    if new.kind not in KINDS:
        raise ValueError(f"no kind of service record {new.kind!r}; known are {', '.join(KINDS)}")
    lacking = sorted(names_in(new.kind) - set(new.data))
    if lacking:
        raise ValueError(f"a {new.kind} entry needs {', '.join(lacking)}")
    return ServiceRecord(
        ship=new.ship,
        when=new.when,
        kind=new.kind,
        event=new.event,
        data=dict(new.data),
        turn=new.turn,
        battle=new.battle,
        navy_code=new.navy_code or new.ship.navy.code,
    )
