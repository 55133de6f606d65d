"""The check of an installation: every fault at once, each with its cure, and no silent server that holds it up."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, migrations, models
from django.db.migrations import Migration
from django.db.migrations.state import ModelState, ProjectState
from django.db.utils import ConnectionHandler
from django.utils import timezone

from campaign.models import Heartbeat, Theatre
from deploy import env, health, install
from fleets.services.registers import SHIPPED
from tests.support.factories import RegisterFactory
from tests.support.processes import ROOT, plain_environment
from tests.support.redis import private_redis, why_not
from tests.support.silence import silence
from tests.support.smtp import mail_server, use

pytestmark = pytest.mark.django_db

SILENT_SECONDS = 0.3


@pytest.fixture
def site(tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation for others, whose settings are in order, with its folder."""
    monkeypatch.delenv(
        "DJANGO_ALLOW_ASYNC_UNSAFE", raising=False
    )  # the browser's tests set it, and the check reports it
    folder = tmp_path / "var"
    folder.mkdir(mode=0o700)
    settings.VAR_DIR, settings.RUN_DIR, settings.STATIC_ROOT = folder, folder / "run", folder / "static"
    settings.SECRET_KEY = "0123456789abcdefghij" * 3
    settings.SITE_URL = "https://gage.example.org"
    settings.ALLOWED_HOSTS = ["gage.example.org"]
    settings.SECURE_SSL_REDIRECT = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SECURE_HSTS_SECONDS = 3600
    settings.DEFAULT_FROM_EMAIL = "Weather Gage <gage@example.org>"
    return folder


def report(*words: str) -> tuple[int, dict[str, tuple[str, str]]]:
    """The exit status, and state and words of each part."""
    out, status = io.StringIO(), 0
    try:
        call_command("install_check", *words, stdout=out)
    except SystemExit as end:
        status = int(str(end.code))
    rows = {}
    for line in out.getvalue().splitlines():
        part, _, told = line[13:].partition(": ")
        rows[part] = (line[:12].strip(), told)
    return status, rows


def states(rows: dict[str, tuple[str, str]], *parts: str) -> list[str]:
    return [rows[part][0] for part in parts]


def test_an_installation_that_is_whole_has_nothing_missing(site: Path, settings: LazySettings) -> None:
    for row in SHIPPED:
        RegisterFactory(code=row.code)
    call_command("load_theatres", stdout=io.StringIO())
    Heartbeat.objects.create(at=timezone.now())
    settings.CELERY_BROKER_URL = "filesystem://localhost/"
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_in": str(site / "queue")}
    (site / "backups").mkdir()
    (site / "backups" / "weather-gage-20260101T000000Z.tar").touch()
    settings.REPLY_TO = "orders@example.org"
    for name in ("new", "cur"):
        (site / "Maildir" / name).mkdir(mode=0o700, parents=True)
    with mail_server() as server, mock.patch.object(install, "SPACE", 1):
        use(settings, server.port)
        status, rows = report("--send-to", "anna@club.example")
    assert {part: row for part, row in rows.items() if row[0] == "MISSING"} == {}
    assert status == 0
    assert states(rows, "worker", "beat", "mail out", "mail in", "HTTPS", "migrations") == ["OK"] * 6
    (letter,) = server.letters
    assert letter.to == "anna@club.example"
    assert b"https://gage.example.org reach you" in letter.raw


def test_a_theatre_whose_file_is_newer_is_to_be_loaded(site: Path, db: object) -> None:
    call_command("load_theatres", stdout=io.StringIO())
    assert install._theatres()[0] == "OK"
    Theatre.objects.filter(code="caribbean").update(document={"theatre": "caribbean"})
    assert install._theatres() == ("MISSING", "Not loaded: caribbean. Run manage.py load_theatres.")


