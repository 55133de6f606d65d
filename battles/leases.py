"""How a worker takes hold of work: a conditional update sets a token and a lease; whoever writes later must still hold the token.

SQLite has no row locks that last across statements, and no broker tried survives a hard kill, so the database is the ledger:
one idiom for battles, turns and notices, on both databases.
"""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, Model, Q, QuerySet
from django.utils import timezone


class LeaseLost(Exception):
    """Somebody else has taken over the work; what was computed has to be dropped."""


def free(now: Any = None) -> Q:
    """Rows that nobody works on: never claimed, or claimed by somebody whose lease has run out."""
    return Q(claim=None) | Q(lease_until__lt=now or timezone.now())


def take(rows: QuerySet[Any], **changes: Any) -> uuid.UUID | None:
    """Claim one row for a lease of settings.LEASE_SECONDS. Returns the token, or None when there was nothing to take."""
    token = uuid.uuid4()
    until = timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)
    taken = rows.filter(free()).update(claim=token, lease_until=until, attempts=F("attempts") + 1, **changes)
    return token if taken else None


def finish(row: Model, token: uuid.UUID, **changes: Any) -> None:
    """Give a claimed row back with its changes: the first statement of the one short write.

    Raises LeaseLost when the token is no longer the row's, or its lease has run out: a worker slowed past it writes nothing.
    """
    manager = type(row)._default_manager
    held = manager.filter(pk=row.pk, claim=token, lease_until__gte=timezone.now())
    if not held.update(claim=None, lease_until=None, **changes):
        raise LeaseLost(f"{type(row).__name__} {row.pk}: the lease has run out")


def keep(row: Model, token: uuid.UUID) -> None:
    """Renew a lease in the middle of long work. Raises LeaseLost."""
    manager = type(row)._default_manager
    until = timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)
    if not manager.filter(pk=row.pk, claim=token, lease_until__gte=timezone.now()).update(lease_until=until):
        raise LeaseLost(f"{type(row).__name__} {row.pk}: the lease has run out")
