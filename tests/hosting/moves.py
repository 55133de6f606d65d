"""`python -m tests.hosting.moves`: a long campaign takes new rules, is backed up in mid-turn, and moves to another database.

A campaign begins on SQLite by the versions of the rules before today's, and takes today's half-way. A backup taken while
its next turn is run is restored beside it, where that turn ends as it does here. Its archive is imported into PostgreSQL and played on
there as here. Both are audited and verified, all turns. A compiled engine is used where one fits. Returns 1 at the first step that fails.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import django

from tests.support import pg
from tests.support.processes import DATABASE, ROOT, migrate, plain_environment, running, wait_until
from tests.support.redis import free_port

STORE = ROOT / "var" / "hosting" / "moves"
PATIENCE = 900.0  # seconds
CODE = "chaos"  # as tests.chaos.inside calls it


# --- inside an installation ----------------------------------------------------------------------------


def begin(theatre: str) -> None:
    """The campaign, pinned to the versions before today's of its rule set and of the chart's rules."""
    from battles.engine.pinned.archives import installed
    from campaign.models import Campaign
    from campaign.pinned.pins import newest
    from fleets.services.books import book_play_by
    from tests.chaos.inside import make

    make((theatre,))
    campaign = Campaign.objects.select_related("book").get()
    now = newest(campaign.book.rule_set)
    kept = {version.name: version for version in installed() if version not in (now.rule_set, now.chart)}
    rule_set, chart = kept[now.rule_set.name], kept[now.chart.name]
    book_play_by(book=campaign.book, number=rule_set.number, fingerprint=rule_set.fingerprint)
    campaign.chart_version, campaign.chart_rules = chart.number, chart.fingerprint
    campaign.save(update_fields=["chart_version", "chart_rules"])
    told()


def told() -> None:
    """Prints what the campaign plays by, and whether the engine is compiled."""
    from battles.engine import ENGINE
    from campaign.models import Campaign
    from campaign.pinned.pins import pin_of

    campaign = Campaign.objects.select_related("book").get()
    print(f"plays by {pin_of(campaign)}; engine {ENGINE.word}")


def take() -> None:
    """The umpire takes today's rules. They come when the next turn opens."""
    from django.contrib.auth import get_user_model

    from campaign.models import Campaign
    from campaign.pinned.pins import newest
    from campaign.services.settings.versions import rules_take

    campaign = Campaign.objects.select_related("book").get()
    umpire = get_user_model().objects.get(username="umpire")
    wanted = newest(campaign.book.rule_set).hash
    rules_take(campaign=campaign, umpire=umpire, reason="The site was updated.", wanted=wanted)


def play(turns: str) -> None:
    """Plays so many turns, and prints the number and hash of the last."""
    from campaign.models import Campaign, Turn
    from campaign.services.turn.playing import turn_play

    Campaign.objects.update(status=Campaign.Status.ACTIVE, paused=None)
    for _ in range(int(turns)):
        turn = turn_play(turn=Turn.objects.get(phase=Turn.Phase.OPEN))
    print(turn.number, turn.state_hash)


def due() -> None:
    """The open turn falls due."""
    from django.utils import timezone

    from campaign.models import Turn

    Turn.objects.filter(phase=Turn.Phase.OPEN).update(deadline=timezone.now())


def last() -> None:
    """Prints the number and hash of the last closed turn."""
    from campaign.models import Turn

    print(
        *Turn.objects.filter(phase=Turn.Phase.CLOSED)
        .order_by("number")
        .values_list("number", "state_hash")
        .last()
    )  # type: ignore[misc]


def go_on() -> None:
    """Carries a turn, which the workers of another site had in hand, to its end, once their leases are out."""
    from django.utils import timezone

    from battles.models import Battle
    from battles.services.fighting import battle_fight
    from campaign.models import Turn
    from campaign.services.turn.playing import turn_play

    turn = Turn.objects.exclude(phase__in=(Turn.Phase.CLOSED, Turn.Phase.OPEN)).get()
    print("restored", turn.phase)
    leases = [*Battle.objects.values_list("lease_until", flat=True), turn.lease_until]
    until = max(filter(None, leases), default=timezone.now())
    time.sleep(max(0, (until - timezone.now()).total_seconds()) + 0.1)
    for battle in Battle.objects.filter(status=Battle.Status.FIGHTING):
        battle_fight(battle_id=battle.pk)
    print(turn.number, turn_play(turn=turn).state_hash)


INSIDE = {command.__name__: command for command in (begin, told, take, play, due, last, go_on)}


# --- outside -------------------------------------------------------------------------------------------


