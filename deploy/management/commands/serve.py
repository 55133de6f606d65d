"""`manage.py serve`: the whole site on one machine."""

import os
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection

from deploy.health import migrations_behind
from deploy.supervise import PAUSES, AlreadyRunning, Plan, Program, only_one

CELERY = (sys.executable, "-m", "celery", "-q", "-A", "deploy.celery_app")
ONLY_BEAT = (sys.executable, "-m", "celery", "-q", "-A", "deploy.beat")
GIVES_WAY = 5  # turns and pages come before odds


class Command(BaseCommand):
    """Starts web, worker and beat as processes of their own and keeps them running until Ctrl-C."""

    help = "Run the site: web, worker and beat. Each is restarted if it dies; all stop together."
    requires_system_checks = ()  # each process runs them itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=int, default=settings.PORT, help=f"port to listen on ({settings.PORT})"
        )
        parser.add_argument(
            "--bind", default="127.0.0.1", help="address to listen on (127.0.0.1); 0.0.0.0 listens on all"
        )

        parser.add_argument("--without-web", action="store_true", help="run only worker and beat")

    def handle(self, *args: Any, port: int, bind: str, without_web: bool, **options: Any) -> None:
        """Look that it can run, then become the supervisor, which has not loaded the site.

        Raises CommandError when it runs already, the port is taken or the database is not ready.
        """
        run_dir = Path(settings.RUN_DIR)
        try:
            with only_one(run_dir / "serve.lock"):
                check_database()
                connection.close()
                wanted = programs(bind=bind, port=port)
                if without_web:
                    wanted = tuple(program for program in wanted if program.name != "web")
                else:
                    check_port(bind, port)
        except AlreadyRunning as error:
            raise CommandError(f"{error}; stop that one first, or set another VAR_DIR") from error
        plan = Plan(
            programs=wanted,
            run_dir=str(run_dir),
            pauses=[min(pause, settings.RESTART_SECONDS) for pause in PAUSES],
            messages=str(settings.CELERY_BROKER_TRANSPORT_OPTIONS.get("data_folder_in", "")),
            said_first=""
            if without_web
            else f"Weather Gage at http://{host_of(bind)}:{port}/ - press Ctrl-C to stop",
            said_last="" if without_web else "ended",
        )
        plan.write(run_dir / "serve.json")
        become(run_dir / "serve.json", environment(os.environ, bind=bind, port=port))


def become(plan: Path, env: Mapping[str, str]) -> NoReturn:
    """Turn this process into the supervisor of a plan, under the same process id."""
    sys.stdout.flush()
    os.chdir(settings.BASE_DIR)
    os.execve(sys.executable, [sys.executable, "-m", "deploy.supervise", str(plan)], dict(env))


def check_database() -> None:
    """Raises CommandError when the database cannot be reached or its tables are not up to date."""
    try:
        behind = migrations_behind()
    except OperationalError as error:
        raise CommandError(f"the database cannot be reached: {error}") from error
    if behind:
        raise CommandError(
            f"{behind} migration{'s' * (behind != 1)} not applied; run `manage.py migrate` first"
        )


def check_port(bind: str, port: int) -> None:
    """Raises CommandError when the port cannot be listened on."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((bind, port))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise CommandError(
                f"cannot listen on {bind} port {port}: {reason}; choose another with --port"
            ) from error


def host_of(bind: str) -> str:
    """An address to listen on as written in a URL."""
    return f"[{bind}]" if ":" in bind else bind


def environment(environ: Mapping[str, str], *, bind: str, port: int) -> dict[str, str]:
    """The environment of web, worker and beat: links in emails lead to where the site is served, unless SITE_URL says otherwise.

    A site that listens on every address is reached on this machine at 127.0.0.1.
    """
    host = "127.0.0.1" if bind in ("0.0.0.0", "::", "") else host_of(bind)
    site = environ.get("SITE_URL", "").strip() or f"http://{host}:{port}"
    return {**environ, "PYTHONUNBUFFERED": "1", "PORT": str(port), "SITE_URL": site}


def programs(*, bind: str, port: int) -> tuple[Program, ...]:
    """Web, worker and beat, and on the filesystem broker the workers that run only while there are emails to send or odds to work out.

    There each worker is one process without children, so that a hard kill leaves nothing behind; on Redis one worker forks and serves
    every queue. A task past its time limit ends the one or the child of the other.
    """
    level = settings.LOG_LEVEL.lower()
    quiet = "warning" if level == "info" else level
    web = Program(
        name="web",
        argv=(
            *(sys.executable, "-m", "gunicorn", "deploy.wsgi:application"),
            *("--bind", f"{host_of(bind)}:{port}", "--worker-class", "gthread", "--workers", "1", "--threads", "8"),
            *("--timeout", "60", "--graceful-timeout", "5", "--no-control-socket", "--log-level", quiet),
        ),
    )  # fmt: skip
    timer = ("beat", "--loglevel", quiet, "--pidfile", "")
    if not settings.CELERY_BROKER_URL.startswith("filesystem"):
        worker = Program(name="worker", argv=_worker("prefork", "default,mail,odds", level))
        return web, worker, Program(name="beat", argv=(*CELERY, *timer))
    spare = {"WORKER_LEAVES_AFTER": str(settings.LINGER_SECONDS)}  # not for the other programs
    return (
        web,
        Program(name="worker", argv=_worker("solo", "default", level)),
        Program(name="beat", argv=(*ONLY_BEAT, *timer)),
        Program(name="mail", argv=_worker("solo", "mail", level), queue="mail", env=spare),
        *(
            Program(
                name=f"odds-{n}", argv=_worker("solo", "odds", quiet), queue="odds", env=spare, nice=GIVES_WAY
            )
            for n in range(1, settings.ODDS_LANES + 1)
        ),
    )


def _worker(pool: str, queues: str, level: str) -> tuple[str, ...]:
    alone = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    return (*CELERY, "worker", "--pool", pool, "--queues", queues, "--loglevel", level, *alone)
