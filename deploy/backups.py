"""Backups of a whole site while it runs, and their way back: one tar file each, with a checksum for every file in it.

Database, secret key, media, emails as files, and incoming emails that are still to be read; the outbox is in the database. With a key the
file is encrypted by GnuPG before any of it reaches the folder.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

FORMAT = 1
PREFIX = "weather-gage-"
MANIFEST = "manifest.json"
DATABASE = "database"
KEY = "secret_key"
MAILDIR = "Maildir"
FOLDERS = ("media", "mail", MAILDIR, "bad-mail")  # in VAR_DIR
# Settings that are named in a backup with their values; none of them is a secret.
NAMED = (
    "SITE_URL",
    "ALLOWED_HOSTS",
    "DEFAULT_FROM_EMAIL",
    "REPLY_TO",
    "TIME_ZONE",
    "CAMPAIGNS_BY",
    "TRUSTED_PROXIES",
)
_PG = {
    "dbname": "PGDATABASE",
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "sslmode": "PGSSLMODE",
}


class BackupRefused(ValueError):
    """A backup that cannot be made or restored; the text says why."""


def backup(*, folder: Path, keep: int, key: Path | None = None) -> Path:
    """Write a backup into a folder and delete all but the newest. Returns it; it appears whole or not at all.

    key: a file with the passphrase, None for a backup that is not encrypted. Raises BackupRefused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{PREFIX}{timezone.now():%Y%m%dT%H%M%S%f}Z.tar" + (".gpg" if key else "")
    part = folder / f".{name}.part"
    try:
        # what is not encrypted yet stays where the database is
        with tempfile.TemporaryDirectory(dir=settings.VAR_DIR, prefix=".backup-") as aside:
            files = {DATABASE: _dump(Path(aside) / DATABASE), **_files()}
            with _writing(part, key) as sink, tarfile.open(fileobj=sink, mode="w|") as tar:
                sums = {member: _added(tar, member, path) for member, path in files.items()}
                _add(tar, MANIFEST, json.dumps(_manifest(sums), indent=1).encode())
        os.replace(part, folder / name)
    finally:
        part.unlink(missing_ok=True)
    for old in _kept(folder)[keep:]:
        old.unlink()
    return folder / name


def newest(folder: Path) -> Path | None:
    """The last backup in a folder; None when it has none."""
    return next(iter(_kept(folder)), None)


def _kept(folder: Path) -> list[Path]:
    """The backups in a folder, the newest first."""
    return sorted(folder.glob(f"{PREFIX}*Z.tar*"), reverse=True)


def restore(*, path: Path, replace: bool, key: Path | None = None) -> dict[str, Any]:
    """Put a site back as a backup has it. The site must not run. Returns the manifest.

    replace: even where the database holds something. Raises BackupRefused before anything is changed.
    """
    if not replace and _tables():
        raise BackupRefused("The database is not empty. Use --replace to overwrite this site.")
    with tempfile.TemporaryDirectory(dir=settings.VAR_DIR, prefix=".restore-") as folder:
        aside = Path(folder)
        found = _unpack(_plain(path, key, aside), aside / "files")
        if found["database"] != connection.vendor:
            raise BackupRefused(
                f"The backup is of a {found['database']} database, and DATABASE_URL names {connection.vendor}. "
                "Use export_campaign and import_campaign to change the database."
            )
        _load(aside / "files" / DATABASE)
        var = Path(settings.VAR_DIR)
        for name in (KEY, *FOLDERS):
            source = aside / "files" / name
            if source.is_file():
                os.replace(source, var / name)
            elif name == MAILDIR and source.is_dir():
                _deliver(source, var / name)
            elif source.is_dir():
                shutil.rmtree(var / name, ignore_errors=True)
                shutil.move(source, var / name)
    return found


