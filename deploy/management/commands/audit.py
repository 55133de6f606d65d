"""`manage.py audit CAMPAIGN`: look over the books of a live campaign; exit status 1 when something is wrong."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign.models import Campaign
from campaign.services.desk.audit import campaign_audit


class Command(BaseCommand):
    """Exit status 0: nothing found. 1: every fault on a line of its own. 2: there is no such campaign."""

    help = (
        "Check a campaign's data: ships, prizes, men, berths, battles, ledgers, and rows against the chart."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which campaign."""
        parser.add_argument("campaign", help="the campaign's code")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints a line a fault. Raises CommandError when there is one, and for an unknown campaign."""
        campaign = Campaign.objects.filter(book__code=options["campaign"]).select_related("book").first()
        if campaign is None:
            known = ", ".join(Campaign.objects.order_by("book__code").values_list("book__code", flat=True))
            raise CommandError(
                f"no campaign {options['campaign']!r}; there are {known or 'none yet'}", returncode=2
            )
        faults = list(campaign_audit(campaign=campaign))
        for fault in faults:
            self.stdout.write(fault)
        if faults:
            raise CommandError(f"{campaign.name}: {len(faults)} fault{'s' * (len(faults) != 1)} in the books")
        self.stdout.write(f"{campaign.name}: the books are in order")
