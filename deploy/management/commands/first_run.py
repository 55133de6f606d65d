"""`manage.py first_run`: something to look at before anything is asked of anyone."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from campaign.models import Campaign
from deploy.supervise import die_with


class Command(BaseCommand):
    """Sets up the demo campaign when there is no campaign at all; else does nothing."""

    help = "Load the registers and play the demo campaign's first turns, unless there is a campaign already."

    def handle(self, *args: Any, **options: Any) -> None:
        """Its battles are fought by a real worker, as they will be later.  Raises what the set-up raises."""
        if Campaign.objects.exists():
            return
        with worker_and_beat():
            call_command("demo_setup", stdout=self.stdout, stderr=self.stderr)


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
        preexec_fn=lambda: die_with(parent),
    )
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=2)
            raise CommandError("worker and beat did not start; is the site being served already?")
        yield
    finally:
        process.terminate()
        process.wait()
