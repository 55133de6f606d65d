"""The fleets into which a side of a register is composed for a theatre: read, changed and kept, each change at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import IntegrityError, transaction

from fleets.compositions import Plan, plan_document, plan_of, suggested
from fleets.divisions import Mustered
from fleets.models import Composition, Register, RegisterEntry


class CompositionStale(ValueError):
    """Someone else has changed the fleets since they were shown; nothing was saved."""


def composition_of(register: Register, side: str, theatre: str) -> Composition | None:
    """What has been composed for a theatre, None for nothing. One query."""
    return Composition.objects.filter(register=register, side=side, theatre=theatre).first()


def entries_of(register: Register, side: str) -> list[RegisterEntry]:
    """A side's ships in the order of the register, with their nations. One query."""
    return list(
        register.entries.filter(side=side).select_related("nation", "register").order_by("line", "name")
    )


def plan_suggested(entries: list[RegisterEntry], *, name: str, place: str) -> Plan:
    """What a side begins with before anyone has composed it: one fleet, with the register's squadrons."""
    rows = [
        (row.name, Mustered(key, row.squadron, row.division, row.role, row.guns or 0))
        for key, row in enumerate(entries)
    ]
    return suggested(rows, name=name, place=place)


def composition_change(
    *,
    register: Register,
    side: str,
    theatre: str,
    state_no: int,
    first: Plan,
    change: Callable[[Plan], Plan],
    user: Any,
) -> Composition:
    """Change a side's fleets and keep them. state_no: of those that the user saw, 0 for `first`, which no one has kept yet.

    Raises CompositionStale when someone else was quicker, ValueError as `change` does; nothing is saved then.
    """
    by = user.get_username()
    found = composition_of(register, side, theatre) or Composition(document=plan_document(first), state_no=0)
    if found.state_no != state_no:
        raise CompositionStale
    document = plan_document(change(plan_of(found.document)))
    if found.pk is None:
        try:
            with transaction.atomic():
                return Composition.objects.create(
                    register=register, side=side, theatre=theatre, document=document, by=by
                )
        except IntegrityError:
            raise CompositionStale from None
    if found.document == document:
        return found
    rows = Composition.objects.filter(pk=found.pk, state_no=state_no)
    if not rows.update(document=document, by=by, state_no=state_no + 1):
        raise CompositionStale
    found.refresh_from_db()
    return found


def composition_forget(*, register: Register, side: str, theatre: str) -> None:
    """Forget what has been composed: the side is suggested afresh."""
    Composition.objects.filter(register=register, side=side, theatre=theatre).delete()
