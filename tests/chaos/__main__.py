"""`make chaos`: ten turns under the real site while its parts are killed at random; then the books are compared.

The same campaign is played once undisturbed and once in each layout under signal 9. State hashes, ships, prizes, service records and
mails have to be the same; a mail may arrive twice only when it was on its way as its sender died; never may two turns be unfinished at
once. Prints a table, writes it to var/chaos/result.md, and returns 1 when anything differs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

from tests.chaos.sites import LAYOUTS, Site, embedded
from tests.support.processes import ROOT, running

STORE = ROOT / "var" / "chaos"
COMPARED = ("state hashes", "ships", "prizes", "service records", "emails")
CLEAN = ("errors in the books", "checks that differ")
PATIENCE = 1200.0  # seconds that one turn may take with all its deaths


@dataclass(slots=True)
class Run:
    """What one run of a site gave. mails: deliveries by Message-ID. books: see tests.chaos.inside."""

    name: str
    books: Mapping[str, Any]
    mails: Counter[str]
    most_open: int
    again: int
    seconds: float
    kills: Counter[str] = field(default_factory=Counter)


def play(site: Site, *, turns: int, kills: int, dice: random.Random) -> Run:
    """Plays the turns under the real parts, killing as many of these as asked, spread evenly over the turns."""
    site.inside("make")
    allowed, seen, log = (site.folder / name for name in ("allowed", "seen.json", "parts.log"))
    allowed.write_text("0")
    began = time.monotonic()
    killed: Counter[str] = Counter()
    words = ("-m", "tests.chaos.inside", "clock", str(turns), str(allowed), str(seen))
    with site.up(log), running(*words, env=site.env, log=site.folder / "clock.log") as clock:
        for turn in range(1, turns + 1):
            allowed.write_text(str(turn))
            quota = kills * turn // turns
            until = time.monotonic() + PATIENCE
            for state in watched(seen, clock):
                over = state["closed"] >= turn
                if over and killed.total() >= quota:
                    break
                if time.monotonic() > until:
                    raise SystemExit(f"{site.name}: turn {turn} does not close; see {log}")
                if killed.total() < quota and (over or state["busy"]):
                    time.sleep(dice.random())
                    kill_one(site, killed, dice, seen)
            print(f"{site.name}: turn {turn} closed, {killed.total()} killed", flush=True)
        for state in watched(seen, clock):
            if state["done"]:
                break
    books = json.loads(site.inside("books"))
    taken = time.monotonic() - began
    return Run(site.name, books, delivered(site.folder), state["most_open"], state["again"], taken, killed)


def watched(seen: Path, clock: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:
    """What the clock sees, again and again. Raises SystemExit when it has ended without being done."""
    while True:
        time.sleep(0.05)
        state = json.loads(seen.read_text()) if seen.exists() else None
        if state is not None:
            yield state
        if clock.poll() is not None and not (state or {}).get("done"):
            raise SystemExit(f"the clock has stopped; see {seen.parent / 'clock.log'}")


def kill_one(site: Site, killed: Counter[str], dice: random.Random, seen: Path) -> None:
    """Kills one living part by signal 9, and counts it: apart when it was a worker while work was in hand. seen: the clock's file."""
    alive = site.alive()
    names = sorted(set(alive) & set(site.weights))
    if names:
        name = dice.choices(names, [site.weights[name] for name in names])[0]
        with contextlib.suppress(ProcessLookupError):
            os.kill(alive[name], signal.SIGKILL)
            at_work = name.startswith("worker") and json.loads(seen.read_text())["busy"]
            killed[re.sub(r"\d", "", name) + (" at work" if at_work else "")] += 1


def delivered(folder: Path) -> Counter[str]:
    """How often each message lies in the mail folder."""
    read = BytesHeaderParser()
    return Counter(
        str(read.parsebytes(path.read_bytes())["Message-ID"]) for path in (folder / "mail").glob("*.eml")
    )


def differences(quiet: Run, other: Run) -> list[str]:
    """What is not as it should be, a sentence each."""
    found = []
    for what in COMPARED:
        one, two = Counter(map(str, quiet.books[what])), Counter(map(str, other.books[what]))
        if one != two:
            found.append(
                f"{other.name}: {what}: {(one - two).total()} missing, {(two - one).total()} too many"
            )
            found += [f"  missing: {line[:200]}" for line in (one - two)][:5]
            found += [f"  too many: {line[:200]}" for line in (two - one)][:5]
    for what in CLEAN:
        found += [f"{other.name}: {line}" for line in other.books[what]]
    if other.most_open > 1:
        found.append(f"{other.name}: {other.most_open} turns were unfinished at once")
    twice = sum(1 for count in other.mails.values() if count > 1)
    if twice > len(other.books["tried twice"]):
        found.append(
            f"{other.name}: {twice} mails came twice, but only {len(other.books['tried twice'])} were on their way twice"
        )
    missing = len(other.books["emails"]) - len(other.mails)
    if missing > 0:
        found.append(f"{other.name}: {missing} mails were marked as sent and are not there")
    return found


def table(quiet: Run, others: Sequence[Run]) -> str:
    """The result as Markdown."""
    rows = [
        ("", "undisturbed", *(run.name for run in others)),
        ("---",) * (2 + len(others)),
        ("parts killed", *(str(run.kills.total()) for run in (quiet, *others))),
        (
            "of them",
            *(
                ", ".join(f"{n} {name}" for name, n in sorted(run.kills.items())) or "–"
                for run in (quiet, *others)
            ),
        ),
        *(
            (what, str(len(quiet.books[what])), *(_compared(quiet, run, what) for run in others))
            for what in COMPARED
        ),
        ("messages delivered", *(str(run.mails.total()) for run in (quiet, *others))),
        ("of them twice", *(str(run.mails.total() - len(run.mails)) for run in (quiet, *others))),
        ("work given up and tried again", *(str(run.again) for run in (quiet, *others))),
        ("most turns unfinished at once", *(str(run.most_open) for run in (quiet, *others))),
        *((what, *(str(len(run.books[what])) for run in (quiet, *others))) for what in CLEAN),
        ("minutes", *(f"{run.seconds / 60:.1f}" for run in (quiet, *others))),
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _compared(quiet: Run, run: Run, what: str) -> str:
    same = Counter(map(str, quiet.books[what])) == Counter(map(str, run.books[what]))
    return f"{len(run.books[what])}, {'the same' if same else 'DIFFERENT'}"


def main(argv: Sequence[str]) -> int:
    """Plays, kills, compares."""
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__.partition("\n")[0])
    parser.add_argument("layouts", nargs="*", choices=[*LAYOUTS, []], default=[])
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", default=str(time.time_ns()))
    options = parser.parse_args(argv)
    shutil.rmtree(STORE, ignore_errors=True)
    dice = random.Random(options.seed)
    print(f"seed {options.seed}", flush=True)
    with embedded(STORE / "undisturbed") as site:
        quiet = play(site, turns=options.turns, kills=0, dice=dice)
    others = []
    for name in options.layouts or LAYOUTS:
        with LAYOUTS[name](STORE / name) as site:
            others.append(play(site, turns=options.turns, kills=options.kills, dice=dice))
    found = [line for run in others for line in differences(quiet, run)]
    text = table(quiet, others)
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    (STORE / "result.md").write_text(
        f"{time.strftime('%-d %B %Y')}, {machine}, seed {options.seed}\n\n{text}\n"
    )
    print(f"\n{text}\n", *found, sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
