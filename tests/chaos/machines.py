"""One site on three machines, each a checkout and a VAR_DIR of its own, while its servers fail.

Two web processes, three workers and two beats share one PostgreSQL with a streaming replica, and one Redis. A beat is killed, Redis is
away for a minute and comes back empty, PostgreSQL is away for a minute, one machine is upgraded before the others, and at last the
primary is lost and its replica promoted. Needs root, redis-server and Debian's package postgresql.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.sites import HASTE, Site
from tests.support.processes import ROOT, plain_environment
from tests.support.redis import free_port

AWAY = 60.0  # seconds that a server is away
PRIMARY, REPLICA = "127.0.0.1", "127.0.0.2"
NEXT = '''"""What the next version adds: a column that may be empty."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaign", "{last}")]
    operations = [migrations.AddField("heartbeat", "note", models.TextField(null=True))]
'''


def programs() -> Path | None:
    """The folder of Debian's PostgreSQL servers, None where there is none."""
    return (
        max(Path("/usr/lib/postgresql").glob("*/bin/postgres"), default=Path()).parent
        if Path("/usr/lib/postgresql").is_dir()
        else None
    )


@dataclass(slots=True)
class Servers:
    """A primary, its replica and a Redis, each of which can be stopped. Of the database's user."""

    folder: Path
    port: int = field(default_factory=free_port)
    redis_port: int = field(default_factory=free_port)
    redis: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The database, wherever it takes changes."""
        return f"postgres://postgres@{PRIMARY},{REPLICA}:{self.port}/gage?target_session_attrs=read-write&connect_timeout=3"

    def _postgres(self, *words: str) -> None:
        found = programs()
        assert found is not None
        command = ["runuser", "-u", "postgres", "--", str(found / words[0]), *words[1:]]
        done = subprocess.run(
            command, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600
        )
        if done.returncode:
            raise RuntimeError(f"{words[0]}: {done.stdout[-1500:]}")

    def _ctl(self, name: str, *words: str) -> None:
        self._postgres(
            "pg_ctl", "-w", "-D", str(self.folder / name), "-l", str(self.folder / f"{name}.log"), *words
        )

    def start_primary(self) -> None:
        """On its own address."""
        self._ctl("primary", "-o", f"-p {self.port} -h {PRIMARY} -k {self.folder}", "start")

    def stop_primary(self) -> None:
        """At once, as when its machine loses power."""
        self._ctl("primary", "-m", "immediate", "stop")

    def promote(self) -> None:
        """The replica takes changes from now on."""
        self._ctl("replica", "promote")

    def start_redis(self) -> None:
        """Empty."""
        words = (
            "--port",
            str(self.redis_port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            str(self.folder),
        )
        self.redis = subprocess.Popen(
            ["redis-server", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def stop_redis(self) -> None:
        """With all that it holds."""
        if self.redis is not None:
            self.redis.kill()
            self.redis.wait()
            self.redis = None

    @contextlib.contextmanager
    def up(self) -> Iterator[None]:
        """Both databases and Redis, until the block ends."""
        self.folder.mkdir(parents=True)
        self.folder.chmod(0o777)
        self._postgres(
            "initdb", "-D", str(self.folder / "primary"), "--auth=trust", "-U", "postgres", "--no-sync"
        )
        with contextlib.ExitStack() as stack:
            stack.callback(self.stop_redis)
            for name in ("primary", "replica"):
                stack.callback(self._quietly, name)
            self.start_primary()
            self._postgres("createdb", "-h", PRIMARY, "-p", str(self.port), "gage")
            self._postgres(
                "pg_basebackup", "-h", PRIMARY, "-p", str(self.port), "-R", "-D", str(self.folder / "replica")
            )
            self._ctl("replica", "-o", f"-p {self.port} -h {REPLICA} -k {self.folder / 'replica'}", "start")
            # what was saved is on both, or it was not saved
            self._postgres(
                *("psql", "-q", "-h", PRIMARY, "-p", str(self.port), "-d", "postgres"),
                *("-c", "ALTER SYSTEM SET synchronous_standby_names = '*'", "-c", "SELECT pg_reload_conf()"),
            )
            self.start_redis()
            yield

    def _quietly(self, name: str) -> None:
        with contextlib.suppress(RuntimeError):
            self._ctl(name, "-m", "immediate", "stop")


@dataclass(frozen=True, slots=True)
class Box:
    """One of the machines: its checkout, its VAR_DIR and its parts."""

    name: str
    checkout: Path
    env: Mapping[str, str]
    parts: Mapping[str, tuple[str, ...]]

    def log(self, part: str) -> Path:
        """What a part says."""
        return Path(self.env["VAR_DIR"]) / f"{part}.log"

    @contextlib.contextmanager
    def running(self, part: str) -> Iterator[subprocess.Popen[bytes]]:
        """A part, as systemd would run it: started again a second after each death."""
        script = f'while true; do "$@"; sleep 1; done >>{self.log(part)} 2>&1'
        process = subprocess.Popen(
            ["sh", "-c", script, "sh", sys.executable, *self.parts[part]],
            cwd=self.checkout, env=self.env, stdin=subprocess.DEVNULL, process_group=0,
        )  # fmt: skip
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def signal(self, part: str, number: signal.Signals) -> None:
        """Sends a signal to all processes of a part. One that dies of it comes back."""
        for found in _processes(self.checkout, part):
            with contextlib.suppress(ProcessLookupError):
                os.kill(found, number)


def _processes(checkout: Path, word: str) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (path / "cwd").resolve() == checkout and word.encode() in (
                path / "cmdline"
            ).read_bytes().split(b"\0"):
                found.append(int(path.name))
    return found


def boxes(folder: Path, servers: Servers) -> tuple[Box, Box, Box]:
    """Three machines: two with pages, a worker and a beat, and one with a worker."""
    celery = ("-m", "celery", "-q", "-A", "deploy.celery_app")
    worker: tuple[str, ...] = (
        *celery,
        "worker",
        "--queues",
        "default,mail,odds",
        "--concurrency",
        "1",
        "--loglevel",
        "warning",
    )
    worker += ("--without-gossip", "--without-mingle")
    found = []
    for name in ("a", "b", "c"):
        checkout = folder / name / "program"
        _check_out(checkout)
        env = plain_environment(
            VAR_DIR=str(folder / name / "var"), DJANGO_SETTINGS_MODULE="deploy.settings.dev", SECRET_KEY="one for all machines",
            DATABASE_URL=servers.url, CELERY_BROKER_URL=f"redis://127.0.0.1:{servers.redis_port}/0",
            EMAIL_URL=f"file://{folder}/mail", PYTHONUNBUFFERED="1", LOG_LEVEL="WARNING", **{**HASTE, "SWEEP_SECONDS": "2"},
        )  # fmt: skip
        (folder / name / "var").mkdir()
        parts: dict[str, tuple[str, ...]] = {"worker": (*worker, "-n", f"{name}@%h")}
        if name != "c":
            port = str(free_port())
            parts["web"] = (
                "-m",
                "gunicorn",
                "deploy.wsgi:application",
                "--no-control-socket",
                "--bind",
                f"127.0.0.1:{port}",
            )
            parts["beat"] = (*celery, "beat", "--loglevel", "warning", "--pidfile", "")
        found.append(Box(name, checkout, env, parts))
    return found[0], found[1], found[2]


def _check_out(to: Path) -> None:
    names = (
        subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
        .stdout.decode()
        .split("\0")
    )
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name)


@contextlib.contextmanager
def site(folder: Path, servers: Servers) -> Iterator[tuple[Site, tuple[Box, Box, Box]]]:
    """The site on three machines; nothing of it runs yet."""
    with servers.up():
        three = boxes(folder, servers)
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "-v0"],
            cwd=three[0].checkout,
            env=three[0].env,
            check=True,
            timeout=1200,
        )
        env = {**three[0].env, "VAR_DIR": str(folder)}
        yield (
            Site("three machines", env, folder, (), {}, int(three[0].parts["web"][-1].rpartition(":")[2])),
            three,
        )


def upgrade(box: Box) -> None:
    """The next version on one machine: its migration is applied while the others run the old one."""
    last = max(path.stem for path in (box.checkout / "campaign" / "migrations").glob("0*.py"))
    (box.checkout / "campaign" / "migrations" / "0999_next.py").write_text(NEXT.format(last=last))
    model = box.checkout / "campaign" / "models" / "campaigns.py"
    before, at, after = model.read_text().partition("class Heartbeat(models.Model):")
    column = "    at = models.DateTimeField()\n"
    model.write_text(
        before + at + after.replace(column, column + "    note = models.TextField(null=True)\n", 1)
    )
    assert "note = models" in model.read_text()
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "-v0"],
        cwd=box.checkout,
        env=box.env,
        check=True,
        timeout=1200,
    )
    box.signal("worker", signal.SIGTERM)


@contextlib.contextmanager
def up(three: tuple[Box, ...]) -> Iterator[None]:
    """All parts of all machines, until the block ends."""
    with contextlib.ExitStack() as stack:
        for box in three:
            for part in box.parts:
                stack.enter_context(box.running(part))
        yield


def holders(three: tuple[Box, ...]) -> list[Box]:
    """The machines whose beats say that they ask for sweeps."""
    return [box for box in three if "asks for sweeps" in _last_word(box)]


def _last_word(box: Box) -> str:
    if not box.log("beat").exists():
        return ""
    lines = [line for line in box.log("beat").read_text(errors="replace").splitlines() if "this beat" in line]
    return lines[-1] if lines else ""
