"""Odds on the embedded site: workers start when someone asks, one is killed in the middle, and they leave when the answer is there."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.support.processes import (
    asking,
    is_alive,
    lay_tables,
    pid_of,
    plain_environment,
    running,
    script,
    wait_until,
)

ASK = """
from campaign.models import Sighting, Station
from campaign.selectors.odds.asked import asked_of_contact
from campaign.services.odds.asking import odds_ask
from tests.support.people import world
told = world()
Sighting.objects.update(band="1")
station = Station.objects.select_related("fleet__navy").get(fleet=told.english_fleet)
asked = asked_of_contact(told.english, told.turn, station, Sighting.objects.get(side=told.english.side))
odds_ask(membership=told.english, turn=told.turn, asked=asked, within=10)
"""
STATE, RUNS = "SELECT state FROM campaign_oddsrun", "SELECT runs FROM campaign_oddsrun"


def pids(folder: Path) -> dict[str, int]:
    """The workers for odds that run now, by name."""
    found = {}
    for path in (folder / "run").glob("odds-*.pid"):
        try:
            found[path.stem] = int(path.read_text())
        except (FileNotFoundError, ValueError):
            continue
    return {name: pid for name, pid in found.items() if is_alive(pid)}


@pytest.mark.processes
def test_workers_for_odds_come_are_killed_come_again_and_leave(tmp_path: Path, tables: Path) -> None:
    lay_tables(tables, tmp_path)
    env = plain_environment(
        VAR_DIR=str(tmp_path), DJANGO_SETTINGS_MODULE="deploy.settings.dev", SWEEP_SECONDS="2", LEASE_SECONDS="2",
        LINGER_SECONDS="1", ODDS_LANES="2",
    )  # fmt: skip
    log = tmp_path / "log"
    with (
        asking(tmp_path) as ask,
        running("manage.py", "serve", "--without-web", env=env, log=log),
    ):
        wait_until(lambda: "ready" in log.read_text(), "the worker")
        assert pid_of(tmp_path, "web") == 0
        worker = pid_of(tmp_path, "worker")
        assert not pids(tmp_path), "nobody has asked"
        script(ASK, env=env)
        deadline = time.monotonic() + 60
        while not ask("SELECT 1 FROM campaign_oddschunk WHERE claim IS NOT NULL AND first > 0"):
            assert time.monotonic() < deadline, "no chunk was taken up"
            time.sleep(0.01)
        for pid in pids(tmp_path).values():
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: ask(STATE) == ["done"], "the answer", seconds=240)
        assert ask(RUNS)[0] >= 30
        assert ask("SELECT count(*) FROM campaign_oddschunk") == [0]
        wait_until(lambda: not pids(tmp_path), "the workers for odds to leave")
        assert pid_of(tmp_path, "worker") == worker, "turns were served all the time"
