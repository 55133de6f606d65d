"""Merges two entries of one ship: the better of each column, campaigns' ships pointed to it, both histories kept."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from simple_history.utils import bulk_update_with_history

from fleets.models import RegisterEntry
from fleets.register_columns import COLUMNS
from fleets.services.import_plans import shown
from fleets.services.register_imports import refuse_original

MERGED_COLUMNS = tuple(column for column in COLUMNS if column not in ("extra", "overrides"))


def merge_choices(keep: RegisterEntry, drop: RegisterEntry) -> list[tuple[str, str, str]]:
    """Columns in which two entries differ: column, its own value, and the other's."""
    return [
        (column, shown(getattr(keep, column)), shown(getattr(drop, column)))
        for column in MERGED_COLUMNS
        if getattr(keep, column) != getattr(drop, column)
    ]


def entries_merge(
    *, keep: RegisterEntry, drop: RegisterEntry, take: Collection[str], reason: str, user: Any
) -> RegisterEntry:
    """Merge two entries. take: columns whose values come from the entry that goes.

    What the kept entry has no value for in `extra` and `overrides` is taken over. Ships that campaigns mustered from the entry that
    goes point to the kept one. Raises ValidationError for one entry twice, two registers, a supplied original, no reason.
    """
    if keep.pk == drop.pk:
        raise ValidationError("These are the same entry. Choose two different ones.")
    if keep.register_id != drop.register_id:
        raise ValidationError("These entries are from different registers.")
    refuse_original(keep.register)
    if not reason.strip():
        raise ValidationError("Enter a reason. It appears in the history of both entries.")
    dropped = str(drop)
    with transaction.atomic():
        for column in MERGED_COLUMNS:
            if column in take:
                setattr(keep, column, getattr(drop, column))
        keep.extra = {**(drop.extra or {}), **(keep.extra or {})}
        keep.overrides = {**(drop.overrides or {}), **(keep.overrides or {})}
        _repoint(keep, drop)
        drop._change_reason = f"Merged into {keep} (entry {keep.pk}): {reason.strip()}"  # type: ignore[attr-defined]
        drop._history_user = user  # type: ignore[attr-defined]
        old = drop.pk
        drop.delete()
        keep._change_reason = f"Merged with {dropped} (entry {old}): {reason.strip()}"  # type: ignore[attr-defined]
        keep._history_user = user  # type: ignore[attr-defined]
        keep.save()
    return keep


def _repoint(keep: RegisterEntry, drop: RegisterEntry) -> None:
    ships = list(drop.ships.all())
    for ship in ships:
        ship.entry = keep
    if ships:
        bulk_update_with_history(
            ships, type(ships[0]), ["entry"], default_change_reason=f"Register entry merged into {keep}"
        )
