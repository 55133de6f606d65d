"""`manage.py showcase`: choose the finished campaigns that the front page shows, or play one for it."""

import io
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from campaign.models import Campaign
from campaign.services.settings.publicity import publicity_change, showcase_set
from campaign.services.turn.ending import campaign_close
from campaign.services.umpire_log import UmpireRefused


class Terminal:
    """Who acts here."""

    def get_username(self) -> str:
        """The name in the umpire's log."""
        return "the site administrator"


class Command(BaseCommand):
    """Marks a finished campaign whose page is public, or plays a demo, ends it and opens its page."""

    help = "Show a finished campaign on the front page, or play a demo to show there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which campaign, or which demo."""
        parser.add_argument(
            "campaign", nargs="?", default="", help="code of a finished campaign with a public page"
        )
        parser.add_argument("--off", action="store_true", help="stop showing it")
        parser.add_argument(
            "--demo", default="", metavar="THEATRE", help="play a demo in this theatre and show it"
        )
        parser.add_argument("--turns", type=int, default=6, help="how many turns of the demo to play (6)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with one line for an unknown or unfinished campaign, and what `campaign_demo` raises."""
        if bool(options["campaign"]) == bool(options["demo"]):
            raise CommandError("name a campaign, or a theatre with --demo")
        campaign = self._played(options) if options["demo"] else self._named(options["campaign"])
        try:
            showcase_set(campaign=campaign, on=not options["off"])
        except UmpireRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(
            f"The front page {'no longer shows' if options['off'] else 'shows'} {campaign.name}."
        )

    def _named(self, code: str) -> Campaign:
        found = Campaign.objects.filter(book__code=code).select_related("book").first()
        if found is None:
            raise CommandError(f"no campaign {code!r}")
        return found

    def _played(self, options: dict[str, Any]) -> Campaign:
        """A demo played to its end by automatic admirals, with its page open."""
        call_command(
            "campaign_demo", theatre=options["demo"], turns=options["turns"], quiet=True, stdout=io.StringIO()
        )
        campaign = Campaign.objects.exclude(demo_seed="").select_related("book", "theatre").latest("pk")
        if campaign.status != Campaign.Status.CLOSED:
            reason = f"The demo ends after {options['turns']} turns."
            campaign_close(campaign=campaign, umpire=Terminal().get_username(), reason=reason)
            campaign.refresh_from_db()
        publicity_change(campaign=campaign, umpire=Terminal(), open_=True, score=True, delay=1, indexed=False)
        return campaign
