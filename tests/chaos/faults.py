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
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import psycopg

from tests.chaos import machines
from tests.chaos.__main__ import Run, delivered, differences, watched
from tests.chaos.sites import Site, embedded
from tests.support.maildrop import Letter
from tests.support.processes import ROOT, running, wait_until
from tests.support.redis import free_port
from tests.support.smtp import mail_server

TURNS = 8  # of each run; more than there are faults
STORE = ROOT / "var" / "chaos-faults"
HEALTHY = 50
FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
PATIENCE = 300.0  # seconds for a turn with its fault


class Failed(Exception):
    """A fault that the site did not meet as it should; the text says what was not so."""


@dataclass(slots=True)
class Game:
    """A site at play. said: its own words about the fault. ours: a folder that no fault strikes."""

    site: Site
    clock: subprocess.Popen[bytes]
    ours: Path
    post: Post = field(init=False)
    said: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        """VAR_DIR."""
        return self.site.folder

    def state(self) -> dict[str, Any]:
        """What the clock sees now."""
        state = next(watched(self.ours / "seen.json", self.clock))
        if self.clock.poll() is not None and not state["done"]:
            raise Failed(f"the clock has stopped; see {self.ours / 'clock.log'}")
        return state

    def run(self, turn: int) -> None:
        """Lets a turn fall due."""
        (self.ours / "allowed").write_text(str(turn))

    def at_work_on(self, turn: int) -> None:
        """Waits until the work on a turn has begun, or is over."""
        wait_until(
            lambda: self.state()["busy"] or self.state()["closed"] >= turn, "work to begin", seconds=PATIENCE
        )

    def closed(self, turn: int) -> None:
        """Waits until a turn is closed."""
        wait_until(lambda: self.state()["closed"] >= turn, f"turn {turn} to close", seconds=PATIENCE)

    def health(self, *, strict: bool = False) -> tuple[int, dict[str, Any]]:
        """Status and body of the health page; 0 when no one answers."""
        address = f"http://127.0.0.1:{self.site.port}/healthz{'?strict=1' if strict else ''}"
        try:
            with urllib.request.urlopen(address, timeout=10) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)
        except OSError:
            return 0, {}

    def healthy(self) -> None:
        """Waits until all is well again."""
        wait_until(lambda: self.health()[0] == 200, "the site to be well", seconds=PATIENCE)

    def tells(self, part: str, word: str) -> None:
        """Waits until the health page says this of a part, with status 503."""

        def told() -> bool:
            status, body = self.health()
            return status == 503 and body.get(part) == word

        wait_until(told, f"/healthz to say {part}: {word}", seconds=60)
        self.said.append(f"`/healthz` 503, {part}: {word}")

    def page(self) -> None:
        """A form that is sent now is answered with the page that says that nothing can be saved."""
        address = f"http://127.0.0.1:{self.site.port}/accounts/link/"
        jar = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        form = jar.open(address, timeout=20).read().decode()
        token = form.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
        try:
            jar.open(address, f"who=umpire&csrfmiddlewaretoken={token}".encode(), timeout=60)
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 503 and "has not been saved" in error.read().decode():
                    self.said.append("a page 503: what you sent has not been saved")
                    return
        raise Failed("a form was not answered with the page that says that nothing can be saved")

    def desk(self, words: str) -> None:
        """Waits until the umpire's desk says so."""
        wait_until(lambda: words in self.site.inside("desk"), f"the desk to say “{words}”", seconds=60)
        self.said.append(f"desk: {words}")


@contextlib.contextmanager
def playing(site: Site, parts: contextlib.AbstractContextManager[Any] | None = None) -> Iterator[Game]:
    """The site, up and waiting for its first turn."""
    ours = Path(tempfile.mkdtemp(prefix="clock-", dir=STORE))
    allowed, seen = ours / "allowed", ours / "seen.json"
    allowed.write_text("0")
    words = ("-m", "tests.chaos.inside", "clock", str(TURNS), str(allowed), str(seen))
    with (
        parts or site.up(site.folder / "parts.log"),
        running(*words, env=site.env, log=ours / "clock.log") as clock,
    ):
        game = Game(site, clock, ours)
        game.healthy()
        yield game


