"""The health page."""

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest
from django.conf import LazySettings
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from campaign.models import Heartbeat, SetAsideMail
from campaign.notices.mail_away import outage_note, outage_over
from deploy import health
from tests.support.factories import NoticeFactory, TurnFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def run_dir(tmp_path: Path, settings: LazySettings) -> Path:
    settings.RUN_DIR = tmp_path
    return tmp_path


def touch(path: Path, *, seconds_ago: float) -> None:
    path.touch()
    then = time.time() - seconds_ago
    os.utime(path, (then, then))


def test_the_site_is_healthy_unless_a_problem_is_known(client: Client, run_dir: Path) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "database": "ok",
        "disk": "ok",
        "sweep_age_seconds": None,
        "sweep": "unknown",
        "worker": "unknown",
        "beat": "unknown",
        "engine": "interpreted",
        "turns": {"state": "ok", "past_deadline": 0, "stuck": 0, "failed": 0},
        "battles": {"state": "ok", "stuck": 0},
        "mail": {
            **{"state": "ok", "server_away": False, "waiting": 0},
            **{"failed": 0, "dead_addresses": 0, "set_aside": 0},
        },
    }
    assert "no-store" in response["Cache-Control"]


def test_the_age_of_the_last_sweep_is_reported(client: Client, run_dir: Path) -> None:
    touch(run_dir / "sweep", seconds_ago=12)
    body = client.get("/healthz").json()
    assert body["sweep"] == "ok"
    assert 12 <= body["sweep_age_seconds"] <= 20


def test_a_missing_sweep_is_unhealthy(client: Client, run_dir: Path, settings: LazySettings) -> None:
    touch(run_dir / "sweep", seconds_ago=settings.TASK_TIME_LIMIT + 5 * settings.SWEEP_SECONDS)
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["sweep"] == "late"


def test_an_unresponsive_database_is_unhealthy(client: Client, run_dir: Path) -> None:
    with mock.patch.object(connection, "cursor", side_effect=OperationalError("password=hunter2")):
        response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["database"] == "unreachable"
    assert b"hunter2" not in response.content


def test_a_database_without_our_tables_is_unhealthy(client: Client, run_dir: Path) -> None:
    with mock.patch.object(health, "parts_of", side_effect=OperationalError("no such table: campaign_turn")):
        response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["database"] == "unreachable" and b"campaign_turn" not in response.content


