"""Real processes for tests: started, waited for and ended by their own ids."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "weather_gage.sqlite3"  # in VAR_DIR, where nothing else is said


def wait_until(true: Callable[[], bool], what: str, *, seconds: float = 180.0, every: float = 0.05) -> None:
    """Waits until something is so; an AssertionError names what was waited for in vain. every: seconds between two looks."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"waited {seconds:g} s in vain for {what}"
        time.sleep(every)


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie that nobody has waited for does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def plain_environment(**more: str) -> dict[str, str]:
    """The environment without the settings of the tests' own process."""
    own = {"DJANGO_SETTINGS_MODULE", "TEST_DATABASE_URL", "DATABASE_URL", "VAR_DIR", "CELERY_BROKER_URL"}
    own.add("DJANGO_ALLOW_ASYNC_UNSAFE")  # of the browser's tests
    return {**{name: value for name, value in os.environ.items() if name not in own}, **more}


def printed(*argv: str, env: Mapping[str, str]) -> str:
    """What `python ARGV...` prints. An AssertionError holds its complaints when it fails."""
    done = subprocess.run(
        [sys.executable, *argv], cwd=ROOT, env=env, capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def script(code: str, *words: str, env: Mapping[str, str]) -> str:
    """What some lines print in a process that has set up Django. words: its arguments."""
    return printed("-c", f"import django; django.setup()\n{code}", *words, env=env)


@contextlib.contextmanager
def asking(folder: Path) -> Iterator[Callable[[str], list[Any]]]:
    """A function that answers a query with its first column, read beside the site that runs on a SQLite database. folder: its VAR_DIR.

    One connection, for to open another for each look costs more than the look.
    """
    path = f"file:{folder / DATABASE}?mode=ro"
    with contextlib.closing(sqlite3.connect(path, uri=True, timeout=10)) as database:
        yield lambda query: [row[0] for row in database.execute(query)]


def pid_of(folder: Path, name: str) -> int:
    """The process id of a program that `serve` runs, by its file; 0 when there is none. folder: the site's VAR_DIR."""
    try:
        return int((folder / "run" / f"{name}.pid").read_text())
    except (FileNotFoundError, ValueError):
        return 0


def migrate(env: Mapping[str, str]) -> None:
    """Gives an installation's database its tables, as `make setup` does."""
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(command, cwd=ROOT, env=env, check=True, timeout=500)


def lay_tables(tables: Path, folder: Path) -> None:
    """Gives an installation a copy of a SQLite database that nobody writes to. tables: the file; folder: its VAR_DIR."""
    folder.mkdir(exist_ok=True)
    with (
        contextlib.closing(sqlite3.connect(tables)) as source,
        contextlib.closing(sqlite3.connect(folder / DATABASE)) as copy,
    ):
        source.backup(copy)


@contextlib.contextmanager
def running(
    *argv: str, env: Mapping[str, str], log: Path, end_with: int = signal.SIGTERM
) -> Iterator[subprocess.Popen[bytes]]:
    """`python ARGV...` from the project's root, in a process group of its own, its words in `log`.

    Ended with the block: by the signal, and after 20 s by killing its group.
    """
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [sys.executable, *argv],
            cwd=ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(end_with)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=20)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
