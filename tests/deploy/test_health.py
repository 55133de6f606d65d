"""The health page."""

import os
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import pytest
from django.conf import LazySettings
from django.db import OperationalError, connection
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def run_dir(tmp_path: Path, settings: LazySettings) -> Path:
    settings.RUN_DIR = tmp_path
    return tmp_path


def touch(path: Path, *, seconds_ago: float) -> None:
    path.touch()
    then = time.time() - seconds_ago
    os.utime(path, (then, then))


def test_all_is_well_where_nothing_is_known_against_it(client: Client, run_dir: Path) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "database": "ok",
        "sweep_age_seconds": None,
        "sweep": "unknown",
        "worker": "unknown",
        "beat": "unknown",
    }
    assert "no-store" in response["Cache-Control"]


def test_the_age_of_the_last_sweep_is_told(client: Client, run_dir: Path) -> None:
    touch(run_dir / "sweep", seconds_ago=12)
    body = client.get("/healthz").json()
    assert body["sweep"] == "ok"
    assert 12 <= body["sweep_age_seconds"] <= 20


def test_a_sweep_that_does_not_come_round_is_ill(
    client: Client, run_dir: Path, settings: LazySettings
) -> None:
    touch(run_dir / "sweep", seconds_ago=settings.TASK_TIME_LIMIT + 5 * settings.SWEEP_SECONDS)
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["sweep"] == "late"


def test_a_database_that_does_not_answer_is_ill(client: Client, run_dir: Path) -> None:
    with mock.patch.object(connection, "cursor", side_effect=OperationalError("password=hunter2")):
        response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["database"] == "unreachable"
    assert b"hunter2" not in response.content


def test_a_worker_that_died_is_ill(client: Client, run_dir: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (run_dir / "worker.pid").write_text(f"{dead.pid}\n")
    (run_dir / "beat.pid").write_text(f"{os.getpid()}\n")
    response = client.get("/healthz")
    assert response.status_code == 503
    assert (response.json()["worker"], response.json()["beat"]) == ("dead", "alive")


def test_it_is_only_read(client: Client, run_dir: Path) -> None:
    assert client.post("/healthz").status_code == 405
