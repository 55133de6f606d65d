"""`manage.py serve` and `first_run`: refusals in one line, and the real thing with its worker killed."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from deploy.management.commands import first_run, serve
from deploy.supervise import only_one
from tests.support import pg
from tests.support.processes import ROOT, is_alive, plain_environment, running, wait_until
from tests.support.redis import free_port


def test_a_port_that_is_taken_is_refused_with_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(CommandError, match=r"cannot listen on 127\.0\.0\.1 port \d+: .*--port"):
            serve.check_port("127.0.0.1", taken.getsockname()[1])


@pytest.mark.parametrize(("bind", "port"), [("127.0.0.1", 70000), ("no.such.host.invalid", 8000)])
def test_an_address_that_cannot_be_is_refused(bind: str, port: int) -> None:
    with pytest.raises(CommandError, match="cannot listen on"):
        serve.check_port(bind, port)


@pytest.mark.django_db
def test_tables_that_are_behind_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    serve.check_database()
    monkeypatch.setattr(serve.MigrationExecutor, "migration_plan", lambda *_: [("fleets.0099", False)])
    with pytest.raises(CommandError, match="1 migrations are not applied"):
        serve.check_database()


@pytest.mark.django_db
def test_a_second_start_is_refused_in_one_line(tmp_path: Path, settings: LazySettings) -> None:
    settings.RUN_DIR = tmp_path
    with only_one(tmp_path / "serve.lock"), pytest.raises(CommandError) as caught:
        call_command("serve", stdout=StringIO())
    assert f"process {os.getpid()}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_worker_has_no_children_on_the_filesystem_and_a_pool_on_redis(
    tmp_path: Path, settings: LazySettings
) -> None:
    for url, pool in (("filesystem://localhost/", "solo"), ("redis://cache/0", "prefork")):
        settings.CELERY_BROKER_URL = url
        worker = next(p for p in serve.programs(bind="::1", port=1, run_dir=tmp_path) if p.name == "worker")
        assert worker.argv[worker.argv.index("--pool") + 1] == pool
        assert worker.argv[worker.argv.index("--queues") + 1] == "default,odds"


@pytest.mark.django_db
@pytest.mark.parametrize("there_is_one", [True, False])
def test_the_demo_is_set_up_only_where_there_is_no_campaign(
    monkeypatch: pytest.MonkeyPatch, there_is_one: bool
) -> None:
    called: list[str] = []
    monkeypatch.setattr(first_run.Campaign.objects, "exists", lambda: there_is_one, raising=False)
    monkeypatch.setattr(first_run, "worker_and_beat", lambda: only_noted(called))
    monkeypatch.setattr(first_run, "call_command", lambda name, **_: called.append(name))
    first_run.Command().handle()
    assert called == ([] if there_is_one else ["worker begins", "demo_setup", "worker ends"])


class only_noted:
    """Stands in for worker and beat."""

    def __init__(self, called: list[str]) -> None:
        self.called = called

    def __enter__(self) -> None:
        self.called.append("worker begins")

    def __exit__(self, *_: object) -> None:
        self.called.append("worker ends")


# --- the real thing --------------------------------------------------------------------------------------


def healthz(port: int) -> tuple[int, dict[str, Any]]:
    """Status and body of the health page; 0 when nobody answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)
    except OSError:
        return 0, {}


def pid_of(folder: Path, name: str) -> int:
    try:
        return int((folder / "run" / f"{name}.pid").read_text())
    except (FileNotFoundError, ValueError):
        return 0


