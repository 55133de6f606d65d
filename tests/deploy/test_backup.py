"""Backups of a database that is in use."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.support import pg
from tests.support.processes import ROOT, plain_environment


def back_up(folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "deploy/backup.sh", str(folder)],
        cwd=ROOT,
        env=plain_environment(PYTHON=sys.executable, **environ),
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "weather_gage.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE ship (name TEXT)")
    connection.execute("INSERT INTO ship VALUES ('Royal Prince')")
    connection.commit()
    connection.close()
    return path


def test_a_copy_holds_everything_committed_while_a_writer_is_busy(tmp_path: Path, database: Path) -> None:
    writer = sqlite3.connect(database)
    writer.execute("INSERT INTO ship VALUES ('not yet')")
    done = back_up(tmp_path / "backups", VAR_DIR=str(tmp_path))
    writer.close()
    assert done.returncode == 0, done.stderr
    copy = Path(done.stdout.strip())
    assert copy.parent == tmp_path / "backups"
    connection = sqlite3.connect(copy)
    assert connection.execute("SELECT name FROM ship").fetchall() == [("Royal Prince",)]
    connection.close()
    assert copy.stat().st_mode & 0o077 == 0


def test_only_the_last_backups_are_kept_and_other_files_stay(tmp_path: Path, database: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in ("20250101", "20250102", "20250103"):
        (folder / f"weather_gage-{day}T000000Z.sqlite3").touch()
    (folder / "notes.txt").touch()
    done = back_up(folder, DATABASE_URL=f"sqlite:///{database}", KEEP="2")
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["notes.txt", "weather_gage-20250103T000000Z.sqlite3", Path(done.stdout.strip()).name]


def test_a_missing_database_leaves_nothing(tmp_path: Path) -> None:
    done = back_up(tmp_path / "backups", VAR_DIR=str(tmp_path))
    assert done.returncode == 1
    assert "database not found" in done.stderr
    assert list((tmp_path / "backups").iterdir()) == []


def test_an_unknown_address_is_refused(tmp_path: Path) -> None:
    done = back_up(tmp_path / "backups", DATABASE_URL="mysql://db/x")
    assert done.returncode == 2
    assert "DATABASE_URL must begin with" in done.stderr


@pytest.mark.skipif(bool(pg.why_not()), reason=pg.why_not())
def test_postgresql_is_dumped_so_that_it_can_be_restored(tmp_path: Path) -> None:
    with pg.private_postgres() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE ship (name TEXT)")
            connection.execute("INSERT INTO ship VALUES ('Eendracht')")
        done = back_up(tmp_path / "backups", DATABASE_URL=url, PATH=f"{pg.programs()}:{os.environ['PATH']}")
        assert done.returncode == 0, done.stderr
        subprocess.run(
            [pg.programs() / "pg_restore", "--clean", "--if-exists", "--dbname", url, done.stdout.strip()],
            check=True,
        )
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT name FROM ship").fetchall() == [("Eendracht",)]
