"""Edits selected columns of selected ships at once: previewed, saved with a reason, undone as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone

from fleets.entry_forms import ChosenForm
from fleets.forms import EXTRA_COLUMNS, EntryFault, RegisterEntryForm, faults_of, two_sentences
from fleets.models import ImportBatch, Register, RegisterEntry
from fleets.services.import_plans import Change, PlannedRow, differences, entry_values
from fleets.services.register_imports import plan_mark, plan_save, refuse_original

# Names tell ships apart, and overrides differ between rule sets: neither can be set for many ships at once.
BULK_COLUMNS = (
    *(column for column in RegisterEntryForm.Meta.fields if column not in ("name", "extra", "overrides")),
    *EXTRA_COLUMNS,
)
MOST_SHIPS = 2_000


@dataclass(frozen=True, slots=True)
class BulkPlan:
    """What an edit would do. rows: as of an import; faults: what is wrong with the values, or why ships cannot take them."""

    rows: tuple[PlannedRow, ...] = ()
    faults: tuple[EntryFault, ...] = ()

    @property
    def changed(self) -> list[PlannedRow]:
        """Ships that would change."""
        return [row for row in self.rows if row.state == "changed"]

    @property
    def mark(self) -> str:
        """A mark of what would be done, as for an import."""
        return plan_mark(self)  # type: ignore[arg-type]


def bulk_plan(*, entries: Sequence[RegisterEntry], values: Mapping[str, str]) -> BulkPlan:
    """What it would do to give these ships these values, as typed. An empty value empties the cell.

    Raises ValidationError for no ships, no columns, or ships of more than one register or of a supplied original.
    """
    prefetch_related_objects(entries, "nation", "register")
    register_of_ships(entries)
    if not values:
        raise ValidationError("Tick at least one column to change.")
    form = ChosenForm(dict(values), chosen=[column for column in values if column in BULK_COLUMNS])
    if not form.is_valid():
        return BulkPlan(faults=tuple(faults_of(form)))
    rows = tuple(_planned(entry, form.cleaned_data) for entry in entries)
    return BulkPlan(rows, tuple(_twins(rows)))


def _planned(entry: RegisterEntry, cleaned: Mapping[str, Any]) -> PlannedRow:
    before = entry_values(entry)
    after = dict(before)
    extra = dict(before["extra"] or {})
    for column, value in cleaned.items():
        (extra if column in EXTRA_COLUMNS else after)[column] = value
    after["extra"] = {name: value for name, value in extra.items() if value not in (None, "", [])}
    changes: tuple[Change, ...] = differences(before, after)
    for column, value in after.items():
        setattr(entry, column, value)
    return PlannedRow(entry.line, "changed" if changes else "unchanged", entry, changes)


def _twins(rows: Sequence[PlannedRow]) -> list[EntryFault]:
    """Ships that would have the name of another on the same side."""
    if not any(change.column == "side" for row in rows for change in row.changes):
        return []
    register = rows[0].entry.register_id
    ids = {row.entry.pk for row in rows}
    others = RegisterEntry.objects.filter(register=register).exclude(pk__in=ids)
    taken = set(others.values_list("side", "name"))
    faults = []
    for row in rows:
        key = (row.entry.side, row.entry.name)
        if key in taken:
            faults.append(
                EntryFault(
                    "side", key[0], f"already has a ship named {key[1]}", "rename one of the two first"
                )
            )
        taken.add(key)
    return faults


def bulk_edit(
    *, entries: Sequence[RegisterEntry], values: Mapping[str, str], reason: str, mark: str, user: Any
) -> ImportBatch | None:
    """Do what was shown. Returns None when the ships have changed since, and nothing is done.

    mark: of the plan that was shown. Raises ValidationError without a reason, with errors, or when nothing would change.
    """
    if not reason.strip():
        raise ValidationError("Enter a reason. It appears in every ship's history.")
    with transaction.atomic():
        plan = bulk_plan(entries=entries, values=values)
        if plan.faults:
            told = [f"{fault.column}: {two_sentences(fault.reason, fault.right)}" for fault in plan.faults]
            raise ValidationError(told)
        if plan.mark != mark:
            return None
        if not plan.changed:
            raise ValidationError("These ships already have these values.")
        register = entries[0].register
        batch = ImportBatch.objects.create(
            register=register,
            kind=ImportBatch.Kind.EDIT,
            status=ImportBatch.Status.DONE,
            reason=reason.strip()[:300],
            by=user.get_username(),
            user=user,
            done=timezone.now(),
            changed=len(plan.changed),
            unchanged=len(plan.rows) - len(plan.changed),
        )
        plan_save(register=register, rows=plan.changed, batch=batch, user=user, reason=batch.reason)
    return batch


def register_of_ships(entries: Sequence[RegisterEntry]) -> Register:
    """The one register of ships that are to be changed together. Raises ValidationError as `bulk_plan` does."""
    registers = {entry.register for entry in entries}
    if not registers:
        raise ValidationError("Choose at least one ship.")
    if len(entries) > MOST_SHIPS:
        raise ValidationError(f"Choose up to {MOST_SHIPS:,} ships at a time.")
    if len(registers) > 1:
        names = ", ".join(sorted(map(str, registers)))
        raise ValidationError(f"Choose ships from one register. These are from {names}.")
    (register,) = registers
    refuse_original(register)
    return register
