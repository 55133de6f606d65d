"""Rows that many tests begin with: built once in a process, and from then on put into the database as they were.

A campaign takes a quarter of a second to start, and its first turn with a battle two seconds more; a thousand tests begin there. What
a builder leaves in an untouched database is kept as plain rows, by its arguments, the settings in force and what was there before. It
is kept for minutes only, so that deadlines are as far away as a test expects; a test that stops the clock has rows of its own.
"""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import ParamSpec, TypeVar

from django.apps import apps
from django.conf import UserSettingsHolder, settings
from django.db import connection, transaction
from django.utils import timezone

from tests.support import whole

P = ParamSpec("P")
R = TypeVar("R")
Row = tuple[object, ...]

FRESH = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a table. name: quoted."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a builder made. result: what it returned, pickled."""

    made: datetime
    tables: tuple[Table, ...]
    result: bytes

    def put(self) -> None:
        """Write the rows again, all at once: some refer to others that come after them."""
        with transaction.atomic(savepoint=False), connection.cursor() as cursor:
            for table in self.tables:
                places = ", ".join(["%s"] * len(table.columns))
                words = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({places})"
                cursor.executemany(words, table.rows)


_kept: dict[Hashable, Kept] = {}


def remembered(build: Callable[P, R]) -> Callable[P, R]:
    """A builder of rows that is run once a process for each of its arguments; `__wrapped__` runs it always.

    Its arguments are hashable, and what it returns can be pickled. A builder that changes rows which were there before is run every time,
    and so is one that is called outside a test's transaction, but for a database that is put back whole (`tests.support.whole`).
    """

    @functools.wraps(build)
    def rows_of(*args: P.args, **kwargs: P.kwargs) -> R:
        if not connection.in_atomic_block and not whole.is_put_back():
            return build(*args, **kwargs)
        key = (build, args, tuple(sorted(kwargs.items())), _settings(), _standing())
        kept = _kept.get(key)
        if kept is None or not timedelta(0) <= timezone.now() - kept.made < FRESH:
            before, made = _rows(), timezone.now()
            result = build(*args, **kwargs)
            tables = _since(before)
            if tables is not None:
                _kept[key] = Kept(made, tables, pickle.dumps(result))
            return result
        kept.put()
        again: R = pickle.loads(kept.result)
        return again

    return rows_of


def _settings() -> str:
    """What tests have changed of the settings."""
    changed, holder = [], settings._wrapped
    while isinstance(holder, UserSettingsHolder):
        changed += [f"{name}={value!r}" for name, value in vars(holder).items() if name.isupper()]
        holder = holder.default_settings
    return "\n".join(changed)


@functools.cache
def _tables() -> list[tuple[str, str]]:
    """Every table with its key's column, both quoted."""
    quote = connection.ops.quote_name
    found = {
        model._meta.db_table: model._meta.pk.column
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    }
    return [(quote(table), quote(key)) for table, key in sorted(found.items())]


def _standing() -> tuple[Row, ...]:
    """How many rows there are and up to which key, table by table; in one query."""
    words = " UNION ALL ".join(
        f"SELECT {number}, COUNT(*), CAST(MAX({key}) AS TEXT) FROM {table}"
        for number, (table, key) in enumerate(_tables())
    )
    with connection.cursor() as cursor:
        cursor.execute(words)
        return tuple(sorted(cursor.fetchall()))


def _rows() -> dict[str, tuple[tuple[str, ...], dict[object, Row]]]:
    """All rows by table and key, as the database's driver reads them."""
    found = {}
    with connection.cursor() as cursor:
        for table, key in _tables():
            cursor.execute(f"SELECT {key}, {table}.* FROM {table} ORDER BY {key}")
            names = tuple(connection.ops.quote_name(column[0]) for column in cursor.description[1:])
            found[table] = names, {row[0]: row[1:] for row in cursor.fetchall()}
    return found


def _plain(value: object) -> object:
    """A value as it can be written again; SQLite reads times as objects and keeps them as text."""
    if isinstance(value, memoryview):
        return bytes(value)
    if connection.vendor == "sqlite" and isinstance(value, date | time):
        return str(value)
    return value


def _since(before: dict[str, tuple[tuple[str, ...], dict[object, Row]]]) -> tuple[Table, ...] | None:
    """Rows that are new since, table by table; None when one that was there is gone or changed."""
    tables = []
    for table, (columns, rows) in _rows().items():
        old = before[table][1]
        if any(rows.get(key) != row for key, row in old.items()):
            return None
        new = tuple(tuple(map(_plain, row)) for key, row in rows.items() if key not in old)
        if new:
            tables.append(Table(table, columns, new))
    return tuple(tables)
