"""`manage.py first_run`: something to see before anyone sets anything up."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from campaign.models import Campaign
from deploy.logins import show_logins
from deploy.workers import worker_and_beat


class Command(BaseCommand):
    """Sets up the demo campaign when there is no campaign at all; otherwise does nothing."""

    help = "Load the registers and play the demo campaign's first turns, unless a campaign already exists."

    def handle(self, *args: Any, **options: Any) -> None:
        """A real worker fights its battles, as it will later. Raises what `demo_setup` raises."""
        if not Campaign.objects.exists():
            with worker_and_beat():
                call_command("demo_setup", stdout=self.stdout, stderr=self.stderr)
        show_logins(self.stdout)
