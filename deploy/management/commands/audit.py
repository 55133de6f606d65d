"""`manage.py audit CAMPAIGN`: check the books of a live campaign; exit status 1 when something is wrong."""

from typing import Any

from django.core.management.base import CommandError

from campaign.services.desk.audit import campaign_audit
from deploy.campaign_command import CampaignCommand


class Command(CampaignCommand):
    """Exit status 0: no errors. 1: errors found, one per line. 2: unknown campaign."""

    help = (
        "Check a campaign's data: ships, prizes, men, berths, battles, ledgers, and rows against the chart."
    )
    unknown = 2

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints one line per error. Raises CommandError when there is one, and for an unknown campaign."""
        campaign = self.campaign_named(options["campaign"])
        faults = list(campaign_audit(campaign=campaign))
        for fault in faults:
            self.stdout.write(fault)
        if faults:
            raise CommandError(f"{campaign.name}: {len(faults)} error{'s' * (len(faults) != 1)} found")
        self.stdout.write(f"{campaign.name}: no errors found")
