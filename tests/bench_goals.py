"""Every figure of the table of goals in docs/speed.md, one after the other: `python -m tests.bench_goals [GOAL ...]`.

Some 20 minutes on two cores, which nothing else should use. The compiled engine has to be built. GOAL: numbers of the table (all).
The long campaign is kept in `var/bench/100`, and played on in `var/bench/200`, never anew: remove them to begin again.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

from battles.engine import compiled
from tests.support.processes import running
from tests.support.redis import free_port

FOLDER, LONGER = Path("var/bench/100"), Path("var/bench/200")
PAGES, OFTEN = "tests.bench_pages", ("--repeats", "20", "--show", "12")
ODDS = ("1,000 odds", "first answer")
# By the number in the table: modules with their words, and the engine that they run by, "" for the one that is there.
GOALS: dict[int, tuple[tuple[tuple[str, ...], str], ...]] = {
    1: tuple((("tests.bench", "Four Days 1 as shipped"), engine) for engine in ("interpreted", "compiled")),
    2: tuple((("tests.bench", "Trafalgar (Thomas), to its"), engine) for engine in ("interpreted", "compiled")),
    3: ((("tests.bench", *ODDS), "compiled"),),
    4: (
        ((PAGES, str(FOLDER), "--turns", "100", *OFTEN), ""),
        ((PAGES, str(LONGER), "--turns", "200", *OFTEN), ""),
    ),
    5: (((PAGES, str(FOLDER), "--turns", "100", "--only", "^/c/bench/$"), ""),),
    6: (((PAGES, str(FOLDER), "--turns", "100", "--repeats", "0"), ""),),
    7: ((("tests.bench", "30 days"), "interpreted"),),
    8: ((("tests.bench_due",), ""),),
    9: (),
}  # fmt: skip


def main() -> None:
    """Run what is asked for; each says what it measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench_goals", description=__doc__)
    parser.add_argument("goals", nargs="*", type=int, metavar="GOAL")
    for number in parser.parse_args().goals or GOALS:
        print(f"\n== goal {number} of docs/speed.md", flush=True)
        for words, engine in GOALS[number]:
            print(f"-- {' '.join(words)}{f', {engine}' if engine else ''}", flush=True)
            if str(LONGER) in words and not LONGER.exists():
                shutil.copytree(FOLDER, LONGER)
            env = os.environ | ({compiled.SWITCH: engine} if engine else {})
            subprocess.run([sys.executable, "-m", *words], env=env, check=False)
        if number == 9:
            idle()


def idle(seconds: int = 60) -> None:
    """Memory of the embedded site a while after it has started: resident, and its proportional share."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="idle-") as folder:
        env = {**os.environ, "VAR_DIR": folder, "DEBUG": "0", "DJANGO_SETTINGS_MODULE": "deploy.settings.dev"}
        subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], env=env, check=True)
        with running("manage.py", "serve", "--port", str(port), env=env, log=Path(folder) / "log") as site:
            for _ in range(120):
                try:
                    urlopen(f"http://127.0.0.1:{port}/", timeout=5).close()
                    break
                except OSError:
                    time.sleep(1)
            time.sleep(seconds)
            rows = [_memory(pid) for pid in _family(site.pid)]
    print("resident and share of each, MB: " + ", ".join(f"{resident} {share}" for resident, share in rows))
    print(
        f"{len(rows)} processes: {sum(row[0] for row in rows)} MB resident, share {sum(row[1] for row in rows)} MB"
    )


def _family(pid: int) -> list[int]:
    """A process and all that it has started, and these."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in _family(int(child)))]


def _memory(pid: int) -> tuple[int, int]:
    """Resident memory of a process and its proportional share, MB."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = {name: int(kb) for name, kb in re.findall(r"^(Rss|Pss): +(\d+) kB", text, re.MULTILINE)}
    return found["Rss"] // 1024, found["Pss"] // 1024


if __name__ == "__main__":
    main()
