"""Backups of a site that is in use, and their way back."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db.utils import ConnectionHandler

from deploy import backups, env
from deploy.supervise import only_one
from tests.support import pg


def use(url: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let backups be made of the database at an address."""
    connection = ConnectionHandler({"default": env.database(url)})["default"]
    monkeypatch.setattr(backups, "connection", connection)
    return connection


@pytest.fixture
def var(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any, django_db_blocker: Any
) -> Iterator[Path]:
    """A site's folder with a database of one table, a key, and two emails."""
    folder = tmp_path / "var"
    settings.VAR_DIR, settings.RUN_DIR = folder, folder / "run"
    for name in ("run", "mail", "Maildir/new", "queue"):
        (folder / name).mkdir(parents=True)
    (folder / "secret_key").write_text("a key")
    (folder / "mail" / "1.eml").write_text("To: anna")
    (folder / "Maildir" / "new" / "2").write_text("From: anna")
    (folder / "queue" / "message").write_text("not kept")
    path = folder / "site.sqlite3"
    with closing(sqlite3.connect(path)) as made:
        made.execute("PRAGMA journal_mode=WAL")
        made.execute("CREATE TABLE ship (name TEXT)")
        made.execute("INSERT INTO ship VALUES ('Royal Prince')")
        made.commit()
    connection = use(f"sqlite:///{path}", monkeypatch)
    with django_db_blocker.unblock():
        yield folder
    connection.close()


def ships(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "site.sqlite3")) as connection:
        return [row[0] for row in connection.execute("SELECT name FROM ship")]


def lose(folder: Path) -> None:
    """The site has gone on, and some of it is gone."""
    with closing(sqlite3.connect(folder / "site.sqlite3")) as connection:
        connection.execute("UPDATE ship SET name = 'Prince Royal'")
        connection.commit()
    (folder / "secret_key").write_text("another key")
    (folder / "mail" / "1.eml").unlink()
    (folder / "mail" / "3.eml").write_text("To: berta")
    (folder / "Maildir" / "new" / "2").unlink()
    (folder / "Maildir" / "new" / "4").write_text("From: berta")


def back_up(folder: Path, **options: Any) -> Path:
    out = io.StringIO()
    call_command("backup", str(folder), stdout=out, **options)
    return Path(out.getvalue().strip())


def refusal(path: Path, **options: Any) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("restore", str(path), **options)
    return str(refused.value)


def test_a_backup_holds_what_is_committed_and_brings_it_back(var: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(var / "site.sqlite3")) as writer:
        writer.execute("INSERT INTO ship VALUES ('not yet')")
        path = back_up(tmp_path / "backups")
    lose(var)

    assert "The database is not empty. Use --replace" in refusal(path)
    assert ships(var) == ["Prince Royal"]
    call_command("restore", str(path), replace=True, stdout=io.StringIO())

    assert ships(var) == ["Royal Prince"]
    assert (var / "secret_key").read_text() == "a key"
    assert [item.name for item in (var / "mail").iterdir()] == ["1.eml"]
    assert (var / "Maildir" / "new" / "2").read_text() == "From: anna"
    assert (var / "Maildir" / "new" / "4").exists(), "no one else has what has arrived since"
    assert (var / "Maildir" / "cur").is_dir(), "or it would not be a maildir"
    assert path.stat().st_mode & 0o077 == (var / "secret_key").stat().st_mode & 0o077 == 0
    assert not [item for item in var.iterdir() if item.name.startswith((".backup", ".restore"))]
    with tarfile.open(path) as tar:
        assert "queue/message" not in tar.getnames()
        manifest = json.load(tar.extractfile("manifest.json"))  # type: ignore[arg-type]
    assert manifest["settings"]["TIME_ZONE"] == "UTC"


