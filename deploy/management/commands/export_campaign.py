"""`manage.py export_campaign CAMPAIGN --to FILE`: a whole campaign as one archive."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from campaign.services.archive.people import ADDRESSES, PSEUDONYMS
from campaign.services.archive.writing import ExportRefused, campaign_export
from deploy.campaign_command import CampaignCommand


class Command(CampaignCommand):
    """Nothing is changed; turns may run meanwhile."""

    help = "Write a campaign to an archive, for `import_campaign` on another server. It holds both sides' positions and orders."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which campaign, where to, and what is left out."""
        super().add_arguments(parser)
        parser.add_argument(
            "--to", type=Path, required=True, metavar="FILE", help="the archive to write; a new file"
        )
        parser.add_argument(
            "--people",
            choices=(ADDRESSES, PSEUDONYMS),
            default=ADDRESSES,
            help="how the archive names people (addresses)",
        )
        parser.add_argument(
            "--with-secrets",
            action="store_true",
            help="include the secrets of dice that are still to be thrown; needed to move a campaign",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with one line when the campaign cannot be exported so."""
        campaign = self.campaign_named(options["campaign"])
        try:
            manifest = campaign_export(
                campaign=campaign,
                to=options["to"],
                people=options["people"],
                with_secrets=options["with_secrets"],
            )
        except (ExportRefused, OSError) as error:
            raise CommandError(str(error)) from error
        rows = sum(member["rows"] for member in manifest["members"].values())
        secrets = "with all secrets" if options["with_secrets"] else "without secrets that are sealed"
        self.stdout.write(
            f"{options['to']}: {campaign.name}, {rows:,} rows, {secrets}, people by {options['people']}"
        )
        if waiting := campaign.notices.filter(void="").exclude(status__in=("sent", "failed")).count():
            self.stdout.write(f"Emails are not exported, and {waiting:,} are still to be sent from here.")
