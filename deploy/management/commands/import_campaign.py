"""`manage.py import_campaign FILE`: a campaign from an archive that `export_campaign` wrote."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign.services.archive.reading import ImportRefused
from campaign.services.archive.restoring import campaign_import
from campaign.services.desk.audit import campaign_audit


class Command(BaseCommand):
    """All of it or nothing. The campaign is paused until its umpire resumes it."""

    help = "Make a campaign from an archive that `export_campaign` wrote. It is paused until its umpire resumes it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which archive, and under which code."""
        parser.add_argument("file", type=Path, help="the archive")
        parser.add_argument(
            "--as", dest="code", default="", metavar="CODE", help="another code, where its own is taken"
        )
        parser.add_argument("--by", default="the terminal", help="your name in the umpire's log")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with one line when the archive is refused."""
        try:
            made = campaign_import(path=options["file"], code=options["code"], by=options["by"])
        except ImportRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        campaign = made.campaign
        self.stdout.write(
            f"{campaign.code}: {campaign.name}, {campaign.turns.count()} turns, {campaign.get_status_display().lower()}"
        )
        for words, names in (
            ("accounts found by their address", made.known),
            ("accounts made, without a password", made.new),
        ):
            if names:
                self.stdout.write(f"{words}: {', '.join(sorted(names))}")
        for line in (*made.notes, *campaign_audit(campaign=campaign)):
            self.stdout.write(line)
        self.stdout.write(f"Check it with manage.py verify {campaign.code}. Then its umpire resumes it.")
