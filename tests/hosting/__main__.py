"""`python -m tests.hosting`: plays docs/hosting.md word for word on a fresh Debian, then three turns with email in and out.

Each block of the guide that is marked `sh` is typed as it stands; `sh not-run` is left out. Those for a pipe, an upgrade and the way
back come at their time. What each block printed lies in var/hosting/guide.log. Returns 1 at the first step that fails.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.hosting.machine import Machine, booted, fresh, why_not
from tests.support.processes import ROOT

STORE = ROOT / "var" / "hosting"
GUIDE = ROOT / "docs" / "hosting.md"
BLOCK = re.compile(r"^```sh ?([\w-]*)\n(.*?)^```$", re.M | re.S)
PROGRAM = "root/weather-gage.git"  # where the guide's club keeps the program
GUEST = "python3 /srv/weather-gage/tests/hosting/guest.py"


@dataclass(slots=True)
class Play:
    """The guide at work. steps: seconds that each took, by name."""

    machine: Machine
    log: Path
    steps: dict[str, float] = field(default_factory=dict)

    def type(self, name: str, script: str) -> str:
        """Runs a script, tells how long it took, and returns what it printed. Raises SystemExit when it fails."""
        began = time.monotonic()
        status, told = self.machine.run(script)
        self.steps[name] = time.monotonic() - began
        with self.log.open("a") as file:
            file.write(f"=== {name}\n{script}\n--- {status}\n{told}\n")
        print(f"{'done' if status == 0 else 'FAILED'}  {name}  ({self.steps[name]:.0f} s)", flush=True)
        if status:
            raise SystemExit(f"{told[-3000:]}\nexit status {status}; see {self.log}")
        return told


def blocks() -> list[tuple[str, str, str]]:
    """The guide's blocks in order: section, mark, commands."""
    text = GUIDE.read_text()
    found = []
    for match in BLOCK.finditer(text):
        title = re.findall(r"^## (.*)$", text[: match.start()], re.M)[-1]
        found.append((title, match[1], match[2]))
    return found


def publish(root: Path, note: str) -> None:
    """Puts the program, as it lies here, where the guide clones it from; a later note makes a later version."""
    work, there = STORE / "work", root / PROGRAM
    if not work.exists():
        files = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, check=True, capture_output=True,
        ).stdout.decode().split("\0")  # fmt: skip
        for name in filter(None, files):
            if (ROOT / name).is_file():
                (work / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, work / name)
        _git(work, "init", "--quiet", "--initial-branch", "main")
        subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch", "main", there], check=True)
    (work / "VERSION").write_text(f"{note}\n")
    _git(work, "add", "--all", "--force")
    _git(work, "commit", "--quiet", "--message", note)
    _git(work, "push", "--quiet", str(there), "main")


def _git(work: Path, *words: str) -> None:
    own = ("-c", "user.name=Club", "-c", "user.email=club@example.org")
    subprocess.run(["git", *own, *words], cwd=work, check=True)


def play(machine: Machine, log: Path) -> dict[str, float]:
    """The whole guide and three turns. Returns the seconds of each step."""
    game = Play(machine, log)
    link = ""
    for title, mark, script in blocks():
        if mark == "":
            told = game.type(title, script)
            link = next(iter(re.findall(r"^https://\S+$", told, re.M)), link)
    game.type("the administrator logs in", f"{GUEST} log_in '{link}'")
    game.type("people with mailboxes", f"{GUEST} people")
    game.type("turn 1, orders through the maildir", f"{GUEST} turn 1")
    apart = {mark: script for _, mark, script in blocks() if mark not in ("", "not-run")}
    game.type("a mail server's pipe", apart["pipe"])
    game.type("turn 2, orders through the pipe", f"{GUEST} turn 2")
    publish(machine.root, "The next version.")
    game.type("upgrade", apart["upgrade"])
    game.type("turn 3, after the upgrade", f"{GUEST} turn 3")
    game.type("the books", "weather-gage audit club && weather-gage verify club --quiet")
    game.type("go back", apart["back"])
    game.type("the site as it was after turn 2", f"{GUEST} closed 2")
    game.type(
        "logs are rotated",
        "logrotate --debug /etc/logrotate.d/nginx && journalctl --quiet --lines 1 -u weather-gage-web",
    )
    game.type(
        "the timers", "systemctl list-timers --no-pager weather-gage-backup.timer | grep weather-gage-backup"
    )
    return game.steps


def main(argv: Sequence[str], *, why: Callable[[], str] = why_not) -> int:
    """Plays, and prints how long each step took."""
    parser = argparse.ArgumentParser(prog="python -m tests.hosting", description=__doc__.partition("\n")[0])
    parser.add_argument("--suite", default="trixie", help="the Debian to begin with (trixie)")
    parser.add_argument("--keep", action="store_true", help="keep the machine's disk in var/hosting/root")
    options = parser.parse_args(argv)
    if why():
        print(f"cannot be played here: {why()}", file=sys.stderr)
        return 2
    STORE.mkdir(parents=True, exist_ok=True)
    fresh(STORE / options.suite, suite=options.suite)
    for left in (STORE / "root", STORE / "work"):
        shutil.rmtree(left, ignore_errors=True)
    (STORE / "guide.log").unlink(missing_ok=True)
    subprocess.run(["cp", "-a", STORE / options.suite / "root", STORE / "root"], check=True)
    publish(STORE / "root", "The first version.")
    try:
        with booted(STORE / "root") as machine:
            steps = play(machine, STORE / "guide.log")
    finally:
        if not options.keep:
            with contextlib.suppress(OSError):
                shutil.rmtree(STORE / "root")
    print(f"the guide was played in {sum(steps.values()) / 60:.0f} minutes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
