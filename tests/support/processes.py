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

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "weather_gage.sqlite3"  # in VAR_DIR, where nothing else is said


def wait_until(true: Callable[[], bool], what: str, *, seconds: float = 180.0) -> None:
    """Waits until something is so; an AssertionError names what was waited for in vain."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"waited {seconds:g} s in vain for {what}"
        time.sleep(0.05)


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
