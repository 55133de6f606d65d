"""What the commands about one campaign share: its argument, and an error that names the campaigns there are."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from campaign.models import Campaign


class CampaignCommand(BaseCommand):
    """A command about one campaign."""

    unknown = 1  # the exit status for a campaign that there is not

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which campaign."""
        parser.add_argument("campaign", help="the campaign's code")

    def campaign_named(self, code: str) -> Campaign:
        """A campaign by its code. Raises CommandError with one line for an unknown one."""
        campaign = Campaign.objects.filter(book__code=code).select_related("book").first()
        if campaign is None:
            known = ", ".join(Campaign.objects.order_by("book__code").values_list("book__code", flat=True))
            raise CommandError(
                f"no campaign {code!r}; available: {known or 'none yet'}", returncode=self.unknown
            )
        return campaign
