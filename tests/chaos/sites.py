"""Two installations to be ill-treated: the embedded site on SQLite, and a club server with four workers, PostgreSQL and Redis."""

from __future__ import annotations

import atexit
import contextlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil

from tests.support import pg, redis
from tests.support.processes import (
    DATABASE,
    ROOT,
    lay_tables,
    migrate,
    plain_environment,
    running,
    wait_until,
)

# Everything that waits for a clock waits less than on a club's server, so that a hundred deaths fit into minutes.
HASTE = {"SWEEP_SECONDS": "1", "LEASE_SECONDS": "4", "RESTART_SECONDS": "1", "TASK_TIME_LIMIT": "120"}


@dataclass(frozen=True, slots=True)
class Site:
    """A running installation. start: runs its parts for as long as the block lasts. by_name: how often each part is chosen to die."""

    name: str
    env: dict[str, str]
    folder: Path
    words: tuple[str, ...]
    weights: dict[str, int]
    port: int

    @contextlib.contextmanager
    def up(self, log: Path) -> Iterator[subprocess.Popen[bytes]]:
        """Its parts under their supervisor, until the block ends."""
        with running(*self.words, env=self.env, log=log) as process:
            yield process

    def inside(self, *words: str) -> str:
        """What a script of tests.chaos.inside prints. Raises RuntimeError with its complaint."""
        command = [sys.executable, "-m", "tests.chaos.inside", *words]
        done = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=1800)
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        return done.stdout

    def alive(self) -> dict[str, int]:
        """Process ids of the parts that run now; of a worker that forks, the child that works stands beside it."""
        found: dict[str, int] = {}
        for path in (self.folder / "run").glob("*.pid"):
            with contextlib.suppress(OSError, ValueError, psutil.Error):
                process = psutil.Process(int(path.read_text()))
                found[path.stem] = process.pid
                for child in process.children()[:1] if path.stem.startswith("worker") else ():
                    found[f"{path.stem}’s child"] = child.pid
        return found


def _environment(folder: Path, **more: str) -> dict[str, str]:
    return plain_environment(
        VAR_DIR=str(folder),
        DJANGO_SETTINGS_MODULE="deploy.settings.dev",
        LOG_LEVEL="WARNING",
        **{**HASTE, **more},
    )


@cache
def _tables() -> Path:
    """An empty SQLite database with all tables, which each embedded site copies."""
    folder = Path(tempfile.mkdtemp(prefix="gage-tables-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    migrate(_environment(folder))
    return folder / DATABASE


@contextlib.contextmanager
def embedded(folder: Path, **more: str) -> Iterator[Site]:
    """What `make run` serves: SQLite, the spool, one worker. more: its own environment variables."""
    folder.mkdir(parents=True)
    env, port = _environment(folder, **more), redis.free_port()
    lay_tables(_tables(), folder)
    words = ("manage.py", "serve", "--port", str(port))
    yield Site("SQLite, one worker", env, folder, words, {"worker": 6, "web": 1, "beat": 1, "mail": 2}, port)


@contextlib.contextmanager
def club(folder: Path) -> Iterator[Site]:
    """PostgreSQL, Redis that keeps nothing, four workers."""
    folder.mkdir(parents=True)
    port, redis_port = redis.free_port(), redis.free_port()
    with pg.private_postgres() as url:
        env = _environment(folder, DATABASE_URL=url, CELERY_BROKER_URL=f"redis://127.0.0.1:{redis_port}/0")
        migrate(env)
        weights = {"web": 2, "beat": 2, "redis": 1}
        for number in range(1, 5):
            weights |= {f"worker{number}": 2, f"worker{number}’s child": 3}
        words = ("-m", "tests.chaos.club", str(port), str(redis_port))
        yield Site("PostgreSQL and Redis, four workers", env, folder, words, weights, port)


LAYOUTS: dict[str, Callable[[Path], contextlib.AbstractContextManager[Site]]] = {
    "embedded": embedded,
    "club": club,
}
__all__ = ["LAYOUTS", "Site", "wait_until"]