def test_all_faults_are_told_at_once_each_with_its_cure(site: Path, settings: LazySettings) -> None:
    settings.SECRET_KEY = "abc"
    settings.ALLOWED_HOSTS = ["elsewhere.example.org"]
    settings.DEBUG = True
    settings.SECURE_SSL_REDIRECT = False
    settings.DEFAULT_FROM_EMAIL = "gage@localhost"
    settings.REPLY_TO = "orders@example.org"
    new = site / "Maildir" / "new"
    new.mkdir(parents=True)
    (site / "Maildir" / "cur").mkdir()
    os.utime(_touched(new / "1"), (1, 1))
    backup = _touched(site / "backups" / "weather-gage-20260101T000000Z.tar")
    os.utime(backup, (1, 1))
    (site / "secret_key").touch(mode=0o644)
    with (
        mock.patch.object(install, "SPACE", 2**62),
        mock.patch.object(install, "_others_may_enter", return_value=True),
        mock.patch.object(health, "migrations_to_come", return_value=to_come()),
        mock.patch.object(install, "staticfiles_storage", _collected_nothing()),
    ):
        status, rows = report()
    cures = {
        "secret key": "Set SECRET_KEY",
        "allowed hosts": "Add the host of SITE_URL",
        "debug": "Set DEBUG=0",
        "HTTPS": "deploy.settings.prod",
        "migrations": "2 not applied. Run manage.py migrate. Stop the site on all machines first, because the old version cannot run "
        "after this: campaign.0999_a: Remove field hold from turn.",
        "registers": "Run manage.py load_registers",
        "theatres": "Run manage.py load_theatres",
        "worker": "weather-gage-worker.service",
        "beat": "weather-gage-beat.service",
        "broker": "Set CELERY_BROKER_URL",
        "mail sender": "Set DEFAULT_FROM_EMAIL",
        "mail out": "Set EMAIL_URL",
        "mail in": "1 emails wait unread",
        "disk, files": "Make room",
        "permissions": f"Run chmod o-rwx {site}",
        "static files": "Run manage.py collectstatic",
        "backup": "1 January 1970, 00:00 UTC. Run manage.py backup",
    }
    assert status == 1
    assert {part for part, row in rows.items() if row[0] == "MISSING"} == set(cures)
    for part, cure in cures.items():
        assert cure in rows[part][1], part


def to_come() -> Any:
    """Two migrations of a next version, the first of which takes a column away."""
    turns = ProjectState()
    turns.add_model(
        ModelState(
            "campaign", "Turn", [("id", models.AutoField(primary_key=True)), ("hold", models.TextField())]
        )
    )
    one, two = Migration("0999_a", "campaign"), Migration("0999_b", "campaign")
    one.operations = [migrations.RemoveField("turn", "hold")]
    two.operations = [migrations.AddField("turn", "kept", models.BooleanField(null=True))]
    # the tests' tables are made without migrations
    loader = SimpleNamespace(
        applied_migrations={("campaign", "0998"): None}, project_state=lambda *_, **__: turns
    )
    return loader, [(one, False), (two, False)]


