"""`make chaos FAULTS=1`: what the world does to a server, one thing after another, while the real site plays two turns.

Each fault strikes while the first turn is run, and is mended. What the site says about it is noted, and then the books are compared with
an undisturbed run: nothing may be lost. Prints a table, writes it to var/chaos-faults/result.md, and returns 1 when anything is
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
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import psycopg

from tests.chaos import sites
from tests.chaos.__main__ import Run, delivered, differences, watched
from tests.chaos.sites import Site, club
from tests.support.processes import DATABASE, ROOT, running, wait_until
from tests.support.redis import free_port
from tests.support.smtp import mail_server

TURNS = 2
STORE = ROOT / "var" / "chaos-faults"
STARTED = STORE / "started"
HEALTHY = 50
FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
PATIENCE = 300.0  # seconds for a turn with its fault


class Failed(Exception):
    """A fault that the site did not meet as it should; the text says what was not so."""


@dataclass(slots=True)
class Game:
    """A site at play. said: its own words about the fault."""

    site: Site
    clock: subprocess.Popen[bytes]
    said: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        """VAR_DIR."""
        return self.site.folder

    def state(self) -> dict[str, Any]:
        """What the clock sees now."""
        return next(watched(self.folder / "seen.json", self.clock))

    def run(self, turn: int) -> None:
        """Lets a turn fall due."""
        (self.folder / "allowed").write_text(str(turn))

    def at_work(self) -> None:
        """Waits until the worker is at it, or has done it already."""
        wait_until(lambda: self.state()["busy"] or self.state()["closed"], "work to begin", seconds=PATIENCE)

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
def embedded(folder: Path, **more: str) -> Iterator[Site]:
    """The embedded site with the campaign of 1666, which is made once for all faults."""
    made = STARTED / "site" / DATABASE
    if not made.exists():
        with sites.embedded(STARTED / "site") as site:
            site.inside("make")
    with sites.embedded(folder, made, **more) as site:
        yield site


@contextlib.contextmanager
def playing(site: Site, turns: int = TURNS) -> Iterator[Game]:
    """The site, up and waiting for its first turn."""
    allowed, seen = site.folder / "allowed", site.folder / "seen.json"
    allowed.write_text("0")
    words = ("-m", "tests.chaos.inside", "clock", str(turns), str(allowed), str(seen))
    with (
        site.up(site.folder / "parts.log"),
        running(*words, env=site.env, log=site.folder / "clock.log") as clock,
    ):
        game = Game(site, clock)
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
    """The same two turns with nothing in their way."""
    began = time.monotonic()
    with embedded(STORE / "undisturbed") as site, playing(site) as game:
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


def disk_full(folder: Path) -> tuple[Game, Run]:
    """A disk of 96 MB is filled to its last byte for 10 seconds."""
    with tmpfs(folder, "96m") as disk, embedded(disk / "site") as site, playing(site) as game:
        began = time.monotonic()
        game.run(1)
        game.at_work()
        filler = disk / "filler"
        with filler.open("wb") as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(1 << 16))
                file.flush()
        game.tells("disk", "full")
        time.sleep(10)
        filler.unlink()
        game.healthy()
        return game, finish(game, began)


def read_only(folder: Path) -> tuple[Game, Run]:
    """PostgreSQL takes no changes for 10 seconds, as a replica does."""
    with club(folder) as site:
        site.inside("make")
        return _read_only_for_a_while(site)


def _read_only_for_a_while(site: Site) -> tuple[Game, Run]:
    with playing(site) as game:
        began = time.monotonic()
        game.run(1)
        game.at_work()
        _read_only(site, "on")
        game.tells("database", "read-only")
        game.page()
        time.sleep(10)
        _read_only(site, "off")
        game.healthy()
        return game, finish(game, began)


def _read_only(site: Site, word: str) -> None:
    with psycopg.connect(site.env["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = off")
        name = connection.info.dbname
        connection.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = {word}')
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
            [name],
        )


def queue_deleted(folder: Path) -> tuple[Game, Run]:
    """The broker's folder is deleted 5 times, a second apart."""
    with embedded(folder) as site, playing(site) as game:
        began = time.monotonic()
        game.run(1)
        for _ in range(5):
            shutil.rmtree(folder / "queue", ignore_errors=True)
            time.sleep(1)
        game.healthy()
        game.said.append("nothing: the sweep hands the work out again")
        return game, finish(game, began)


