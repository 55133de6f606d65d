"""`manage.py serve` and `first_run`: refusals, and which programs start; `tests/processes/test_site.py` has the real thing."""

import os
import socket
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from deploy import beat, celery_app, health
from deploy.management.commands import first_run, serve
from deploy.supervise import Plan, only_one
from tests.support.processes import ROOT, plain_environment


def test_a_port_in_use_is_refused_with_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(CommandError, match=r"cannot listen on 127\.0\.0\.1 port \d+: .*--port"):
            serve.check_port("127.0.0.1", taken.getsockname()[1])


@pytest.mark.parametrize(("bind", "port"), [("127.0.0.1", 70000), ("no.such.host.invalid", 8000)])
def test_an_impossible_address_is_refused(bind: str, port: int) -> None:
    with pytest.raises(CommandError, match="cannot listen on"):
        serve.check_port(bind, port)


@pytest.mark.django_db
def test_outdated_tables_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    serve.check_database()
    monkeypatch.setattr(health.MigrationExecutor, "migration_plan", lambda *_: [("fleets.0099", False)])
    with pytest.raises(CommandError, match="1 migration not applied"):
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
    for url, pool, queues in (
        ("filesystem://localhost/", "solo", "default"),
        ("redis://cache/0", "prefork", "default,mail,odds"),
    ):
        settings.CELERY_BROKER_URL = url
        worker = next(p for p in serve.programs(bind="::1", port=1) if p.name == "worker")
        assert worker.argv[worker.argv.index("--pool") + 1] == pool
        assert worker.argv[worker.argv.index("--queues") + 1] == queues


def test_workers_for_emails_and_odds_run_on_demand_on_the_filesystem_alone(settings: LazySettings) -> None:
    settings.ODDS_LANES, settings.LINGER_SECONDS = 3, 45
    settings.CELERY_BROKER_URL = "filesystem://localhost/"
    found = serve.programs(bind="::1", port=1)
    spare = [program for program in found if program.queue]
    assert [(p.name, p.queue) for p in spare] == [
        ("mail", "mail"), ("odds-1", "odds"), ("odds-2", "odds"), ("odds-3", "odds"),
    ]  # fmt: skip
    assert all(p.argv[p.argv.index("--queues") + 1] == p.queue for p in spare)
    assert {p.env["WORKER_LEAVES_AFTER"] for p in spare} == {"45"}
    assert not any(p.env for p in found if not p.queue), "the others stay"
    assert [p.nice > 0 for p in found] == [False] * 4 + [True] * 3, "turns, pages and emails come first"
    settings.CELERY_BROKER_URL = "redis://cache/0"
    assert {p.name for p in serve.programs(bind="::1", port=1)} == {"web", "worker", "beat"}


@pytest.mark.parametrize(
    ("bind", "site"),
    [
        ("127.0.0.1", "http://127.0.0.1:8201"),
        ("0.0.0.0", "http://127.0.0.1:8201"),
        ("::1", "http://[::1]:8201"),
        ("192.0.2.7", "http://192.0.2.7:8201"),
    ],
)
def test_links_in_emails_lead_to_the_port_that_is_served(bind: str, site: str) -> None:
    told = serve.environment({"HOME": "/home/club", "SITE_URL": ""}, bind=bind, port=8201)
    assert (told["SITE_URL"], told["PORT"], told["HOME"]) == (site, "8201", "/home/club")


def test_a_configured_site_url_wins_over_the_port() -> None:
    told = serve.environment({"SITE_URL": "https://gage.example.org"}, bind="127.0.0.1", port=8201)
    assert told["SITE_URL"] == "https://gage.example.org"


@pytest.mark.django_db
def test_web_worker_and_beat_are_started_with_the_served_address(
    tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RUN_DIR = tmp_path
    monkeypatch.delenv("SITE_URL", raising=False)
    became: list[tuple[Path, dict[str, str]]] = []
    monkeypatch.setattr(serve, "become", lambda plan, env: became.append((plan, dict(env))))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    call_command("serve", "--port", str(port))
    ((file, env),) = became
    assert env["SITE_URL"] == f"http://127.0.0.1:{port}"
    plan = Plan.read(file)
    assert [program.name for program in plan.programs] == ["web", "worker", "beat"]
    assert plan.run_dir == str(tmp_path)
    assert f"http://127.0.0.1:{port}/" in plan.said_first


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


@pytest.mark.parametrize(
    ("code", "unloaded"),
    [
        ("import deploy.supervise", ("django", "celery", "kombu")),
        (
            "from deploy.beat import app; from celery.apps.beat import Beat; assert app.conf.beat_schedule",
            ("django.apps", "django.db", "campaign", "battles", "fleets"),
        ),
        (
            "import sys; sys.argv = ['manage.py', 'odds', '--help']\n"
            "try: import manage; manage.main()\nexcept SystemExit: pass",
            ("django", "celery", "campaign", "fleets"),
        ),
        (
            "import sys; sys.argv = ['manage.py', 'fight', '--help']\n"
            "try: import manage; manage.main()\nexcept SystemExit: pass",
            ("django", "celery", "campaign", "fleets"),
        ),
    ],
    ids=["supervisor", "beat", "odds", "fight"],
)
def test_what_does_not_need_the_site_does_not_load_it(
    code: str, unloaded: tuple[str, ...], tmp_path: Path
) -> None:
    asked = (
        f"{code}\nimport sys; print([name for name in {unloaded!r} if name in sys.modules], file=sys.stderr)"
    )
    env = plain_environment(VAR_DIR=str(tmp_path))
    ran = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    assert ran.stderr.splitlines()[-1] == "[]"


def test_the_beat_sends_what_the_site_has_scheduled() -> None:
    assert beat.app.conf.beat_schedule == celery_app.app.conf.beat_schedule
    assert beat.app.conf.task_routes == celery_app.app.conf.task_routes