def _touched(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.touch()
    return path


def _collected_nothing() -> Any:
    storage = mock.Mock(spec=install.ManifestFilesMixin)
    storage.hashed_files = {}
    return storage


def test_a_database_that_does_not_answer_hides_nothing_else(site: Path) -> None:
    with mock.patch.object(connection, "cursor", side_effect=OperationalError("password=hunter2")):
        status, rows = report()
    assert status == 1 and rows["database"][0] == "MISSING"
    assert states(rows, "migrations", "registers", "worker", "clock, database") == ["NOT CHECKED"] * 4
    assert rows["time zone"][0] == "OK" and "hunter2" not in str(rows)


def test_looking_makes_no_database(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = site / "site.sqlite3"
    other = ConnectionHandler({"default": env.database(f"sqlite:///{path}")})["default"]
    monkeypatch.setattr(install, "connection", other)
    _, rows = report()
    assert rows["database"] == ("MISSING", f"There is no database at {path}. Run manage.py migrate.")
    assert not path.exists()


def test_servers_that_never_say_a_word_are_given_up(
    site: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "SECONDS", 1)
    monkeypatch.setattr(env, "BROKER_SECONDS", SILENT_SECONDS)
    with silence() as server:
        settings_of_broker = env.broker(
            f"redis://127.0.0.1:{server.port}/0", queue_folder=site, visibility_timeout=9
        )
        for name, value in settings_of_broker.items():
            setattr(settings, name, value)
        use(settings, server.port)
        other = ConnectionHandler(
            {"default": env.database(f"postgres://u:hunter2@127.0.0.1:{server.port}/gage")}
        )
        for module in (install, health):
            monkeypatch.setattr(module, "connection", other["default"])
        began = time.monotonic()
        _, rows = report()
        assert server.connections >= 3
    assert time.monotonic() - began < 8
    assert states(rows, "database", "broker", "mail out") == ["MISSING"] * 3
    assert rows["clock, Redis"][0] == "NOT CHECKED"
    assert "hunter2" not in str(rows)


@pytest.mark.skipif(bool(why_not()), reason=why_not() or "-")
def test_redis_is_asked_for_its_time(site: Path, settings: LazySettings) -> None:
    with private_redis() as url:
        for name, value in env.broker(url, queue_folder=site, visibility_timeout=9).items():
            setattr(settings, name, value)
        _, rows = report()
        assert states(rows, "broker", "clock, Redis") == ["OK", "OK"]
        with mock.patch.object(install, "time", SimpleNamespace(time=lambda: time.time() + 60)):
            _, rows = report()
    assert rows["clock, Redis"][0] == "MISSING" and "differs from Redis's by 60 s" in rows["clock, Redis"][1]


def test_a_recipient_that_the_server_refuses_is_reported(site: Path, settings: LazySettings) -> None:
    with mail_server(recipients={"anna@club.example": "550 5.1.1 unknown"}) as server:
        use(settings, server.port)
        _, rows = report("--send-to", "anna@club.example")
    assert rows["mail out"][0] == "MISSING" and "SMTPRecipientsRefused" in rows["mail out"][1]
    with pytest.raises(CommandError, match="is not an email address"):
        report("--send-to", "anna")


def test_a_worker_that_ended_and_a_sweep_that_stopped_are_told_apart(site: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (site / "run").mkdir()
    (site / "run" / "worker.pid").write_text(f"{dead.pid}\n")
    Heartbeat.objects.create(at=timezone.now())
    _, rows = report()
    assert "process has ended" in rows["worker"][1] and rows["beat"][0] == "OK"
    Heartbeat.objects.update(at=timezone.now() - timedelta(hours=2))
    _, rows = report()
    assert rows["beat"][0] == "MISSING" and "last sweep was 7" in rows["beat"][1]


def test_one_check_that_breaks_hides_no_other(site: Path) -> None:
    with mock.patch.object(install.zoneinfo, "ZoneInfo", side_effect=RuntimeError("hunter2")):
        _, rows = report()
    assert rows["time zone"] == ("MISSING", "The check failed (RuntimeError). Check this part yourself.")
    assert "backup" in rows


def test_settings_that_cannot_be_read_are_reported_in_the_same_lines(tmp_path: Path) -> None:
    own = {"SECRET_KEY", "ALLOWED_HOSTS", "SITE_URL"}
    environment = plain_environment(
        DJANGO_SETTINGS_MODULE="deploy.settings.prod", VAR_DIR=str(tmp_path), PORT="no"
    )
    done = subprocess.run(
        [sys.executable, "manage.py", "install_check"],
        cwd=ROOT,
        env={name: value for name, value in environment.items() if name not in own},
        capture_output=True,
        text=True,
        timeout=60,
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 1 and done.stderr == ""
    assert [line.split(":")[1].strip() for line in lines[:-1]] == [
        "PORT",
        "SECRET_KEY",
        "ALLOWED_HOSTS",
        "SITE_URL",
    ]
    assert all(line.startswith("MISSING      settings: ") for line in lines[:-1])
    assert lines[-1].startswith("NOT CHECKED  everything else: ")
