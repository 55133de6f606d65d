"""A Celery task for tests of the brokers, in the project's own application."""

import os
import time
from pathlib import Path

from deploy.celery_app import app

app.conf.task_time_limit = float(os.environ.get("TEST_TIME_LIMIT", app.conf.task_time_limit))


@app.task(name="tests.hang")
def hang(path: str) -> None:
    """Says that it has begun, and never ends."""
    write_pid(path)
    while True:
        time.sleep(3600)


@app.task(name="tests.write_pid")
def write_pid(path: str) -> None:
    """Adds a line with the worker's process id to a file."""
    with Path(path).open("a", encoding="ascii") as file:
        file.write(f"{os.getpid()}\n")
