"""`manage.py chronicle CAMPAIGN`: the campaign's story from the beginning, with everything of every side."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign.models import Campaign
from campaign.selectors.reports.chronicle import chronicle_lines, whole_chronicle


class Command(BaseCommand):
    """For an umpire at the terminal; the chronicle's page shows each reader what they may know."""

    help = "Print a campaign's chronicle: battles, gales, escapes, prizes and losses by day. For the umpire only."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which campaign."""
        parser.add_argument("campaign", help="the campaign's code")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with one line for an unknown campaign."""
        campaign = Campaign.objects.filter(book__code=options["campaign"]).first()
        if campaign is None:
            known = ", ".join(Campaign.objects.order_by("book__code").values_list("book__code", flat=True))
            raise CommandError(f"no campaign {options['campaign']!r}; available: {known or 'none yet'}")
        self.stdout.write(campaign.name)
        self.stdout.write("\n".join(chronicle_lines(whole_chronicle(campaign))))
