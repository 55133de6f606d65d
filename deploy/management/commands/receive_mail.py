"""`manage.py receive_mail [--maildir DIR]`: orders that players send by answering a turn's mail."""

import logging
import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign.notices.messages import LARGEST
from campaign.services.replies import Outcome, mail_take

logger = logging.getLogger(__name__)

TRY_AGAIN = 75  # EX_TEMPFAIL: a mail server keeps the mail and hands it over later


class Command(BaseCommand):
    """For cron over a maildir, or for a mail server's pipe. Rule: G.MV2."""

    help = "Take orders out of the new mails of a maildir, or out of one mail on standard input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where the mails are."""
        parser.add_argument(
            "--maildir", type=Path, metavar="DIR", help="read its new mails and move them to cur"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError for a folder that is no maildir, and with status 75 when a mail has to be tried again."""
        if options["maildir"] is None:
            raw = sys.stdin.buffer.read(LARGEST)
            while sys.stdin.buffer.read(LARGEST):
                pass  # a mail server whose pipe breaks takes the mail for undelivered
            self._one(raw)
        else:
            self._maildir(options["maildir"])

    def _one(self, raw: bytes) -> None:
        # nothing is printed: a mail server sends what a pipe says back to the sender
        try:
            mail_take(raw=raw)
        except Exception as error:  # whatever it is, the mail must not be lost
            logger.exception("a mail could not be taken")
            raise CommandError("the mail could not be taken now; try again", returncode=TRY_AGAIN) from error

    def _maildir(self, folder: Path) -> None:
        fresh, read = folder / "new", folder / "cur"
        if not fresh.is_dir() or not read.is_dir():
            raise CommandError(f"{folder} is no maildir: it has no folders new and cur")
        counts = dict.fromkeys(Outcome, 0)
        failed = 0
        for path in sorted(fresh.iterdir(), key=lambda path: path.name):
            try:
                with path.open("rb") as mail:
                    raw = mail.read(LARGEST)
            except FileNotFoundError:
                continue  # another run has it
            try:
                counts[mail_take(raw=raw)] += 1
            except Exception:  # one bad mail does not stop the others; it stays and is tried again
                logger.exception("mail %s could not be taken", path.name)
                failed += 1
                continue
            if path.exists():
                os.replace(path, read / f"{path.name.partition(':')[0]}:2,S")
        self.stdout.write(", ".join(f"{number} {outcome}" for outcome, number in counts.items()))
        if failed:
            raise CommandError(f"{failed} could not be taken and will be tried again", returncode=TRY_AGAIN)