def test_only_the_last_backups_are_kept_and_other_files_stay(var: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for name in (
        "weather-gage-20250101T000000000000Z.tar",
        "weather-gage-20250102T000000000000Z.tar.gpg",
        "notes.txt",
    ):
        (folder / name).touch()

    made = back_up(folder, keep=2)

    kept = {made.name, "notes.txt", "weather-gage-20250102T000000000000Z.tar.gpg"}
    assert {path.name for path in folder.iterdir()} == kept
    with pytest.raises(CommandError, match="--keep must be 1 or more"):
        back_up(folder, keep=0)


def test_with_a_key_nothing_of_it_can_be_read_without(var: Path, tmp_path: Path) -> None:
    key, wrong, empty = (tmp_path / name for name in ("key", "wrong", "empty"))
    key.write_text("a long passphrase\n")
    wrong.write_text("a wrong passphrase\n")
    empty.touch()

    path = back_up(tmp_path / "backups", key=key)

    assert path.suffix == ".gpg"
    assert b"Royal Prince" not in path.read_bytes()
    assert "is encrypted" in refusal(path, replace=True)
    assert "gpg failed" in refusal(path, replace=True, key=wrong)
    lose(var)
    call_command("restore", str(path), replace=True, key=key, stdout=io.StringIO())
    assert ships(var) == ["Royal Prince"]
    with pytest.raises(CommandError, match="holds no passphrase"):
        back_up(tmp_path / "backups", key=empty)
    assert [item.name for item in (tmp_path / "backups").iterdir()] == [path.name]


def test_a_backup_that_is_damaged_or_foreign_changes_nothing(var: Path, tmp_path: Path) -> None:
    path = back_up(tmp_path / "backups")
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"Royal Prince", b"Loyal Prince"))
    assert "database in the backup is damaged or has been altered" in refusal(path, replace=True)
    path.write_bytes(whole[:2000])
    assert "is not a backup of this program, or has been cut short" in refusal(path, replace=True)
    path.write_bytes(b"")
    assert "is not a backup" in refusal(path, replace=True)
    with tarfile.open(path, "w") as tar:
        entry = tarfile.TarInfo("../outside")
        tar.addfile(entry)
    assert "is not a backup" in refusal(path, replace=True)
    assert not (tmp_path / "outside").exists()
    assert "does not exist" in refusal(tmp_path / "none.tar", replace=True)
    assert ships(var) == ["Royal Prince"]
    assert (var / "mail" / "1.eml").exists()


def test_a_missing_database_leaves_nothing(
    var: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(f"sqlite:///{var}/none.sqlite3", monkeypatch)

    with pytest.raises(CommandError, match="There is no database at"):
        back_up(tmp_path / "backups")
    assert list((tmp_path / "backups").iterdir()) == []


def test_a_site_that_runs_is_not_overwritten(var: Path, tmp_path: Path) -> None:
    path = back_up(tmp_path / "backups")

    with only_one(var / "run" / "serve.lock"):
        assert "stop the site first" in refusal(path, replace=True)


@pytest.mark.skipif(bool(pg.why_not()), reason=pg.why_not())
def test_postgresql_is_dumped_and_restored_and_not_into_sqlite(
    var: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite = backups.connection
    with pg.private_postgres() as url:
        monkeypatch.setenv("PATH", f"{pg.programs()}:{os.environ['PATH']}")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE ship (name TEXT)")
            connection.execute("INSERT INTO ship VALUES ('Eendracht')")
        use(url, monkeypatch)
        path = back_up(tmp_path / "backups")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("UPDATE ship SET name = 'Gouda'")
        assert "not empty" in refusal(path)
        call_command("restore", str(path), replace=True, stdout=io.StringIO())
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT name FROM ship").fetchall() == [("Eendracht",)]
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(CommandError, match="pg_dump is not installed"):
            back_up(tmp_path / "backups")
    monkeypatch.setattr(backups, "connection", sqlite)
    assert "The backup is of a postgresql database, and DATABASE_URL names sqlite" in refusal(
        path, replace=True
    )
