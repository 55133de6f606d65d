"""A site at play with faults in its way: what strikes, what the site says about it, and what came of it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import SubprocessError
from typing import Any

from tests.chaos.__main__ import Run, delivered, differences, watched
from tests.chaos.sites import Site, embedded
from tests.support.maildrop import Letter
from tests.support.processes import ROOT, running, wait_until
from tests.support.redis import free_port
from tests.support.smtp import mail_server

STORE = ROOT / "var" / "chaos-faults"
PATIENCE = 900.0  # seconds for a turn with its fault
CALM = 3.0  # seconds without work after which nothing more comes of a turn


class Failed(Exception):
    """A fault that the site did not meet as it should; the text says what was not so."""


def new_folder(name: str) -> Path:
    """Where a site of this name may lie; each call gives another."""
    STORE.mkdir(parents=True, exist_ok=True)
    return STORE / f"{name}-{len(list(STORE.glob(f'{name}-*'))) + 1}"


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

    close = stop

    def taken(self) -> Counter[str]:
        """How often each message came."""
        return Counter(str(letter.mail["Message-ID"]) for letter in self.letters)


@dataclass(slots=True)
class Game:
    """A site at play. said: its own words about the fault. ours: a folder that no fault strikes."""

    site: Site
    clock: subprocess.Popen[bytes]
    ours: Path
    post: Post | None = None
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

    def books(self, turn: int, *, verified: bool = True) -> Run:
        """What has to be the same after a turn, once it is closed and its emails are out. verified: its dice are thrown again."""
        began = time.monotonic()
        self.closed(turn)
        wait_until(lambda: self.state()["calm"] > CALM, "all emails to go out", seconds=PATIENCE)
        state, books = self.state(), json.loads(self.site.inside("books", str(turn if verified else 0)))
        mails = self.post.taken() if self.post else delivered(self.folder)
        return Run(self.site.name, books, mails, state["most_open"], state["again"], time.monotonic() - began)

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

        wait_until(told, f"/healthz to say {part}: {word}")
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
        wait_until(lambda: words in self.site.inside("desk"), f"the desk to say “{words}”", seconds=PATIENCE)
        self.said.append(f"desk: {words}")


@contextlib.contextmanager
def playing(
    site: Site,
    turns: int,
    parts: contextlib.AbstractContextManager[Any] | None = None,
    post: Post | None = None,
) -> Iterator[Game]:
    """The site, up and waiting for its first turn."""
    ours = Path(tempfile.mkdtemp(prefix="clock-", dir=STORE))
    allowed, seen = ours / "allowed", ours / "seen.json"
    allowed.write_text("0")
    words = ("-m", "tests.chaos.inside", "clock", str(turns), str(allowed), str(seen))
    with (
        parts or site.up(ours / "parts.log"),
        running(*words, env=site.env, log=ours / "clock.log") as clock,
    ):
        game = Game(site, clock, ours, post)
        game.healthy()
        yield game


def undisturbed(turns: int) -> list[Run]:
    """The same turns with nothing in their way: the books as they are after each turn."""
    with embedded(STORE / "undisturbed") as site:
        site.inside("make")
        with playing(site, turns + 1) as game:
            found = []
            for turn in range(1, turns + 1):
                game.run(turn)
                found.append(game.books(turn, verified=False))
            return found


Blows = Mapping[str, Callable[[int], None]]


@dataclass(slots=True)
class Faults:
    """Faults that strike one after another, one a turn, and what came of them.

    quiet: the books without faults, after each turn. opened: a new site of this layout at play, and its blows by name. done: is told the
    name of each fault, what the site said and what came of it.
    """

    quiet: list[Run]
    opened: Callable[[], contextlib.AbstractContextManager[tuple[Game, Blows]]]
    done: Callable[[str, str, str], None]
    wrong: list[str] = field(default_factory=list)

    def strike(self, wanted: Sequence[str]) -> list[str]:
        """Lets them strike. Once one has done harm, the rest meet a new site. Returns what is wrong, a sentence each."""
        left = list(wanted)
        while left:
            try:
                with self.opened() as (game, blows):
                    for turn, name in enumerate(tuple(left), 1):
                        left.remove(name)
                        if not self._met(name, blows[name], game, turn):
                            break
            except Failed as error:  # there can be no such site here
                return [*self.wrong, str(error)]
        return self.wrong

    def _met(self, name: str, blow: Callable[[int], None], game: Game, turn: int) -> bool:
        """One fault in its turn, which has to close all the same with the books as they are without it. Returns whether it did."""
        game.said.clear()
        began = time.monotonic()
        faults = []
        try:
            blow(turn)
            game.healthy()
            faults = wrong_in(self.quiet[turn - 1], game.books(turn))
            came = "the books DIFFER" if faults else "the books are the same"
        except (
            Failed,
            AssertionError,
            LookupError,
            OSError,
            RuntimeError,
            SubprocessError,
            SystemExit,
        ) as error:
            faults, came = [f"{game.site.name}: {error}"], f"FAILED: {error}"
        self.wrong += [f"{name}: {line}" for line in faults]
        print(f"{name}: turn {turn}, {time.monotonic() - began:.0f} s", *faults, sep="\n", flush=True)
        self.done(name, "; ".join(game.said), f"turn {turn} closed; {came}" if not faults else came)
        return not faults


def wrong_in(quiet: Run, run: Run) -> list[str]:
    """What is lost or doubled. A clock that jumps may move deadlines, of which more emails tell; none may be missing."""
    return [
        line
        for line in differences(quiet, run)
        if not line.startswith(f"{run.name}: emails: 0 missing")
        and not (line.startswith("  too many") and "deadline" in line)
    ]
