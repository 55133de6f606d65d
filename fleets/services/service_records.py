"""The ledger: what happened to every ship, in entries that are written once and never changed. Rule: G.SV1.

An entry keeps numbers and names, not prose; `sentence` makes the prose, so that a better wording reaches old entries too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from django.db import transaction

from fleets.models import ServiceRecord, Ship

KINDS: Mapping[str, str] = {
    "mustered": "Mustered for {navy}, {squadron}: {men:man:men} of a complement of {complement}.",
    "assigned": "Joined {squadron} of {fleet}.",
    "flagship": "Became flagship of {squadron}.",
    "captain": "{officer} took command.",
    "fought": "Fought in {battle}: {hits_given:hit} given, {hits_taken:hit} taken.",
    "damaged": "Damaged in {battle}: {percent} per cent of her hull gone, {steps:step} of damage.",
    "took": "Took {prize} in {battle}, with {prisoners:prisoner}.",
    "captured": "Taken by {captor} for {navy} in {battle}, {prisoners:prisoner} in her.",
    "retaken": "Retaken by {captor} for {navy} in {battle}, {prisoners:prisoner} in her.",
    "lost": "{fate} in {battle}, {hits_taken:hit} taken.",
    "interned": "Interned after {battle}.",
    "officer": "{officer} {fate} in {battle}.",
    "renamed": "Renamed {name}, formerly {former}.",
    "repaired": "Repaired at {place}: {work}.",
}


@dataclass(frozen=True, slots=True)
class NewRecord:
    """An entry to be written. event: code of what caused it; a ship has an event once. when: chart time, YYYY-MM-DDTHH:MM."""

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
    """Write an entry, or find it when this event stands in her record already.

    Raises ValueError on an unknown kind or when `data` lacks what the kind's sentence names. Rule: G.SV1.
    """
    new = NewRecord(ship=ship, when=when, kind=kind, data=data, event=event, turn=turn, battle=battle)
    row = _row(new)
    record, _ = ServiceRecord.objects.get_or_create(
        ship=ship,
        event=event,
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
    """Write many entries in a few queries; those that are there already are left. Returns how many were written.

    Raises ValueError as `record_write` does, before anything is written. Rule: G.SV1.
    """
    rows = [_row(new) for new in records]
    with transaction.atomic():
        events = {row.event for row in rows}
        ships = {row.ship_id for row in rows}
        have = set(
            ServiceRecord.objects.filter(ship__in=ships, event__in=events).values_list("ship_id", "event")
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


def sentence(record: ServiceRecord) -> str:
    """An entry in words; a correction says why it was made and by whom. Rule: G.SV1."""
    words = _words(record.kind, record.data)
    if record.corrects_id is None:
        return words
    return f"Correction: {words} ({record.data.get('reason', '')}, {record.data.get('by', '')})"


class _Counted(int):
    """A number that writes its noun: `{hits:hit}` gives "1 hit" or "3 hits", `{men:man:men}` the irregular ones."""

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(int(self))
        one, _, many = spec.partition(":")
        return f"{int(self)} {one if self == 1 else many or one + 's'}"


def _words(kind: str, data: Mapping[str, Any]) -> str:
    values = {
        name: _Counted(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for name, value in data.items()
    }
    return KINDS[kind].format_map(values)


def _row(new: NewRecord) -> ServiceRecord:
    if new.kind not in KINDS:
        raise ValueError(f"no kind of service record {new.kind!r}; known are {', '.join(KINDS)}")
    needed = {name for _, name, _, _ in Formatter().parse(KINDS[new.kind]) if name}
    lacking = sorted(needed - set(new.data))
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