def queue_cut(folder: Path) -> tuple[Game, Run]:
    """For 10 seconds every message is cut in half as it is found, and half a message lies there besides."""
    with embedded(folder) as site, playing(site) as game:
        began, cut = time.monotonic(), 0
        messages = folder / "queue" / "messages"
        game.run(1)
        while time.monotonic() < began + 10:
            for path in messages.glob("*.msg"):
                with contextlib.suppress(OSError):
                    os.truncate(path, path.stat().st_size // 2)
                    cut += 1
            (messages / f"{time.time_ns():020d}_half.default.msg").write_text('{"body": "W1')
            time.sleep(0.2)
        run = finish(game, began)
        aside = len(list((folder / "queue" / "bad").iterdir()))
        game.said.append(f"log and folder `queue/bad`: {aside} messages set aside")
        return game, run


def mail_away(folder: Path) -> tuple[Game, Run]:
    """The mail server refuses connections while the first turn is run and for a day after it."""
    port = free_port()
    with embedded(folder, EMAIL_URL=f"smtp://127.0.0.1:{port}") as site, playing(site) as game:
        began = time.monotonic()
        game.run(1)
        game.closed(1)
        wait_until(lambda: game.health()[1]["mail"]["server_away"], "the outage to be known")
        game.site.inside("later", "24")
        game.desk("The mail server has accepted no emails for 24 hours")
        if game.health()[0] != 200 or game.health(strict=True)[0] != 503:
            raise Failed("/healthz has to be 200, and 503 with strict=1")
        game.said.append("`/healthz?strict=1` 503")
        with mail_server(port=port) as server:
            game.site.inside("later", "1")
            letters = lambda: Counter(str(letter.mail["Message-ID"]) for letter in server.letters)  # noqa: E731
            return game, finish(game, began, letters)


def terminated(folder: Path) -> tuple[Game, Run]:
    """Worker, web and beat get SIGTERM in mid-turn, the worker three times."""
    with embedded(folder) as site, playing(site) as game:
        began = time.monotonic()
        game.run(1)
        for names in (("worker",), ("worker", "web"), ("worker", "beat")):
            game.at_work()
            for name in names:
                with contextlib.suppress(ProcessLookupError, KeyError):
                    os.kill(site.alive()[name], signal.SIGTERM)
            time.sleep(2)
        game.healthy()
        game.said.append("log: each part was restarted")
        return game, finish(game, began)


def memory(folder: Path) -> tuple[Game, Run]:
    """Whatever worker runs may take no more memory than it has, until its turn has been given up once."""
    with embedded(folder) as site, playing(site) as game:
        began = time.monotonic()
        wait_until(lambda: "worker" in site.alive(), "the worker")
        game.run(1)
        until = time.monotonic() + 40
        while time.monotonic() < until and not game.state()["again"]:
            with contextlib.suppress(KeyError, psutil.Error, ProcessLookupError):
                process = psutil.Process(site.alive()["worker"])
                limit = process.memory_info().vms + (1 << 20)
                resource.prlimit(process.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
        with contextlib.suppress(KeyError, ProcessLookupError):
            resource.prlimit(site.alive()["worker"], resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
        run = finish(game, began)
        told = (folder / "parts.log").read_text(errors="replace").count("MemoryError")
        if not told:
            raise Failed("no worker met its limit")
        game.said.append(f"log: {told} lines with MemoryError; work given up and tried again: {run.again}")
        return game, run


def two_serves(folder: Path) -> tuple[Game, Run]:
    """A second `manage.py serve` is started on the same folder while the first plays."""
    with embedded(folder) as site, playing(site) as game:
        began = time.monotonic()
        game.run(1)
        game.at_work()
        second = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(free_port())],
            cwd=ROOT, env=site.env, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        if second.returncode != 1 or "already running" not in second.stderr:
            raise Failed(f"the second was not refused: {second.stderr}")
        game.said.append("the second ends: already running; stop that one first")
        return game, finish(game, began)


def clock_jumps(folder: Path) -> tuple[Game, Run]:
    """The clock of all parts goes 26 hours ahead in mid-turn, and back again 10 seconds later."""
    if not FAKETIME.exists():
        raise Failed("not run: apt-get install libfaketime")
    folder.mkdir(parents=True)
    offset = folder / "offset"
    offset.write_text("+0")
    fake = {
        "LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1",
        "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }  # fmt: skip
    with embedded(folder / "site", **fake) as site, playing(site) as game:
        began = time.monotonic()
        game.run(1)
        game.at_work()
        for jump in ("+26h", "+0"):
            aside = folder / "offset.new"
            aside.write_text(jump)
            aside.replace(offset)
            time.sleep(10)
        game.healthy()
        game.said.append("`/healthz` 200 afterwards")
        return game, finish(game, began)


FAULTS: dict[str, Callable[[Path], tuple[Game, Run]]] = {
    "disk full": disk_full,
    "database read-only": read_only,
    "broker folder deleted": queue_deleted,
    "queue files cut": queue_cut,
    "mail server away for a day": mail_away,
    "SIGTERM in mid-turn": terminated,
    "memory limit hit": memory,
    "two serve on one folder": two_serves,
    "clock jumps": clock_jumps,
}


def poison(folder: Path) -> tuple[str, str, list[str]]:
    """50 campaigns and one whose state is none, all due at once. Returns what was said, what came of it, and what is wrong."""
    with sites.embedded(folder) as site:
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


def wrong_in(name: str, quiet: Run, run: Run) -> list[str]:
    """What is lost or doubled. A clock that jumps may move deadlines, of which more emails tell; none may be missing."""
    found = differences(quiet, run)
    if name == "clock jumps":
        found = [
            line for line in found if not line.lstrip().startswith("too many:") and " 0 missing" not in line
        ]
    return found


def main(argv: Sequence[str]) -> int:
    """One fault after another."""
    names = [*FAULTS, "poison"]
    parser = argparse.ArgumentParser(prog="make chaos FAULTS=1", description=__doc__.partition("\n")[0])
    parser.add_argument("faults", nargs="*", metavar="FAULT", help=", ".join(names))
    wanted = parser.parse_args(argv).faults or names
    shutil.rmtree(STORE, ignore_errors=True)
    rows, wrong = [], []
    quiet: Run | None = None
    for name in wanted:
        print(f"{name} …", flush=True)
        done = (poison if name == "poison" else FAULTS[name]).__doc__.partition("\n")[0]  # type: ignore[union-attr]
        began = time.monotonic()
        try:
            if name == "poison":
                said, came, faults = poison(STORE / "poison")
            else:
                if quiet is None:
                    quiet = undisturbed()
                game, run = FAULTS[name](STORE / name.replace(" ", "-"))
                said, faults = "; ".join(game.said), wrong_in(name, quiet, run)
                came = f"both turns closed, {len(run.books['emails'])} emails, {'DIFFERENT' if faults else 'nothing lost'}"
        except (Failed, AssertionError, SystemExit) as error:
            said, came, faults = "", f"FAILED: {error}", [str(error)]
        rows.append((name, done, said, came))
        wrong += [f"{name}: {line}" for line in faults]
        print(f"  {came} ({time.monotonic() - began:.0f} s)", flush=True)
    text = "\n".join(
        f"| {' | '.join(row)} |"
        for row in [("fault", "what is done", "what the site says", "afterwards"), ("---",) * 4, *rows]
    )
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    STORE.mkdir(parents=True, exist_ok=True)
    (STORE / "result.md").write_text(f"{time.strftime('%-d %B %Y')}, {machine}.\n\n{text}\n")
    print(f"\n{text}\n", *wrong, sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