def _deliver(source: Path, box: Path) -> None:
    """Put the emails of a backup into a maildir as they lay then. Those that have arrived since stay: no one else has them."""
    for part in ("new", "cur", "tmp"):
        (box / part).mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in source.rglob("*"):
        if path.is_file():
            to = box / path.relative_to(source)
            to.parent.mkdir(mode=0o700, exist_ok=True)
            os.replace(path, to)


def _manifest(sums: dict[str, str]) -> dict[str, Any]:
    return {
        "kind": "weather-gage backup",
        "format": FORMAT,
        "made": timezone.now().isoformat(),
        "database": connection.vendor,
        "settings": {name: getattr(settings, name, None) for name in NAMED},
        "sha256": sums,
    }


def _files() -> dict[str, Path]:
    """What is kept besides the database, by its name in the backup."""
    var = Path(settings.VAR_DIR)
    found = {KEY: var / KEY} if (var / KEY).is_file() else {}
    for folder in FOLDERS:
        found |= {
            str(path.relative_to(var)): path for path in sorted((var / folder).rglob("*")) if path.is_file()
        }
    return found


def _dump(to: Path) -> Path:
    """The database as it was at one moment."""
    if connection.vendor == "sqlite":
        source = Path(connection.settings_dict["NAME"])
        if not source.is_file():
            raise BackupRefused(f"There is no database at {source}.")
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(to)) as new:
            old.backup(new)
            (verdict,) = new.execute("PRAGMA integrity_check").fetchone()
        if verdict != "ok":
            raise BackupRefused(f"The database is damaged: {verdict}.")
    else:
        _run(["pg_dump", "--format=custom", "--no-owner", "--file", str(to)])
    return to


def _load(dump: Path) -> None:
    connection.close()
    if connection.vendor == "sqlite":
        with (
            closing(sqlite3.connect(dump)) as old,
            closing(sqlite3.connect(connection.settings_dict["NAME"])) as new,
        ):
            old.backup(new)
    else:
        name = connection.get_connection_params()["dbname"]
        _run(
            [
                "pg_restore",
                "--clean",
                "--if-exists",
                "--no-owner",
                "--single-transaction",
                "--dbname",
                name,
                str(dump),
            ]
        )


def _tables() -> Sequence[str]:
    try:
        return connection.introspection.table_names()
    finally:
        connection.close()


def _run(command: list[str]) -> None:
    """One of PostgreSQL's programs on the site's database; the password is in its environment, where no one else sees it."""
    known = connection.get_connection_params()
    env = {**os.environ, **{_PG[name]: str(value) for name, value in known.items() if name in _PG and value}}
    try:
        subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise BackupRefused(
            f"{command[0]} is not installed. Install the package postgresql-client."
        ) from None
    except subprocess.CalledProcessError as error:
        raise BackupRefused(f"{command[0]} failed: {error.stderr.strip()}") from error


def _added(tar: tarfile.TarFile, name: str, path: Path) -> str:
    """Add a file as it is now. Returns its SHA-256. An email that was read meanwhile is left out, with ""."""
    try:
        if name == DATABASE:
            with path.open("rb") as file:
                tar.addfile(_entry(name, path.stat().st_size), file)
                file.seek(0)
                return hashlib.file_digest(file, "sha256").hexdigest()
        return _add(tar, name, path.read_bytes())
    except FileNotFoundError:
        return ""


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> str:
    tar.addfile(_entry(name, len(data)), io.BytesIO(data))
    return hashlib.sha256(data).hexdigest()


