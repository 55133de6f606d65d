"""What the tests with real processes share."""

import fcntl
import os
from pathlib import Path

import pytest

from tests.support.processes import DATABASE, migrate, plain_environment


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty SQLite database with all tables, of which each installation gets a copy.

    It is migrated once, by the first process of the suite that needs it; the others wait and find it.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # each process has a folder of its own in the suite's
    folder = folder / "tables"
    folder.mkdir(exist_ok=True)
    done = folder / "done"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            migrate(plain_environment(VAR_DIR=str(folder)))
            done.touch()
    return folder / DATABASE
