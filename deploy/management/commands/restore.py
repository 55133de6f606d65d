"""`manage.py restore FILE`: a site as a backup has it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from deploy.backups import BackupRefused, restore
from deploy.supervise import AlreadyRunning, only_one


class Command(BaseCommand):
    """The site must not run."""

    help = "Restore database, secret key and files from a backup. Stop the site first."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which backup, its passphrase, and whether a site may be overwritten."""
        parser.add_argument("file", type=Path, help="the backup")
        parser.add_argument("--key", type=Path, metavar="FILE", help="the file with the backup's passphrase")
        parser.add_argument("--replace", action="store_true", help="overwrite a site that is not empty")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with one line, with nothing changed."""
        try:
            with only_one(Path(settings.RUN_DIR) / "serve.lock"):
                found = restore(path=options["file"], replace=options["replace"], key=options["key"])
        except AlreadyRunning as error:
            raise CommandError(f"{error}; stop the site first") from error
        except (BackupRefused, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"restored the backup of {found['made'][:16]} UTC, {len(found['sha256'])} files")
        self.stdout.write("Run manage.py migrate, then manage.py audit and verify for each campaign.")
