"""How a worker takes hold of work: a conditional update sets a token and a lease; whoever writes later must still hold the token.

SQLite has no row locks that last across statements, and no broker tried survives a hard kill, so the database is the ledger:
one idiom for battles, turns and notices, on both databases. The conditions of an update are on the row itself: PostgreSQL checks
those again when it has waited for a row that another worker was writing, and does not check other tables again.
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import Error, connection
from django.db.models import F, Model, Q, QuerySet
from django.db.models.expressions import BaseExpression
from django.db.models.sql import Query
from django.utils import timezone

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 3  # times that a battle or a turn is taken up before it is given up


class LeaseLost(Exception):
    """Another worker has taken over; what was computed has to be dropped."""


def free(now: Any = None) -> Q:
    """Rows that no one works on: never claimed, or claimed by a worker whose lease has run out.

    A lease that ends later than any that could be taken now is of a time before the clock was set back. Its worker may be gone,
    and would hold the work until the clock has caught up; if it lives, it finds its token gone.
    """
    now = now or timezone.now()
    longest = now + timedelta(seconds=2 * settings.LEASE_SECONDS)
    return Q(claim=None) | Q(lease_until__lt=now) | Q(lease_until__gt=longest)


def take(rows: QuerySet[Any], **changes: Any) -> uuid.UUID | None:
    """Claim one row for a lease of settings.LEASE_SECONDS. Returns the token, or None when there was nothing to take.

    Raises TypeError for rows that are chosen by anything but their own columns.
    """
    _by_own_columns(rows)
    token = uuid.uuid4()
    taken = rows.filter(free()).update(
        claim=token, lease_until=_until(), attempts=F("attempts") + 1, **changes
    )
    return token if taken else None


def take_or_give_up(rows: QuerySet[Any], **changes: Any) -> tuple[uuid.UUID | None, bool]:
    """Claim one row as `take` does. Returns the token and whether this was one time too many: each worker that had it died.

    Work that is to be given up is held by its token too, so that one worker alone gives it up, with `finish`.
    """
    token = take(rows.filter(attempts__lt=MAX_ATTEMPTS), **changes)
    if token is not None:
        return token, False
    token = take(rows.filter(attempts__gte=MAX_ATTEMPTS), **changes)
    return token, token is not None


def give_back(row: Model, token: uuid.UUID) -> None:
    """Release work that cannot be done now, as if it had not been taken. Harmless when another worker has it."""
    _held(row, token).update(claim=None, lease_until=None, attempts=F("attempts") - 1)


def finish(row: Model, token: uuid.UUID, **changes: Any) -> None:
    """Give a claimed row back with its changes: the first statement of the one short write.

    Raises LeaseLost when the token is no longer the row's, or its lease has run out: a worker slowed past it writes nothing.
    """
    if not _in_time(row, token).update(claim=None, lease_until=None, **changes):
        raise _lost(row)


def keep(row: Model, token: uuid.UUID, **changes: Any) -> None:
    """Renew a lease in the middle of long work, with what else is to be changed then. Raises LeaseLost."""
    if not _in_time(row, token).update(lease_until=_until(), **changes):
        raise _lost(row)


@contextmanager
def kept(row: Model, token: uuid.UUID, *, every: float | None = None) -> Iterator[None]:
    """Renew a lease for as long as the block computes. every: seconds between renewals, a third of the lease if nothing is said.

    The block must hold no transaction open: the renewals go over a connection of their own and wait for no one. When the lease is
    lost they end, and the block's next write raises LeaseLost.
    """
    over = threading.Event()
    pause = settings.LEASE_SECONDS / 3 if every is None else every
    thread = threading.Thread(target=_renew, args=(row, token, over, pause), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _renew(row: Model, token: uuid.UUID, over: threading.Event, pause: float) -> None:
    try:
        while not over.wait(pause):
            try:
                keep(row, token)
            except Error:
                logger.warning("a lease could not be renewed; there is time for another try", exc_info=True)
                connection.close()
    except LeaseLost as lost:
        logger.warning("%s", lost)
    finally:
        connection.close()  # this thread's own


def _until() -> Any:
    return timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)


def _held(row: Model, token: uuid.UUID) -> QuerySet[Any]:
    return type(row)._default_manager.filter(pk=row.pk, claim=token)


def _in_time(row: Model, token: uuid.UUID) -> QuerySet[Any]:
    return _held(row, token).filter(lease_until__gte=timezone.now())


def _lost(row: Model) -> LeaseLost:
    return LeaseLost(f"{type(row).__name__} {row.pk}: the lease has run out")


def _by_own_columns(rows: QuerySet[Any]) -> None:
    """Refuse rows that an update could not check again after waiting for them."""
    query = rows.query
    joined = sum(query.alias_refcount[alias] > 0 for alias in query.alias_map) > 1
    if joined or query.is_sliced or query.distinct or query.combinator or _reads_other_rows(query.where):
        raise TypeError(
            f"Work is taken by the columns of its own row; these rows of {rows.model.__name__} are chosen with a join, a subquery, "
            "a slice or distinct. Check other tables before the take, and again after it."
        )


def _reads_other_rows(node: Any) -> bool:
    """Whether a condition has a query in it."""
    if isinstance(node, Query) or getattr(node, "subquery", False):
        return True
    parts = [*getattr(node, "children", ()), getattr(node, "lhs", None), getattr(node, "rhs", None)]
    if isinstance(node, BaseExpression):
        parts += node.get_source_expressions()
    return any(_reads_other_rows(part) for part in parts if part is not None)
