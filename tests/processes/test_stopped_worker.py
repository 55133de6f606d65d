"""A worker that is stopped inside the transaction that closes its turn, for longer than its lease, beside another: one turn is opened."""

import os
import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from kombu import Connection

from campaign.tasks import run_turn
from deploy import spool
from deploy.env import broker
from tests.support.processes import plain_environment, running, script, wait_until

MAKE = """
from campaign.models import Order, Station
from campaign.services.turn.turns import turn_lock
from tests.campaign.services.conftest import start
turn = start().turns.get()
Order.objects.update(stance="hold")
Station.objects.filter(fleet__navy__code="NLD").update(at="texel")
turn_lock(turn=turn)
"""
AUDIT = """
from django.core.management import call_command
call_command("audit", "small")
"""
WORKER = ("-m", "celery", "-q", "-A", "deploy.celery_app", "worker", "--pool", "solo", "--queues", "default")
QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "info")
WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
DONE = "Task campaign.tasks.run_turn"


@pytest.mark.processes
def test_a_worker_stopped_while_it_closes_a_turn_leaves_one_open_turn(tmp_path: Path, postgres: str) -> None:
    env = plain_environment(
        VAR_DIR=str(tmp_path),
        DATABASE_URL=postgres,
        LEASE_SECONDS="3",
        DJANGO_SETTINGS_MODULE="deploy.settings.dev",
    )
    script(MAKE, env=env)
    with closing(psycopg.connect(postgres)) as database:
        race(database, env, tmp_path)
        turns = database.execute("SELECT number, phase, first_day FROM campaign_turn ORDER BY number")
        assert turns.fetchall() == [(1, "closed", 0), (2, "open", 1)]
        reports = database.execute("SELECT count(*) FROM campaign_notice WHERE kind = 'umpire_report'")
        assert reports.fetchall() == [(1,)]
    assert "no errors found" in script(AUDIT, env=env)


def race(database: psycopg.Connection[Any], env: dict[str, str], folder: Path) -> None:
    """Stop the first worker while its closing transaction is open; let a second one come to the same turn; let the first go on."""
    one, other = folder / "one", folder / "other"

    def says(query: str) -> Callable[[], bool]:
        def ask() -> bool:
            with database.cursor() as cursor:
                return bool((cursor.execute(query).fetchone() or [None])[0])

        return ask

    with closing(psycopg.connect(database.info.dsn, password=database.info.password)) as gate:
        gate.execute("LOCK TABLE campaign_notice IN EXCLUSIVE MODE")  # the first write after the turn's own
        database.autocommit = True
        hand_out(folder, turn_id=database.execute("SELECT id FROM campaign_turn").fetchall()[0][0])
        with running(*WORKER, *QUIET, env=env, log=one) as first:
            wait_until(says(WAITING), f"the first worker to be closing its turn: {one.read_text()[-800:]}")
            assert says("SELECT phase = 'reporting' AND claim IS NOT NULL FROM campaign_turn")()
            os.kill(first.pid, signal.SIGSTOP)
            gate.rollback()
            wait_until(says("SELECT lease_until < now() FROM campaign_turn"), "its lease to run out")
            hand_out(folder, turn_id=database.execute("SELECT id FROM campaign_turn").fetchall()[0][0])
            with running(*WORKER, *QUIET, env=env, log=other):
                wait_until(says(WAITING), f"the second worker to wait: {other.read_text()[-800:]}")
                os.kill(first.pid, signal.SIGCONT)
                for log in (one, other):
                    wait_until(lambda log=log: DONE in done(log), f"a worker to be through: {log}")


def hand_out(folder: Path, *, turn_id: int) -> None:
    """Send a turn to the workers."""
    settings = broker("filesystem://", queue_folder=folder / "queue", visibility_timeout=960)
    spool.install()
    with Connection(
        settings["CELERY_BROKER_URL"], transport_options=settings["CELERY_BROKER_TRANSPORT_OPTIONS"]
    ) as connection:
        run_turn.apply_async((turn_id,), connection=connection, queue="default")


def done(log: Path) -> str:
    """Those lines of a worker's log that tell of a task's end."""
    return "\n".join(line for line in log.read_text().splitlines() if "succeeded" in line)
