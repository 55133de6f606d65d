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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.chaos.__main__ import Run, delivered, watched
from tests.chaos.sites import Site, embedded
from tests.support.maildrop import Letter
from tests.support.processes import ROOT, running, wait_until
from tests.support.redis import free_port
from tests.support.smtp import mail_server

STORE = ROOT / "var" / "chaos-faults"
PATIENCE = 300.0  # seconds for a turn with its fault


class Failed(Exception):
    """A fault that the site did not meet as it should; the text says what was not so."""


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


@dataclass(slots=True)
class Game:
    """A site at play. said: its own words about the fault. ours: a folder that no fault strikes. turns: how many are played."""

    site: Site
    clock: subprocess.Popen[bytes]
    ours: Path
    turns: int
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
def playing(
    site: Site, turns: int, parts: contextlib.AbstractContextManager[Any] | None = None
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
        game = Game(site, clock, ours, turns)
        game.healthy()
        yield game


def finish(game: Game, began: float, mails: Callable[[], Counter[str]] | None = None) -> Run:
    """Plays the rest, and gives the books."""
    for turn in range(1, game.turns + 1):
        game.run(turn)
        game.closed(turn)
    until = time.monotonic() + PATIENCE
    while not (state := game.state())["done"]:
        if time.monotonic() > until:
            raise Failed("not all emails went out")
    books = json.loads(game.site.inside("books"))
    found = mails() if mails else delivered(game.folder)
    return Run(game.site.name, books, found, state["most_open"], state["again"], time.monotonic() - began)


def undisturbed(turns: int) -> Run:
    """The same turns with nothing in their way."""
    began = time.monotonic()
    with embedded(STORE / "undisturbed") as site:
        site.inside("make")
        with playing(site, turns) as game:
            return finish(game, began)


def strike(
    name: str, blow: Callable[[], None], game: Game, turn: int, done: Callable[[str, str, str], None]
) -> None:
    """One fault in its turn, which has to close all the same. done: is told what the site said and what came of it."""
    game.said.clear()
    blow()
    game.healthy()
    game.closed(turn)
    done(name, "; ".join(game.said), f"turn {turn} closed")
