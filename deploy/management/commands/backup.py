"""`manage.py backup DIR`: the whole site in one file, while it runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.backups import BackupRefused, backup


class Command(BaseCommand):
    """One file per backup."""

    help = "Back up database, secret key and files while the site runs. A backup holds every secret."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to, how many are kept, and whether it is encrypted."""
        parser.add_argument("folder", type=Path, help="where backups are kept")
        parser.add_argument("--keep", type=int, default=14, metavar="N", help="how many to keep (14)")
        parser.add_argument(
            "--key", type=Path, metavar="FILE", help="encrypt with the passphrase in this file"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints the file. Raises CommandError with one line."""
        if options["keep"] < 1:
            raise CommandError("--keep must be 1 or more")
        try:
            made = backup(folder=options["folder"], keep=options["keep"], key=options["key"])
        except (BackupRefused, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(str(made))
