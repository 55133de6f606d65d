"""`python -m tests.chaos.club PORT REDIS_PORT [WORKERS]`: the parts of a club server under one supervisor, as systemd would keep them."""

from __future__ import annotations

import sys
from dataclasses import replace

import django
from django.conf import settings

from deploy.management.commands.serve import programs
from deploy.supervise import Program, Supervisor

WORKERS = 4


def parts(port: int, redis_port: int, workers: int = WORKERS) -> tuple[Program, ...]:
    """Redis, web, beat, and workers that serve every queue."""
    own = {program.name: program for program in programs(bind="127.0.0.1", port=port)}
    worker = own.pop("worker")
    return (
        Program(
            name="redis",
            argv=(
                *("redis-server", "--port", str(redis_port), "--bind", "127.0.0.1"),
                *("--save", "", "--appendonly", "no", "--dir", str(settings.RUN_DIR)),
            ),
        ),
        *own.values(),
        *(
            replace(
                worker,
                name=f"worker{number}",
                argv=(*worker.argv, "--concurrency", "1", "-n", f"chaos{number}@%h"),
            )
            for number in range(1, workers + 1)
        ),
    )


if __name__ == "__main__":
    django.setup()
    settings.RUN_DIR.mkdir(parents=True, exist_ok=True)
    Supervisor(
        programs=parts(*map(int, sys.argv[1:4])),
        run_dir=settings.RUN_DIR,
        pauses=(settings.RESTART_SECONDS,),
        cwd=settings.BASE_DIR,
    ).run()
