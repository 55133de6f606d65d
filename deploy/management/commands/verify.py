"""`manage.py verify CAMPAIGN`: throw every die, fight every battle and play every turn again, and compare. `--all`: the whole site."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from battles.engine.pinned.archives import RulesMissing, files_of, installed
from campaign.models import Campaign
from campaign.services.turn.verify import Verdict, campaign_verify
from deploy.campaign_command import CampaignCommand


class Command(CampaignCommand):
    """Exit status 0: all agrees. 1: something differs. 2: unknown campaign."""

    help = (
        "Recompute the dice, battles and closed turns of a campaign from their seeds and compare them with what is stored, "
        "each under the version of the rules under which it was played."
    )
    unknown = 2

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which campaign, or all of them, and how much is printed."""
        parser.add_argument("campaign", nargs="?", default="", help="the campaign's code")
        parser.add_argument("--all", action="store_true", help="every campaign, and the archives of rules")
        parser.add_argument("--quiet", action="store_true", help="print only what differs, and the totals")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints one line per check and a total per campaign. Raises CommandError when anything differs, and for an unknown one."""
        if bool(options["campaign"]) == options["all"]:
            raise CommandError("name a campaign, or use --all", returncode=self.unknown)
        if not options["all"]:
            fault = self._campaign(self.campaign_named(options["campaign"]), quiet=options["quiet"])
            if fault:
                raise CommandError(fault)
            return
        rows = Campaign.objects.select_related("book").order_by("book__code")
        told = self._archives(quiet=options["quiet"])
        told += [self._campaign(row, quiet=options["quiet"]) for row in rows]
        if any(told):
            raise CommandError("\n".join(filter(None, told)))

    def _campaign(self, campaign: Campaign, *, quiet: bool) -> str:
        """Check a campaign; returns how much differs in words, "" for nothing."""
        made = differ = untried = 0
        for finding in campaign_verify(campaign=campaign):
            made += 1
            differ += finding.verdict == Verdict.DIFFERS
            untried += finding.verdict == Verdict.UNTRIED
            if finding.verdict == Verdict.DIFFERS or not quiet:
                self.stdout.write(str(finding))
        if differ:
            return f"{campaign.name}: {differ} of {made} checks differ"
        rest = f", {untried} could not be made here" if untried else ""
        self.stdout.write(f"{campaign.name}: {made - untried} checks agree{rest}")
        return ""

    def _archives(self, *, quiet: bool) -> list[str]:
        """Check that every archive of rules is whole; returns what is wrong."""
        told = []
        for version in installed():
            try:
                files_of(version)
            except RulesMissing as missing:
                told.append(str(missing))
            else:
                if not quiet:
                    self.stdout.write(f"ok  {version}: its archive is whole")
        return told