def finish(game: Game, began: float, mails: Callable[[], Counter[str]] | None = None) -> Run:
    """Plays the rest, and gives the books."""
    for turn in range(1, TURNS + 1):
        game.run(turn)
        game.closed(turn)
    until = time.monotonic() + PATIENCE
    while not (state := game.state())["done"]:
        if time.monotonic() > until:
            raise Failed("not all emails went out")
    books = json.loads(game.site.inside("books"))
    found = mails() if mails else delivered(game.folder)
    return Run(game.site.name, books, found, state["most_open"], state["again"], time.monotonic() - began)


def undisturbed() -> Run:
    """The same turns with nothing in their way."""
    began = time.monotonic()
    with embedded(STORE / "undisturbed") as site:
        site.inside("make")
        with playing(site) as game:
            return finish(game, began)


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
    """For 40 seconds, or until a turn was given up, no worker may take more memory than it has."""
    game.run(turn)
    until, again = time.monotonic() + 40, game.state()["again"]
    met = _log(game).count("MemoryError")
    while time.monotonic() < until and game.state()["again"] == again:
        with contextlib.suppress(KeyError, psutil.Error, ProcessLookupError):
            process = psutil.Process(game.site.alive()["worker"])
            limit = process.memory_info().vms + (1 << 20)
            resource.prlimit(process.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    with contextlib.suppress(KeyError, ProcessLookupError):
        resource.prlimit(game.site.alive()["worker"], resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
    met = _log(game).count("MemoryError") - met
    if not met:
        raise Failed("no worker met its limit")
    again = game.state()["again"] - again
    game.said.append(
        f"log: {met} lines with MemoryError; turns given up and tried again by the umpire: {again}"
    )


def _log(game: Game) -> str:
    return (game.folder / "parts.log").read_text(errors="replace")


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


@dataclass(slots=True)
class Post:
    """A mail server that can be stopped. letters: what it took, over all its lives."""

    port: int = field(default_factory=free_port)
    letters: list[Letter] = field(default_factory=list)
    _life: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def start(self) -> None:
        """It takes emails."""
        server = self._life.enter_context(mail_server(port=self.port))
        server.drop.letters = self.letters

    def stop(self) -> None:
        """It refuses connections."""
        self._life.close()

    def taken(self) -> Counter[str]:
        """How often each message came."""
        return Counter(str(letter.mail["Message-ID"]) for letter in self.letters)


def one_machine(wanted: Sequence[str], done: Callable[[str, str, str], None]) -> Run:
    """The embedded site on a disk of 160 MB, with a clock and a mail server of its own, one fault a turn. done: is told each."""
    if not FAKETIME.exists():
        raise Failed("not run: apt-get install libfaketime")
    post = Post()
    with tmpfs(STORE / "disk", "160m") as disk:
        (disk / "clock").write_text("+0")
        fake = {
            "LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(disk / "clock"), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
        }  # fmt: skip
        post.start()
        began = time.monotonic()
        with embedded(disk / "site", EMAIL_URL=f"smtp://127.0.0.1:{post.port}", **fake) as site:
            site.inside("make")
            with playing(site) as game:
                game.post = post
                for turn, name in enumerate(wanted, 1):
                    strike(name, partial(ONE_MACHINE[name], game, turn), game, turn, done)
                run = finish(game, began, post.taken)
                post.stop()
                return run


def strike(
    name: str, blow: Callable[[], None], game: Game, turn: int, done: Callable[[str, str, str], None]
) -> None:
    """One fault in its turn, which has to close all the same. done: is told what the site said and what came of it."""
    game.said.clear()
    blow()
    game.healthy()
    game.closed(turn)
    done(name, "; ".join(game.said), f"turn {turn} closed")


def beat_hangs(game: Game, turn: int, three: tuple[machines.Box, ...]) -> None:
    """The beat that asks for sweeps is stopped, and continued after the turn."""
    wait_until(lambda: len(machines.holders(three)) == 1, "one beat to ask for sweeps")
    (hung,) = machines.holders(three)
    hung.signal("beat", signal.SIGSTOP)
    game.run(turn)
    wait_until(lambda: len(machines.holders(three)) == 2, "the other beat to take over")
    game.closed(turn)
    hung.signal("beat", signal.SIGCONT)
    wait_until(lambda: hung not in machines.holders(three), "the first beat to stand by")
    game.said.append("log: the other asks for sweeps; the first, continued, stands by")


def redis_away(game: Game, turn: int, servers: machines.Servers) -> None:
    """Redis is killed for a minute, and comes back empty."""
    servers.stop_redis()
    game.run(turn)
    time.sleep(machines.AWAY)
    status, _ = game.health()
    servers.start_redis()
    game.said.append(f"`/healthz` {status} meanwhile; log: the work waits for the sweep")


def postgresql_away(game: Game, turn: int, servers: machines.Servers) -> None:
    """PostgreSQL is stopped at once in mid-turn, and started again after a minute."""
    game.run(turn)
    game.at_work_on(turn)
    servers.stop_primary()
    game.tells("database", "unreachable")
    game.page()
    time.sleep(machines.AWAY)
    servers.start_primary()


def read_only(game: Game, turn: int, servers: machines.Servers) -> None:
    """PostgreSQL takes no changes for 10 seconds."""
    game.run(turn)
    game.at_work_on(turn)
    _read_only(servers, "on")
    game.tells("database", "read-only")
    game.page()
    time.sleep(10)
    _read_only(servers, "off")


def _read_only(servers: machines.Servers, word: str) -> None:
    where = f"host={machines.PRIMARY} port={servers.port} user=postgres dbname=postgres"
    with psycopg.connect(where, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE gage SET default_transaction_read_only = {word}")
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'gage'")


def next_version(game: Game, turn: int, box: machines.Box) -> None:
    """One machine gets a next version with a migration; the others go on with the old one."""
    machines.upgrade(box)
    game.run(turn)
    game.said.append("nothing: old and new workers run side by side")


def primary_lost(game: Game, turn: int, servers: machines.Servers) -> None:
    """The primary is lost in mid-turn, and its replica promoted."""
    game.run(turn)
    game.at_work_on(turn)
    servers.stop_primary()
    servers.promote()
    game.said.append("log: connections lost; no part is restarted by hand")


SERVERS = (
    "beat hangs",
    "Redis away",
    "PostgreSQL away",
    "database read-only",
    "rolling upgrade",
    "replica promoted",
)


def three_machines(wanted: Sequence[str], done: Callable[[str, str, str], None]) -> Run:
    """Two web processes, three workers and two beats of separate checkouts, one fault a turn. done: is told each."""
    if machines.programs() is None:
        raise Failed("not run: apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="gage-servers-", ignore_cleanup_errors=True) as place:
        Path(place).chmod(0o755)  # PostgreSQL's user has to get there
        servers = machines.Servers(Path(place) / "servers")
        with machines.site(STORE / "machines", servers) as (site, three):
            began = time.monotonic()
            site.inside("make")
            with playing(site, machines.up(three)) as game:
                blows: dict[str, Callable[[int], None]] = {
                    "beat hangs": lambda turn: beat_hangs(game, turn, three),
                    "Redis away": lambda turn: redis_away(game, turn, servers),
                    "PostgreSQL away": lambda turn: postgresql_away(game, turn, servers),
                    "database read-only": lambda turn: read_only(game, turn, servers),
                    "rolling upgrade": lambda turn: next_version(game, turn, three[2]),
                    "replica promoted": lambda turn: primary_lost(game, turn, servers),
                }
                for turn, name in enumerate(wanted, 1):
                    strike(name, partial(blows[name], turn), game, turn, done)
                return finish(game, began)


WHAT = {
    **{name: str(blow.__doc__) for name, blow in ONE_MACHINE.items()},
    **{
        name: str(blow.__doc__)
        for name, blow in zip(
            SERVERS,
            (beat_hangs, redis_away, postgresql_away, read_only, next_version, primary_lost),
            strict=True,
        )
    },
}


def poison(folder: Path) -> tuple[str, str, list[str]]:
    """50 campaigns and one whose state is none, all due at once. Returns what was said, what came of it, and what is wrong."""
    with embedded(folder) as site:
        site.inside("many", str(HEALTHY))
        with site.up(folder / "parts.log"):
            found: dict[str, str] = {}

            def settled() -> bool:
                time.sleep(2)
                found.update(json.loads(site.inside("states")))
                return set(found.values()) <= {"closed", "failed"}

            began = time.monotonic()
            wait_until(settled, "all turns to close", seconds=1200)
            seconds = time.monotonic() - began
            said = site.inside("desk", "poison").strip()
        wrong = [
            f"{code}: {phase}" for code, phase in found.items() if (phase == "failed") != (code == "poison")
        ]
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
    quiet = undisturbed() if any(layouts.values()) else None
    for layout, names in layouts.items():
        if names and quiet is not None:
            try:
                faults = wrong_in(quiet, layout(names, done))
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
