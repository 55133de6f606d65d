"""`manage.py receive_mail [--maildir DIR [--every SECONDS]]`: orders that players send by replying to a turn's email."""

import logging
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import close_old_connections

from campaign.notices.raw_mail import LARGEST, BadMail
from campaign.services.mail.replies import Outcome, mail_set_aside, mail_take
from deploy.health import database_answers
from deploy.maildir import MOST_TRIES, BadFolder, Maildir, Taken

logger = logging.getLogger(__name__)

TRY_AGAIN = 75  # EX_TEMPFAIL: a mail server keeps the mail and hands it over later
LONGEST_PAUSE = 600  # seconds between rounds while no mail can be taken
AGAIN = "again"
ASIDE = "set aside"


class Command(BaseCommand):
    """For a service or cron over a maildir, or for a mail server's pipe. Rule: G.MV2."""

    help = "Read orders from the new emails of a maildir, or from one email on standard input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where the emails are."""
        parser.add_argument(
            "--maildir", type=Path, metavar="DIR", help="read its new emails and move them to cur"
        )
        parser.add_argument(
            "--every",
            type=float,
            metavar="SECONDS",
            help="with --maildir: keep running and check at this interval",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError for a folder that is not a maildir, and with status 75 when an email has to be tried again.

        An email that cannot be read is set aside in a folder `bad`, and the umpires are notified; moved back to `new` it is read
        again. With --every it runs until stopped; errors are logged.
        """
        if options["maildir"] is None:
            raw = sys.stdin.buffer.read(LARGEST)
            while sys.stdin.buffer.read(LARGEST):
                pass  # a mail server whose pipe breaks treats the email as undelivered
            self._one(raw)
        elif options["every"] is None:
            self._maildir(options["maildir"])
        else:
            self._go_on(options["maildir"], options["every"])

    def _go_on(self, folder: Path, every: float) -> None:
        pause = every
        while True:
            close_old_connections()  # reconnects to a database that was down
            try:
                self._maildir(folder, quiet=True)
                pause = every
            except (CommandError, OSError) as error:
                logger.error("%s", error)
                pause = min(2 * pause, max(every, LONGEST_PAUSE))
            time.sleep(pause)

    def _one(self, raw: bytes) -> None:
        # nothing is printed: a mail server sends what a pipe says back to the sender
        try:
            try:
                mail_take(raw=raw)
            except BadMail as bad:  # a mail server would deliver it again for days
                name = BadFolder(settings.VAR_DIR / "bad-mail").keep(raw, str(bad))
                mail_set_aside(raw=raw, name=name, reason=str(bad))
        except Exception as error:  # whatever it is, the mail must not be lost
            logger.exception("a mail could not be taken")
            raise CommandError(
                "The email could not be processed. Try again.", returncode=TRY_AGAIN
            ) from error

    def _maildir(self, folder: Path, *, quiet: bool = False) -> None:
        try:
            box = Maildir(folder)
        except NotADirectoryError as error:
            raise CommandError(str(error)) from error
        with box.alone() as alone:
            if alone:
                self._round(box, quiet=quiet)
            elif not quiet:
                self.stdout.write("Another run is reading this maildir.")

    def _round(self, box: Maildir, *, quiet: bool) -> None:
        counts: Counter[str] = Counter()
        for path in box.waiting():
            mail = box.begin(path)  # out of `new` before anything reads it
            if mail is not None:
                counts[self._taken(box, mail)] += 1
        if counts or not quiet:
            told = [f"{counts[outcome]} {outcome}" for outcome in Outcome]
            told += [f"{counts[ASIDE]} {ASIDE}"] if counts[ASIDE] else []
            self.stdout.write(", ".join(told))
        if counts[AGAIN] and not quiet:
            raise CommandError(
                f"{counts[AGAIN]} could not be processed and will be tried again", returncode=TRY_AGAIN
            )

    def _taken(self, box: Maildir, mail: Taken) -> str:
        """What became of an email. One that fails stops no other; after so many tries it is set aside.

        Raises CommandError, with the email where it was, when no email can be processed now.
        """
        try:
            if mail.tries > MOST_TRIES:
                raise BadMail(f"reading it has stopped this program {MOST_TRIES} times")
            outcome = mail_take(raw=mail.read(LARGEST))
        except Exception as error:  # of this mail, or of the server
            if not database_answers():
                box.put_back(mail)
                raise CommandError("the database does not answer", returncode=TRY_AGAIN) from error
            if not isinstance(error, BadMail):
                logger.exception("mail %s could not be taken", mail.name)
                if mail.tries < MOST_TRIES:
                    return AGAIN
            self._set_aside(box, mail, error)
            return ASIDE
        box.done(mail)
        return outcome

    def _set_aside(self, box: Maildir, mail: Taken, error: Exception) -> None:
        reason = (
            str(error) if isinstance(error, BadMail) else f"it could not be processed: {type(error).__name__}"
        )
        try:
            mail_set_aside(raw=mail.read(LARGEST), name=mail.name, reason=reason)
        except Exception:  # then it is not counted, but it must not be tried for ever
            logger.exception("mail %s could not be noted", mail.name)
        box.bad.move(mail, reason)