def _entry(name: str, size: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o600
    return entry


@contextmanager
def _writing(part: Path, key: Path | None) -> Iterator[IO[bytes]]:
    """A new file that only its owner can read, encrypted on the way into it if there is a key."""
    with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
        if key is None:
            yield file
        else:
            with _gpg(
                ["--symmetric", "--cipher-algo", "AES256", "--compress-algo", "zlib"], key, file
            ) as sink:
                yield sink
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _gpg(words: list[str], key: Path, into: IO[bytes]) -> Iterator[IO[bytes]]:
    """GnuPG reading what is written to it. Raises BackupRefused with what it says."""
    if not key.is_file() or not key.read_text().strip():
        raise BackupRefused(f"{key} holds no passphrase.")
    if shutil.which("gpg") is None:
        raise BackupRefused("gpg is not installed. Install the package gnupg.")
    # a short path: its agent's socket has at most 107 bytes
    home = tempfile.mkdtemp(prefix="gage-gpg-")
    own = ["--homedir", home]
    command = [
        "gpg",
        *own,
        "--batch",
        "--quiet",
        "--no-tty",
        "--pinentry-mode",
        "loopback",
        "--no-symkey-cache",
    ]
    command += ["--passphrase-file", str(key), *words]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=into, stderr=subprocess.PIPE)
    assert process.stdin is not None and process.stderr is not None
    try:
        with suppress(BrokenPipeError):
            yield process.stdin
        with suppress(BrokenPipeError):
            process.stdin.close()
        said = process.stderr.read().decode(errors="replace").strip()
        if process.wait():
            raise BackupRefused(f"gpg failed: {said or 'no reason given'}")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stderr.close()
        subprocess.run(["gpgconf", *own, "--kill", "gpg-agent"], check=False, capture_output=True)
        shutil.rmtree(home, ignore_errors=True)


def _plain(path: Path, key: Path | None, aside: Path) -> Path:
    """The tar file of a backup, decrypted if need be."""
    if not path.is_file():
        raise BackupRefused(f"{path} does not exist.")
    if path.suffix != ".gpg":
        return path
    if key is None:
        raise BackupRefused(f"{path} is encrypted. Name its passphrase's file with --key.")
    plain = aside / "plain.tar"
    with plain.open("wb") as into, path.open("rb") as file, _gpg(["--decrypt"], key, into) as sink:
        shutil.copyfileobj(file, sink)
    return plain


def _unpack(path: Path, to: Path) -> dict[str, Any]:
    """The files of a backup in a new folder, each with the checksum that the manifest states. Returns the manifest."""
    to.mkdir()
    try:
        with tarfile.open(path, "r:") as tar:
            _extract(tar, to)
        found: dict[str, Any] = json.loads((to / MANIFEST).read_text())
        stated = {name: value for name, value in found["sha256"].items() if value}
    except (tarfile.TarError, OSError, ValueError, KeyError) as error:
        raise BackupRefused(
            f"{path.name} is not a backup of this program, or has been cut short: {error}."
        ) from error
    if found.get("kind") != "weather-gage backup" or found.get("format") != FORMAT:
        raise BackupRefused(f"{path.name} is not a backup of format {FORMAT}.")
    for name, value in stated.items():
        if not (to / name).is_file() or _sum(to / name) != value:
            raise BackupRefused(f"{name} in the backup is damaged or has been altered.")
    strange = {str(p.relative_to(to)) for p in to.rglob("*") if p.is_file()} - {MANIFEST, *stated}
    if strange or DATABASE not in stated:
        raise BackupRefused(
            f"The backup does not hold what its manifest names: see {min(strange, default=DATABASE)}."
        )
    return found


def _extract(tar: tarfile.TarFile, to: Path) -> None:
    """Plain files and folders only, none of them outside: a tar can hold links and paths that lead elsewhere.

    The filter that tarfile has for this came with Python 3.11.4 only.
    """
    inside = to.resolve()
    for member in tar:
        place = (inside / member.name).resolve()
        if not place.is_relative_to(inside) or not (member.isfile() or member.isdir()):
            raise tarfile.TarError(f"{member.name} is not a plain file")
        if member.isdir():
            place.mkdir(parents=True, exist_ok=True)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        source = tar.extractfile(member)
        assert source is not None  # plain files have their content
        with source, place.open("xb") as file:
            shutil.copyfileobj(source, file)
        place.chmod(member.mode & 0o755 | 0o600)


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
