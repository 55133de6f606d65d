"""`manage.py install_check`: what this installation lacks, and how to mend it."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand
from django.core.validators import validate_email

from deploy.install import Wishes, findings


def address(text: str) -> str:
    """An email address. Raises ArgumentTypeError."""
    try:
        validate_email(text)
    except ValidationError:
        raise ArgumentTypeError(f"{text} is not an email address") from None
    return text


class Command(BaseCommand):
    """One line for each part, all of them every time."""

    help = "Say what is missing in this installation and how to correct it. Run it as the site's user, with the site's settings."
    requires_system_checks = ()  # they are part of what is reported

    def add_arguments(self, parser: ArgumentParser) -> None:
        """An email to send, and where maildir and backups are."""
        var = Path(settings.VAR_DIR)
        parser.add_argument("--send-to", type=address, metavar="ADDRESS", help="send a test email there")
        parser.add_argument(
            "--maildir", type=Path, default=var / "Maildir", metavar="DIR", help="what receive_mail reads"
        )
        parser.add_argument(
            "--backups", type=Path, default=var / "backups", metavar="DIR", help="where backups are kept"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints OK, MISSING or NOT CHECKED for each part. Exits with status 1 when something is missing."""
        missing = 0
        wishes = Wishes(
            send_to=options["send_to"] or "", maildir=options["maildir"], backups=options["backups"]
        )
        for found in findings(wishes):
            missing += found.state == "MISSING"
            self.stdout.write(f"{found.state:12} {found.part}: {' '.join(found.words.split())}")
            self.stdout.flush()
        if missing:
            sys.exit(1)
