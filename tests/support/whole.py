"""The database of the tests saved whole, and put back after each of those that commit what they do.

Django clears up after such a test by emptying a hundred tables and filling some of them anew, which takes a quarter of a second. A database
in memory is copied in a hundredth of that, and is then as all other tests find it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from django.db import connection
from django.test import TransactionTestCase

from tests.support.processes import wait_until

_put_back = False


def is_put_back() -> bool:
    """Whether the database is put back after each test that commits."""
    return _put_back


@contextmanager
def put_back_after_each_test() -> Iterator[None]:
    """Within it the database is put back as it is now. One that is not in memory is left to Django."""
    global _put_back
    if connection.vendor != "sqlite" or not connection.is_in_memory_db():
        yield
        return
    connection.ensure_connection()
    with closing(sqlite3.connect(":memory:")) as saved, pytest.MonkeyPatch.context() as patch:
        connection.connection.backup(saved)
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda case: _put(saved))
        _put_back = True
        try:
            yield
        finally:
            _put_back = False


def _put(saved: sqlite3.Connection) -> None:
    """Put back what was saved. The server may be at a last answer, which nobody awaits, and have the database in use."""

    def put() -> bool:
        try:
            saved.backup(connection.connection)
        except sqlite3.OperationalError:
            return False
        return True

    wait_until(put, "the database to be at rest", seconds=30)
