"""`make chaos FAULTS=1`: what the world does to a server while the real site plays a campaign, one fault a turn.

Each fault strikes while a turn is run, and is mended. What the site says about it is noted. When the turn is closed and its emails are out,
the books are compared with those of an undisturbed run: nothing may be lost. After a fault that did harm, the next ones meet a new site.
The embedded site meets the faults of one machine, three machines those of their servers. Prints a table, writes it to
var/chaos-faults/result.md, and returns 1 when anything is not as it should.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import psutil

from tests.chaos.game import STORE, Blows, Failed, Faults, Game, Post, new_folder, playing, undisturbed
from tests.chaos.servers import SERVERS, three_machines
from tests.chaos.sites import embedded
from tests.support.processes import DATABASE, ROOT, wait_until
from tests.support.redis import free_port

HEALTHY = 50
DROPPED = "took longer than its lease; dropped"
# Python sleeps until a moment of the monotonic clock. libfaketime 0.9.10, told to leave that clock alone, refuses such sleeps.
SLEEP = """
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{
    return syscall(SYS_clock_nanosleep, clock, flags, until, left) ? errno : 0;
}
"""
FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")


# --- the faults ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def tmpfs(folder: Path, size: str) -> Iterator[Path]:
    """A small disk of its own."""
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def disk_full(game: Game, turn: int) -> None:
    """The disk is filled to its last byte for 10 seconds."""
    game.run(turn)
    game.at_work_on(turn)
    filler = game.folder / "filler"
    with filler.open("wb") as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(1 << 16))
            file.flush()
    game.tells("disk", "full")
    time.sleep(10)
    filler.unlink()


def queue_deleted(game: Game, turn: int) -> None:
    """The broker's folder is deleted 5 times, a second apart."""
    game.run(turn)
    for _ in range(5):
        shutil.rmtree(game.folder / "queue", ignore_errors=True)
        time.sleep(1)
    game.said.append("nothing: the sweep hands the work out again")


def queue_cut(game: Game, turn: int) -> None:
    """For 10 seconds every message is cut in half as it is found, and half a message is laid beside it."""
    messages, until = game.folder / "queue" / "messages", time.monotonic() + 10
    game.run(turn)
    while time.monotonic() < until:
        for path in messages.glob("*.msg"):
            with contextlib.suppress(OSError):
                os.truncate(path, path.stat().st_size // 2)
        (messages / f"{time.time_ns():020d}_half.default.msg").write_text('{"body": "W1')
        time.sleep(0.2)
    game.closed(turn)
    aside = len(list((game.folder / "queue" / "bad").iterdir()))
    game.said.append(f"log: {aside} messages set aside in `queue/bad`")


def mail_away(game: Game, turn: int) -> None:
    """The mail server refuses connections while a turn is run and for a day after it."""
    assert game.post is not None
    game.post.stop()
    game.run(turn)
    game.closed(turn)
    wait_until(lambda: game.health()[1]["mail"]["server_away"], "the outage to be known")
    game.site.inside("later", "24")
    game.desk("The mail server has accepted no emails for 24 hours")
    if game.health()[0] != 200 or game.health(strict=True)[0] != 503:
        raise Failed("/healthz has to be 200, and 503 with strict=1")
    game.said.append("`/healthz` 200, with `strict=1` 503")
    game.post.start()
    game.site.inside("later", "1")


def terminated(game: Game, turn: int) -> None:
    """Worker, web and beat get SIGTERM in mid-turn, the worker three times."""
    game.run(turn)
    for names in (("worker",), ("worker", "web"), ("worker", "beat")):
        game.at_work_on(turn)
        for name in names:
            with contextlib.suppress(ProcessLookupError, KeyError):
                os.kill(game.site.alive()[name], signal.SIGTERM)
        time.sleep(2)
    game.said.append("log: each part is started again")


def memory(game: Game, turn: int) -> None:
    """A worker that has run no turn yet gets no more memory as one falls due, for 40 seconds or until the turn was given up."""
    first, again, met = game.site.alive()["worker"], game.state()["again"], _met(game)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: game.site.alive().get("worker", first) != first, "the next worker")
    bound: dict[int, psutil.Process] = {}
    until = time.monotonic() + 240
    while time.monotonic() < until and game.state()["again"] == again:
        with contextlib.suppress(KeyError, psutil.Error):
            process = psutil.Process(game.site.alive()["worker"])
            if process.pid not in bound and _sweeps(game, process):
                if not bound:
                    game.run(turn)
                    until = time.monotonic() + 40
                _bound(process, process.memory_info().vms)
                bound[process.pid] = process
        time.sleep(0.05)
    for process in bound.values():
        with contextlib.suppress(psutil.Error):
            _bound(process, resource.RLIM_INFINITY)
    if not (met := _met(game) - met):
        raise Failed("no worker met its limit")
    again = game.state()["again"] - again
    game.said.append(f"log: out of memory {met} times; turns given up and tried again by the umpire: {again}")


