"""Files into registers, in two steps, preview and confirmation; and undo as a whole.

What a file would do is worked out again at each step, so nothing is saved that the user has not been shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from simple_history.utils import bulk_create_with_history, bulk_update_with_history

from fleets.models import ImportBatch, Register, RegisterEntry, Ship
from fleets.register_columns import COLUMNS
from fleets.services.import_plans import ImportPlan, PlannedRow, import_plan

KEPT_WAITING = timedelta(days=2)
_AT_A_TIME = 40  # rows of a bulk update, which names every column of every row


class Saved(NamedTuple):
    """How many entries were new, changed, and unchanged."""

    new: int
    changed: int
    unchanged: int


def import_wait(
    *, register: Register, raw: bytes, file_name: str, user: Any, skip_unknown: bool = False
) -> ImportBatch:
    """Keep a file until a user confirms it. Files not confirmed within two days are dropped.

    Raises ValidationError for a supplied original.
    """
    refuse_original(register)
    ImportBatch.objects.filter(
        status=ImportBatch.Status.WAITING, made__lt=timezone.now() - KEPT_WAITING
    ).delete()
    name = file_name[-200:]
    return ImportBatch.objects.create(
        register=register,
        file_name=name,
        file=raw,
        digest=hashlib.sha256(raw).hexdigest(),
        reason=f"Import of {name}",
        skip_unknown=skip_unknown,
        by=user.get_username(),
        user=user,
    )


def batch_plan(batch: ImportBatch) -> ImportPlan:
    """What a waiting import would do to its register as it is now."""
    return import_plan(register=batch.register, raw=bytes(batch.file or b""), skip_unknown=batch.skip_unknown)


def plan_mark(plan: ImportPlan) -> str:
    """A mark of what a plan would do; it differs when the register has changed since the plan was shown."""
    told = [(row.line, row.state, row.entry.pk, row.changes) for row in plan.rows]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:32]


def import_confirm(*, batch: ImportBatch, mark: str, reason: str = "") -> Saved | None:
    """Save what was shown, all or nothing. Returns None when the register has changed since: nothing is saved then.

    mark: `plan_mark` of the plan that was shown. Raises ValidationError when the import is no longer waiting, has errors, or
    its register is a supplied original.
    """
    refuse_original(batch.register)
    with transaction.atomic():
        claimed = ImportBatch.objects.filter(pk=batch.pk, status=ImportBatch.Status.WAITING).update(
            status=ImportBatch.Status.DONE, done=timezone.now()
        )
        if not claimed:
            raise ValidationError("This import has already been confirmed or cancelled.")
        plan = batch_plan(batch)
        if plan.faults:
            raise ValidationError("The file has errors. Nothing was saved.")
        if plan_mark(plan) != mark:
            transaction.set_rollback(True)
            return None
        if reason.strip():
            batch.reason = f"{reason.strip()} ({batch.file_name})"[:300]
        saved = plan_save(
            register=batch.register, rows=plan.rows, batch=batch, user=batch.user, reason=batch.reason
        )
        batch.status, batch.done, batch.file = ImportBatch.Status.DONE, timezone.now(), None
        batch.new, batch.changed, batch.unchanged = saved
        batch.save()
    return saved


def plan_save(
    *,
    register: Register,
    rows: Sequence[PlannedRow],
    reason: str,
    batch: ImportBatch | None = None,
    user: Any = None,
) -> Saved:
    """Write the rows of a plan with their history; rows that have only moved to another line of the file have none."""
    new = [row.entry for row in rows if row.state == "new"]
    changed = [row.entry for row in rows if row.state == "changed"]
    moved = [row.entry for row in rows if row.state == "unchanged" and row.moved]
    for entry in new:
        entry.register = register
    marks = {
        "default_change_reason": reason,
        "custom_historical_attrs": {"batch": batch},
        "default_user": user,
    }
    with transaction.atomic():
        if new:
            bulk_create_with_history(new, RegisterEntry, batch_size=500, **marks)
        if moved:
            RegisterEntry.objects.bulk_update(moved, ["line"], batch_size=200)
        if changed:
            _update(changed, [*COLUMNS, "line"], **marks)
    return Saved(len(new), len(changed), sum(row.state == "unchanged" for row in rows))


def _update(entries: Sequence[RegisterEntry], columns: Sequence[str], **marks: Any) -> None:
    bulk_update_with_history(list(entries), RegisterEntry, list(columns), batch_size=_AT_A_TIME, **marks)


def batch_give_up(*, batch: ImportBatch) -> None:
    """Drop an import that was not confirmed. One that was confirmed stays."""
    ImportBatch.objects.filter(pk=batch.pk, status=ImportBatch.Status.WAITING).delete()


def batch_undo(*, batch: ImportBatch, user: Any, reason: str = "") -> Saved:
    """Undo everything that a batch did: new entries are removed, changed ones restored.

    Returns (entries removed, entries restored, 0). Raises ValidationError, and does nothing, when the batch is not done or its
    entries have been changed since: the error names them.
    """
    refuse_original(batch.register)
    with transaction.atomic():
        claimed = ImportBatch.objects.filter(pk=batch.pk, status=ImportBatch.Status.DONE).update(
            status=ImportBatch.Status.UNDONE, undone=timezone.now(), undone_by=user.get_username()
        )
        if not claimed:
            raise ValidationError("This change was not completed, or has already been undone.")
        versions = list(RegisterEntry.history.filter(batch=batch).order_by("pk"))
        _refuse_changed_since(versions)
        words = f"Undone: {batch.reason}" + (f" – {reason.strip()}" if reason.strip() else "")
        removed = _remove([row.id for row in versions if row.history_type == "+"], user=user, reason=words)
        back = _put_back([row for row in versions if row.history_type == "~"], user=user, reason=words)
    batch.refresh_from_db()
    return Saved(removed, back, 0)


def _refuse_changed_since(versions: Sequence[Any]) -> None:
    """Raises ValidationError that names the ships which are not as the batch left them; changed and changed back is no change."""
    now = RegisterEntry.objects.in_bulk([row.id for row in versions])
    columns = ["nation_id" if column == "nation" else column for column in COLUMNS]
    later = sorted(
        row.name
        for row in versions
        if row.id not in now or any(getattr(now[row.id], name) != getattr(row, name) for name in columns)
    )
    if later:
        more = f" and {len(later) - 10} more" if len(later) > 10 else ""
        raise ValidationError(
            f"These ships have changed since, so nothing can be undone: {', '.join(later[:10])}{more}."
        )


def _remove(ids: Iterable[int], *, user: Any, reason: str) -> int:
    """Delete entries with their last versions in the history, in a few queries. Raises ValidationError if ships were mustered from them."""
    entries = list(RegisterEntry.objects.filter(pk__in=list(ids)))
    mustered = sorted({ship.name for ship in Ship.objects.filter(entry__in=entries)[:10]})
    if mustered:
        raise ValidationError(f"Campaigns have mustered these ships: {', '.join(mustered)}.")
    history = RegisterEntry.history.model
    now = timezone.now()
    fields = [field.attname for field in RegisterEntry._meta.concrete_fields]
    history.objects.bulk_create(
        (
            history(
                **{name: getattr(entry, name) for name in fields},
                history_date=now,
                history_type="-",
                history_user=user,
                history_change_reason=reason,
            )
            for entry in entries
        ),
        batch_size=500,
    )
    found = RegisterEntry.objects.filter(pk__in=[entry.pk for entry in entries])
    found._raw_delete(
        found.db
    )  # no ship refers to them; a delete by signals would write every history once more
    return len(entries)


def _put_back(versions: Sequence[Any], *, user: Any, reason: str) -> int:
    """Give entries the values that they had before the versions given."""
    by_entry = {row.id: row for row in versions}
    before: dict[int, Any] = {}
    for row in RegisterEntry.history.filter(id__in=list(by_entry)).order_by("history_id"):
        if row.history_id < by_entry[row.id].history_id:
            before[row.id] = row
    entries = list(RegisterEntry.objects.filter(pk__in=list(before)))
    columns = [*COLUMNS, "line"]
    for entry in entries:
        for column in columns:
            name = "nation_id" if column == "nation" else column
            setattr(entry, name, getattr(before[entry.pk], name))
    if entries:
        _update(entries, columns, default_user=user, default_change_reason=reason)
    return len(entries)


def refuse_original(register: Register) -> None:
    """Raises ValidationError for a register that came with the program."""
    if register.original:
        raise ValidationError(
            f"{register} came with the program and is read-only. Copy it, then change the copy."
        )
