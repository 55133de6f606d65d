"""`manage.py chronicle CAMPAIGN`: the campaign's story from the beginning, with everything of every side."""

from typing import Any

from campaign.selectors.reports.chronicle import chronicle_lines, whole_chronicle
from deploy.campaign_command import CampaignCommand


class Command(CampaignCommand):
    """For an umpire at the terminal; the chronicle's page shows each reader what they may know."""

    help = "Print a campaign's chronicle in chapters: battles, gales, escapes, prizes and losses. For the umpire only."

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with one line for an unknown campaign."""
        campaign = self.campaign_named(options["campaign"])
        self.stdout.write(campaign.name)
        self.stdout.write("\n".join(chronicle_lines(whole_chronicle(campaign))))