def migrated(**environ: str) -> dict[str, str]:
    """The environment of an installation whose empty database has its tables."""
    made = plain_environment(SWEEP_SECONDS="1", **environ)
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(command, cwd=ROOT, env=made, check=True, timeout=120)
    return made


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An installation of its own on SQLite and the filesystem broker."""
    return migrated(VAR_DIR=str(tmp_path))


@pytest.mark.processes
def test_a_killed_worker_comes_back_while_the_site_answers(tmp_path: Path, env: dict[str, str]) -> None:
    port, log = free_port(), tmp_path / "log"
    with running(
        *("manage.py", "serve", "--port", str(port)), env=env, log=log, end_with=signal.SIGINT
    ) as served:
        wait_until(lambda: healthz(port)[1].get("sweep") == "ok", "the first sweep")
        first = pid_of(tmp_path, "worker")
        os.kill(first, signal.SIGKILL)
        answered = []
        began = time.monotonic()
        while pid_of(tmp_path, "worker") in (0, first) and time.monotonic() - began < 60:
            answered.append(healthz(port)[0])
            time.sleep(0.1)
        assert pid_of(tmp_path, "worker") not in (0, first), log.read_text()
        assert set(answered) <= {200, 503}
        wait_until(lambda: log.read_text().count("ready") == 2, "the second worker")
        wait_until(lambda: healthz(port)[0] == 200, "all to be well again")
        pids = [pid_of(tmp_path, name) for name in ("web", "worker", "beat")]
        assert all(is_alive(pid) for pid in pids)

        second = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(free_port())],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert second.returncode == 1
        assert f"process {served.pid}" in second.stderr
        assert len(second.stderr.strip().splitlines()) == 1

        served.send_signal(signal.SIGINT)
        assert served.wait(timeout=60) == 0
        assert not any(is_alive(pid) for pid in pids)
    assert healthz(port)[0] == 0


@pytest.mark.processes
def test_sweeps_that_piled_up_are_dropped_and_one_is_made_at_once(
    tmp_path: Path, env: dict[str, str]
) -> None:
    messages = tmp_path / "queue" / "messages"
    messages.mkdir(parents=True)
    for number in range(50):
        (messages / f"{number:020d}_old.default.msg").write_text(
            json.dumps({"headers": {"task": "campaign.tasks.sweep"}, "body": "stale"})
        )
    log = tmp_path / "log"
    with running("manage.py", "serve", "--without-web", env=env, log=log):
        wait_until(lambda: "ready" in log.read_text(), "the worker")
        wait_until(lambda: list(messages.glob("*_old.*")) == [], "the old ones to be gone")
        assert pid_of(tmp_path, "web") == 0
    assert "stale" not in log.read_text()


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent is gone")
def test_a_site_killed_hard_leaves_no_process_behind(tmp_path: Path, env: dict[str, str]) -> None:
    port, log = free_port(), tmp_path / "log"
    with running("manage.py", "serve", "--port", str(port), env=env, log=log) as served:
        wait_until(lambda: healthz(port)[0] == 200, "the site")
        wait_until(lambda: "ready" in log.read_text(), "the worker")
        pids = [pid_of(tmp_path, name) for name in ("web", "worker", "beat")]
        served.kill()
        served.wait()
        wait_until(lambda: not any(is_alive(pid) for pid in pids), "all three to be gone")
        assert healthz(port)[0] == 0


@pytest.mark.redis
@pytest.mark.skipif(bool(pg.why_not()), reason=pg.why_not())
def test_the_same_command_serves_on_postgresql_and_redis(tmp_path: Path, redis_url: str) -> None:
    port, log = free_port(), tmp_path / "log"
    with pg.private_postgres() as database_url:
        env = migrated(VAR_DIR=str(tmp_path), DATABASE_URL=database_url, CELERY_BROKER_URL=redis_url)
        with running("manage.py", "serve", "--port", str(port), env=env, log=log) as served:
            wait_until(lambda: healthz(port)[1].get("sweep") == "ok", "a sweep through Redis")
            assert healthz(port)[0] == 200
            pids = [pid_of(tmp_path, name) for name in ("web", "worker", "beat")]
            served.terminate()
            assert served.wait(timeout=60) == 0
            assert not any(is_alive(pid) for pid in pids)
    assert not (tmp_path / "queue").exists()
    assert not list(tmp_path.glob("*.sqlite3"))
