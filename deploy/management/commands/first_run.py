"""`manage.py first_run`: something to look at before anything is asked of anyone."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from campaign.models import Campaign
from deploy.logins import show_logins
from deploy.workers import worker_and_beat


class Command(BaseCommand):
    """Sets up the demo campaign when there is no campaign at all; else does nothing."""

    help = "Load the registers and play the demo campaign's first turns, unless there is a campaign already."

    def handle(self, *args: Any, **options: Any) -> None:
        """Its battles are fought by a real worker, as they will be later.  Raises what the set-up raises."""
        if not Campaign.objects.exists():
            with worker_and_beat():
                call_command("demo_setup", stdout=self.stdout, stderr=self.stderr)
        show_logins(self.stdout)
