"""The settings files, each read by a fresh Python under an environment of its own."""

import json
import os
import stat
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.utils.formats import date_format

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import json, sys
from django.conf import settings
print(json.dumps({name: getattr(settings, name) for name in sys.argv[1:]}, default=str))
"""
SERVER = {
    "SECRET_KEY": "a key of the club",
    "ALLOWED_HOSTS": "gage.example.org",
    "SITE_URL": "https://gage.example.org/",
    "DATABASE_URL": "postgres://u:p@db/gage",
    "CELERY_BROKER_URL": "redis://cache/0",
}


def ask(which: str, *names: str, **environ: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": f"deploy.settings.{which}", **environ}
    return subprocess.run(
        [sys.executable, "-c", ASK, *names], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60
    )


def answers(which: str, *names: str, **environ: str) -> dict[str, Any]:
    done = ask(which, *names, **environ)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_without_any_variable_everything_is_under_var(tmp_path: Path) -> None:
    found = answers(
        *(
            "dev",
            "DATABASES",
            "DEBUG",
            "EMAIL_FILE_PATH",
            "CELERY_BROKER_URL",
            "CELERY_BROKER_TRANSPORT_OPTIONS",
        ),
        VAR_DIR=str(tmp_path),
    )
    assert found["DATABASES"]["default"]["NAME"] == str(tmp_path / "weather_gage.sqlite3")
    assert found["DATABASES"]["default"]["ATOMIC_REQUESTS"] is False
    assert found["EMAIL_FILE_PATH"] == str(tmp_path / "mail")
    assert found["CELERY_BROKER_URL"].startswith("filesystem://")
    assert found["CELERY_BROKER_TRANSPORT_OPTIONS"]["data_folder_in"].startswith(str(tmp_path))
    assert found["DEBUG"] is False


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first = answers("dev", "SECRET_KEY", VAR_DIR=str(tmp_path))
    second = answers("dev", "SECRET_KEY", VAR_DIR=str(tmp_path))
    assert first == second
    assert len(first["SECRET_KEY"]) >= 50
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert answers("dev", "SECRET_KEY", VAR_DIR=str(tmp_path), SECRET_KEY="mine") == {"SECRET_KEY": "mine"}


def test_a_server_names_all_missing_settings_at_once(tmp_path: Path) -> None:
    done = ask("prod", "DEBUG", VAR_DIR=str(tmp_path), DEBUG="1", SWEEP_SECONDS="often")
    assert done.returncode != 0
    for name in ("SECRET_KEY", "ALLOWED_HOSTS", "SITE_URL", "DEBUG", "SWEEP_SECONDS"):
        assert f"  {name}: " in done.stderr


def test_links_lead_to_the_served_port_unless_the_address_is_set(tmp_path: Path) -> None:
    folder = {"VAR_DIR": str(tmp_path)}
    assert answers("dev", "SITE_URL", **folder) == {"SITE_URL": "http://127.0.0.1:8000"}
    assert answers("dev", "SITE_URL", PORT="8123", **folder) == {"SITE_URL": "http://127.0.0.1:8123"}
    set_apart = answers("dev", "SITE_URL", PORT="8123", SITE_URL="https://gage.example.org", **folder)
    assert set_apart == {"SITE_URL": "https://gage.example.org"}
    assert "PORT: 99999 is outside" in ask("dev", "SITE_URL", PORT="99999", **folder).stderr


def test_a_server_is_strict(tmp_path: Path) -> None:
    found = answers(
        *(
            "prod",
            "SESSION_COOKIE_SECURE",
            "CSRF_COOKIE_SECURE",
            "SECURE_SSL_REDIRECT",
            "STORAGES",
            "SITE_URL",
        ),
        *("CELERY_BROKER_TRANSPORT_OPTIONS", "TASK_TIME_LIMIT"),
        VAR_DIR=str(tmp_path),
        **SERVER,
    )
    assert found["SESSION_COOKIE_SECURE"]
    assert found["CSRF_COOKIE_SECURE"]
    assert found["SECURE_SSL_REDIRECT"]
    assert "Manifest" in found["STORAGES"]["staticfiles"]["BACKEND"]
    assert found["SITE_URL"] == "https://gage.example.org"
    assert found["CELERY_BROKER_TRANSPORT_OPTIONS"]["visibility_timeout"] == found["TASK_TIME_LIMIT"] + 60


def test_a_server_passes_the_deployment_check(tmp_path: Path) -> None:
    key = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR-_"
    env = {
        **SERVER,
        "PATH": os.environ["PATH"],
        "SECRET_KEY": key,
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path}/gage.sqlite3",
        "DJANGO_SETTINGS_MODULE": "deploy.settings.prod",
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "ERROR"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    # W005, W021: subdomains and preloading are the club's to promise, not ours
    warnings = {line.split("(")[1].split(")")[0] for line in done.stderr.splitlines() if "(security." in line}
    assert warnings <= {"security.W005", "security.W021"}


PEOPLE = ("CAMPAIGNS_BY", "INVITATIONS_PER_DAY", "TRUSTED_PROXIES", "AXES_CLIENT_IP_CALLABLE")


@pytest.mark.parametrize(
    ("which", "environ", "found"),
    [
        ("dev", {}, ["everyone", 20, 0]),
        ("prod", {}, ["named", 20, 0]),
        ("prod", {"CAMPAIGNS_BY": "Everyone", "TRUSTED_PROXIES": "1"}, ["everyone", 20, 1]),
        ("dev", {"CAMPAIGNS_BY": "named", "INVITATIONS_PER_DAY": "0"}, ["named", 0, 0]),
    ],
)
def test_a_server_lets_named_people_start_campaigns_and_trusts_no_proxy_by_default(
    tmp_path: Path, which: str, environ: dict[str, str], found: list[Any]
) -> None:
    answer = answers(which, *PEOPLE, VAR_DIR=str(tmp_path), **SERVER, **environ)
    assert list(answer.values()) == [*found, "deploy.client.client_ip"]


@pytest.mark.parametrize(
    "path", ["nginx/weather-gage.conf", "docker/compose.yaml", "systemd/weather-gage-web.service"]
)
def test_software_that_comes_with_a_proxy_says_that_it_is_one(path: str) -> None:
    text = (ROOT / "deploy" / path).read_text()
    assert "TRUSTED_PROXIES=1" in text or "${TRUSTED_PROXIES:-1}" in text


@pytest.mark.parametrize("which", ["dev", "prod"])
def test_nothing_may_be_loaded_from_elsewhere_or_run_inline(which: str, tmp_path: Path) -> None:
    policy = answers(which, "CONTENT_SECURITY_POLICY", VAR_DIR=str(tmp_path), **SERVER)[
        "CONTENT_SECURITY_POLICY"
    ]
    sources = {source for listed in policy["DIRECTIVES"].values() for source in listed}
    assert sources == {"'self'", "'none'"}
    assert policy["DIRECTIVES"]["default-src"] == ["'self'"]


def test_whitenoise_comes_before_staticfiles(tmp_path: Path) -> None:
    installed = answers("dev", "INSTALLED_APPS", VAR_DIR=str(tmp_path))["INSTALLED_APPS"]
    assert installed.index("whitenoise.runserver_nostatic") < installed.index("django.contrib.staticfiles")


def test_the_engine_loads_no_django() -> None:
    code = "import sys, battles.engine, campaign.rules; sys.exit('django' in sys.modules or 'celery' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=60).returncode == 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("DATETIME_FORMAT", "3 Jan 2026, 20:18"),
        ("TIME_FORMAT", "20:18"),
        ("SHORT_DATETIME_FORMAT", "03/01/2026 20:18"),
    ],
)
def test_the_admin_writes_times_by_the_24_hour_clock(name: str, words: str) -> None:
    assert date_format(datetime(2026, 1, 3, 20, 18), name) == words
