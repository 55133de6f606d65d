"""A backup taken while a turn runs: restored elsewhere, the turn goes on from there and ends as it did here."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes.test_killed_worker import LOCK, MAKE, ask, environment, python
from tests.support.processes import ROOT, lay_tables, running, wait_until
from tests.support.redis import free_port

GO_ON = """
import time
import django; django.setup()
from django.core.management import call_command
from django.utils import timezone
from battles.models import Battle
from battles.services.fighting import battle_fight
from campaign.models import Turn
from campaign.services.turn.playing import turn_play
turn = Turn.objects.get(number=1)
print("was", turn.phase)
work = [*Battle.objects.filter(lease_until__isnull=False), turn]  # the workers that had it are not here: their leases run out
until = max((row.lease_until for row in work if row.lease_until), default=timezone.now())
time.sleep(max(0, (until - timezone.now()).total_seconds()) + 0.1)
for battle in Battle.objects.filter(status="fighting"):
    assert battle_fight(battle_id=battle.pk)
print(turn_play(turn=turn).state_hash)
call_command("audit", "killed")
call_command("verify", "killed", "--quiet")
"""


def manage(*words: str, env: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *words], cwd=ROOT, env=env, capture_output=True, text=True, timeout=180
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.processes
def test_a_backup_taken_while_a_turn_runs_is_restored_and_verified(tmp_path: Path, tables: Path) -> None:
    here, there = environment(tmp_path / "here"), environment(tmp_path / "there")
    lay_tables(tables, tmp_path / "here")
    python(MAKE, here)
    with running("manage.py", "serve", "--port", str(free_port()), env=here, log=tmp_path / "log"):
        wait_until(lambda: "ready" in (tmp_path / "log").read_text(), "the worker")
        python(LOCK, here)
        path = manage("backup", str(tmp_path / "backups"), env=here)
        at_work = ask(tmp_path / "here", "SELECT phase FROM campaign_turn WHERE number = 1")
        wait_until(
            lambda: ask(tmp_path / "here", "SELECT phase FROM campaign_turn WHERE number = 1") == ["closed"],
            "the turn to be closed",
            seconds=240,
        )

    manage("restore", path, env=there)
    went_on = python(GO_ON, there).splitlines()

    assert at_work != ["closed"]
    assert went_on[0] in ("was locked", "was running", "was fighting", "was reporting")
    assert went_on[1] == ask(tmp_path / "here", "SELECT state_hash FROM campaign_turn WHERE number = 1")[0]
    assert went_on[2].endswith("no errors found")
    assert went_on[3].endswith("checks agree")
    assert (tmp_path / "there" / "secret_key").read_text() == (tmp_path / "here" / "secret_key").read_text()
