"""A Celery task for tests of the brokers, in the project's own application."""

import os
from pathlib import Path

from deploy.celery_app import app


@app.task(name="tests.write_pid")
def write_pid(path: str) -> None:
    """Adds a line with the worker's process id to a file."""
    with Path(path).open("a", encoding="ascii") as file:
        file.write(f"{os.getpid()}\n")
