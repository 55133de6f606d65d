"""What the tests with real processes share."""

from pathlib import Path

import pytest

from tests.support.processes import DATABASE, migrate, plain_environment


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty SQLite database with all tables: migrated once, and each installation gets a copy."""
    folder = tmp_path_factory.mktemp("tables")
    migrate(plain_environment(VAR_DIR=str(folder)))
    return folder / DATABASE
