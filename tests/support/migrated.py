"""PostgreSQL is migrated once in a run of the tests: its first process makes a database, and all take copies of it.

A migration from nothing takes a process ten seconds, a copy none.
"""

from __future__ import annotations

from django.db import connection

# any number that no lock of the site has
LOCK = 16_651_666


def migrated_once(run: str) -> bool:
    """From now on test databases are copies of one that is migrated; whether this process made it.

    run: what the processes of a run have in common. While one of them makes the database, the others wait.
    """
    name = _name(run)
    with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]  # as Django's own making of test databases
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        cursor.execute("SELECT FROM pg_database WHERE datname = %s", [name])
        missing = cursor.fetchone() is None
        if missing:
            _make(name)
    connection.settings_dict["TEST"]["TEMPLATE"] = name
    return missing


def migrated_forget(run: str) -> None:
    """Deletes the database that was copied; a process that comes later makes one of its own."""
    with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(f'DROP DATABASE IF EXISTS "{_name(run)}"')


def _name(run: str) -> str:
    return f"migrated_{run}"


def _make(name: str) -> None:
    settings = connection.settings_dict
    ours, tested = settings["NAME"], settings["TEST"]["NAME"]
    settings["TEST"]["NAME"] = name
    try:
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    finally:
        connection.close()
        settings["NAME"], settings["TEST"]["NAME"] = ours, tested
