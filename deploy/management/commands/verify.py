"""`manage.py verify CAMPAIGN`: throw every die, fight every battle and play every turn again, and compare."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from campaign.services.turn.verify import Verdict, campaign_verify
from deploy.campaign_command import CampaignCommand


class Command(CampaignCommand):
    """Exit status 0: all agrees. 1: something differs. 2: unknown campaign."""

    help = "Recompute the dice, battles and closed turns of a campaign from their seeds and compare them with what is stored."
    unknown = 2

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which campaign, and how much is printed."""
        super().add_arguments(parser)
        parser.add_argument("--quiet", action="store_true", help="print only what differs")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints one line per check. Raises CommandError when anything differs, and for an unknown campaign."""
        campaign = self.campaign_named(options["campaign"])
        made = differ = untried = 0
        for finding in campaign_verify(campaign=campaign):
            made += 1
            differ += finding.verdict == Verdict.DIFFERS
            untried += finding.verdict == Verdict.UNTRIED
            if finding.verdict == Verdict.DIFFERS or not options["quiet"]:
                self.stdout.write(str(finding))
        if differ:
            raise CommandError(f"{campaign.name}: {differ} of {made} checks differ")
        rest = f", {untried} could not be made here" if untried else ""
        self.stdout.write(f"{campaign.name}: {made - untried} checks agree{rest}")
