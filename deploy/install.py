"""What an installation needs, looked at one by one: each finding says what is missing and how to mend it.

What `/healthz` looks at too is asked of `deploy.health`. Nothing here waits for a silent server longer than some seconds, and one part
that fails hides no other.
"""

from __future__ import annotations

import filecmp
import json
import os
import stat
import time
import zoneinfo
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from celery import current_app
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.core.checks import run_checks
from django.core.mail import EmailMessage, get_connection
from django.db import DatabaseError, connection
from django.http.request import validate_host

from campaign.models import Theatre
from campaign.selectors.desk.alarms import beat_machine, sweep_late, sweep_seconds
from campaign.services.setup.setup import shipped_theatres
from deploy import backups, health, upgrades
from deploy.maildir import Maildir
from fleets.selectors.registers import register_list
from fleets.services.registers import SHIPPED

State = Literal["OK", "MISSING", "NOT CHECKED"]

SECONDS = 5  # the longest wait for one answer of a database or mail server
CLOCK_SECONDS = 5.0  # by how much clocks may differ
SPACE = 512 * 2**20  # bytes that an installation should have free
BACKUP_HOURS = 36  # a nightly backup is at most a day old, and may be late
MAIL_MINUTES = 10  # after which an email in a maildir has no reader
THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})
OTHERS = stat.S_IROTH | stat.S_IWOTH | stat.S_IXOTH
# Django's own checks, by the part that they are about. W005 and W021, subdomains and preloading, are a club's own choice.
SECRET_KEY_CHECKS = {"security.W009", "security.W025"}
HTTPS_CHECKS = {"security.W004", "security.W008", "security.W012", "security.W016"}
DEBUG_CHECKS = {"security.W018"}
HOST_CHECKS = {"security.W020"}
CHOICES = {"security.W005", "security.W021"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. words: sentences; what is missing is followed by its cure."""

    part: str
    state: State
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the caller asked for. send_to: an address that is sent an email, or "". maildir, backups: folders to look into."""

    send_to: str = ""
    maildir: Path
    backups: Path


def findings(wishes: Wishes) -> Iterator[Finding]:
    """Every part of the installation, in the order in which one would mend them."""
    if connection.vendor == "postgresql" and connection.connection is None:
        connection.settings_dict["OPTIONS"].setdefault("connect_timeout", SECONDS)
    django = {message.id or "": message.msg for message in run_checks(include_deployment_checks=True)}
    yield from _settings(django)
    there = _database()
    yield there
    for part, check in _OF_DATABASE.items():
        if there.state == "OK":
            yield _safe(part, check)
        else:
            yield Finding(part, "NOT CHECKED", "The database comes first.")
    for part, other in _OTHERS.items():
        yield _safe(part, lambda look=other: look(wishes))  # type: ignore[misc]


def served_here() -> bool:
    """Whether the site is for this machine alone: then it needs no HTTPS and no mail server."""
    return urlsplit(settings.SITE_URL).hostname in THIS_MACHINE


def _safe(part: str, check: Callable[[], tuple[State, str]]) -> Finding:
    """A finding, whatever goes wrong on the way to it. An error is named by its kind: its text may hold a password."""
    try:
        state, words = check()
    except DatabaseError:
        state, words = "NOT CHECKED", "The database has not all tables. Run manage.py migrate."
    except Exception as error:  # of the machine: one part that fails must not hide the others
        state, words = "MISSING", f"The check failed ({type(error).__name__}). Check this part yourself."
    return Finding(part, state, words)


# --- settings ------------------------------------------------------------------------------------------


def _settings(django: dict[str, str]) -> Iterator[Finding]:
    """Secret key, hosts, error pages and HTTPS, and what else Django's own checks say."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    weak = SECRET_KEY_CHECKS & django.keys()
    yield _verdict(
        "secret key",
        not weak,
        "It is long enough.",
        "It can be guessed. Set SECRET_KEY to 50 random characters or more.",
    )
    named = bool(settings.ALLOWED_HOSTS) and not HOST_CHECKS & django.keys()
    if "*" in settings.ALLOWED_HOSTS:
        yield Finding(
            "allowed hosts", "MISSING", "Any name is accepted. Name the site's hosts in ALLOWED_HOSTS."
        )
    else:
        yield _verdict(
            "allowed hosts",
            named and validate_host(host, settings.ALLOWED_HOSTS),
            f"{host} is accepted.",
            f"Pages at {host or 'SITE_URL'} are refused. Add the host of SITE_URL to ALLOWED_HOSTS.",
        )
    yield _verdict(
        "debug",
        not settings.DEBUG and not DEBUG_CHECKS & django.keys(),
        "It is off.",
        "Error pages show the settings. Set DEBUG=0.",
    )
    if served_here():
        yield Finding(
            "HTTPS", "NOT CHECKED", "The site is for this machine alone. Set SITE_URL when others use it."
        )
    else:
        secure = settings.SITE_URL.startswith("https://") and not HTTPS_CHECKS & django.keys()
        yield _verdict(
            "HTTPS",
            secure,
            "Cookies, redirects and links ask for it.",
            "Passwords can be read on the way. Begin SITE_URL with https://, leave HTTPS on, and set "
            "DJANGO_SETTINGS_MODULE=deploy.settings.prod.",
        )
    known = SECRET_KEY_CHECKS | HTTPS_CHECKS | DEBUG_CHECKS | HOST_CHECKS | CHOICES
    for name in sorted(django.keys() - known):
        yield Finding(f"Django {name}", "MISSING", django[name])


def _verdict(part: str, well: bool, good: str, bad: str) -> Finding:
    return Finding(part, "OK" if well else "MISSING", good if well else bad)


# --- database ------------------------------------------------------------------------------------------


def _database() -> Finding:
    # SQLite would make an empty file for whoever only looks
    path = _sqlite_file()
    if path is not None and not path.is_file():
        return Finding("database", "MISSING", f"There is no database at {path}. Run manage.py migrate.")
    if health.database_answers() and health.database_read_only():
        return Finding(
            "database",
            "MISSING",
            "It takes no changes. Check that DATABASE_URL names no replica, and the database's disk.",
        )
    return _verdict(
        "database",
        health.database_answers(),
        f"{connection.display_name} answers.",
        "It does not answer. Check DATABASE_URL, and that the database server runs.",
    )


def _sqlite_file() -> Path | None:
    """The file of the database; None for one in memory or on a server."""
    name = Path(str(connection.settings_dict["NAME"]))
    return name if connection.vendor == "sqlite" and name.is_absolute() else None


def _migrations() -> tuple[State, str]:
    loader, plan = health.migrations_to_come()
    if not plan:
        return "OK", "All are applied."
    words = f"{len(plan)} not applied. Run manage.py migrate."
    # an empty database has no version that runs
    if loader.applied_migrations and (stopping := upgrades.stopping(loader, plan)):
        words += f" Stop the site on all machines first, because the old version cannot run after this: {', '.join(stopping)}."
    return "MISSING", words


def _registers() -> tuple[State, str]:
    there = set(register_list().values_list("code", flat=True))
    return _loaded({row.code for row in SHIPPED} - there, "load_registers")


def _theatres() -> tuple[State, str]:
    shipped = {row["theatre"]: row for row in map(_json, shipped_theatres())}
    loaded = dict(Theatre.objects.offered().values_list("code", "document"))
    return _loaded({code for code, row in shipped.items() if loaded.get(code) != row}, "load_theatres")


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _loaded(lacking: set[str], command: str) -> tuple[State, str]:
    if lacking:
        return "MISSING", f"Not loaded: {', '.join(sorted(lacking))}. Run manage.py {command}."
    return "OK", "All supplied ones are loaded."


def _worker() -> tuple[State, str]:
    return _process("worker")


def _beat() -> tuple[State, str]:
    return _process("beat")


def _process(name: str) -> tuple[State, str]:
    """By its process, where `manage.py serve` started it, and by the sweep, which beat asks for and a worker carries out."""
    cure = f"Start manage.py serve, or weather-gage-{name}.service."
    if health.process_life(name) == "dead":
        return "MISSING", f"Its process has ended. {cure}"
    age = health.sweep_age(sweep_seconds())
    if age is None:
        return "MISSING", f"No sweep was ever made: worker or beat does not run. {cure}"
    if sweep_late(age):
        return "MISSING", f"The last sweep was {age} s ago: worker or beat does not run. {cure}"
    where = beat_machine() if name == "beat" else ""
    return "OK", f"The last sweep was {age} s ago.{f' It runs on {where}.' if where else ''}"


def _database_clock() -> tuple[State, str]:
    if connection.vendor == "sqlite":
        return "OK", "SQLite has this machine's clock."
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (theirs,) = cursor.fetchone()
    return _clocks(theirs.timestamp(), "the database server")


def _clocks(theirs: float, whose: str) -> tuple[State, str]:
    apart = abs(time.time() - theirs)
    if apart > CLOCK_SECONDS:
        return (
            "MISSING",
            f"It differs from {whose}'s by {apart:.0f} s. Set both by NTP, for example with chrony.",
        )
    return "OK", f"It agrees with {whose}'s."


_OF_DATABASE: dict[str, Callable[[], tuple[State, str]]] = {
    "migrations": _migrations,
    "registers": _registers,
    "theatres": _theatres,
    "worker": _worker,
    "beat": _beat,
    "clock, database": _database_clock,
}


# --- the rest ------------------------------------------------------------------------------------------


def _broker(_: Wishes) -> tuple[State, str]:
    kind = settings.CELERY_BROKER_URL.partition("://")[0]
    if kind == "memory":
        return "MISSING", "A broker in memory reaches no worker. Set CELERY_BROKER_URL."
    if kind == "filesystem":
        folder = Path(str(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"]))
        if _writable(folder):
            return "OK", f"Messages go through {folder}."
        return "MISSING", f"{folder} cannot be written. {_ownership(folder)}"
    if _redis_time() is None:
        return "MISSING", "It does not answer. Check CELERY_BROKER_URL, and that Redis runs."
    return "OK", "Redis answers."


def _redis_clock(_: Wishes) -> tuple[State, str]:
    if not settings.CELERY_BROKER_URL.startswith("redis"):
        return "NOT CHECKED", "There is no Redis."
    theirs = _redis_time()
    return ("NOT CHECKED", "Redis comes first.") if theirs is None else _clocks(theirs, "Redis")


def _redis_time() -> float | None:
    """Redis's clock, asked as a page asks it to take a task: with the time-outs of `deploy.env.broker`. None without an answer."""
    try:
        with current_app.connection_for_write(settings.CELERY_BROKER_URL) as broker:
            broker.transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
            channel: Any = broker.default_channel  # redis's own has a client
            seconds, millionths = channel.client.time()
    except Exception:  # whatever its client does when it finds no broker
        return None
    return float(seconds) + millionths / 1e6


def _mail_sender(_: Wishes) -> tuple[State, str]:
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    if not served_here() and sender.rpartition("@")[2] in THIS_MACHINE:
        return (
            "MISSING",
            f"No server accepts emails from {sender}. Set DEFAULT_FROM_EMAIL to an address of the club.",
        )
    return "OK", f"Emails come from {sender}."


def _mail_out(wishes: Wishes) -> tuple[State, str]:
    smtp = settings.EMAIL_BACKEND.endswith(".smtp.EmailBackend")
    if not smtp and not served_here():
        return "MISSING", "Emails reach no one: they are not sent. Set EMAIL_URL to smtp:// or smtps://."
    server: Any = get_connection(timeout=SECONDS) if smtp else get_connection()
    try:
        if smtp:
            server.open()
            code, _ = server.connection.ehlo()
            if code != 250:
                return "MISSING", f"The mail server refuses EHLO with {code}. Check EMAIL_URL."
        if wishes.send_to:
            EmailMessage(
                "Test email from Weather Gage",
                f"Emails from {settings.SITE_URL} reach you. You need not answer.\n",
                to=[wishes.send_to],
                connection=server,
            ).send()
    except OSError as error:  # smtplib's are of this kind
        return (
            "MISSING",
            f"The mail server does not take our email ({type(error).__name__}). Check EMAIL_URL.",
        )
    finally:
        with suppress(OSError):
            server.close()
    where = "The mail server answers." if smtp else "Emails are not sent but kept on this machine."
    return "OK", f"{where} One was sent to {wishes.send_to}." if wishes.send_to else where


def _mail_in(wishes: Wishes) -> tuple[State, str]:
    if not settings.REPLY_TO:
        return "NOT CHECKED", "Orders by reply are off. Set REPLY_TO to allow them."
    if not wishes.maildir.exists():
        return (
            "NOT CHECKED",
            f"There is no {wishes.maildir}. If emails come through a pipe, send one to REPLY_TO.",
        )
    try:
        box = Maildir(wishes.maildir)
    except NotADirectoryError:
        return "MISSING", f"{wishes.maildir} has no folders new and cur. Create them as the site's user."
    if not all(_writable(folder) for folder in (box.folder, box.fresh, box.read)):
        return "MISSING", f"{wishes.maildir} cannot be written. {_ownership(wishes.maildir)}"
    late = time.time() - 60 * MAIL_MINUTES
    waiting = sum(path.stat().st_mtime < late for path in box.waiting())
    if waiting:
        return (
            "MISSING",
            f"{waiting} emails wait unread. Start weather-gage-mail.service, or manage.py receive_mail.",
        )
    return "OK", f"No email waits unread in {wishes.maildir}."


def _time_zone(_: Wishes) -> tuple[State, str]:
    try:
        zoneinfo.ZoneInfo("Europe/London")
    except zoneinfo.ZoneInfoNotFoundError:
        return "MISSING", "Time zones are not known. Install the package tzdata."
    if not settings.USE_TZ or settings.TIME_ZONE != "UTC":
        return "MISSING", "The site must count in UTC. Leave USE_TZ and TIME_ZONE as they are."
    return "OK", "The site counts in UTC, and knows people's time zones."


def _disk(_: Wishes) -> tuple[State, str]:
    return _space(Path(settings.VAR_DIR))


def _database_disk(_: Wishes) -> tuple[State, str]:
    path = _sqlite_file()
    if path is None:
        return "NOT CHECKED", "Check the disk of the database server."
    return _space(path.parent)


def _space(folder: Path) -> tuple[State, str]:
    found = health.disk_state(folder, least=SPACE)
    if found == "ok":
        return "OK", f"There is room in {folder}."
    if found == "unreachable":
        return "MISSING", f"{folder} cannot be reached. Create it, owned by the site's user."
    return "MISSING", f"{folder} has less than {SPACE >> 20} MB free, or cannot be written. Make room there."


def _permissions(_: Wishes) -> tuple[State, str]:
    """Whether we can write where we must, and no one else can read what is secret."""
    var = Path(settings.VAR_DIR)
    database = _sqlite_file()
    shut = [folder for folder in (var, *([database.parent] if database else [])) if not _writable(folder)]
    if shut:
        return "MISSING", f"{shut[0]} cannot be written. {_ownership(shut[0])}"
    if os.geteuid() == 0 and var.stat().st_uid != 0:
        return "NOT CHECKED", "You are root, who may do everything. Run this as the site's user."
    secret = [
        var / "secret_key",
        *([database] if database else []),
        *(var / name for name in backups.FOLDERS),
    ]
    open_ = [
        path
        for path in secret
        if path.exists() and _others_may_enter(path.parent) and path.stat().st_mode & OTHERS
    ]
    if open_:
        return "MISSING", f"Anyone on this machine can read {open_[0]}. Run chmod o-rwx {open_[0].parent}."
    return "OK", f"{var} can be written, and others on this machine cannot read its secrets."


def _others_may_enter(folder: Path) -> bool:
    return all(place.stat().st_mode & stat.S_IXOTH for place in (folder, *folder.parents))


def _writable(folder: Path) -> bool:
    """Whether we can write there, or make it."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def _ownership(folder: Path) -> str:
    return f"Give it to the site's user: chown -R USER {folder}."


def _static(_: Wishes) -> tuple[State, str]:
    if not isinstance(staticfiles_storage, ManifestFilesMixin):
        return "OK", "They are served from the program itself."
    root = Path(settings.STATIC_ROOT)
    stale = sum(
        path not in staticfiles_storage.hashed_files or not _same(Path(str(store.path(path))), root / path)
        for finder in get_finders()
        for path, store in finder.list([])
    )
    if stale:
        return "MISSING", f"{stale} are missing or old in {root}. Run manage.py collectstatic."
    return "OK", f"All are in {root}."


def _same(source: Path, copy: Path) -> bool:
    return copy.is_file() and filecmp.cmp(source, copy, shallow=False)


def _backup(wishes: Wishes) -> tuple[State, str]:
    cure = "Run manage.py backup, and enable weather-gage-backup.timer."
    last = backups.newest(wishes.backups)
    if last is None:
        return "MISSING", f"There is none in {wishes.backups}. {cure}"
    made = datetime.fromtimestamp(last.stat().st_mtime, UTC)
    told = f"The last one is of {made:%-d %B %Y, %H:%M} UTC."
    if (datetime.now(UTC) - made).total_seconds() > 3600 * BACKUP_HOURS:
        return "MISSING", f"{told} {cure}"
    return "OK", told


_OTHERS: dict[str, Callable[[Wishes], tuple[State, str]]] = {
    "broker": _broker,
    "clock, Redis": _redis_clock,
    "mail sender": _mail_sender,
    "mail out": _mail_out,
    "mail in": _mail_in,
    "time zone": _time_zone,
    "disk, files": _disk,
    "disk, database": _database_disk,
    "permissions": _permissions,
    "static files": _static,
    "backup": _backup,
}
