"""`manage.py serve` with sweeps that piled up and its worker killed, and on PostgreSQL and Redis."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import redis

from deploy.patience import PATIENT_SECONDS
from tests.support.processes import (
    ROOT,
    is_alive,
    lay_tables,
    pid_of,
    plain_environment,
    running,
    wait_until,
)
from tests.support.redis import free_port


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


@pytest.fixture
def env(tmp_path: Path, tables: Path) -> dict[str, str]:
    """An installation of its own on SQLite and the filesystem broker."""
    lay_tables(tables, tmp_path)
    return plain_environment(SWEEP_SECONDS="1", VAR_DIR=str(tmp_path))


@pytest.mark.processes
def test_accumulated_sweeps_are_dropped_and_a_killed_worker_restarts_while_the_site_answers(
    tmp_path: Path, env: dict[str, str]
) -> None:
    port, log, messages = free_port(), tmp_path / "log", tmp_path / "queue" / "messages"
    messages.mkdir(parents=True)
    for number in range(50):
        (messages / f"{number:020d}_old.default.msg").write_text(
            json.dumps({"headers": {"task": "campaign.tasks.sweep"}, "body": "stale"})
        )
    with running(
        *("manage.py", "serve", "--port", str(port)), env=env, log=log, end_with=signal.SIGINT
    ) as served:
        wait_until(lambda: healthz(port)[1].get("sweep") == "ok", "the first sweep", every=0.2)
        wait_until(lambda: list(messages.glob("*_old.*")) == [], "the old ones to be gone")
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
        wait_until(lambda: healthz(port)[0] == 200, "all to be well again", every=0.2)
        pids = [pid_of(tmp_path, name) for name in ("web", "worker", "beat")]
        assert all(is_alive(pid) for pid in pids)

        second = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(free_port())],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            timeout=180,
        )
        assert second.returncode == 1
        assert f"process {served.pid}" in second.stderr
        assert len(second.stderr.strip().splitlines()) == 1

        served.send_signal(signal.SIGINT)
        assert served.wait(timeout=180) == 0
        assert not any(is_alive(pid) for pid in pids)
    assert healthz(port)[0] == 0
    assert "stale" not in log.read_text()


@pytest.mark.processes
def test_the_same_command_serves_on_postgresql_and_redis(
    tmp_path: Path, postgres: str, redis_url: str
) -> None:
    port, log = free_port(), tmp_path / "log"
    env = plain_environment(
        SWEEP_SECONDS="1", VAR_DIR=str(tmp_path), DATABASE_URL=postgres, CELERY_BROKER_URL=redis_url
    )

    def silence() -> int:
        return int(healthz(port)[1]["sweep_age_seconds"])

    with running("manage.py", "serve", "--port", str(port), env=env, log=log) as served:
        wait_until(lambda: healthz(port)[1].get("sweep") == "ok", "a sweep through Redis", every=0.2)
        assert healthz(port)[0] == 200
        pids = [pid_of(tmp_path, name) for name in ("web", "worker", "beat")]
        # for longer than a worker waits, the broker takes connections and says nothing
        with redis.Redis.from_url(redis_url) as broker:
            broker.client_pause(int(1000 * (PATIENT_SECONDS + 2)))
        wait_until(lambda: silence() > PATIENT_SECONDS, "silence", every=0.5)
        wait_until(lambda: silence() < 3, "a sweep after the silence", every=0.5)
        assert pids == [pid_of(tmp_path, name) for name in ("web", "worker", "beat")], "nobody died of it"
        served.terminate()
        assert served.wait(timeout=180) == 0
        assert not any(is_alive(pid) for pid in pids)
    assert not (tmp_path / "queue").exists()
    assert not list(tmp_path.glob("*.sqlite3"))