class Site:
    """An installation of its own."""

    def __init__(self, folder: Path, **more: str) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.env = plain_environment(
            VAR_DIR=str(folder),
            DJANGO_SETTINGS_MODULE="deploy.settings.dev",
            SWEEP_SECONDS="1",
            LEASE_SECONDS="20",
            **more,
        )

    def inside(self, *words: str) -> str:
        """What one of the commands above prints."""
        return self._run("-m", "tests.hosting.moves", "--inside", *words)

    def manage(self, *words: str) -> str:
        """What one of the site's own commands prints."""
        return self._run("manage.py", *words)

    def finds(self, query: str) -> bool:
        """Whether a query of a SQLite database finds a row, read beside the running site."""
        name = f"file:{self.folder / DATABASE}?mode=ro"
        with contextlib.closing(sqlite3.connect(name, uri=True, timeout=20)) as database:
            return database.execute(query).fetchone() is not None

    def checked(self) -> str:
        """The result of `audit` and `verify`."""
        return "; ".join((self.manage("audit", CODE), self.manage("verify", CODE, "--quiet")))

    def _run(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=3600
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stdout[-1000:]}{done.stderr[-2000:]}")
        return done.stdout.strip()


def say(began: float, *words: str) -> None:
    """One line, after the seconds that have passed."""
    print(f"{time.monotonic() - began:5.0f} s ", *words, flush=True)


def backup_in_mid_turn(here: Site, number: int) -> Path:
    """Lets the real site run the open turn, takes a backup while it does, and waits for the turn's end.

    The worker is stopped in mid-turn for as long as the backup takes, so that this does not come too late.
    """
    log, worker = here.folder / "parts.log", here.folder / "run" / "worker.pid"
    with running("manage.py", "serve", "--port", str(free_port()), env=here.env, log=log):
        wait_until(lambda: "ready" in log.read_text(), "the worker", seconds=PATIENCE)
        here.inside("due")
        at_work = f"SELECT 1 FROM campaign_turn WHERE number = {number} AND claim IS NOT NULL"
        wait_until(lambda: here.finds(at_work), "the turn to be run", seconds=PATIENCE)
        os.kill(int(worker.read_text()), signal.SIGSTOP)
        path = Path(here.manage("backup", str(STORE / "backups")))
        if not here.finds(at_work):
            raise SystemExit("the turn was over before the backup was")
        os.kill(int(worker.read_text()), signal.SIGCONT)
        closed = f"SELECT 1 FROM campaign_turn WHERE number = {number} AND phase = 'closed'"
        wait_until(lambda: here.finds(closed), "the turn to close", seconds=PATIENCE)
    return path


def moved(theatre: str, turns: int) -> None:
    """The whole story. Raises SystemExit at what is not as it should be."""
    began = time.monotonic()
    here, beside = Site(STORE / "here"), Site(STORE / "beside")
    migrate(here.env)
    half = turns // 2
    say(began, here.inside("begin", theatre).splitlines()[-1])
    say(began, "played", here.inside("play", str(half)))
    here.inside("take")
    say(began, "played", here.inside("play", str(turns - half)))
    say(began, here.inside("told"))

    path = backup_in_mid_turn(here, turns + 1)
    beside.manage("restore", str(path))
    state, ended = beside.inside("go_on").splitlines()
    if ended != here.inside("last"):
        raise SystemExit(f"the turn of the backup ends otherwise: {ended}, {here.inside('last')}")
    say(began, state, ended, "as here;", beside.checked())

    archive = STORE / "campaign.zip"
    here.manage("export_campaign", CODE, "--to", str(archive), "--with-secrets")
    with pg.private_postgres() as url:
        there = Site(STORE / "there", DATABASE_URL=url)
        migrate(there.env)
        there.manage("load_theatres")
        say(began, there.manage("import_campaign", str(archive)), there.manage("audit", CODE))
        one, two = there.inside("play", "2"), here.inside("play", "2")
        if one != two:
            raise SystemExit(f"played on, they differ: {one}, {two}")
        say(began, "played on", one, "on both;", there.checked())  # all turns, those from here too


def main(argv: Sequence[str]) -> int:
    """The story, or one of the commands inside an installation."""
    if argv[:1] == ["--inside"]:
        django.setup()
        INSIDE[argv[1]](*argv[2:])
        return 0
    parser = argparse.ArgumentParser(
        prog="python -m tests.hosting.moves", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--theatre", default="caribbean")
    parser.add_argument("--turns", type=int, default=30)
    options = parser.parse_args(argv)
    shutil.rmtree(STORE, ignore_errors=True)
    moved(options.theatre, options.turns)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
