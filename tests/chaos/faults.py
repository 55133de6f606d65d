"""`make chaos FAULTS=1`: what the world does to a server while the real site plays a campaign, one fault a turn.

Each fault strikes while a turn is run, and is mended. What the site says about it is noted, and in the end the books are compared with an
undisturbed run: nothing may be lost. The embedded site meets the faults of one machine, three machines those of their servers. Prints a
table, writes it to var/chaos-faults/result.md, and returns 1 when anything is not as it should.
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

from tests.chaos import servers
from tests.chaos.__main__ import Run, differences
from tests.chaos.game import STORE, Failed, Game, Post, finish, playing, strike, undisturbed
from tests.chaos.servers import SERVERS, three_machines
from tests.chaos.sites import embedded
from tests.support.processes import ROOT, wait_until
from tests.support.redis import free_port

HEALTHY = 50
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
    """A new worker gets no more memory once it is at work, for 40 seconds or until a turn was given up."""
    with contextlib.suppress(KeyError, ProcessLookupError):
        os.kill(game.site.alive()["worker"], signal.SIGKILL)
    game.run(turn)
    until, again, met = time.monotonic() + 40, game.state()["again"], _log(game).count("MemoryError")
    bound: dict[int, psutil.Process] = {}
    while time.monotonic() < until and game.state()["again"] == again:
        with contextlib.suppress(KeyError, psutil.Error):
            process = psutil.Process(game.site.alive()["worker"])
            if process.pid not in bound and game.state()["busy"]:
                _bound(process, process.memory_info().vms)
                bound[process.pid] = process
        time.sleep(0.05)
    for process in bound.values():
        with contextlib.suppress(psutil.Error):
            _bound(process, resource.RLIM_INFINITY)
    met = _log(game).count("MemoryError") - met
    if not met:
        raise Failed("no worker met its limit")
    again = game.state()["again"] - again
    game.said.append(
        f"log: {met} lines with MemoryError; turns given up and tried again by the umpire: {again}"
    )


def _bound(process: psutil.Process, size: int) -> None:
    """Lets a process have so many bytes of address space."""
    if process.is_running():  # not another one with its number
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(process.pid, resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))


def _log(game: Game) -> str:
    return (game.ours / "parts.log").read_text(errors="replace")


def two_serves(game: Game, turn: int) -> None:
    """A second `manage.py serve` is started on the same folder."""
    game.run(turn)
    game.at_work_on(turn)
    second = subprocess.run(
        [sys.executable, "manage.py", "serve", "--port", str(free_port())],
        cwd=ROOT, env=game.site.env, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    if second.returncode != 1 or "already running" not in second.stderr:
        raise Failed(f"the second was not refused: {second.stderr}")
    game.said.append("the second ends: already running; stop that one first, or set another VAR_DIR")


def clock_jumps(game: Game, turn: int) -> None:
    """The clock of all parts goes 26 hours ahead in mid-turn, and back again 10 seconds later."""
    game.run(turn)
    game.at_work_on(turn)
    for jump in ("+26h", "+0"):
        _set_clock(game.folder, jump)
        time.sleep(10)
    game.said.append("log: leases that were lost")


def _set_clock(folder: Path, jump: str) -> None:
    aside = folder.with_name("clock.new")
    aside.write_text(jump)
    aside.replace(folder.with_name("clock"))


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


def _sleeper() -> Path:
    """The library that lets programs sleep under libfaketime."""
    source = STORE / "sleep.c"
    source.write_text(SLEEP)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", source.with_suffix(".so"), source], check=True)
    return source.with_suffix(".so")


def one_machine(wanted: Sequence[str], turns: int, done: Callable[[str, str, str], None]) -> Run:
    """The embedded site on a disk of 160 MB, with a clock and a mail server of its own, one fault a turn. done: is told each."""
    if not FAKETIME.exists() or shutil.which("cc") is None:
        raise Failed("not run: apt-get install libfaketime gcc")
    post = Post()
    with tmpfs(STORE / "disk", "160m") as disk:
        (disk / "clock").write_text("+0")
        fake = {
            "LD_PRELOAD": f"{_sleeper()} {FAKETIME}", "FAKETIME_TIMESTAMP_FILE": str(disk / "clock"), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }  # fmt: skip
        post.start()
        began = time.monotonic()
        with embedded(
            disk / "site", EMAIL_URL=f"smtp://127.0.0.1:{post.port}", LEASE_SECONDS="20", **fake
        ) as site:
            site.inside("make")
            with playing(site, turns) as game:
                game.post = post
                for turn, name in enumerate(wanted, 1):
                    strike(name, partial(ONE_MACHINE[name], game, turn), game, turn, done)
                run = finish(game, began, post.taken)
                post.stop()
                return run


WHAT = {
    **{name: str(blow.__doc__) for name, blow in ONE_MACHINE.items()},
    **{
        name: str(blow.__doc__)
        for name, blow in zip(
            SERVERS,
            (
                servers.beat_hangs,
                servers.redis_away,
                servers.postgresql_away,
                servers.read_only,
                servers.next_version,
                servers.primary_lost,
            ),
            strict=True,
        )
    },
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
        for code in ("healthy-0", f"healthy-{HEALTHY - 1}"):
            done = subprocess.run(
                [sys.executable, "manage.py", "audit", code],
                cwd=ROOT,
                env=site.env,
                capture_output=True,
                text=True,
            )
            wrong += [done.stdout] if done.returncode else []
        closed = sum(phase == "closed" for phase in found.values())
        return f"desk: {said}", f"{closed} of {HEALTHY} others closed, in {seconds:.0f} s", wrong


def wrong_in(quiet: Run, run: Run) -> list[str]:
    """What is lost or doubled. A clock that jumps may move deadlines, of which more emails tell; none may be missing."""
    return [
        line
        for line in differences(quiet, run)
        if not line.startswith(f"{run.name}: emails: 0 missing")
        and not (line.startswith("  too many") and "deadline" in line)
    ]


def main(argv: Sequence[str]) -> int:
    """The undisturbed run, and the others."""
    parser = argparse.ArgumentParser(prog="make chaos FAULTS=1", description=__doc__.partition("\n")[0])
    parser.add_argument("faults", nargs="*", metavar="FAULT", help=", ".join((*WHAT, "poison")))
    wanted = parser.parse_args(argv).faults or [*WHAT, "poison"]
    shutil.rmtree(STORE, ignore_errors=True)
    STORE.mkdir(parents=True)
    rows, wrong = [("fault", "what is done", "what the site says", "afterwards"), ("---",) * 4], []

    def done(name: str, said: str, came: str) -> None:
        rows.append((name, WHAT[name].partition("\n")[0], said, came))
        print(f"{name}: {said}: {came}", flush=True)

    layouts = {
        one_machine: [name for name in ONE_MACHINE if name in wanted],
        three_machines: [name for name in SERVERS if name in wanted],
    }
    turns = max(map(len, layouts.values())) + 1  # the last one is undisturbed
    quiet = undisturbed(turns) if any(layouts.values()) else None
    for layout, names in layouts.items():
        if names and quiet is not None:
            try:
                faults = wrong_in(quiet, layout(names, turns, done))
            except (Failed, AssertionError, SystemExit, RuntimeError) as error:
                faults = [f"{layout.__name__}: {error}"]
            wrong += faults
            print(f"{layout.__name__}: {'; '.join(faults) or 'nothing lost'}", flush=True)
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
