"""A campaign under real processes: the worker is killed in the middle of a battle and of a turn, and nothing is lost or done twice.

In the end the whole site is killed.
"""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.processes.conftest import BEGUN, campaign_environment
from tests.support.processes import ROOT, asking, is_alive, lay_tables, pid_of, running, wait_until
from tests.support.redis import free_port

LOCK = """
from campaign.models import Turn
from campaign.services.turn.turns import turn_lock
turn_lock(turn=Turn.objects.get(phase="open"))
"""


def kill_when(folder: Path, ask: Callable[[str], list[Any]], query: str, *, seconds: float = 150) -> None:
    """Kill the worker with signal 9 at the moment a query finds a row."""
    deadline = time.monotonic() + seconds
    while not ask(query):
        assert time.monotonic() < deadline, f"never so: {query}"
        time.sleep(0.01)
    os.kill(pid_of(folder, "worker"), signal.SIGKILL)


def answers(port: int) -> int:
    """Status of the log-in page; 0 when nobody answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/accounts/login/", timeout=10) as response:
            return int(response.status)
    except OSError:
        return 0


@pytest.mark.processes
def test_a_worker_killed_in_a_battle_and_in_a_turn_changes_nothing_and_a_site_killed_hard_leaves_no_process(
    tmp_path: Path, undisturbed: Path
) -> None:
    folder, port, log = tmp_path / "killed", free_port(), tmp_path / "log"
    env = campaign_environment(folder)
    lay_tables(undisturbed / BEGUN, folder)
    with (
        asking(folder) as ask,
        running("manage.py", "serve", "--port", str(port), env=env, log=log) as served,
    ):
        wait_until(lambda: "ready" in log.read_text(), "the worker")
        # looked for from the moment it can be: the worker may be past it before the script that locks has ended
        locking = subprocess.Popen(
            [sys.executable, "-c", f"import django; django.setup()\n{LOCK}"], cwd=ROOT, env=env
        )
        kill_when(folder, ask, "SELECT 1 FROM campaign_turn WHERE phase = 'running' AND claim IS NOT NULL")
        assert locking.wait(timeout=180) == 0
        assert answers(port) == 200
        kill_when(folder, ask, "SELECT 1 FROM battles_battle WHERE status = 'fighting'")
        assert answers(port) == 200
        wait_until(
            lambda: ask("SELECT phase FROM campaign_turn WHERE number = 1") == ["closed"],
            "the turn to be closed",
            seconds=240,
        )
        assert answers(port) == 200
        wait_until(
            lambda: not ask("SELECT 1 FROM campaign_notice WHERE status <> 'sent'"), "the mails", seconds=180
        )
        pids = [pid_of(folder, name) for name in ("web", "worker", "beat")]
        assert all(is_alive(pid) for pid in pids)
        if sys.platform == "linux":  # only there is a child told that its parent is gone
            served.kill()
            served.wait()
            wait_until(lambda: not any(is_alive(pid) for pid in pids), "all three to be gone")
            assert answers(port) == 0
    with asking(folder) as ask, asking(undisturbed) as due:
        state = "SELECT state_hash FROM campaign_turn WHERE number = 1"
        assert ask(state) == due(state)
        assert ask("SELECT count(*) FROM campaign_turn") == [2]
        for rows in ("battles_battle", "battles_battleoutcome", "fleets_servicerecord", "campaign_notice"):
            assert ask(f"SELECT count(*) FROM {rows}") == due(f"SELECT count(*) FROM {rows}"), rows
        mails = list((folder / "mail").iterdir())
        assert len(mails) >= ask("SELECT count(*) FROM campaign_notice")[0]
