"""`manage.py receive_mail [--maildir DIR [--every SECONDS]]`: orders that players send by answering a turn's mail."""

import logging
import os
import sys
import time
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import close_old_connections

from campaign.notices.messages import LARGEST
from campaign.services.replies import Outcome, mail_take

logger = logging.getLogger(__name__)

TRY_AGAIN = 75  # EX_TEMPFAIL: a mail server keeps the mail and hands it over later
LONGEST_PAUSE = 600  # seconds between rounds while a mail cannot be taken


class Command(BaseCommand):
    """For a service or cron over a maildir, or for a mail server's pipe. Rule: G.MV2."""

    help = "Take orders out of the new mails of a maildir, or out of one mail on standard input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where the mails are."""
        parser.add_argument(
            "--maildir", type=Path, metavar="DIR", help="read its new mails and move them to cur"
        )
        parser.add_argument(
            "--every", type=float, metavar="SECONDS", help="with --maildir: go on and look again so often"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError for a folder that is no maildir, and with status 75 when a mail has to be tried again.

        With --every it ends only when it is ended; what fails is in the log.
        """
        if options["maildir"] is None:
            raw = sys.stdin.buffer.read(LARGEST)
            while sys.stdin.buffer.read(LARGEST):
                pass  # a mail server whose pipe breaks takes the mail for undelivered
            self._one(raw)
        elif options["every"] is None:
            self._maildir(options["maildir"])
        else:
            self._go_on(options["maildir"], options["every"])

    def _go_on(self, folder: Path, every: float) -> None:
        pause = every
        while True:
            close_old_connections()  # a database that was away is called again
            try:
                self._maildir(folder, quiet=True)
                pause = every
            except CommandError as error:
                logger.error("%s", error)
                pause = min(2 * pause, max(every, LONGEST_PAUSE))
            time.sleep(pause)

    def _one(self, raw: bytes) -> None:
        # nothing is printed: a mail server sends what a pipe says back to the sender
        try:
            mail_take(raw=raw)
        except Exception as error:  # whatever it is, the mail must not be lost
            logger.exception("a mail could not be taken")
            raise CommandError("the mail could not be taken now; try again", returncode=TRY_AGAIN) from error

    def _maildir(self, folder: Path, *, quiet: bool = False) -> None:
        fresh, read = folder / "new", folder / "cur"
        if not fresh.is_dir() or not read.is_dir():
            raise CommandError(f"{folder} is no maildir: it has no folders new and cur")
        counts = dict.fromkeys(Outcome, 0)
        failed = 0
        for path in sorted(fresh.iterdir(), key=lambda path: path.name):
            try:
                with path.open("rb") as mail:
                    raw = mail.read(LARGEST)
            except (FileNotFoundError, IsADirectoryError):
                continue  # another run has it, or it is no mail
            try:
                counts[mail_take(raw=raw)] += 1
            except Exception:  # one bad mail does not stop the others; it stays and is tried again
                logger.exception("mail %s could not be taken", path.name)
                failed += 1
                continue
            with suppress(FileNotFoundError):  # as above
                os.replace(path, read / f"{path.name.partition(':')[0]}:2,S")
        if any(counts.values()) or not quiet:
            self.stdout.write(", ".join(f"{number} {outcome}" for outcome, number in counts.items()))
        if failed:
            raise CommandError(f"{failed} could not be taken and will be tried again", returncode=TRY_AGAIN)