def _met(game: Game) -> int:
    """How often the log tells of a want of memory: Python's own error, and that of a thread whose stack finds no room."""
    log = _log(game)
    return sum(
        log.count(word) for word in ("MemoryError", "can't start new thread", "Cannot allocate memory")
    )


def _log(game: Game) -> str:
    return (game.ours / "parts.log").read_text(errors="replace")


def _sweeps(game: Game, process: psutil.Process) -> bool:
    """Whether a worker has loaded the program: there was a sweep since it began."""
    age = game.health()[1].get("sweep_age_seconds")
    return age is not None and age + 2 < time.time() - process.create_time()


def _bound(process: psutil.Process, size: int) -> None:
    """Lets a process have so many bytes of address space."""
    if process.is_running():  # not another one with its number
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(process.pid, resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))


def two_serves(game: Game, turn: int) -> None:
    """A second `manage.py serve` is started on the same folder."""
    game.run(turn)
    game.at_work_on(turn)
    second = subprocess.run(
        [sys.executable, "manage.py", "serve", "--port", str(free_port())],
        cwd=ROOT, env=game.site.env, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    if second.returncode != 1 or "already running" not in second.stderr:
        raise Failed(f"the second was not refused: {second.stderr}")
    game.said.append("the second ends: already running; stop that one first, or set another VAR_DIR")


def clock_jumps(game: Game, turn: int) -> None:
    """The clock of all parts goes 26 hours ahead in mid-turn, and back again 10 seconds later."""
    before = _log(game).count(DROPPED)
    game.run(turn)
    game.at_work_on(turn)
    for jump in ("+26h", "+0"):
        _set_clock(game.folder, jump)
        time.sleep(10)
    game.closed(turn)
    game.said.append(f"log: work that “{DROPPED}”: {_log(game).count(DROPPED) - before}")


def _set_clock(folder: Path, jump: str) -> None:
    aside = folder.with_name("clock.new")
    aside.write_text(jump)
    aside.replace(folder.with_name("clock"))


def file_read_only(game: Game, turn: int) -> None:
    """SQLite's file and its log take no changes for 10 seconds, not even from those who have them open."""
    game.run(turn)
    game.at_work_on(turn)
    files = [game.folder / f"{DATABASE}{end}" for end in ("", "-wal")]
    subprocess.run(["chattr", "+i", *files], check=True)
    try:
        game.tells("database", "read-only")
        game.page()
        time.sleep(10)
    finally:
        subprocess.run(["chattr", "-i", *files], check=True)


# The clock comes last: what it does to deadlines and to the times of emails would be in the way of the others.
ONE_MACHINE: dict[str, Callable[[Game, int], None]] = {
    "disk full": disk_full,
    "broker folder deleted": queue_deleted,
    "queue files cut": queue_cut,
    "mail server away for a day": mail_away,
    "SIGTERM in mid-turn": terminated,
    "memory limit hit": memory,
    "two serve on one folder": two_serves,
    "clock jumps": clock_jumps,
}


# tmpfs lets those write on who have a file open.
ON_A_REAL_DISK: dict[str, Callable[[Game, int], None]] = {"database file read-only": file_read_only}


def _sleeper() -> Path:
    """The library that lets programs sleep under libfaketime."""
    source = STORE / "sleep.c"
    source.write_text(SLEEP)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", source.with_suffix(".so"), source], check=True)
    return source.with_suffix(".so")


@contextlib.contextmanager
def one_machine(turns: int) -> Iterator[tuple[Game, Blows]]:
    """The embedded site on a disk of 160 MB, with a clock and a mail server of its own, which plays so many turns."""
    if not FAKETIME.exists() or shutil.which("cc") is None:
        raise Failed("not run: apt-get install libfaketime gcc")
    post = Post()
    with tmpfs(new_folder("disk"), "160m") as disk:
        (disk / "clock").write_text("+0")
        fake = {
            "LD_PRELOAD": f"{_sleeper()} {FAKETIME}", "FAKETIME_TIMESTAMP_FILE": str(disk / "clock"), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }  # fmt: skip
        post.start()
        mail = f"smtp://127.0.0.1:{post.port}"
        with (
            contextlib.closing(post),
            embedded(disk / "site", EMAIL_URL=mail, LEASE_SECONDS="20", **fake) as site,
        ):
            site.inside("make")
            with playing(site, turns, post=post) as game:
                yield game, {name: partial(blow, game) for name, blow in ONE_MACHINE.items()}


@contextlib.contextmanager
def on_a_real_disk(turns: int) -> Iterator[tuple[Game, Blows]]:
    """The embedded site as `make run` serves it, which plays so many turns."""
    with embedded(new_folder("plain")) as site:
        site.inside("make")
        with playing(site, turns) as game:
            yield game, {name: partial(blow, game) for name, blow in ON_A_REAL_DISK.items()}


WHAT = {
    name: str(blow.__doc__).partition("\n")[0]
    for name, blow in (*ONE_MACHINE.items(), *ON_A_REAL_DISK.items(), *SERVERS.items())
}


def poison(folder: Path) -> tuple[str, str, list[str]]:
    """50 campaigns and one whose fleets are nowhere, all due at once. Returns what was said, what came of it, and what is wrong."""
    with embedded(folder) as site:
        site.inside("many", str(HEALTHY))
        with site.up(folder / "parts.log"):
            found: dict[str, str] = {}

            def settled() -> bool:
                time.sleep(2)
                found.update(json.loads(site.inside("states")))
                return all(phase == "closed" for code, phase in found.items() if code != "poison")

            began = time.monotonic()
            wait_until(settled, "all turns to close", seconds=1200)
            seconds = time.monotonic() - began
            said = site.inside("desk", "poison").strip()
        wrong = ["poison: closed"] if found["poison"] == "closed" else []
        wrong += [] if said else ["the desk says nothing"]
        wrong += site.inside("sound").splitlines()
        closed = sum(phase == "closed" for phase in found.values())
        return f"desk: {said}", f"{closed} of {HEALTHY} others closed, in {seconds:.0f} s", wrong


def main(argv: Sequence[str]) -> int:
    """The undisturbed run, and the others."""
    parser = argparse.ArgumentParser(prog="make chaos FAULTS=1", description=__doc__.partition("\n")[0])
    parser.add_argument("faults", nargs="*", metavar="FAULT", help=", ".join((*WHAT, "poison")))
    wanted = parser.parse_args(argv).faults or [*WHAT, "poison"]
    shutil.rmtree(STORE, ignore_errors=True)
    STORE.mkdir(parents=True)
    rows, wrong = [("fault", "what is done", "what the site says", "afterwards"), ("---",) * 4], []

    def done(name: str, said: str, came: str) -> None:
        rows.append((name, WHAT[name], said, came))
        print(f"{name}: {said}: {came}", flush=True)

    layouts = {
        one_machine: [name for name in ONE_MACHINE if name in wanted],
        on_a_real_disk: [name for name in ON_A_REAL_DISK if name in wanted],
        three_machines: [name for name in SERVERS if name in wanted],
    }
    turns = max(map(len, layouts.values()))
    quiet = undisturbed(turns) if turns else []
    for layout, names in layouts.items():
        wrong += Faults(quiet, partial(layout, turns + 1), done).strike(names)
    if "poison" in wanted:
        said, came, faults = poison(STORE / "poison")
        rows.append(("poison campaign", str(poison.__doc__).partition(". ")[0] + ".", said, came))
        wrong += faults
    text = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    (STORE / "result.md").write_text(f"{time.strftime('%-d %B %Y')}, {machine}.\n\n{text}\n")
    print(f"\n{text}\n", *wrong, sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