def test_a_dead_worker_is_unhealthy(client: Client, run_dir: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (run_dir / "worker.pid").write_text(f"{dead.pid}\n")
    (run_dir / "beat.pid").write_text(f"{os.getpid()}\n")
    response = client.get("/healthz")
    assert response.status_code == 503
    assert (response.json()["worker"], response.json()["beat"]) == ("dead", "alive")


def test_stuck_work_is_counted_and_unhealthy_only_for_those_who_ask(client: Client, run_dir: Path) -> None:
    NoticeFactory(status="failed", campaign__book__code="secretwar")
    TurnFactory(
        campaign__book__code="otherwar",
        phase="failed",
    )
    response = client.get("/healthz")
    body = response.json()
    assert (response.status_code, body["status"]) == (200, "ok")
    assert (body["mail"]["state"], body["mail"]["failed"]) == ("late", 1)
    assert body["turns"]["failed"] == 1 and body["battles"]["state"] == "ok"
    strict = client.get("/healthz?strict=1")
    assert (strict.status_code, strict.json()["status"]) == (503, "ill")
    for told in (response.content, strict.content):
        assert b"secretwar" not in told and b"otherwar" not in told


def test_unreadable_emails_are_counted_and_one_from_a_stranger_does_not_make_the_site_unhealthy(
    client: Client, run_dir: Path
) -> None:
    for number in range(2):
        SetAsideMail.objects.create(
            digest=f"{number}", name="secretfile", reason="it has more than 1000 parts"
        )
    response = client.get("/healthz?strict=1")
    assert (response.status_code, response.json()["mail"]["set_aside"]) == (200, 2)
    assert b"secretfile" not in response.content and b"parts" not in response.content


def test_a_sweep_is_late_after_three_intervals_for_those_who_ask_and_after_a_long_task_for_others(
    client: Client, run_dir: Path, settings: LazySettings
) -> None:
    touch(run_dir / "sweep", seconds_ago=3 * settings.SWEEP_SECONDS + 70)
    response = client.get("/healthz")
    assert (response.status_code, response.json()["sweep"]) == (200, "late")
    assert client.get("/healthz?strict=1").status_code == 503
    Heartbeat.objects.create(at=timezone.now())
    assert client.get("/healthz?strict=1").json()["sweep"] == "ok"


@pytest.mark.parametrize(
    ("free", "files", "flag", "told"),
    [(2**30, 99, 0, "ok"), (2**20, 99, 0, "full"), (2**30, 0, 0, "full"), (2**30, 99, os.ST_RDONLY, "full")],
)
def test_a_disk_that_cannot_be_written_is_unhealthy(
    client: Client, run_dir: Path, free: int, files: int, flag: int, told: str
) -> None:
    disk = SimpleNamespace(f_bavail=free // 4096, f_frsize=4096, f_files=100, f_favail=files, f_flag=flag)
    with mock.patch.object(os, "statvfs", return_value=disk):
        response = client.get("/healthz")
    assert response.json()["disk"] == told
    assert response.status_code == (200 if told == "ok" else 503)


def test_an_unavailable_mail_server_is_reported_and_closes_the_site_to_no_one(
    client: Client, run_dir: Path
) -> None:
    outage_note("SMTPServerDisconnected: secret.example.org hung up")
    response = client.get("/healthz")
    body = response.json()
    assert (response.status_code, body["mail"]["state"], body["mail"]["server_away"]) == (200, "late", True)
    assert b"secret.example.org" not in response.content
    assert client.get("/healthz?strict=1").status_code == 503
    outage_over()
    assert client.get("/healthz?strict=1").status_code == 200


def test_the_health_page_is_read_only(client: Client, run_dir: Path) -> None:
    assert client.post("/healthz").status_code == 405


def gauges(client: Client) -> dict[tuple[str, ...], float]:
    """Every figure by its name and labels, as Prometheus reads them."""
    response = client.get("/metrics")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/plain; version=0.0.4")
    assert "no-store" in response["Cache-Control"]
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


def test_metrics_count_what_the_health_page_counts_and_name_no_one(client: Client, run_dir: Path) -> None:
    NoticeFactory(status="failed", address="anna@club.example")
    touch(run_dir / "sweep", seconds_ago=12)
    (run_dir / "beat.pid").write_text(f"{os.getpid()}\n")
    found = gauges(client)
    assert 12 <= found["weather_gage_sweep_age_seconds",] <= 15
    assert found["weather_gage_engine", "interpreted"] == 1
    assert found["weather_gage_up", "site"] == found["weather_gage_up", "beat"] == 1
    assert ("weather_gage_up", "worker") not in found
    assert found["weather_gage_disk_free_bytes",] > 0
    body = client.get("/healthz").json()
    for part in ("turns", "battles", "mail"):
        for what, count in body[part].items():
            if what != "state":
                assert found[f"weather_gage_{part}", what] == count
    assert found["weather_gage_mail", "failed"] == 1
    assert "anna" not in client.get("/metrics").text


def test_metrics_are_given_when_the_site_is_ill(client: Client, run_dir: Path) -> None:
    with mock.patch.object(connection, "cursor", side_effect=OperationalError("password=hunter2")):
        found = gauges(client)
    assert found["weather_gage_up", "site"] == found["weather_gage_up", "database"] == 0
    assert not any(name[0] == "weather_gage_turns" for name in found)
