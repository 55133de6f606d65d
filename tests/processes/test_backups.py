"""A backup taken while a turn runs: restored elsewhere, the turn goes on from there and ends as it did here."""

from pathlib import Path

import pytest

from tests.processes.conftest import BEGUN, campaign_environment
from tests.processes.test_killed_worker import LOCK
from tests.support.processes import asking, lay_tables, printed, running, script, wait_until

BACK_UP = """
import sys
from django.core.management import call_command
call_command("backup", sys.argv[1])
"""
GO_ON = """
import time
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
PHASE = "SELECT phase FROM campaign_turn WHERE number = 1"


@pytest.mark.processes
def test_a_backup_taken_while_a_turn_runs_is_restored_and_verified(tmp_path: Path, undisturbed: Path) -> None:
    folder, log = tmp_path / "here", tmp_path / "log"
    here, there = campaign_environment(folder), campaign_environment(tmp_path / "there")
    lay_tables(undisturbed / BEGUN, folder)
    with asking(folder) as ask:
        with running("manage.py", "serve", "--without-web", env=here, log=log):
            wait_until(lambda: "ready" in log.read_text(), "the worker")
            path = script(LOCK + BACK_UP, str(tmp_path / "backups"), env=here)
            at_work = ask(PHASE)
            wait_until(lambda: ask(PHASE) == ["closed"], "the turn to be closed", seconds=240)

        printed("manage.py", "restore", path, env=there)
        went_on = script(GO_ON, env=there).splitlines()

        assert at_work != ["closed"]
        assert went_on[0] in ("was locked", "was running", "was fighting", "was reporting")
        assert went_on[1] == ask("SELECT state_hash FROM campaign_turn WHERE number = 1")[0]
        assert went_on[2].endswith("no errors found")
        assert went_on[3].endswith("checks agree")
        assert (tmp_path / "there" / "secret_key").read_text() == (folder / "secret_key").read_text()
