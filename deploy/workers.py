"""A worker and beat for as long as a command needs them."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

from django.conf import settings
from django.core.management.base import CommandError

from deploy.supervise import die_with


@contextlib.contextmanager
def worker_and_beat() -> Iterator[None]:
    """A worker and beat under a supervisor of their own, ended with the block.

    Raises CommandError when they do not stay up, for example because the site is being served already.
    """
    parent = os.getpid()
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--without-web"],
        cwd=settings.BASE_DIR,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # the command's own words are read by people and compared by tests
        env={"LOG_LEVEL": "WARNING", **os.environ},
        preexec_fn=lambda: die_with(parent),
    )
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=2)
            raise CommandError("worker and beat did not start; is the site already running?")
        yield
    finally:
        process.terminate()
        process.wait()
