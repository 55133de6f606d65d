"""A campaign under real processes: the worker is killed in the middle of a battle and of a turn, and nothing is lost or done twice."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import DATABASE, ROOT, lay_tables, plain_environment, running, wait_until
from tests.support.redis import free_port

SEED = "killed"
MAKE = f"""
import django; django.setup()
import json
from django.contrib.auth import get_user_model
from django.core.management import call_command
from campaign.models import Station
from campaign.services.setup.demo import demo_start
from campaign.services.orders.openings import opening_of
from campaign.services.setup.setup import shipped_theatres, theatre_load
from fleets.selectors.registers import register_by_code
call_command("load_registers", verbosity=0)
path = next(path for path in shipped_theatres() if path.stem == "narrow_seas_1666")
campaign = demo_start(
    theatre=theatre_load(document=json.loads(path.read_text())),
    register=register_by_code(opening_of("narrow_seas_1666")["register"]),
    umpire=get_user_model().objects.create_user("umpire", "umpire@club.example"), seed="{SEED}", code="killed",
    admirals=[get_user_model().objects.create_user(f"{{n}}@club.example", f"{{n}}@club.example") for n in ("english", "dutch")],
)
Station.objects.filter(fleet__navy__book=campaign.book).update(at="hinder")
"""
LOCK = """
import django; django.setup()
from campaign.models import Turn
from campaign.services.turn.turns import turn_lock
turn_lock(turn=Turn.objects.get(phase="open"))
"""
PLAY = """
import django; django.setup()
from campaign.models import Turn
from campaign.services.turn.playing import turn_play
print(turn_play(turn=Turn.objects.get(phase="open")).state_hash)
"""


def python(code: str, env: dict[str, str]) -> str:
    """What a script prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, timeout=400
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def environment(folder: Path) -> dict[str, str]:
    """An installation of its own, with a short lease."""
    return plain_environment(
        VAR_DIR=str(folder),
        DJANGO_SETTINGS_MODULE="deploy.settings.dev",
        SWEEP_SECONDS="1",
        LEASE_SECONDS="6",
    )


def ask(folder: Path, query: str) -> list[Any]:
    """First column of a query, read beside the running site."""
    with closing(sqlite3.connect(f"file:{folder / DATABASE}?mode=ro", uri=True, timeout=10)) as db:
        return [row[0] for row in db.execute(query)]


def kill_when(folder: Path, query: str, *, seconds: float = 150) -> None:
    """Kill the worker with signal 9 at the moment a query finds a row."""
    deadline = time.monotonic() + seconds
    while not ask(folder, query):
        assert time.monotonic() < deadline, f"never so: {query}"
        time.sleep(0.01)
    os.kill(int((folder / "run" / "worker.pid").read_text()), signal.SIGKILL)


def answers(port: int) -> int:
    """Status of the log-in page."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/accounts/login/", timeout=10) as response:
        return int(response.status)


@pytest.mark.processes
def test_a_worker_killed_in_a_battle_and_in_a_turn_changes_nothing(tmp_path: Path, tables: Path) -> None:
    quiet, killed = environment(tmp_path / "quiet"), environment(tmp_path / "killed")
    lay_tables(tables, tmp_path / "quiet")
    python(MAKE, quiet)
    lay_tables(tmp_path / "quiet" / DATABASE, tmp_path / "killed")
    due = python(PLAY, quiet)
    folder, port = tmp_path / "killed", free_port()
    with running("manage.py", "serve", "--port", str(port), env=killed, log=tmp_path / "log"):
        wait_until(lambda: "ready" in (tmp_path / "log").read_text(), "the worker")
        # looked for from the moment it can be: the worker may be past it before the script that locks has ended
        locking = subprocess.Popen([sys.executable, "-c", LOCK], cwd=ROOT, env=killed)
        kill_when(folder, "SELECT 1 FROM campaign_turn WHERE phase = 'running' AND claim IS NOT NULL")
        assert locking.wait(timeout=180) == 0
        assert answers(port) == 200
        kill_when(folder, "SELECT 1 FROM battles_battle WHERE status = 'fighting'")
        assert answers(port) == 200
        wait_until(
            lambda: ask(folder, "SELECT phase FROM campaign_turn WHERE number = 1") == ["closed"],
            "the turn to be closed",
            seconds=240,
        )
        assert answers(port) == 200
        wait_until(
            lambda: not ask(folder, "SELECT 1 FROM campaign_notice WHERE status <> 'sent'"),
            "the mails",
            seconds=180,
        )
    assert ask(folder, "SELECT state_hash FROM campaign_turn WHERE number = 1") == [due]
    assert ask(folder, "SELECT count(*) FROM campaign_turn") == [2]
    for rows in ("battles_battle", "battles_battleoutcome", "fleets_servicerecord", "campaign_notice"):
        mine, theirs = (ask(tmp_path / name, f"SELECT count(*) FROM {rows}") for name in ("killed", "quiet"))
        assert mine == theirs, rows
    mails = list((folder / "mail").iterdir())
    assert len(mails) >= ask(folder, "SELECT count(*) FROM campaign_notice")[0]
